/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-control-unit.h"

#include "model/base/lightpath-compatibility.h"
#include "oddl-flow-queue.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OddlControlUnit");

NS_OBJECT_ENSURE_REGISTERED(OddlControlUnit);

TypeId
OddlControlUnit::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OddlControlUnit")
            .SetParent<Application>()
            .SetGroupName("Lightpath")
            .AddConstructor<OddlControlUnit>()
            .AddAttribute(
                "GrantPolicy",
                "The request for a receiver that is granted next: the first that came (Fcfs), that "
                "of the smallest flow (SmallestFirst), or the one whose data has been ready "
                "longest (OldestStepFirst).",
                EnumValue(OddlReceiver::FCFS),
                MakeEnumAccessorFor<OddlReceiver::GrantPolicy>(0, &OddlControlUnit::m_grantPolicy),
                MakeEnumChecker(OddlReceiver::FCFS,
                                "Fcfs",
                                OddlReceiver::SMALLEST_FIRST,
                                "SmallestFirst",
                                OddlReceiver::OLDEST_STEP_FIRST,
                                "OldestStepFirst"))
            .AddAttribute(
                "RelayPolicy",
                "The corner that forwards between two ports that share no row and no column: the "
                "one in the row of the source (XFirst), the one in its column (YFirst), the one "
                "in its row unless the transmitter at its column has been idle for a whole flow of "
                "the row (LeastLoaded), or none (Forbid).",
                EnumValue(OddlRouter::X_FIRST),
                MakeEnumAccessorFor<OddlRouter::RelayPolicy>(0, &OddlControlUnit::m_relayPolicy),
                MakeEnumChecker(OddlRouter::X_FIRST,
                                "XFirst",
                                OddlRouter::Y_FIRST,
                                "YFirst",
                                OddlRouter::LEAST_LOADED,
                                "LeastLoaded",
                                OddlRouter::FORBID,
                                "Forbid"))
            .AddAttribute("Reliable",
                          "Whether receivers report the end of each flow to its sender.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OddlControlUnit::m_isReliable),
                          MakeBooleanChecker())
            .AddAttribute("ProcessingTime",
                          "The time from the arrival of a message to its effect.",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&OddlControlUnit::m_processingTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RetryInterval",
                          "The time after which a request without a grant is sent again; it "
                          "doubles each time.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&OddlControlUnit::m_retryInterval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("MaxRetryInterval",
                          "The longest time after which a request is sent again.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&OddlControlUnit::m_maxRetryInterval),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ReservationExpiry",
                          "The time from a grant in which there must be light, longer where "
                          "control messages take longer.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&OddlControlUnit::m_expiry),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute(
                "LookAhead",
                "How long before the end of a flow its transmitter requests the next one; zero "
                "to request it after the end.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&OddlControlUnit::m_lookAhead),
                MakeTimeChecker(Time(0)))
            .AddAttribute("MaxRequests",
                          "The most requests of a transmitter that may be outstanding.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OddlControlUnit::m_maxRequests),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("ControlTx",
                            "A control message is sent.",
                            MakeTraceSourceAccessor(&OddlControlUnit::m_txTrace),
                            "ns3::lightpath::OddlControlUnit::MessageTracedCallback")
            .AddTraceSource("ControlRx",
                            "A control message has been received and takes effect.",
                            MakeTraceSourceAccessor(&OddlControlUnit::m_rxTrace),
                            "ns3::lightpath::OddlControlUnit::MessageTracedCallback")
            .AddTraceSource("TuneStart",
                            "A laser begins to be tuned for a flow.",
                            MakeTraceSourceAccessor(&OddlControlUnit::m_tuneTrace),
                            "ns3::lightpath::OddlControlUnit::FlowTracedCallback")
            .AddTraceSource("FlowDone",
                            "The light of a flow has gone out.",
                            MakeTraceSourceAccessor(&OddlControlUnit::m_flowTrace),
                            "ns3::lightpath::OddlControlUnit::FlowTracedCallback")
            .AddTraceSource("Refused",
                            "No way leads to the destination of frames that wait.",
                            MakeTraceSourceAccessor(&OddlControlUnit::m_refusedTrace),
                            "ns3::lightpath::OddlControlUnit::RefusedTracedCallback");
    return tid;
}

OddlControlUnit::OddlControlUnit()
{
    NS_LOG_FUNCTION(this);
}

OddlControlUnit::~OddlControlUnit()
{
    NS_LOG_FUNCTION(this);
}

void
OddlControlUnit::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_jobRetry.Cancel();
    m_transmitters.clear();
    m_receivers.clear();
    m_queue = nullptr;
    m_device = nullptr;
    m_channel = nullptr;
    m_network = nullptr;
    Application::DoDispose();
}

