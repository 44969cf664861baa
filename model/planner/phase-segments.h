/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PHASE_SEGMENTS_H
#define PHASE_SEGMENTS_H

#include "circuit-shares.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cuts the phases of an iteration into segments that each have circuits of their own.
 *
 * Phases follow one another, each with bytes of several kinds. In a segment of successive phases
 * the circuits stay as they are, shared out over the bytes of the whole segment by CircuitShares.
 * Between two segments the circuits are switched, which is hidden as far as the GPUs compute
 * without communication there:
 *
 *     g[j] = min over i < j of g[i] + max(0, delay - slack before phase i + 1) + cost(i + 1 .. j)
 *
 * The iteration repeats, so that the last segment may go on with the first phases of the next
 * iteration; with one segment nothing is switched. The best cut is found exactly by running this
 * recurrence from each phase, in O(p^3) and O(p^2) calls of CircuitShares for p phases.
 */
class PhaseSegments
{
  public:
    /// A phase.
    struct Phase
    {
        std::vector<double> bytes; //!< Bytes of each kind
        double slackSeconds{0};    //!< Time without communication before it, seconds
    };

    /// What the phases run on.
    struct Settings
    {
        uint32_t circuits{1};        //!< Ports of a GPU
        double bitRate{0};           //!< Rate of a circuit, bit/s
        double switchingSeconds{0};  //!< Time that circuits are dark as they are switched, s
        std::vector<uint32_t> ports; //!< Ports that a circuit of each kind takes; 1 where missing
        bool isCyclic{true};         //!< Whether the last phase is followed by the first one
        CircuitShares::Objective objective{CircuitShares::SUM}; //!< Time of a segment
    };

    /// Successive phases with the same circuits.
    struct Segment
    {
        uint32_t first{0};            //!< The first phase
        uint32_t phases{0};           //!< Number of phases, perhaps beyond the end of the iteration
        std::vector<uint32_t> shares; //!< Circuits of each kind
        double seconds{0};            //!< Time to send its bytes, s
        double darkSeconds{0};        //!< Time that the switch before it takes beyond the slack, s
    };

    /// The best segments.
    struct Result
    {
        double seconds{0};             //!< Time to send all bytes and to switch, s
        std::vector<Segment> segments; //!< The segments in order of their first phase
    };

    /**
     * Refuses, by std::invalid_argument, phases with different numbers of kinds, a phase that
     * needs more ports than there are, and circuits without rate.
     *
     * @param phases the phases in order, one at least
     * @param settings what they run on
     * @return the segments of least time
     */
    static Result Get(const std::vector<Phase>& phases, const Settings& settings);

  private:
    /**
     * @param phases phases
     * @param settings what they run on
     */
    PhaseSegments(const std::vector<Phase>& phases, const Settings& settings);

    /**
     * Refuse phases that cannot be carried out.
     */
    void Check() const;

    /**
     * @param first a phase
     * @param phases a number of phases from it on
     * @return what they ask for together
     */
    std::vector<CircuitUse> GetDemands(uint32_t first, uint32_t phases) const;

    /**
     * @param phase a phase
     * @return the time that a switch before it takes beyond the slack, s
     */
    double GetDarkSeconds(uint32_t phase) const;

    /**
     * Find the best segments if the first one begins with a given phase.
     *
     * @param start the phase
     * @return the number of phases of each segment, and the time without the switch before the
     *         first one
     */
    std::pair<std::vector<uint32_t>, double> GetFrom(uint32_t start) const;

    const std::vector<Phase>& m_phases;       //!< The phases
    const Settings& m_settings;               //!< What they run on
    std::vector<std::vector<double>> m_costs; //!< Time by first phase and number of phases, s
};

} // namespace lightpath
} // namespace ns3

#endif /* PHASE_SEGMENTS_H */
