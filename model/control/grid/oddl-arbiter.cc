/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-arbiter.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <set>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OddlArbiter");

NS_OBJECT_ENSURE_REGISTERED(OddlArbiter);

TypeId
OddlArbiter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OddlArbiter")
            .SetParent<Application>()
            .SetGroupName("Lightpath")
            .AddConstructor<OddlArbiter>()
            .AddAttribute("ProcessingTime",
                          "The time from the arrival of a request to the setting of switches.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&OddlArbiter::m_processingTime),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Configure",
                            "Switches begin to be set for a job.",
                            MakeTraceSourceAccessor(&OddlArbiter::m_configureTrace),
                            "ns3::lightpath::OddlArbiter::JobTracedCallback")
            .AddTraceSource("Go",
                            "The switches are set for a job, which is told to begin.",
                            MakeTraceSourceAccessor(&OddlArbiter::m_goTrace),
                            "ns3::lightpath::OddlArbiter::JobTracedCallback")
            .AddTraceSource("Refused",
                            "A job cannot have the ports that it requests.",
                            MakeTraceSourceAccessor(&OddlArbiter::m_refusedTrace),
                            "ns3::lightpath::OddlArbiter::RefusedTracedCallback");
    return tid;
}

OddlArbiter::OddlArbiter()
{
    NS_LOG_FUNCTION(this);
}

OddlArbiter::~OddlArbiter()
{
    NS_LOG_FUNCTION(this);
}

void
OddlArbiter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    m_network = nullptr;
    Application::DoDispose();
}

void
OddlArbiter::SetUp(Ptr<WssGridChannel> channel, std::shared_ptr<ControlNetwork> network)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    m_network = std::move(network);
    m_jobOf.assign(channel->GetNDevices(), WavelengthMap::NONE);
}

void
OddlArbiter::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_network->Open(GetHost(),
                    GetNode()->GetId(),
                    "The arbiter",
                    m_processingTime.GetTimeStep(),
                    MakeCallback(&OddlArbiter::Handle, this));
}

void
OddlArbiter::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_network->Close(GetHost());
}

uint32_t
OddlArbiter::GetHost() const
{
    return static_cast<uint32_t>(m_jobOf.size());
}

void
OddlArbiter::Handle(const OddlHeader& message)
{
    NS_LOG_FUNCTION(this << message);
    if (message.kind != OddlHeader::JOB_REQUEST || message.port >= m_jobOf.size())
    {
        return;
    }
    const auto found = m_jobs.find(message.number);
    if (found != m_jobs.end())
    {
        if (found->second.isRunning && m_jobOf[message.port] == message.number)
        {
            SendGo(message.number, message.port);
        }
        return;
    }
    if (!message.ports.empty())
    {
        RequestJob(message.number, message.ports);
    }
}

void
OddlArbiter::RequestJob(uint32_t job, const std::vector<uint32_t>& ports)
{
    NS_LOG_FUNCTION(this << job << ports.size());
    const std::string reason = Check(job, ports);
    if (!reason.empty())
    {
        NS_LOG_LOGIC(reason);
        m_refusedTrace(job, reason);
        return;
    }
    Begin(job, ports);
}

std::string
OddlArbiter::Check(uint32_t number, const std::vector<uint32_t>& ports) const
{
    for (const uint32_t port : ports)
    {
        if (port >= m_jobOf.size())
        {
            return "Job " + std::to_string(number) + " cannot have port " + std::to_string(port) +
                   " of a fabric of " + std::to_string(m_jobOf.size()) + " ports";
        }
        if (m_jobOf[port] != WavelengthMap::NONE)
        {
            return "Job " + std::to_string(number) + " cannot have port " + std::to_string(port) +
                   ", which job " + std::to_string(m_jobOf[port]) + " has";
        }
    }
    return "";
}

void
OddlArbiter::Begin(uint32_t number, const std::vector<uint32_t>& ports)
{
    NS_LOG_FUNCTION(this << number << ports.size());
    NS_LOG_LOGIC("sets the switches for job " << number << " of " << ports.size()
                                              << " ports, which takes "
                                              << m_channel->GetSettingTime().As(Time::US));
    m_jobs[number].ports = ports;
    for (const uint32_t port : ports)
    {
        m_jobOf[port] = number;
    }
    m_configureTrace(number);
    for (const auto direction : {WssGridChannel::ROW, WssGridChannel::COLUMN})
    {
        std::set<uint32_t> groups;
        for (const uint32_t port : ports)
        {
            groups.insert(m_channel->GetGroup(port, direction));
        }
        const uint32_t members =
            direction == WssGridChannel::ROW ? m_channel->GetNColumns() : m_channel->GetNRows();
        for (const uint32_t group : groups)
        {
            WavelengthMap map(members);
            std::vector<uint32_t> jobs(members, WavelengthMap::NONE);
            for (uint32_t member = 0; member < members; ++member)
            {
                const uint32_t port = m_channel->GetPortAt(direction, group, member);
                if (port < m_jobOf.size())
                {
                    jobs[member] = m_jobOf[port];
                }
            }
            map.Restrict(jobs);
            m_channel->Configure(direction, group, map);
        }
    }
    Simulator::Schedule(m_channel->GetSettingTime(), &OddlArbiter::Go, this, number);
}

void
OddlArbiter::Go(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    const auto found = m_jobs.find(number);
    if (found == m_jobs.end())
    {
        return;
    }
    NS_LOG_LOGIC("tells the ports of job " << number << " to begin");
    found->second.isRunning = true;
    m_goTrace(number);
    for (const uint32_t port : found->second.ports)
    {
        SendGo(number, port);
    }
}

void
OddlArbiter::SendGo(uint32_t number, uint32_t port)
{
    if (!m_network || !m_network->IsOpen(GetHost()))
    {
        return;
    }
    OddlHeader message;
    message.kind = OddlHeader::JOB_GO;
    message.port = port;
    message.number = number;
    m_network->Send(GetHost(), port, message);
}

void
OddlArbiter::EndJob(uint32_t job)
{
    NS_LOG_FUNCTION(this << job);
    const auto found = m_jobs.find(job);
    if (found != m_jobs.end())
    {
        for (const uint32_t port : found->second.ports)
        {
            m_jobOf[port] = WavelengthMap::NONE;
        }
        m_jobs.erase(found);
    }
}

bool
OddlArbiter::IsRunning(uint32_t job) const
{
    const auto found = m_jobs.find(job);
    return found != m_jobs.end() && found->second.isRunning;
}

} // namespace lightpath
} // namespace ns3
