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

/**
 * @ingroup lightpath
 * @brief The options of a command line that say how a model is spread over the GPUs.
 */
class PlannerOptions
{
  public:
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
     * @param gpus the number of GPUs
     * @return the planner
     */
    ns3::Ptr<ns3::lightpath::Planner> MakePlanner(int64_t gpus) const;

  private:
    /**
     * @param gpus the number of GPUs
     * @return the planner with the degrees that the options give
     */
    ns3::Ptr<ns3::lightpath::Planner> MakeFixedPlanner(int64_t gpus) const;

    std::string m_planner{"sip-ml"}; //!< Name of the planner
    int64_t m_dp{0};                 //!< Data-parallel degree, 0 for what the others leave
    int64_t m_tp{0};                 //!< Tensor-parallel degree, 0 for 1
    int64_t m_pp{0};                 //!< Pipeline stages, 0 for 1
    int64_t m_virtualStages{0};      //!< Parts of the layers of each stage, 0 for 1
    int64_t m_microbatch{0};         //!< Samples of a microbatch, 0 for all
    std::string m_recompute{"none"}; //!< What the backward pass computes anew
    bool m_sequenceParallel{false};  //!< Whether what tensor parallelism replicates is split
    int64_t m_zero{0};               //!< Stage of sharing out state over the replicas
};

#endif /* LIGHTPATH_PLANNER_OPTIONS_H */
