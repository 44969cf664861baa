/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-options.h"

#include "mixnet-options.h"
#include "model/training/transport/message-header.h"
#include "model/training/transport/relay-header.h"
#include "model/training/transport/transport-kind.h"
#include "option-values.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/datacenter-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/hybrid-helper.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/link-graph-helper.h"
#include "ns3/mixnet-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/rdma-helper.h"
#include "ns3/rotor-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/socket-transport.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

void
TransportOptions::AddTo(ProgramOptions& options)
{
    const std::string subject = "Fabric: electrical networks";
    std::vector<std::string> networks{"fat-tree", "leaf-spine", "cluster"};
    const std::vector<std::string> packets = networks;
    networks.insert(networks.end(), FLOW_NETWORKS.begin(), FLOW_NETWORKS.end());
    options.BeginGroup(subject, networks);
    options.AddValue("oversubscription",
                     "Links to GPUs for each link up, at the switches next to GPUs",
                     m_oversubscription,
                     1,
                     1024);
    options.AddValue("leafGpus",
                     "GPUs of a leaf switch, or of a router of a dragonfly; 0: the default",
                     m_leafNodes,
                     0,
                     1000000);
    options.AddValue("linkDelay",
                     "Propagation delay of a link between switches; default: 500ns, or 1us on a "
                     "torus",
                     "",
                     [this](const std::string& text) { m_linkDelay = ParseTime(text); });
    options.AddValue("hashSeed",
                     "Seed of the hashes that choose the routes of GPUs",
                     m_seed,
                     0,
                     UINT32_MAX);
    m_graph.AddTo(options);
    options.BeginGroup(subject, packets);
    options.AddValue("queue",
                     "Longest queue at a port of a switch, bytes",
                     m_queue,
                     10000,
                     4000000000);
    options.AddValue("cutThrough",
                     "Bytes of a packet after which a switch forwards it; 0: all",
                     m_cutBytes,
                     0,
                     65535);
    options.BeginGroup("Fabric: electrical networks", {"dctcp"});
    options.AddValue("marking",
                     "Queue at a port above which packets are marked for dctcp, bytes; 0: by rate",
                     m_marking,
                     0,
                     4000000000);
    options.BeginGroup("Transport");
    std::string names;
    std::vector<std::string> sockets;
    for (const TransportKind& kind : TransportKind::GetAll())
    {
        names += (names.empty() ? "" : ", ") + kind.name +
                 (kind.description.empty() ? "" : " (" + kind.description + ")");
        if (kind.UsesSockets())
        {
            sockets.push_back(kind.name);
        }
    }
    options.AddValue(
        "transport",
        "What carries messages: " + names +
            "; default: circuit, rotor on rotornet, tcp on fat-tree, leaf-spine, cluster",
        m_transport);
    options.BeginGroup("Transport", sockets);
    options.AddValue("window",
                     "Largest window of a connection, bytes; 0: enough for its rate",
                     m_window,
                     0,
                     1 << 30);
    options.AddValue("connections",
                     "TCP connections from one GPU to another",
                     m_connections,
                     1,
                     1024);
}

std::vector<std::string>
TransportOptions::GetFabrics(const std::vector<std::string>& names)
{
    std::vector<std::string> fabrics;
    for (const auto& name : names)
    {
        const std::string all = name.substr(0, name.find(':'));
        const std::size_t plus = all.find('+');
        fabrics.push_back(all.substr(0, plus));
        if (plus != std::string::npos)
        {
            fabrics.push_back(all.substr(plus + 1));
        }
    }
    return fabrics;
}

TransportOptions
TransportOptions::GetFor(const std::string& name) const
{
    TransportOptions options = *this;
    const std::size_t colon = name.find(':');
    if (colon != std::string::npos)
    {
        options.m_transport = name.substr(colon + 1);
    }
    return options;
}

std::unique_ptr<InterconnectHelper>
TransportOptions::MakeFabric(const std::string& name) const
{
    const std::string parts = name.substr(0, name.find(':'));
    Require(InterconnectHelper::CheckName(parts));
    const std::string transport = GetFor(name).m_transport;
    const TransportKind* const kind = TransportKind::Find(transport);
    if (!kind || kind->need != TransportKind::Need::CARDS)
    {
        return InterconnectHelper::Create(parts);
    }
    const std::string network = GetFabrics({name}).back();
    auto cards = std::make_unique<RdmaHelper>(
        RdmaHelper::MakeGraph(network == MixNetOptions::NAME ? "leaf-spine" : network));
    cards->SetCongestion(transport);
    if (network == MixNetOptions::NAME)
    {
        return std::make_unique<MixNetHelper>(std::move(cards));
    }
    if (network == parts)
    {
        return cards;
    }
    return std::make_unique<HybridHelper>(FabricHelper::Create(GetFabrics({name}).front()),
                                          std::move(cards));
}

