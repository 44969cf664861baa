/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RANK_SPEED_OPTIONS_H
#define LIGHTPATH_RANK_SPEED_OPTIONS_H

#include "program-options.h"

#include "ns3/application-container.h"
#include "ns3/planning-problem.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options that make the ranks of a job differ in speed.
 */
class RankSpeedOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse unknown ranks, bad speeds, and noise that is not a random variable.
     *
     * @param gpus the number of ranks
     */
    void Check(int64_t gpus) const;

    /**
     * @return whether ranks may differ in speed
     */
    bool AreGiven() const;

    /**
     * Multiply the compute times of a job by random numbers, if the options ask for it.
     *
     * @param [out] training the helper that installs the job
     */
    void Configure(ns3::lightpath::TrainingHelper& training) const;

    /**
     * Set the speeds of the ranks, and the streams of random numbers, the same on each fabric.
     *
     * @param applications the applications of a job
     */
    void Apply(const ns3::ApplicationContainer& applications) const;

    /**
     * Price a plan again with the speeds of the ranks, if they differ.
     *
     * @param fabric the fabric
     * @param [in,out] plan the plan, whose tasks stay as they are
     */
    void Price(const ns3::lightpath::FabricLimits& fabric,
               ns3::lightpath::TrainingPlan& plan) const;

  private:
    /// Refuse noise that is not a random variable.
    void CheckNoise() const;

    /**
     * @return the speeds that are given, by rank
     */
    std::map<uint32_t, double> GetSpeeds() const;

    std::string m_slow;  //!< Ranks and their speeds, separated by commas, or empty
    std::string m_noise; //!< A random variable with its attributes, or empty
};

#endif /* LIGHTPATH_RANK_SPEED_OPTIONS_H */
