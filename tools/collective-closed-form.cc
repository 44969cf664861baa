/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-closed-form.h"

#include "model/collective/circuit-timer.h"
#include "model/training/transport/message-header.h"

#include "ns3/collective-schedule.h"
#include "ns3/crossbar-channel.h"
#include "ns3/ethernet-header.h"
#include "ns3/optical-channel.h"
#include "ns3/planning-problem.h"

#include <algorithm>
#include <map>
#include <tuple>
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
 * @param circuits a fabric
 * @param pair the ports of a lightpath of it
 * @param lanes the lanes of this lightpath
 * @return what a message takes besides its bytes, seconds
 */
double
GetLatency(const OpticalChannel& circuits, const PortPair& pair, const std::vector<Lane>& lanes)
{
    TimeValue beyond;
    circuits.GetAttribute("Delay", beyond);
    Time longest;
    for (const Lane& lane : lanes)
    {
        longest = std::max(longest, circuits.GetPathDelay(pair.first, pair.second, lane));
    }
    return (beyond.Get() + longest).GetSeconds();
}

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
        link.latency = GetLatency(*circuits, pair, own);
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
                links[inside].latency =
                    std::max(links[inside].latency, GetLatency(*circuits, pair, own));
            }
        }
    }

    LinkCost links[2];    //!< The slowest of each kind; [1]: inside
    bool isUneven{false}; //!< Whether lightpaths of one kind differ in rate
};

/// Messages that a port, or a GPU inside its server, sends or receives in a step.
struct StepLoad
{
    double bytes{0};       //!< Their bytes
    uint32_t nMessages{0}; //!< Their number
};

/// Bytes of a rank below which the last bytes of chunks count.
constexpr uint64_t TINY = 1000;

/// Most messages whose times are added up one by one.
constexpr uint64_t MOST_MESSAGES = 1 << 19;

/**
 * The time of an operation whose steps begin together on switches, from the messages of each step.
 *
 * @param schedule the schedule of the operation
 * @param layout the servers; the fabric between them has a port for each card
 * @param inside the links inside a server
 * @param outside those of a port of the fabric
 * @param headers the bytes that are sent with each message besides its own
 * @return the time in seconds; nothing if messages are too many, or latencies are hidden
 */
std::optional<double>
GetStepSeconds(const CollectiveSchedule& schedule,
               const ServerLayout& layout,
               const LinkCost& inside,
               const LinkCost& outside,
               uint32_t headers)
{
    const uint32_t n = schedule.GetNRanks();
    if (uint64_t{n} * schedule.GetNSteps() * schedule.GetNPeers() > MOST_MESSAGES)
    {
        return std::nullopt;
    }
    double seconds = 0;
    std::vector<Transfer> sends;
    for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
    {
        // By direction, kind of link, and GPU or port of a rail
        std::map<std::tuple<bool, bool, uint32_t, uint32_t>, StepLoad> loads;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            schedule.GetSends(rank, step, sends);
            for (const Transfer& send : sends)
            {
                const bool isInside =
                    send.peer == rank ? send.isInside : layout.AreInside(rank, send.peer);
                for (const bool isSent : {true, false})
                {
                    const uint32_t end = isSent ? rank : send.peer;
                    StepLoad& load =
                        isInside ? loads[{isSent, true, end, 0}]
                                 : loads[{isSent, false, layout.GetPort(end), layout.GetRail(end)}];
                    load.bytes += static_cast<double>(send.bytes) + headers;
                    ++load.nMessages;
                }
            }
        }
        double longest = 0;
        for (const auto& [key, load] : loads)
        {
            const LinkCost& link = std::get<1>(key) ? inside : outside;
            // The latency of one message passes while others of a shared card are sent
            if (!std::get<1>(key) && layout.portGpus > 1 && load.nMessages > 1 && link.latency > 0)
            {
                return std::nullopt;
            }
            longest = std::max(longest, link.latency + load.bytes / link.rate);
        }
        seconds += longest;
    }
    return seconds;
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
    const uint32_t headers = CollectiveClosedForm::GetHeaderBytes();
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

uint32_t
CollectiveClosedForm::GetHeaderBytes()
{
    return MessageHeader::SIZE + EthernetHeader(false).GetSerializedSize();
}

std::optional<double>
CollectiveClosedForm::GetSeconds(const CollectiveSchedule& schedule,
                                 const std::vector<Ptr<const FabricChannel>>& fabrics,
                                 const FabricLimits& limits)
{
    const uint32_t headers = CollectiveClosedForm::GetHeaderBytes();
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
    if (limits.averagedBits == 0 && (!isSwitch || fabrics.empty()))
    {
        return std::nullopt;
    }
    const bool isTiny = schedule.GetBytes() < TINY * schedule.GetNRanks();
    if (limits.averagedBits == 0 && (hasServers || isTiny))
    {
        const LinkCost outside{limits.latency, limits.bitRate / 8};
        const auto seconds = GetStepSeconds(schedule,
                                            layout,
                                            {limits.servers.latency, serverRate},
                                            outside,
                                            headers);
        if (seconds || layout.portGpus > 1)
        {
            return seconds;
        }
    }
    const double rate = limits.bitRate / 8 / layout.portGpus;
    if (!hasServers)
    {
        return schedule.GetSeconds(limits.latency + GetNMessages(schedule) * headers / rate, rate);
    }
    return schedule.GetServerSeconds(server,
                                     {limits.latency + peers[false] * headers / rate, rate});
}
