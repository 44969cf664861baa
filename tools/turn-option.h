/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TURN_OPTION_H
#define LIGHTPATH_TURN_OPTION_H

#include "program-options.h"

#include "ns3/collective-schedule.h"
#include "ns3/planning-problem.h"
#include "ns3/rank-program.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The option of how circuits turn inside a collective operation.
 */
class TurnOption
{
  public:
    /**
     * @return the names of the fabrics that the option belongs to
     */
    static const std::vector<std::string>& GetOwners();

    /**
     * @param [out] options the options of the program, to which this one is added
     */
    void AddTo(ProgramOptions& options);

    /**
     * @param [out] options the options of a program of jobs, to which --turns is added
     */
    void AddMap(ProgramOptions& options);

    /**
     * @return true if the map of a job is asked for
     */
    bool WantsMap() const
    {
        return m_wantsMap;
    }

    /**
     * Price a plan for each time to turn.
     *
     * @param limits a fabric of the option; std::invalid_argument, with a sentence, if its circuits
     *        cannot follow operations
     * @param plan the plan
     * @return the time to turn from which circuits had better stay inside operations, and what an
     *         iteration takes, by the time to turn: with turns for each step, with circuits that
     *         stay, and with the best of all; seconds
     */
    static nlohmann::ordered_json MakeMap(ns3::lightpath::FabricLimits limits,
                                          ns3::lightpath::TrainingPlan plan);

    /**
     * @param map what MakeMap() found
     * @return the map as a table
     */
    static std::string GetText(const nlohmann::ordered_json& map);

    /**
     * @return true if circuits turn inside operations
     */
    bool IsSet() const
    {
        return !m_name.empty();
    }

    /**
     * Refuse, by std::invalid_argument, options that contradict it.
     *
     * @param algorithm the name of the algorithm
     * @param limits the fabric
     * @param task the operation
     */
    void Check(const std::string& algorithm,
               const ns3::lightpath::FabricLimits& limits,
               const ns3::lightpath::Task& task) const;

    /**
     * @param limits the fabric
     * @param task an operation
     * @param ranks the number of ranks
     * @param bytes the size of the buffer as it is sent, bytes
     * @return the operation with topologies, which TurnSequence::words begins with the method of
     */
    ns3::lightpath::CollectiveOptions Choose(const ns3::lightpath::FabricLimits& limits,
                                             const ns3::lightpath::Task& task,
                                             uint32_t ranks,
                                             uint64_t bytes) const;

    /**
     * @param limits the fabric
     * @param task an operation with topologies
     * @param ranks the number of ranks
     * @param bytes the size of the buffer as it is sent, bytes
     * @return its time in seconds, by TurnClock
     */
    static double GetSeconds(const ns3::lightpath::FabricLimits& limits,
                             const ns3::lightpath::Task& task,
                             uint32_t ranks,
                             uint64_t bytes);

    /**
     * Let planners give topologies to the operations of jobs, if the option is set and belongs to
     * the fabric.
     *
     * @param fabric the name of the fabric
     * @param [in,out] limits the fabric; std::invalid_argument, with a sentence, if its circuits
     *        cannot follow operations
     */
    void Configure(const std::string& fabric, ns3::lightpath::FabricLimits& limits) const;

    /**
     * @param task an operation
     * @return its topologies in words; empty without any
     */
    static std::string Describe(const ns3::lightpath::Task& task);

  private:
    std::string m_name;     //!< The method, "best", or empty
    bool m_wantsMap{false}; //!< Whether the map of a job is asked for
};

#endif /* LIGHTPATH_TURN_OPTION_H */
