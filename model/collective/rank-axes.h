/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_AXES_H
#define RANK_AXES_H

#include <array>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The axes of a torus of ranks: rank c0 + k0 (c1 + k1 c2) is at the place c0, c1, c2 of axes
 * of k0, k1 and k2 ranks.
 *
 * The ranks of an axis are a ring, or a line without a link between its ends.
 */
struct RankAxes
{
    /// The most axes.
    static constexpr uint32_t MOST = 3;

    /// No rank.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param ranks the number of ranks
     * @return the rings that are nearest to a cube, in ascending order of sizes
     */
    static RankAxes GetNearestToCube(uint32_t ranks);

    /**
     * @param other the axes compared with
     * @return true if they are the same
     */
    bool operator==(const RankAxes& other) const;

    /**
     * @param other the axes compared with
     * @return true if these come first in an order of all
     */
    bool operator<(const RankAxes& other) const;

    /**
     * @return the number of places
     */
    uint64_t GetNPlaces() const;

    /**
     * @param rank a rank
     * @param axis an axis
     * @return its place on the axis
     */
    uint32_t GetPlace(uint32_t rank, uint32_t axis) const;

    /**
     * @param rank a rank
     * @param axis an axis
     * @param isUp the way along it: up or down
     * @return the next rank, or NONE at the end of a line
     */
    uint32_t GetNext(uint32_t rank, uint32_t axis, bool isUp) const;

    std::array<uint32_t, MOST> sizes{1, 1, 1}; //!< Ranks along each axis
    std::array<bool, MOST> isRing{};           //!< Whether they are a ring
};

} // namespace lightpath
} // namespace ns3

#endif /* RANK_AXES_H */