void
OddlControlUnit::SetUp(Ptr<OpticalNetDevice> device, std::shared_ptr<ControlNetwork> network)
{
    NS_LOG_FUNCTION(this << device);
    m_device = device;
    m_port = device->GetPort();
    m_network = std::move(network);
    m_channel = DynamicCast<WssGridChannel>(device->GetChannel());
    NS_ABORT_MSG_UNLESS(m_channel,
                        "A control unit of ODDL needs a device on a WssGridChannel, which that of "
                        "node "
                            << device->GetNodeId() << " is not");
}

void
OddlControlUnit::SetJob(uint32_t job, std::shared_ptr<const std::vector<uint32_t>> ports)
{
    NS_LOG_FUNCTION(this << job);
    m_job = job;
    m_jobPorts = std::move(ports);
}

void
OddlControlUnit::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_slack = m_expiry;
    m_queue = std::make_unique<OddlFlowQueue>(m_device,
                                              m_relayPolicy,
                                              MakeCallback(&OddlControlUnit::NoteRefused, this));
    for (const auto direction : {WssGridChannel::ROW, WssGridChannel::COLUMN})
    {
        for (uint32_t index = 0; index < m_channel->GetNTransceivers(); ++index)
        {
            const WssGridChannel::Transceiver own{m_port, direction, index};
            m_transmitters.push_back(std::make_unique<OddlTransmitter>(*this, own));
            m_receivers.push_back(std::make_unique<OddlReceiver>(*this, own));
        }
    }
    m_network->Open(m_port,
                    GetNode(),
                    "The control unit of port " + std::to_string(m_port),
                    m_processingTime,
                    MakeCallback(&OddlControlUnit::Handle, this));
    m_channel->SetController(m_port, this);
    if (!m_jobPorts)
    {
        m_isHeld = false;
    }
    else
    {
        m_jobInterval = m_retryInterval;
        if (m_port == m_jobPorts->front())
        {
            RequestJob();
        }
    }
    std::vector<std::pair<uint32_t, uint64_t>> backlog;
    m_device->GetBacklog(backlog);
    for (const auto& entry : backlog)
    {
        NotifyActive(entry.first);
    }
}

void
OddlControlUnit::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_isHeld = true;
    m_jobRetry.Cancel();
    if (m_channel)
    {
        m_channel->SetController(m_port, nullptr);
    }
    m_transmitters.clear();
    m_receivers.clear();
    m_network->Close(m_port);
}

void
OddlControlUnit::RequestJob()
{
    NS_LOG_FUNCTION(this);
    OddlHeader message;
    message.kind = OddlHeader::JOB_REQUEST;
    message.port = m_port;
    message.number = m_job;
    if (m_port == m_jobPorts->front())
    {
        message.nPorts = static_cast<uint32_t>(m_channel->GetNDevices());
        message.ports = *m_jobPorts;
    }
    m_jobRetry = Simulator::Schedule(m_jobInterval, &OddlControlUnit::RequestJob, this);
    m_jobInterval = std::min(2 * m_jobInterval, m_maxRetryInterval);
    NS_LOG_LOGIC("port " << m_port << " asks the arbiter for job " << m_job);
    m_txTrace(message, m_port);
    ++m_nMessages;
    m_network->Send(m_port, static_cast<uint32_t>(m_channel->GetNDevices()), message);
}

void
OddlControlUnit::BeginJob()
{
    NS_LOG_FUNCTION(this);
    NS_LOG_LOGIC("port " << m_port << " begins job " << m_job);
    m_jobRetry.Cancel();
    m_isHeld = false;
    NotifyChange();
}

std::size_t
OddlControlUnit::GetIndex(uint32_t direction, uint32_t index) const
{
    return std::size_t{direction} * m_channel->GetNTransceivers() + index;
}

const OddlTransmitter&
OddlControlUnit::GetTransmitter(WssGridChannel::Direction direction, uint32_t index) const
{
    return *m_transmitters.at(GetIndex(direction, index));
}

const OddlReceiver&
OddlControlUnit::GetReceiver(WssGridChannel::Direction direction, uint32_t index) const
{
    return *m_receivers.at(GetIndex(direction, index));
}

void
OddlControlUnit::NotifyActive(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    m_queue->SetReady(destination);
    if (m_isHeld && m_jobPorts && m_jobRetry.IsExpired())
    {
        m_jobRetry = Simulator::Schedule(m_jobInterval, &OddlControlUnit::RequestJob, this);
    }
    Enqueue(destination);
}

void
OddlControlUnit::Enqueue(uint32_t destination)
{
    if (m_queue->Enqueue(destination))
    {
        NextFlows();
    }
}

void
OddlControlUnit::NoteRefused(uint32_t destination, const std::string& reason)
{
    NS_LOG_FUNCTION(this << destination);
    NS_LOG_LOGIC(reason);
    m_refusedTrace(destination, reason);
}

std::string
OddlControlUnit::GetRefusal(uint32_t destination) const
{
    return m_queue ? m_queue->GetRefusal(destination) : "";
}

void
OddlControlUnit::NextFlows()
{
    if (m_isHeld)
    {
        return;
    }
    for (const auto& transmitter : m_transmitters)
    {
        transmitter->Next();
    }
}

