/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_FORWARD_H
#define RING_FORWARD_H

#include "circuit-transport.h"
#include "model/collective/ring-schedule.h"
#include "ring-queue.h"

#include "ns3/event-id.h"
#include "ns3/lightpath-borrower.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/transmission-clock.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalNetDevice;
class TrainingJob;

/**
 * @ingroup lightpath
 * @brief Computes the messages of collective operations round one ring of lightpaths, with no event
 * for each message.
 *
 * Each member of the ring borrows its lightpath to the next member. The lightpath is a queue with a
 * constant rate, and a message that arrives at a member lets it send one message at once. So the
 * output of a lightpath follows from the output of the lightpath before it and from the times at
 * which operations begin; any number of operations may overlap. The times are exact: frame by frame
 * those of OpticalTransmitter.
 *
 * The simulator gets one event at each member for the end of an operation there, scheduled once the
 * last message for it has been handed over. For this, the ring wakes at a lower bound of the times
 * at which such messages are handed over. Otherwise it computes only if it is asked, up to the
 * present instant, so that it can always give back frames in their present state.
 *
 * Operations that are carried out by messages, as they could not be computed when they began or
 * have been given back, are resumed once all lightpaths can be lent with the frames on them. Frames
 * that propagate by then still arrive as such.
 */
class RingForward : public LightpathBorrower
{
  public:
    /**
     * @param job the job, which outlives this object
     * @param members the ranks in the order of the ring, at least 2; outlives this object
     */
    RingForward(TrainingJob& job, const std::vector<uint32_t>& members);
    ~RingForward() override;

    RingForward(const RingForward&) = delete;
    RingForward& operator=(const RingForward&) = delete;

    /// The result of Begin().
    enum class Answer
    {
        REFUSED,  //!< The operation must be carried out by messages
        UNDERWAY, //!< TrainingApplication::EndForwarded() will be called
        DONE      //!< The part of the rank is done
    };

    /**
     * Begin an operation at a member. If it is computed here for the first member, all others
     * follow; the same holds if it is refused.
     *
     * @param tag the tag of step 0
     * @param schedule who sends what
     * @param position the position of the member
     * @param task the index of its task
     * @param scheduled when the event that begins it was scheduled: messages that arrive now go
     *        first if they had been sent by then
     * @return whether it is refused, under way or done
     */
    Answer Begin(uint64_t tag,
                 const std::shared_ptr<const RingSchedule>& schedule,
                 uint32_t position,
                 uint32_t task,
                 Time scheduled);

    /// Try, after the present tick, to compute the operations that are carried out by messages.
    void ScheduleResume();

    /**
     * @param tag the tag of step 0 of an operation
     * @return true if it is computed here
     */
    bool Computes(uint64_t tag) const
    {
        return Find(tag) != NONE;
    }

    /**
     * Take a message that was on its way when its operation was resumed.
     *
     * @param tag the tag of step 0
     * @param position the position of the member that receives it
     * @return the index of the task that it completes; NONE if there is none
     */
    uint32_t Receive(uint64_t tag, uint32_t position);

    /**
     * @param position the position of a member
     * @return the messages that it has received
     */
    uint64_t GetReceived(uint32_t position);

    /// Take the messages that have been handed over off the account of what is left to send.
    void Subtract();

    // From LightpathBorrower
    void GiveBack() override;
    bool IsIdle() override;
    void Report() override;
    uint64_t GetBacklog(uint32_t lightpath) override;
    void Settle(uint32_t lightpath) override;

  private:
    /// A message on a lightpath.
    using Message = RingMessage;

    /// What sinks see of a message in addition.
    struct Detail
    {
        int64_t sent;  //!< The tick at which it is handed over
        int64_t begin; //!< The tick at which its frame begins
        uint32_t step; //!< Its step
    };

    /// A member with its lightpath to the next.
    struct Member
    {
        RingQueue<Message> out;    //!< Messages on the lightpath
        RingQueue<Detail> details; //!< What sinks see of them
        bool isTraced{false};      //!< Sinks see them
        int64_t free{-1};          //!< Tick at which its last frame ends
        int64_t begin{-1};         //!< Tick at which this frame begins
        uint64_t carry{0};         //!< Work left over in the last tick of this frame
        uint64_t bitRate{0};       //!< Rate in bit/s; 0 if it is not lent
        int64_t delay{0};          //!< Propagation delay in ticks
        uint64_t recentBytes{0};   //!< Size of a frame
        int64_t recentTicks{0};    //!< Its duration without carry
        uint64_t recentCarry{0};   //!< Carry behind it
        uint64_t sentBytes{0};     //!< Bytes of frames handed over
        uint64_t countedBytes{0};  //!< Those that the transport has counted
        uint64_t unsubtracted{0};  //!< Bytes of messages still on the account of what is left
        uint64_t received{0};      //!< Messages received
        CircuitTransport* transport{nullptr}; //!< Transport of the member
        Ptr<OpticalNetDevice> device;         //!< Its device
        uint32_t rank{0};                     //!< Its rank
        uint32_t next{0};                     //!< Port of the next member
        uint32_t node{0};                     //!< Its node
    };

