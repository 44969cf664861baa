/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-receiver.h"

#include "oddl-unit.h"

#include "ns3/log.h"
#include "ns3/nstime.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OddlReceiver");

OddlReceiver::OddlReceiver(OddlUnit& unit, const WssGrid::Transceiver& receiver)
    : m_unit(unit),
      m_receiver(receiver),
      m_expiry(unit.m_agenda, *this, &OddlReceiver::Expire)
{
}

std::deque<OddlReceiver::Request>::iterator
OddlReceiver::Find(uint32_t port, uint32_t flow)
{
    return std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Request& request) {
        return request.port == port && request.flow == flow;
    });
}

void
OddlReceiver::HandleRequest(const OddlHeader& request)
{
    NS_LOG_FUNCTION(this << request.port << request.number);
    const int64_t now = m_unit.m_agenda.Now();
    const bool isCurrent =
        m_isReserved && m_current.port == request.port && m_current.flow == request.number;
    const auto found = isCurrent ? m_waiting.end() : Find(request.port, request.number);
    Request added;
    Request& entry = isCurrent ? m_current : found != m_waiting.end() ? *found : added;
    entry.stamp = request.stamp;
    entry.arrival = now;
    entry.slack = std::max(request.slack, m_unit.m_settings.expiry);
    if (isCurrent)
    {
        // The request was sent again: the grant may have been lost
        if (GetState() == RESERVED)
        {
            Grant();
        }
        return;
    }
    if (found != m_waiting.end())
    {
        return;
    }
    added.port = request.port;
    added.flow = request.number;
    added.bytes = request.bytes;
    added.ready = now - request.wait;
    m_waiting.push_back(added);
    if (!m_isReserved)
    {
        GrantNext();
    }
}

void
OddlReceiver::GrantNext()
{
    if (m_waiting.empty())
    {
        return;
    }
    auto next = m_waiting.begin();
    if (m_unit.m_settings.grantPolicy == OddlSettings::SMALLEST_FIRST)
    {
        next = std::min_element(
            m_waiting.begin(),
            m_waiting.end(),
            [](const Request& one, const Request& other) { return one.bytes < other.bytes; });
    }
    else if (m_unit.m_settings.grantPolicy == OddlSettings::OLDEST_STEP_FIRST)
    {
        next = std::min_element(
            m_waiting.begin(),
            m_waiting.end(),
            [](const Request& one, const Request& other) { return one.ready < other.ready; });
    }
    m_current = *next;
    m_waiting.erase(next);
    m_isReserved = true;
    Grant();
}

void
OddlReceiver::Grant()
{
    NS_LOG_FUNCTION(this << m_current.port << m_current.flow);
    NS_LOG_LOGIC("port " << m_receiver.port << " grants its receiver to flow " << m_current.flow
                         << " of port " << m_current.port << ", " << m_waiting.size()
                         << " others wait");
    ++m_current.nGrants;
    OddlHeader grant;
    grant.kind = OddlHeader::GRANT;
    grant.direction = m_receiver.direction;
    grant.index = static_cast<uint8_t>(m_receiver.index);
    grant.number = m_current.flow;
    grant.stamp = m_current.stamp;
    grant.wait = m_unit.m_agenda.Now() - m_current.arrival;
    grant.slack = m_current.slack;
    // Rounded up
    grant.hold = m_unit.GetSendingTime(m_current.bytes, m_receiver.direction) +
                 m_unit.m_grid->GetTuneAndLock() + m_unit.m_nanosecond;
    m_expiry.Set(m_current.slack);
    m_unit.SendMessage(m_current.port, grant);
}

void
OddlReceiver::Expire()
{
    NS_LOG_FUNCTION(this << m_current.port << m_current.flow);
    if (GetState() == RECEIVING)
    {
        return;
    }
    NS_LOG_LOGIC("port " << m_receiver.port << " sees no light of flow " << m_current.flow
                         << " of port " << m_current.port << ": the reservation expires");
    // The grant may have been lost: another one follows, behind all requests that wait
    if (m_current.nGrants < MAX_GRANTS)
    {
        m_waiting.push_back(m_current);
    }
    Free();
}

void
OddlReceiver::Free()
{
    m_expiry.Stop();
    m_isReserved = false;
    GrantNext();
}

void
OddlReceiver::HandleCancel(const OddlHeader& cancel)
{
    NS_LOG_FUNCTION(this << cancel.port << cancel.number);
    const auto found = Find(cancel.port, cancel.number);
    if (found != m_waiting.end())
    {
        m_waiting.erase(found);
    }
    else if (GetState() == RESERVED && m_current.port == cancel.port &&
             m_current.flow == cancel.number)
    {
        Free();
    }
}

void
OddlReceiver::HandleDark(uint32_t source)
{
    NS_LOG_FUNCTION(this << source);
    if (!m_isReserved || m_current.port != source)
    {
        return;
    }
    if (m_unit.m_settings.isReliable)
    {
        OddlHeader done;
        done.kind = OddlHeader::DONE;
        done.direction = m_receiver.direction;
        done.index = static_cast<uint8_t>(m_receiver.index);
        done.number = m_current.flow;
        done.bytes = m_current.bytes;
        m_unit.SendMessage(source, done);
    }
    Free();
}

OddlReceiver::State
OddlReceiver::GetState() const
{
    if (!m_isReserved)
    {
        return IDLE;
    }
    return m_unit.m_grid->IsLitBy(m_receiver, m_current.port) ? RECEIVING : RESERVED;
}

uint32_t
OddlReceiver::GetHolder() const
{
    return m_current.port;
}

uint32_t
OddlReceiver::GetFlow() const
{
    return m_current.flow;
}

} // namespace lightpath
} // namespace ns3
