/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-demand.h"

#include "circuit-decision.h"

#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"

namespace ns3
{
namespace lightpath
{

void
FabricDemand::SetChannel(Ptr<OpticalChannel> channel)
{
    m_channel = channel;
}

void
FabricDemand::SetPlanned(const TrafficMatrix& demand)
{
    m_planned = demand;
}

void
FabricDemand::SetPhase(const TrafficMatrix& demand)
{
    if (!(m_phase == demand))
    {
        m_phase = demand;
    }
}

bool
FabricDemand::HasPhase() const
{
    return m_phase.GetSize() > 0;
}

const TrafficMatrix&
FabricDemand::GetPlanned() const
{
    return m_planned;
}

const TrafficMatrix&
FabricDemand::GetPhase() const
{
    return m_phase;
}

const TrafficMatrix&
FabricDemand::ReadBacklog(const TrafficMatrix& last)
{
    if (last.GetSize() == m_channel->GetNDevices() && IsBacklog(last))
    {
        return last;
    }
    m_backlog = GetBacklog();
    return m_backlog;
}

TrafficMatrix
FabricDemand::GetBacklog() const
{
    const uint32_t ports = m_channel->GetNDevices();
    TrafficMatrix backlog(ports);
    TrafficMatrix::Row row;
    for (uint32_t source = 0; source < ports; ++source)
    {
        m_channel->GetPort(source)->GetBacklog(row);
        backlog.SetRow(source, row);
    }
    return backlog;
}

bool
FabricDemand::IsBacklog(const TrafficMatrix& demand) const
{
    TrafficMatrix::Row row;
    for (uint32_t port = 0; port < demand.GetSize(); ++port)
    {
        m_channel->GetPort(port)->GetBacklog(row);
        if (row != demand.GetRow(port))
        {
            return false;
        }
    }
    return true;
}

std::string
FabricDemand::Describe(const TrafficMatrix& demand) const
{
    const char* const kind = demand == m_planned ? "the planned demand"
                             : demand == m_phase ? "the demand of the phase"
                                                 : "the backlog";
    return std::string(kind) + ", " + DescribeDemand(demand);
}

} // namespace lightpath
} // namespace ns3
