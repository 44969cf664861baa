/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-geometry.h"

#include "model/device/component-name.h"

#include "ns3/abort.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace lightpath
{

CircuitSwitchGeometry::CircuitSwitchGeometry(uint32_t devices, uint32_t switches)
    : m_devices(devices),
      m_ports(switches, devices)
{
    NS_ABORT_MSG_IF(devices < 2 || switches < 1,
                    "Circuit switches need at least 2 devices and 1 switch, not "
                        << devices << " and " << switches);
}

uint32_t
CircuitSwitchGeometry::GetNDevices() const
{
    return m_devices;
}

uint32_t
CircuitSwitchGeometry::GetNSwitches() const
{
    return m_ports.size();
}

void
CircuitSwitchGeometry::SetNPorts(uint32_t circuitSwitch, uint32_t ports)
{
    NS_ABORT_MSG_IF(circuitSwitch >= m_ports.size(),
                    "There is no switch " << circuitSwitch << ": the last one is "
                                          << m_ports.size() - 1);
    m_ports[circuitSwitch] = std::min(ports, m_devices);
}

uint32_t
CircuitSwitchGeometry::GetNPorts(uint32_t circuitSwitch) const
{
    return m_ports.at(circuitSwitch);
}

void
CircuitSwitchGeometry::SetDuplex(bool duplex)
{
    m_duplex = duplex;
}

bool
CircuitSwitchGeometry::IsDuplex() const
{
    return m_duplex;
}

void
CircuitSwitchGeometry::SetFailed(const std::string& component, bool failed)
{
    const std::string refusal = TrySetFailed(component, failed);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

std::string
CircuitSwitchGeometry::TrySetFailed(const std::string& component, bool failed)
{
    ComponentName name(component);
    const uint32_t switches = m_ports.size();
    if (name.Is("switch", {switches}))
    {
        SetMember(m_failedSwitches, name.Get(0), failed);
        return "";
    }
    // The range of the second index depends on the switch that the first one names
    const std::vector<uint32_t> sizes{switches, name.Get(0) < switches ? m_ports[name.Get(0)] : 0};
    const bool isPort = name.Is("port", sizes);
    const bool isInput = isPort || name.Is("input", sizes);
    const bool isOutput = isPort || name.Is("output", sizes);
    const auto port = std::make_pair(name.Get(0), name.Get(1));
    if (isInput)
    {
        SetMember(m_failedInputs, port, failed);
    }
    if (isOutput)
    {
        SetMember(m_failedOutputs, port, failed);
    }
    return isInput || isOutput
               ? ""
               : name.GetRefusal("Circuit switches have no component '" + component +
                                 "': name one like switch:3, port:3:5, input:3:5 or output:3:5 "
                                 "(switch, device)");
}

bool
CircuitSwitchGeometry::HasInput(uint32_t circuitSwitch, uint32_t device) const
{
    return device < m_ports[circuitSwitch] && m_failedSwitches.count(circuitSwitch) == 0 &&
           m_failedInputs.count({circuitSwitch, device}) == 0;
}

bool
CircuitSwitchGeometry::HasOutput(uint32_t circuitSwitch, uint32_t device) const
{
    return device < m_ports[circuitSwitch] && m_failedSwitches.count(circuitSwitch) == 0 &&
           m_failedOutputs.count({circuitSwitch, device}) == 0;
}

bool
CircuitSwitchGeometry::IsUniform() const
{
    const auto isWhole = [this](uint32_t ports) { return ports == m_devices; };
    return std::all_of(m_ports.begin(), m_ports.end(), isWhole) && m_failedSwitches.empty() &&
           m_failedInputs.empty() && m_failedOutputs.empty();
}

bool
CircuitSwitchGeometry::CanJoin(uint32_t source, uint32_t destination, uint32_t circuitSwitch) const
{
    // A duplex circuit also needs the ports of its reverse
    const bool there = HasInput(circuitSwitch, source) && HasOutput(circuitSwitch, destination);
    const bool back = HasInput(circuitSwitch, destination) && HasOutput(circuitSwitch, source);
    return source != destination && there && (back || !m_duplex);
}

bool
CircuitSwitchGeometry::HasPath(uint32_t source, uint32_t destination) const
{
    for (uint32_t circuitSwitch = 0; circuitSwitch < m_ports.size(); ++circuitSwitch)
    {
        if (CanJoin(source, destination, circuitSwitch))
        {
            return true;
        }
    }
    return false;
}

uint32_t
CircuitSwitchGeometry::GetNPorts() const
{
    return m_devices;
}

uint32_t
CircuitSwitchGeometry::GetNPlanes() const
{
    return m_ports.size();
}

std::optional<Lane>
CircuitSwitchGeometry::FindLane(uint32_t source, uint32_t destination, uint32_t plane) const
{
    return CanJoin(source, destination, plane) ? std::optional<Lane>(Lane{plane, 0}) : std::nullopt;
}

std::string
CircuitSwitchGeometry::FindConflict(const CircuitPlan& plan) const
{
    const std::size_t ports = m_devices;
    const std::size_t switches = m_ports.size();
    // The circuit on each input and each output of each switch, to find a second one
    std::vector<const PortPair*> inputs(switches * ports, nullptr);
    std::vector<const PortPair*> outputs(switches * ports, nullptr);
    std::ostringstream sentence;
    for (const auto& lightpath : plan.GetLightpaths())
    {
        const PortPair& pair = lightpath.first;
        for (const auto& lane : lightpath.second)
        {
            if (lane.fibre >= switches || lane.wavelength != 0)
            {
                sentence << "The circuit from port " << pair.first << " to port " << pair.second
                         << " uses lane " << lane.wavelength << " of switch " << lane.fibre
                         << ", but there are " << switches
                         << " switches, numbered from 0, with lane 0 only";
                return sentence.str();
            }
            // A duplex circuit needs its reverse on the same switch
            const auto& back = plan.GetLanes(pair.second, pair.first);
            if (m_duplex && !std::binary_search(back.begin(), back.end(), lane))
            {
                sentence << "The circuit from port " << pair.first << " to port " << pair.second
                         << " on switch " << lane.fibre
                         << " lacks the one back, which duplex switches join with it";
                return sentence.str();
            }
            if (!CanJoin(pair.first, pair.second, lane.fibre))
            {
                sentence << "The circuit from port " << pair.first << " to port " << pair.second
                         << " uses switch " << lane.fibre
                         << ", where a port of them has failed or does not exist";
                return sentence.str();
            }
            // Each input and each output carries one circuit
            const PortPair*& input = inputs[lane.fibre * ports + pair.first];
            const PortPair*& output = outputs[lane.fibre * ports + pair.second];
            const PortPair* other = input ? input : output;
            if (other)
            {
                sentence << "The circuits from port " << other->first << " to port "
                         << other->second << " and from port " << pair.first << " to port "
                         << pair.second << " both use the " << (input ? "input" : "output")
                         << " of port " << (input ? pair.first : pair.second) << " on switch "
                         << lane.fibre << "; it carries one circuit";
                return sentence.str();
            }
            input = &pair;
            output = &pair;
        }
    }
    return "";
}

CircuitPlan
CircuitSwitchGeometry::Extend(const CircuitPlan& plan, const CircuitPlan& more) const
{
    const std::size_t ports = m_devices;
    std::vector<bool> inputs(m_ports.size() * ports, false);
    std::vector<bool> outputs(m_ports.size() * ports, false);
    CircuitPlan whole = plan;
    for (const CircuitPlan* each : {&plan, &more})
    {
        for (const auto& [pair, lanes] : each->GetLightpaths())
        {
            std::vector<Lane> fitting;
            for (const Lane& lane : lanes)
            {
                // Both directions of a duplex circuit are free, or none is
                const std::size_t input = lane.fibre * ports + pair.first;
                const std::size_t output = lane.fibre * ports + pair.second;
                if (!inputs[input] && !outputs[output])
                {
                    inputs[input] = true;
                    outputs[output] = true;
                    fitting.push_back(lane);
                }
            }
            if (each == &more)
            {
                whole.AddLanes(pair.first, pair.second, std::move(fitting));
            }
        }
    }
    return whole;
}

} // namespace lightpath
} // namespace ns3
