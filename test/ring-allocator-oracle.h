/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RING_ALLOCATOR_ORACLE_H
#define LIGHTPATH_RING_ALLOCATOR_ORACLE_H

#include "ns3/circuit-allocator.h"
#include "ns3/ring-geometry.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param geometry the ring
 * @param demand the bytes to be carried
 * @param fill whether lanes left over are given
 * @param maxDistance the most segments of a lightpath, 0 for no limit
 * @return what RingMaxMinAllocator grants
 */
ns3::lightpath::CircuitAllocation AllocateRing(const ns3::lightpath::RingGeometry& geometry,
                                               const ns3::lightpath::TrafficMatrix& demand,
                                               bool fill = false,
                                               uint32_t maxDistance = 0);

/**
 * @ingroup lightpath-tests
 * @param nodes the number of nodes
 * @param lanes the number of lanes
 * @return a ring whose counterclockwise fibre is cut everywhere
 */
ns3::lightpath::RingGeometry MakeClockwise(uint32_t nodes, uint32_t lanes);

/**
 * @ingroup lightpath-tests
 * @brief The lanes that a plan uses on each segment of a ring, found by walking from node to node.
 */
class RingWalk
{
  public:
    /**
     * @param geometry the ring
     * @param maxDistance the most segments of a lightpath, 0 for no limit
     */
    RingWalk(const ns3::lightpath::RingGeometry& geometry, uint32_t maxDistance);

    /**
     * @param plan the lightpaths
     * @return the fault of the lightpaths; empty if all lanes can be lit at once
     */
    std::string Load(const ns3::lightpath::CircuitPlan& plan);

    /**
     * @param source a node
     * @param destination another node
     * @return true if a lane is free all the way from one to the other, in one of the directions
     */
    bool HasRoom(uint32_t source, uint32_t destination) const;

  private:
    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @param fibre a fibre
     * @return the segments that a lane on the fibre covers; none if it may not be lit
     */
    std::vector<uint32_t> GetSegments(uint32_t source, uint32_t destination, uint32_t fibre) const;

    ns3::lightpath::RingGeometry m_geometry; //!< The ring
    uint32_t m_maxDistance;                  //!< The most segments of a lightpath
    /// The segments and the lanes in use on them
    std::set<std::pair<uint32_t, std::pair<uint32_t, uint32_t>>> m_used;
};

/**
 * @ingroup lightpath-tests
 * @brief Finds the largest smallest share on a small ring by trying all lanes for all pairs.
 */
class RingSearch
{
  public:
    /**
     * @param demand the bytes to be carried
     * @param lanes the number of lanes in each direction, at most 3
     */
    RingSearch(const ns3::lightpath::TrafficMatrix& demand, uint32_t lanes);

    /**
     * @return the largest smallest share of lanes to demand over the largest demand
     */
    double Run();

  private:
    /// The segments in use on each lane, first of the clockwise and then of the other lanes.
    using State = std::vector<uint32_t>;

    /**
     * @brief A demanded pair.
     */
    struct Pair
    {
        uint32_t source;      //!< The node that sends
        uint32_t destination; //!< The node that receives
        uint64_t bytes;       //!< The demand
        uint32_t need;        //!< The lanes wanted
    };

    /**
     * @param lanes the lanes of a share
     * @param bytes the bytes that they are for
     * @return true if all pairs can have this share
     */
    bool CanShare(uint64_t lanes, uint64_t bytes);

    /**
     * @param first the first pair that has no lanes yet
     * @param state the lanes in use
     * @return true if the pairs from the first one on find their lanes
     */
    bool CanPlace(std::size_t first, State state);

    /**
     * @param pair a pair
     * @param clockwise the direction
     * @return the segments of its arc, as bits
     */
    uint32_t GetArc(const Pair& pair, bool clockwise) const;

    uint32_t m_nodes;                                 //!< Number of nodes
    uint32_t m_lanes;                                 //!< Lanes in each direction
    std::vector<Pair> m_pairs;                        //!< The demanded pairs
    std::set<std::pair<std::size_t, State>> m_failed; //!< What is known to lead nowhere
};

#endif /* LIGHTPATH_RING_ALLOCATOR_ORACLE_H */
