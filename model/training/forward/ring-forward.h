/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_FORWARD_H
#define RING_FORWARD_H

#include "model/collective/collective-progress.h"
#include "model/collective/ring-schedule.h"
#include "ring-state.h"
#include "streamed-ring.h"

#include "ns3/circuit-transport.h"
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

class TrainingJob;

/**
 * @ingroup lightpath
 * @brief Computes the messages of collective operations round rings of lightpaths, with no event
 * for each message.
 *
 * Each member borrows its lightpath to the next member of each ring. The lightpath is a queue with
 * a constant rate, and a message that arrives at a member lets it send one message at once. So the
 * output of a lightpath follows from the output of the lightpath before it and from the times at
 * which operations begin; any number of operations may overlap. Where several rings meet, the last
 * message of a step lets a member send one on each ring. The times are those of OpticalTransmitter.
 *
 * The simulator gets one event at each member for the end of an operation there. For this, the ring
 * wakes at a lower bound of the times at which last messages are handed over. Otherwise it computes
 * only if it is asked, up to the present instant, so that it can give back frames in their state.
 */
class RingForward : public LightpathBorrower
{
  public:
    /**
     * @param job the job, which outlives this object
     * @param members the ranks in the order of the ring, at least 2; outlives this object
     * @param nRings the number of rings: the first, or those of a MultiRingSchedule
     */
    RingForward(TrainingJob& job, const std::vector<uint32_t>& members, uint32_t nRings);
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

    /**
     * @param tag the tag of step 0 of an operation
     * @return true if it is carried out although its lightpaths share links
     */
    bool Streams(uint64_t tag) const
    {
        return m_streamed && m_streamed->Computes(tag);
    }

    /**
     * Take a message that was on its way when its lightpaths began to share links.
     *
     * @param tag the tag of step 0
     * @param step its step
     * @param position the position of the member that receives it
     * @return the index of the task that it completes; NONE if there is none
     */
    uint32_t Receive(uint64_t tag, uint32_t step, uint32_t position);

    /**
     * @param position the position of a member
     * @return the messages that it has received
     */
    uint64_t GetReceived(uint32_t position);

    /// Take the messages that have been handed over off the account of what is left to send.
    void Subtract();

    /// Give all messages back, also those of operations whose lightpaths share links.
    void GiveBackAll();

    // From LightpathBorrower
    void GiveBack() override;
    void GiveBack(uint32_t lightpath) override;
    bool IsIdle() override;
    void Report() override;
    uint64_t GetBacklog(uint32_t lightpath) override;
    void Settle(uint32_t lightpath) override;

  private:
    using Message = RingMessage;     //!< A message on a lightpath
    using Detail = RingDetail;       //!< When it began
    using Member = RingMember;       //!< A member
    using Lightpath = RingLightpath; //!< A lightpath between members
    using Part = RingPart;           //!< The part of a member in an operation
    using Operation = RingOperation; //!< An operation

    /**
     * Carry an operation out although its lightpaths share links.
     *
     * @param tag the tag of step 0
     * @param schedule who sends what
     * @return false if the fabric cannot do so without events
     */
    bool Stream(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule);

    /// @return true if operations can be carried out although lightpaths share links
    bool CanStream();

    /// No task, operation or lightpath.
    static constexpr uint32_t NONE = RingPart::NONE;

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
     * @param lightpath a lightpath
     * @return true if sinks see its messages
     */
    bool IsTraced(const Lightpath& lightpath) const;

    /// Return the lightpaths, without frames.
    void Return();

    /**
     * @param position a position
     * @param ring a ring
     * @return the index of the lightpath of the ring to the member there
     */
    uint32_t GetInput(uint32_t position, uint32_t ring = 0) const
    {
        return m_inputs[position * m_nRings + ring];
    }

    /**
     * @param tag the tag of step 0 of an operation
     * @return its index; NONE if it is not under way here
     */
    uint32_t Find(uint64_t tag) const;

    /// Let all members take what has arrived.
    void Advance();

    /// Let all members take what arrives before a tick.
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
     * Let all members of several rings take what arrives before an instant, each in order of time.
     *
     * @param limit the tick
     */
    void Merge(int64_t limit);

    /**
     * Let a member of several rings take what arrives before an instant, all of which is on its
     * way.
     *
     * @param position its position
     * @param limit the tick
     * @return true if there is a message
     */
    bool MergeAt(uint32_t position, int64_t limit);

