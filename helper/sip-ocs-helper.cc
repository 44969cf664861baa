/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ocs-helper.h"

#include "model/control/switches/connected-allocator.h"

#include "ns3/boolean.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/uinteger.h"

#include <memory>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

SipOcsHelper::SipOcsHelper()
    : CircuitFabricHelper("ns3::lightpath::CircuitSwitchChannel",
                          "ns3::lightpath::CircuitSwitchMaxMinAllocator",
                          DataRate("2000Gbps"))
{
    SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(10)));
}

SipOcsHelper::~SipOcsHelper()
{
}

void
SipOcsHelper::SetNSwitches(uint32_t nSwitches)
{
    m_nSwitches = nSwitches;
}

void
SipOcsHelper::SetDuplex(bool duplex)
{
    m_duplex = duplex;
}

void
SipOcsHelper::SetNPorts(uint32_t circuitSwitch, uint32_t ports)
{
    m_nPorts[circuitSwitch] = ports;
}

std::vector<CircuitAlgorithm>
SipOcsHelper::GetAlgorithms() const
{
    return {
        {"max-min",
         "ns3::lightpath::CircuitSwitchMaxMinAllocator",
         "smallest circuits of a pair over its demand, relative to the largest demand"},
        {"max-demand",
         "ns3::lightpath::MaxDemandAllocator",
         "demand of the pair of each circuit, summed, relative to the largest demand"},
        {"greedy-halving",
         "ns3::lightpath::GreedyHalvingAllocator",
         "demand of the pair of each circuit, halved for each further one, summed, relative to the "
         "largest demand"},
        {"concave",
         "ns3::lightpath::ConcaveUtilityAllocator",
         "utility of the circuits of each pair, summed, relative to the largest demand"},
        {"duplex",
         "ns3::lightpath::DuplexCircuitAllocator",
         "demand of the two devices of each circuit, halved for each further one, summed, relative "
         "to the largest demand"},
        {"birkhoff",
         "ns3::lightpath::BirkhoffScheduler",
         "time of all slots, with the darkness before each of them"},
        {"solstice",
         "ns3::lightpath::SolsticeScheduler",
         "time of all slots, with the darkness before each of them"},
        {"eclipse",
         "ns3::lightpath::EclipseScheduler",
         "time of all slots, with the darkness before each of them"},
        {"rotor",
         "ns3::lightpath::RotorScheduler",
         "time of one cycle, with the darkness before each slot"},
    };
}

std::string
SipOcsHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    return GetGeometry(nNodes).CheckComponent(component);
}

CircuitSwitchGeometry
SipOcsHelper::GetGeometry(uint32_t nNodes) const
{
    CircuitSwitchGeometry geometry(nNodes, m_nSwitches);
    geometry.SetDuplex(m_duplex);
    for (const auto& [circuitSwitch, ports] : m_nPorts)
    {
        geometry.SetNPorts(circuitSwitch, ports);
    }
    return geometry;
}

void
SipOcsHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    const auto switches = DynamicCast<CircuitSwitchChannel>(channel);
    for (const auto& [circuitSwitch, ports] : m_nPorts)
    {
        switches->SetNPorts(circuitSwitch, ports);
    }
}

void
SipOcsHelper::ConfigureChannel(ObjectFactory& factory) const
{
    if (m_nSwitches == 0)
    {
        throw std::invalid_argument("A fabric of circuit switches needs 1 switch at least");
    }
    std::ostringstream parts;
    parts << "wavelengths of " << GetWavelengthRate().GetBitRate() / 1e9 << " Gb/s";
    CheckMultiple(GetWavelengthRate().GetBitRate(), parts.str());
    factory.Set("NSwitches", UintegerValue(m_nSwitches));
    factory.Set("Duplex", BooleanValue(m_duplex));
    factory.Set("LaneRate", DataRateValue(DataRate(GetBandwidth().GetBitRate() / m_nSwitches)));
}

void
SipOcsHelper::SetConnected(bool connected)
{
    m_connected = connected;
}

Ptr<CircuitAllocator>
SipOcsHelper::Complete(Ptr<CircuitAllocator> allocator) const
{
    if (!m_connected)
    {
        return allocator;
    }
    if (m_duplex)
    {
        throw std::invalid_argument("Ways over several circuits are for switches whose circuits "
                                    "lead in one direction, and not for duplex ones");
    }
    const auto connected = CreateObject<ConnectedAllocator>();
    connected->SetAllocator(GetCircuitSwitchAllocator(allocator));
    return connected;
}

void
SipOcsHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    GetCircuitSwitchAllocator(allocator)->SetGeometry(GetGeometry(nNodes));
}

void
SipOcsHelper::Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const
{
    const auto switches = DynamicCast<CircuitSwitchChannel>(channel);
    const auto follower = GetCircuitSwitchAllocator(allocator);
    follower->SetGeometry(switches->GetGeometry());
    switches->TraceConnectWithoutContext(
        "Geometry",
        MakeCallback(&CircuitSwitchAllocator::SetGeometry, follower));
}

void
SipOcsHelper::ConfigureScheduler(Ptr<CircuitScheduler> scheduler, Ptr<OpticalChannel> channel) const
{
    if (m_duplex)
    {
        throw std::invalid_argument("Circuits that change are scheduled one way only: the switches "
                                    "must not be duplex");
    }
    const auto switches = DynamicCast<CircuitSwitchChannel>(channel);
    const auto follow = [scheduler](const CircuitSwitchGeometry& geometry) {
        scheduler->SetPlanes(std::make_shared<CircuitSwitchGeometry>(geometry));
    };
    follow(switches->GetGeometry());
    switches->TraceConnectWithoutContext("Geometry",
                                         Callback<void, const CircuitSwitchGeometry&>(follow));
}

Ptr<CircuitSwitchAllocator>
SipOcsHelper::GetCircuitSwitchAllocator(Ptr<CircuitAllocator> allocator)
{
    const auto switchAllocator = DynamicCast<CircuitSwitchAllocator>(allocator);
    if (!switchAllocator)
    {
        throw std::invalid_argument("A " + allocator->GetInstanceTypeId().GetName() +
                                    " does not know circuit switches: choose a child class of "
                                    "ns3::lightpath::CircuitSwitchAllocator");
    }
    return switchAllocator;
}

void
SipOcsHelper::ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const
{
    DoubleValue length;
    GetChannelAttribute("FibreLength", length);
    limits.latency = GetFibreDelay(2 * length.Get()).GetSeconds();
}

uint32_t
SipOcsHelper::GetDegree() const
{
    return m_nSwitches;
}

uint32_t
SipOcsHelper::GetNCircuits() const
{
    return m_nSwitches;
}

} // namespace lightpath
} // namespace ns3
