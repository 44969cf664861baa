/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_STAGE_TESTS_H
#define LIGHTPATH_STAGE_TESTS_H

#include "ns3/fixed-planner.h"
#include "ns3/planning-problem.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

/// Settings of a FixedPlanner.
struct StageSettings
{
    uint32_t tensor{1};     //!< TensorParallel
    uint32_t pipeline{1};   //!< PipelineParallel
    uint32_t chunks{1};     //!< VirtualStages
    uint64_t microbatch{0}; //!< Microbatch
    ns3::lightpath::Recomputation recomputation{
        ns3::lightpath::Recomputation::NONE}; //!< Recomputation
    bool sequence{false};                     //!< SequenceParallel
    uint32_t zero{0};                         //!< ZeroStage
    uint32_t expert{1};                       //!< ExpertParallel
};

/**
 * @ingroup lightpath-tests
 * @param problem the problem
 * @param settings the settings of the planner
 * @return the plan
 */
ns3::lightpath::TrainingPlan MakeStagePlan(const ns3::lightpath::PlanningProblem& problem,
                                           const StageSettings& settings);

/**
 * @ingroup lightpath-tests
 * @param model the name of the model
 * @param gpus the number of GPUs
 * @param batch the global batch
 * @return a problem with GPUs of unlimited memory
 */
ns3::lightpath::PlanningProblem MakeStageProblem(const std::string& model,
                                                 uint32_t gpus,
                                                 uint64_t batch);

#endif /* LIGHTPATH_STAGE_TESTS_H */
