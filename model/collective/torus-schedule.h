/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TORUS_SCHEDULE_H
#define TORUS_SCHEDULE_H

#include "rank-axes.h"
#include "slot-schedule.h"

#include <array>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sums and gathering over the axes of a torus of up to three dimensions, all axes and both
 * ways round at the same time (the bucket algorithm).
 *
 * A rank exchanges messages with its neighbours alone (RankAxes).
 *
 * There is a share of the buffer for each axis of several ranks. A share is scattered along its own
 * axis first and then along those after it, in turn; what the first axis has scattered is all that
 * the next one carries. The all-gather goes back the same way. Along an axis of k ranks, sums go to
 * the rank that keeps them from both sides, by the shorter way round: a ring takes floor(k / 2)
 * steps, a line k - 1. Of an even ring, each side sums one half for the rank opposite.
 *
 * With equal axes, no link is ever idle: an all-reduce on rings of k ranks along m axes, with links
 * of rate b, takes (1 - 1/N) S / (m b) and 2 m floor(k / 2) latencies, the least that its bytes
 * take on 2 m links. Otherwise shares have sizes by which the first axes of all shares take equally
 * long, and messages are cut to equal lengths, so that axes wait little; unless it is faster, at 32
 * KiB for a latency, if all shares take their next step together.
 */
class TorusSchedule : public SlotSchedule
{
  public:
    /**
     * @param kind ALL_REDUCE, REDUCE_SCATTER or ALL_GATHER
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param axes the axes, whose product is the number of ranks; of one rank each for those of
     *        RankAxes::GetNearestToCube()
     */
    TorusSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes, const RankAxes& axes);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;
    uint32_t GetNPeers() const override;

    /// @copydoc CollectiveSchedule::GetSeconds()
    /// It is exact on rings, and a bound from above on lines.
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    /// A message of each rank to the next one along an axis, and one to the one before.
    struct Move
    {
        uint32_t share{0};        //!< The share of the buffer
        uint32_t axis{0};         //!< The axis
        uint32_t distance{0};     //!< Between the rank that keeps the sum, or had the data first,
                                  //!< and the end of the message that is further away
        uint64_t parts{0};        //!< Chunks of a message
        bool isSum{true};         //!< The receiver adds them
        bool isHalf{false};       //!< Each of the two messages has one half of each chunk
        uint64_t begin{0};        //!< Where the part of each chunk, or half, begins, bytes
        uint64_t end{UINT64_MAX}; //!< Where it ends, if before the end
    };

    /// The messages of a step, by axis.
    using Step = std::array<std::vector<Move>, RankAxes::MOST>;

    /// The messages along each axis in order, with their numbers among those of their shares.
    using Lanes = std::array<std::vector<std::pair<Move, std::size_t>>, RankAxes::MOST>;

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
     * @param axis an axis
     * @return the steps of a reduce-scatter along it
     */
    uint32_t GetSpan(uint32_t axis) const;

    /**
     * @param share a share
     * @return the axes in the order in which it is scattered
     */
    std::vector<uint32_t> GetOrder(uint32_t share) const;

    /// Divide the buffer, but for the last share in whole bytes for each rank.
    void MakeShares();

    /**
     * @param share a share
     * @return its messages in order
     */
    std::vector<Move> MakePath(uint32_t share) const;

    /**
     * @return steps in each of which all shares take their next one
     */
    std::vector<Step> MakeSteps() const;

    /**
     * @return the messages along each axis: first those of the share that has been scattered along
     *         the fewest axes
     */
    Lanes MakeLanes() const;

    /**
     * @return steps in which each axis sends its messages one after the other, cut to equal lengths
     */
    std::vector<Step> MakePipeline() const;

    /**
     * @param rank the rank that sends
     * @param move a message
     * @param isUp the way that it goes
     * @return the place, along its axis, of the chunks that it sends, or NONE
     */
    uint32_t GetChunkPlace(uint32_t rank, const Move& move, bool isUp) const;

    /**
     * @param share a share
     * @return the size of its smallest chunk in bytes
     */
    uint64_t GetChunk(uint32_t share) const;

    /**
     * @param move a message
     * @param isUp the way that it goes
     * @param chunk the size of a chunk, bytes
     * @return the bytes of a chunk of this size that it has: where they begin and where they end
     */
    static std::pair<uint64_t, uint64_t> GetPart(const Move& move, bool isUp, uint64_t chunk);

    /**
     * @param move a message
     * @return the most bytes of it either way
     */
    uint64_t GetMostBytes(const Move& move) const;

    RankAxes m_axes;                 //!< The axes
    std::vector<uint32_t> m_used;    //!< Those with several ranks
    std::vector<uint64_t> m_offsets; //!< Where shares begin, and the end of the buffer
    std::vector<Step> m_steps;       //!< The steps
};

} // namespace lightpath
} // namespace ns3

#endif /* TORUS_SCHEDULE_H */
