/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows a new fabric of links in one file: a torus of two axes, whose nodes forward for others.
 * Run it by ./ns3 run lightpath-new-torus in a tree of ns-3, or else by build/lightpath-new-torus.
 */

#include "ns3/command-line.h"
#include "ns3/link-graph-helper.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @param size the nodes along each axis, at least 3
 * @return links between neighbours, with a link from the last node of each row or column to the
 *         first one
 */
LinkGraph
MakeTorus(uint32_t size)
{
    const DataRate rate("100Gbps");
    const Time delay = MicroSeconds(1);
    LinkGraph graph(size * size);
    graph.SetPortsForward(true);
    for (uint32_t node = 0; node < size * size; ++node)
    {
        const uint32_t x = node % size;
        const uint32_t y = node / size;
        graph.Connect(node, y * size + (x + 1) % size, rate, delay);
        graph.Connect(node, (y + 1) % size * size + x, rate, delay);
    }
    return graph;
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint32_t size = 4;
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Nodes along each axis", size);
    cmd.Parse(argc, argv);

    LinkGraphHelper fabric;
    fabric.SetGraph(MakeTorus(size));
    const uint32_t n = size * size;
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
