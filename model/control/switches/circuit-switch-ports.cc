/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-ports.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace lightpath
{

CircuitSwitchPorts::CircuitSwitchPorts(const CircuitSwitchGeometry& geometry)
    : m_switches(geometry.GetNSwitches()),
      m_inputs(geometry.GetNDevices(), 0),
      m_outputs(geometry.GetNDevices(), 0)
{
    const uint32_t devices = geometry.GetNDevices();
    std::map<std::pair<std::vector<bool>, std::vector<bool>>, std::size_t> found;
    for (uint32_t index = 0; index < m_switches; ++index)
    {
        Group group{{}, std::vector<bool>(devices), std::vector<bool>(devices)};
        for (uint32_t device = 0; device < devices; ++device)
        {
            const bool input = geometry.HasInput(index, device);
            const bool output = geometry.HasOutput(index, device);
            group.inputs[device] = input && (output || !geometry.IsDuplex());
            group.outputs[device] = output && (input || !geometry.IsDuplex());
        }
        if (std::count(group.inputs.begin(), group.inputs.end(), true) == 0 ||
            std::count(group.outputs.begin(), group.outputs.end(), true) == 0)
        {
            continue;
        }
        const auto entry = found.try_emplace({group.inputs, group.outputs}, m_groups.size());
        if (entry.second)
        {
            m_groups.push_back(std::move(group));
        }
        Group& joined = m_groups[entry.first->second];
        joined.switches.push_back(index);
        for (uint32_t device = 0; device < devices; ++device)
        {
            m_inputs[device] += joined.inputs[device] ? 1 : 0;
            m_outputs[device] += joined.outputs[device] ? 1 : 0;
        }
    }
}

uint32_t
CircuitSwitchPorts::GetNDevices() const
{
    return m_inputs.size();
}

uint32_t
CircuitSwitchPorts::GetNSwitches() const
{
    return m_switches;
}

const std::vector<CircuitSwitchPorts::Group>&
CircuitSwitchPorts::GetGroups() const
{
    return m_groups;
}

const std::vector<uint32_t>&
CircuitSwitchPorts::GetInputs() const
{
    return m_inputs;
}

const std::vector<uint32_t>&
CircuitSwitchPorts::GetOutputs() const
{
    return m_outputs;
}

uint32_t
CircuitSwitchPorts::CountJoining(uint32_t source, uint32_t destination) const
{
    uint32_t count = 0;
    for (const Group& group : m_groups)
    {
        count += group.inputs[source] && group.outputs[destination] ? group.switches.size() : 0;
    }
    return count;
}

} // namespace lightpath
} // namespace ns3
