/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-difference.h"

#include <iterator>

namespace ns3
{
namespace lightpath
{

std::vector<PortPair>
GetDifference(const CircuitPlan& a, const CircuitPlan& b)
{
    std::vector<PortPair> different;
    const auto& allOfA = a.GetLightpaths();
    const auto& allOfB = b.GetLightpaths();
    auto ofA = allOfA.begin();
    auto ofB = allOfB.begin();
    while (ofA != allOfA.end() || ofB != allOfB.end())
    {
        const bool isInA = ofB == allOfB.end() || (ofA != allOfA.end() && ofA->first <= ofB->first);
        const bool isInB = ofA == allOfA.end() || (ofB != allOfB.end() && ofB->first <= ofA->first);
        if (!isInA || !isInB || ofA->second != ofB->second)
        {
            different.push_back(isInA ? ofA->first : ofB->first);
        }
        ofA = isInA ? std::next(ofA) : ofA;
        ofB = isInB ? std::next(ofB) : ofB;
    }
    return different;
}

} // namespace lightpath
} // namespace ns3
