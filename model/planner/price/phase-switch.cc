/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-switch.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

PhaseSwitch::PhaseSwitch(const PlanCircuits& circuits,
                         const std::vector<uint64_t>& tasks,
                         double seconds,
                         Circuits set)
    : m_circuits(circuits),
      m_counter(tasks),
      m_seconds(seconds),
      m_set(std::move(set))
{
    // The first phase with communication decides on the circuits; earlier ones need none
    uint32_t phase = 0;
    while (phase + 1 < tasks.size() && tasks[phase] == 0)
    {
        ++phase;
    }
    m_setting = m_circuits.GetSetting(phase);
}

void
PhaseSwitch::End(uint32_t iteration, uint32_t phase)
{
    m_hasNewPhase = m_counter.End(iteration, phase) || m_hasNewPhase;
}

bool
PhaseSwitch::Switch(uint32_t iterations)
{
    if (!std::exchange(m_hasNewPhase, false))
    {
        return false;
    }
    const uint32_t setting = m_circuits.GetSetting(m_counter.GetPhase());
    if (setting == m_setting || m_counter.GetIteration() >= iterations)
    {
        return false;
    }
    m_setting = setting;
    ++m_nSwitched;
    m_nCounted += m_counter.GetIteration() + 1 == iterations ? 1 : 0;
    m_set(setting, !(m_seconds > 0));
    return m_seconds > 0;
}

void
PhaseSwitch::Light(uint32_t number)
{
    if (number == m_nSwitched)
    {
        m_set(m_setting, true);
    }
}

uint32_t
PhaseSwitch::GetN() const
{
    return m_nSwitched;
}

uint32_t
PhaseSwitch::GetNLast() const
{
    return m_nCounted;
}

} // namespace lightpath
} // namespace ns3
