/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-options.h"

#include "example-support.h"
#include "model/training/message-header.h"
#include "model/training/relay-header.h"
#include "model/training/transport-kind.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/fabric-helper.h"
#include "ns3/leaf-spine-helper.h"
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
TransportOptions::AddTo(CommandLine& cmd)
{
    std::string names;
    for (const TransportKind& kind : TransportKind::GetAll())
    {
        names += (names.empty() ? "" : ", ") + kind.name +
                 (kind.description.empty() ? "" : " (" + kind.description + ")");
    }
    cmd.AddValue("transport",
                 "What carries messages: " + names +
                     "; by default circuit, or tcp on fat-tree, leaf-spine, cluster",
                 m_transport);
    cmd.AddValue("window", "Bytes on their way over a connection at most, 0 for enough", m_window);
    cmd.AddValue("connections", "TCP connections from one GPU to another", m_connections);
    cmd.AddValue("oversubscription",
                 "Links to GPUs for each link up, at the switches next to GPUs",
                 m_oversubscription);
    cmd.AddValue("leafGpus", "GPUs of a leaf switch, 0 for the default", m_leafNodes);
    cmd.AddValue("linkDelay", "Propagation delay of a link between switches", m_linkDelay);
    cmd.AddValue("queue", "Bytes that wait at a port of a switch at most", m_queue);
    cmd.AddValue("marking",
                 "Bytes that wait at a port as dctcp has packets marked, 0 for what suits the rate",
                 m_marking);
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

void
TransportOptions::CheckTransport(const std::string& name) const
{
    if (!m_transport.empty())
    {
        std::vector<std::pair<std::string, std::string>> names;
        for (const TransportKind& each : TransportKind::GetAll())
        {
            names.emplace_back(each.name, "");
        }
        ParseWord("transport", m_transport, names);
    }
    const TransportKind* const kind = TransportKind::Find(m_transport);
    if (!kind)
    {
        return;
    }
    const auto fabric = InterconnectHelper::Create(name);
    const bool hasChannel = dynamic_cast<const FabricHelper*>(fabric.get()) != nullptr;
    if (!hasChannel && kind->need == TransportKind::Need::CHANNEL)
    {
        throw std::invalid_argument("The transport " + m_transport +
                                    " is for a fabric that frames cross in one hop, and not for " +
                                    name + ": give tcp, dctcp or udp");
    }
    if (kind->need == TransportKind::Need::CIRCUITS &&
        !dynamic_cast<const CircuitFabricHelper*>(fabric.get()))
    {
        throw std::invalid_argument("The transport " + m_transport +
                                    " goes over the circuits of sip-ring or sip-ocs, and " + name +
                                    " has none: give " + (hasChannel ? "circuit" : "tcp"));
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
    CheckRange("window", m_window, 0, 1 << 30);
    CheckRange("connections", m_connections, 1, 1024);
    CheckRange("oversubscription", m_oversubscription, 1, 1024);
    CheckRange("leafGpus", m_leafNodes, 0, 1000000);
    CheckRange("queue", m_queue, 10000, 4000000000);
    CheckRange("marking", m_marking, 0, 4000000000);
    bool hasSwitches = false;
    bool hasSockets = false;
    bool hasMarks = false;
    for (const auto& name : names)
    {
        const TransportOptions options = GetFor(name);
        // That of a hybrid fabric is for its electrical side
        const std::string carrier = GetFabrics({name}).back();
        const auto fabric = InterconnectHelper::Create(carrier);
        options.CheckTransport(carrier);
        hasSockets = hasSockets || options.UsesSockets(*fabric);
        hasSwitches = hasSwitches || dynamic_cast<const DatacenterHelper*>(fabric.get()) != nullptr;
        hasMarks = hasMarks || options.NeedsMarking();
    }
    const TransportOptions defaults;
    if (!hasSockets && (m_window > 0 || m_connections > 1))
    {
        throw std::invalid_argument("--window and --connections belong to tcp, dctcp and udp, "
                                    "which are not asked for");
    }
    if (!hasSwitches &&
        (m_oversubscription > 1 || m_leafNodes > 0 || m_linkDelay != defaults.m_linkDelay ||
         m_queue != defaults.m_queue || m_marking > 0))
    {
        throw std::invalid_argument("--oversubscription, --leafGpus, --linkDelay, --queue and "
                                    "--marking belong to fat-tree, leaf-spine and cluster, which "
                                    "are not asked for");
    }
    if (m_marking > 0 && !hasMarks)
    {
        throw std::invalid_argument("--marking belongs to the transport dctcp");
    }
}

std::string
TransportOptions::GetTransport(const InterconnectHelper& fabric) const
{
    if (!m_transport.empty())
    {
        return m_transport;
    }
    return dynamic_cast<const FabricHelper*>(&fabric) != nullptr ? "circuit" : "tcp";
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

bool
TransportOptions::NeedsMarking() const
{
    const TransportKind* const kind = TransportKind::Find(m_transport);
    return kind && kind->need == TransportKind::Need::MARKING;
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
    if (auto* const channel = dynamic_cast<FabricHelper*>(&fabric))
    {
        if (UsesSockets(fabric))
        {
            // As a host keeps what its transports hand over, so do the queues of the devices
            channel->SetQueueAttribute("MaxSize", StringValue("1000000p"));
            channel->SetQueueAttribute("DestinationMaxSize", StringValue("1000000p"));
            if (frameSize > 0)
            {
                channel->SetDeviceAttribute("Mtu", UintegerValue(frameSize));
            }
        }
        return;
    }
    auto& datacenter = dynamic_cast<DatacenterHelper&>(fabric);
    datacenter.SetOversubscription(static_cast<uint32_t>(m_oversubscription));
    datacenter.SetDelay(ParseTime(m_linkDelay));
    datacenter.SetQueueSize(static_cast<uint32_t>(m_queue));
    if (frameSize > 0)
    {
        datacenter.SetMtu(static_cast<uint16_t>(frameSize));
    }
    if (NeedsMarking())
    {
        datacenter.EnableMarking(static_cast<uint32_t>(m_marking));
    }
    if (auto* const leafSpine = dynamic_cast<LeafSpineHelper*>(&fabric))
    {
        if (m_leafNodes > 0)
        {
            leafSpine->SetNodesPerLeaf(static_cast<uint32_t>(m_leafNodes));
        }
    }
}

void
TransportOptions::Configure(TrainingHelper& training,
                            const InterconnectHelper& fabric,
                            uint32_t nNodes,
                            uint64_t frameSize) const
{
    training.SetTransport(GetTransport(fabric));
    if (!UsesSockets(fabric))
    {
        training.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
        return;
    }
    const FabricLimits limits = fabric.GetLimits(nNodes);
    const uint64_t window =
        m_window > 0
            ? static_cast<uint64_t>(m_window)
            : SocketTransport::GetFullRateWindow(std::max(limits.bitRate, limits.serverBitRate),
                                                 limits.latency);
    training.SetTransportAttribute("Window", UintegerValue(window));
    training.SetTransportAttribute("Connections", UintegerValue(m_connections));
}
