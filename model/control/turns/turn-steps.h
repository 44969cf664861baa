/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_STEPS_H
#define TURN_STEPS_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How far chunks get in each step of an algorithm on n ports.
 *
 * An all-to-all takes a chunk from port o to port o + t (mod n) by way of ports o + place(t, k)
 * after k steps. An all-gather hands a chunk of port o to port o + t in the first step after which
 * place(t, k) is t. Digits of t are taken from the lowest on, one in a step:
 *
 * * all at once (radix 0): one step, straight to the destination;
 * * radix 2: Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient Algorithms for All-to-All
 *   Communications in Multiport Message-Passing Systems", 1997; higher radices are for as many
 *   ports less one;
 * * balanced ternary, with the digits -1, 0 and 1: ceil(log3 n) steps (ReTri, arXiv 2605.26930).
 */
class TurnSteps
{
  public:
    /**
     * @param ports the number n of ports
     * @param radix the radix of the digits; 0 for all at once
     * @param isBalanced radix 3: whether its digits are -1, 0 and 1
     */
    TurnSteps(uint32_t ports, uint32_t radix, bool isBalanced = false);

    /**
     * Any other algorithm.
     *
     * @param name a name that is not 0, nor a radix, nor the opposite of one
     * @param places how far chunks get, by steps, from 0 on, and distance
     */
    TurnSteps(int64_t name, std::vector<std::vector<uint32_t>> places);

    /**
     * @return the number of ports
     */
    uint32_t GetNPorts() const
    {
        return m_ports;
    }

    /**
     * @return the number of steps
     */
    uint32_t GetNSteps() const
    {
        return static_cast<uint32_t>(m_places.size() - 1);
    }

    /**
     * @param distance how far a chunk goes in all: t
     * @param steps a number of steps
     * @return how far it gets in these
     */
    uint32_t GetPlace(uint32_t distance, uint32_t steps) const
    {
        return m_places[steps][distance];
    }

    /**
     * @param first a step
     * @param last the last step
     * @return by how many ports single chunks move in single steps of these, in ascending order of
     *         steps, without repetition
     */
    std::vector<uint32_t> GetShifts(uint32_t first, uint32_t last) const;

    /**
     * @return what tells it from other algorithms on as many ports
     */
    int64_t GetName() const
    {
        return m_name;
    }

  private:
    /// Find by how many ports chunks move.
    void FindShifts();

    uint32_t m_ports;                            //!< Number of ports
    int64_t m_name;                              //!< Radix, or its opposite if balanced
    std::vector<std::vector<uint32_t>> m_places; //!< By steps and distance
    std::vector<std::vector<uint32_t>> m_shifts; //!< By step, ascending
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_STEPS_H */
