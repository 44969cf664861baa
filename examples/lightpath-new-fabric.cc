/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows a new fabric in one file: an arrayed waveguide grating router, which is a piece of glass.
 * Run it by ./ns3 run lightpath-new-fabric in a tree of ns-3, or else by
 * build/lightpath-new-fabric.
 */

#include "ns3/command-line.h"
#include "ns3/custom-fabric-helper.h"
#include "ns3/fibre-delay.h"
#include "ns3/simulator.h"

#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * Leads wavelength w of input i to output (i + w) mod n; each device has lasers for all
 * wavelengths.
 */
class WaveguideRouterChannel : public OpticalChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::WaveguideRouterChannel")
                                .SetParent<OpticalChannel>()
                                .AddConstructor<WaveguideRouterChannel>();
        return tid;
    }

    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override
    {
        return GetFibreDelay(40); // metres, half of them to the router
    }

  private:
    std::string DoCheck(const CircuitPlan& plan) const override
    {
        for (const auto& [pair, lanes] : plan.GetLightpaths())
        {
            const uint32_t wavelength = (pair.second + GetNDevices() - pair.first) % GetNDevices();
            if (lanes != std::vector<Lane>{{0, wavelength}})
            {
                return "Light from port " + std::to_string(pair.first) + " to port " +
                       std::to_string(pair.second) + " must have wavelength " +
                       std::to_string(wavelength) + " of fibre 0, and no other";
            }
        }
        return "";
    }
};

NS_OBJECT_ENSURE_REGISTERED(WaveguideRouterChannel);

/**
 * @param demand a demand
 * @return a lightpath for each pair with traffic
 */
CircuitPlan
Decide(const TrafficMatrix& demand)
{
    CircuitPlan plan;
    for (uint32_t source = 0, n = demand.GetSize(); source < n; ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            plan.AddLane(source, destination, {0, (destination + n - source) % n});
        }
    }
    return plan;
}

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
    cmd.AddValue("nodes", "Number of nodes", n);
    cmd.Parse(argc, argv);

    CustomFabricHelper fabric("ns3::lightpath::WaveguideRouterChannel",
                              DataRate("1000Gbps"),
                              Decide);
    const NetDeviceContainer devices = fabric.Install(NodeContainer(n));
    TrafficMatrix demand(n);
    for (uint32_t pair = 0; pair < n * n; ++pair)
    {
        if (pair / n != pair % n)
        {
            const auto device = devices.Get(pair / n);
            device->Send(Create<Packet>(9000), devices.Get(pair % n)->GetAddress(), 0x88b5);
            demand.Add(pair / n, pair % n, 9000);
        }
    }
    fabric.CreateController(devices)->Start(demand);
    Simulator::Run();
    std::cout << "the last frame arrives after " << Simulator::Now().As(Time::US) << "\n";
    Simulator::Destroy();
    return 0;
}
