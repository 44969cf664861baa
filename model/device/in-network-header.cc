/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-header.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(InNetworkHeader);

TypeId
InNetworkHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::InNetworkHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<InNetworkHeader>();
    return tid;
}

TypeId
InNetworkHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
InNetworkHeader::Print(std::ostream& os) const
{
    os << "job=" << job << " tag=" << tag << " block=" << block << " sequence=" << +sequence
       << " bits=" << +bits << " scales=" << scales.size();
}

uint32_t
InNetworkHeader::GetSerializedSize() const
{
    return SIZE + static_cast<uint32_t>(scales.size());
}

void
InNetworkHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(job);
    start.WriteHtonU64(tag);
    start.WriteHtonU32(block);
    start.WriteU8(sequence);
    start.WriteU8(bits);
    start.WriteHtonU32(static_cast<uint32_t>(scales.size()));
    start.Write(scales.data(), static_cast<uint32_t>(scales.size()));
}

uint32_t
InNetworkHeader::Deserialize(Buffer::Iterator start)
{
    job = start.ReadNtohU16();
    tag = start.ReadNtohU64();
    block = start.ReadNtohU32();
    sequence = start.ReadU8();
    bits = start.ReadU8();
    scales.resize(start.ReadNtohU32());
    start.Read(scales.data(), static_cast<uint32_t>(scales.size()));
    return GetSerializedSize();
}

} // namespace lightpath
} // namespace ns3
