/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_HEADER_H
#define MESSAGE_HEADER_H

#include "model/base/wire-format.h"

#include "ns3/header.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The header of 20 bytes that names the message that the payload of a frame belongs to.
 */
class MessageHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MessageHeader() = default;

    /**
     * @param source the rank that sends
     * @param tag the tag of the message
     * @param size the size of the whole message in bytes, less than 2^56
     * @param repeats the times that its part of the message has been lost
     */
    MessageHeader(uint32_t source, uint64_t tag, uint64_t size, uint8_t repeats = 0);

    /**
     * @return the rank that sends
     */
    uint32_t GetSource() const;

    /**
     * @return the tag of the message
     */
    uint64_t GetTag() const;

    /**
     * @return the size of the whole message in bytes
     */
    uint64_t GetMessageSize() const;

    /**
     * @return the times that this part of the message has been lost
     */
    uint8_t GetRepeats() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// Size of the header in bytes.
    static constexpr uint32_t SIZE = MESSAGE_HEADER_BYTES;

  private:
    uint32_t m_source{0}; //!< Rank that sends
    uint64_t m_tag{0};    //!< Tag of the message
    uint64_t m_size{0};   //!< Size of the message in bytes
    uint8_t m_repeats{0}; //!< Times that its part of the message has been lost
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_HEADER_H */
