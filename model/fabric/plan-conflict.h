/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CONFLICT_H
#define PLAN_CONFLICT_H

#include "circuit-plan.h"

#include <cstddef>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param plan a plan
 * @param nPorts the number of ports of a fabric
 * @return the sentence that names the first conflict for which no fabric of so many ports can carry
 *         the plan: a port that does not exist, a lightpath from a port to itself, or a lane that
 *         a lightpath has twice; empty if there is none
 */
std::string GetPlanConflict(const CircuitPlan& plan, std::size_t nPorts);

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CONFLICT_H */
