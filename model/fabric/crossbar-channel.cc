/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "crossbar-channel.h"

#include "model/base/progressive-filling.h"
#include "optical-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CrossbarChannel");

NS_OBJECT_ENSURE_REGISTERED(CrossbarChannel);

TypeId
CrossbarChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CrossbarChannel")
            .SetParent<FabricChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<CrossbarChannel>()
            .AddAttribute("LinkRate",
                          "The rate of each direction of each port to the ports "
                          "of other servers.",
                          DataRateValue(DataRate("2000Gbps")),
                          MakeDataRateAccessor(&CrossbarChannel::m_linkRate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "The time from the last bit sent to the last received "
                          "between ports of different servers.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CrossbarChannel::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ServerSize",
                          "The number of consecutive ports that form a server; 1 for no servers. "
                          "It can be set until devices are attached.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&CrossbarChannel::SetServerSize,
                                               &CrossbarChannel::GetServerSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ServerRate",
                          "The rate of each direction of each port to the other "
                          "ports of its server.",
                          DataRateValue(DataRate("2400Gbps")),
                          MakeDataRateAccessor(&CrossbarChannel::m_serverRate),
                          MakeDataRateChecker())
            .AddAttribute("ServerDelay",
                          "The time from the last bit sent to the last received "
                          "between ports of one server.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CrossbarChannel::m_serverDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
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
    m_sides.resize(PORT_SIDES * (port + 1));
}

void
CrossbarChannel::SetServerSize(uint32_t ports)
{
    NS_LOG_FUNCTION(this << ports);
    NS_ABORT_MSG_IF(GetNDevices() > 0 && ports != m_serverSize,
                    "ServerSize of a switch must be set before devices are attached: "
                        << GetNDevices() << " are already");
    m_serverSize = ports;
}

uint32_t
CrossbarChannel::GetServerSize() const
{
    return m_serverSize;
}

CrossbarChannel::SideIndex
CrossbarChannel::GetSide(uint32_t port, bool inside, bool receive)
{
    return PORT_SIDES * port + (inside ? 2 : 0) + (receive ? 1 : 0);
}

bool
CrossbarChannel::IsInside(SideIndex side)
{
    return (side & 2) != 0;
}

uint64_t
CrossbarChannel::GetSideRate(SideIndex side) const
{
    return (IsInside(side) ? m_serverRate : m_linkRate).GetBitRate();
}

DataRate
CrossbarChannel::GetRate(uint32_t source, uint32_t destination) const
{
    const auto found = m_flows.find({source, destination});
    return DataRate(found == m_flows.end() ? 0 : found->second.bitRate);
}

std::string
CrossbarChannel::GetFabricName() const
{
    return "electrical";
}

void
CrossbarChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    Flow& flow = m_flows[{source, destination}];
    flow.source = source;
    flow.destination = destination;
    // The pair uses the links inside a server or those between servers
    const bool inside = source / m_serverSize == destination / m_serverSize;
    flow.ingress = GetSide(source, inside, false);
    flow.egress = GetSide(destination, inside, true);
    flow.active = true;
    Side& ingress = m_sides[flow.ingress];
    Side& egress = m_sides[flow.egress];
    ingress.flows.push_back(&flow);
    egress.flows.push_back(&flow);
    if (ingress.flows.size() == 1 && egress.flows.size() == 1)
    {
        // Alone on both sides: the flow gets the full rate at once
        Settle(flow, GetSideRate(flow.ingress));
    }
    else
    {
        MarkDirty(flow.ingress);
    }
}

void
CrossbarChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    Flow& flow = m_flows.at({source, destination});
    flow.active = false;
    Settle(flow, 0);
    Remove(flow.ingress, flow);
    Remove(flow.egress, flow);
}

void
CrossbarChannel::Remove(SideIndex index, const Flow& flow)
{
    auto& flows = m_sides[index].flows;
    // The order of flows does not matter: fill the gap with the last one
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
    // One event shares the rates for all changes of this instant
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
        // Each set of connected sides is shared once, whichever of its sides changed
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
    // Breadth-first search: the list of sides found is also the queue
    for (std::size_t next = 0; next < sides.size(); ++next)
    {
        const SideIndex index = sides[next];
        for (Flow* flow : m_sides[index].flows)
        {
            flow->settled = false;
            const SideIndex other = index == flow->ingress ? flow->egress : flow->ingress;
            if (!m_sides[other].gathered)
            {
                m_sides[other].gathered = true;
                sides.push_back(other);
            }
        }
    }
}

/**
 * @ingroup lightpath
 * @brief The sides and flows that are shared together, as ProgressiveFilling sees them.
 */
class CrossbarChannel::Sharing
{
  public:
    /**
     * @param channel the channel
     * @param settled the list that flows are added to with their shares in bit/s
     */
    Sharing(CrossbarChannel& channel, std::vector<std::pair<Flow*, uint64_t>>& settled)
        : m_channel(channel),
          m_settled(settled)
    {
    }

    /**
     * @param index a side
     * @return true if one of its flows is not settled
     */
    bool IsOpen(SideIndex index) const
    {
        return m_channel.m_sides[index].open > 0;
    }

    /**
     * @param index a side with open flows
     * @return the share in bit/s that it can give to each of them now
     */
    uint64_t GetLevel(SideIndex index, uint64_t /* last */) const
    {
        return m_channel.m_sides[index].left / m_channel.m_sides[index].open;
    }

    /**
     * @param index a side, whose open flows are settled
     * @param share their share in bit/s
     */
    void SettleLink(SideIndex index, uint64_t share)
    {
        for (Flow* flow : m_channel.m_sides[index].flows)
        {
            if (flow->settled)
            {
                continue;
            }
            flow->settled = true;
            m_settled.emplace_back(flow, share);
            // The flow takes its share of both of its sides
            for (const SideIndex end : {flow->ingress, flow->egress})
            {
                m_channel.m_sides[end].left -= share;
                --m_channel.m_sides[end].open;
            }
        }
    }

    /**
     * @return true; no flow has a bound of its own
     */
    bool IsSettled(uint32_t /* flow */) const
    {
        return true;
    }

    /// Never called, as no flow has a bound of its own.
    void SettleFlow(uint32_t /* flow */, uint64_t /* share */)
    {
    }

  private:
    CrossbarChannel& m_channel;                         //!< The channel
    std::vector<std::pair<Flow*, uint64_t>>& m_settled; //!< Flows with their shares
};

void
CrossbarChannel::Fill(const std::vector<SideIndex>& sides,
                      std::vector<std::pair<Flow*, uint64_t>>& settled)
{
    ProgressiveFilling<uint64_t> filling;
    for (const SideIndex index : sides)
    {
        Side& side = m_sides[index];
        // The whole rate of a side is shared anew among its flows
        side.left = GetSideRate(index);
        side.open = static_cast<uint32_t>(side.flows.size());
        if (side.open > 0)
        {
            filling.AddLink(index, side.left / side.open);
        }
    }
    Sharing sharing(*this, settled);
    filling.Run(sharing);
}

void
CrossbarChannel::Settle(Flow& flow, uint64_t bitRate)
{
    NS_LOG_LOGIC("port " << flow.source << " has " << bitRate / 1e9 << " Gb/s to port "
                         << flow.destination);
    flow.bitRate = bitRate;
    const Time delay = IsInside(flow.ingress) ? m_serverDelay : m_delay;
    GetPort(flow.source)->SetRate(flow.destination, bitRate, delay);
}

} // namespace lightpath
} // namespace ns3
