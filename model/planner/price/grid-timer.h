/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_TIMER_H
#define GRID_TIMER_H

#include "grid-flows.h"
#include "grid-ways.h"

#include "ns3/collective-schedule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The time of collective operations on a grid (ODDL), flow by flow.
 */
class GridTimer : public GridWays
{
  public:
    /**
     * @param grid the grid, which must outlive this object
     */
    explicit GridTimer(const GridLimits& grid);

    // The flows know the ways of this object
    GridTimer(const GridTimer&) = delete;
    GridTimer& operator=(const GridTimer&) = delete;

    /**
     * @param schedule the operation, which several groups carry out at once
     * @param groups the GPUs of each of the groups, in the order of their positions
     * @return its time, seconds
     */
    double GetSeconds(const std::shared_ptr<const CollectiveSchedule>& schedule,
                      const std::vector<const std::vector<uint32_t>*>& groups);

    /**
     * Follow each frame that a corner forwards.
     */
    void FollowFrames();

    /**
     * @return the number of events so far
     */
    uint64_t GetNEvents() const;

    /**
     * Let a GPU send a message now.
     *
     * @param source the GPU
     * @param destination the GPU that it is for
     * @param bytes its size
     * @param tag what Proceed() returns once it has come in
     */
    void Send(uint32_t source, uint32_t destination, uint64_t bytes, uint64_t tag);

    /**
     * Let a member begin its part of an operation now.
     *
     * @param key what the operation is known by
     * @param schedule its schedule
     * @param members the GPUs of the group, in the order of their positions, which must outlive
     *        this object
     * @param position the position of the member
     * @param tag what Proceed() returns once the part is done
     */
    void Join(uint64_t key,
              std::shared_ptr<const CollectiveSchedule> schedule,
              const std::vector<uint32_t>& members,
              uint32_t position,
              uint64_t tag);

    /**
     * @return when something happens next, seconds; infinity if nothing does
     */
    double GetNext() const;

    /**
     * @param seconds the time to go on to, no earlier than before
     * @param [out] tags those of messages that have come in and of parts that are done
     */
    void Proceed(double seconds, std::vector<uint64_t>& tags);

  private:
    /// A message.
    struct Message
    {
        uint32_t operation{0}; //!< The operation that it belongs to; ALONE if to none
        uint32_t position{0};  //!< Where its destination is in the group
        uint32_t step{0};      //!< The step
        uint64_t tag{0};       //!< What it is known by outside, if it is alone
    };

    /// The operation of messages that belong to none.
    static constexpr uint32_t ALONE{UINT32_MAX};

    /// The progress of a member of a group.
    struct Member
    {
        bool hasBegun{false};           //!< Whether it takes part yet
        uint32_t step{0};               //!< The step that it is in
        std::vector<uint32_t> received; //!< Messages that have come in, by step
        uint64_t tag{0};                //!< What its part is known by outside
    };

    /// An operation of one group.
    struct Operation
    {
        std::shared_ptr<const CollectiveSchedule> schedule; //!< Its schedule
        const std::vector<uint32_t>* gpus{nullptr};         //!< The GPUs of the group
        std::vector<Member> members;                        //!< Their progress
        uint32_t steps{0};                                  //!< Steps that are carried out
    };

    /**
     * @param schedule the operation
     * @param groups the groups
     * @param [out] seconds its time
     * @return false unless no transmitter and no receiver has two flows in a step, and none passes
     *         a corner
     */
    bool TryEven(const CollectiveSchedule& schedule,
                 const std::vector<const std::vector<uint32_t>*>& groups,
                 double& seconds) const;

    /**
     * Forget all that has been sent.
     */
    void Clear();

    /**
     * Carry out the first steps.
     *
     * @param schedule the operation
     * @param groups the groups
     * @param steps their number
     * @return the end of each of these, seconds
     */
    std::vector<double> Run(std::shared_ptr<const CollectiveSchedule> schedule,
                            const std::vector<const std::vector<uint32_t>*>& groups,
                            uint32_t steps);

    /**
     * Begin the steps that a member may begin.
     *
     * @param operation the operation
     * @param position the position of the member
     */
    void Advance(uint32_t operation, uint32_t position);

    /**
     * Begin a step of a member.
     *
     * @param operation the operation
     * @param position the position of the member
     */
    void EnterStep(uint32_t operation, uint32_t position);

    /**
     * Let a message wait at its source.
     *
     * @param source its source
     * @param destination its destination
     * @param bytes its size
     * @param message what it belongs to
     */
    void Add(uint32_t source, uint32_t destination, uint64_t bytes, const Message& message);

    /**
     * Let a member take in a message.
     *
     * @param message the message
     */
    void Arrive(const Message& message);

    GridFlows m_flows;                      //!< The messages
    double m_now{0};                        //!< The time in seconds
    uint32_t m_mostSteps{UINT32_MAX};       //!< Steps of an operation to carry out
    std::vector<Operation> m_operations;    //!< All operations
    std::map<uint64_t, uint32_t> m_numbers; //!< Their places there, by key
    std::vector<Message> m_messages;        //!< All messages
    std::vector<double> m_ends;             //!< The last end by step
    std::vector<Transfer> m_transfers;      //!< Messages of a step
    std::vector<uint64_t> m_done;           //!< Tags of what is done
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_TIMER_H */
