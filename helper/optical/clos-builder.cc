/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-builder.h"

#include "model/parallel/look-ahead.h"
#include "model/parallel/ordered-link.h"
#include "model/parallel/process-group.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/queue-size.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most bytes or packets that wait at a host: more than transports hand over.
constexpr uint32_t HOST_LIMIT = 4000000000;

/// Has nodes route by ClosRouting.
class ClosRoutingHelper : public Ipv4RoutingHelper
{
  public:
    ClosRoutingHelper* Copy() const override
    {
        return new ClosRoutingHelper(*this);
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node> node) const override
    {
        return CreateObject<ClosRouting>();
    }
};

} // namespace

ClosBuilder::ClosBuilder(const ClosLinks& links)
    : m_links(links)
{
}

void
ClosBuilder::InstallStack(Ptr<Node> node)
{
    InternetStackHelper stack;
    stack.SetRoutingHelper(ClosRoutingHelper());
    stack.SetIpv6StackInstall(false);
    stack.Install(node);
}

void
ClosBuilder::AddHost(Ptr<Node> node, uint32_t host)
{
    NS_ABORT_MSG_IF(node->GetObject<Ipv4>(),
                    "Node " << node->GetId() << " has IPv4 before it is attached to a network of "
                            << "switches, whose helper installs it with a routing of its own: "
                            << "leave it to the helper");
    InstallStack(node);
    GetRouting(node)->SetHost(host);
}

Ptr<Node>
ClosBuilder::AddSwitch(uint32_t process)
{
    const auto node = CreateObject<Node>(process);
    InstallStack(node);
    GetRouting(node)->SetSeed(static_cast<uint64_t>(m_links.seed) << 32 | ++m_nSwitches);
    return node;
}

uint32_t
ClosBuilder::GetProcess(const NodeContainer& nodes, uint64_t host)
{
    return nodes.Get(std::min<uint64_t>(host, nodes.GetN() - 1))->GetSystemId();
}

NetDeviceContainer
ClosBuilder::ConnectHosts(const NodeContainer& nodes,
                          uint32_t first,
                          uint32_t end,
                          Ptr<Node> edge,
                          DataRate rate)
{
    NetDeviceContainer devices;
    for (uint32_t host = first; host < end; ++host)
    {
        devices.Add(Connect(nodes.Get(host), edge, rate));
        GetRouting(nodes.Get(host))->SetUp(1, 1);
    }
    return devices;
}

Ptr<ClosRouting>
ClosBuilder::GetRouting(Ptr<Node> node)
{
    return DynamicCast<ClosRouting>(node->GetObject<Ipv4>()->GetRoutingProtocol());
}

uint32_t
ClosBuilder::GetNLinks(Ptr<Node> node)
{
    return node->GetObject<Ipv4>()->GetNInterfaces() - 1;
}

uint32_t
ClosBuilder::GetQueueBytes(Ptr<Node> node) const
{
    return GetRouting(node)->IsHost() ? HOST_LIMIT : m_links.queueBytes;
}

Ptr<PointToPointNetDevice>
ClosBuilder::AddDevice(Ptr<Node> node, DataRate rate) const
{
    const auto device = CreateObject<PointToPointNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    device->SetDataRate(rate);
    device->SetMtu(m_links.mtu);
    node->AddDevice(device);
    const auto queue = CreateObject<DropTailQueue<Packet>>();
    // Below a queue disc, the device keeps no more than it needs to be busy
    queue->SetMaxSize(m_links.markingBytes > 0
                          ? QueueSize(QueueSizeUnit::PACKETS, 1)
                          : QueueSize(QueueSizeUnit::BYTES, GetQueueBytes(node)));
    device->SetQueue(queue);
    if (m_links.markingBytes > 0)
    {
        const auto interface = CreateObject<NetDeviceQueueInterface>();
        interface->GetTxQueue(0)->ConnectQueueTraces(queue);
        device->AggregateObject(interface);
    }
    return device;
}

void
ClosBuilder::AddInterface(Ptr<PointToPointNetDevice> device, DataRate rate) const
{
    const auto node = device->GetNode();
    const auto ipv4 = node->GetObject<Ipv4>();
    ipv4->SetUp(ipv4->AddInterface(device));
    if (m_links.markingBytes == 0)
    {
        return;
    }
    TrafficControlHelper discs;
    if (GetRouting(node)->IsHost())
    {
        // A queue for each flow: behind its own data, a host would send acknowledgements too late
        discs.SetRootQueueDisc("ns3::FqCoDelQueueDisc",
                               "MaxSize",
                               QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, HOST_LIMIT)),
                               "CeThreshold",
                               TimeValue(rate.CalculateBytesTxTime(m_links.markingBytes)));
        discs.Install(device);
        return;
    }
    // Marks each packet that meets a longer queue than the threshold, and no other
    discs.SetRootQueueDisc("ns3::RedQueueDisc",
                           "MaxSize",
                           QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, GetQueueBytes(node))),
                           "MinTh",
                           DoubleValue(m_links.markingBytes),
                           "MaxTh",
                           DoubleValue(m_links.markingBytes),
                           "QW",
                           DoubleValue(1),
                           "Gentle",
                           BooleanValue(false),
                           "UseHardDrop",
                           BooleanValue(false),
                           "UseEcn",
                           BooleanValue(true),
                           "MeanPktSize",
                           UintegerValue(m_links.mtu),
                           "LinkBandwidth",
                           DataRateValue(rate));
    discs.Install(device);
}

Ptr<NetDevice>
ClosBuilder::Connect(Ptr<Node> lower, Ptr<Node> upper, DataRate rate)
{
    Ptr<CutThroughLink> channel = CreateObject<CutThroughLink>();
    if (ProcessGroup::IsJoined())
    {
        channel = CreateObject<OrderedLink>();
    }
    channel->SetAttribute("Delay", TimeValue(m_links.delay));
    const auto down = AddDevice(lower, rate);
    const auto up = AddDevice(upper, rate);
    down->Attach(channel);
    up->Attach(channel);
    for (const auto& device : {down, up})
    {
        if (!GetRouting(device->GetNode())->IsHost())
        {
            channel->CutThrough(device, m_links.cutBytes);
        }
    }
    AddInterface(down, rate);
    AddInterface(up, rate);
    if (lower->GetSystemId() != upper->GetSystemId())
    {
        LookAhead::Note(m_links.delay);
        OrderedLink::Listen(down);
        OrderedLink::Listen(up);
    }
    return down;
}

} // namespace lightpath
} // namespace ns3
