/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "utilisation-meter.h"

#include "model/device/ethernet-fields.h"

#include "ns3/channel-list.h"
#include "ns3/crossbar-channel.h"
#include "ns3/data-rate.h"
#include "ns3/lightpath-borrower.h"
#include "ns3/names.h"
#include "ns3/node.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param node a node
 * @return its name in reports
 */
std::string
NameNode(Ptr<Node> node)
{
    const std::string name = Names::FindName(node);
    return name.empty() ? "node-" + std::to_string(node->GetId()) : name;
}

} // namespace

UtilisationMeter::UtilisationMeter()
    : m_bins(N_BINS)
{
}

void
UtilisationMeter::InstallAll()
{
    for (uint32_t i = 0; i < ChannelList::GetNChannels(); ++i)
    {
        const auto channel = ChannelList::GetChannel(i);
        if (const auto fabric = DynamicCast<FabricChannel>(channel))
        {
            Install(fabric);
            continue;
        }
        for (std::size_t end = 0; end < channel->GetNDevices(); ++end)
        {
            if (DynamicCast<PointToPointNetDevice>(channel->GetDevice(end)))
            {
                InstallLink(channel->GetDevice(end));
            }
        }
    }
}

void
UtilisationMeter::Install(Ptr<FabricChannel> channel)
{
    const uint32_t network = m_networks.size();
    m_networks.emplace_back();
    m_networks.back().name = channel->GetFabricName();
    m_networks.back().channel = channel;
    m_networks.back().graph = DynamicCast<LinkGraphChannel>(channel);
    m_networks.back().firstPort = m_tracks.size();
    DataRateValue rate;
    if (DynamicCast<CrossbarChannel>(channel))
    {
        channel->GetAttribute("LinkRate", rate);
    }
    const double bitRate = static_cast<double>(rate.Get().GetBitRate());
    const uint32_t ports = channel->GetNDevices();
    for (const auto kind : {PORT_OUT, PORT_IN})
    {
        for (uint32_t port = 0; port < ports; ++port)
        {
            const auto name = "port " + std::to_string(port);
            AddTrack({kind, network, name, bitRate, 0, 0, port, port});
        }
    }
    m_networks.back().firstLink = m_tracks.size();
    AddLinks(network);
    for (uint32_t port = 0; port < ports; ++port)
    {
        m_listeners.push_back({this, network, port, {}});
        const auto device = channel->GetPort(port);
        const LateSinks late;
        device->TraceConnectWithoutContext(
            "ComputedFrame",
            MakeCallback(&Listener::AddComputed, &m_listeners.back()));
        device->TraceConnectWithoutContext("PhyTxBegin",
                                           MakeCallback(&Listener::Begin, &m_listeners.back()));
        device->TraceConnectWithoutContext("PhyTxEnd",
                                           MakeCallback(&Listener::End, &m_listeners.back()));
    }
    if (const auto optical = DynamicCast<OpticalChannel>(channel))
    {
        m_networks.back().hasCircuits = true;
        m_watchers.push_back({this, network});
        m_watchers.back().Light(optical->GetLive());
        optical->TraceConnectWithoutContext("Light",
                                            MakeCallback(&Watcher::Light, &m_watchers.back()));
    }
}

void
UtilisationMeter::AddLinks(uint32_t network)
{
    const auto& channel = m_networks[network].graph;
    if (!channel)
    {
        return;
    }
    const auto& graph = channel->GetGraph();
    const uint32_t ports = channel->GetNDevices();
    const uint32_t first = m_networks[network].firstPort;
    for (const auto& link : graph.GetLinks())
    {
        const double bitRate = static_cast<double>(link.rate.GetBitRate());
        AddTrack({LINK,
                  network,
                  graph.GetName(link.from) + " to " + graph.GetName(link.to),
                  bitRate,
                  0,
                  0,
                  link.from,
                  link.to});
        if (link.from < ports)
        {
            m_tracks[first + link.from].bitRate += bitRate;
        }
        if (link.to < ports)
        {
            m_tracks[first + ports + link.to].bitRate += bitRate;
        }
    }
}

void
UtilisationMeter::InstallLink(Ptr<NetDevice> device)
{
    if (m_linkNetwork == UINT32_MAX)
    {
        m_linkNetwork = m_networks.size();
        m_networks.emplace_back();
        m_networks.back().name = "links";
    }
    DataRateValue rate;
    device->GetAttribute("DataRate", rate);
    const auto channel = device->GetChannel();
    const auto other = channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
    const uint32_t track =
        AddTrack({LINK,
                  m_linkNetwork,
                  NameNode(device->GetNode()) + " to " + NameNode(other->GetNode()),
                  static_cast<double>(rate.Get().GetBitRate()),
                  0,
                  0,
                  device->GetNode()->GetId(),
                  other->GetNode()->GetId()});
    m_listeners.push_back({this, m_linkNetwork, track, {}});
    device->TraceConnectWithoutContext("PhyTxBegin",
                                       MakeCallback(&Listener::Begin, &m_listeners.back()));
    device->TraceConnectWithoutContext("PhyTxEnd",
                                       MakeCallback(&Listener::End, &m_listeners.back()));
}

