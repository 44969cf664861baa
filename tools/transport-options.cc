/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-options.h"

#include "model/training/message-header.h"
#include "model/training/relay-header.h"
#include "option-values.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/datacenter-helper.h"
#include "ns3/fabric-helper.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
TransportOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: electrical networks", {"fat-tree", "leaf-spine", "cluster"});
    options.AddValue("oversubscription",
                     "Links to GPUs for each link up, at the switches next to GPUs",
                     m_oversubscription);
    options.AddValue("leafGpus", "GPUs of a leaf switch; 0: the default", m_leafNodes);
    options.AddValue("linkDelay", "Propagation delay of a link between switches", m_linkDelay);
    options.AddValue("queue", "Longest queue at a port of a switch, bytes", m_queue);
    options.BeginGroup("Fabric: electrical networks", {"dctcp"});
    options.AddValue("marking",
                     "Queue at a port above which packets are marked for dctcp, bytes; 0: by rate",
                     m_marking);
    options.BeginGroup("Transport");
    options.AddValue("transport",
                     "What carries messages: circuit (frames on the fabric itself), relay (by way "
                     "of other GPUs where there is no circuit), tcp, dctcp, udp; default: circuit, "
                     "or tcp on fat-tree, leaf-spine, cluster",
                     m_transport);
    options.BeginGroup("Transport", {"tcp", "dctcp", "udp"});
    options.AddValue("window",
                     "Largest window of a connection, bytes; 0: enough for its rate",
                     m_window);
    options.AddValue("connections", "TCP connections from one GPU to another", m_connections);
    options.BeginGroup("Transport");
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
        ParseWord("transport",
                  m_transport,
                  {{"circuit", ""}, {"relay", ""}, {"tcp", ""}, {"dctcp", ""}, {"udp", ""}});
    }
    Require(InterconnectHelper::CheckName(name));
    const auto fabric = InterconnectHelper::Create(name);
    const bool hasChannel = dynamic_cast<const FabricHelper*>(fabric.get()) != nullptr;
    if (!hasChannel && m_transport == "circuit")
    {
        throw std::invalid_argument(
            "The transport circuit is for a fabric that frames cross in one "
            "hop, and not for " +
            name + ": give tcp, dctcp or udp");
    }
    if (m_transport == "relay" && !dynamic_cast<const CircuitFabricHelper*>(fabric.get()))
    {
        throw std::invalid_argument("The transport relay goes over the circuits of sip-ring or "
                                    "sip-ocs, and " +
                                    name + " has none: give " + (hasChannel ? "circuit" : "tcp"));
    }
    if (hasChannel && m_transport == "dctcp")
    {
        throw std::invalid_argument("The transport dctcp needs switches that mark packets, which " +
                                    name + " does not have: give tcp");
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
    return dynamic_cast<const FabricHelper*>(&fabric) != nullptr ? "circuit" : "tcp";
}

bool
TransportOptions::UsesSockets(const InterconnectHelper& fabric) const
{
    return GetTransport(fabric) != "circuit" && !UsesRelays();
}

bool
TransportOptions::UsesRelays() const
{
    return m_transport == "relay";
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
    auto& datacenter = dynamic_cast<DatacenterHelper&>(fabric);
    datacenter.SetOversubscription(static_cast<uint32_t>(m_oversubscription));
    datacenter.SetDelay(ParseTime(m_linkDelay));
    datacenter.SetQueueSize(static_cast<uint32_t>(m_queue));
    if (frameSize > 0)
    {
        datacenter.SetMtu(static_cast<uint16_t>(frameSize));
    }
    if (m_transport == "dctcp")
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
    if (!UsesSockets(fabric))
    {
        if (UsesRelays())
        {
            training.SetTransport("ns3::lightpath::RelayTransport");
        }
        training.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
        return;
    }
    training.SetTransport("ns3::lightpath::SocketTransport");
    const std::string transport = GetTransport(fabric);
    if (transport == "udp")
    {
        training.SetTransportAttribute("SocketFactory", TypeIdValue(UdpSocketFactory::GetTypeId()));
    }
    else if (transport == "dctcp")
    {
        training.SetTransportAttribute("CongestionControl", StringValue("ns3::TcpDctcp"));
    }
    // Room for the bytes of four one-way trips, and for what queues at a network card
    constexpr double least = 2 << 20;
    const FabricLimits limits = fabric.GetLimits(nNodes);
    const double rate = std::max(limits.bitRate, limits.serverBitRate) / 8;
    const double enough = std::max(least, 4 * rate * limits.latency);
    training.SetTransportAttribute(
        "Window",
        UintegerValue(m_window > 0 ? static_cast<uint64_t>(m_window)
                                   : static_cast<uint64_t>(std::min(enough, 1e9))));
    training.SetTransportAttribute("Connections", UintegerValue(m_connections));
}
