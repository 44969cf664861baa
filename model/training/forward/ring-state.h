/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_STATE_H
#define RING_STATE_H

#include "model/base/ring-queue.h"
#include "model/collective/ring-schedule.h"

#include "ns3/circuit-transport.h"
#include "ns3/optical-net-device.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A message on a lightpath of a RingForward.
 */
struct RingMessage
{
    int64_t arrival;    //!< The tick at which it arrives
    uint32_t operation; //!< Index of its operation
    uint32_t bytes;     //!< Bytes of its frame
};

/**
 * @ingroup lightpath
 * @brief When a message of a RingForward began.
 */
struct RingDetail
{
    int64_t sent;  //!< The tick at which it is handed over
    int64_t begin; //!< The tick at which its frame begins
    uint32_t step; //!< Its step
};

/**
 * @ingroup lightpath
 * @brief A member of a RingForward.
 */
struct RingMember
{
    uint32_t rank{0};     //!< Its rank
    uint32_t node{0};     //!< Its node
    uint64_t received{0}; //!< Messages received
    int64_t until{0};     //!< Arrivals before this tick have been taken, if several rings meet
};

/**
 * @ingroup lightpath
 * @brief A lightpath of a RingForward, from a member to the next one of a ring.
 */
struct RingLightpath
{
    RingQueue<RingMessage> out;    //!< Messages on the lightpath
    RingQueue<RingDetail> details; //!< When they began, if that must be known
    bool hasDetails{false};        //!< It must be known
    bool isTraced{false};          //!< Sinks see messages
    int64_t free{-1};              //!< Tick at which its last frame ends
    int64_t begin{-1};             //!< Tick at which this frame begins
    uint64_t carry{0};             //!< Work left over in the last tick of this frame
    uint64_t bitRate{0};           //!< Rate in bit/s; 0 if it is not lent
    int64_t delay{0};              //!< Propagation delay in ticks
    uint64_t recentBytes{0};       //!< Size of a frame
    int64_t recentTicks{0};        //!< Its duration without carry
    uint64_t recentCarry{0};       //!< Carry behind it
    uint64_t sentBytes{0};         //!< Bytes of frames handed over
    uint64_t countedBytes{0};      //!< Those that the transport has counted
    uint64_t unsubtracted{0};      //!< Bytes of messages still on the account of what is left
    uint32_t from{0};              //!< Position of the member that sends
    uint32_t to{0};                //!< Position of the member that receives
    uint32_t place{0};             //!< Place of the sender in the ring
    uint32_t firstFrame{0};        //!< Index of the frame of the first chunk of the ring
    uint32_t next{0};              //!< Port of the member that receives
    CircuitTransport* transport{nullptr}; //!< Transport of the sender
    Ptr<OpticalNetDevice> device;         //!< Its device
};

/**
 * @ingroup lightpath
 * @brief The part of a member in an operation of a RingForward.
 */
struct RingPart
{
    /// No task.
    static constexpr uint32_t NONE = UINT32_MAX;

    uint32_t received{0}; //!< Steps of which all messages have been received
    uint32_t task{NONE};  //!< Index of its task; NONE before it begins
    uint32_t missing{1};  //!< Messages of the next step that have not been received
    bool isDone{false};   //!< The job has been told of the end
};

/**
 * @ingroup lightpath
 * @brief An operation of a RingForward.
 */
struct RingOperation
{
    std::shared_ptr<const RingSchedule> schedule; //!< Who sends what; null for a free place
    uint64_t tag{0};                              //!< Tag of step 0
    uint64_t number{0};                           //!< Number of the operation
    uint32_t nSteps{0};                           //!< Number of steps
    uint32_t nBegun{0};                           //!< Members that have begun
    uint32_t nDone{0};                            //!< Members that are done
    uint32_t nLast{0};                            //!< Last messages that have been sent
    int64_t least{0};                             //!< Least ticks of a frame
    uint32_t headers{0};                          //!< Bytes of headers of a frame
    uint32_t firstChunk{0};                       //!< Chunk that place 0 of a ring begins with
    std::vector<uint32_t> frames;                 //!< Bytes of the frame of each chunk, by ring
    std::vector<RingPart> parts;                  //!< By position
    std::vector<uint32_t> taken; //!< Messages received, by lightpath, if rings meet

    /**
     * @param lightpath a lightpath
     * @param step a step
     * @return the bytes of the frame of the step on it
     */
    uint32_t GetFrame(const RingLightpath& lightpath, uint32_t step) const
    {
        return GetFrame(lightpath.place, lightpath.firstFrame, step);
    }

    /**
     * @param place the place of the sender in the ring
     * @param firstFrame the index of the frame of the first chunk of the ring
     * @param step a step
     * @return the bytes of the frame of the step
     */
    uint32_t GetFrame(uint32_t place, uint32_t firstFrame, uint32_t step) const
    {
        // RingSchedule::GetChunk()
        const auto n = static_cast<uint32_t>(parts.size());
        const bool secondRound = step >= n - 1;
        uint32_t chunk = place + (secondRound ? 1 : firstChunk);
        const uint32_t back = secondRound ? step - (n - 1) : step;
        chunk = chunk >= back ? chunk - back : chunk + n - back;
        chunk = chunk >= n ? chunk - n : chunk;
        return frames[firstFrame + chunk];
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_STATE_H */
