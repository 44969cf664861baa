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
 * @brief Sums and gathering over the rows and columns of a grid, both at the same time.
 *
 * Rank r is in row r / columns and column r % columns, and exchanges messages with ranks of its row
 * and of its column only, by the steps of CirculantSchedule. In each step a rank sends at most one
 * message in its row and one in its column. The buffer is in shares, of which each rank keeps a
 * chunk.
 *
 * Without pieces there are two equal shares. One is scattered in the order row, column, row, ...,
 * the other one in the order column, row, column, ..., and the all-gather goes back the same way.
 * With q steps over a row and p over a column, each takes p + q steps. Where rows and columns have
 * different lengths, the last steps of both shares are in the longer direction, as one message, and
 * the links of the other direction are idle.
 *
 * With pieces, the first share is scattered along the longer direction and then along the other
 * one, and k pieces the other way round. Both directions carry as many bytes: with a < b ranks
 * along them, c = 1 - 1/a and w = 1 - 1/b, the first share is to all pieces as c - w/a to w - c/b.
 * The longer direction sums and gathers piece after piece, between the sums and the gathering of
 * the first share; the other one sums all pieces, sums and gathers the first share, and gathers all
 * pieces. Messages are cut so that both directions take equally long. A piece is at most max(1, 2 w
 * / (a c)) times as large as the one before, and as the one behind, so that the longer direction
 * need not wait. In a reduce-scatter alone a piece is w / (a c) times as large as the one before.
 * With enough pieces no link is idle: an all-reduce takes 2 (n - 1) S / (n B) besides the latencies
 * of its steps.
 *
 * The number of pieces, or none, is the best one if a rank can send 32 KiB in both directions
 * during the latency of a step. On circuits a step takes its larger message, a bound from above
 * that is exact where 2 n divides S.
 */
class GridSchedule : public SlotSchedule
{
  public:
    /// The best number of pieces.
    static constexpr uint32_t BEST = UINT32_MAX;

    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param columns the number of columns, which divides the number of ranks; 1 for the grid that
     *        is nearest to a square, with no more rows than columns
     * @param pieces the number of pieces, or BEST; 0 for none, as on a single row or column
     */
    GridSchedule(CollectiveKind kind,
                 uint32_t ranks,
                 uint64_t bytes,
                 uint32_t columns,
                 uint32_t pieces = BEST);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    /// A message of each rank in a step.
    struct Move
    {
        /**
         * @return the number of chunks
         */
        uint64_t GetParts() const;

        uint32_t share{0};                 //!< The share of the buffer
        uint32_t turn{0};                  //!< Its number among the messages of the share
        uint32_t side{0};                  //!< 0 along the row, 1 along the column
        uint32_t distance{0};              //!< From a sender to its receiver
        std::array<uint32_t, 2> count{{}}; //!< Chunks that are sent, along row and column
        bool isSum{true};                  //!< The receiver adds them
        bool isJoint{false};               //!< Those of the next share are sent as well
        uint64_t begin{0};                 //!< Where the part of each chunk begins, bytes
        uint64_t end{UINT64_MAX};          //!< Where it ends, if before the end of the chunk
    };

    /// The messages of each rank along its row and along its column, in order.
    using Lanes = std::array<std::vector<Move>, 2>;

    // From SlotSchedule
    uint32_t GetNSlots(uint32_t step) const override;
    uint32_t GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const override;
    uint32_t GetSource(uint32_t rank, uint32_t step, uint32_t slot) const override;
    void AddBlocks(uint32_t rank,
                   uint32_t step,
                   uint32_t slot,
                   std::vector<Block>& blocks) const override;
    uint64_t GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const override;

    /**
     * Make the shares and the steps.
     *
     * @param pieces the number of pieces
     */
    void MakeSteps(uint32_t pieces);

    /// Make two equal shares, and their steps.
    void MakeHalves();

    /**
     * Make pieces and the steps of a pipeline of them.
     *
     * @param pieces the number of pieces, at least 1
     */
    void MakePipeline(uint32_t pieces);

    /**
     * @param wide the longer direction
     * @param pieces the number of pieces
     * @return the relative sizes of the first share and of the pieces
     */
    std::vector<double> GetWeights(uint32_t wide, uint32_t pieces) const;

    /**
     * Make the steps in which both directions send, the longer message cut to the shorter one. A
     * direction whose next message waits for the other direction is idle for a step.
     *
     * @param lanes what they send
     */
    void Pair(const Lanes& lanes);

    /**
     * Divide the buffer into shares of whole bytes for each rank, but for the last one.
     *
     * @param weights the relative sizes of the shares
     */
    void MakeShares(const std::vector<double>& weights);

    /**
     * @param share a share of the buffer
     * @param side the direction that comes first
     * @param alternates directions take turns; otherwise the second one follows the first one
     * @return its messages in a reduce-scatter or an all-reduce, in order
     */
    std::vector<Move> MakePath(uint32_t share, uint32_t side, bool alternates) const;

    /**
     * @param share a share
     * @return its size in bytes
     */
    uint64_t GetShareBytes(uint32_t share) const;

    /**
     * @param share a share
     * @return the size of the smallest chunk in bytes
     */
    uint64_t GetChunk(uint32_t share) const;

    /**
     * @param move a message of each rank
     * @return the size of the largest one in bytes, or more where n does not divide a share
     */
    uint64_t GetMostBytes(const Move& move) const;

    /**
     * @param rank a rank
     * @param side 0 along the row, 1 along the column
     * @param shift how much further, modulo the size
     * @return another rank of the row or column
     */
    uint32_t GetPeer(uint32_t rank, uint32_t side, uint32_t shift) const;

    /**
     * Add the data that a rank sends of a share.
     *
     * @param rank the rank
     * @param move the message
     * @param share the share
     * @param [in,out] blocks what they are added to
     */
    void AddShare(uint32_t rank,
                  const Move& move,
                  uint32_t share,
                  std::vector<Block>& blocks) const;

    std::array<uint32_t, 2> m_sizes;        //!< The number of columns, and of rows
    std::vector<uint64_t> m_offsets;        //!< Where shares begin, and the end of the buffer
    std::vector<std::vector<Move>> m_steps; //!< Messages of each step
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_SCHEDULE_H */
