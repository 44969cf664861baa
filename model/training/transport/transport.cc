/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("LightpathTransport");

NS_OBJECT_ENSURE_REGISTERED(Transport);

TypeId
Transport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::Transport")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddTraceSource("Send",
                                            "A message is handed over to be sent.",
                                            MakeTraceSourceAccessor(&Transport::m_sendTrace),
                                            "ns3::lightpath::Transport::SendTracedCallback");
    return tid;
}

void
Transport::SetReceiveCallback(ReceiveCallback callback)
{
    m_callback = std::move(callback);
}

void
Transport::SetPartCallback(PartCallback callback)
{
    m_partCallback = callback;
}

void
Transport::SetDevice(Ptr<OpticalNetDevice>)
{
    NS_ABORT_MSG(
        "A " << GetInstanceTypeId().GetName()
             << " does not use the devices of a fabric: choose a transport that does, such "
             << "as ns3::lightpath::CircuitTransport");
}

void
Transport::Average(uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << tag << bytes);
    Fail("The network is asked for an average of " + std::to_string(bytes) + " bytes, which a " +
         GetInstanceTypeId().GetName() +
         " cannot have it make: use the collective IN_NETWORK only on a fabric that averages, with "
         "an InNetworkTransport");
}

void
Transport::AverageInside(uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << tag << bytes);
    Fail("The switch of a server is asked for an average of " + std::to_string(bytes) +
         " bytes, but these ranks have no server whose switch averages: choose another algorithm "
         "inside servers than in-network");
}

CircuitTransport*
Transport::FindCircuit(uint32_t rank, uint64_t bytes)
{
    return nullptr;
}

void
Transport::SetComputed(bool isComputed)
{
}

void
Transport::NoteEvent(Time delay) const
{
}

uint64_t
Transport::GetComputed() const
{
    return 0;
}

bool
Transport::LooksAtMessages() const
{
    return m_sendTrace.NeedsEvents() || !m_partCallback.IsNull();
}

void
Transport::NoteSend()
{
    m_firstSend = m_firstSend.value_or(Simulator::Now());
}

void
Transport::NoteMessage(Time wait)
{
    NoteSend();
    m_setUpTime = m_setUpTime.value_or(Simulator::Now() + wait - *m_firstSend);
}

void
Transport::SendRest(uint32_t rank, const MessagePiece& rest)
{
    NS_ABORT_MSG("A " << GetInstanceTypeId().GetName()
                      << " only sends whole messages, and cannot send the last " << rest.bytes
                      << " of " << rest.size << " bytes to rank " << rank
                      << ": give the hybrid transport another electrical side");
}

void
Transport::SetFailureCallback(FailureCallback callback)
{
    m_failureCallback = callback;
}

bool
Transport::UsesCircuits(uint64_t bytes) const
{
    return true;
}

bool
Transport::WaitsForCircuits() const
{
    return true;
}

Time
Transport::GetDarkTime() const
{
    return Time(0);
}

std::vector<Time>
Transport::GetDarkChanges() const
{
    return {};
}

TransportStatistics
Transport::GetStatistics() const
{
    return {};
}

void
Transport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_callback = nullptr;
    m_partCallback.Nullify();
    m_failureCallback.Nullify();
    Object::DoDispose();
}

void
Transport::Deliver(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    if (m_callback)
    {
        m_callback(rank, tag, bytes);
    }
}

void
Transport::ReceivePart(uint32_t rank, uint64_t tag, uint64_t size, uint64_t bytes)
{
    if (!m_partCallback.IsNull())
    {
        m_partCallback(rank, tag, size, bytes);
        return;
    }
    // Most messages come in one part and need no entry in the table
    if (bytes < size)
    {
        const auto entry = m_incoming.emplace(std::make_pair(rank, tag), 0).first;
        entry->second += bytes;
        if (entry->second < size)
        {
            return;
        }
        m_incoming.erase(entry);
    }
    Deliver(rank, tag, size);
}

void
Transport::Fail(const std::string& sentence)
{
    NS_LOG_FUNCTION(this << sentence);
    NS_ABORT_MSG_IF(m_failureCallback.IsNull(), sentence);
    m_failureCallback(sentence);
}

void
Transport::TraceSend(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    NoteSend();
    m_sendTrace(rank, tag, bytes);
}

void
Transport::NoteFrame()
{
    // A rank may forward frames before it has a message of its own
    if (!m_setUpTime && m_firstSend)
    {
        m_setUpTime = Simulator::Now() - *m_firstSend;
    }
}

Time
Transport::GetSetUpTime() const
{
    return std::max(m_setUpTime.value_or(Time(0)), GetStatistics().handshake);
}

} // namespace lightpath
} // namespace ns3
