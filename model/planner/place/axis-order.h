/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AXIS_ORDER_H
#define AXIS_ORDER_H

#include "ns3/placement.h"
#include "ns3/strategy.h"

#include <cstdint>
#include <string>
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
 * most.
 */
class AxisOrder
{
  public:
    /**
     * Read an order like "dp,pp,tp" or "dp,tp:folded,pp", or "linear" (tp,ep,dp,pp) or "folded"
     * (the same, with all axes folded). The axis of the replicas that share out experts, ep, comes
     * just before dp if it is not named. Throws std::invalid_argument for anything else.
     *
     * @param text the order
     * @return the order
     */
    static AxisOrder Parse(const std::string& text);

    /**
     * @param strategy the degrees of parallelism
     * @return all orders, with each set of axes folded, that differ in where ranks are; linear
     *         comes first
     */
    static std::vector<AxisOrder> GetAll(const Strategy& strategy);

    /**
     * @param strategy the degrees of parallelism of a plan whose ranks are numbered by
     *        ReplicaLayout
     * @return the placement of its ranks
     */
    Placement Place(const Strategy& strategy) const;

    /**
     * @return the order as Parse() reads it
     */
    std::string GetName() const;

  private:
    /// The axes, as ranks are numbered: the fastest one first.
    enum Axis : uint8_t
    {
        TENSOR,
        EXPERT,
        DATA,
        PIPELINE,
        N_AXES,
    };

    /// An axis in the order.
    struct Entry
    {
        Axis axis{TENSOR};    //!< The axis
        bool isFolded{false}; //!< Whether it is folded
    };

    /**
     * @param strategy the degrees of parallelism
     * @param axis an axis
     * @return the number of members along it
     */
    static uint32_t GetSize(const Strategy& strategy, Axis axis);

    std::vector<Entry> m_axes; //!< All axes, from the one with neighbouring members on
};

} // namespace lightpath
} // namespace ns3

#endif /* AXIS_ORDER_H */
