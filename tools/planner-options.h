/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNER_OPTIONS_H
#define LIGHTPATH_PLANNER_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/planner.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The options of a command line that say how a model is spread over the GPUs.
 */
class PlannerOptions
{
  public:
    /**
     * Make a planner with its defaults: of those that search, the one that decides everything by
     * itself; fixed is data parallelism alone.
     *
     * @param name its name; std::invalid_argument, which lists the known ones, for any other
     * @return the planner
     */
    static ns3::Ptr<ns3::lightpath::Planner> Create(const std::string& name);

    /**
     * Limit the time that a planner may take.
     *
     * @param [out] planner the planner
     * @param time the time; std::invalid_argument if it is 0
     * @return false if the planner has no such limit
     */
    static bool SetPlanningTime(ns3::lightpath::Planner& planner, const std::string& time);

    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd);

    /// Refuse numbers that no planner would look at.
    void Check() const;

    /**
     * Refuse more tensor parallelism than a model of the zoo has attention heads.
     *
     * @param name the name of the model
     */
    void CheckModel(const std::string& name) const;

    /**
     * @return the planner
     */
    ns3::Ptr<ns3::lightpath::Planner> MakePlanner() const;

    /**
     * @return the name of the planner
     */
    const std::string& GetName() const;

  private:
    /**
     * @return the planner with the degrees that the options give
     */
    ns3::Ptr<ns3::lightpath::Planner> MakeFixedPlanner() const;

    /// Refuse options that the planner does not look at.
    void CheckBelonging() const;

    std::string m_planner{"sip-ml"};      //!< Name of the planner
    std::string m_planningTime;           //!< Time that the planner may take, empty for the default
    int64_t m_seed{0};                    //!< What random moves follow from, 0 for the default
    std::string m_splitMode;              //!< What pieces are a share of, empty for the default
    int64_t m_dp{0};                      //!< Data-parallel degree, 0 for what the others leave
    int64_t m_tp{0};                      //!< Tensor-parallel degree, 0 for 1
    int64_t m_pp{0};                      //!< Pipeline stages, 0 for 1
    int64_t m_ep{0};                      //!< Replicas that share out experts, 0 for 1
    int64_t m_virtualStages{0};           //!< Parts of the layers of each stage, 0 for 1
    int64_t m_microbatch{0};              //!< Samples of a microbatch, 0 for all
    std::string m_recompute{"none"};      //!< What the backward pass computes anew
    bool m_sequenceParallel{false};       //!< Whether what tensor parallelism replicates is split
    int64_t m_zero{0};                    //!< Stage of sharing out state over the replicas
    std::string m_allReduce{"automatic"}; //!< Algorithm over the replicas
};

#endif /* LIGHTPATH_PLANNER_OPTIONS_H */
