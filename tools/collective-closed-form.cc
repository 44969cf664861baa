/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-closed-form.h"

#include "model/collective/circuit-timer.h"
#include "model/training/message-header.h"

#include "ns3/collective-schedule.h"
#include "ns3/crossbar-channel.h"
#include "ns3/ethernet-header.h"
#include "ns3/optical-channel.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param schedule a schedule
 * @return the number of messages that rank 0 sends in the middle step
 */
std::size_t
GetNMessages(const CollectiveSchedule& schedule)
{
    std::vector<Transfer> sends;
    if (schedule.GetNSteps() > 0)
    {
        schedule.GetSends(0, schedule.GetNSteps() / 2, sends);
    }
    return sends.size();
}

/// The messages that rank 0 sends at once.
struct Messages
{
    /**
     * @param schedule a schedule
     */
    explicit Messages(const CollectiveSchedule& schedule)
    {
        const uint32_t local = schedule.GetNLocal();
        for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
        {
            double now[2] = {0, 0};
            std::vector<Transfer> sends;
            schedule.GetSends(0, step, sends);
            for (const Transfer& send : sends)
            {
                ++now[send.peer < local];
                crossesRails = crossesRails || send.peer % local * (send.peer / local) > 0;
            }
            peers[0] = std::max(peers[0], now[0]);
            peers[1] = std::max(peers[1], now[1]);
        }
    }

    double peers[2] = {1, 1};  //!< Most messages to other servers, and [1] inside; at least one
    bool crossesRails = false; //!< Whether it sends to another index of another server
};

/**
 * The time of the messages one by one, over lightpaths that differ in rate.
 *
 * @param schedule the schedule of the operation
 * @param circuits the fabric
 * @param headers the bytes that are sent with each message besides its own
 * @return the time in seconds
 */
double
GetUnevenSeconds(const CollectiveSchedule& schedule,
                 Ptr<const OpticalChannel> circuits,
                 uint32_t headers)
{
    std::map<std::pair<uint32_t, uint32_t>, LinkCost> links;
    for (const auto& [pair, own] : circuits->GetPlan().GetLightpaths())
    {
        LinkCost& link = links[pair];
        link.rate = circuits->GetLaneRate().GetBitRate() / 8.0 * own.size();
        for (const auto& lane : own)
        {
            const Time delay = circuits->GetPathDelay(pair.first, pair.second, lane);
            link.latency = std::max(link.latency, delay.GetSeconds());
        }
    }
    return CircuitTimer::GetSeconds(
        schedule,
        [&links](uint32_t rank, uint32_t peer) {
            return links.at({rank, peer});
        },
        headers);
}

/**
 * The slowest lightpaths of fabrics, inside runs of ranks that a schedule takes for servers and
 * between them.
 */
struct SlowestLightpaths
{
    /**
     * @param fabrics the fabrics, all of one kind
     * @param local the ports of a run
     */
    SlowestLightpaths(const std::vector<Ptr<const OpticalChannel>>& fabrics, uint32_t local)
    {
        for (const auto& circuits : fabrics)
        {
            for (const auto& [pair, own] : circuits->GetPlan().GetLightpaths())
            {
                const bool inside = pair.first / local == pair.second / local;
                const double rate = circuits->GetLaneRate().GetBitRate() / 8.0 * own.size();
                double& least = links[inside].rate;
                isUneven = isUneven || (least > 0 && least != rate);
                least = least > 0 ? std::min(least, rate) : rate;
                for (const auto& lane : own)
                {
                    const Time delay = circuits->GetPathDelay(pair.first, pair.second, lane);
                    links[inside].latency = std::max(links[inside].latency, delay.GetSeconds());
                }
            }
        }
    }

    LinkCost links[2];    //!< The slowest of each kind; [1]: inside
    bool isUneven{false}; //!< Whether lightpaths of one kind differ in rate
};

/**
 * @return the bytes that are sent with each message besides its own
 */
uint32_t
GetHeaderBytes()
{
    return MessageHeader::SIZE + EthernetHeader(false).GetSerializedSize();
}

