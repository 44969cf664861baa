/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_TAG_H
#define MESSAGE_TAG_H

#include "rank-program.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The tag of a message of a training job, taken apart.
 *
 * A tag names a message between two ranks. All fields fit into 64 bits because the iteration is
 * kept modulo 8192: two ranks are never that many iterations apart.
 */
struct MessageTag
{
    // The width of each field in bits, from the lowest bit on; the iteration has the bits above
    static constexpr uint32_t STEP_BITS = 21;      //!< Step of a collective operation
    static constexpr uint32_t OPERATION_BITS = 24; //!< Number of the operation
    static constexpr uint32_t COLLECTIVE_BITS = 1; //!< Collective operation, or single message
    static constexpr uint32_t GROUP_BITS = 5;      //!< Kind of group
    static_assert(MOST_GROUP_KINDS <= 1 << GROUP_BITS, "A tag has room for each kind of group");
    static_assert(MOST_OPERATIONS <= 1 << OPERATION_BITS, "A tag has room for each operation");

    /**
     * @param tag the tag of a message
     * @return its fields
     */
    static MessageTag Decode(uint64_t tag)
    {
        MessageTag fields;
        fields.step = GetStep(tag);
        tag >>= STEP_BITS;
        fields.operation = tag & GetMask(OPERATION_BITS);
        tag >>= OPERATION_BITS;
        fields.isCollective = (tag & GetMask(COLLECTIVE_BITS)) != 0;
        tag >>= COLLECTIVE_BITS;
        fields.group = tag & GetMask(GROUP_BITS);
        fields.iteration = tag >> GROUP_BITS;
        return fields;
    }

    /**
     * @return the fields as one number
     */
    uint64_t Encode() const
    {
        uint64_t tag = iteration;
        tag = tag << GROUP_BITS | group;
        tag = tag << COLLECTIVE_BITS | (isCollective ? 1 : 0);
        tag = tag << OPERATION_BITS | operation;
        return tag << STEP_BITS | step;
    }

    /**
     * @param tag the tag of a message
     * @return true if the message belongs to a collective operation
     */
    static bool IsCollective(uint64_t tag)
    {
        return ((tag >> (STEP_BITS + OPERATION_BITS)) & GetMask(COLLECTIVE_BITS)) != 0;
    }

    /**
     * @param tag the tag of a message
     * @return the step of its collective operation
     */
    static uint32_t GetStep(uint64_t tag)
    {
        return tag & GetMask(STEP_BITS);
    }

    /**
     * @param tag the tag of a message
     * @return the tag of the messages of step 0 of the same collective operation
     */
    static uint64_t GetFirst(uint64_t tag)
    {
        return tag & ~GetMask(STEP_BITS);
    }

    /**
     * @param tag the tag of a message
     * @return its iteration, modulo 8192
     */
    static uint32_t GetIteration(uint64_t tag)
    {
        return tag >> (STEP_BITS + OPERATION_BITS + COLLECTIVE_BITS + GROUP_BITS);
    }

    /**
     * @param iteration an iteration, from 0
     * @return the iteration as a tag has it
     */
    static uint32_t Wrap(uint32_t iteration)
    {
        MessageTag tag;
        tag.iteration = iteration;
        return GetIteration(tag.Encode());
    }

    uint32_t iteration{0};    //!< Iteration from 0, modulo 8192
    uint32_t group{0};        //!< Kind of group (Task::group)
    bool isCollective{false}; //!< Whether it belongs to a collective operation
    uint32_t operation{0};    //!< Number of the operation (Task::operation)
    uint32_t step{0};         //!< Step of the collective operation, else 0

  private:
    /**
     * @param bits the width of a field
     * @return the largest number that it holds
     */
    static constexpr uint64_t GetMask(uint32_t bits)
    {
        return (uint64_t{1} << bits) - 1;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_TAG_H */