    /// @return the tick at which the next of all messages arrives; the latest tick if there is none
    int64_t GetNextArrival() const;

    /**
     * @param position the position of a member
     * @param limit a tick
     * @return the lightpath whose first message is the next for the member and arrives before the
     *         tick; NONE if there is none
     */
    uint32_t FindFirst(uint32_t position, int64_t limit) const;

    /**
     * Let the member at the end of a lightpath take its first message, and send its own of the next
     * step, if this completes one.
     *
     * @param lightpath the index of the lightpath
     */
    void TakeFirst(uint32_t lightpath);

    /**
     * Let a member begin the next step of an operation, if it has begun the operation.
     *
     * @param position its position
     * @param index the index of the operation
     * @param now the tick
     */
    void CompleteStep(uint32_t position, uint32_t index, int64_t now);

    /**
     * Send a message on a lightpath.
     *
     * @param lightpath the index of the lightpath
     * @param index the index of the operation
     * @param step the step
     * @param now the tick
     */
    void Send(uint32_t lightpath, uint32_t index, uint32_t step, int64_t now);

    /**
     * Append a frame to those of a lightpath.
     *
     * @param [in,out] lightpath the lightpath
     * @param bytes the bytes of the frame
     * @param now the tick
     */
    void Append(Lightpath& lightpath, uint32_t bytes, int64_t now) const;

    /**
     * Schedule the end of an operation at the member that gets the last message of another.
     *
     * @param lightpath the index of the lightpath, whose last frame it is
     * @param index the index of the operation
     */
    void ScheduleEnd(uint32_t lightpath, uint32_t index);

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

    /// Wake at a tick, unless that happens earlier.
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
     * @param lightpath a lightpath
     * @return its remaining work
     */
    Work GetWork(const Lightpath& lightpath) const;

    /**
     * Tell sinks of a message.
     *
     * @param lightpath its lightpath
     * @param operation its operation
     * @param message the message
     * @param detail what they see in addition
     * @param isBack it is given back at this instant
     */
    void Tell(const Lightpath& lightpath,
              const Operation& operation,
              const Message& message,
              const Detail& detail,
              bool isBack) const;

    /// Give the parts of the members in an operation back.
    void GiveBackParts(const Operation& operation);

    /// Let an operation be carried out although its lightpaths share links.
    void StreamParts(Operation operation);

    /**
     * @param operation an operation
     * @param position the position of a member
     * @return the messages that it has received of its present step and later ones; of all steps,
     *         if it has yet to begin
     */
    CollectiveProgress::Messages FindAhead(const Operation& operation, uint32_t position) const;

    /**
     * Give the messages of a lightpath back.
     *
     * @param number the index of the lightpath
     * @param queue the messages
     * @param details when they began
     * @param work the remaining work of the lightpath
     * @param bitRate its rate in bit/s
     * @param operations the operations
     */
    void GiveBackMessages(uint32_t number,
                          const RingQueue<Message>& queue,
                          const RingQueue<Detail>& details,
                          Work work,
                          uint64_t bitRate,
                          const std::vector<Operation>& operations);

    TrainingJob& m_job;                       //!< The job
    uint32_t m_nRings;                        //!< The number of rings
    std::vector<Member> m_members;            //!< By position
    std::vector<Lightpath> m_lightpaths;      //!< By position of the sender and ring
    std::vector<uint32_t> m_inputs;           //!< Lightpaths by position of the receiver and ring
    std::vector<Operation> m_operations;      //!< Operations under way, and free places
    const std::vector<uint32_t>& m_ranks;     //!< The ranks by position
    std::map<uint64_t, uint32_t> m_refused;   //!< Members to come, by tag of refused operations
    std::unique_ptr<StreamedRing> m_streamed; //!< Carries out those that share links, or null
    uint64_t m_unit;                          //!< Work of a byte
    uint64_t m_nOperations{0};                //!< Operations so far
    int64_t m_advanced{-1};                   //!< Arrivals before this tick have been taken
    int64_t m_wakeTick{0};                    //!< The next wake
    EventId m_wake;                           //!< Its event
    bool m_isLent{false};                     //!< The lightpaths are lent
    bool m_isBorrowing{false};                //!< They are being lent, one after the other
    bool m_isShared{false}; //!< They are given back as others take a share of them
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_FORWARD_H */