void
TransportOptions::CheckTransport(const std::string& name) const
{
    if (m_transport == "udp")
    {
        throw std::invalid_argument("--transport=udp has gone, as no cluster trains over it: give "
                                    "tcp, or dcqcn, hpcc, nscc or pfc for RDMA over Ethernet");
    }
    const TransportKind* const kind = TransportKind::Find(m_transport);
    if (!kind)
    {
        std::vector<std::pair<std::string, std::string>> names;
        for (const TransportKind& each : TransportKind::GetAll())
        {
            names.emplace_back(each.name, "");
        }
        if (!m_transport.empty())
        {
            ParseWord("transport", m_transport, names);
        }
        return;
    }
    Require(InterconnectHelper::CheckName(name));
    if (kind->need == TransportKind::Need::CARDS)
    {
        if (name != MixNetOptions::NAME && !RdmaHelper::MakeGraph(name))
        {
            throw std::invalid_argument("The transport " + m_transport +
                                        " needs switches with a link to each GPU, which " + name +
                                        " does not have: give leaf-spine, fat-tree, "
                                        "rail-optimised, rail-only, dragonfly or link-graph");
        }
        return;
    }
    const auto fabric = InterconnectHelper::Create(name);
    const bool hasChannel = dynamic_cast<const FabricHelper*>(fabric.get()) != nullptr;
    if (!hasChannel && kind->need == TransportKind::Need::CHANNEL)
    {
        throw std::invalid_argument("The transport " + m_transport +
                                    " is for a fabric that frames cross in one hop, and not for " +
                                    name + ": give tcp or dctcp");
    }
    if (kind->need == TransportKind::Need::CIRCUITS &&
        !dynamic_cast<const CircuitFabricHelper*>(fabric.get()))
    {
        throw std::invalid_argument("The transport " + m_transport +
                                    " goes over the circuits of sip-ring or sip-ocs, and " + name +
                                    " has none: give " + (hasChannel ? "circuit" : "tcp"));
    }
    if (kind->need == TransportKind::Need::ROTORS &&
        !dynamic_cast<const RotorHelper*>(fabric.get()))
    {
        throw std::invalid_argument("The transport " + m_transport +
                                    " is for fabrics with a periodic schedule, and not for " +
                                    name + ": give " + (hasChannel ? "circuit" : "tcp"));
    }
    if (hasChannel && kind->need == TransportKind::Need::MARKING)
    {
        throw std::invalid_argument("The transport " + m_transport +
                                    " needs switches that mark packets, which " + name +
                                    " does not have: give tcp");
    }
}

void
TransportOptions::Check(const std::vector<std::string>& names) const
{
    if (!m_transport.empty() && !TransportKind::Find(m_transport))
    {
        // Also where all fabrics name their own
        CheckTransport(names.front());
    }
    for (const auto& name : names)
    {
        // The transport of a hybrid fabric is that of its electrical side
        GetFor(name).CheckTransport(GetFabrics({name}).back());
    }
}

std::set<std::string>
TransportOptions::GetOwners(const std::vector<std::string>& names) const
{
    std::set<std::string> owners;
    for (const auto& name : names)
    {
        const auto fabrics = GetFabrics({name});
        Require(InterconnectHelper::CheckName(fabrics.back()));
        owners.insert(fabrics.begin(), fabrics.end());
        owners.insert(GetFor(name).GetTransport(*InterconnectHelper::Create(fabrics.back())));
        if (fabrics.size() > 1)
        {
            owners.insert("a hybrid fabric like sip-ring+fat-tree");
        }
    }
    return owners;
}

std::string
TransportOptions::GetTransport(const InterconnectHelper& fabric) const
{
    if (!m_transport.empty())
    {
        return m_transport;
    }
    const auto* const hybrid = dynamic_cast<const HybridHelper*>(&fabric);
    const InterconnectHelper& network = hybrid ? hybrid->GetElectrical() : fabric;
    if (dynamic_cast<const RotorHelper*>(&network) != nullptr)
    {
        return "rotor";
    }
    return dynamic_cast<const FabricHelper*>(&network) != nullptr ? "circuit" : "tcp";
}

bool
TransportOptions::UsesSockets(const InterconnectHelper& fabric) const
{
    return TransportKind::Find(GetTransport(fabric))->UsesSockets();
}

bool
TransportOptions::UsesRelays() const
{
    const TransportKind* const kind = TransportKind::Find(m_transport);
    return kind && kind->need == TransportKind::Need::CIRCUITS;
}

