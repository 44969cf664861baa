/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_HEADER_H
#define PIECE_HEADER_H

#include "message-header.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The header of a part of a message in a stream: a MessageHeader and the number of bytes
 * that follow, 28 bytes in all.
 */
class PieceHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PieceHeader() = default;

    /**
     * @param message the message
     * @param bytes the bytes of it that follow
     */
    PieceHeader(const MessageHeader& message, uint64_t bytes);

    /**
     * @return the message
     */
    const MessageHeader& GetMessage() const;

    /**
     * @return the bytes of the message that follow
     */
    uint64_t GetBytes() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /// Size of the header in bytes.
    static constexpr uint32_t SIZE = MessageHeader::SIZE + 8;

  private:
    MessageHeader m_message; //!< The message
    uint64_t m_bytes{0};     //!< Bytes of it that follow
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_HEADER_H */
