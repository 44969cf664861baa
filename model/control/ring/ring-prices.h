/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_PRICES_H
#define RING_PRICES_H

#include "ring-problem.h"
#include "ring-relaxation.h"

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
 * program that splits lanes in fractions. If it is too large to be solved then it is approached by
 * prices that are raised where such a routing loads the segments.
 */
class RingPrices
{
  public:
    /**
     * @param problem the pairs and the ring; must outlive this object
     */
    explicit RingPrices(const RingProblem& problem);

    /**
     * Try the prices that have refuted other needs.
     *
     * @param needs the lanes wanted by pair
     * @return true if some of them prove that the lanes do not fit
     */
    bool RefuteAgain(const std::vector<uint64_t>& needs);

    /**
     * Look for prices that numbers of lanes exceed, from those found last on.
     *
     * @param needs the lanes wanted by pair
     * @return true if there are such prices, which prove that the lanes do not fit
     */
    bool Refute(const std::vector<uint64_t>& needs);

    /// Spend more on each search, unless the linear program has been solved.
    void BeThorough();

  private:
    /// Prices by direction and segment.
    using Prices = RingRelaxation::Prices;

    /**
     * @brief The data that the price of a pair depends on, in few bytes.
     */
    struct Ways
    {
        std::array<uint32_t, 2> first; //!< The lowest segment of the arc, by direction
        std::array<uint32_t, 2> end;   //!< The segment after the last one, over two turns
        std::array<uint32_t, 2> lanes; //!< The lanes that the pair may take there
        std::array<bool, 2> usable;    //!< Whether a lightpath may take the arc
    };

    /**
     * @brief The prices of both arcs of a pair.
     */
    struct Fare
    {
        double cheaper{0}; //!< The lower price of a lane, or that of the only arc
        double other{0};   //!< The price of a lane on the other arc
        double lanes{0};   //!< The lanes that the pair may take for the lower price
    };

    /**
     * @brief Prices, as pairs pay them.
     */
    struct Proof
    {
        std::vector<Fare> fares; //!< The prices of each pair
        double all{0};           //!< The price of all lanes
    };

    /**
     * @param prices the prices
     * @return the same, as pairs pay them
     */
    Proof MakeProof(const Prices& prices);

    /**
     * @param proof prices
     * @param needs the lanes wanted by pair
     * @return the price that all pairs pay, relative to the price of all lanes
     */
    static double GetPaid(const Proof& proof, const std::vector<uint64_t>& needs);

    /**
     * Sum up prices, so that the price of any arc is a difference.
     *
     * @param prices the prices
     */
    void SumUp(const Prices& prices);

    /**
     * @param ways the arcs of a pair
     * @param [out] direction the direction of the cheaper arc
     * @return what the pair pays for the prices that have been summed up
     */
    Fare GetFare(const Ways& ways, uint32_t& direction) const;

    /**
     * @return the price of all lanes for the prices that have been summed up
     */
    double GetTotal() const;

    /// Remember the prices that prove most if lanes need not be whole.
    void FindProof();

    /**
     * Raise the prices until numbers of lanes exceed them, or it is seen that they will not.
     *
     * @param needs the lanes wanted by pair
     * @return true if they exceed them
     */
    bool Approach(const std::vector<uint64_t>& needs);

    /**
     * Route all pairs on their cheaper arcs at the prices that are raised, as far as these arcs
     * have lanes, and note what each segment carries.
     *
     * @param needs the lanes wanted by pair, no more than its arcs have
     * @return the price that all pairs pay, relative to the price of all lanes
     */
    double Route(const std::vector<uint64_t>& needs);

    /**
     * Raise the prices where the load is high, and lower them where there is none.
     *
     * @param round how often this has been done in the search; later on, changes are smaller
     */
    void Raise(uint32_t round);

    const RingProblem& m_problem;              //!< The pairs and the ring
    RingRelaxation m_relaxation;               //!< The linear program
    uint64_t m_effort;                         //!< Effort left for solving it
    uint32_t m_rounds;                         //!< How often prices are raised in one search
    bool m_isOptimal{false};                   //!< Whether it was solved for the demand
    std::vector<Ways> m_ways;                  //!< The arcs of all pairs
    std::vector<Proof> m_proofs;               //!< Its dual values for numbers of lanes so far
    Prices m_prices;                           //!< The prices that are raised
    std::array<std::vector<double>, 2> m_sums; //!< Prices of all segments below, over two turns
    /// The load of each segment; until Raise() sums them up, its changes at segments of two turns
    std::array<std::vector<double>, 2> m_loads;
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_PRICES_H */
