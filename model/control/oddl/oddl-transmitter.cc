/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-transmitter.h"

#include "oddl-unit.h"

#include "ns3/log.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OddlTransmitter");

OddlTransmitter::OddlTransmitter(OddlUnit& unit, const WssGrid::Transceiver& transmitter)
    : m_unit(unit),
      m_transmitter(transmitter),
      m_cut(unit.m_agenda, *this, &OddlTransmitter::End),
      m_lookAhead(unit.m_agenda, *this, &OddlTransmitter::Next),
      m_retry(unit.m_agenda, *this, &OddlTransmitter::Retry)
{
}

std::list<OddlTransmitter::Request>::iterator
OddlTransmitter::Find(uint32_t number)
{
    return std::find_if(m_requests.begin(), m_requests.end(), [number](const Request& request) {
        return request.flow.number == number;
    });
}

void
OddlTransmitter::Next()
{
    if (m_isBusy && (m_next || m_unit.m_settings.lookAhead == 0 ||
                     m_expectedEnd - m_unit.m_settings.lookAhead > m_unit.m_agenda.Now()))
    {
        return;
    }
    while (m_requests.size() < m_unit.m_settings.maxRequests)
    {
        OddlFlow flow;
        if (!m_unit.TakeFlow(m_transmitter, flow))
        {
            return;
        }
        flow.requested = m_unit.m_agenda.Now();
        m_requests.push_back({flow, m_unit.m_settings.retryInterval, 0});
        SendRequest(m_requests.back());
    }
}

void
OddlTransmitter::SendRequest(Request& request)
{
    NS_LOG_FUNCTION(this << request.flow.number);
    const int64_t now = m_unit.m_agenda.Now();
    OddlHeader message;
    message.kind = OddlHeader::REQUEST;
    message.direction = m_transmitter.direction;
    message.index = static_cast<uint8_t>(m_transmitter.index);
    message.number = request.flow.number;
    message.bytes = request.flow.bytes;
    message.stamp = now;
    message.slack = m_unit.m_slack;
    message.wait = now - request.flow.ready;
    request.retry = now + request.interval;
    SetRetry();
    request.interval = std::min(2 * request.interval, m_unit.m_settings.maxRetryInterval);
    NS_LOG_LOGIC("port " << m_transmitter.port << " requests port " << request.flow.hop
                         << " for flow " << request.flow.number << " of " << request.flow.bytes
                         << " bytes");
    m_unit.SendMessage(request.flow.hop, message);
}

void
OddlTransmitter::Retry()
{
    NS_LOG_FUNCTION(this);
    for (Request& request : m_requests)
    {
        if (request.retry <= m_unit.m_agenda.Now())
        {
            SendRequest(request);
        }
    }
    SetRetry();
}

void
OddlTransmitter::SetRetry()
{
    const auto first = std::min_element(
        m_requests.begin(),
        m_requests.end(),
        [](const Request& one, const Request& other) { return one.retry < other.retry; });
    if (first != m_requests.end())
    {
        m_retry.Set(std::max(first->retry - m_unit.m_agenda.Now(), int64_t{0}));
    }
}

void
OddlTransmitter::SendCancel(uint32_t hop, uint32_t number)
{
    OddlHeader message;
    message.kind = OddlHeader::GRANT_CANCEL;
    message.direction = m_transmitter.direction;
    message.index = static_cast<uint8_t>(m_transmitter.index);
    message.number = number;
    NS_LOG_LOGIC("port " << m_transmitter.port << " gives port " << hop << " back, which flow "
                         << number << " does not use");
    m_unit.SendMessage(hop, message);
}

void
OddlTransmitter::HandleGrant(const OddlHeader& grant)
{
    NS_LOG_FUNCTION(this << grant.port << grant.number);
    const int64_t now = m_unit.m_agenda.Now();
    const int64_t given = grant.stamp + grant.wait;
    m_unit.NoteRoundTrip(now - given);
    const WssGrid& grid = *m_unit.m_grid;
    const int64_t ahead = grid.GetTuneAndLock() + grid.GetTimes().delay;
    const Window window{given + grant.slack - ahead,
                        given + grant.slack + grant.hold - grid.GetTimes().delay};
    const auto found = Find(grant.number);
    if (found == m_requests.end())
    {
        if (m_next && m_next->number == grant.number)
        {
            m_nextWindow = window;
        }
        else if (!m_isBusy || m_flow.number != grant.number)
        {
            // The flow has been given up since it was requested
            SendCancel(grant.port, grant.number);
        }
        return;
    }
    OddlFlow flow = found->flow;
    flow.granted = now;
    m_requests.erase(found);
    if (!m_isBusy)
    {
        Begin(flow, window);
    }
    else if (!m_next && m_expectedEnd <= window.startBy)
    {
        m_next = flow;
        m_nextWindow = window;
    }
    else
    {
        SendCancel(flow.hop, flow.number);
        m_unit.Requeue(flow.destination);
    }
}

