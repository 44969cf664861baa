/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "datagram-header.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(DatagramHeader);

TypeId
DatagramHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::DatagramHeader")
                            .SetParent<Header>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<DatagramHeader>();
    return tid;
}

DatagramHeader::DatagramHeader(bool isAcknowledgement,
                               uint32_t rank,
                               uint64_t sequence,
                               uint64_t transmission)
    : m_isAcknowledgement(isAcknowledgement),
      m_rank(rank),
      m_sequence(sequence),
      m_transmission(transmission)
{
}

bool
DatagramHeader::IsAcknowledgement() const
{
    return m_isAcknowledgement;
}

uint32_t
DatagramHeader::GetRank() const
{
    return m_rank;
}

uint64_t
DatagramHeader::GetSequence() const
{
    return m_sequence;
}

uint64_t
DatagramHeader::GetTransmission() const
{
    return m_transmission;
}

TypeId
DatagramHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
DatagramHeader::Print(std::ostream& os) const
{
    os << (m_isAcknowledgement ? "acknowledgement" : "data") << " rank=" << m_rank
       << " sequence=" << m_sequence << " transmission=" << m_transmission;
}

uint32_t
DatagramHeader::GetSerializedSize() const
{
    return SIZE;
}

void
DatagramHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(m_isAcknowledgement ? 1 : 0);
    start.WriteHtonU32(m_rank);
    start.WriteHtonU64(m_sequence);
    start.WriteHtonU64(m_transmission);
}

uint32_t
DatagramHeader::Deserialize(Buffer::Iterator start)
{
    m_isAcknowledgement = start.ReadU8() != 0;
    m_rank = start.ReadNtohU32();
    m_sequence = start.ReadNtohU64();
    m_transmission = start.ReadNtohU64();
    return SIZE;
}

} // namespace lightpath
} // namespace ns3