/**
 * The closed form on fabrics of lightpaths.
 *
 * @param schedule the schedule of the operation
 * @param circuits the fabric, or the fabrics between servers
 * @param layout the servers
 * @param server the links inside a server
 * @param messages the messages that a rank sends at once
 * @return the time in seconds; nothing where there is no closed form
 */
std::optional<double>
GetCircuitSeconds(const CollectiveSchedule& schedule,
                  const std::vector<Ptr<const OpticalChannel>>& circuits,
                  const ServerLayout& layout,
                  const LinkCost& server,
                  const Messages& messages)
{
    const uint32_t headers = GetHeaderBytes();
    const uint32_t local = schedule.GetNLocal();
    const bool hasServers = layout.gpus > 1;
    const auto& peers = messages.peers;
    SlowestLightpaths lightpaths(circuits, hasServers ? 1 : local);
    for (LinkCost& link : lightpaths.links)
    {
        link.latency += headers / link.rate;
    }
    const LinkCost outside = {lightpaths.links[false].latency,
                              lightpaths.links[false].rate * peers[false]};
    if (hasServers)
    {
        // Messages at once take as long as the slowest, and the latency of one message passes
        // while others of a shared card are sent
        return (lightpaths.isUneven && peers[false] > 1) || layout.portGpus > 1
                   ? std::nullopt
                   : std::make_optional(schedule.GetServerSeconds(server, outside));
    }
    if (local == 1)
    {
        return lightpaths.isUneven ? GetUnevenSeconds(schedule, circuits.front(), headers)
                                   : schedule.GetCircuitSeconds(lightpaths.links[false]);
    }
    return schedule.GetServerSeconds(
        {lightpaths.links[true].latency, lightpaths.links[true].rate * peers[true]},
        outside);
}

} // namespace

std::optional<double>
CollectiveClosedForm::GetSeconds(const CollectiveSchedule& schedule,
                                 const std::vector<Ptr<const FabricChannel>>& fabrics,
                                 const FabricLimits& limits)
{
    const uint32_t headers = GetHeaderBytes();
    const uint32_t local = schedule.GetNLocal();
    const ServerLayout& layout = limits.servers.layout;
    const bool hasServers = layout.gpus > 1;
    if (hasServers &&
        (local != std::min(layout.gpus, schedule.GetNRanks()) || limits.servers.pairBitRate > 0))
    {
        return std::nullopt;
    }
    const Messages messages(schedule);
    if (layout.hasRails && messages.crossesRails)
    {
        return std::nullopt;
    }
    const auto& peers = messages.peers;
    std::vector<Ptr<const OpticalChannel>> circuits;
    for (const auto& fabric : fabrics)
    {
        if (const auto channel = DynamicCast<const OpticalChannel>(fabric))
        {
            circuits.push_back(channel);
        }
    }
    const double serverRate = limits.servers.bitRate / 8;
    const LinkCost server = {limits.servers.latency + peers[true] * headers / serverRate,
                             serverRate};
    if (hasServers && local == schedule.GetNRanks())
    {
        return schedule.GetServerSeconds(server, server);
    }
    if (!circuits.empty())
    {
        return GetCircuitSeconds(schedule, circuits, layout, server, messages);
    }
    const bool isSwitch = std::all_of(fabrics.begin(), fabrics.end(), [](const auto& fabric) {
        return DynamicCast<const CrossbarChannel>(fabric) != nullptr;
    });
    const bool isHidden = layout.portGpus > 1 && limits.latency > 0;
    if (limits.averagedBits == 0 && (!isSwitch || fabrics.empty() || isHidden))
    {
        return std::nullopt;
    }
    const double rate = limits.bitRate / 8 / layout.portGpus;
    if (!hasServers)
    {
        return schedule.GetSeconds(limits.latency + GetNMessages(schedule) * headers / rate, rate);
    }
    return schedule.GetServerSeconds(server,
                                     {limits.latency + peers[false] * headers / rate, rate});
}
