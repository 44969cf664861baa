/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-control-unit.h"

#include "model/base/lightpath-compatibility.h"
#include "model/base/simulator-agenda.h"

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
                EnumValue(OddlSettings::FCFS),
                MakeEnumAccessorFor<OddlSettings::GrantPolicy>(0, &OddlControlUnit::m_grantPolicy),
                MakeEnumChecker(OddlSettings::FCFS,
                                "Fcfs",
                                OddlSettings::SMALLEST_FIRST,
                                "SmallestFirst",
                                OddlSettings::OLDEST_STEP_FIRST,
                                "OldestStepFirst"))
            .AddAttribute(
                "RelayPolicy",
                "The corner that forwards between two ports that share no row and no column: the "
                "one in the row of the source (XFirst), the one in its column (YFirst), the one "
                "in its row unless the transmitter at its column has been idle for a whole flow of "
                "the row (LeastLoaded), or none (Forbid).",
                EnumValue(OddlSettings::X_FIRST),
                MakeEnumAccessorFor<OddlSettings::RelayPolicy>(0, &OddlControlUnit::m_relayPolicy),
                MakeEnumChecker(OddlSettings::X_FIRST,
                                "XFirst",
                                OddlSettings::Y_FIRST,
                                "YFirst",
                                OddlSettings::LEAST_LOADED,
                                "LeastLoaded",
                                OddlSettings::FORBID,
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
    : OddlUnit(SimulatorAgenda::Get())
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
    End();
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

OddlSettings
OddlControlUnit::GetSettings() const
{
    OddlSettings settings;
    settings.relayPolicy = m_relayPolicy;
    settings.grantPolicy = m_grantPolicy;
    settings.isReliable = m_isReliable;
    settings.maxRequests = m_maxRequests;
    settings.processingTime = m_processingTime.GetTimeStep();
    settings.retryInterval = m_retryInterval.GetTimeStep();
    settings.maxRetryInterval = m_maxRetryInterval.GetTimeStep();
    settings.expiry = m_expiry.GetTimeStep();
    settings.lookAhead = m_lookAhead.GetTimeStep();
    return settings;
}

void
OddlControlUnit::StartApplication()
{
    NS_LOG_FUNCTION(this);
    const OddlSettings settings = GetSettings();
    Begin(*m_channel, m_port, settings);
    m_network->Open(m_port,
                    GetNode()->GetId(),
                    "The control unit of port " + std::to_string(m_port),
                    settings.processingTime,
                    MakeCallback(&OddlControlUnit::Receive, this));
    if (!m_jobPorts)
    {
        Release();
    }
    else
    {
        const auto nPorts = static_cast<uint32_t>(m_channel->GetNDevices());
        const bool isFirst = m_port == m_jobPorts->front();
        OddlHeader request;
        request.kind = OddlHeader::JOB_REQUEST;
        request.number = m_job;
        if (isFirst)
        {
            request.nPorts = nPorts;
            request.ports = *m_jobPorts;
        }
        AwaitJob(nPorts, request, isFirst);
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
    if (m_channel)
    {
        m_channel->SetController(m_port, nullptr);
    }
    End();
    m_network->Close(m_port);
}

void
OddlControlUnit::Send(uint32_t port, const OddlHeader& message)
{
    m_txTrace(message, port);
    ++m_nMessages;
    m_network->Send(m_port, port, message);
}

uint64_t
OddlControlUnit::GetBacklog(uint32_t destination) const
{
    return m_device->GetBacklog(destination);
}

void
OddlControlUnit::Receive(const OddlHeader& message)
{
    NS_LOG_FUNCTION(this << message);
    Handle(message);
}

void
OddlControlUnit::NoteReceived(const OddlHeader& message)
{
    m_rxTrace(message, message.port);
}

void
OddlControlUnit::NoteTuning(const OddlFlow& flow)
{
    NS_LOG_LOGIC("port " << m_port << " tunes to port " << flow.hop << " for " << flow.bytes
                         << " bytes to port " << flow.destination << ", "
                         << TimeStep(flow.granted - flow.requested).As(Time::US)
                         << " after its request");
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
OddlControlUnit::NoteRefused(uint32_t destination, const std::string& reason)
{
    NS_LOG_FUNCTION(this << destination);
    NS_LOG_LOGIC(reason);
    m_refusedTrace(destination, reason);
}

} // namespace lightpath
} // namespace ns3
