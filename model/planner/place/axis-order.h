/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AXIS_ORDER_H
#define AXIS_ORDER_H

#include "ns3/placement.h"
#include "ns3/strategy.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An order of the axes of parallelism, by which the ranks of a plan are put on ports.
 *
 * Members along the first axis are on neighbouring ports, those along the last one farthest apart.
 * An axis may be folded: its members 0, 1, 2, ... then have places 0, 2, 4, ..., 5, 3, 1, so that
 * the last member is next to the first one, and each member two places from the one before at
 * most. An axis may be in several places of the order: "tp/2,dp,tp" interleaves blocks of two
 * members along tp with the members along dp.
 */
class AxisOrder
{
  public:
    /// The axes, as ranks are numbered: the fastest one first.
    enum Axis : uint8_t
    {
        TENSOR,
        CONTEXT,
        EXPERT,
        DATA,
        PIPELINE,
        N_AXES,
    };

    /**
     * @param strategy the degrees of parallelism
     * @return the number of members by axis
     */
    static std::array<uint32_t, N_AXES> GetSizes(const Strategy& strategy);

    /**
     * Read an order like "dp,pp,tp" or "tp/2,dp:folded,tp,pp", or "linear" (tp,cp,ep,dp,pp) or
     * "folded" (the same, with all axes folded). The axis of the ranks that share the tokens of a
     * sample, cp, and that of the replicas that share out experts, ep, come just before dp if they
     * are not named. Throws std::invalid_argument for anything else.
     *
     * @param text the order
     * @return the order
     */
    static AxisOrder Parse(const std::string& text);

    /**
     * @param strategy the degrees of parallelism
     * @param isAll whether to interleave blocks of one axis with another axis, too
     * @return all orders, with each set of axes folded, and all orders with blocks, of which none
     * is folded, with their placements, as far as these differ; linear comes first
     */
    static std::vector<std::pair<AxisOrder, Placement>> PlaceAll(const Strategy& strategy,
                                                                 bool isAll);

    /**
     * @return the orders that differ from this one in whether one axis, or block of it, is folded
     */
    std::vector<AxisOrder> GetRefolded() const;

    /**
     * Throws std::invalid_argument if the order leaves out an axis, or has blocks that do not
     * divide it.
     *
     * @param strategy the degrees of parallelism of a plan whose ranks are numbered by
     *        ReplicaLayout
     * @return the placement of its ranks; its name leaves out axes with one member
     */
    Placement Place(const Strategy& strategy) const;

  private:
    /// An axis in the order.
    struct Entry
    {
        Axis axis{TENSOR};    //!< The axis
        uint32_t block{0};    //!< Members of a block; 0 for all blocks
        bool isFolded{false}; //!< Whether it is folded
    };

    /// Where the members along a part of an axis are.
    struct Part
    {
        Axis axis{TENSOR};    //!< The axis
        uint32_t size{0};     //!< Members of the part
        uint32_t stride{0};   //!< Ports from one member to the next
        bool isFolded{false}; //!< Whether it is folded
    };

    /**
     * @param strategy the degrees of parallelism
     * @param [in,out] name where the order is appended as Parse() reads it, without axes that have
     *        one member
     * @return its parts, from the one with neighbouring members on
     */
    std::vector<Part> Cut(const Strategy& strategy, std::string& name) const;

    /**
     * @param isAll whether to cut up axes
     * @param sizes the number of members by axis
     * @return the order, with each set of axes folded, or with one axis in two places
     */
    std::vector<AxisOrder> GetVariants(bool isAll, const std::array<uint32_t, N_AXES>& sizes) const;

    std::vector<Entry> m_axes; //!< From the axis with neighbouring members on
};

} // namespace lightpath
} // namespace ns3

#endif /* AXIS_ORDER_H */
