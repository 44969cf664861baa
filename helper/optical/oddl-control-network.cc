/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-control-network.h"

#include "model/base/simulator-agenda.h"
#include "model/control/grid/udp-control-network.h"
#include "model/control/oddl/star-control-network.h"
#include "star-switch.h"

#include "ns3/fibre-delay.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/point-to-point-helper.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Install the IPv4 stack on nodes that have none.
 *
 * @param hosts the nodes
 */
void
InstallStack(const NodeContainer& hosts)
{
    NodeContainer bare;
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        if (!(*host)->GetObject<Ipv4>())
        {
            bare.Add(*host);
        }
    }
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.Install(bare);
}

} // namespace

std::shared_ptr<ControlNetwork>
OddlControlNetwork::Install(const NodeContainer& nodes, uint32_t ports) const
{
    if (usesUdp)
    {
        return Connect(Link(nodes), ports);
    }
    return std::make_shared<StarControlNetwork>(SimulatorAgenda::Get(),
                                                nodes.GetN(),
                                                rate,
                                                GetLinkDelay().GetTimeStep());
}

std::shared_ptr<ControlNetwork>
OddlControlNetwork::Connect(const std::vector<Ipv4Address>& addresses, uint32_t ports) const
{
    std::vector<Address> sockets;
    for (const Ipv4Address& address : addresses)
    {
        const uint16_t port = sockets.size() < ports ? unitPort : arbiterPort;
        sockets.push_back(InetSocketAddress(address, port));
    }
    return std::make_shared<UdpControlNetwork>(sockets);
}

std::vector<Ipv4Address>
OddlControlNetwork::Link(const NodeContainer& nodes) const
{
    const Ipv4Address first("100.64.0.1");
    const Ipv4Mask mask("255.192.0.0");
    InstallStack(nodes);
    const auto centre = CreateObject<Node>();
    const auto middle = CreateObject<StarSwitch>();
    middle->SetFirst(first);
    centre->AggregateObject(middle);
    PointToPointHelper link;
    link.DisableFlowControl();
    link.SetDeviceAttribute("DataRate", DataRateValue(rate));
    link.SetChannelAttribute("Delay", TimeValue(GetLinkDelay()));
    std::vector<Ipv4Address> addresses;
    for (auto host = nodes.Begin(); host != nodes.End(); ++host)
    {
        const NetDeviceContainer ends = link.Install(*host, centre);
        const auto ipv4 = (*host)->GetObject<Ipv4>();
        const uint32_t interface = ipv4->AddInterface(ends.Get(0));
        const Ipv4Address address(first.Get() + static_cast<uint32_t>(addresses.size()));
        ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, mask));
        ipv4->SetUp(interface);
        middle->AddHost(ends.Get(1));
        addresses.push_back(address);
    }
    return addresses;
}

Time
OddlControlNetwork::GetLinkDelay() const
{
    return switchingDelay / 2 + GetFibreDelay(fibreLength);
}

Time
OddlControlNetwork::GetDelay(uint32_t bytes) const
{
    return 2 * (rate.CalculateBytesTxTime(bytes + CONTROL_HEADER_BYTES) + GetLinkDelay());
}

} // namespace lightpath
} // namespace ns3