    /// The part of a member in an operation.
    struct Part
    {
        uint32_t received{0}; //!< Messages received
        uint32_t task{NONE};  //!< Index of its task; NONE before it begins
        uint32_t onTheWay{0}; //!< Messages for it that arrive as frames
        bool isDone{false};   //!< The job has been told of the end
    };

    /// An operation.
    struct Operation
    {
        std::shared_ptr<const RingSchedule> schedule; //!< Who sends what; null for a free place
        uint64_t tag{0};                              //!< Tag of step 0
        uint64_t number{0};                           //!< Number of the operation
        uint32_t nSteps{0};                           //!< Number of steps
        uint32_t nBegun{0};                           //!< Members that have begun
        uint32_t nDone{0};                            //!< Members that are done
        uint32_t nLast{0};                            //!< Members that have sent their last message
        int64_t least{0};                             //!< Least ticks of a frame
        uint32_t headers{0};                          //!< Bytes of headers of a frame
        uint32_t firstChunk{0};                       //!< Chunk that position 0 begins with
        std::vector<uint32_t> frames;                 //!< Bytes of the frame of each chunk
        std::vector<Part> parts;                      //!< By position
    };

    /// An operation that is carried out by messages.
    struct Carried
    {
        std::shared_ptr<const RingSchedule> schedule; //!< Who sends what
        uint64_t tag{0};                              //!< Tag of step 0
        uint64_t hopChanges{0};                       //!< Changes of next hops before it
        uint64_t repeatedBytes{0};                    //!< Bytes that members had sent again by then
    };

    /// The frames on a lightpath.
    using Frames = CircuitTransport::Surrendered;
    /// No task.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * Add an operation that no member has begun.
     *
     * @param tag the tag of step 0
     * @param schedule who sends what
     * @return its index; NONE if it must be carried out by messages
     */
    uint32_t Add(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule);

    /**
     * @param tag the tag of step 0
     * @param schedule who sends what
     * @return an operation whose frames and members are not known
     */
    Operation Make(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule);

    /**
     * Find the least time that a frame of an operation takes, once the lightpaths are lent.
     *
     * @param [in,out] operation the operation
     * @return false if frames may end at the same tick, so that they have no order
     */
    bool FindLeast(Operation& operation) const;

    /**
     * Find the sizes of the frames of an operation.
     *
     * @param [in,out] operation the operation, whose schedule is known
     * @return false if there is something to see of its messages
     */
    bool MakeFrames(Operation& operation);

    /// Work of a lightpath.
    using Work = TransmissionClock::Work;

    /**
     * Borrow the lightpaths.
     *
     * @return true if all are lent
     */
    bool Borrow();

    /**
     * @param member a member
     * @return true if sinks see its messages
     */
    bool IsTraced(const Member& member) const;

    /// Return the lightpaths, without frames.
    void Return();

    /**
     * @param position a position
     * @return the position before it
     */
    uint32_t GetBefore(uint32_t position) const
    {
        return (position > 0 ? position : m_members.size()) - 1;
    }

    /**
     * @param tag the tag of step 0 of an operation
     * @return its index; NONE if it is not under way here
     */
    uint32_t Find(uint64_t tag) const;

    /// Let all members take what has arrived.
    void Advance();

    /**
     * Let all members take what arrives before an instant.
     *
     * @param limit the tick
     */
    void Advance(int64_t limit);

    /**
     * Let a member take what arrives before an instant.
     *
     * @param position its position
     * @param limit the tick
     * @param most the most messages
     * @return true if there is a message
     */
    bool Drain(uint32_t position, int64_t limit, uint32_t most);

    /**
     * Let a member take the next message for it, and send its own of the next step.
     *
     * @param position its position
     */
    void TakeFirst(uint32_t position);

    /**
     * Send a message.
     *
     * @param position the position of the sender
     * @param index the index of the operation
     * @param step the step
     * @param now the tick
     */
    void Send(uint32_t position, uint32_t index, uint32_t step, int64_t now);

    /**
     * Append a frame to those of a lightpath.
     *
     * @param [in,out] member the member that sends it
     * @param bytes the bytes of the frame
     * @param now the tick
     */
    void Append(Member& member, uint32_t bytes, int64_t now) const;

    /**
     * Schedule the end of an operation at the member that gets the last message of another.
     *
     * @param position the position of the sender, whose last frame it is
     * @param index the index of the operation
     */
    void ScheduleEnd(uint32_t position, uint32_t index);

