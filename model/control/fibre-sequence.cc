/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fibre-sequence.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

FibreSequence::FibreSequence(const CircuitPlan& present, const CircuitPlan& target)
{
    std::set<uint32_t> fibres;
    for (const CircuitPlan* plan : {&present, &target})
    {
        for (const auto& lightpath : plan->GetLightpaths())
        {
            for (const Lane& lane : lightpath.second)
            {
                fibres.insert(lane.fibre);
            }
        }
    }
    m_fibres.assign(fibres.rbegin(), fibres.rend());
}

void
FibreSequence::Advance()
{
    if (!m_fibres.empty())
    {
        m_fibres.pop_back();
    }
}

bool
FibreSequence::IsOver() const
{
    return m_fibres.empty();
}

bool
FibreSequence::IsWaiting(uint32_t fibre) const
{
    return std::binary_search(m_fibres.rbegin(), m_fibres.rend(), fibre);
}

CircuitPlan
FibreSequence::Mix(const CircuitPlan& present, const CircuitPlan& target) const
{
    if (IsOver())
    {
        return target;
    }
    CircuitPlan mixed;
    for (const CircuitPlan* plan : {&present, &target})
    {
        for (const auto& [pair, lanes] : plan->GetLightpaths())
        {
            for (const Lane& lane : lanes)
            {
                if (IsWaiting(lane.fibre) == (plan == &present))
                {
                    mixed.AddLane(pair.first, pair.second, lane);
                }
            }
        }
    }
    return mixed;
}

} // namespace lightpath
} // namespace ns3
