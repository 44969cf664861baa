/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows a new fabric with a periodic schedule in one file: rotor switches that join nodes like the
 * rounds of a tournament. Run it by ./ns3 run lightpath-new-rotor in a tree of ns-3, or else by
 * build/lightpath-new-rotor.
 */

#include "ns3/command-line.h"
#include "ns3/rotor-helper.h"
#include "ns3/simulator.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @brief A tournament: the last node meets each other node once, and around it nodes i and j meet
 * if i + j is the same twice the number of the round. No node is ever idle.
 */
class TournamentSchedule : public PeriodicSchedule
{
  public:
    /**
     * @param nodes the number of nodes, which is even
     */
    explicit TournamentSchedule(uint32_t nodes)
        : PeriodicSchedule(nodes, 1, nodes - 1)
    {
    }

    uint32_t GetPeer(uint32_t slot, uint32_t port, uint32_t /* uplink */) const override
    {
        const uint32_t others = GetNPorts() - 1;
        const uint32_t peer = (2 * slot + others - port % others) % others;
        return port == others ? slot : peer == port ? others : peer;
    }
};

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint32_t n = 8;
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.AddValue("nodes", "Number of nodes, which is even", n);
    cmd.Parse(argc, argv);

    RotorHelper fabric(RotorHelper::CUSTOM);
    fabric.SetSchedule([](uint32_t nodes) { return std::make_shared<TournamentSchedule>(nodes); });
    fabric.SetBandwidth(DataRate("100Gbps"));
    fabric.SetSlotTime(MicroSeconds(100));
    fabric.SetDarkTime(MicroSeconds(10));
    const NetDeviceContainer devices = fabric.Install(NodeContainer(n));
    for (uint32_t pair = 0; pair < n * n; ++pair)
    {
        if (pair / n != pair % n)
        {
            const auto device = devices.Get(pair / n);
            device->Send(Create<Packet>(8986), devices.Get(pair % n)->GetAddress(), 0x88b5);
        }
    }
    Simulator::Run();
    std::cout << "the last frame arrives after " << Simulator::Now().As(Time::US) << "\n";
    Simulator::Destroy();
    return 0;
}
