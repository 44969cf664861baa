/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows traffic of one's own on a ring whose circuits follow what waits, without any training.
 */

#include "ns3/circuit-controller.h"
#include "ns3/command-line.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/traffic-matrix.h"

#include <iostream>

using namespace ns3;

/// Send frames, and print when the last one has arrived.
int
main(int argc, char* argv[])
{
    const uint32_t n = 8;
    Time interval = MicroSeconds(50);
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.AddValue("interval", "Time from one decision on circuits to the next", interval);
    cmd.Parse(argc, argv);
    lightpath::SipRingHelper fabric;
    fabric.SetBandwidth(DataRate("200Gbps"));
    fabric.SetControllerAttribute("Trigger", EnumValue(lightpath::CircuitController::PERIODIC));
    fabric.SetControllerAttribute("DemandSource", EnumValue(lightpath::CircuitController::BACKLOG));
    fabric.SetControllerAttribute("DecisionInterval", TimeValue(interval));
    const NetDeviceContainer devices = fabric.Install(NodeContainer(n));
    uint32_t left = 300 * n;
    const Callback<void, Ptr<const Packet>> receive([&left](Ptr<const Packet>) {
        if (--left == 0)
        {
            std::cout << "all has arrived after " << Simulator::Now().As(Time::US) << "\n";
            Simulator::Stop();
        }
    });
    for (uint32_t i = 0; i < n; ++i)
    {
        devices.Get(i)->TraceConnectWithoutContext("MacRx", receive);
        for (uint32_t k = 0; k < 300; ++k)
        {
            const auto to = devices.Get((i + 1 + k % 3) % n)->GetAddress();
            devices.Get(i)->Send(Create<Packet>(9000), to, 0x88b5);
        }
    }
    fabric.CreateController(devices)->Start(lightpath::TrafficMatrix(n));
    Simulator::Run();
    Simulator::Destroy();
}
