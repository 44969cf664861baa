/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-header.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MessageHeader);

TypeId
MessageHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::MessageHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<MessageHeader>();
    return tid;
}

MessageHeader::MessageHeader(uint32_t source, uint64_t tag, uint64_t size)
    : m_source(source),
      m_tag(tag),
      m_size(size)
{
}

uint32_t
MessageHeader::GetSource() const
{
    return m_source;
}

uint64_t
MessageHeader::GetTag() const
{
    return m_tag;
}

uint64_t
MessageHeader::GetMessageSize() const
{
    return m_size;
}

TypeId
MessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MessageHeader::Print(std::ostream& os) const
{
    os << "source=" << m_source << " tag=" << m_tag << " size=" << m_size;
}

uint32_t
MessageHeader::GetSerializedSize() const
{
    return SIZE;
}

void
MessageHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_source);
    start.WriteHtonU64(m_tag);
    start.WriteHtonU64(m_size);
}

uint32_t
MessageHeader::Deserialize(Buffer::Iterator start)
{
    m_source = start.ReadNtohU32();
    m_tag = start.ReadNtohU64();
    m_size = start.ReadNtohU64();
    return SIZE;
}

} // namespace lightpath
} // namespace ns3
