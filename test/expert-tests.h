/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_EXPERT_TESTS_H
#define LIGHTPATH_EXPERT_TESTS_H

#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/test.h"

#include <cstdint>
#include <vector>

/// The sizes of a small mixture of experts.
struct ExpertSizes
{
    static constexpr uint64_t LAYERS{4};    //!< Layers with attention and experts
    static constexpr uint64_t HIDDEN{64};   //!< Width of a token, elements
    static constexpr uint64_t KEYS{32};     //!< Width of the keys of a token: 4 of 8 heads
    static constexpr uint64_t INNER{128};   //!< Inner width of an expert, elements
    static constexpr uint64_t SEQUENCE{48}; //!< Tokens of a sample
    static constexpr uint64_t EXPERTS{8};   //!< Experts of a layer
    static constexpr uint64_t CHOICES{2};   //!< Experts of a token
};

/**
 * @ingroup lightpath-tests
 * @param gpus the number of GPUs
 * @param batch the global batch
 * @return a small mixture of 8 experts in each of 4 layers, on GPUs with unlimited memory
 */
ns3::lightpath::PlanningProblem MakeExpertProblem(uint32_t gpus, uint64_t batch);

/**
 * @ingroup lightpath-tests
 * @param d the number of replicas
 * @param e the number of replicas that share out experts
 * @param t the number of GPUs that share an operator
 * @param p the number of stages
 * @return the strategy
 */
ns3::lightpath::Strategy MakeExpertStrategy(uint32_t d, uint32_t e, uint32_t t = 1, uint32_t p = 1);

#endif /* LIGHTPATH_EXPERT_TESTS_H */
