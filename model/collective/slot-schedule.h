/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_SCHEDULE_H
#define SLOT_SCHEDULE_H

#include "collective-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A schedule whose messages are known by slots.
 *
 * Each step has a number of slots, the same for all ranks. In each slot a rank sends at most one
 * message and receives at most one. A child class tells the receiver, the sender and the data of
 * these messages; the base class derives sends, receives and totals.
 */
class SlotSchedule : public CollectiveSchedule
{
  public:
    // From CollectiveSchedule
    void GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const override;
    void GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const override;
    void GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const override;

    /**
     * @param rank a rank
     * @param [out] blocks chunk r of rank r in a reduce-scatter or an all-gather, otherwise none
     */
    void GetOwned(uint32_t rank, std::vector<Block>& blocks) const override;

    double GetBusFactor() const override;

    /**
     * @param bytes a number of bytes
     * @param parts the number of parts that they are divided into
     * @param part the index of a part, or the number of parts
     * @return where it begins, in bytes: floor(bytes part / parts)
     */
    static uint64_t GetOffset(uint64_t bytes, uint32_t parts, uint32_t part);

  protected:
    /// Where a message goes to or comes from if there is none
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param kind the operation
     * @param ranks the number of ranks
     * @param bytes the size of the buffer in bytes
     */
    SlotSchedule(CollectiveKind kind, uint32_t ranks, uint64_t bytes);

    /**
     * @return the operation
     */
    CollectiveKind GetOperation() const;

    /**
     * @return true if the schedule begins with a reduce-scatter
     */
    bool HasReduceScatter() const;

    /**
     * @return true if the schedule ends with an all-gather
     */
    bool HasAllGather() const;

    /**
     * @return the number of parts of the schedule that each take the same time: 2 for all-reduce
     */
    uint32_t GetNRounds() const;

    /**
     * @param rank a rank
     * @param distance how far another rank is from it, less than n
     * @return rank + distance (mod n)
     */
    uint32_t GetAfter(uint32_t rank, uint32_t distance) const;

    /**
     * @param rank a rank
     * @param distance how far another rank is from it, less than n
     * @return rank - distance (mod n)
     */
    uint32_t GetBefore(uint32_t rank, uint32_t distance) const;

    /**
     * Add a range of the chunks of the buffer that may go round its end.
     *
     * @param origin the rank whose data they are, or 0
     * @param first the first chunk
     * @param count the number of chunks, at most n
     * @param isSum true if the receiver adds them
     * @param [in,out] blocks what they are added to, unless they are empty
     */
    void AddChunks(uint32_t origin,
                   uint32_t first,
                   uint32_t count,
                   bool isSum,
                   std::vector<Block>& blocks) const;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @param slot the slot, in which it sends
     * @return the size of the message in bytes, 0 if there is none
     */
    virtual uint64_t GetMessageBytes(uint32_t rank, uint32_t step, uint32_t slot) const;

  private:
    /**
     * @param step a step
     * @return the number of its slots: 1 unless the child class says otherwise
     */
    virtual uint32_t GetNSlots(uint32_t step) const;

    /**
     * A child class overrides this where all messages of a slot go equally far, and otherwise both
     * GetTarget() and GetSource().
     *
     * @param step the step
     * @param slot the slot
     * @return the distance from each sender to its receiver, less than n
     */
    virtual uint32_t GetShift(uint32_t step, uint32_t slot) const;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @param slot the slot
     * @return the rank that the message goes to, or NONE
     */
    virtual uint32_t GetTarget(uint32_t rank, uint32_t step, uint32_t slot) const;

    /**
     * @param rank the rank that receives
     * @param step the step
     * @param slot the slot
     * @return the rank that the message comes from, or NONE
     */
    virtual uint32_t GetSource(uint32_t rank, uint32_t step, uint32_t slot) const;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @param slot the slot, in which it sends
     * @param [in,out] blocks what the data of the message are added to; nothing if it is empty
     */
    virtual void AddBlocks(uint32_t rank,
                           uint32_t step,
                           uint32_t slot,
                           std::vector<Block>& blocks) const = 0;

    CollectiveKind m_kind; //!< The operation
};

} // namespace lightpath
} // namespace ns3

#endif /* SLOT_SCHEDULE_H */
