/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GREEDY_HALVING_ALLOCATOR_H
#define GREEDY_HALVING_ALLOCATOR_H

#include "circuit-switch-allocator.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Circuits on parallel optical circuit switches by descending demand, which each circuit
 * halves: the greedy rule by which TopoOpt (Wang et al., 2023) models SiP-ML.
 *
 * The pair with the largest demand gets a circuit and has its demand halved, again and again; of
 * equal pairs the first by source and destination. A pair that finds no switch with room gets no
 * more. The objective is the sum that the rule maximises greedily: for each pair, its demand
 * relative to the largest times 1 + 1/2 + 1/4 and so on for each of its circuits. The bound is the
 * largest such sum that the numbers of ports allow.
 */
class GreedyHalvingAllocator : public CircuitSwitchAllocator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* GREEDY_HALVING_ALLOCATOR_H */
