/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_TIMER_H
#define GRID_TIMER_H

#include "grid-queue.h"

#include "ns3/collective-schedule.h"
#include "ns3/planning-problem.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The time of collective operations on a grid (ODDL), flow by flow.
 *
 * A transmitter requests one flow at a time from the receiver that it is for, which grants one
 * request at a time in the order in which they come in (OddlTransmitter, OddlReceiver). A flow
 * takes all data that wait for its destination (OddlFlowQueue). A corner that takes in a message
 * forwards it in flows, each of which takes what has come in during the last one: they grow by what
 * a transmitter sends in the time of a request.
 */
class GridTimer
{
  public:
    /// A way through the grid.
    struct Way
    {
        uint32_t corner{UINT32_MAX}; //!< The GPU that forwards; none if there is none
        uint32_t first{0};           //!< The switch of the first hop: 0 the row's, 1 the column's
    };

    /**
     * @param grid the grid, which must outlive this object
     */
    explicit GridTimer(const GridLimits& grid);

    /**
     * @param source a GPU
     * @param destination another GPU
     * @return the way of the data between them
     */
    Way GetWay(uint32_t source, uint32_t destination) const;

    /**
     * @param side 0 for the switches of rows, 1 for those of columns
     * @return the rate of a transceiver there, bytes/s
     */
    double GetRate(uint32_t side) const;

    /**
     * @param side 0 for the switches of rows, 1 for those of columns
     * @return the rate of all transceivers of a GPU there, bytes/s
     */
    double GetSwitchRate(uint32_t side) const;

    /**
     * @return the time in which a transmitter sends nothing before a flow, seconds
     */
    double GetPause() const;

    /**
     * A corner ends with the flow of what has come in during the one before. Flows grow by the
     * bytes of a pause, so that the last of those that make up a message has the square root of
     * twice the product of both.
     *
     * @param bytes the size of a message that a corner forwards
     * @param way its way
     * @return the time from its last bit at the corner to its last bit behind it, seconds
     */
    double GetLag(double bytes, const Way& way) const;

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
    /// A frame, or a message before it is cut into frames.
    using Part = GridQueue::Part;

    /// A message.
    struct Message
    {
        uint32_t operation{0}; //!< The operation that it belongs to; ALONE if to none
        uint32_t position{0};  //!< Where its destination is in the group
        uint32_t step{0};      //!< The step
        double left{0};        //!< Bytes that have not come in
        uint64_t tag{0};       //!< What it is known by outside, if it is alone
    };

    /// A transmitter, or several at one switch that take the same flows.
    struct Sender
    {
        std::deque<uint32_t> destinations; //!< That wait for it, in order
        uint32_t nBusy{0};                 //!< Transmitters that are in use
    };

    /// A flow.
    struct Flow
    {
        uint32_t source{0};      //!< The GPU that sends it
        uint32_t destination{0}; //!< The GPU that its data are for
        uint32_t hop{0};         //!< The GPU that receives it
        uint32_t side{0};        //!< The switch
        double bytes{0};         //!< What it was requested for
        double end{0};           //!< When this has been sent, seconds
        double limit{0};         //!< When its light must go out, seconds
    };

    /// A receiver, or several at one switch.
    struct Receiver
    {
        std::deque<uint32_t> flows; //!< Flows that have been requested, in order
        uint32_t nBusy{0};          //!< Receivers that are in use
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

    /// What happens.
    enum class What
    {
        REQUESTED, //!< A request comes in
        GRANTED,   //!< A grant comes in
        SENT,      //!< The last bit of a frame leaves, or the light of a flow goes on
        CUT,       //!< The light of a flow goes out during a frame
        DARK,      //!< The end of the light is seen
        ARRIVED,   //!< A part of a message comes in
    };

    /// Something that happens.
    struct Event
    {
        double seconds{0};          //!< When
        uint64_t number{0};         //!< Events before it
        What what{What::REQUESTED}; //!< What happens
        uint32_t flow{0};           //!< The flow
        Part part;                  //!< What comes in of it

        /**
         * @param other the event compared with
         * @return true if this event is later
         */
        bool operator>(const Event& other) const
        {
            return seconds != other.seconds ? seconds > other.seconds : number > other.number;
        }
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
    void Add(uint32_t source, uint32_t destination, uint64_t bytes, Message message);

    /**
     * Let a part of a message wait at a GPU.
     *
     * @param port the GPU
     * @param destination the GPU that it is for
     * @param part the part
     * @param isForwarded whether it is a frame of another GPU
     */
    void Push(uint32_t port, uint32_t destination, const Part& part, bool isForwarded);

    /**
     * Let transmitters request what waits for them.
     *
     * @param port a GPU
     * @param side a switch
     */
    void Request(uint32_t port, uint32_t side);

    /**
     * Let receivers grant what has been requested.
     *
     * @param port a GPU
     * @param side a switch
     */
    void Grant(uint32_t port, uint32_t side);

    /**
     * Send a flow that has been granted.
     *
     * @param index the flow
     */
    void Begin(uint32_t index);

    /**
     * Send the next frame of a flow, or end it.
     *
     * @param index the flow
     * @param isFirst whether none has been sent
     */
    void SendFrame(uint32_t index, bool isFirst);

    /**
     * Let a transmitter go on after a flow.
     *
     * @param index the flow
     */
    void End(uint32_t index);

    /**
     * Take in a part of a message.
     *
     * @param flow the flow that it comes in with
     * @param part the part
     */
    void Arrive(const Flow& flow, const Part& part);

    /**
     * @param seconds when
     * @param what what happens
     * @param flow the flow
     * @param part what comes in of it
     */
    void Schedule(double seconds, What what, uint32_t flow, const Part& part = {});

    const GridLimits& m_grid;                              //!< The grid
    bool m_isExact{false};                                 //!< Whether each frame is followed
    uint64_t m_nEvents{0};                                 //!< Events so far
    double m_now{0};                                       //!< The time in seconds
    uint32_t m_mostSteps{UINT32_MAX};                      //!< Steps of an operation to carry out
    std::vector<Operation> m_operations;                   //!< All operations
    std::map<uint64_t, uint32_t> m_numbers;                //!< Their places there, by key
    std::vector<Message> m_messages;                       //!< All messages
    std::vector<std::map<uint32_t, GridQueue>> m_outgoing; //!< Data by GPU and destination
    std::vector<Sender> m_senders;                         //!< Transmitters by GPU and switch
    std::vector<Receiver> m_receivers;                     //!< Receivers by GPU and switch
    std::vector<Flow> m_flows;                             //!< All flows
    std::vector<double> m_ends;                            //!< The last end by step
    std::vector<Transfer> m_transfers;                     //!< Messages of a step
    std::vector<uint64_t> m_done;                          //!< Tags of what is done
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events; //!< To come
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_TIMER_H */
