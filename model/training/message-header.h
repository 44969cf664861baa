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
 * @brief Says to which message the payload of a frame belongs: 20 bytes.
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
     * @param size the size of the whole message in bytes
     */
    MessageHeader(uint32_t source, uint64_t tag, uint64_t size);

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
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_HEADER_H */
