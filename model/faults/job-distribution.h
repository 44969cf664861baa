/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_DISTRIBUTION_H
#define JOB_DISTRIBUTION_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How likely it is that a number of jobs finds room, or for which share of the time.
 */
class JobDistribution
{
  public:
    /**
     * Add a possible number of jobs.
     *
     * @param jobs the number of jobs
     * @param weight the probability of it, or the time
     */
    void Add(uint32_t jobs, double weight);

    /**
     * @param other the jobs of another part of the same fabric, whose faults are independent
     * @return the jobs of both parts together
     */
    JobDistribution Join(const JobDistribution& other) const;

    /**
     * @return the mean number of jobs; 0 if nothing was added
     */
    double GetMean() const;

    /**
     * @param probability the probability, or share of the time, above 0
     * @return the largest number of jobs that has room with at least this probability
     */
    uint32_t GetGuaranteed(double probability) const;

  private:
    /**
     * @return the sum of all weights
     */
    double GetTotal() const;

    std::vector<double> m_weights; //!< Weights by number of jobs
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_DISTRIBUTION_H */
