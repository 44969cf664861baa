/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNED_TRAINING_H
#define LIGHTPATH_PLANNED_TRAINING_H

#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/validation.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

class FabricRefusals;
struct TrainOptions;

/**
 * @ingroup lightpath
 * @brief A plan, and the fabric that carries it.
 */
struct PlannedTraining
{
    /**
     * Plan for each fabric.
     *
     * @param options the options
     * @param [in,out] refusals the fabrics, of which those are refused that have no plan
     * @return the plans
     */
    static std::vector<PlannedTraining> MakeAll(const TrainOptions& options,
                                                FabricRefusals& refusals);

    /**
     * Print a line for each fabric on which iterations after the first take far more or less than
     * the plan predicts: plans were chosen by what it predicts.
     *
     * @param os the output stream
     * @param plans the plans
     * @param reports what the simulations have found
     * @param hasFailures whether parts have failed, which no plan predicts
     */
    static void PrintMisses(std::ostream& os,
                            const std::vector<PlannedTraining>& plans,
                            const std::vector<ns3::lightpath::TrainingReport>& reports,
                            bool hasFailures);

    std::string name;                  //!< The fabric, which a transport may follow
    ns3::lightpath::TrainingPlan plan; //!< The plan that is simulated
    uint32_t serverGpus;               //!< The ranks that share a server, if the fabric has servers
    std::string text;                  //!< The plan for a person
    nlohmann::ordered_json json;       //!< The plan as JSON
    std::optional<ns3::lightpath::IterationWork> work; //!< The work of an iteration of a model
    std::optional<ns3::lightpath::LightVerdict> light; //!< Its light, if a rehearsal has found it
    ns3::lightpath::Validation validation;             //!< How far times are from published ones
};

#endif /* LIGHTPATH_PLANNED_TRAINING_H */
