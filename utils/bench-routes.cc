/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Measures what it takes to have IPv4 routes follow a fabric: a ring with a host behind each node,
 * by a link of its own, of which one link goes down, or whose circuits change without that.
 */

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/circuit-plan.h"
#include "ns3/data-rate.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-nix-vector-helper.h"
#include "ns3/node-container.h"
#include "ns3/optical-channel.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/route-updater.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"

#include <ctime>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param size the number of nodes of the ring
 * @param shift how far the lightpath of each of them leads
 * @return the circuits
 */
CircuitPlan
GetPlan(uint32_t size, uint32_t shift)
{
    CircuitPlan plan;
    for (uint32_t node = 0; node + shift < size; node += shift)
    {
        plan.AddLane(node, node + shift, {0, 0});
    }
    return plan;
}

/**
 * @param size the number of nodes of the ring
 * @param isGlobal whether routing is global, instead of NIX
 * @param fails whether a link goes down, instead of circuits that change
 * @return the processor time of what follows, in milliseconds
 */
double
Measure(uint32_t size, bool isGlobal, bool fails)
{
    NodeContainer nodes(size);
    NodeContainer hosts(size);
    InternetStackHelper stack;
    const Ipv4NixVectorHelper nix;
    if (!isGlobal)
    {
        stack.SetRoutingHelper(nix);
    }
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    stack.Install(hosts);
    // One wavelength in either direction, so that a laser that fails takes the link with it
    SipRingHelper ring;
    ring.SetNFibres(1);
    ring.SetWavelengthRate(DataRate("25Gbps"));
    ring.SetBandwidth(DataRate("50Gbps"));
    const NetDeviceContainer devices = ring.Install(nodes);
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.0.0");
    addresses.Assign(devices);
    addresses.SetBase("10.2.0.0", "255.255.255.0");
    for (uint32_t i = 0; i < size; ++i)
    {
        addresses.Assign(PointToPointHelper().Install(nodes.Get(i), hosts.Get(i)));
        addresses.NewNetwork();
    }
    const auto updater = CreateObject<RouteUpdater>();
    updater->SetAttribute("GlobalRouting", BooleanValue(isGlobal));
    updater->Follow(devices);
    const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
    Simulator::ScheduleNow(&OpticalChannel::Configure, channel, GetPlan(size, 1));
    Simulator::Stop(MilliSeconds(1));
    if (isGlobal)
    {
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }
    Simulator::Run();
    if (fails)
    {
        Simulator::ScheduleNow(&OpticalChannel::SetFailed, channel, "laser:0:0", true);
    }
    else
    {
        Simulator::ScheduleNow(&OpticalChannel::Configure, channel, GetPlan(size, 2));
    }
    const std::clock_t begin = std::clock();
    Simulator::Run();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    Simulator::Destroy();
    NS_ABORT_MSG_IF(updater->GetNUpdates() != fails,
                    "A link that goes down has routes updated once");
    return 1e3 * seconds;
}

} // namespace

/**
 * @return 0
 */
int
main()
{
    std::cout << "Nodes   Global routing       NIX routing   Without a change\n"
              << std::fixed << std::setprecision(2);
    for (const uint32_t size : {16U, 64U, 256U})
    {
        std::cout << std::setw(5) << size << std::setw(14) << Measure(size, true, true) << " ms"
                  << std::setw(15) << Measure(size, false, true) << " ms" << std::setw(16)
                  << Measure(size, true, false) << " ms\n";
    }
    return 0;
}
