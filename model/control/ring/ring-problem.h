/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_PROBLEM_H
#define RING_PROBLEM_H

#include "ns3/circuit-plan.h"
#include "ns3/ring-geometry.h"
#include "ns3/traffic-matrix.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The segments that a lightpath of a pair covers in one direction of a ring.
 */
struct RingArc
{
    uint32_t first{0};  //!< The lowest segment; the others follow upwards (mod N)
    uint32_t hops{0};   //!< The number of segments
    bool usable{false}; //!< Whether a lightpath may take the arc
    uint32_t lanes{0};  //!< The number of lanes that it may take there
    uint32_t mask{0};   //!< Index of these lanes among the problem's masks
};

/**
 * @ingroup lightpath
 * @brief A demanded pair with its two arcs.
 */
struct RingPair
{
    PortPair ports;              //!< Source and destination among the nodes of the problem
    uint64_t bytes{0};           //!< The demand, at least 1
    std::array<RingArc, 2> arcs; //!< The clockwise and the counterclockwise arc
    PortPair ends;               //!< Source and destination on the ring
};

/**
 * @ingroup lightpath
 * @brief One lane granted to a pair, on all segments of one of its arcs.
 */
struct RingUnit
{
    uint32_t pair{0};      //!< Index of the pair
    uint32_t direction{0}; //!< 0 clockwise, 1 counterclockwise
    uint32_t lane{0};      //!< Index of the lane, less than the capacity

    /**
     * @param other the unit compared with
     * @return true if this one comes first, by pair, direction and lane
     */
    bool operator<(const RingUnit& other) const
    {
        return pair != other.pair             ? pair < other.pair
               : direction != other.direction ? direction < other.direction
                                              : lane < other.lane;
    }
};

/**
 * @ingroup lightpath
 * @brief Which arcs a pair may use, apart from those that failures or the reach forbid.
 */
struct RingLimits
{
    bool shorterOnly{false}; //!< Whether arcs longer than the pair's other one are not used
};

/**
 * @ingroup lightpath
 * @brief The demanded pairs that have a usable arc on a ring, and the ring's limits.
 *
 * Without reuse of wavelengths (RingGeometry::EXCLUSIVE) all lightpaths meet, wherever they are.
 * The problem is then that of a ring of two nodes, where all pairs send from the one to the other.
 */
struct RingProblem
{
    RingProblem() = default;

    /**
     * @param demand the bytes to be carried, of as many ports as the ring has nodes
     * @param geometry the ring
     * @param limits which arcs may be used
     */
    RingProblem(const TrafficMatrix& demand,
                const RingGeometry& geometry,
                const RingLimits& limits);

    /**
     * @param chosen indices of pairs
     * @return the same ring with these pairs only, in this order
     */
    RingProblem Select(const std::vector<uint32_t>& chosen) const;

    /**
     * @return the bytes of each pair
     */
    std::vector<uint64_t> GetDemands() const;

    /**
     * @param arc an arc of a pair
     * @param lane a lane
     * @return true if the pair may have the lane on the arc
     */
    bool HasLane(const RingArc& arc, uint32_t lane) const;

    /**
     * @param units lanes of pairs, in any order
     * @param geometry the ring
     * @return the lightpaths that they make up
     */
    CircuitPlan MakePlan(const std::vector<RingUnit>& units, const RingGeometry& geometry) const;

    /// A bit for each of some lanes of one direction, 64 in a word.
    using Mask = std::vector<uint64_t>;

    uint32_t nodes{0};                      //!< Number of nodes and of segments
    uint32_t capacity{0};                   //!< Lanes of each direction, those of failed fibres too
    bool isLoadOnly{false};                 //!< Whether segments only limit the number of lanes
    std::array<uint32_t, 2> room{};         //!< Lanes of working fibres, by direction
    std::array<std::vector<char>, 2> inUse; //!< Whether a segment works, by direction
    std::vector<Mask> masks;                //!< The lanes of working fibres, by direction, and
                                            //!< those of pairs that can use fewer
    std::vector<RingPair> pairs;            //!< The pairs by source and destination

  private:
    /**
     * Find the lanes of working fibres, and the nodes that can add and drop all of them.
     *
     * @param geometry the ring
     * @return whether a node can, by node
     */
    std::vector<char> FindWorking(const RingGeometry& geometry);

    /// Let all pairs meet, as none may use the wavelength of another.
    void Merge();

    /**
     * Find the lanes that a pair can add and drop in one direction.
     *
     * @param geometry the ring
     * @param ports the pair
     * @param direction the direction
     * @param arc where the lanes are noted
     */
    void FindLanes(const RingGeometry& geometry,
                   PortPair ports,
                   RingDirection direction,
                   RingArc& arc);
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_PROBLEM_H */
