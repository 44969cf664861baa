/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONCAVE_UTILITY_ALLOCATOR_H
#define CONCAVE_UTILITY_ALLOCATOR_H

#include "circuit-switch-allocator.h"

namespace ns3
{
namespace lightpath
{

struct ConcavePair;

/**
 * @ingroup lightpath
 * @brief Circuits of the largest total utility on parallel optical circuit switches, where each
 * further circuit of a pair is worth less than the one before it, or no more.
 *
 * The objective is the sum of the utilities of the demanded pairs. It is the largest, by a flow of
 * least cost, if all switches have the same working ports: to the rounding of utilities to
 * integers, which is below 1e-9 of it. Otherwise it is found by local search, and the bound is the
 * largest sum that the numbers of ports alone allow.
 */
class ConcaveUtilityAllocator : public CircuitSwitchAllocator
{
  public:
    /**
     * @brief The utility of c circuits for a pair of demand M, relative to the largest demand.
     */
    enum Utility
    {
        HALVING,     //!< M (1 + 1/2 + ... + 1/2^(c - 1))
        LOGARITHMIC, //!< M ln(1 + c)
        DISTINCT,    //!< M, however many circuits there are
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;

    /**
     * @param ports source and destination
     * @param bytes the demand of the pair
     * @return the pair and the gains of its circuits, in bytes
     */
    ConcavePair MakePair(PortPair ports, uint64_t bytes) const;

    Utility m_utility{HALVING}; //!< The utility of circuits
    bool m_fillLeftover{true};  //!< Whether ports left over are used too
};

} // namespace lightpath
} // namespace ns3

#endif /* CONCAVE_UTILITY_ALLOCATOR_H */
