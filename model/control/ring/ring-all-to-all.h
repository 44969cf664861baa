/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ALL_TO_ALL_H
#define RING_ALL_TO_ALL_H

#include "ring-free-lanes.h"
#include "ring-problem.h"

#include "ns3/circuit-plan.h"
#include "ns3/ring-geometry.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sets up the same number of lanes for each ordered pair of nodes of a ring.
 *
 * On a ring whose segments all work, the arcs are divided into closed walks once round the ring,
 * each of which fills a wavelength. With two opposite nodes x and y added to a ring, the walks
 * x-a-y-b, with a and b on either side of them, take in all arcs between old and new nodes; a node
 * left over on the longer side makes a triangle with x and y, and otherwise x and y have a walk of
 * their own. As arcs of old nodes stay on their shorter side, induction from 1 or 2 nodes gives all
 * walks.
 *
 * Where a laser or a micro-ring has failed, walks get lanes that all of their arcs can have as far
 * as possible, and the other arcs get lanes one by one.
 *
 * Where failed segments or a lack of lanes rule the walks out, near pairs are admitted first, as
 * long as each segment has room for them, and a RingLaneAssigner finds wavelengths.
 */
class RingAllToAll
{
  public:
    /**
     * @param geometry the ring; must outlive this object
     * @param lanesPerPair the lanes wanted for each ordered pair, at least 1
     */
    RingAllToAll(const RingGeometry& geometry, uint32_t lanesPerPair);

    /// Find lanes.
    void Run();

    /**
     * @return the lightpaths
     */
    CircuitPlan GetPlan() const;

    /**
     * @return true if all pairs with a usable arc have a lane
     */
    bool ServesAll() const;

  private:
    /// A lane that a pair wants.
    struct Wish
    {
        uint32_t pair{0};      //!< Index of the pair
        uint32_t direction{0}; //!< The direction
        uint32_t round{0};     //!< The lanes that its pair wants before this one
        uint32_t hops{0};      //!< Segments of its arc
    };

    /**
     * @param pair index of a pair
     * @param round the lanes that the pair wants before this one
     * @return the lane wanted on the shorter side, or on the other if only that is usable
     */
    Wish Choose(uint32_t pair, uint32_t round) const;

    /// List the lanes wanted, the first of each pair before the second, near pairs first.
    void CollectWishes();

    /**
     * Grant lanes of one direction.
     *
     * @param direction the direction
     */
    void Assign(uint32_t direction);

    /**
     * @param direction a direction
     * @return the lanes wanted there that no segment lacks room for, near pairs first
     */
    std::vector<Wish> Admit(uint32_t direction) const;

    /**
     * @param wishes lanes wanted that no segment lacks room for, near pairs first
     * @param direction their direction
     * @return lanes for as many of them as sweeps of the ring find
     */
    std::vector<RingUnit> Sweep(const std::vector<Wish>& wishes, uint32_t direction) const;

    /**
     * @param a lanes of one direction
     * @param b other lanes of this direction
     * @return true if a has more lanes than b, or as many of which short arcs count more
     */
    bool IsBetter(const std::vector<RingUnit>& a, const std::vector<RingUnit>& b) const;

    /**
     * @param wishes lanes wanted in one direction, all on their shorter side
     * @return the same by closed walk, in the order in which the walks choose lanes
     */
    std::vector<std::vector<Wish>> GetWalks(const std::vector<Wish>& wishes) const;

    /**
     * @param wishes lanes wanted in one direction, all on their shorter side
     * @return the lane of its closed walk for each of them, but for those that cannot have it
     */
    std::vector<RingUnit> FollowWalks(const std::vector<Wish>& wishes) const;

    /// Give pairs without a lane any free lane, on either side.
    void ServeOthers();

    const RingGeometry& m_geometry;            //!< The ring
    uint32_t m_lanesPerPair;                   //!< Lanes wanted for each pair
    RingProblem m_problem;                     //!< All pairs
    RingFreeLanes m_free;                      //!< Lanes that are free
    std::array<std::vector<Wish>, 2> m_wishes; //!< Lanes wanted by direction
    std::vector<RingUnit> m_units;             //!< Lanes granted
    bool m_isShortest{true};                   //!< Whether all wishes are on their shorter side
    bool m_servesAll{true};                    //!< Whether all pairs that can have a lane do
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_ALL_TO_ALL_H */
