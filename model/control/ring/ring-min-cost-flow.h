/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_MIN_COST_FLOW_H
#define RING_MIN_COST_FLOW_H

#include "ring-problem.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses how many lanes arcs of one direction of a ring get, such that they profit most.
 *
 * No segment may carry more than so many lanes. If lanes that carry nothing are added then lanes
 * are a circulation: what ends at a node begins there anew. Each lane is part of a closed walk, and
 * the number of lanes is how often these go round the ring. Apart from that one number this is a
 * minimum-cost flow.
 *
 * Relax() admits fractions. One lane is then shared best by the closed walk with the largest profit
 * for one turn, since a walk of w turns can have 1/w of a lane. It is found by a flow for each
 * price of a turn, where the profit per turn of one flow is the next price (Dinkelbach, 1967), in
 * exact integers.
 *
 * Round() is for whole lanes. It repeats the walks found as often as the lanes suffice for. If
 * lanes are left over it cuts the ring at a node: the arcs through the node keep what they have,
 * and all others get the best for the rest by one flow from the node to itself. This is exact if
 * the lanes can be made up of the turns of the walks, or if no arc passes some node. Otherwise the
 * best of several cuts is taken, and may be less than the best of all.
 */
class RingMinCostFlow
{
  public:
    /**
     * @param nodes the number of segments of the ring
     * @param arcs the arcs
     */
    RingMinCostFlow(uint32_t nodes, std::vector<RingArc> arcs);

    /**
     * @return the largest profit of a lane that GetOptimum() and Round() reckon with exactly
     */
    int64_t GetMostProfit() const;

    /**
     * Find how to share one lane.
     *
     * @param profits what a lane on each arc profits, from 1 to GetMostProfit()
     */
    void Relax(std::vector<int64_t> profits);

    /**
     * @return the most that one lane of the whole ring can profit, in fractions of lanes, as a
     *         numerator and a denominator
     */
    std::pair<int64_t, int64_t> GetOptimum() const;

    /**
     * @param lanes the number of lanes of each segment
     * @return the whole lanes of each arc
     */
    std::vector<uint32_t> Round(uint32_t lanes) const;

  private:
    /// A closed walk round the ring.
    struct Walk
    {
        std::vector<uint32_t> arcs; //!< Its arcs, other than lanes that carry nothing
        uint32_t turns{0};          //!< How often it goes round
    };

    /**
     * @param arc an arc
     * @return true if it covers the last segment
     */
    bool Closes(const RingArc& arc) const;

    /**
     * Find a circulation that profits more than a turn costs.
     *
     * @param profit the price of some turns
     * @param turns how many turns have this price
     * @return the flow on the arcs and, after them, on the segments as lanes that carry nothing
     */
    std::vector<int64_t> Circulate(int64_t profit, int64_t turns) const;

    /**
     * Part a circulation into walks that pass no node twice.
     *
     * @param flow the flow on the arcs and on the segments
     */
    void FindWalks(std::vector<int64_t> flow);

    /**
     * @param lanes the number of lanes of each segment
     * @return the lanes of each arc if the walks are repeated as often as there is room for
     */
    std::vector<uint32_t> Repeat(uint32_t lanes) const;

    /**
     * Find the best for all arcs that do not pass a node.
     *
     * @param node the node
     * @param lanes the number of lanes of each segment
     * @param granted the lanes of each arc; those that do not pass the node are replaced
     */
    void Improve(uint32_t node, uint32_t lanes, std::vector<uint32_t>& granted) const;

    /**
     * @param granted the lanes of each arc
     * @return the lanes in use on each segment
     */
    std::vector<uint32_t> GetLoads(const std::vector<uint32_t>& granted) const;

    /**
     * @return the nodes where it is worth while to cut, those passed by fewest arcs first
     */
    std::vector<uint32_t> GetCuts() const;

    uint32_t m_nodes;                            //!< Number of segments
    std::vector<RingArc> m_arcs;                 //!< The arcs
    uint32_t m_load;                             //!< The most arcs on one segment
    std::vector<int64_t> m_profits;              //!< What a lane profits, by arc
    std::pair<int64_t, int64_t> m_optimum{0, 1}; //!< The most that one lane profits
    std::vector<Walk> m_walks;                   //!< The walks that profit so much
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_MIN_COST_FLOW_H */
