/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-description.h"

#include "model/control/rotor/rotor-carrier.h"
#include "model/control/rotor/slice-routes.h"
#include "model/training/transport/rotor-transport.h"

#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

FabricLimits
RotorDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const RotorClock clock = m_fabric.GetClock(nNodes);
    const auto& schedule = clock.schedule;
    const double cycle = TimeStep(clock.GetCycle()).GetSeconds();
    const double all = static_cast<double>(clock.bitRate) * schedule->GetNUplinks() *
                       static_cast<double>(clock.GetLight()) / static_cast<double>(clock.slot);
    FabricLimits limits;
    limits.isShared = true;
    limits.links.isMesh = true;
    // Short messages take turns
    limits.links.isInOrder = m_fabric.GetDiscipline() != "expander";
    limits.bitRate = all;
    limits.latency = cycle / 2;
    if (m_fabric.GetDiscipline() == "valiant")
    {
        // Each byte takes two slots, of which one of n leads from a port to itself. It waits for an
        // epoch to be granted, and for both slots
        limits.bitRate = std::min(all / 2 * (nNodes - 1) / nNodes,
                                  static_cast<double>(m_fabric.GetBandwidth().GetBitRate()));
        limits.latency = 2.5 * cycle;
    }
    else if (m_fabric.GetDiscipline() == "expander")
    {
        const double hops = GetMeanHops(*schedule);
        limits.bitRate = all * (schedule->GetNUplinks() - 1) / schedule->GetNUplinks() / hops;
        limits.latency = 0;
    }
    else if (m_fabric.GetDiscipline() == "direct")
    {
        SetPairs(schedule, all / nNodes, limits);
    }
    limits.latency += m_fabric.GetSetting<TimeValue>("MessageDelay").GetSeconds();
    SetCarrier(clock, limits);
    return limits;
}

void
RotorDescription::SetPairs(std::shared_ptr<const PeriodicSchedule> schedule,
                           double rate,
                           FabricLimits& limits)
{
    const uint32_t n = schedule->GetNPorts();
    limits.links.bitRates.assign(std::size_t{n} * n, rate);
    const auto ways = std::make_shared<std::map<uint64_t, LinkLimits::Way>>();
    limits.links.getWay =
        [n, ways, delay = limits.latency](uint32_t source,
                                          uint32_t destination) -> const LinkLimits::Way& {
        const uint32_t link = source * n + destination;
        return ways->emplace(link, LinkLimits::Way{{{link, 1.0}}, delay}).first->second;
    };
}

void
RotorDescription::SetCarrier(const RotorClock& clock, FabricLimits& limits) const
{
    UintegerValue frame;
    CreateObject<RotorTransport>()->GetAttribute("ShortFrameSize", frame);
    const RotorCarrier::Fabric fabric{
        clock,
        m_fabric.MakeDiscipline(),
        (m_fabric.GetSetting<TimeValue>("Delay") +
         GetFibreDelay(2 * m_fabric.GetSetting<DoubleValue>("FibreLength")))
            .GetTimeStep(),
        m_fabric.GetSetting<TimeValue>("MessageDelay").GetTimeStep(),
        frame.Get()};
    fabric.discipline->AssignStreams(0);
    limits.links.carry = [fabric](Agenda& agenda, MessageCarrier::Arrival arrival) {
        return std::make_unique<RotorCarrier>(agenda, fabric, std::move(arrival));
    };
}

double
RotorDescription::GetMeanHops(const PeriodicSchedule& schedule)
{
    const uint32_t n = schedule.GetNPorts();
    std::vector<std::pair<uint32_t, uint32_t>> circuits;
    for (uint32_t port = 0; port < n; ++port)
    {
        // Those of the first slice, without the uplink that turns next
        for (uint32_t uplink = 0; uplink < schedule.GetNUplinks(); ++uplink)
        {
            const uint32_t slot = uplink == 0 ? 0 : schedule.GetNSlots() - 1;
            const uint32_t peer = schedule.GetPeer(slot, port, uplink);
            if (uplink != 1 && peer != port)
            {
                circuits.emplace_back(port, peer);
            }
        }
    }
    SliceRoutes routes;
    routes.Begin(n, circuits);
    double hops = 0;
    for (uint32_t source = 0; source < n; ++source)
    {
        for (uint32_t destination = 0; destination < n; ++destination)
        {
            for (uint32_t port = source; port != destination; ++hops)
            {
                port = routes.GetNext(port, destination);
            }
        }
    }
    return hops / n / (n - 1);
}

BillOfMaterials
RotorDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    if (m_fabric.GetKind() == RotorHelper::SIRIUS)
    {
        throw std::domain_error("no prices of lasers that tune within nanoseconds, and of "
                                "their gratings, are known");
    }
    const uint32_t uplinks = m_fabric.GetSchedule(nNodes)->GetNUplinks();
    BillOfMaterials bill;
    bill.AddCards(
        static_cast<double>(nNodes) * uplinks,
        static_cast<double>(m_fabric.GetUplinkRate(*m_fabric.GetSchedule(nNodes)).GetBitRate()));
    bill.Add("circuit-switch-port", static_cast<double>(nNodes) * uplinks);
    return bill;
}

} // namespace lightpath
} // namespace ns3
