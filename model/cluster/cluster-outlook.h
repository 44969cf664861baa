/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_OUTLOOK_H
#define CLUSTER_OUTLOOK_H

#include "cluster-run.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What the failures of a cluster let expect, in closed form: how often a job is stopped, and
 * how likely enough ports work at a time.
 *
 * A job restarts on other ports, so that the rate of failures is that of the first ports. The
 * components are taken to fail each by itself.
 */
class ClusterOutlook
{
  public:
    /**
     * @param failures how components fail; it must outlive this object
     * @param ports the number of ports
     */
    ClusterOutlook(const ClusterFailures& failures, uint32_t ports);

    /**
     * Refuse, by std::invalid_argument, a job that is expected to see more than ten million
     * failures and repairs before it ends.
     *
     * @param jobs the jobs
     */
    void Check(const std::vector<ClusterJob>& jobs) const;

    /**
     * @param job a job
     * @return how often failures are expected to stop it until it ends
     */
    double GetStops(const ClusterJob& job) const;

    /**
     * @param gpus a number of GPUs
     * @return the share of the time in which as many ports work
     */
    double GetChance(uint32_t gpus) const;

  private:
    const ClusterFailures& m_failures; //!< How components fail
    std::vector<double> m_rates;       //!< Failures in a second that stop a job, by its GPUs
    std::vector<double> m_chances;     //!< Probability of at most as many failed ports
    double m_changes{0};               //!< Components that have failed at a time, mean
    double m_failed{0};                //!< Ports that have failed at a time, mean
};

} // namespace lightpath
} // namespace ns3

#endif /* CLUSTER_OUTLOOK_H */
