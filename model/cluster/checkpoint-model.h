/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHECKPOINT_MODEL_H
#define CHECKPOINT_MODEL_H

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A job that writes checkpoints and goes on from the last one after each failure. All times
 * are in seconds.
 *
 * Failures are a Poisson process, which also strikes while a checkpoint is written or the job
 * restarts.
 */
struct CheckpointModel
{
    double write{0};           //!< Time to write a checkpoint, in which nothing is computed
    double restart{0};         //!< Time from a failure until the job computes again
    double betweenFailures{0}; //!< Mean time between failures of the job

    /**
     * @return the interval of Young, a first-order approximation of the best time between two
     *         checkpoints (Communications of the ACM 17(9), 1974)
     */
    double GetYoungInterval() const;

    /**
     * @return the interval of Daly, an approximation of higher order (Future Generation Computer
     *         Systems 22(3), 2006)
     */
    double GetDalyInterval() const;

    /**
     * @param interval the time of computation between two checkpoints
     * @return the share of the time in which the job computes results that last: exact for Poisson
     *         failures
     */
    double GetEfficiency(double interval) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* CHECKPOINT_MODEL_H */
