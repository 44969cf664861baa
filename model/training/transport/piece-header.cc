/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-header.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(PieceHeader);

TypeId
PieceHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::PieceHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<PieceHeader>();
    return tid;
}

PieceHeader::PieceHeader(const MessageHeader& message, uint64_t bytes)
    : m_message(message),
      m_bytes(bytes)
{
}

const MessageHeader&
PieceHeader::GetMessage() const
{
    return m_message;
}

uint64_t
PieceHeader::GetBytes() const
{
    return m_bytes;
}

TypeId
PieceHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
PieceHeader::Print(std::ostream& os) const
{
    m_message.Print(os);
    os << " bytes=" << m_bytes;
}

uint32_t
PieceHeader::GetSerializedSize() const
{
    return SIZE;
}

void
PieceHeader::Serialize(Buffer::Iterator start) const
{
    m_message.Serialize(start);
    start.Next(MessageHeader::SIZE);
    start.WriteHtonU64(m_bytes);
}

uint32_t
PieceHeader::Deserialize(Buffer::Iterator start)
{
    start.Next(m_message.Deserialize(start));
    m_bytes = start.ReadNtohU64();
    return SIZE;
}

} // namespace lightpath
} // namespace ns3
