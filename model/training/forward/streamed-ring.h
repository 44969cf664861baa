/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STREAMED_RING_H
#define STREAMED_RING_H

#include "model/collective/collective-progress.h"
#include "model/fabric/frame-streams.h"
#include "ring-state.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class TrainingJob;

/**
 * @ingroup lightpath
 * @brief Carries out collective operations round a ring whose lightpaths share links with others.
 *
 * It keeps the steps of all members in arrays, in place of a CollectiveProgress at each. Messages
 * go out as FrameStreams send them or, where they cannot, by the transports.
 */
class StreamedRing : private FrameStreams::Receiver
{
  public:
    /**
     * @param job the job, which outlives this object
     * @param ranks the ranks in the order of the ring; outlives this object
     * @param lightpaths the lightpath from each of them to the next; outlives this object
     * @param refused how many members of an operation have yet to begin it by themselves, by its
     *        tag; outlives this object
     */
    StreamedRing(TrainingJob& job,
                 const std::vector<uint32_t>& ranks,
                 const std::vector<RingLightpath>& lightpaths,
                 std::map<uint64_t, uint32_t>& refused);
    ~StreamedRing() override;

    StreamedRing(const StreamedRing&) = delete;
    StreamedRing& operator=(const StreamedRing&) = delete;

    /**
     * @return true if operations can be carried out here
     */
    bool IsOpen() const;

    /**
     * @return true if operations are under way here
     */
    bool IsBusy() const;

    /**
     * Take an operation, in the state that it is in.
     *
     * @param operation the operation, with its frames
     */
    void Add(const RingOperation& operation);

    /**
     * @param tag the tag of step 0 of an operation
     * @return true if it is carried out here
     */
    bool Computes(uint64_t tag) const
    {
        return std::any_of(m_operations.begin(), m_operations.end(), [tag](const auto& operation) {
            return operation.tag == tag && operation.schedule;
        });
    }

    /**
     * Begin an operation at a member.
     *
     * @param tag the tag of step 0
     * @param position the position of the member
     * @param task the index of its task
     * @return true if the part of the member is done
     */
    bool Begin(uint64_t tag, uint32_t position, uint32_t task);

    /**
     * Take a message for a member.
     *
     * @param tag the tag of step 0
     * @param step the step of the message
     * @param position the position of the member
     * @return the index of the task that it completes; RingPart::NONE if there is none
     */
    uint32_t Receive(uint64_t tag, uint32_t step, uint32_t position);

    /**
     * @param position the position of a member
     * @return the messages that it has received other than by Receive()
     */
    uint64_t GetReceived(uint32_t position) const
    {
        return m_members[position].received;
    }

    /// Leave all operations to the members.
    void GiveBack() override;

  private:
    /// A member.
    struct Member
    {
        uint64_t received{0};                  //!< Messages received
        uint32_t place{0};                     //!< Its place in the ring
        uint32_t stream{FrameStreams::NONE};   //!< Its stream to the next member
        uint32_t listener{FrameStreams::NONE}; //!< The receiver of its frames
    };

    bool Arrive(uint32_t position, uint64_t tag) override;

    /**
     * @param tag the tag of step 0 of an operation
     * @return the operation; null if it is not carried out here
     */
    RingOperation* Find(uint64_t tag)
    {
        const auto found =
            std::find_if(m_operations.begin(), m_operations.end(), [tag](const auto& operation) {
                return operation.tag == tag && operation.schedule;
            });
        return found == m_operations.end() ? nullptr : &*found;
    }

    /**
     * Take a message for a member.
     *
     * @param operation its operation
     * @param step its step
     * @param position the position of the member
     * @return the index of the task that it completes; RingPart::NONE if there is none
     */
    uint32_t Receive(RingOperation& operation, uint32_t step, uint32_t position);

    /**
     * Send the message of a step.
     *
     * @param operation its operation
     * @param position the position of the sender
     * @param step the step
     */
    void Send(const RingOperation& operation, uint32_t position, uint32_t step);

    /**
     * @param operation an operation
     * @param position the position of a member
     * @return the messages that it has received of steps after its present one; of all steps, if it
     *         has yet to begin
     */
    CollectiveProgress::Messages FindAhead(const RingOperation& operation, uint32_t position) const;

    /**
     * Note that a member is done with an operation.
     *
     * @param [in,out] operation the operation
     * @param [in,out] part the part of the member
     */
    void EndPart(RingOperation& operation, RingPart& part) const;

    TrainingJob& m_job;                             //!< The job
    const std::vector<uint32_t>& m_ranks;           //!< The ranks by position
    const std::vector<RingLightpath>& m_lightpaths; //!< Their lightpaths
    std::map<uint64_t, uint32_t>& m_refused;        //!< Members to come, by tag
    FrameStreams* m_streams;                        //!< Sends frames; null if the fabric has none
    std::vector<Member> m_members;                  //!< By position
    std::deque<RingOperation> m_operations;         //!< Operations under way, and free places
    /// Those given back last, which may have been so by a message that one of them has sent
    std::deque<RingOperation> m_returned;
    /// Messages that have overtaken those of earlier steps, by tag and position
    std::set<std::pair<uint64_t, uint32_t>> m_ahead;
};

} // namespace lightpath
} // namespace ns3

#endif /* STREAMED_RING_H */
