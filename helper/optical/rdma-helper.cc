/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-helper.h"

#include "fabric-helper.h"
#include "model/fabric/link-routes.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/config.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/names.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/rdma-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A congestion control.
struct Congestion
{
    std::string name;    //!< Its name
    std::string type;    //!< Name of its TypeId
    std::string routing; //!< The routing that suits it
};

/// Those that are known.
const std::vector<Congestion> CONGESTIONS = {{"dcqcn", "ns3::lightpath::Dcqcn", "ecmp"},
                                             {"hpcc", "ns3::lightpath::Hpcc", "ecmp"},
                                             {"nscc", "ns3::lightpath::NsccWindow", "spray"},
                                             {"pfc", "ns3::lightpath::LineRate", "ecmp"}};

/**
 * @param name a name
 * @return the congestion control that it is for; null if it is not known
 */
const Congestion*
FindCongestion(const std::string& name)
{
    const auto found = std::find_if(CONGESTIONS.begin(),
                                    CONGESTIONS.end(),
                                    [&name](const Congestion& each) { return each.name == name; });
    return found == CONGESTIONS.end() ? nullptr : &*found;
}

} // namespace

RdmaHelper::RdmaHelper(std::unique_ptr<LinkGraphHelper> graph)
    : InterconnectHelper(DataRate("400Gbps")),
      m_graph(graph ? std::move(graph)
                    : std::make_unique<LinkGraphHelper>(LinkGraphHelper::LEAF_SPINE))
{
    m_switches.SetTypeId("ns3::lightpath::RdmaSwitch");
    m_network.SetTypeId("ns3::lightpath::RdmaNetwork");
    SetCongestion("dcqcn");
    TypeId::AttributeInformation packet;
    m_network.GetTypeId().LookupAttributeByName("PacketSize", &packet);
    SetNetworkAttribute("PacketSize", *packet.initialValue);
}

std::vector<std::string>
RdmaHelper::GetCongestions()
{
    std::vector<std::string> names;
    for (const auto& each : CONGESTIONS)
    {
        names.push_back(each.name);
    }
    return names;
}

std::unique_ptr<LinkGraphHelper>
RdmaHelper::MakeGraph(const std::string& network)
{
    const std::vector<std::pair<std::string, LinkGraphHelper::Kind>> kinds = {
        {"leaf-spine", LinkGraphHelper::LEAF_SPINE},
        {"fat-tree", LinkGraphHelper::FAT_TREE},
        {"rail-optimised", LinkGraphHelper::RAIL_OPTIMISED},
        {"rail-only", LinkGraphHelper::RAIL_ONLY},
        {"dragonfly", LinkGraphHelper::DRAGONFLY},
        {"link-graph", LinkGraphHelper::CUSTOM}};
    for (const auto& [name, kind] : kinds)
    {
        if (name == network)
        {
            return std::make_unique<LinkGraphHelper>(kind);
        }
    }
    return nullptr;
}

std::unique_ptr<LinkGraphHelper>
RdmaHelper::ReadGraph(const NodeContainer& nodes)
{
    LinkGraph graph(nodes.GetN());
    std::vector<Ptr<Node>> found(nodes.Begin(), nodes.End());
    std::map<Ptr<Node>, uint32_t> numbers;
    for (const auto& node : found)
    {
        numbers.emplace(node, static_cast<uint32_t>(numbers.size()));
    }
    // Nodes that links lead to join the end
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        for (uint32_t k = 0; k < found[i]->GetNDevices(); ++k)
        {
            const auto device = DynamicCast<PointToPointNetDevice>(found[i]->GetDevice(k));
            const auto channel = device ? device->GetChannel() : nullptr;
            if (!channel || channel->GetNDevices() < 2)
            {
                continue;
            }
            const auto other =
                channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0)->GetNode();
            if (numbers.find(other) == numbers.end())
            {
                const std::string name = Names::FindName(other);
                numbers[other] =
                    graph.AddSwitch(name.empty() ? "node-" + std::to_string(other->GetId()) : name);
                found.push_back(other);
            }
            DataRateValue rate;
            TimeValue delay;
            device->GetAttribute("DataRate", rate);
            channel->GetAttribute("Delay", delay);
            graph.AddLink(numbers[found[i]], numbers[other], rate.Get(), delay.Get());
        }
    }
    auto helper = std::make_unique<LinkGraphHelper>(LinkGraphHelper::CUSTOM);
    helper->SetGraph(graph);
    return helper;
}

void
RdmaHelper::SetCongestion(const std::string& name)
{
    const Congestion* const known = FindCongestion(name);
    TypeId type;
    NS_ABORT_MSG_UNLESS(TypeId::LookupByNameFailSafe(known ? known->type : name, &type) &&
                            type.IsChildOf(RdmaCongestion::GetTypeId()),
                        CheckKnown("congestion control", name, GetCongestions()));
    m_name = name;
    m_congestion = ObjectFactory();
    m_congestion.SetTypeId(type);
    SetNetworkAttribute("Routing", StringValue(GetRouting()));
}

