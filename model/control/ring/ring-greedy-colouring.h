/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_GREEDY_COLOURING_H
#define RING_GREEDY_COLOURING_H

#include "ring-span.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Colours for arcs of a ring, of which those that overlap have different ones.
 */
struct RingColouring
{
    std::vector<uint32_t> colours; //!< The colour of each arc, counted from 0
    uint32_t used{0};              //!< The number of colours
};

/**
 * @ingroup lightpath
 * @param nodes the number of segments of the ring
 * @param spans the arcs
 * @return the number of arcs on each segment
 */
std::vector<uint32_t> GetRingLoads(uint32_t nodes, const std::vector<RingSpan>& spans);

/**
 * @ingroup lightpath
 * Give each arc, the longest first, the lowest colour that none of those before it denies.
 *
 * @param nodes the number of segments of the ring
 * @param spans the arcs
 * @return the colours
 */
RingColouring ColourLongestFirst(uint32_t nodes, const std::vector<RingSpan>& spans);

/**
 * @ingroup lightpath
 * Give arcs the lowest colour that is free, always the one next whose neighbours have most colours
 * (DSATUR; Brelaz, 1979). Of several, the one that overlaps most arcs is next; an arc that overlaps
 * it at both ends counts twice.
 *
 * @param nodes the number of segments of the ring
 * @param spans the arcs
 * @return the colours
 */
RingColouring ColourBySaturation(uint32_t nodes, const std::vector<RingSpan>& spans);

} // namespace lightpath
} // namespace ns3

#endif /* RING_GREEDY_COLOURING_H */
