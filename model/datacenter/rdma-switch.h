/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_SWITCH_H
#define RDMA_SWITCH_H

#include "rdma-link.h"
#include "rdma-trace.h"

#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaNetwork;

/**
 * @ingroup lightpath
 * @brief A switch of an RdmaNetwork: a buffer that all ports share, priority flow control, and
 * marks.
 *
 * A frame of a lossless class that exceeds the share of its port of entry goes to the headroom of
 * that port, and the port pauses its class at the other end of the link (IEEE 802.1Qbb); once the
 * headroom is empty and the share has room for two frames, the class resumes. A frame that the
 * headroom has no room for is lost. Other frames are lost if they exceed the share of the port that
 * they leave by. A share is PauseThreshold or, without one, Alpha times what is free of the buffer.
 * A frame leaves the buffer as it begins to be sent. A pause holds until the resume: its sender
 * would renew it in time.
 *
 * A packet is marked if it meets a queue q of its class: with the probability MarkProbability
 * (q - Kmin) / (Kmax - Kmin) between these two, and certainly above Kmax.
 */
class RdmaSwitch : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RdmaSwitch();

    /**
     * Divide the buffer.
     *
     * @param links the links of the network
     * @param in those that lead to the switch
     * @param packet the largest payload of a packet, bytes
     * @return the bytes that the headroom of all ports takes; the rest is shared
     */
    uint64_t Divide(const std::vector<RdmaLink>& links,
                    const std::vector<uint32_t>& in,
                    uint32_t packet);

    /**
     * @return the size of the buffer in bytes
     */
    uint64_t GetBuffer() const
    {
        return m_buffer;
    }

    /**
     * @param network the network, which outlives the switch
     * @param node its node there
     */
    void SetUp(RdmaNetwork& network, uint32_t node);

    /**
     * @return its name
     */
    const std::string& GetName() const
    {
        return m_name;
    }

    /**
     * @return the links that it sends on
     */
    const std::vector<uint32_t>& GetOutLinks() const
    {
        return m_out;
    }

    /**
     * @param packet the largest payload of a packet, bytes
     * @param link a link to a switch
     * @return the bytes that may arrive by it from the frame that has a class paused: that frame,
     *         what is sent until the pause has crossed the link behind the longest frame, twice
     *         the propagation delay later, and the frame that is being sent then
     */
    static uint64_t GetUsualHeadroom(uint32_t packet, const RdmaLink& link);

    /**
     * @return whether it has paused a port, so that it must know at once what leaves
     */
    bool IsPausing() const
    {
        return m_nPausing > 0;
    }

    /**
     * @param port a port of entry
     * @return the classes that the other end has been told to stop, a bit each
     */
    uint8_t GetPaused(uint32_t port) const;

    /**
     * Take a frame.
     *
     * @param link the link that it has crossed
     * @param frame the frame
     */
    void Receive(uint32_t link, RdmaFrame* frame);

    /**
     * Note that a frame begins to be sent.
     *
     * @param link the link that it is sent on
     * @param frame the frame
     * @param time when, ps
     */
    void NoteLeaves(uint32_t link, RdmaFrame& frame, int64_t time);

    /**
     * @param stream the number of the stream of random numbers
     * @return the number of streams that were assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * TracedCallback signature for a pause.
     *
     * @param link the link whose sender is told
     * @param trafficClass the class
     * @param pauses whether it stops, or may go on
     */
    typedef void (*PauseTracedCallback)(uint32_t link, uint8_t trafficClass, bool pauses);

    /**
     * TracedCallback signature for bytes of a queue.
     *
     * @param link the link that its port sends on
     * @param bytes the bytes of the queue of the class of data
     */
    typedef void (*QueueTracedCallback)(uint32_t link, uint64_t bytes);

  private:
    /// What a class of a port of entry has in the buffer.
    struct Entry
    {
        uint64_t shared{0};   //!< Bytes of its share
        uint64_t headroom{0}; //!< Bytes beyond
        bool isPaused{false}; //!< The other end has been told to stop
    };

    /**
     * @return the bytes that a port may have in the buffer besides its headroom
     */
    uint64_t GetShare() const;

    /**
     * @param frame a frame
     * @return the link by which it leaves
     */
    uint32_t ChooseLink(const RdmaFrame& frame);

    /**
     * @param entry a class of a port of entry
     * @param frame a frame that comes by it
     * @param out the link that it leaves by
     * @return whether the frame fits in the share
     */
    bool Fits(const Entry& entry, const RdmaFrame& frame, const RdmaLink& out) const;

    /**
     * Find room for a frame.
     *
     * @param link the link that it has crossed
     * @param frame the frame
     * @param out the link that it leaves by
     * @return false if there is none
     */
    bool Admit(uint32_t link, const RdmaFrame& frame, uint32_t out);

    /**
     * Mark a frame with the probability that its queue gives.
     *
     * @param [in,out] frame the frame
     * @param queue the queue that it joins
     * @param out the link that it leaves by
     * @param link the number of this link
     */
    void Mark(RdmaFrame& frame, const RdmaFrameList& queue, const RdmaLink& out, uint32_t link);

    /**
     * Tell the other end of a link to stop a class, or to let it go on.
     *
     * @param link the link
     * @param trafficClass the class
     * @param pauses whether it stops
     */
    void Tell(uint32_t link, uint8_t trafficClass, bool pauses);

    uint64_t m_buffer;                   //!< Size of the buffer in bytes
    uint64_t m_headroom;                 //!< Headroom of a port in bytes; 0 for the usual one
    uint64_t m_threshold;                //!< Share of a port in bytes; 0 for alpha
    double m_alpha;                      //!< Share of a port over what is free
    uint32_t m_lossless;                 //!< Classes that are paused, a bit each
    uint64_t m_least;                    //!< Queue from which packets are marked, bytes; 0 by rate
    uint64_t m_most;                     //!< Queue from which all are, bytes; 0 by rate
    double m_probability;                //!< Probability of a mark there
    Ptr<UniformRandomVariable> m_random; //!< Decides on marks

    RdmaNetwork* m_network{nullptr};   //!< The network
    uint32_t m_node{0};                //!< The node
    std::string m_name;                //!< Its name
    std::vector<uint32_t> m_out;       //!< Links that it sends on
    std::vector<Entry> m_entries;      //!< By port of entry and class
    std::vector<uint64_t> m_headrooms; //!< Headroom of a class of each port of entry in bytes
    uint64_t m_sharedSize{0};          //!< Bytes of the buffer besides headroom
    uint64_t m_shared{0};              //!< Bytes in it
    uint32_t m_nPausing{0};            //!< Classes of ports that are paused

    RdmaTrace<uint32_t, uint8_t, bool> m_pauseTrace; //!< A pause is sent
    RdmaTrace<uint32_t, uint64_t> m_markTrace;       //!< A packet is marked
    RdmaTrace<uint32_t, uint64_t> m_dropTrace;       //!< A frame is lost
    RdmaTrace<uint32_t, uint64_t> m_queueTrace;      //!< A queue changes
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_SWITCH_H */
