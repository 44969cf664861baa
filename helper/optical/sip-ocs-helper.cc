/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ocs-helper.h"

#include "model/control/switches/connected-allocator.h"
#include "refusal.h"

#include "ns3/boolean.h"
#include "ns3/circuit-switch-allocator.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/optical-switch.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <string>

namespace ns3
{
namespace lightpath
{

SipOcsHelper::SipOcsHelper()
    : CircuitFabricHelper("ns3::lightpath::CircuitSwitchChannel",
                          "ns3::lightpath::CircuitSwitchMaxMinAllocator",
                          DataRate("2000Gbps")),
      m_wavelengthRate(GetSetting<DataRateValue>("LaneRate"))
{
    SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(10)));
}

void
SipOcsHelper::SetNSwitches(uint32_t nSwitches)
{
    SetChannelAttribute("NSwitches", UintegerValue(nSwitches));
}

void
SipOcsHelper::SetDuplex(bool duplex)
{
    SetChannelAttribute("Duplex", BooleanValue(duplex));
}

void
SipOcsHelper::SetWavelengthRate(DataRate rate)
{
    m_wavelengthRate = rate;
}

DataRate
SipOcsHelper::GetWavelengthRate() const
{
    return m_wavelengthRate;
}

uint32_t
SipOcsHelper::GetNSwitches() const
{
    return GetCountSetting("NSwitches");
}

bool
SipOcsHelper::IsDuplex() const
{
    return GetSetting<BooleanValue>("Duplex");
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
        {"slowest-pair",
         "ns3::lightpath::SlowestPairAllocator",
         "smallest circuits of a pair over its demand in both directions, relative to the largest "
         "demand"},
        {"birkhoff",
         "ns3::lightpath::BirkhoffScheduler",
         "time of all slots, with the darkness before each of them"},
        {"solstice",
         "ns3::lightpath::SolsticeScheduler",
         "time of all slots, with the darkness before each of them"},
        {"eclipse",
         "ns3::lightpath::EclipseScheduler",
         "time of all slots, with the darkness before each of them"},
        {"heavy",
         "ns3::lightpath::HeavyScheduler",
         "time of all slots, with the darkness before each of them"},
        {"rotor",
         "ns3::lightpath::RotorScheduler",
         "time of one cycle, with the darkness before each slot"},
    };
}

std::string
SipOcsHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    return GetGeometry(nNodes).TrySetFailed(component, true);
}

CircuitSwitchGeometry
SipOcsHelper::GetGeometry(uint32_t nNodes) const
{
    CircuitSwitchGeometry geometry(nNodes, GetNSwitches());
    geometry.SetDuplex(IsDuplex());
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

std::string
SipOcsHelper::Check(uint32_t nNodes) const
{
    if (!m_nPorts.empty() && m_nPorts.rbegin()->first >= GetNSwitches())
    {
        return "There is no switch " + std::to_string(m_nPorts.rbegin()->first) +
               ", which was given ports: the last one is " + std::to_string(GetNSwitches() - 1);
    }
    StringValue kind;
    GetSetting("SwitchKind", kind);
    std::string refusal = GetRefusal([&] { OpticalSwitch::Create(kind.Get()); });
    if (kind.Get() == "awgr")
    {
        refusal = "An arrayed waveguide grating has no circuits to switch: the SwitchKind is mems, "
                  "piezo, rotor or wss";
    }
    if (!refusal.empty())
    {
        return refusal;
    }
    if (m_connected && IsDuplex())
    {
        return "Ways over several circuits are for switches whose circuits lead in one direction, "
               "and not for duplex ones";
    }
    return CircuitFabricHelper::Check(nNodes);
}

std::vector<FabricHelper::DerivedAttribute>
SipOcsHelper::GetDerived() const
{
    return {
        {"LaneRate",
         "the bandwidth of a node and NSwitches",
         ns3::Create<DataRateValue>(DataRate(GetBandwidth().GetBitRate() / GetNSwitches()))},
        {"WavelengthRate", "SetWavelengthRate()", ns3::Create<DataRateValue>(m_wavelengthRate)}};
}

std::string
SipOcsHelper::CheckAllocator(TypeId type) const
{
    return type.IsChildOf(CircuitSwitchAllocator::GetTypeId())
               ? ""
               : "A " + type.GetName() +
                     " does not know circuit switches: choose a child class of "
                     "ns3::lightpath::CircuitSwitchAllocator";
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
    const auto connected = CreateObject<ConnectedAllocator>();
    connected->SetAllocator(DynamicCast<CircuitSwitchAllocator>(allocator));
    return connected;
}

std::pair<uint32_t, std::string>
SipOcsHelper::GetSliceable() const
{
    return {GetNSwitches(), "switches"};
}

void
SipOcsHelper::KeepShare(uint32_t count)
{
    SetNSwitches(count);
}

void
SipOcsHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    DynamicCast<CircuitSwitchAllocator>(allocator)->SetGeometry(GetGeometry(nNodes));
}

void
SipOcsHelper::Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const
{
    const auto switches = DynamicCast<CircuitSwitchChannel>(channel);
    const auto follower = DynamicCast<CircuitSwitchAllocator>(allocator);
    follower->SetGeometry(switches->GetGeometry());
    switches->TraceConnectWithoutContext(
        "Geometry",
        MakeCallback(&CircuitSwitchAllocator::SetGeometry, follower));
}

std::string
SipOcsHelper::PrepareScheduler(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const
{
    if (IsDuplex())
    {
        return "Circuits that change are scheduled one way only: the switches must not be duplex";
    }
    scheduler->SetPlanes(std::make_shared<CircuitSwitchGeometry>(GetGeometry(nNodes)));
    return "";
}

void
SipOcsHelper::ConfigureScheduler(Ptr<CircuitScheduler> scheduler, Ptr<OpticalChannel> channel) const
{
    const auto switches = DynamicCast<CircuitSwitchChannel>(channel);
    const auto follow = [scheduler](const CircuitSwitchGeometry& geometry) {
        const std::string refusal = GetRefusal(
            [&] { scheduler->SetPlanes(std::make_shared<CircuitSwitchGeometry>(geometry)); });
        NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    };
    follow(switches->GetGeometry());
    switches->TraceConnectWithoutContext("Geometry",
                                         Callback<void, const CircuitSwitchGeometry&>(follow));
}

Time
SipOcsHelper::GetPathDelay() const
{
    return GetFibreDelay(2 * GetSetting<DoubleValue>("FibreLength"));
}

bool
SipOcsHelper::CanTurn() const
{
    return !IsDuplex();
}

uint32_t
SipOcsHelper::GetDegree() const
{
    return GetNSwitches();
}

uint32_t
SipOcsHelper::GetNCircuits() const
{
    return GetNSwitches();
}

} // namespace lightpath
} // namespace ns3
