/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_SCHEDULE_H
#define TURN_SCHEDULE_H

#include "slot-schedule.h"

#include "ns3/turn-problem.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Messages over the circuits of a sequence of topologies that a TurnMethod has found.
 *
 * Each round is a step, and each message goes over one circuit: what goes further is handed on by
 * the ranks on the way. If n divides S, all ranks send the same.
 */
class TurnSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind the operation; std::invalid_argument for one that TurnKind has not
     * @return the same operation
     */
    static TurnKind GetTurnKind(CollectiveKind kind);

    /**
     * @param kind the operation, as that of the problem
     * @param ranks the number of ranks; std::invalid_argument if it is not that of the sequence
     * @param bytes the size of the buffer in bytes
     * @param sequence the topologies and rounds, whose moves list their items
     */
    TurnSchedule(CollectiveKind kind,
                 uint32_t ranks,
                 uint64_t bytes,
                 std::shared_ptr<const TurnSequence> sequence);

    /**
     * @return the topologies
     */
    const TurnSequence& GetSequence() const
    {
        return *m_sequence;
    }

    /**
     * @param step a step
     * @return which of the topologies it is carried on
     */
    uint32_t GetPhase(uint32_t step) const
    {
        return m_steps[step].phase;
    }

    /// The step of an operation is none of a topology.
    static constexpr uint32_t NO_PHASE = UINT32_MAX;

    /**
     * @param schedule topologies in turn, among all ranks or across servers
     * @param step a step of it
     * @return the topology that it is carried on; NO_PHASE inside servers
     */
    static uint32_t FindPhase(const CollectiveSchedule& schedule, uint32_t step);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    /// A round.
    struct Step
    {
        uint32_t phase;         //!< Its topology
        const TurnRound* round; //!< What is sent
    };

    // From SlotSchedule
    uint32_t GetNSlots(uint32_t step) const override;
    uint32_t GetShift(uint32_t step, uint32_t slot) const override;
    uint64_t GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;

    std::shared_ptr<const TurnSequence> m_sequence; //!< The topologies
    std::vector<Step> m_steps;                      //!< The rounds
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_SCHEDULE_H */
