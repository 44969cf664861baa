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
NS_OBJECT_ENSURE_REGISTERED(PauseHeader);

namespace
{

/// Numbers have 24 bits.
constexpr uint32_t NUMBER = 0xffffff;

constexpr uint32_t ACKNOWLEDGES = 0x1f000000; //!< AETH of an ACK: credits are not limited
constexpr uint32_t MISSES = 0x60000000;       //!< AETH of a NAK: a sequence error

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
    return opcode == ACKNOWLEDGE ? 16 : 12;
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
    if (opcode == ACKNOWLEDGE)
    {
        start.WriteHtonU32(isNegative ? MISSES : ACKNOWLEDGES);
    }
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
    isNegative = opcode == ACKNOWLEDGE && start.ReadNtohU32() >= MISSES;
    return GetSerializedSize();
}

void
BthHeader::Print(std::ostream& os) const
{
    os << "opcode " << static_cast<uint32_t>(opcode) << ", queue pair " << queuePair << ", packet "
       << number << (isNegative ? ", missing" : "");
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
