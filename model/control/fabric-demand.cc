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

const TrafficMatrix&
FabricDemand::ReadUnderway(const TrafficMatrix& last)
{
    if (ledger)
    {
        m_underway = GetBacklog();
        ledger->AddTo(m_underway);
        return m_underway;
    }
    if (last.GetSize() == channel->GetNDevices() && IsBacklog(last))
    {
        return last;
    }
    m_underway = GetBacklog();
    return m_underway;
}

TrafficMatrix
FabricDemand::GetBacklog() const
{
    const uint32_t ports = channel->GetNDevices();
    TrafficMatrix backlog(ports);
    TrafficMatrix::Row row;
    for (uint32_t source = 0; source < ports; ++source)
    {
        channel->GetPort(source)->GetBacklog(row);
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
        channel->GetPort(port)->GetBacklog(row);
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
    const char* const kind = demand == planned ? "the planned demand"
                             : demand == phase ? "the demand of the phase"
                             : ledger          ? "the bytes under way"
                                               : "the backlog";
    return std::string(kind) + ", " + DescribeDemand(demand);
}

} // namespace lightpath
} // namespace ns3
