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
 * If each pair takes its cheaper arc, the cost of all lanes wanted cannot exceed the price of
 * everything there is. This holds for any prices. The best ones are the dual optimum of the linear
 * program that splits lanes in fractions. They are approached by a deflected subgradient method
 * with the steps of Polyak (1969), whose directions are those of Camerini, Fratta and Maffioli
 * (1975).
 */
class RingPrices
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingPrices(const RingProblem& problem);

    /**
     * Look for prices that numbers of lanes exceed, first among those that have refuted other
     * needs, then from those found last on.
     *
     * @param needs the lanes wanted by pair, no more than its arcs have
     * @return true if there are such prices, which prove that the lanes do not fit
     */
    bool Refute(const std::vector<uint64_t>& needs);

    /// Spend more on each search.
    void BeThorough();

  private:
    /// Prices, or other numbers, by direction and segment.
    using Prices = std::array<std::vector<double>, 2>;

    /**
     * Route all pairs on their cheaper arcs, as far as these arcs have lanes, and note what each
     * segment carries in m_loads.
     *
     * @param prices the price of a lane by segment
     * @param needs the lanes wanted by pair
     * @return the price that all pairs pay, relative to the price of all lanes
     */
    double Route(const Prices& prices, const std::vector<uint64_t>& needs);

    /**
     * Raise prices where the load is above the room, and lower them where it is below.
     *
     * @param ratio the price that all pairs pay, relative to the price of all lanes
     * @return false if no other prices are better
     */
    bool Raise(double ratio);

    const RingProblem& m_problem; //!< The pairs and the ring
    uint32_t m_rounds;            //!< How often prices are raised in one search
    std::vector<Prices> m_proofs; //!< Prices that have refuted numbers of lanes
    Prices m_prices;              //!< The prices that are raised
    Prices m_direction;           //!< By how much they were raised last, before steps
    double m_all{0};              //!< Price of all lanes
    Prices m_sums;                //!< Prices of all segments below, over two turns
    /// The load of each segment; until Raise() sums them up, its changes at segments of two turns
    Prices m_loads;
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_PRICES_H */