const std::deque<UtilisationMeter::Network>&
UtilisationMeter::GetNetworks() const
{
    return m_networks;
}

const std::vector<UtilisationMeter::Track>&
UtilisationMeter::GetTracks() const
{
    LightpathBorrower::ReportAll();
    return m_tracks;
}

const TimeBins&
UtilisationMeter::GetBins() const
{
    LightpathBorrower::ReportAll();
    return m_bins;
}

uint32_t
UtilisationMeter::AddTrack(Track track)
{
    track.row = m_bins.AddRow();
    m_tracks.push_back(std::move(track));
    return m_tracks.size() - 1;
}

UtilisationMeter::Track*
UtilisationMeter::GetLightpath(uint32_t network, uint32_t source, uint32_t destination)
{
    auto& lightpaths = m_networks[network].lightpaths;
    const auto [found, isNew] = lightpaths.emplace(GetKey(source, destination), UINT32_MAX);
    if (isNew)
    {
        if (lightpaths.size() > MAX_LIGHTPATHS)
        {
            ++m_networks[network].nUntracked;
        }
        else
        {
            const auto name = std::to_string(source) + " to " + std::to_string(destination);
            found->second = AddTrack({LIGHTPATH, network, name, 0, 0, 0, source, destination});
        }
    }
    return found->second == UINT32_MAX ? nullptr : &m_tracks[found->second];
}

void
UtilisationMeter::Count(uint32_t network,
                        uint32_t source,
                        uint32_t destination,
                        Time begin,
                        Time end,
                        uint64_t bytes)
{
    auto& fabric = m_networks[network];
    const uint32_t ports = fabric.channel->GetNDevices();
    Add(m_tracks[fabric.firstPort + source], begin, end, bytes);
    if (destination >= ports)
    {
        return;
    }
    // Light leads to the next hop, which forwards what is for others
    const uint32_t hop = fabric.channel->GetNextHop(source, destination);
    fabric.bytes[GetKey(source, hop)] += bytes;
    Add(m_tracks[fabric.firstPort + ports + hop], begin, end, bytes);
    if (fabric.hasCircuits)
    {
        if (Track* const lightpath = GetLightpath(network, source, hop))
        {
            Add(*lightpath, begin, end, bytes);
        }
    }
    else if (fabric.graph)
    {
        for (const auto& use : fabric.graph->GetUses(source, destination))
        {
            Add(m_tracks[fabric.firstLink + use.link],
                begin,
                end,
                bytes * use.part / LinkSharing::WHOLE);
        }
    }
}

void
UtilisationMeter::Add(Track& track, Time begin, Time end, uint64_t bytes)
{
    track.bytes += bytes;
    m_bins.Add(track.row, begin, end, bytes);
}

uint32_t
UtilisationMeter::Listener::GetDestination(const Packet& packet) const
{
    const auto& channel = meter->m_networks[network].channel;
    return channel ? channel->FindPort(EthernetFields(packet).destination) : 0;
}

void
UtilisationMeter::Listener::Begin(Ptr<const Packet> packet)
{
    begins[GetDestination(*packet)] = Simulator::Now();
}

void
UtilisationMeter::Listener::End(Ptr<const Packet> packet)
{
    const uint32_t destination = GetDestination(*packet);
    const auto found = begins.find(destination);
    // A frame that began before the meter listened counts at its end
    const Time begin = found == begins.end() ? Simulator::Now() : found->second;
    if (meter->m_networks[network].channel)
    {
        meter->Count(network, port, destination, begin, Simulator::Now(), packet->GetSize());
    }
    else
    {
        meter->Add(meter->m_tracks[port], begin, Simulator::Now(), packet->GetSize());
    }
}

void
UtilisationMeter::Listener::AddComputed(uint32_t destination, uint64_t bytes, Time from, Time end)
{
    begins[destination] = from;
    if (end != Time::Max())
    {
        meter->Count(network, port, destination, from, end, bytes);
    }
}

void
UtilisationMeter::Watcher::Light(const CircuitPlan& plan)
{
    const auto channel = DynamicCast<OpticalChannel>(meter->m_networks[network].channel);
    const double laneRate = static_cast<double>(channel->GetLaneRate().GetBitRate());
    const uint32_t ports = channel->GetNDevices();
    const uint32_t first = meter->m_networks[network].firstPort;
    std::vector<double> rates(2 * ports);
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        const double bitRate = laneRate * static_cast<double>(lanes.size());
        rates[pair.first] += bitRate;
        rates[ports + pair.second] += bitRate;
        if (Track* const lightpath = meter->GetLightpath(network, pair.first, pair.second))
        {
            lightpath->bitRate = std::max(lightpath->bitRate, bitRate);
        }
    }
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        auto& track = meter->m_tracks[first + i];
        track.bitRate = std::max(track.bitRate, rates[i]);
    }
}

} // namespace lightpath
} // namespace ns3
