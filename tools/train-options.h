/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRAIN_OPTIONS_H
#define LIGHTPATH_TRAIN_OPTIONS_H

#include "cost-options.h"
#include "critical-path-options.h"
#include "fabric-options.h"
#include "planner-options.h"
#include "program-options.h"
#include "rank-speed-options.h"
#include "report-options.h"
#include "timeline-options.h"
#include "turn-option.h"
#include "workload-options.h"

#include "ns3/nstime.h"
#include "ns3/planner.h"
#include "ns3/planning-problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Whether a few GPUs that stand for all are simulated.
enum class Fold : uint8_t
{
    AUTO, //!< If there are many, and they can
    ON,   //!< Yes
    OFF,  //!< No
};

/**
 * @ingroup lightpath
 * @brief The options of a program that trains a model: those of fabrics, and all others.
 */
struct TrainOptions : FabricOptions
{
    std::string model{"bert-large"}; //!< Name of the model
    std::string accelerator{"A100"}; //!< Name of the accelerator
    std::optional<uint64_t> memory;  //!< Memory of a GPU, unless that of the accelerator
    std::string profile;             //!< Name of the file with measured times
    bool linear{false};              //!< A share of an operator takes that share of its time
    uint32_t gpus{64};               //!< Number of GPUs
    uint64_t batch{1024};            //!< Samples of one iteration, over all GPUs
    std::string fabric{"sip-ring"};  //!< Name of the fabric
    TurnOption turns;                //!< How circuits turn inside operations
    PlannerOptions planner;          //!< Planner and degrees of parallelism
    uint32_t iterations{3};          //!< Training iterations
    WorkloadOptions workload;        //!< Work from files, in place of a model
    RankSpeedOptions speeds;         //!< Slow ranks, and noise
    CostOptions cost;                //!< Power and price
    CriticalPathOptions path;        //!< What decides an iteration
    TimelineOptions timeline;        //!< Timeline of the simulation
    std::string compare;             //!< Names of fabrics, separated by commas
    bool samePlan{false};            //!< The strategy of the first of them is that of all
    std::string json;                //!< Name of the file for JSON
    ReportOptions page;              //!< The page on the run
    ns3::Time timeout;               //!< Longest time of a simulation, by the wall clock; 0: none
    Fold fold{Fold::AUTO};           //!< Whether to simulate a few GPUs that stand for all
    bool explain{false};             //!< Print the reasons for the plan
    bool planningLog{false};         //!< Add the progress of planning to the JSON
    bool planOnly{false};            //!< Plan and report nothing that is simulated
    bool rehearse{true};             //!< Predict plans that are not simulated by a simulation
    bool quiet{false};               //!< Print nothing but errors

    /**
     * @return the names of all fabrics, each of which a transport may follow
     */
    std::vector<std::string> GetNames() const;

    /**
     * @return true if a few GPUs are simulated for all, with Fold::AUTO if they can stand for all
     */
    bool MayFold() const;

    /**
     * @param [out] parsed the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& parsed);

    /**
     * @param name the name of the fabric
     * @param isFirst whether the plan must do with the circuits of the first decision
     * @return the problem of a plan that the fabric can carry
     */
    ns3::lightpath::PlanningProblem MakeProblem(const std::string& name, bool isFirst) const;
};

#endif /* LIGHTPATH_TRAIN_OPTIONS_H */
