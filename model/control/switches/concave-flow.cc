/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "concave-flow.h"

#include "model/control/graph-solvers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @brief The circuits that are offered to a flow: no more of a pair than it is likely to take.
 */
class CircuitOffer
{
  public:
    /**
     * @param inputs the most circuits that each device sends on
     * @param outputs the most circuits that each device receives on
     * @param pairs the pairs
     * @param circuits the circuits that each pair has already
     */
    CircuitOffer(const std::vector<uint32_t>& inputs,
                 const std::vector<uint32_t>& outputs,
                 const std::vector<ConcavePair>& pairs,
                 const std::vector<uint32_t>& circuits);

    /**
     * @return the circuits of the offer that a flow takes, by pair
     */
    std::vector<uint32_t> Solve() const;

    /**
     * Offer more circuits to the pairs that have taken all that they were offered.
     *
     * @param taken the circuits taken, by pair
     * @return true if more is offered
     */
    bool Extend(const std::vector<uint32_t>& taken);

  private:
    /// Circuits offered to a pair at first.
    static constexpr uint32_t FEW = 3;

    const std::vector<uint32_t>& m_inputs;   //!< The most circuits that each device sends on
    const std::vector<uint32_t>& m_outputs;  //!< The most circuits that each device receives on
    const std::vector<ConcavePair>& m_pairs; //!< The pairs
    const std::vector<uint32_t>& m_circuits; //!< The circuits that each pair has already
    std::vector<uint32_t> m_most;            //!< The most circuits that a pair can take
    std::vector<uint32_t> m_offer;           //!< The circuits offered, by pair
    double m_scale{1};                       //!< The factor of gains
};

CircuitOffer::CircuitOffer(const std::vector<uint32_t>& inputs,
                           const std::vector<uint32_t>& outputs,
                           const std::vector<ConcavePair>& pairs,
                           const std::vector<uint32_t>& circuits)
    : m_inputs(inputs),
      m_outputs(outputs),
      m_pairs(pairs),
      m_circuits(circuits)
{
    double largest = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        const auto& [ports, gains] = pairs[i];
        const uint32_t has = circuits[i];
        uint32_t most = 0;
        while (most < std::min(inputs[ports.first], outputs[ports.second]) &&
               has + most < gains.size() && gains[has + most] > 0)
        {
            ++most;
        }
        m_most.push_back(most);
        m_offer.push_back(std::min(most, FEW));
        largest = most > 0 ? std::max(largest, gains[has]) : largest;
    }
    if (largest > 0)
    {
        // A power of two: whole gains that are small enough stay what they are
        const double room = std::ldexp(1, 60) / (2.0 * inputs.size() + 2);
        m_scale = std::ldexp(1, std::ilogb(room / largest));
    }
}

std::vector<uint32_t>
CircuitOffer::Solve() const
{
    const uint32_t devices = m_inputs.size();
    std::vector<FlowArc> arcs;
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        const auto& [ports, gains] = m_pairs[i];
        for (uint32_t circuit = 0; circuit < m_offer[i]; ++circuit)
        {
            const auto gain = std::llround(gains[m_circuits[i] + circuit] * m_scale);
            arcs.push_back({ports.first, devices + ports.second, 1, -std::max(1LL, gain)});
        }
    }
    // One node more closes the circulation
    for (uint32_t device = 0; device < devices; ++device)
    {
        arcs.push_back({2 * devices, device, m_inputs[device], 0});
        arcs.push_back({devices + device, 2 * devices, m_outputs[device], 0});
    }
    const auto flow = FindMinCostFlow(std::vector<int64_t>(2 * devices + 1, 0), arcs);
    std::vector<uint32_t> taken(m_pairs.size(), 0);
    std::size_t arc = 0;
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        for (uint32_t circuit = 0; circuit < m_offer[i]; ++circuit)
        {
            taken[i] += static_cast<uint32_t>((*flow)[arc++]);
        }
    }
    return taken;
}

bool
CircuitOffer::Extend(const std::vector<uint32_t>& taken)
{
    bool isMore = false;
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        if (taken[i] == m_offer[i] && m_offer[i] < m_most[i])
        {
            m_offer[i] = std::min(m_most[i], 2 * m_offer[i]);
            isMore = true;
        }
    }
    return isMore;
}

} // namespace

ConcavePair
ConcavePair::Halve(PortPair ports, double bytes, uint32_t circuits)
{
    ConcavePair pair{ports, {}};
    for (uint32_t circuit = 0; circuit < circuits; ++circuit)
    {
        pair.gains.push_back(std::ldexp(bytes, -static_cast<int>(circuit)));
    }
    return pair;
}

double
ConcavePair::GetValue(uint32_t circuits) const
{
    double value = 0;
    for (std::size_t i = 0; i < circuits && i < gains.size(); ++i)
    {
        value += gains[i];
    }
    return value;
}

std::vector<uint32_t>
FindConcaveFlow(const std::vector<uint32_t>& inputs,
                const std::vector<uint32_t>& outputs,
                const std::vector<ConcavePair>& pairs,
                const std::vector<uint32_t>& circuits)
{
    CircuitOffer offer(inputs, outputs, pairs, circuits);
    std::vector<uint32_t> taken = offer.Solve();
    // As gains are concave, a flow that no offer limits is best without limits, too
    while (offer.Extend(taken))
    {
        taken = offer.Solve();
    }
    return taken;
}

} // namespace lightpath
} // namespace ns3
