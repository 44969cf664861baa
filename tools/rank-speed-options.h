/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RANK_SPEED_OPTIONS_H
#define LIGHTPATH_RANK_SPEED_OPTIONS_H

#include "ns3/application-container.h"
#include "ns3/command-line.h"
#include "ns3/training-helper.h"

#include <cstdint>
#include <map>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options of a command line by which the ranks of a job differ in speed.
 */
class RankSpeedOptions
{
  public:
    /**
     * @param [out] cmd the command line to add them to
     */
    void AddTo(ns3::CommandLine& cmd);

    /**
     * Refuse ranks that there are not, speeds that are none, and what is no random variable.
     *
     * @param gpus the number of ranks
     */
    void Check(int64_t gpus) const;

    /**
     * @return whether ranks may differ in speed
     */
    bool AreGiven() const;

    /**
     * Have the compute times of a job be random, if they are to be.
     *
     * @param [out] training the helper that installs the job
     */
    void Configure(ns3::lightpath::TrainingHelper& training) const;

    /**
     * Set the speeds of the ranks, and the random numbers, which are the same on each fabric.
     *
     * @param applications the applications of a job
     */
    void Apply(const ns3::ApplicationContainer& applications) const;

  private:
    /// Refuse what is no random variable.
    void CheckNoise() const;

    /**
     * @return the speeds that are given, by rank
     */
    std::map<uint32_t, double> GetSpeeds() const;

    std::string m_slow;  //!< Ranks and their speeds, separated by commas, or empty
    std::string m_noise; //!< A random variable with its attributes, or empty
};

#endif /* LIGHTPATH_RANK_SPEED_OPTIONS_H */
