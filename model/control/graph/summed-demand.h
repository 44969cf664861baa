/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUMMED_DEMAND_H
#define SUMMED_DEMAND_H

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What ports send in an iteration, where the order in which ports sum is free.
 *
 * The members of a group may sum their buffers along any ring of them (all-reduce, reduce-scatter,
 * all-gather). All other messages have a given source and destination.
 */
struct SummedDemand
{
    /// Disjoint groups that sum alike.
    struct Sums
    {
        std::vector<std::vector<uint32_t>> groups; //!< The ports of each group
        double bytes{0};                           //!< Bytes that all their ports send for sums
    };

    std::vector<Sums> sums; //!< The kinds of groups that sum
    TrafficMatrix others;   //!< Bytes of other messages, by source and destination port
};

} // namespace lightpath
} // namespace ns3

#endif /* SUMMED_DEMAND_H */
