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
 * @brief Sorts items topologically.
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
     * @return the lexicographically smallest topological order, which is the given order if that is
     *         topological; things on a cycle, and things behind one, are missing
     */
    std::vector<uint32_t> Sort() const;

    /**
     * @return the things of a cycle, beginning with the smallest index; empty if there is no cycle
     */
    std::vector<uint32_t> FindCycle() const;

  private:
    /**
     * Take things one by one, always the smallest that waits for nothing.
     *
     * @param [out] order the things that were taken
     * @param [out] waiting for each thing, the number of things before it that were not taken
     */
    void Take(std::vector<uint32_t>& order, std::vector<uint32_t>& waiting) const;

    uint32_t m_things; //!< Number of things
    std::vector<std::pair<uint32_t, uint32_t>>
        m_before; //!< Pairs: the first comes before the second
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_ORDER_H */
