/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_TRAFFIC_H
#define PROGRAM_TRAFFIC_H

#include "rank-program.h"

#include "ns3/collective-protocols.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The bytes that a program sends to each of its peers in one iteration.
 *
 * The constructor sums the tasks up once; GetPeers() applies the sums to each rank.
 */
class ProgramTraffic
{
  public:
    /// Bytes by peer: the index of the kind of group and the position in it.
    using Peers = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

    /// Stands for all phases.
    static constexpr uint32_t ALL_PHASES = UINT32_MAX;

    /**
     * @param program the program
     * @param protocols the protocols of collectives
     * @param phase the phase to sum up
     */
    ProgramTraffic(const RankProgram& program,
                   const CollectiveProtocols& protocols,
                   uint32_t phase = ALL_PHASES);

    /**
     * Get what a rank sends, or what it needs circuits for. Where messages to several peers follow
     * each other in a collective, circuits that are set once take the sum of b / c over peers of b
     * bytes and c circuits, which is least for c in proportion to the root of b. The demand for
     * circuits has the bytes that take as long when all are sent at the same time: root of b times
     * the sum of all roots.
     *
     * @param groups the groups of the plan, by kind
     * @param rank a rank that runs the program
     * @param isDemand true for the demand for circuits, false for the bytes
     * @return the bytes that it sends, by peer
     */
    Peers GetPeers(const std::vector<RankGroups>& groups, uint32_t rank, bool isDemand = false);

  private:
    /**
     * @param schedule a collective
     * @param rank a rank of it
     * @param [in,out] totals the bytes that it sends, which become the demand for circuits
     */
    static void WeighTurns(const CollectiveSchedule& schedule,
                           uint32_t rank,
                           std::vector<Transfer>& totals);

    /// Kind of group, operation, size of the buffer as sent, and options.
    using Collective = std::tuple<uint32_t, CollectiveKind, uint64_t, CollectiveOptions>;

    /// Collectives of one sort.
    struct Count
    {
        uint64_t number{0}; //!< How many there are
        /// Their schedule, by the size of the group
        std::map<uint32_t, std::shared_ptr<const CollectiveSchedule>> schedules;
    };

    Peers m_sends;                             //!< Bytes of the messages
    std::map<Collective, Count> m_collectives; //!< Collectives of each sort
};

} // namespace lightpath
} // namespace ns3

#endif /* PROGRAM_TRAFFIC_H */
