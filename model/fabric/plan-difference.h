/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_DIFFERENCE_H
#define PLAN_DIFFERENCE_H

#include "circuit-plan.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param a a plan
 * @param b another plan
 * @return the ports, in ascending order, between which the two have different lanes
 */
std::vector<PortPair> GetDifference(const CircuitPlan& a, const CircuitPlan& b);

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_DIFFERENCE_H */
