/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPECTRA_SOLVER_H
#define SPECTRA_SOLVER_H

#include "service-time-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Shares out the matchings of a demand over parallel switches, each of which turns on its
 * own (Spectra, arXiv 2603.07373, abstract: decompose, schedule, equalise).
 *
 * * Decompose: into the few matchings of HeavyScheduler, or by Birkhoff (MatchingSlicer).
 * * Schedule: the longest matching that is left goes to the switch with the least to do.
 * * Equalise: as long as this shortens the whole, the switch with most to do hands a part of a
 *   matching to that with the least, which has a delay more for it.
 *
 * Of the two decompositions the one with the shorter whole is taken.
 */
class SpectraSolver
{
  public:
    /// The matchings of each switch, in their order.
    using Switches = std::vector<std::vector<TimedMatching>>;

    /**
     * @param times the service times of the demand over a circuit of one switch
     * @param switches the number of switches
     * @param delay the time before each matching in which a switch is dark
     * @return the matchings, which serve the demand
     */
    static Switches Solve(const ServiceTimeMatrix& times, uint32_t switches, int64_t delay);

    /**
     * @param schedule the matchings of each switch
     * @param delay the time before each matching
     * @return the time until all switches are through
     */
    static int64_t GetTime(const Switches& schedule, int64_t delay);

    /**
     * Each pair needs a matching of its own on some switch, and a switch joins a device to one peer
     * at a time: T >= max over lines of (load + delay * pairs) / switches. Each switch that takes
     * part is dark once at least, so that T >= delay + load / switches, too.
     *
     * @param times the service times of the demand
     * @param switches the number of switches
     * @param delay the time before each matching
     * @return the least time that any schedule takes
     */
    static int64_t GetBound(const ServiceTimeMatrix& times, uint32_t switches, int64_t delay);

  private:
    /**
     * @param matchings the matchings
     * @param switches the number of switches
     * @param delay the time before each matching
     * @return the matchings of each switch
     */
    static Switches Share(std::vector<TimedMatching> matchings, uint32_t switches, int64_t delay);

    /**
     * @param [in,out] schedule the matchings of each switch
     * @param delay the time before each matching
     */
    static void Equalise(Switches& schedule, int64_t delay);
};

} // namespace lightpath
} // namespace ns3

#endif /* SPECTRA_SOLVER_H */
