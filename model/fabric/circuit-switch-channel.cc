/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-channel.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/log.h"
#include "ns3/microring-filter.h"
#include "ns3/optical-switch.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitSwitchChannel");

NS_OBJECT_ENSURE_REGISTERED(CircuitSwitchChannel);

TypeId
CircuitSwitchChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitSwitchChannel")
            .SetParent<OpticalChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<CircuitSwitchChannel>()
            .AddAttribute("NSwitches",
                          "The number of parallel switches, and so of circuits that a device can "
                          "send and receive on at the same time.",
                          UintegerValue(20),
                          MakeUintegerAccessor(&CircuitSwitchChannel::m_nSwitches),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FibreLength",
                          "The fibre between a device and a switch, in metres.",
                          DoubleValue(20),
                          MakeDoubleAccessor(&CircuitSwitchChannel::m_fibreLength),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("SwitchKind",
                          "The kind of optical switch: mems, piezo, wss or rotor.",
                          StringValue("mems"),
                          MakeStringAccessor(&CircuitSwitchChannel::m_kind),
                          MakeStringChecker())
            .AddAttribute("WavelengthRate",
                          "The rate of a wavelength, of which as many as make up the rate of a "
                          "circuit share its fibre.",
                          DataRateValue(DataRate("25Gbps")),
                          MakeDataRateAccessor(&CircuitSwitchChannel::m_wavelengthRate),
                          MakeDataRateChecker())
            .AddAttribute("Duplex",
                          "Whether circuits are bidirectional, through the same switch.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CircuitSwitchChannel::m_duplex),
                          MakeBooleanChecker())
            .AddTraceSource("Geometry",
                            "The working ports have changed: ports were set, have failed or have "
                            "been repaired.",
                            MakeTraceSourceAccessor(&CircuitSwitchChannel::m_geometryTrace),
                            "ns3::lightpath::CircuitSwitchChannel::GeometryTracedCallback");
    return tid;
}

CircuitSwitchChannel::CircuitSwitchChannel()
    : m_geometry(2, 1)
{
    NS_LOG_FUNCTION(this);
}

uint32_t
CircuitSwitchChannel::GetNSwitches() const
{
    return m_nSwitches;
}

void
CircuitSwitchChannel::DoAdd(uint32_t port)
{
    NS_ABORT_MSG_IF(GetNReconfigurations() > 0 || !m_geometry.IsUniform(),
                    "Device " << port << " cannot be added to switches that are in use: attach all "
                              << "devices before the first plan is configured, before ports are "
                              << "set and before anything fails");
    // A geometry has two devices at least, also while only one is attached
    m_geometry = CircuitSwitchGeometry(std::max(port + 1, 2U), m_nSwitches);
    m_geometry.SetDuplex(m_duplex);
}

const CircuitSwitchGeometry&
CircuitSwitchChannel::GetGeometry() const
{
    NS_ABORT_MSG_IF(GetNDevices() < 2,
                    "Circuit switches need 2 devices at least, but " << GetNDevices()
                                                                     << " are attached");
    NS_ABORT_MSG_IF(m_geometry.GetNSwitches() != m_nSwitches || m_geometry.IsDuplex() != m_duplex,
                    "NSwitches and Duplex of circuit switches must be set before devices are "
                    "attached");
    return m_geometry;
}

void
CircuitSwitchChannel::SetNPorts(uint32_t circuitSwitch, uint32_t ports)
{
    NS_LOG_FUNCTION(this << circuitSwitch << ports);
    NS_ABORT_MSG_IF(GetNReconfigurations() > 0,
                    "The ports of switch " << circuitSwitch << " must be set before the first plan "
                                           << "is configured");
    GetGeometry(); // checks the attributes
    m_geometry.SetNPorts(circuitSwitch, ports);
    m_geometryTrace(m_geometry);
}

std::string
CircuitSwitchChannel::DoSetFailed(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    GetGeometry(); // checks the attributes
    const std::string refusal = m_geometry.TrySetFailed(component, failed);
    if (refusal.empty())
    {
        m_geometryTrace(m_geometry);
    }
    return refusal;
}

std::string
CircuitSwitchChannel::GetFabricName() const
{
    return "sip-ocs";
}

FabricPlant
CircuitSwitchChannel::GetPlant() const
{
    // A job of one GPU asks as well, which makes no circuits
    FabricPlant plant;
    for (uint32_t i = 0; i < m_geometry.GetNSwitches(); ++i)
    {
        const uint32_t ports = m_geometry.GetNPorts(i);
        // Where light matters, a switch that is too large to exist is made of stages
        const uint32_t whole = GetNLightPorts() > GetNDevices() ? GetNLightPorts() : ports;
        const uint32_t stages = GetPhysicalLayer() == NONE
                                    ? 1
                                    : std::max(OpticalSwitch::Create(m_kind)->GetStages(whole), 1U);
        plant.nSwitchPorts += uint64_t{stages} * ports;
        plant.nFibres += uint64_t{stages + 1} * ports;
    }
    return plant;
}

bool
CircuitSwitchChannel::IsIntact(PortPair pair, Lane lane) const
{
    return m_geometry.CanJoin(pair.first, pair.second, lane.fibre);
}

bool
CircuitSwitchChannel::HasPath(uint32_t source, uint32_t destination) const
{
    return GetGeometry().HasPath(source, destination);
}

CircuitPlan
CircuitSwitchChannel::Extend(const CircuitPlan& plan, const CircuitPlan& more) const
{
    return GetGeometry().Extend(plan, more);
}

OpticalPath
CircuitSwitchChannel::MakePath(uint32_t hops, uint32_t nPorts) const
{
    OpticalPath path = OpticalLink::MakeSwitchPath(m_kind, nPorts, m_fibreLength);
    if (GetFibreWavelengths() > 1)
    {
        // A ring separates each wavelength from the others
        path.emplace_back(CreateObject<MicroringFilter>(), 1);
    }
    return path;
}

uint32_t
CircuitSwitchChannel::GetFibreWavelengths() const
{
    // A circuit has as many wavelengths as make up its rate
    const uint64_t rate = m_wavelengthRate.GetBitRate();
    return (GetLaneRate().GetBitRate() + rate - 1) / rate;
}

std::string
CircuitSwitchChannel::CheckTurns() const
{
    return OpticalSwitch::Create(m_kind)->CheckTurn(GetSwitchingDelay());
}

bool
CircuitSwitchChannel::HasTurned() const
{
    // Circuits that are set once may be set before
    return GetNReconfigurations() > 1;
}

DataRate
CircuitSwitchChannel::GetWavelengthRate() const
{
    return m_wavelengthRate;
}

Time
CircuitSwitchChannel::GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const
{
    return GetFibreDelay(2 * m_fibreLength);
}

std::string
CircuitSwitchChannel::DoCheck(const CircuitPlan& plan) const
{
    // An empty plan suits any number of devices
    return plan.GetLightpaths().empty() ? "" : GetGeometry().FindConflict(plan);
}

} // namespace lightpath
} // namespace ns3
