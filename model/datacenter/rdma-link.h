/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_LINK_H
#define RDMA_LINK_H

#include "rdma-frame.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

class RdmaCard;
class RdmaSwitch;

/**
 * @ingroup lightpath
 * @brief Frames, first in, first out.
 */
struct RdmaFrameList
{
    /**
     * @param frame joins at the end
     */
    void Push(RdmaFrame* frame)
    {
        frame->next = nullptr;
        (tail ? tail->next : head) = frame;
        tail = frame;
        bytes += frame->bytes;
    }

    /**
     * @return the first frame, which leaves
     */
    RdmaFrame* Pop()
    {
        RdmaFrame* const frame = head;
        head = frame->next;
        tail = head ? tail : nullptr;
        bytes -= frame->bytes;
        return frame;
    }

    RdmaFrame* head{nullptr}; //!< The first
    RdmaFrame* tail{nullptr}; //!< The last
    uint64_t bytes{0};        //!< Their bytes
};

/**
 * @ingroup lightpath
 * @brief A link in one direction, and the queues of the port that sends on it.
 *
 * Which frame goes next is decided when somebody asks (RdmaNetwork::Advance()), for the time at
 * which the link was free. So a frame takes one event for each link.
 */
struct RdmaLink
{
    /// No link.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param bytes the size of a frame
     * @return the time that it takes, with the gap before the next one, ps
     */
    int64_t GetTime(uint32_t bytes) const
    {
        return static_cast<int64_t>((bytes + ETHERNET_GAP_BYTES) * psPerByte + 0.5);
    }

    /**
     * @param trafficClass a class
     * @return whether its frames have to wait
     */
    bool IsPaused(uint8_t trafficClass) const
    {
        return (paused >> trafficClass & 1) != 0;
    }

    int64_t freeAt{0};           //!< When the link is free, or was looked at while idle, ps
    int64_t wakeAt{0};           //!< When an event looks at it, ps; 0 for none
    uint8_t waiting{0};          //!< Classes with frames in queues, a bit each
    uint8_t paused{0};           //!< Classes that may not send
    bool isWatched{false};       //!< A check of its pauses is to come
    bool hasFailed{false};       //!< What crosses it is lost
    double psPerByte{0};         //!< Time of a byte
    int64_t delay{0};            //!< Propagation delay, ps
    RdmaSwitch* from{nullptr};   //!< The switch that sends, or null
    RdmaCard* fromCard{nullptr}; //!< The card that sends, or null
    RdmaSwitch* to{nullptr};     //!< The switch that receives, or null
    RdmaCard* toCard{nullptr};   //!< The card that receives, or null
    RdmaFrameList flight;        //!< Frames on the link
    uint64_t sentBytes{0};       //!< Bytes sent, with gaps
    uint64_t nFrames{0};         //!< Frames sent

    std::array<RdmaFrameList, N_CLASSES> queues;    //!< The queues
    std::array<int64_t, N_CLASSES> pausedSince{{}}; //!< When each class was paused, ps

    double bitRate{0};      //!< Rate, bit/s
    uint32_t fromNode{0};   //!< The node that sends
    uint32_t toNode{0};     //!< The node that receives
    uint32_t reverse{NONE}; //!< The link in the other direction
    uint32_t port{0};       //!< Place among those that lead to the switch
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_LINK_H */
