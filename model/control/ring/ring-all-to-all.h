/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ALL_TO_ALL_H
#define RING_ALL_TO_ALL_H

#include "ring-lane-fitter.h"

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
 * @brief Sets up so many lanes for each ordered pair of nodes of a ring.
 *
 * On an intact ring all arcs are parted into closed walks once round the ring, each of which fills
 * a wavelength. With two opposite nodes x and y added to a ring, the walks x-a-y-b, with a and b on
 * either side of them, take in all arcs between old and new nodes; a node left over on the longer
 * side makes a triangle with x and y, and otherwise x and y have a walk of their own. As arcs of
 * old nodes stay on their shorter side, induction from 1 or 2 nodes gives all walks.
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
    const CircuitPlan& GetPlan() const;

    /**
     * @return true if all pairs with a usable arc have a lane
     */
    bool ServesAll() const;

  private:
    /// A wish and its place in the order in which wishes are met.
    struct Ranked
    {
        RingLaneWish wish; //!< The lane wanted
        uint32_t round;    //!< How many lanes its pair wants before this one
        uint32_t hops;     //!< Segments of its arc
    };

    /**
     * @param source a node
     * @param destination another node
     * @param round how many lanes the pair wants before this one
     * @return the lane wanted on the shorter side, or on the other if only that is usable
     */
    Ranked Choose(uint32_t source, uint32_t destination, uint32_t round) const;

    /// List the lanes wanted, the first of each pair before the second, near pairs first.
    void CollectWishes();

    /**
     * Admit the lanes wanted in one direction as long as no segment has more than its fibres
     * carry, and find wavelengths for them.
     *
     * @param direction the direction
     */
    void Assign(RingDirection direction);

    /**
     * @param direction a direction
     * @param wishes the lanes wanted in it: all those of an intact ring
     * @return the closed walk to which each belongs
     */
    std::vector<uint32_t> GetWalks(RingDirection direction,
                                   const std::vector<RingLaneWish>& wishes) const;

    /// Give pairs that have got nothing whatever lane is free, on either side.
    void ServeOthers();

    const RingGeometry& m_geometry;              //!< The ring
    uint32_t m_lanesPerPair;                     //!< Lanes wanted for each pair
    RingLaneFitter m_fitter;                     //!< Finds lanes
    std::array<std::vector<Ranked>, 2> m_wishes; //!< Lanes wanted by direction
    bool m_isShortest{true};                     //!< Whether all wishes are on their shorter side
    bool m_servesAll{true};                      //!< Whether all pairs that can have a lane
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_ALL_TO_ALL_H */
