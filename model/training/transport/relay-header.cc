/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-header.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RelayHeader);

TypeId
RelayHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RelayHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<RelayHeader>();
    return tid;
}

RelayHeader::RelayHeader(uint32_t destination)
    : m_destination(destination)
{
}

uint32_t
RelayHeader::GetDestination() const
{
    return m_destination;
}

TypeId
RelayHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
RelayHeader::Print(std::ostream& os) const
{
    os << "destination=" << m_destination;
}

uint32_t
RelayHeader::GetSerializedSize() const
{
    return SIZE;
}

void
RelayHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_destination);
}

uint32_t
RelayHeader::Deserialize(Buffer::Iterator start)
{
    m_destination = start.ReadNtohU32();
    return SIZE;
}

} // namespace lightpath
} // namespace ns3
