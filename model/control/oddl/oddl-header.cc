/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-header.h"

#include "ns3/nstime.h"

#include <array>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OddlHeader);

namespace
{

constexpr uint32_t COMMON = 12; //!< Bytes that each message has
constexpr uint32_t FIELD = 8;   //!< Bytes of a size or a time

/**
 * @param [in,out] place where to write
 * @param time a time in ticks, of whole picoseconds
 */
void
WriteTime(Buffer::Iterator& place, int64_t time)
{
    place.WriteHtonU64(static_cast<uint64_t>(TimeStep(time).GetPicoSeconds()));
}

/**
 * @param [in,out] place where to read
 * @return a time in ticks
 */
int64_t
ReadTime(Buffer::Iterator& place)
{
    return PicoSeconds(static_cast<int64_t>(place.ReadNtohU64())).GetTimeStep();
}

} // namespace

TypeId
OddlHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::OddlHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<OddlHeader>();
    return tid;
}

TypeId
OddlHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
OddlHeader::GetSerializedSize() const
{
    switch (kind)
    {
    case JOB_REQUEST:
        return COMMON + 4 + (nPorts + 7) / 8;
    case REQUEST:
    case GRANT:
        return COMMON + 4 * FIELD;
    case DONE:
        return COMMON + FIELD;
    default:
        return COMMON;
    }
}

void
OddlHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(kind);
    start.WriteU8(direction);
    start.WriteU8(index);
    start.WriteU8(0);
    start.WriteHtonU32(port);
    start.WriteHtonU32(number);
    if (kind == REQUEST || kind == GRANT)
    {
        WriteTime(start, stamp);
        WriteTime(start, slack);
        WriteTime(start, wait);
        kind == REQUEST ? start.WriteHtonU64(bytes) : WriteTime(start, hold);
    }
    else if (kind == DONE)
    {
        start.WriteHtonU64(bytes);
    }
    else if (kind == JOB_REQUEST)
    {
        start.WriteHtonU32(nPorts);
        std::vector<uint8_t> bits((nPorts + 7) / 8, 0);
        for (const uint32_t each : ports)
        {
            bits.at(each / 8) |= 1 << each % 8;
        }
        start.Write(bits.data(), static_cast<uint32_t>(bits.size()));
    }
}

uint32_t
OddlHeader::Deserialize(Buffer::Iterator start)
{
    kind = static_cast<Kind>(start.ReadU8());
    direction = start.ReadU8();
    index = start.ReadU8();
    start.ReadU8();
    port = start.ReadNtohU32();
    number = start.ReadNtohU32();
    if (kind == REQUEST || kind == GRANT)
    {
        stamp = ReadTime(start);
        slack = ReadTime(start);
        wait = ReadTime(start);
        kind == REQUEST ? bytes = start.ReadNtohU64() : (hold = ReadTime(start), 0);
    }
    else if (kind == DONE)
    {
        bytes = start.ReadNtohU64();
    }
    else if (kind == JOB_REQUEST)
    {
        nPorts = start.ReadNtohU32();
        std::vector<uint8_t> bits((nPorts + 7) / 8, 0);
        start.Read(bits.data(), static_cast<uint32_t>(bits.size()));
        ports.clear();
        for (uint32_t each = 0; each < nPorts; ++each)
        {
            if (bits[each / 8] >> each % 8 & 1)
            {
                ports.push_back(each);
            }
        }
    }
    return GetSerializedSize();
}

void
OddlHeader::Print(std::ostream& os) const
{
    static const std::array<const char*, 7> names =
        {"?", "JOB_REQ", "JOB_GO", "REQ", "GRANT", "GRANT_CANCEL", "DONE"};
    os << names[kind < names.size() ? kind : 0] << " port=" << port;
    if (kind == JOB_REQUEST || kind == JOB_GO)
    {
        os << " job=" << number;
        if (kind == JOB_REQUEST)
        {
            os << " ports=" << ports.size() << "/" << nPorts;
        }
        return;
    }
    os << " flow=" << number << " " << (direction == 0 ? "row" : "column") << ":" << +index;
    if (kind == REQUEST)
    {
        os << " bytes=" << bytes << " stamp=" << TimeStep(stamp).As(Time::PS)
           << " slack=" << TimeStep(slack).As(Time::NS) << " ready=" << TimeStep(wait).As(Time::NS);
    }
    else if (kind == GRANT)
    {
        os << " stamp=" << TimeStep(stamp).As(Time::PS) << " slack=" << TimeStep(slack).As(Time::NS)
           << " wait=" << TimeStep(wait).As(Time::NS) << " hold=" << TimeStep(hold).As(Time::NS);
    }
    else if (kind == DONE)
    {
        os << " bytes=" << bytes;
    }
}

} // namespace lightpath
} // namespace ns3
