/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_ORDER_H
#define OPERATOR_ORDER_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Orders things that must come before others.
 */
class OperatorOrder
{
  public:
    /**
     * @param things the number of things
     */
    explicit OperatorOrder(uint32_t things);

    /**
     * State that one thing comes before another.
     *
     * @param first the index of the one
     * @param second the index of the other
     */
    void Add(uint32_t first, uint32_t second);

    /**
     * @return the things in the first of all possible orders, compared like words: where the things
     *         are in a possible order, it is that; fewer than all of them if some wait for each
     *         other
     */
    std::vector<uint32_t> Sort() const;

    /**
     * @return things each of which must come before the next one and the last before the first,
     *         from the smallest index on; none if there are none
     */
    std::vector<uint32_t> FindCycle() const;

  private:
    /**
     * Take things, the first of those that wait for nothing at each step.
     *
     * @param [out] order the things that were taken
     * @param [out] waiting for each thing, the number of things before it that were not taken
     */
    void Take(std::vector<uint32_t>& order, std::vector<uint32_t>& waiting) const;

    uint32_t m_things;                                   //!< Number of things
    std::vector<std::pair<uint32_t, uint32_t>> m_before; //!< What comes before what
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_ORDER_H */
