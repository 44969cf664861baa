/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_STRIDES_H
#define RING_STRIDES_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Steps around a circle of n members that visit all of them: strides p without a common
 * divisor with n.
 */
struct RingStrides
{
    /**
     * Choose strides as TopoOpt does, close to a geometric sequence, so that sums of few strides
     * reach all ranks.
     *
     * Rings go in pairs, both ways round, with the strides p and n - p; of an odd number the last
     * one goes one way. Of k strides p, the i-th is the least one left of at least
     * (n - 1)^((i - 1) / k), or, if there is none, the largest one left.
     *
     * @param ranks the number n of ranks
     * @param rings the number of strides wanted
     * @return the strides in ascending order; all that have no common divisor with n if there are
     *         fewer than wanted
     */
    static std::vector<uint32_t> Choose(uint32_t ranks, uint32_t rings);

    /**
     * @param ranks the number n of ranks
     * @return the number of strides less than n that have no common divisor with n; 1 if n is 1
     */
    static uint32_t Count(uint32_t ranks);
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_STRIDES_H */
