/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "crossbar-channel.h"

#include "optical-net-device.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CrossbarChannel");

NS_OBJECT_ENSURE_REGISTERED(CrossbarChannel);

TypeId
CrossbarChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::CrossbarChannel")
                            .SetParent<FabricChannel>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<CrossbarChannel>()
                            .AddAttribute("LinkRate",
                                          "The rate of each direction of each port.",
                                          DataRateValue(DataRate("2000Gbps")),
                                          MakeDataRateAccessor(&CrossbarChannel::m_linkRate),
                                          MakeDataRateChecker())
                            .AddAttribute("Delay",
                                          "The time from the last bit sent to the last received.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&CrossbarChannel::m_delay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

CrossbarChannel::CrossbarChannel()
{
    NS_LOG_FUNCTION(this);
}

CrossbarChannel::~CrossbarChannel()
{
    NS_LOG_FUNCTION(this);
}

void
CrossbarChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_share.Cancel();
    FabricChannel::DoDispose();
}

void
CrossbarChannel::DoAdd(uint32_t port)
{
    m_sides.resize(2 * (port + 1));
}

DataRate
CrossbarChannel::GetRate(uint32_t source, uint32_t destination) const
{
    const auto found = m_flows.find({source, destination});
    return DataRate(found == m_flows.end() ? 0 : found->second.bitRate);
}

void
CrossbarChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    Flow& flow = m_flows[{source, destination}];
    flow.source = source;
    flow.destination = destination;
    flow.active = true;
    Side& ingress = m_sides[2 * source];
    Side& egress = m_sides[2 * destination + 1];
    ingress.flows.push_back(&flow);
    egress.flows.push_back(&flow);
    if (ingress.flows.size() == 1 && egress.flows.size() == 1)
    {
        Settle(flow, m_linkRate.GetBitRate());
    }
    else
    {
        MarkDirty(2 * source);
    }
}

void
CrossbarChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    Flow& flow = m_flows.at({source, destination});
    flow.active = false;
    Settle(flow, 0);
    Remove(2 * source, flow);
    Remove(2 * destination + 1, flow);
}

void
CrossbarChannel::Remove(SideIndex index, const Flow& flow)
{
    auto& flows = m_sides[index].flows;
    *std::find(flows.begin(), flows.end(), &flow) = flows.back();
    flows.pop_back();
    if (!flows.empty())
    {
        MarkDirty(index);
    }
}

void
CrossbarChannel::MarkDirty(SideIndex index)
{
    m_dirty.push_back(index);
    if (m_share.IsExpired())
    {
        m_share = Simulator::ScheduleNow(&CrossbarChannel::Share, this);
    }
}

void
CrossbarChannel::Share()
{
    NS_LOG_FUNCTION(this << m_dirty.size());
    std::vector<SideIndex> dirty;
    dirty.swap(m_dirty);
    std::vector<SideIndex> gathered;
    std::vector<SideIndex> sides;
    std::vector<std::pair<Flow*, uint64_t>> settled;
    for (const SideIndex start : dirty)
    {
        if (!m_sides[start].gathered)
        {
            GetConnected(start, sides);
            Fill(sides, settled);
            gathered.insert(gathered.end(), sides.begin(), sides.end());
        }
    }
    for (const SideIndex index : gathered)
    {
        m_sides[index].gathered = false;
    }
    // Only now, as a sink of a device's traces may change the flows
    for (const auto& entry : settled)
    {
        if (entry.first->active)
        {
            Settle(*entry.first, entry.second);
        }
    }
}

void
CrossbarChannel::GetConnected(SideIndex start, std::vector<SideIndex>& sides)
{
    sides.assign(1, start);
    m_sides[start].gathered = true;
    for (std::size_t next = 0; next < sides.size(); ++next)
    {
        const SideIndex index = sides[next];
        for (Flow* flow : m_sides[index].flows)
        {
            flow->settled = false;
            const SideIndex other =
                index == 2 * flow->source ? 2 * flow->destination + 1 : 2 * flow->source;
            if (!m_sides[other].gathered)
            {
                m_sides[other].gathered = true;
                sides.push_back(other);
            }
        }
    }
}

void
CrossbarChannel::Fill(const std::vector<SideIndex>& sides,
                      std::vector<std::pair<Flow*, uint64_t>>& settled)
{
    // The sides with open flows by the share that each could give to all of these
    std::set<std::pair<uint64_t, SideIndex>> shares;
    for (const SideIndex index : sides)
    {
        Side& side = m_sides[index];
        side.left = m_linkRate.GetBitRate();
        side.open = side.flows.size();
        if (side.open > 0)
        {
            shares.emplace(side.left / side.open, index);
        }
    }
    while (!shares.empty())
    {
        const auto tightest = *shares.begin();
        for (Flow* flow : m_sides[tightest.second].flows)
        {
            if (flow->settled)
            {
                continue;
            }
            flow->settled = true;
            settled.emplace_back(flow, tightest.first);
            for (const SideIndex index : {2 * flow->source, 2 * flow->destination + 1})
            {
                Side& side = m_sides[index];
                shares.erase({side.left / side.open, index});
                side.left -= tightest.first;
                --side.open;
                if (side.open > 0)
                {
                    shares.emplace(side.left / side.open, index);
                }
            }
        }
    }
}

void
CrossbarChannel::Settle(Flow& flow, uint64_t bitRate)
{
    flow.bitRate = bitRate;
    GetPort(flow.source)->SetRate(flow.destination, bitRate, m_delay);
}

} // namespace lightpath
} // namespace ns3
