/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORWARD_QUEUE_H
#define FORWARD_QUEUE_H

#include "port-table.h"

#include "ns3/packet.h"

#include <cstdint>
#include <deque>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The frames that a device forwards, in an unlimited FIFO queue for each destination.
 */
class ForwardQueue
{
  public:
    /**
     * @param frame the frame to append
     * @param destination the port of the fabric that it is for
     */
    void Push(const Ptr<Packet>& frame, uint32_t destination)
    {
        Fifo& fifo = m_fifos.Get(destination);
        fifo.bytes += frame->GetSize();
        m_bytes += frame->GetSize();
        fifo.frames.push_back(frame);
    }

    /**
     * @param destination a port of the fabric
     * @return the first frame for it, removed from the queue; null if there is none
     */
    Ptr<Packet> Pop(uint32_t destination)
    {
        Fifo* const fifo = m_fifos.Find(destination);
        if (!fifo || fifo->frames.empty())
        {
            return nullptr;
        }
        const Ptr<Packet> frame = std::move(fifo->frames.front());
        fifo->frames.pop_front();
        fifo->bytes -= frame->GetSize();
        m_bytes -= frame->GetSize();
        return frame;
    }

    /**
     * @param destination a port of the fabric
     * @return the bytes that wait for it
     */
    uint64_t GetBytesFor(uint32_t destination) const
    {
        const Fifo* const fifo = m_fifos.Find(destination);
        return fifo ? fifo->bytes : 0;
    }

    /**
     * @return the bytes that wait for all destinations
     */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    /// The frames for one destination.
    struct Fifo
    {
        std::deque<Ptr<Packet>> frames; //!< The frames in order
        uint64_t bytes{0};              //!< Their size
    };

    PortTable<Fifo> m_fifos; //!< The frames by destination
    uint64_t m_bytes{0};     //!< Size of all frames
};

} // namespace lightpath
} // namespace ns3

#endif /* FORWARD_QUEUE_H */
