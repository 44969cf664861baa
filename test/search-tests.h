/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SEARCH_TESTS_H
#define LIGHTPATH_SEARCH_TESTS_H

#include "planner-tests.h"

#include "ns3/planning-problem.h"

#include <cstdint>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param layers the number of layers
 * @param random the source of random numbers
 * @return a chain of layers with one forward operator each, every second one split by input and the
 *         others by output, and their backward operators and updates
 */
ns3::lightpath::OperatorGraph MakeRandomChain(uint32_t layers,
                                              ns3::Ptr<ns3::UniformRandomVariable> random);

/**
 * @ingroup lightpath-tests
 * @param gpus the number of GPUs
 * @param circuits the circuits of a GPU
 * @param delay the time to switch them, in seconds
 * @return a fabric of parallel circuit switches
 */
ns3::lightpath::FabricLimits MakeSwitchLimits(uint32_t gpus, uint32_t circuits, double delay);

#endif /* LIGHTPATH_SEARCH_TESTS_H */