std::string
RdmaHelper::GetRouting() const
{
    const Congestion* const known = FindCongestion(m_name);
    return known ? known->routing : "ecmp";
}

void
RdmaHelper::SetCongestionAttribute(const std::string& name, const AttributeValue& value)
{
    m_congestion.Set(name, value);
}

void
RdmaHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switches.Set(name, value);
}

void
RdmaHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_network.Set(name, value);
    if (name == "Routing")
    {
        // So that planners know of it
        TypeId::AttributeInformation routing;
        m_network.GetTypeId().LookupAttributeByName(name, &routing);
        m_graph->SetRouting(value.SerializeToString(routing.checker));
    }
    if (name == "PacketSize")
    {
        m_packet = std::stoul(value.SerializeToString(MakeUintegerChecker<uint32_t>()));
    }
}

Ptr<RdmaNetwork>
RdmaHelper::GetNetwork(const NetDeviceContainer& devices)
{
    const auto device = DynamicCast<RdmaNetDevice>(devices.Get(0));
    NS_ABORT_MSG_UNLESS(device, "The first device of the container is no card for RDMA");
    return device->GetNetwork();
}

uint32_t
RdmaHelper::GetWireBytes() const
{
    const bool hasTelemetry = m_congestion.Create<RdmaCongestion>()->GetSignals().hasTelemetry;
    const uint32_t telemetry = hasTelemetry ? TELEMETRY_BYTES : 0;
    return m_packet + ROCE_HEADER_BYTES + telemetry + ETHERNET_GAP_BYTES;
}

double
RdmaHelper::GetMessageShare() const
{
    return static_cast<double>(m_packet) / GetWireBytes();
}

uint32_t
RdmaHelper::GetMostLinks(uint32_t nNodes) const
{
    const LinkGraph graph = m_graph->GetGraph(nNodes);
    LinkRoutes routes(graph);
    uint32_t most = 1;
    for (uint32_t other = 1; other < nNodes; ++other)
    {
        uint32_t links = 0;
        for (uint32_t node = 0; node != other; ++links)
        {
            const auto next = routes.GetLinks(node, other);
            if (next.empty())
            {
                break;
            }
            node = graph.GetLinks()[next.front()].to;
        }
        most = std::max(most, links);
    }
    return most;
}

std::string
RdmaHelper::Check(uint32_t nNodes) const
{
    const std::string refusal = m_graph->LacksGraph()
                                    ? "link-graph needs a network: give one by SetGraph()"
                                    : m_graph->Check(nNodes);
    return refusal.empty() ? RdmaNetwork::Check(m_graph->GetGraph(nNodes), m_switches, m_packet)
                           : refusal;
}

void
RdmaHelper::SetBandwidth(DataRate bandwidth)
{
    m_graph->SetBandwidth(bandwidth);
}

DataRate
RdmaHelper::GetBandwidth() const
{
    return m_graph->GetBandwidth();
}

Attach
RdmaHelper::GetUsualAttach(uint32_t gpus, uint32_t cards) const
{
    return m_graph->GetUsualAttach(gpus, cards);
}

void
RdmaHelper::SetMessageDelay(Time delay)
{
    m_graph->SetMessageDelay(delay);
    SetNetworkAttribute("MessageDelay", TimeValue(delay));
}

void
RdmaHelper::SetServerNodes(uint32_t nodes)
{
    InterconnectHelper::SetServerNodes(nodes);
    m_graph->SetServerNodes(nodes);
}

NetDeviceContainer
RdmaHelper::Install(const NodeContainer& nodes) const
{
    RequireValid(nodes.GetN());
    const auto network = m_network.Create<RdmaNetwork>();
    network->SetUp(m_graph->GetGraph(nodes.GetN()), m_switches, m_congestion);
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto device = CreateObject<RdmaNetDevice>();
        nodes.Get(i)->AddDevice(device);
        device->Attach(network);
        devices.Add(device);
    }
    return devices;
}

Ipv4InterfaceContainer
RdmaHelper::AssignAddresses(const NetDeviceContainer& devices) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto node = devices.Get(i)->GetNode();
        if (!node->GetObject<Ipv4>())
        {
            stack.Install(node);
        }
    }
    // As in the packets of messages
    return Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(devices);
}

void
RdmaHelper::EnablePcapInternal(std::string prefix,
                               Ptr<NetDevice> nd,
                               bool promiscuous,
                               bool explicitFilename)
{
    const auto device = DynamicCast<RdmaNetDevice>(nd);
    if (!device)
    {
        return;
    }
    PcapHelper pcap;
    const std::string name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    const auto file = pcap.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<RdmaNetDevice>(device, "PromiscSniffer", file);
}

} // namespace lightpath
} // namespace ns3
