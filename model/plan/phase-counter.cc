/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-counter.h"

#include "ns3/assert.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

PhaseCounter::PhaseCounter(std::vector<uint64_t> tasks)
    : m_tasks(std::move(tasks)),
      m_left(1, m_tasks)
{
    // Begin with the first phase that has tasks
    while (m_phase + 1 < m_tasks.size() && m_tasks[m_phase] == 0)
    {
        ++m_phase;
    }
}

bool
PhaseCounter::End(uint32_t iteration, uint32_t phase)
{
    NS_ASSERT_MSG(iteration >= m_iteration, "A task of a past iteration has ended");
    // Ranks may be iterations ahead
    while (m_left.size() <= iteration - m_iteration)
    {
        m_left.push_back(m_tasks);
    }
    uint64_t& left = m_left[iteration - m_iteration][phase];
    NS_ASSERT_MSG(left > 0, "More tasks have ended than there are");
    --left;
    bool next = false;
    // Go on to the next phase that has tasks left
    while (m_left.front()[m_phase] == 0)
    {
        next = true;
        if (++m_phase < m_tasks.size())
        {
            continue;
        }
        m_phase = 0;
        ++m_iteration;
        m_left.pop_front();
        if (m_left.empty())
        {
            m_left.push_back(m_tasks);
        }
    }
    return next;
}

uint32_t
PhaseCounter::GetIteration() const
{
    return m_iteration;
}

uint32_t
PhaseCounter::GetPhase() const
{
    return m_phase;
}

} // namespace lightpath
} // namespace ns3
