/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hybrid-transport.h"

#include "circuit-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("HybridTransport");

NS_OBJECT_ENSURE_REGISTERED(HybridTransport);

TypeId
HybridTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::HybridTransport")
            .SetParent<Transport>()
            .SetGroupName("Lightpath")
            .AddConstructor<HybridTransport>()
            .AddAttribute("SmallMessage",
                          "Messages of at most this size in bytes go electrically; zero for none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HybridTransport::m_smallMessage),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("BulkMessage",
                          "Messages of at least this size in bytes go optically, however long they "
                          "wait for a lightpath; zero for none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HybridTransport::m_bulkMessage),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("WaitLimit",
                          "The time that messages for a rank wait for a lightpath before they go "
                          "electrically.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HybridTransport::m_waitLimit),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Optical",
                          "The transport over the optical fabric.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&HybridTransport::m_optical),
                          MakePointerChecker<CircuitTransport>())
            .AddAttribute("Electrical",
                          "The transport over the electrical network.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&HybridTransport::m_electrical),
                          MakePointerChecker<Transport>());
    return tid;
}

HybridTransport::HybridTransport()
{
    NS_LOG_FUNCTION(this);
}

HybridTransport::~HybridTransport()
{
    NS_LOG_FUNCTION(this);
}

void
HybridTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& wait : m_waits)
    {
        wait.second.Cancel();
    }
    m_waits.clear();
    if (m_channel)
    {
        m_optical->GetDevice()->TraceDisconnectWithoutContext(
            "LightpathDown",
            MakeCallback(&HybridTransport::NotifyDown, this));
        m_channel->TraceDisconnectWithoutContext("Light",
                                                 MakeCallback(&HybridTransport::NotifyLight, this));
        m_channel = nullptr;
    }
    if (m_optical)
    {
        m_optical->TraceDisconnectWithoutContext("SendAgain",
                                                 MakeCallback(&HybridTransport::NotifyAgain, this));
    }
    for (const Ptr<Transport>& transport : {Ptr<Transport>(m_optical), m_electrical})
    {
        if (transport)
        {
            transport->Dispose();
        }
    }
    m_optical = nullptr;
    m_electrical = nullptr;
    Transport::DoDispose();
}

void
HybridTransport::SetUp(Ptr<CircuitTransport> optical, Ptr<Transport> electrical, uint32_t first)
{
    NS_LOG_FUNCTION(this << optical << electrical << first);
    NS_ABORT_MSG_IF(m_bulkMessage > 0 && m_bulkMessage <= m_smallMessage,
                    "A BulkMessage of " << m_bulkMessage << " bytes goes optically and a "
                                        << "SmallMessage of " << m_smallMessage
                                        << " electrically: the former must be larger");
    const auto device = optical->GetDevice();
    NS_ABORT_MSG_UNLESS(device, "The optical side of a hybrid transport needs a device first");
    m_optical = optical;
    m_electrical = electrical;
    m_first = first;
    m_channel = DynamicCast<OpticalChannel>(device->GetChannel());
    // Only circuits come and go; any other fabric has a path to every rank at all times
    if (m_channel)
    {
        device->TraceConnectWithoutContext("LightpathDown",
                                           MakeCallback(&HybridTransport::NotifyDown, this));
        m_channel->TraceConnectWithoutContext("Light",
                                              MakeCallback(&HybridTransport::NotifyLight, this));
    }
    optical->TraceConnectWithoutContext("SendAgain",
                                        MakeCallback(&HybridTransport::NotifyAgain, this));
    // A message may arrive in parts by both ways, which ReceivePart() puts together
    optical->SetReceiveCallback(MakeCallback(&HybridTransport::TakeMessage, this));
    optical->SetPartCallback(MakeCallback(&HybridTransport::TakePart, this));
    electrical->SetReceiveCallback(MakeCallback(&HybridTransport::Deliver, this));
    electrical->SetPartCallback(MakeCallback(&HybridTransport::ReceivePart, this));
    for (const Ptr<Transport>& transport : {Ptr<Transport>(optical), electrical})
    {
        transport->SetFailureCallback(MakeCallback(&HybridTransport::Fail, this));
    }
}

void
HybridTransport::TakeMessage(uint32_t port, uint64_t tag, uint64_t bytes)
{
    Deliver(m_first + port, tag, bytes);
}

void
HybridTransport::TakePart(uint32_t port, uint64_t tag, uint64_t size, uint64_t bytes)
{
    ReceivePart(m_first + port, tag, size, bytes);
}

bool
HybridTransport::IsInRegion(uint32_t rank) const
{
    return rank >= m_first && rank - m_first < m_optical->GetDevice()->GetChannel()->GetNDevices();
}

bool
HybridTransport::HasLightpath(uint32_t port) const
{
    return !m_channel ||
           !m_channel->GetPlan().GetLanes(m_optical->GetDevice()->GetPort(), port).empty();
}

Time
HybridTransport::GetDarkTime() const
{
    return m_optical->GetDarkTime();
}

bool
HybridTransport::WaitsForCircuits() const
{
    return false;
}

