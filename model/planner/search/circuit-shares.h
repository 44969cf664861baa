/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SHARES_H
#define CIRCUIT_SHARES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The demand of one use of a GPU's circuits, such as the ring of a group.
 */
struct CircuitUse
{
    double bytes{0};   //!< Bytes that each of its circuits would carry alone; 0: it needs none
    uint32_t ports{1}; //!< Ports of the GPU that one more circuit for it takes, at least 1
};

/**
 * @ingroup lightpath
 * @brief Shares out the circuits of a GPU over what it sends, within its number of ports.
 *
 * A demand of V bytes with x circuits of rate r takes V / (x r). Each demand with bytes gets a
 * circuit at least. Demands follow one another, and the sum of their times is least. Where all take
 * the same number of ports, one circuit after the other goes to the demand whose time it shortens
 * most, which is optimal as the times are convex (Fox, "Discrete optimization via marginal
 * analysis", 1966); with d ports and k demands in O(k + d log k). Otherwise this is a knapsack,
 * solved by dynamic programming over the ports in O(k d^2).
 *
 * Of equal demands, the first one gets more.
 */
class CircuitShares
{
  public:
    /**
     * @param demands the demands
     * @return the ports that they need at least
     */
    static uint64_t GetMinPorts(const std::vector<CircuitUse>& demands);

    /**
     * @param demands the demands
     * @param ports the number of ports, at least GetMinPorts()
     * @return the number of circuits of each demand, 0 if it has no bytes
     */
    static std::vector<uint32_t> Get(const std::vector<CircuitUse>& demands, uint32_t ports);

  private:
    /**
     * Give one circuit after the other to the demand that it helps most.
     *
     * @param demands the demands
     * @param ports the number of ports
     * @return the number of circuits of each demand
     */
    static std::vector<uint32_t> GetGreedy(const std::vector<CircuitUse>& demands, uint32_t ports);

    /**
     * Minimise the sum of the times of demands whose circuits take different numbers of ports.
     *
     * @param demands the demands
     * @param ports the number of ports
     * @return the number of circuits of each demand
     */
    static std::vector<uint32_t> GetKnapsack(const std::vector<CircuitUse>& demands,
                                             uint32_t ports);
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SHARES_H */
