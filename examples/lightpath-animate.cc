/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tools/observed-scenarios.h"

#include "ns3/animation-interface.h"
#include "ns3/command-line.h"
#include "ns3/optical-channel.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * Animates a ring whose circuits change for NetAnim: TCP flows between neighbours, and between
 * nodes that face each other. Needs the module netanim of ns-3.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * Place nodes in a circle, with a line between each pair. NetAnim draws lines for point-to-point
 * links only, so there is one that carries nothing.
 *
 * @param nodes the nodes
 */
void
PlaceNodes(const NodeContainer& nodes)
{
    const double step = 2 * std::acos(-1) / nodes.GetN();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        AnimationInterface::SetConstantPosition(nodes.Get(i),
                                                50 + 40 * std::sin(i * step),
                                                50 - 40 * std::cos(i * step));
        for (uint32_t other = 0; other < i; ++other)
        {
            PointToPointHelper().Install(nodes.Get(other), nodes.Get(i));
        }
    }
}

/// Labels the line between two nodes with the wavelengths that carry light in either direction.
class CircuitDrawing
{
  public:
    /**
     * @param animation the animation
     * @param ring the nodes and devices to be drawn
     */
    CircuitDrawing(AnimationInterface& animation, const Scenario& ring)
        : m_animation(animation),
          m_nodes(ring.nodes),
          m_channel(DynamicCast<OpticalChannel>(FabricHelper::GetChannel(ring.devices)))
    {
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            for (const bool up : {true, false})
            {
                ring.devices.Get(i)->TraceConnectWithoutContext(
                    up ? "LightpathUp" : "LightpathDown",
                    Callback<void, uint32_t>(
                        [this, i, up](uint32_t destination) { Change(i, destination, up); }));
            }
        }
    }

    uint64_t changes{0}; //!< Lightpaths that began or ceased

  private:
    /**
     * Draw a lightpath that begins or ceases to carry light.
     *
     * @param source its source
     * @param destination its destination
     * @param up true if it begins
     */
    void Change(uint32_t source, uint32_t destination, bool up)
    {
        ++changes;
        std::string& label = m_labels[{source, destination}];
        label = " " + std::to_string(source) + ">" + std::to_string(destination) + ": " +
                std::to_string(m_channel->GetPlan().GetLanes(source, destination).size());
        label = up ? label : "";
        const auto [first, second] = std::minmax(source, destination);
        m_animation.UpdateLinkDescription(m_nodes.Get(first),
                                          m_nodes.Get(second),
                                          m_labels[{first, second}] + m_labels[{second, first}]);
    }

    AnimationInterface& m_animation;                               //!< Writes the file
    NodeContainer m_nodes;                                         //!< The nodes
    Ptr<OpticalChannel> m_channel;                                 //!< Their fabric
    std::map<std::pair<uint32_t, uint32_t>, std::string> m_labels; //!< By source and destination
};

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 1 if the file cannot be written, else 0
 */
int
main(int argc, char* argv[])
{
    std::string file = "lightpath.xml";
    CommandLine cmd(__FILE__);
    cmd.Usage("Animate a ring whose circuits change, for NetAnim.");
    cmd.AddValue("file", "Name of the file to be written", file);
    cmd.Parse(argc, argv);
    if (!std::ofstream(file))
    {
        std::cerr << "lightpath-animate: The file '" << file << "' cannot be written\n";
        return 1;
    }

    const Scenario ring = MakeRing(6, 1000000, 8);
    PlaceNodes(ring.nodes);
    AnimationInterface animation(file);
    CircuitDrawing drawing(animation, ring);
    uint64_t frames = 0;
    FabricHelper::GetChannel(ring.devices)
        ->TraceConnectWithoutContext(
            "TxRxPointToPoint",
            Callback<void, Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time>(
                [&frames](auto&&...) { ++frames; }));

    Simulator::Stop(ring.end);
    Simulator::Run();
    std::cout << "{\"changes\": " << drawing.changes << ", \"frames\": " << frames << "}\n";
    Simulator::Destroy();
    return 0;
}