bool
HybridTransport::UsesCircuits(uint64_t bytes) const
{
    return bytes > m_smallMessage;
}

void
HybridTransport::Send(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << rank << tag << bytes);
    TraceSend(rank, tag, bytes);
    const bool isInside = IsInRegion(rank);
    const bool isBulk = m_bulkMessage > 0 && bytes >= m_bulkMessage && isInside;
    const bool isLit = isInside && HasLightpath(rank - m_first);
    NS_LOG_LOGIC("rank " << m_first + m_optical->GetDevice()->GetPort() << ": a message of "
                         << bytes << " bytes for rank " << rank
                         << (bytes <= m_smallMessage ? " goes electrically: it is small"
                             : !isInside ? " goes electrically: the rank is in another region"
                             : isLit     ? " goes optically: there is a lightpath"
                             : isBulk    ? " waits for a lightpath: it is bulk"
                             : m_waitLimit.IsZero()
                                 ? " goes electrically: there is no lightpath"
                                 : " waits for a lightpath, for the WaitLimit at most"));
    const bool mayWait = isInside && (isLit || isBulk || !m_waitLimit.IsZero());
    if (bytes <= m_smallMessage || !mayWait)
    {
        SendElectrically(rank, tag, bytes);
        return;
    }
    // Also without a lightpath: the bytes that wait at the device are the demand that a controller
    // sees
    ++m_statistics.opticalMessages;
    m_statistics.opticalBytes += bytes;
    m_optical->Send(rank - m_first, tag, bytes);
    if (!isLit && !isBulk)
    {
        Wait(rank - m_first);
    }
}

void
HybridTransport::SendElectrically(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    ++m_statistics.electricalMessages;
    m_statistics.electricalBytes += bytes;
    m_electrical->Send(rank, tag, bytes);
}

void
HybridTransport::NotifyDown(uint32_t port)
{
    NS_LOG_FUNCTION(this << port);
    if (!HasLightpath(port) && m_optical->GetDevice()->GetBacklog(port) > 0)
    {
        Wait(port);
    }
}

void
HybridTransport::NotifyAgain(uint32_t port)
{
    NS_LOG_FUNCTION(this << port);
    if (!HasLightpath(port))
    {
        Wait(port);
    }
}

void
HybridTransport::NotifyLight(const CircuitPlan&)
{
    NS_LOG_FUNCTION(this);
    // The new plan may lack lightpaths that waiting messages were sent for
    std::vector<std::pair<uint32_t, uint64_t>> backlog;
    m_optical->GetDevice()->GetBacklog(backlog);
    for (const auto& entry : backlog)
    {
        if (!HasLightpath(entry.first))
        {
            Wait(entry.first);
        }
    }
}

void
HybridTransport::Wait(uint32_t port)
{
    EventId& wait = m_waits[port];
    if (wait.IsExpired())
    {
        wait = Simulator::Schedule(m_waitLimit, &HybridTransport::EndWait, this, port);
    }
}

void
HybridTransport::EndWait(uint32_t port)
{
    NS_LOG_FUNCTION(this << port);
    if (HasLightpath(port))
    {
        return;
    }
    const uint32_t rank = m_first + port;
    for (const MessagePiece& rest : m_optical->Withdraw(port, m_bulkMessage))
    {
        NS_LOG_LOGIC("rank " << m_first + m_optical->GetDevice()->GetPort() << ": " << rest.bytes
                             << " of " << rest.size << " bytes for rank " << rank
                             << " go electrically: no lightpath has come");
        // A message counts for the way that its first byte takes, its bytes for their own
        m_statistics.opticalBytes -= rest.bytes;
        m_statistics.electricalBytes += rest.bytes;
        if (rest.bytes < rest.size)
        {
            m_electrical->SendRest(rank, rest);
            continue;
        }
        --m_statistics.opticalMessages;
        ++m_statistics.electricalMessages;
        m_electrical->Send(rank, rest.tag, rest.bytes);
    }
}

uint64_t
HybridTransport::GetSentBytes() const
{
    return m_optical->GetSentBytes() + m_electrical->GetSentBytes();
}

Time
HybridTransport::GetSetUpTime() const
{
    return std::max(m_optical->GetSetUpTime(), m_electrical->GetSetUpTime());
}

bool
HybridTransport::IsMoving() const
{
    // The end of a wait moves messages to the electrical side
    for (const auto& wait : m_waits)
    {
        if (!wait.second.IsExpired())
        {
            return true;
        }
    }
    return m_optical->IsMoving() || m_electrical->IsMoving();
}

std::string
HybridTransport::Describe() const
{
    const std::string first = m_optical->Describe();
    const std::string second = m_electrical->Describe();
    return first + (first.empty() || second.empty() ? "" : ", ") + second;
}

TransportStatistics
HybridTransport::GetStatistics() const
{
    TransportStatistics statistics = m_electrical->GetStatistics();
    statistics.Add(m_optical->GetStatistics());
    statistics.Add(m_statistics);
    return statistics;
}

} // namespace lightpath
} // namespace ns3
