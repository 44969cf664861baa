/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLAN_REPORT_H
#define LIGHTPATH_PLAN_REPORT_H

#include "ns3/training-plan.h"
#include "ns3/validation.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>

/**
 * @ingroup lightpath
 * @brief What a plan comes to, for a person and as JSON.
 */
class PlanReport
{
  public:
    /**
     * @param plan the plan of all GPUs
     */
    explicit PlanReport(const ns3::lightpath::TrainingPlan& plan);

    /**
     * Print the degrees of parallelism, and the predicted or estimated time, in one line.
     *
     * @param os where to print
     */
    void Print(std::ostream& os) const;

    /**
     * Print the memory of the fullest GPU by use, in one line.
     *
     * @param os where to print
     */
    void PrintMemory(std::ostream& os) const;

    /**
     * @return the report as JSON
     */
    nlohmann::ordered_json GetJson() const;

    uint64_t simulatedGpus{0};             //!< GPUs that are simulated
    bool foldsExactly{true};               //!< They take as long as all, to the tick
    bool hasFailures{false};               //!< Parts fail, which only a simulation knows
    std::optional<double> rehearsed;       //!< Simulated time of an iteration, if known, seconds
    double planningSeconds{0};             //!< Time that it took to plan, seconds
    uint64_t planningPeakMemoryBytes{0};   //!< Most memory of the process meanwhile, bytes
    ns3::lightpath::Validation validation; //!< How far predictions are from published times

  private:
    /**
     * @return the degrees of parallelism as JSON, or the workload
     */
    nlohmann::ordered_json GetDegrees() const;

    std::string m_workload;                //!< The workload that the plan was read from, or empty
    ns3::lightpath::Strategy m_strategy;   //!< The degrees of parallelism
    ns3::lightpath::MemoryUse m_memory;    //!< Memory of the fullest GPU
    uint32_t m_degree;                     //!< GPUs that a GPU sends to, at most
    std::string m_network;                 //!< The grid or the links that it asks for, if it does
    ns3::lightpath::Placement m_placement; //!< The port of each rank
    bool m_phaseCircuits;                  //!< Whether circuits are decided on for each phase
    bool m_turnCircuits;                   //!< Whether circuits follow operations
    bool m_isExact{true};                  //!< Whether its price is no estimate
    bool m_lacksDecisions{false};          //!< Whether it leaves out later decisions on circuits
    std::string m_refusal;                 //!< Why it has no price; empty if it has one
    double m_estimatedSeconds;             //!< Time of an iteration by its price, seconds
};

#endif /* LIGHTPATH_PLAN_REPORT_H */
