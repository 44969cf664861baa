/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VIRTUAL_OUTPUT_QUEUE_H
#define VIRTUAL_OUTPUT_QUEUE_H

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"

#include <deque>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief One buffer with a queue for each destination, each first in, first out.
 *
 * MaxSize limits the buffer, and DestinationMaxSize the share of one destination, so that packets
 * that wait for one circuit cannot fill the buffer. A packet beyond either limit is dropped. The
 * trace sources of Queue cover all destinations.
 */
class VirtualOutputQueue : public Queue<Packet>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    VirtualOutputQueue();

    /**
     * @param packet the packet to append to the queue of its destination
     * @param destination the port of the fabric that it is for
     * @return false if it was dropped
     */
    bool EnqueueFor(Ptr<Packet> packet, uint32_t destination);

    /**
     * @param destination a port of the fabric
     * @return the first packet for it, removed from the queue; null if there is none
     */
    Ptr<Packet> DequeueFor(uint32_t destination);

    /**
     * @param destination a port of the fabric
     * @return the number of bytes that wait for it
     */
    uint64_t GetBytesFor(uint32_t destination) const;

    /**
     * Tell flow control (NetDeviceQueue::ConnectQueueTraces()) whether the device can accept
     * packets.
     *
     * @param nPackets a number of packets for any one destination
     * @param nBytes their size, without the header of a frame
     * @return true if the queue might drop them
     */
    bool WouldOverflow(uint32_t nPackets, uint32_t nBytes) const;

    // Queue<Packet>: the first packet to arrive over all destinations. Enqueue() ends the program,
    // as it names no destination.
    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;
    Ptr<Packet> Remove() override;
    Ptr<const Packet> Peek() const override;

  private:
    /// The packets for one destination.
    struct Fifo
    {
        std::deque<Iterator> packets; //!< Where they stand in the container, in order
        uint64_t count{0};            //!< Their number
        uint64_t bytes{0};            //!< Their size
    };

    /**
     * Count a packet in the queue of its destination.
     *
     * @param fifo the queue
     * @param packet the packet
     */
    static void Add(Fifo& fifo, Ptr<const Packet> packet);

    /**
     * Subtract a packet from the queue of its destination.
     *
     * @param fifo the queue
     * @param packet the packet
     */
    static void Subtract(Fifo& fifo, Ptr<const Packet> packet);

    /**
     * @param fifo the queue of a destination
     * @param nPackets a number of packets
     * @param nBytes their size
     * @return true if they would exceed the limit of the destination
     */
    bool WouldOverflow(const Fifo& fifo, uint64_t nPackets, uint64_t nBytes) const;

    /**
     * Remove the first packet to arrive over all destinations from the queue of its destination.
     */
    void ForgetFirst();

    std::unordered_map<uint32_t, Fifo> m_fifos; //!< The packets by destination
    QueueSize m_destinationMaxSize;             //!< Most that one destination may hold

    NS_LOG_TEMPLATE_DECLARE; //!< The log component, which that of Queue would hide otherwise
};

} // namespace lightpath
} // namespace ns3

#endif /* VIRTUAL_OUTPUT_QUEUE_H */
