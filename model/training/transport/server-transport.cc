/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-transport.h"

#include "server-network.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("ServerTransport");

NS_OBJECT_ENSURE_REGISTERED(ServerTransport);

TypeId
ServerTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::ServerTransport")
                            .SetParent<Transport>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<ServerTransport>();
    return tid;
}

ServerTransport::ServerTransport()
{
    NS_LOG_FUNCTION(this);
}

ServerTransport::~ServerTransport()
{
    NS_LOG_FUNCTION(this);
}

void
ServerTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_network)
    {
        m_network->Dispose();
        m_network = nullptr;
    }
    Transport::DoDispose();
}

void
ServerTransport::SetUp(Ptr<ServerNetwork> network, uint32_t place)
{
    NS_LOG_FUNCTION(this << network << place);
    m_network = network;
    m_place = place;
}

void
ServerTransport::Take(uint32_t source, uint64_t tag, uint64_t size, uint64_t bytes)
{
    ReceivePart(source, tag, size, bytes);
}

void
ServerTransport::Report(const std::string& sentence)
{
    Fail(sentence);
}

void
ServerTransport::Send(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << rank << tag << bytes);
    TraceSend(rank, tag, bytes);
    m_network->Send(m_place, rank, tag, bytes);
}

void
ServerTransport::Average(uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << tag << bytes);
    TraceSend(m_place, tag, bytes);
    m_network->Average(m_place, tag, bytes);
}

void
ServerTransport::AverageInside(uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << tag << bytes);
    TraceSend(m_place, tag, bytes);
    m_network->AverageInside(m_place, tag, bytes);
}

void
ServerTransport::SetComputed(bool isComputed)
{
    m_network->SetComputed(m_place, isComputed);
}

void
ServerTransport::NoteEvent(Time delay) const
{
    m_network->GetInside(m_place)->NoteEvent(delay);
}

uint64_t
ServerTransport::GetComputed() const
{
    return m_network->GetInside(m_place)->GetComputed();
}

uint64_t
ServerTransport::GetSentBytes() const
{
    // The bytes of a shared card count once
    const auto outside = m_network->GetOutside(m_place);
    return m_network->GetInsideBytes(m_place) +
           (outside && m_network->OwnsCard(m_place) ? outside->GetSentBytes() : 0);
}

bool
ServerTransport::IsMoving() const
{
    const auto inside = m_network->GetInside(m_place);
    const auto outside = m_network->GetOutside(m_place);
    return inside->IsMoving() || (outside && outside->IsMoving());
}

std::string
ServerTransport::Describe() const
{
    const std::string first = m_network->GetInside(m_place)->Describe();
    const std::string second = m_network->DescribeCard(m_place);
    return (first.empty()
                ? ""
                : "in server " + std::to_string(m_network->GetLayout().GetServer(m_place)) + " " +
                      first) +
           (first.empty() || second.empty() ? "" : ", ") + second;
}

bool
ServerTransport::WaitsForCircuits() const
{
    const auto outside = m_network->GetOutside(m_place);
    return outside && outside->WaitsForCircuits();
}

bool
ServerTransport::UsesCircuits(uint64_t bytes) const
{
    const auto outside = m_network->GetOutside(m_place);
    return outside && outside->UsesCircuits(bytes);
}

Time
ServerTransport::GetSetUpTime() const
{
    const auto inside = m_network->GetInside(m_place);
    const auto outside = m_network->GetOutside(m_place);
    return std::max(inside->GetSetUpTime(), outside ? outside->GetSetUpTime() : Time(0));
}

Time
ServerTransport::GetDarkTime() const
{
    const auto outside = m_network->GetOutside(m_place);
    return outside ? outside->GetDarkTime() : Time(0);
}

std::vector<Time>
ServerTransport::GetDarkChanges() const
{
    const auto outside = m_network->GetOutside(m_place);
    return outside ? outside->GetDarkChanges() : std::vector<Time>();
}

TransportStatistics
ServerTransport::GetStatistics() const
{
    const auto outside = m_network->GetOutside(m_place);
    TransportStatistics statistics = m_network->GetInside(m_place)->GetStatistics();
    if (outside && m_network->OwnsCard(m_place))
    {
        statistics.Add(outside->GetStatistics());
    }
    return statistics;
}

} // namespace lightpath
} // namespace ns3
