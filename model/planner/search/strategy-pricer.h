/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_PRICER_H
#define STRATEGY_PRICER_H

#include "choice-pricer.h"
#include "plan-variants.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Prices a strategy by the best of the few ways to carry it out that promise most: one ring
 * or two, each grid of the fabric, circuits in proportion to bytes or dealt out one by one, and for
 * each phase or not; in other places where the fabric does not carry it as ranks are numbered.
 */
class StrategyPricer
{
  public:
    /**
     * @param pricer prices choices; it must outlive this object
     * @param variants the variants of strategies; it must outlive this object
     */
    StrategyPricer(ChoicePricer& pricer, const PlanVariants& variants);

    /**
     * @param [in,out] choice a choice with a strategy; the best way to carry it out
     * @param limit the time in seconds beyond which the exact time is not needed
     * @return its price in seconds, or some time above the limit; infinite if it was refused
     */
    double Price(PlanChoice& choice, double limit);

    /**
     * @return whether the last strategy was refused because its GPUs have too little memory
     */
    bool IsMemoryRefusal() const;

    /**
     * @param choice a choice that the fabric has refused
     * @return true if it is proven that the fabric has too few circuits for all plans of its
     *         strategy
     */
    bool ExceedsDegree(const PlanChoice& choice);

  private:
    /**
     * Price a choice if it is carried.
     *
     * @param choice the choice
     * @param limit the time beyond which neither is needed
     * @return its price in seconds, or some time above the limit; infinite if it was refused
     */
    double PriceOne(const PlanChoice& choice, double limit);

    /**
     * Find circuits, phases and, if need be, places.
     *
     * @param [in,out] choice the choice; the best one
     * @param limit the time beyond which the exact time is not needed
     * @return its price as for Price()
     */
    double PriceCircuits(PlanChoice& choice, double limit);

    ChoicePricer& m_pricer;         //!< Prices choices
    const PlanVariants& m_variants; //!< The variants of strategies
    bool m_canSwitch;               //!< Whether there is a choice between phases and none
    bool m_isMemoryRefusal{false};  //!< Whether memory was why the last strategy was refused
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_PRICER_H */