void
TransportOptions::Configure(InterconnectHelper& fabric, uint64_t frameSize) const
{
    constexpr uint64_t mostMtu = 65535;
    if (UsesSockets(fabric) && frameSize > mostMtu)
    {
        throw std::invalid_argument("--frameSize=" + std::to_string(frameSize) +
                                    " is too long for a packet over sockets: 65535 is the most");
    }
    constexpr uint64_t headers = RelayHeader::SIZE + MessageHeader::SIZE;
    if (UsesRelays() && frameSize > 0 && frameSize <= headers)
    {
        throw std::invalid_argument("--frameSize=" + std::to_string(frameSize) +
                                    " leaves no room for data in frames that GPUs forward: it must "
                                    "be larger than " +
                                    std::to_string(headers) + ", or burst");
    }
    if (auto* const switches = dynamic_cast<SipOcsHelper*>(&fabric))
    {
        switches->SetConnected(UsesRelays());
    }
    if (auto* const graph = dynamic_cast<LinkGraphHelper*>(&fabric))
    {
        ConfigureGraph(*graph);
    }
    if (auto* const channel = dynamic_cast<FabricHelper*>(&fabric))
    {
        if (UsesSockets(fabric))
        {
            // A host keeps all packets of its transports, and so do the queues of the devices
            channel->SetQueueAttribute("MaxSize", StringValue("1000000p"));
            channel->SetQueueAttribute("DestinationMaxSize", StringValue("1000000p"));
            if (frameSize > 0)
            {
                channel->SetDeviceAttribute("Mtu", UintegerValue(frameSize));
            }
        }
        return;
    }
    if (auto* const cards = dynamic_cast<RdmaHelper*>(&fabric))
    {
        ConfigureCards(*cards, frameSize);
        return;
    }
    auto& datacenter = dynamic_cast<DatacenterHelper&>(fabric);
    datacenter.SetOversubscription(m_oversubscription);
    if (m_linkDelay)
    {
        datacenter.SetDelay(*m_linkDelay);
    }
    datacenter.SetHashSeed(m_seed);
    datacenter.SetQueueSize(m_queue);
    datacenter.SetCutThrough(m_cutBytes);
    if (frameSize > 0)
    {
        datacenter.SetMtu(static_cast<uint16_t>(frameSize));
    }
    const TransportKind* const kind = TransportKind::Find(m_transport);
    if (kind && kind->need == TransportKind::Need::MARKING)
    {
        datacenter.EnableMarking(m_marking);
    }
    if (auto* const leafSpine = dynamic_cast<LeafSpineHelper*>(&fabric);
        leafSpine && m_leafNodes > 0)
    {
        leafSpine->SetNodesPerLeaf(m_leafNodes);
    }
}

void
TransportOptions::ConfigureGraph(LinkGraphHelper& graph) const
{
    graph.SetOversubscription(m_oversubscription);
    if (m_linkDelay)
    {
        graph.SetDelay(*m_linkDelay);
    }
    graph.SetChannelAttribute("HashSeed", UintegerValue(m_seed));
    graph.SetNodesPerLeaf(m_leafNodes);
    m_graph.Configure(graph);
}

void
TransportOptions::ConfigureCards(RdmaHelper& cards, uint64_t frameSize) const
{
    ConfigureGraph(cards.GetGraph());
    cards.SetNetworkAttribute("HashSeed", UintegerValue(m_seed));
    // Sprayed for some, by hashes for others
    cards.SetNetworkAttribute("Routing", StringValue(m_graph.GetRouting(cards.GetRouting())));
    if (frameSize > 0)
    {
        cards.SetNetworkAttribute("PacketSize", UintegerValue(frameSize));
    }
}

void
TransportOptions::Configure(TrainingHelper& training,
                            const InterconnectHelper& fabric,
                            uint32_t nNodes,
                            uint64_t frameSize) const
{
    training.SetTransport(GetTransport(fabric));
    if (dynamic_cast<const RdmaHelper*>(&fabric))
    {
        return;
    }
    if (!UsesSockets(fabric))
    {
        training.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
        return;
    }
    const FabricLimits limits = FabricDescription::Create(fabric)->GetLimits(nNodes);
    const double bitRate = std::max(limits.bitRate, limits.servers.bitRate);
    const auto* const packets = dynamic_cast<const DatacenterHelper*>(&fabric);
    // Cards delay messages there, and no packets
    const double ofCards = packets ? packets->GetMessageDelay().GetSeconds() : 0;
    const uint64_t window =
        m_window > 0 ? m_window
                     : SocketTransport::GetFullRateWindow(bitRate, limits.latency - ofCards);
    training.SetTransportAttribute("Window", UintegerValue(window));
    training.SetTransportAttribute("Connections", UintegerValue(m_connections));
}