    /**
     * Note that an operation is carried out by messages.
     *
     * @param tag the tag of step 0
     * @param schedule who sends what
     */
    void Carry(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule);

    /// @return the changes of next hops so far
    uint64_t GetHopChanges() const;

    /// @return the bytes that the members have sent again so far
    uint64_t GetRepeatedBytes() const;

    /// Compute the operations that are carried out by messages, if all can be computed now.
    void Resume();

    /**
     * Find the present state of the operations that are carried out by messages.
     *
     * @param [out] operations the operations
     * @return false if they cannot be computed now
     */
    bool FindCarried(std::vector<Operation>& operations);

    /**
     * Find the part of each member in an operation that is carried out by messages.
     *
     * @param [in,out] operation the operation, which all members have begun
     * @return false if it cannot be computed now
     */
    bool FindParts(Operation& operation) const;

    /**
     * Find what is on its way on a lightpath.
     *
     * @param position the position of its sender
     * @param frames the frames that are sent or wait
     * @param [in,out] operations the operations, with the parts of all members
     * @return false if the frames are not those of the operations
     */
    bool FindOnTheWay(uint32_t position,
                      const Frames& frames,
                      std::vector<Operation>& operations) const;

    /**
     * Put the frames on a lightpath that has been lent.
     *
     * @param position the position of its sender
     * @param frames the frames
     */
    void Put(uint32_t position, const Frames& frames);

    /**
     * Let the transport of a member go on with its frames.
     *
     * @param member the member
     * @param frames the frames
     */
    void Restore(const Member& member, const Frames& frames) const;

    /**
     * End an operation at a member.
     *
     * @param position its position
     * @param index the index of the operation
     * @param number the number of the operation
     */
    void End(uint32_t position, uint32_t index, uint64_t number);

    /**
     * Note that a member is done with an operation.
     *
     * @param [in,out] operation the operation
     * @param [in,out] part the part of the member
     */
    void EndPart(Operation& operation, Part& part);

    /// Wake when a last message may be handed over.
    void ScheduleWake();

    /**
     * Wake at a tick, unless that happens earlier.
     *
     * @param tick the tick
     */
    void ScheduleWake(int64_t tick);

    /// Hand over the last messages whose time has come.
    void Wake();

    /**
     * @param operation an operation that all members have begun
     * @return a lower bound of the tick at which the next member hands over its last message
     */
    int64_t GetBound(const Operation& operation) const;

    /**
     * @param operation an operation that all members have begun
     * @param position the position of a member
     * @return a lower bound of the tick at which it hands over its last message; the latest tick if
     *         it has, or if a frame on its way will tell
     */
    int64_t GetBound(const Operation& operation, uint32_t position) const;

    /**
     * @param member a member
     * @return the remaining work of its lightpath
     */
    Work GetWork(const Member& member) const;

    /**
     * Tell sinks of a message.
     *
     * @param member its sender
     * @param operation its operation
     * @param message the message
     * @param detail what they see in addition
     * @param isBack it is given back at this instant
     */
    void Tell(const Member& member,
              const Operation& operation,
              const Message& message,
              const Detail& detail,
              bool isBack) const;

    /**
     * Give the parts of the members in an operation back.
     *
     * @param operation the operation
     */
    void GiveBackParts(const Operation& operation);

    /**
     * Give the messages of a lightpath back.
     *
     * @param position the position of its sender
     * @param queue the messages
     * @param details what sinks see of them
     * @param work the remaining work of the lightpath
     * @param bitRate its rate in bit/s
     * @param operations the operations
     */
    void GiveBackMessages(uint32_t position,
                          const RingQueue<Message>& queue,
                          const RingQueue<Detail>& details,
                          Work work,
                          uint64_t bitRate,
                          const std::vector<Operation>& operations);

    TrainingJob& m_job;                     //!< The job
    std::vector<Member> m_members;          //!< By position
    std::vector<Operation> m_operations;    //!< Operations under way, and free places
    const std::vector<uint32_t>& m_ranks;   //!< The ranks by position
    std::map<uint64_t, uint32_t> m_refused; //!< Members to come, by tag of refused operations
    std::vector<Carried> m_carried;         //!< Operations that are carried out by messages
    uint64_t m_unit;                        //!< Work of a byte
    uint64_t m_nOperations{0};              //!< Operations so far
    int64_t m_advanced{-1};                 //!< Arrivals before this tick have been taken
    int64_t m_wakeTick{0};                  //!< The next wake
    EventId m_wake;                         //!< Its event
    EventId m_resume;                       //!< The next try to compute what messages carry out
    bool m_isLent{false};                   //!< The lightpaths are lent
    bool m_wasLent{false};                  //!< They have been lent before
    bool m_isBorrowing{false};              //!< They are being lent, one after the other
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_FORWARD_H */
