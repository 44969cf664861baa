/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_SHAPE_H
#define GRID_SHAPE_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses the rows and columns of a grid of switches for the traffic of a plan.
 *
 * Port p is in row p / columns and column p % columns. Ports that share neither send over a corner,
 * which takes in each message whole before it sends it on.
 */
class GridShape
{
  public:
    /// Rows and columns.
    using Shape = std::pair<uint32_t, uint32_t>;

    /**
     * @param traffic the bytes by source and destination
     * @param columns the number of columns of the grid
     * @return the bytes that corners send on
     */
    static uint64_t GetRelayedBytes(const TrafficMatrix& traffic, uint32_t columns);

    /**
     * @param traffic the bytes by source and destination
     * @param shapes the shapes that the grid may have
     * @return the shape in which corners send on least, the first of equal ones
     */
    static Shape Choose(const TrafficMatrix& traffic, const std::vector<Shape>& shapes);
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_SHAPE_H */
