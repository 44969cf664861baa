/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FABRIC_PARTS_H
#define LIGHTPATH_FABRIC_PARTS_H

#include "ns3/circuit-plan.h"
#include "ns3/fabric-channel.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/virtual-output-queue.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Bytes of the Ethernet header and the message header of a frame.
inline constexpr uint32_t HEADERS = 34;

/**
 * @ingroup lightpath-tests
 * @tparam T the type of a channel
 * @param attributes its attributes, as strings
 * @return the channel
 */
template <typename T>
ns3::Ptr<T>
MakeChannel(const std::map<std::string, std::string>& attributes)
{
    const auto channel = ns3::CreateObject<T>();
    for (const auto& [name, value] : attributes)
    {
        channel->SetAttribute(name, ns3::StringValue(value));
    }
    return channel;
}

/**
 * @ingroup lightpath-tests
 * @brief A lane of a lightpath.
 */
struct Circuit
{
    uint32_t source;           //!< The port that sends
    uint32_t destination;      //!< The port that receives
    ns3::lightpath::Lane lane; //!< The lane
};

/**
 * @ingroup lightpath-tests
 * @param circuits lanes
 * @return the plan of these lanes
 */
inline ns3::lightpath::CircuitPlan
MakeCircuits(const std::vector<Circuit>& circuits)
{
    ns3::lightpath::CircuitPlan plan;
    for (const auto& circuit : circuits)
    {
        plan.AddLane(circuit.source, circuit.destination, circuit.lane);
    }
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @param node a node
 * @param channel a fabric
 * @return a device on the node, attached to the fabric
 */
inline ns3::Ptr<ns3::lightpath::OpticalNetDevice>
AddDevice(ns3::Ptr<ns3::Node> node, ns3::Ptr<ns3::lightpath::FabricChannel> channel)
{
    const auto device = ns3::CreateObject<ns3::lightpath::OpticalNetDevice>();
    device->SetAddress(ns3::Mac48Address::Allocate());
    device->SetQueue(ns3::CreateObject<ns3::lightpath::VirtualOutputQueue>());
    node->AddDevice(device);
    device->Attach(channel);
    return device;
}

/**
 * @ingroup lightpath-tests
 * @brief Count the packets that a trace source reports.
 *
 * @tparam N the type of the number
 * @param object the object with the trace source
 * @param trace the name of the trace source
 * @param [in,out] count the number, which outlives the simulation
 */
template <typename N>
void
CountPackets(ns3::Ptr<ns3::Object> object, const std::string& trace, N& count)
{
    object->TraceConnectWithoutContext(trace,
                                       ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(
                                           [&count](ns3::Ptr<const ns3::Packet>) { ++count; }));
}

/**
 * @ingroup lightpath-tests
 * @brief Let a component fail, or work again, later.
 *
 * @param channel the fabric
 * @param time the time
 * @param component the name of the component
 * @param failed true to let it fail
 */
inline void
ScheduleFault(ns3::Ptr<ns3::lightpath::FabricChannel> channel,
              ns3::Time time,
              const std::string& component,
              bool failed = true)
{
    ns3::Simulator::Schedule(time,
                             &ns3::lightpath::FabricChannel::SetFailed,
                             channel,
                             component,
                             failed);
}

#endif /* LIGHTPATH_FABRIC_PARTS_H */
