/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNER_CASES_H
#define LIGHTPATH_PLANNER_CASES_H

#include "ns3/fabric-helper.h"
#include "ns3/planner.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief A job on a fabric that planners are compared on, which lightpath-train takes by the
 * options of the same names.
 */
struct PlannerCase
{
    std::string model;        //!< Name of the model, with options
    uint32_t gpus{0};         //!< Number of GPUs (A100)
    uint64_t batch{0};        //!< Samples of one iteration, over all GPUs
    std::string fabric;       //!< Name of the fabric
    std::string bandwidth;    //!< Rate of one GPU into the fabric, like 500Gbps
    std::string darkness{""}; //!< Darkness while circuits are switched; empty without circuits

    /**
     * @return the model, the GPUs, the batch and the fabric in one word
     */
    std::string GetName() const;

    /**
     * @return what installs the fabric
     */
    std::unique_ptr<ns3::lightpath::FabricHelper> MakeFabric() const;

    /**
     * @return what is to be planned
     */
    ns3::lightpath::PlanningProblem MakeProblem() const;
};

/**
 * @param pattern a part of the name, in which * stands for any characters and ? for one
 * @return the cases that have it; std::invalid_argument if there is none
 */
std::vector<PlannerCase> GetPlannerCases(const std::string& pattern);

/**
 * @return the cases by which the quality of a plan over the time of planning is shown
 */
std::vector<PlannerCase> GetCurveCases();

#endif /* LIGHTPATH_PLANNER_CASES_H */
