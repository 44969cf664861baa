/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-headers.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(BthHeader);
NS_OBJECT_ENSURE_REGISTERED(AethHeader);
NS_OBJECT_ENSURE_REGISTERED(PauseHeader);

namespace
{

/// Numbers have 24 bits.
constexpr uint32_t NUMBER = 0xffffff;

} // namespace

TypeId
BthHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::BthHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<BthHeader>();
    return tid;
}

TypeId
BthHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
BthHeader::GetSerializedSize() const
{
    return 12;
}

void
BthHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(opcode);
    // Migrated, and version 0
    start.WriteU8(0x40 | (padding & 3) << 4);
    start.WriteHtonU16(0xffff);
    start.WriteHtonU32(queuePair & NUMBER);
    start.WriteHtonU32((asksForAck ? 1U << 31 : 0) | (number & NUMBER));
}

uint32_t
BthHeader::Deserialize(Buffer::Iterator start)
{
    opcode = static_cast<Opcode>(start.ReadU8());
    padding = start.ReadU8() >> 4 & 3;
    start.ReadU16();
    queuePair = start.ReadNtohU32() & NUMBER;
    number = start.ReadNtohU32();
    asksForAck = (number >> 31) != 0;
    number &= NUMBER;
    return GetSerializedSize();
}

void
BthHeader::Print(std::ostream& os) const
{
    os << "opcode " << static_cast<uint32_t>(opcode) << ", queue pair " << queuePair << ", packet "
       << number;
}

TypeId
AethHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::AethHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<AethHeader>();
    return tid;
}

TypeId
AethHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
AethHeader::GetSerializedSize() const
{
    return 4;
}

void
AethHeader::Serialize(Buffer::Iterator start) const
{
    // Credits are not limited (31); 0x60 is a sequence error
    constexpr uint32_t acknowledges = 0x1f;
    constexpr uint32_t misses = 0x60;
    start.WriteHtonU32((isNegative ? misses : acknowledges) << 24 | (nMessages & NUMBER));
}

uint32_t
AethHeader::Deserialize(Buffer::Iterator start)
{
    nMessages = start.ReadNtohU32();
    isNegative = (nMessages >> 29) == 3;
    nMessages &= NUMBER;
    return GetSerializedSize();
}

void
AethHeader::Print(std::ostream& os) const
{
    os << (isNegative ? "packet missing" : "received") << ", " << nMessages << " messages";
}

TypeId
PauseHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::PauseHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<PauseHeader>();
    return tid;
}

TypeId
PauseHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
PauseHeader::GetSerializedSize() const
{
    return 46;
}

void
PauseHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(0x0101);
    start.WriteHtonU16(classes);
    for (uint32_t i = 0; i < 8; ++i)
    {
        start.WriteHtonU16(pauses && (classes >> i & 1) != 0 ? 0xffff : 0);
    }
    start.WriteU8(0, 26);
}

uint32_t
PauseHeader::Deserialize(Buffer::Iterator start)
{
    start.ReadU16();
    classes = static_cast<uint8_t>(start.ReadNtohU16());
    pauses = false;
    for (uint32_t i = 0; i < 8; ++i)
    {
        pauses = start.ReadNtohU16() > 0 || pauses;
    }
    return GetSerializedSize();
}

void
PauseHeader::Print(std::ostream& os) const
{
    os << (pauses ? "pause" : "resume") << " of classes " << static_cast<uint32_t>(classes);
}

} // namespace lightpath
} // namespace ns3
