/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ROUTER_H
#define RING_ROUTER_H

#include "ring-problem.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Says how many lanes of each pair go round the ring in each direction.
 *
 * Each pair starts on its shorter side. As long as a segment has more lanes than there is room
 * for, lanes of one pair are moved to its other side: those that lower the sum of the squared
 * overloads most or, where none does, raise it least and have not been moved a short while ago.
 */
class RingRouter
{
  public:
    /// The sides for pairs whose two sides are equally long.
    enum class Ties : uint8_t
    {
        SPLIT,       //!< Half of the lanes on each side
        LESS_LOADED, //!< One pair after the other on the side that is less loaded so far
    };

    /// The number of lanes by direction and pair.
    using Routing = std::array<std::vector<uint32_t>, 2>;

    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingRouter(const RingProblem& problem);

    /**
     * @param needs the lanes wanted by pair, no more than its arcs have
     * @param ties the sides for pairs whose two sides are equally long
     * @return the excess of lanes, summed over all segments; zero if all have room
     */
    uint64_t Route(const std::vector<uint32_t>& needs, Ties ties);

    /**
     * @return the lanes as the last call of Route() has routed them
     */
    const Routing& GetRouting() const;

  private:
    /**
     * @brief Lanes of one pair that go from one direction to the other.
     */
    struct Move
    {
        uint32_t pair{0};  //!< Index of the pair
        uint32_t from{0};  //!< The direction that they leave
        int64_t change{0}; //!< The change of the sum of squared overloads by one of them
    };

    /**
     * @param needs the lanes wanted by pair
     * @param ties the sides for pairs whose two sides are equally long
     */
    void Start(const std::vector<uint32_t>& needs, Ties ties);

    /**
     * Take all lanes off the ring.
     *
     * @param pairs the number of pairs
     */
    void Clear(std::size_t pairs);

    /**
     * Put the lanes of a pair on its arcs, within the lanes that these have.
     *
     * @param pair index of the pair
     * @param direction the direction of one of its arcs
     * @param lanes the lanes that it would have there
     * @param others the lanes that it would have on the other arc
     */
    void Put(uint32_t pair, uint32_t direction, uint32_t lanes, uint32_t others);

    /**
     * Move lanes until no segment is overloaded or moving seems to be of no more use.
     */
    void Improve();

    /**
     * Sum up the cost of adding a lane, and of removing one, over the segments below each one.
     */
    void SumUp();

    /**
     * @param sums the sums below each segment
     * @param arc an arc
     * @return the sum over the segments of the arc
     */
    int64_t GetSum(const std::vector<int64_t>& sums, const RingArc& arc) const;

    /**
     * @param step the number of the step, which tells the moves that are forbidden
     * @param move where to put the move that lowers the overload most, or raises it least
     * @return true if there is one
     */
    bool FindMove(uint32_t step, Move& move) const;

    /**
     * Move as many lanes of a pair as is of use, at least one.
     *
     * @param move which lanes are moved
     */
    void Carry(const Move& move);

    /**
     * @param move which lanes are moved
     * @param lanes how many
     * @return the change of the sum of the squared overloads
     */
    int64_t GetChange(const Move& move, uint32_t lanes) const;

    /**
     * Put lanes on the segments of an arc, or take them off.
     *
     * @param direction the direction of the arc
     * @param arc the arc
     * @param lanes how many, negative to take them off
     */
    void Load(uint32_t direction, const RingArc& arc, int64_t lanes);

    /**
     * @return the excess of lanes, summed over all segments
     */
    uint64_t GetExcess() const;

    const RingProblem& m_problem;                  //!< The pairs and the ring
    uint32_t m_patience;                           //!< How many steps may fail in a row
    Routing m_routing;                             //!< Lanes by direction and pair
    std::array<std::vector<int64_t>, 2> m_over;    //!< Lanes beyond the room, by segment
    std::array<std::vector<int64_t>, 2> m_gains;   //!< Sums for taking one lane off
    std::array<std::vector<int64_t>, 2> m_costs;   //!< Sums for putting one lane on
    std::array<std::vector<uint32_t>, 2> m_frozen; //!< Until when lanes may not leave, by pair
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_ROUTER_H */