bool
OddlControlUnit::TakeFlow(const WssGridChannel::Transceiver& transmitter, OddlFlow& flow)
{
    OddlTransmitter* const sender =
        m_transmitters[GetIndex(transmitter.direction, transmitter.index)].get();
    return !m_isHeld && m_queue->Take(transmitter, sender, flow);
}

void
OddlControlUnit::DivertFlows(WssGridChannel::Direction direction, Time since)
{
    const bool isRow = direction == WssGridChannel::ROW;
    const bool mayDivert = isRow && m_relayPolicy == OddlRouter::LEAST_LOADED;
    // After a shorter pause, frames that the column is to forward may be under way
    for (uint32_t index = 0; mayDivert && index < m_channel->GetNTransceivers(); ++index)
    {
        OddlTransmitter& other = *m_transmitters[GetIndex(WssGridChannel::COLUMN, index)];
        if (other.IsIdleSince(since) && m_queue->Divert())
        {
            other.Next();
        }
    }
}

void
OddlControlUnit::Requeue(uint32_t destination)
{
    if (m_queue->Release(destination))
    {
        Enqueue(destination);
    }
}

void
OddlControlUnit::NotifySent(uint32_t destination)
{
    OddlTransmitter* const sender = m_queue->GetSender(destination);
    if (sender)
    {
        sender->HandleSent(m_device->GetBacklog(destination) == 0);
    }
}

void
OddlControlUnit::NotifyIdle(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    m_queue->SetIdle(destination);
    OddlTransmitter* const sender = m_queue->GetSender(destination);
    if (sender)
    {
        sender->HandleIdle();
    }
}

void
OddlControlUnit::NotifyDark(WssGridChannel::Direction direction, uint32_t index, uint32_t source)
{
    m_receivers[GetIndex(direction, index)]->HandleDark(source);
}

void
OddlControlUnit::NotifyChange()
{
    NS_LOG_FUNCTION(this);
    const bool wasHeld = std::exchange(m_isHeld, true);
    for (const auto& transmitter : m_transmitters)
    {
        transmitter->HandleChange();
    }
    for (const uint32_t destination : m_queue->Clear())
    {
        Requeue(destination);
    }
    m_isHeld = wasHeld;
    NextFlows();
}

void
OddlControlUnit::NoteTuning(const OddlFlow& flow)
{
    NS_LOG_LOGIC("port " << m_port << " tunes to port " << flow.hop << " for " << flow.bytes
                         << " bytes to port " << flow.destination << ", "
                         << (flow.granted - flow.requested).As(Time::US) << " after its request");
    m_tuneTrace(flow);
}

void
OddlControlUnit::NoteFlow(const OddlFlow& flow)
{
    NS_LOG_LOGIC("port " << m_port << " ends the light of flow " << flow.number << " to port "
                         << flow.hop);
    m_flowTrace(flow);
}

void
OddlControlUnit::SendMessage(uint32_t port, OddlHeader message)
{
    message.port = m_port;
    m_txTrace(message, port);
    ++m_nMessages;
    m_network->Send(m_port, port, message);
}

void
OddlControlUnit::Handle(const OddlHeader& message)
{
    NS_LOG_FUNCTION(this << message);
    const bool isForJob = message.kind == OddlHeader::JOB_GO;
    if (m_transmitters.empty() || (!isForJob && (message.direction >= DIRECTIONS ||
                                                 message.index >= m_channel->GetNTransceivers())))
    {
        return;
    }
    m_rxTrace(message, message.port);
    const std::size_t index = isForJob ? 0 : GetIndex(message.direction, message.index);
    switch (message.kind)
    {
    case OddlHeader::REQUEST:
        m_receivers[index]->HandleRequest(message);
        break;
    case OddlHeader::GRANT:
        m_transmitters[index]->HandleGrant(message);
        break;
    case OddlHeader::GRANT_CANCEL:
        m_receivers[index]->HandleCancel(message);
        break;
    case OddlHeader::DONE:
        ++m_nConfirmed;
        break;
    case OddlHeader::JOB_GO:
        if (m_isHeld && m_jobPorts && message.number == m_job)
        {
            BeginJob();
        }
        break;
    default:
        NS_LOG_LOGIC("A control unit does not set switches");
    }
}

void
OddlControlUnit::NoteRoundTrip(Time time)
{
    // A round trip that was slow once may be slow again
    m_slack = std::max(m_slack, 2 * time + m_channel->GetTuneAndLockTime() + m_channel->GetDelay());
}

Time
OddlControlUnit::GetSendingTime(uint64_t bytes, WssGridChannel::Direction direction) const
{
    return Seconds(bytes * 8.0 / m_channel->GetLaneRate(direction).GetBitRate());
}

Time
OddlControlUnit::GetHold(uint64_t bytes, WssGridChannel::Direction direction) const
{
    // Rounded up
    return GetSendingTime(bytes, direction) + m_channel->GetTuneAndLockTime() + NanoSeconds(1);
}

} // namespace lightpath
} // namespace ns3
