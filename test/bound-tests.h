/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_BOUND_TESTS_H
#define LIGHTPATH_BOUND_TESTS_H

#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param layers the number of layers
 * @param random a source of random numbers
 * @return a chain of operators, one to three to a layer, of random splits, with gradients of
 *         inputs and of parameters apart
 */
ns3::lightpath::OperatorGraph MakeBoundChain(uint32_t layers,
                                             ns3::Ptr<ns3::UniformRandomVariable> random);

/**
 * @ingroup lightpath-tests
 * @param kind 0: circuits; 1: circuits of several lanes and latencies; 2: servers; 3: a packet
 *        switch
 * @return a fabric
 */
ns3::lightpath::FabricLimits MakeBoundLimits(uint32_t kind);

#endif /* LIGHTPATH_BOUND_TESTS_H */