void
OddlTransmitter::Begin(const OddlFlow& flow, const Window& window)
{
    NS_LOG_FUNCTION(this << flow.number << flow.destination);
    WssGrid& grid = *m_unit.m_grid;
    const int64_t now = m_unit.m_agenda.Now();
    const auto [port, direction, index] = m_transmitter;
    if (now > window.startBy || !grid.CanReach(port, flow.hop, direction, index))
    {
        SendCancel(flow.hop, flow.number);
        m_unit.Requeue(flow.destination);
        Next();
        return;
    }
    m_isBusy = true;
    m_flow = flow;
    m_flow.opened = now + grid.GetTuneAndLock();
    m_expectedEnd = m_flow.opened + m_unit.GetSendingTime(flow.bytes, direction);
    m_cut.Set(window.endBy - now);
    if (m_unit.m_settings.lookAhead > 0)
    {
        const int64_t begin = m_expectedEnd - m_unit.m_settings.lookAhead;
        m_lookAhead.Set(std::max(begin - now, int64_t{0}));
    }
    m_unit.NoteTuning(m_flow);
    grid.Tune(m_transmitter, grid.FindWavelength(port, flow.hop, direction), flow.destination);
}

void
OddlTransmitter::HandleSent(bool isEmpty)
{
    // Where nothing waits, the device says so in a moment
    if (!isEmpty && m_unit.m_agenda.Now() + m_unit.m_nanosecond >= m_expectedEnd)
    {
        End();
    }
}

void
OddlTransmitter::HandleIdle()
{
    End();
}

void
OddlTransmitter::End()
{
    NS_LOG_FUNCTION(this << m_flow.number);
    m_cut.Stop();
    m_lookAhead.Stop();
    m_isBusy = false;
    m_flow.ended = m_unit.m_agenda.Now();
    m_unit.m_grid->Release(m_transmitter);
    m_unit.NoteFlow(m_flow);
    m_unit.Requeue(m_flow.destination);
    const int64_t granted = m_flow.granted;
    if (m_next)
    {
        const OddlFlow flow = *std::exchange(m_next, std::nullopt);
        Begin(flow, m_nextWindow);
    }
    else
    {
        Next();
    }
    m_unit.DivertFlows(m_transmitter.direction, granted);
}

std::list<OddlTransmitter::Request>::iterator
OddlTransmitter::GiveUp(std::list<Request>::iterator request)
{
    SendCancel(request->flow.hop, request->flow.number);
    const uint32_t destination = request->flow.destination;
    const auto next = m_requests.erase(request);
    m_unit.Requeue(destination);
    return next;
}

void
OddlTransmitter::HandleChange()
{
    NS_LOG_FUNCTION(this);
    const WssGrid& grid = *m_unit.m_grid;
    const auto [port, direction, index] = m_transmitter;
    for (auto request = m_requests.begin(); request != m_requests.end();)
    {
        const bool works = grid.CanReach(port, request->flow.hop, direction, index);
        request = works ? std::next(request) : GiveUp(request);
    }
    if (m_next && !grid.CanReach(port, m_next->hop, direction, index))
    {
        const OddlFlow flow = *std::exchange(m_next, std::nullopt);
        SendCancel(flow.hop, flow.number);
        m_unit.Requeue(flow.destination);
    }
    if (m_isBusy && !grid.CanReach(port, m_flow.hop, direction, index))
    {
        End();
    }
}

OddlTransmitter::State
OddlTransmitter::GetState() const
{
    if (!m_isBusy)
    {
        return m_requests.empty() ? IDLE : REQUEST_SENT;
    }
    return m_unit.m_agenda.Now() < m_flow.opened ? TUNING : SENDING;
}

const OddlFlow&
OddlTransmitter::GetFlow() const
{
    return m_flow;
}

bool
OddlTransmitter::IsWaitingFor(uint32_t hop) const
{
    return std::any_of(m_requests.begin(), m_requests.end(), [hop](const Request& request) {
        return request.flow.hop == hop;
    });
}

bool
OddlTransmitter::IsIdleSince(int64_t time) const
{
    return GetState() == IDLE && m_flow.ended <= time;
}

bool
OddlTransmitter::HasGrant(uint32_t number) const
{
    return m_next && m_next->number == number;
}

} // namespace lightpath
} // namespace ns3
