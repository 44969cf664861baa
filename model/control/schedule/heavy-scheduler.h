/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HEAVY_SCHEDULER_H
#define HEAVY_SCHEDULER_H

#include "matching-scheduler.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Serves a demand by few matchings, the heaviest first, each of which lasts until all of its
 * pairs are served.
 *
 * No pair is cut in pieces, so that what a device receives, such as the tokens of an expert, comes
 * in one go that it can compute on (Don't forget the compute, arXiv 2605.26845, abstract: greedy
 * matchings of most weight). There are as few of them as the device with most peers has peers: each
 * matching takes in all devices with most peers left, which is always possible (Koenig, 1916), and
 * among such matchings it is the one of most weight.
 */
class HeavyScheduler : public MatchingScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param times the service times
     * @return the matchings in their order, each of which lasts as long as its longest pair
     */
    static std::vector<TimedMatching> Decompose(const ServiceTimeMatrix& times);

  private:
    std::vector<TimedMatching> FindMatchings(const ServiceTimeMatrix& times) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* HEAVY_SCHEDULER_H */
