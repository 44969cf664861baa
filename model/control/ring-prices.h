/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_PRICES_H
#define RING_PRICES_H

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
 * @brief Prices for the lanes of each segment, which prove that a ring has not enough of them.
 *
 * If each pair takes its cheaper arc then what all its lanes cost cannot exceed the price of
 * everything there is. This holds for any prices. They are raised where such a routing loads the
 * segments, which leads towards the dual optimum of the linear program that splits lanes at will.
 */
class RingPrices
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingPrices(const RingProblem& problem);

    /**
     * Look for prices that numbers of lanes exceed, from those found last on.
     *
     * @param needs the lanes wanted by pair
     * @return true if they have been found, so that the lanes cannot be had
     */
    bool Refute(const std::vector<uint64_t>& needs);

  private:
    /**
     * Route all pairs on their cheaper arcs, and find what each segment carries.
     *
     * @param needs the lanes wanted by pair
     * @return what all pairs pay
     */
    double Route(const std::vector<uint64_t>& needs);

    /// Raise the prices where the load is high, and lower them where there is none.
    void Raise();

    const RingProblem& m_problem;                //!< The pairs and the ring
    std::array<std::vector<double>, 2> m_prices; //!< The prices, by direction and segment
    std::array<std::vector<double>, 2> m_sums;   //!< Prices of all segments below, over two turns
    std::array<std::vector<double>, 2> m_loads;  //!< What each segment carries
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_PRICES_H */
