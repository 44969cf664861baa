/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_FLOWS_H
#define GRID_FLOWS_H

#include "grid-queue.h"
#include "grid-ways.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Messages on a grid (ODDL), flow by flow.
 *
 * A transmitter requests one flow at a time from the receiver that it is for, which grants one
 * request at a time in the order in which they come in (OddlTransmitter, OddlReceiver). A flow
 * takes all data that wait for its destination (OddlFlowQueue). A corner that takes in a message
 * forwards it in flows, each of which takes what has come in during the last one: they grow by what
 * a transmitter sends in the time of a request.
 */
class GridFlows
{
  public:
    /**
     * @param ways the ways through the grid, which must outlive this object
     */
    explicit GridFlows(const GridWays& ways);

    /**
     * Follow each frame that a corner forwards, from the setting of the switches on.
     */
    void FollowFrames();

    /**
     * Forget all that has been sent.
     */
    void Clear();

    /**
     * @return the number of events so far
     */
    uint64_t GetNEvents() const;

    /**
     * @return the time of the last event, in seconds
     */
    double GetNow() const;

    /**
     * @return when something happens next, seconds; infinity if nothing does
     */
    double GetNext() const;

    /**
     * Let a GPU send a message.
     *
     * @param seconds the time, no earlier than the last event
     * @param source the GPU
     * @param destination the GPU that it is for
     * @param bytes its size
     * @return its number: messages are counted from 0
     */
    uint32_t Send(double seconds, uint32_t source, uint32_t destination, uint64_t bytes);

    /**
     * Let the next event happen.
     *
     * @param [out] message the number of the message that has come in
     * @return true if one has
     */
    bool Happen(uint32_t& message);

  private:
    /// A frame, or a message before it is cut into frames.
    using Part = GridQueue::Part;

    /// Data for a destination.
    struct Outgoing
    {
        GridQueue queue;   //!< The data
        GridWays::Way way; //!< The way of the next flow
    };

    /// A transmitter, or several at one switch that take the same flows.
    struct Sender
    {
        std::deque<uint32_t> destinations; //!< That wait for it, in order
        uint32_t nBusy{0};                 //!< Transmitters that are in use
        double ended{0};                   //!< When the last flow ended, seconds
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
        double granted{0};       //!< When its grant came in, seconds
    };

    /// A receiver, or several at one switch.
    struct Receiver
    {
        std::deque<uint32_t> flows; //!< Flows that have been requested, in order
        uint32_t nBusy{0};          //!< Receivers that are in use
    };

    /// Kinds of events.
    enum class EventKind
    {
        SET,       //!< A GPU is told that the switches are set
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
        double seconds{0};                    //!< When
        uint64_t number{0};                   //!< Events before it
        EventKind kind{EventKind::REQUESTED}; //!< Its kind
        uint32_t flow{0};                     //!< The flow, or the GPU that is told
        Part part;                            //!< The part of a message that comes in

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
     * Let a part of a message wait at a GPU.
     *
     * @param port the GPU
     * @param destination the GPU that it is for
     * @param part the part
     * @param isForwarded whether it is a frame of another GPU
     */
    void Push(uint32_t port, uint32_t destination, const Part& part, bool isForwarded);

    /**
     * Let the data for a destination wait for a transmitter, unless they do so or have one.
     *
     * @param port the GPU that has them
     * @param destination the destination
     * @param [in,out] outgoing the data
     */
    void Enlist(uint32_t port, uint32_t destination, Outgoing& outgoing);

    /**
     * Let transmitters request what waits for them.
     *
     * @param port a GPU
     * @param side a switch
     */
    void Request(uint32_t port, uint32_t side);

    /**
     * Let idle transmitters at the switch of a GPU's column take a flow that waits for a corner in
     * its row.
     *
     * @param port the GPU
     * @param since since when these must have been idle, seconds
     */
    void Divert(uint32_t port, double since);

    /**
     * Let receivers grant what has been requested.
     *
     * @param port a GPU
     * @param side a switch
     */
    void Grant(uint32_t port, uint32_t side);

    /**
     * Send a request or a grant, which waits for others at both links of the network for control.
     *
     * @param from the GPU that sends it
     * @param to the GPU that receives it
     * @param kind the kind of event that its arrival is
     * @param flow the flow
     */
    void Notify(uint32_t from, uint32_t to, EventKind kind, uint32_t flow);

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
     * @return true if this is the last part, at the destination
     */
    bool Arrive(const Flow& flow, const Part& part);

    /**
     * @param seconds when
     * @param kind the kind of event
     * @param flow the flow
     * @param part the part of a message that comes in
     */
    void Schedule(double seconds, EventKind kind, uint32_t flow, const Part& part = {});

    const GridWays& m_ways;                               //!< The ways
    const GridLimits& m_grid;                             //!< The grid
    bool m_isExact{false};                                //!< Whether each frame is followed
    uint64_t m_nEvents{0};                                //!< Events so far
    double m_now{0};                                      //!< The time in seconds
    std::vector<double> m_left;                           //!< Bytes of messages to come in
    std::vector<std::map<uint32_t, Outgoing>> m_outgoing; //!< Data by GPU and destination
    std::vector<Sender> m_senders;                        //!< Transmitters by GPU and switch
    std::vector<Receiver> m_receivers;                    //!< Receivers by GPU and switch
    std::vector<double> m_up;                             //!< When links from GPUs are free, s
    std::vector<double> m_down;                           //!< When links to GPUs are free, s
    std::vector<bool> m_isHeld;                           //!< GPUs that may not send yet
    std::vector<Flow> m_flows;                            //!< All flows
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events; //!< To come
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_FLOWS_H */
