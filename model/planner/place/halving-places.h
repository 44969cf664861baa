/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HALVING_PLACES_H
#define HALVING_PLACES_H

#include "ns3/server-layout.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <set>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Places of ranks in servers for sums by halving and doubling, whose partners are nearest in
 * the steps with the fewest bytes.
 *
 * Where some ranks leave their servers in a step and others do not, the others are in later steps
 * at once: messages of several steps meet at one receiver, and all ranks end late. A price is that
 * of ranks that are in the same step, so that such places are not to be chosen by price.
 */
class HalvingPlaces
{
  public:
    /**
     * @param plan a plan
     * @return the kinds of groups that sum by halving and doubling in one level
     */
    static std::set<uint32_t> GetKinds(const TrainingPlan& plan);

    /**
     * @param layout the servers
     * @param plan a plan, as it is placed
     * @param kinds the kinds of groups that count
     * @return whether in each step all ranks of a kind go the same kind of way: inside a server, on
     *         their rail, or to another rail
     */
    static bool AreAlike(const ServerLayout& layout,
                         const TrainingPlan& plan,
                         const std::set<uint32_t>& kinds);

    /**
     * @param layout the servers
     * @param ranks the number of ranks, a multiple of the GPUs of a server
     * @return the placement with which rank r is in server r modulo their number: partners with
     *         most bytes, which are farthest, share a server
     */
    static Placement Deal(const ServerLayout& layout, uint32_t ranks);
};

} // namespace lightpath
} // namespace ns3

#endif /* HALVING_PLACES_H */
