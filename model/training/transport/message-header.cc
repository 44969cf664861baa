/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-header.h"

#include <array>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(MessageHeader);

namespace
{

/**
 * @param value a number
 * @param size the number of its bytes
 * @param [out] bytes where to put them, the highest first
 */
void
Put(uint64_t value, uint32_t size, uint8_t* bytes)
{
    for (uint32_t i = size; i-- > 0; value >>= 8)
    {
        bytes[i] = static_cast<uint8_t>(value);
    }
}

/**
 * @param size the number of bytes of a number
 * @param bytes the bytes, the highest first
 * @return the number
 */
uint64_t
Get(uint32_t size, const uint8_t* bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i)
    {
        value = value << 8 | bytes[i];
    }
    return value;
}

} // namespace

TypeId
MessageHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::MessageHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<MessageHeader>();
    return tid;
}

MessageHeader::MessageHeader(uint32_t source, uint64_t tag, uint64_t size, uint8_t repeats)
    : m_source(source),
      m_tag(tag),
      m_size(size),
      m_repeats(repeats)
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

uint8_t
MessageHeader::GetRepeats() const
{
    return m_repeats;
}

TypeId
MessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MessageHeader::Print(std::ostream& os) const
{
    os << "source=" << m_source << " tag=" << m_tag << " size=" << m_size
       << " repeats=" << +m_repeats;
}

uint32_t
MessageHeader::GetSerializedSize() const
{
    return SIZE;
}

void
MessageHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, SIZE> bytes;
    Put(m_source, 4, bytes.data());
    Put(m_tag, 8, bytes.data() + 4);
    Put(m_repeats, 1, bytes.data() + 12);
    Put(m_size, 7, bytes.data() + 13);
    start.Write(bytes.data(), SIZE);
}

uint32_t
MessageHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, SIZE> bytes;
    start.Read(bytes.data(), SIZE);
    m_source = static_cast<uint32_t>(Get(4, bytes.data()));
    m_tag = Get(8, bytes.data() + 4);
    m_repeats = bytes[12];
    m_size = Get(7, bytes.data() + 13);
    return SIZE;
}

} // namespace lightpath
} // namespace ns3
