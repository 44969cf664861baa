/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "virtual-output-queue.h"

#include "model/base/wire-format.h"

#include "ns3/abort.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("VirtualOutputQueue");

NS_OBJECT_ENSURE_REGISTERED(VirtualOutputQueue);

TypeId
VirtualOutputQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::VirtualOutputQueue")
            .SetParent<Queue<Packet>>()
            .SetGroupName("Lightpath")
            .AddConstructor<VirtualOutputQueue>()
            .AddAttribute("MaxSize",
                          "The most packets or bytes that the buffer holds over all destinations.",
                          QueueSizeValue(QueueSize("1000p")),
                          MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("DestinationMaxSize",
                          "The most packets or bytes that wait for one destination.",
                          QueueSizeValue(QueueSize("1000p")),
                          MakeQueueSizeAccessor(&VirtualOutputQueue::m_destinationMaxSize),
                          MakeQueueSizeChecker());
    return tid;
}

VirtualOutputQueue::VirtualOutputQueue()
    : NS_LOG_TEMPLATE_DEFINE("VirtualOutputQueue")
{
    NS_LOG_FUNCTION(this);
}

bool
VirtualOutputQueue::EnqueueFor(Ptr<Packet> packet, uint32_t destination)
{
    NS_LOG_FUNCTION(this << packet << destination);
    auto& fifo = m_fifos[destination];
    if (WouldOverflow(fifo, 1, packet->GetSize()))
    {
        NS_LOG_LOGIC("The queue for port " << destination << " is full");
        DropBeforeEnqueue(packet);
        return false;
    }
    // Trace sinks may query the queue: count the packet before DoEnqueue() calls them
    Iterator place;
    Add(fifo, packet);
    if (!DoEnqueue(GetContainer().end(), packet, place))
    {
        Subtract(fifo, packet);
        return false;
    }
    fifo.packets.push_back(place);
    return true;
}

Ptr<Packet>
VirtualOutputQueue::DequeueFor(uint32_t destination)
{
    const auto found = m_fifos.find(destination);
    if (found == m_fifos.end() || found->second.packets.empty())
    {
        return nullptr;
    }
    auto& fifo = found->second;
    const auto place = fifo.packets.front();
    fifo.packets.pop_front();
    Subtract(fifo, *place);
    return DoDequeue(place);
}

uint64_t
VirtualOutputQueue::GetBytesFor(uint32_t destination) const
{
    const auto found = m_fifos.find(destination);
    return found == m_fifos.end() ? 0 : found->second.bytes;
}

void
VirtualOutputQueue::Add(Fifo& fifo, Ptr<const Packet> packet)
{
    ++fifo.count;
    fifo.bytes += packet->GetSize();
}

void
VirtualOutputQueue::Subtract(Fifo& fifo, Ptr<const Packet> packet)
{
    --fifo.count;
    fifo.bytes -= packet->GetSize();
}

bool
VirtualOutputQueue::WouldOverflow(const Fifo& fifo, uint64_t nPackets, uint64_t nBytes) const
{
    return m_destinationMaxSize.GetUnit() == QueueSizeUnit::PACKETS
               ? fifo.count + nPackets > m_destinationMaxSize.GetValue()
               : fifo.bytes + nBytes > m_destinationMaxSize.GetValue();
}

bool
VirtualOutputQueue::WouldOverflow(uint32_t nPackets, uint32_t nBytes) const
{
    // Packets enter the queue with their Ethernet header
    const uint32_t bytes = nBytes + nPackets * ETHERNET_HEADER_BYTES;
    if (QueueBase::WouldOverflow(nPackets, bytes))
    {
        return true;
    }
    const QueueSize whole = GetMaxSize();
    // The buffer fills before any destination reaches its limit
    if (m_destinationMaxSize.GetUnit() == whole.GetUnit() &&
        m_destinationMaxSize.GetValue() >= whole.GetValue())
    {
        return false;
    }
    for (const auto& destination : m_fifos)
    {
        if (WouldOverflow(destination.second, nPackets, bytes))
        {
            return true;
        }
    }
    return false;
}

bool
VirtualOutputQueue::Enqueue(Ptr<Packet> packet)
{
    NS_ABORT_MSG("A packet enters a VirtualOutputQueue by EnqueueFor(), which names the "
                 "destination, not by Enqueue()");
    return false;
}

void
VirtualOutputQueue::ForgetFirst()
{
    const auto first = GetContainer().begin();
    // The oldest packet is the first one for its destination
    for (auto& destination : m_fifos)
    {
        auto& fifo = destination.second;
        if (!fifo.packets.empty() && fifo.packets.front() == first)
        {
            fifo.packets.pop_front();
            Subtract(fifo, *first);
            return;
        }
    }
}

Ptr<Packet>
VirtualOutputQueue::Dequeue()
{
    NS_LOG_FUNCTION(this);
    ForgetFirst();
    return DoDequeue(GetContainer().begin());
}

Ptr<Packet>
VirtualOutputQueue::Remove()
{
    NS_LOG_FUNCTION(this);
    ForgetFirst();
    return DoRemove(GetContainer().begin());
}

Ptr<const Packet>
VirtualOutputQueue::Peek() const
{
    return DoPeek(GetContainer().begin());
}

} // namespace lightpath
} // namespace ns3
