/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-unit.h"

#include "ns3/log.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OddlUnit");

OddlUnit::OddlUnit(Agenda& agenda)
    : m_agenda(agenda),
      m_nanosecond(NanoSeconds(1).GetTimeStep())
{
}

OddlUnit::~OddlUnit()
{
    ForgetJobRequest();
}

void
OddlUnit::Begin(WssGrid& grid, uint32_t port, const OddlSettings& settings)
{
    NS_LOG_FUNCTION(this << port);
    m_grid = &grid;
    m_port = port;
    m_settings = settings;
    m_slack = settings.expiry;
    m_queue = std::make_unique<OddlFlowQueue>(*this);
    for (const auto direction : {WssGrid::ROW, WssGrid::COLUMN})
    {
        for (uint32_t index = 0; index < grid.GetSize().transceivers; ++index)
        {
            const WssGrid::Transceiver own{port, direction, index};
            m_transmitters.push_back(std::make_unique<OddlTransmitter>(*this, own));
            m_receivers.push_back(std::make_unique<OddlReceiver>(*this, own));
        }
    }
    grid.SetController(port, this);
}

void
OddlUnit::AwaitJob(uint32_t arbiter, const OddlHeader& request, bool isFirst)
{
    NS_LOG_FUNCTION(this << arbiter);
    m_job = JobRequest{arbiter, request, m_settings.retryInterval, nullptr};
    if (isFirst)
    {
        RequestJob();
    }
}

void
OddlUnit::ScheduleJobRequest()
{
    m_job->retry = m_agenda.At(m_agenda.Now() + m_job->interval, [this]() { RequestJob(); });
}

void
OddlUnit::RequestJob()
{
    NS_LOG_FUNCTION(this);
    ScheduleJobRequest();
    m_job->interval = std::min(2 * m_job->interval, m_settings.maxRetryInterval);
    NS_LOG_LOGIC("port " << m_port << " asks the arbiter for job " << m_job->message.number);
    SendMessage(m_job->arbiter, m_job->message);
}

void
OddlUnit::ForgetJobRequest()
{
    if (m_job && m_job->retry)
    {
        m_job->retry->Cancel();
    }
    m_job.reset();
}

void
OddlUnit::Release()
{
    NS_LOG_FUNCTION(this);
    ForgetJobRequest();
    m_isHeld = false;
    NotifyChange();
}

void
OddlUnit::End()
{
    NS_LOG_FUNCTION(this);
    m_isHeld = true;
    ForgetJobRequest();
    m_transmitters.clear();
    m_receivers.clear();
}

std::size_t
OddlUnit::GetIndex(uint32_t direction, uint32_t index) const
{
    return std::size_t{direction} * m_grid->GetSize().transceivers + index;
}

const OddlTransmitter&
OddlUnit::GetTransmitter(WssGrid::Direction direction, uint32_t index) const
{
    return *m_transmitters.at(GetIndex(direction, index));
}

const OddlReceiver&
OddlUnit::GetReceiver(WssGrid::Direction direction, uint32_t index) const
{
    return *m_receivers.at(GetIndex(direction, index));
}

std::string
OddlUnit::GetRefusal(uint32_t destination) const
{
    return m_queue ? m_queue->GetRefusal(destination) : "";
}

void
OddlUnit::NotifyActive(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    if (m_job && !m_job->retry)
    {
        ScheduleJobRequest();
    }
    m_queue->SetReady(destination);
    Enqueue(destination);
}

void
OddlUnit::Enqueue(uint32_t destination)
{
    if (m_queue->Enqueue(destination))
    {
        NextFlows();
    }
}

void
OddlUnit::NextFlows()
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
OddlUnit::TakeFlow(const WssGrid::Transceiver& transmitter, OddlFlow& flow)
{
    OddlTransmitter* const sender =
        m_transmitters[GetIndex(transmitter.direction, transmitter.index)].get();
    return !m_isHeld && m_queue->Take(transmitter, sender, flow);
}

void
OddlUnit::DivertFlows(WssGrid::Direction direction, int64_t since)
{
    const bool mayDivert =
        direction == WssGrid::ROW && m_settings.relayPolicy == OddlSettings::LEAST_LOADED;
    // After a shorter pause, frames that the column is to forward may be under way
    for (uint32_t index = 0; mayDivert && index < m_grid->GetSize().transceivers; ++index)
    {
        OddlTransmitter& other = *m_transmitters[GetIndex(WssGrid::COLUMN, index)];
        if (other.IsIdleSince(since) && m_queue->Divert())
        {
            other.Next();
        }
    }
}

void
OddlUnit::Requeue(uint32_t destination)
{
    if (m_queue->Release(destination))
    {
        Enqueue(destination);
    }
}

void
OddlUnit::NotifySent(uint32_t destination)
{
    OddlTransmitter* const sender = m_queue->GetSender(destination);
    if (sender)
    {
        sender->HandleSent(GetBacklog(destination) == 0);
    }
}

void
OddlUnit::NotifyIdle(uint32_t destination)
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
OddlUnit::NotifyDark(WssGrid::Direction direction, uint32_t index, uint32_t source)
{
    m_receivers[GetIndex(direction, index)]->HandleDark(source);
}

void
OddlUnit::NotifyChange()
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
OddlUnit::SendMessage(uint32_t port, OddlHeader message)
{
    message.port = m_port;
    Send(port, message);
}

bool
OddlUnit::Handle(const OddlHeader& message)
{
    NS_LOG_FUNCTION(this << message);
    if (m_transmitters.empty() || message.direction >= WssGrid::DIRECTIONS ||
        message.index >= m_grid->GetSize().transceivers)
    {
        return false;
    }
    NoteReceived(message);
    const std::size_t index = GetIndex(message.direction, message.index);
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
        if (m_job && m_job->message.number == message.number)
        {
            NS_LOG_LOGIC("port " << m_port << " begins job " << message.number);
            Release();
        }
        break;
    default:
        return false;
    }
    return true;
}

void
OddlUnit::NoteRoundTrip(int64_t time)
{
    // A round trip that was slow once may be slow again
    m_slack = std::max(m_slack, 2 * time + m_grid->GetTuneAndLock() + m_grid->GetTimes().delay);
}

int64_t
OddlUnit::GetSendingTime(uint64_t bytes, WssGrid::Direction direction) const
{
    return Seconds(bytes * 8.0 / m_grid->GetLaneBitRate(direction)).GetTimeStep();
}

} // namespace lightpath
} // namespace ns3
