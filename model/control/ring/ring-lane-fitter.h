/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_FITTER_H
#define RING_LANE_FITTER_H

#include "ring-colour-table.h"
#include "ring-span.h"

#include "ns3/circuit-plan.h"
#include "ns3/ring-geometry.h"

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief One lane wanted from a node to another in one direction of a ring.
 */
struct RingLaneWish
{
    PortPair ports;          //!< Source and destination
    RingDirection direction; //!< The direction
};

/**
 * @ingroup lightpath
 * @brief Finds lanes on a ring for wishes, such that its channel can carry them.
 *
 * It keeps to what has failed and to the WavelengthMode of the ring. With continuity a lane is free
 * if no other lightpath has it on a segment of the arc. Otherwise a segment has to have room for
 * one more lane, and the lane is one that the source does not add for another lightpath.
 */
class RingLaneFitter
{
  public:
    /**
     * @param geometry the ring; must outlive this object
     */
    explicit RingLaneFitter(const RingGeometry& geometry);

    /**
     * @param wish a lane wanted
     * @return the segments that it would cover
     */
    RingSpan GetSpan(const RingLaneWish& wish) const;

    /**
     * @param wish a lane wanted
     * @return true if no segment of its arc has failed
     */
    bool IsUsable(const RingLaneWish& wish) const;

    /**
     * @param direction a direction
     * @return the number of lanes on fibres that have not failed
     */
    uint32_t GetWorkingLanes(RingDirection direction) const;

    /**
     * Put wishes of one direction on the lanes that suit their colours: the colours worth most get
     * a lane each, the one whose ends work for most of the worth. For continuity, and before any
     * other lane of the direction is in use.
     *
     * @param wishes the lanes wanted, on usable arcs
     * @param colours the colour of each; arcs of one colour do not overlap
     * @param worth what each is worth
     * @return the wishes that have got no lane, in the order in which they were given
     */
    std::vector<RingLaneWish> PutColours(const std::vector<RingLaneWish>& wishes,
                                         const std::vector<uint32_t>& colours,
                                         const std::vector<uint64_t>& worth);

    /**
     * Put one wish on the lowest lane that is free and whose ends work.
     *
     * @param wish the lane wanted, on a usable arc
     * @return true if there is one
     */
    bool Put(const RingLaneWish& wish);

    /**
     * @return what has got lanes
     */
    const CircuitPlan& GetPlan() const;

  private:
    /**
     * @param wish a lane wanted
     * @return true if it has got the lowest lane that is free on all segments of its arc
     */
    bool PutContinuous(const RingLaneWish& wish);

    /**
     * @param wish a lane wanted
     * @return true if all segments have room for it and it has got a lane of its source
     */
    bool PutAnywhere(const RingLaneWish& wish);

    /**
     * @param wish a lane wanted
     * @param index the index of a lane in its direction
     * @return true if the fibre, the laser and the micro-rings at the ends work
     */
    bool HasEnds(const RingLaneWish& wish, uint32_t index) const;

    /**
     * Note that a wish has got a lane.
     *
     * @param wish the lane wanted
     * @param index the index of the lane in its direction
     */
    void Take(const RingLaneWish& wish, uint32_t index);

    /**
     * @param direction a direction
     * @param index the index of a lane in this direction
     * @return the lane
     */
    Lane GetLane(RingDirection direction, uint32_t index) const;

    const RingGeometry& m_geometry;                   //!< The ring
    CircuitPlan m_plan;                               //!< What has got lanes
    std::array<std::vector<uint32_t>, 2> m_failed;    //!< Failed segments below each, in two turns
    std::array<uint32_t, 2> m_working;                //!< Lanes on fibres that work
    std::array<RingColourTable, 2> m_tables;          //!< Lanes in use, by direction
    std::array<std::vector<uint32_t>, 2> m_loads;     //!< Lanes in use by segment
    std::set<std::pair<uint32_t, Lane>> m_addedLanes; //!< Lanes that each source adds
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_FITTER_H */
