/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DOUBLE_TREE_SCHEDULE_H
#define DOUBLE_TREE_SCHEDULE_H

#include "slot-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All-reduce on two binary trees, each of which carries half of the buffer in k chunks.
 *
 * In the first tree a rank whose lowest bit set is b has the children rank - b / 2 and rank + b / 2
 * (a smaller power of two where that is no rank), and the parent (rank - b) OR 2 b, or rank - b
 * where that is no rank. Rank 0 is the root; its only child is the largest power of two below n.
 * The second tree is the mirror image, n - 1 - r for r, if n is even, and has r + 1 (mod n) for r
 * if n is odd. Hence no rank has children in both trees, save rank 0 where n is odd (Sanders, Speck
 * and Träff, "Two-tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", 2009; NCCL's
 * trees). The trees are D = ceil(log2 n) deep.
 *
 * A rank of depth d sends the sum of chunk c to its parent in step D - d + c, and what it has got
 * of it from there to its children in step D + d + c, so that sums go up while results go down.
 * There are 2 D + k - 1 steps. In each a rank sends at most four messages of S / (2 k): with the
 * rate B for all of them it takes (2 D + k - 1) (alpha + 2 S / (k B)). On circuits of rate b a pair
 * that is joined in both trees has two messages to carry: (2 D + k - 1) (alpha + 2 ceil(ceil(S / 2)
 * / k) / b). Both are bounds from above, as ranks that still wait for nothing run ahead.
 */
class DoubleTreeSchedule : public SlotSchedule
{
  public:
    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @param chunks the number k of chunks of each tree, at least 1
     */
    DoubleTreeSchedule(uint32_t ranks, uint64_t bytes, uint32_t chunks);

    /**
     * The number of chunks that is chosen by the size: that which makes the time least where a
     * message's latency is that of 64 KiB, the square root of 2 (2 D - 1) S / 64 KiB, rounded up to
     * an odd number; 1023 at most.
     *
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     * @return the number k of chunks
     */
    static uint32_t ChooseChunks(uint32_t ranks, uint64_t bytes);

    /**
     * @param ranks the number n of ranks, at least 1
     * @return the depth of the trees: ceil(log2 n)
     */
    static uint32_t GetDepth(uint32_t ranks);

    // From CollectiveSchedule
    uint32_t GetNSteps() const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    uint32_t GetNPeers() const override;
    double GetSeconds(double latency, double rate) const override;
    double GetCircuitSeconds(const LinkCost& circuit) const override;

  private:
    /// Uses of the four slots of a tree.
    enum Slot
    {
        UP_BELOW,     //!< To the parent from its child of a lower label
        UP_ABOVE,     //!< To the parent from its child of a higher label
        DOWN_BELOW,   //!< To the child of a lower label
        DOWN_ABOVE,   //!< To the child of a higher label
        SLOTS_OF_TREE //!< Number of slots of a tree
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
     * @param rank a rank
     * @param tree 0 or 1
     * @return its label: the rank that has this place in the first tree
     */
    uint32_t GetLabel(uint32_t rank, uint32_t tree) const;

    /**
     * @param label a label, or NONE
     * @param tree 0 or 1
     * @return the rank that has it, or NONE
     */
    uint32_t GetRank(uint32_t label, uint32_t tree) const;

    /**
     * @param label a label
     * @return the label of its parent, or NONE
     */
    uint32_t GetParent(uint32_t label) const;

    /**
     * @param label a label
     * @param above true for the child of a higher label
     * @return the label of its child, or NONE
     */
    uint32_t GetChild(uint32_t label, bool above) const;

    /**
     * @param label a label
     * @param slot a slot of the tree
     * @return the label of the other end if a message of this slot is sent by the label, or NONE
     */
    uint32_t GetReceiver(uint32_t label, uint32_t slot) const;

    /**
     * @param label a label
     * @return how far it is below the root
     */
    uint32_t GetLabelDepth(uint32_t label) const;

    uint32_t m_depth;  //!< Depth D of the trees
    uint32_t m_chunks; //!< Number k of chunks of each tree
};

} // namespace lightpath
} // namespace ns3

#endif /* DOUBLE_TREE_SCHEDULE_H */
