/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_CARRIER_H
#define TURN_CARRIER_H

#include "turn-problem.h"
#include "turn-steps.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries steps of an algorithm over a topology, hop by hop, on shortest ways.
 *
 * Chunks of an all-to-all take one of the shortest ways to where the last of the steps takes them;
 * of several, and of the orders of its hops, the one over planes with the least load. An all-gather
 * hands a chunk on from all ports that have it to those next to them which are to get it. In both
 * each hop is a round. Congestion is thus the sum over all rounds of the chunks on the fullest
 * plane, and dilation the number of rounds.
 */
class TurnCarrier
{
  public:
    /**
     * @param steps the algorithm
     * @param isGather whether it is an all-gather; otherwise an all-to-all
     * @param first the first step
     * @param last the last step
     * @param shifts the topology: the shift of each plane
     * @param listsItems whether to list what is in each message
     * @return what is sent; null if the topology does not reach everyone
     */
    std::shared_ptr<const std::vector<TurnRound>> Carry(const TurnSteps& steps,
                                                        bool isGather,
                                                        uint32_t first,
                                                        uint32_t last,
                                                        const std::vector<uint32_t>& shifts,
                                                        bool listsItems);

  private:
    /// Ports, radix, all-gather, first and last step, topology, items.
    using Key =
        std::tuple<uint32_t, int64_t, bool, uint32_t, uint32_t, std::vector<uint32_t>, bool>;

    /// Rounds that Carry() has found, by what it was asked for
    std::map<Key, std::shared_ptr<const std::vector<TurnRound>>> m_known;
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_CARRIER_H */
