/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_SCHEDULE_H
#define GRID_SCHEDULE_H

#include "slot-schedule.h"

#include <array>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Halving and doubling over the rows and columns of a grid, both at the same time.
 *
 * Rank r is in row r / columns and column r % columns, and exchanges messages with ranks of its row
 * and of its column only. Each half of the buffer is scattered by the steps of CirculantSchedule
 * over the rows and over the columns, of which each rank keeps the chunks of its column and of its
 * row: the first half in the order row, column, row, ..., the second one in the order column, row,
 * column, ... Where rows and columns have the same number of steps, a rank hence always sends one
 * message in its row and one in its column. Otherwise the last steps of both halves are in the
 * longer direction, as one message. The all-gather goes back the same way.
 *
 * With q steps over a row and p over a column, each of the two takes (p + q) alpha + (n - 1) S / (n
 * B). On circuits it takes the larger message of each step, a bound from above that is exact where
 * 2 n divides S.
 */
class GridSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param columns the number of columns, which divides the number of ranks; 1 for the grid that
     *        is nearest to a square, with no more rows than columns
     */
    GridSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes, uint32_t columns);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    /// The step of one half of the buffer, as in the reduce-scatter.
    struct Stage
    {
        uint32_t side{0};                  //!< 0 along the row, 1 along the column
        uint32_t distance{0};              //!< From a sender to its receiver
        std::array<uint32_t, 2> count{{}}; //!< Chunks that are sent, along row and column
    };

    // From SlotSchedule
    uint32_t GetNSlots(uint32_t step) const override;
    uint32_t GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const override;
    uint32_t GetSource(uint32_t rank, uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;

    /**
     * @param half a half of the buffer
     * @return its steps in the reduce-scatter
     */
    std::vector<Stage> MakeStages(uint32_t half) const;

    /**
     * @param step a step
     * @param half a half of the buffer
     * @return the stage of the step
     */
    const Stage& GetStage(uint32_t step, uint32_t half) const;

    /**
     * @param step a step
     * @return true if both halves go to the same peer, in one message
     */
    bool IsJoint(uint32_t step) const;

    /**
     * @param rank a rank
     * @param side 0 along the row, 1 along the column
     * @param shift how much further, modulo the size
     * @return another rank of the row or column
     */
    uint32_t Move(uint32_t rank, uint32_t side, uint32_t shift) const;

    /**
     * Add the data that a rank sends of one half of the buffer.
     *
     * @param rank the rank
     * @param step the step
     * @param half the half
     * @param [in,out] blocks what they are added to
     */
    void AddHalf(uint32_t rank, uint32_t step, uint32_t half, std::vector<Block>& blocks) const;

    /**
     * @param half a half of the buffer
     * @return its size in bytes
     */
    uint64_t GetHalfBytes(uint32_t half) const;

    std::array<uint32_t, 2> m_sizes;          //!< The number of columns, and of rows
    std::vector<std::vector<Stage>> m_stages; //!< Steps of the reduce-scatter, by half
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_SCHEDULE_H */
