/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-transmitter.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OpticalTransmitter");

OpticalTransmitter::OpticalTransmitter(Owner& owner, uint32_t destination)
    : m_owner(owner),
      m_destination(destination)
{
    NS_LOG_FUNCTION(this << destination);
}

OpticalTransmitter::~OpticalTransmitter()
{
    NS_LOG_FUNCTION(this);
    m_end.Cancel();
}

void
OpticalTransmitter::NotifyFrames()
{
    NS_LOG_FUNCTION(this << m_destination);
    if (!m_active)
    {
        m_active = true;
        m_owner.NotifyActive(m_destination, true);
    }
    Resume();
}

void
OpticalTransmitter::SetRate(uint64_t bitRate, Time delay)
{
    NS_LOG_FUNCTION(this << m_destination << bitRate << delay);
    const Time now = Simulator::Now();
    NoteSent(now);
    if (bitRate > 0)
    {
        m_delay = delay;
    }
    if (m_bitRate == bitRate)
    {
        return;
    }
    m_bitRate = bitRate;
    m_clock.SetBitRate(bitRate, now);
    if (!m_frame)
    {
        Resume();
        return;
    }
    m_end.Cancel();
    if (bitRate > 0 || m_clock.GetUnsentBytes(now) == 0)
    {
        m_end = Simulator::Schedule(m_clock.GetEnd() - now, &OpticalTransmitter::EndFrame, this);
    }
}

bool
OpticalTransmitter::SetHeld(bool held)
{
    NS_LOG_FUNCTION(this << m_destination << held);
    m_held = held;
    Resume();
    return m_frame && m_bitRate > 0;
}

bool
OpticalTransmitter::IsActive() const
{
    return m_active;
}

bool
OpticalTransmitter::IsSending() const
{
    return m_active && m_bitRate > 0;
}

uint64_t
OpticalTransmitter::GetUnsentBytes() const
{
    return m_frame ? m_clock.GetUnsentBytes(Simulator::Now()) : 0;
}

bool
OpticalTransmitter::CanBegin() const
{
    return m_active && !m_frame && !m_busy && !m_held && m_bitRate > 0;
}

void
OpticalTransmitter::Resume()
{
    if (CanBegin())
    {
        m_clock.Restart(Simulator::Now());
        BeginFrame();
    }
}

void
OpticalTransmitter::BeginFrame()
{
    NS_LOG_FUNCTION(this << m_destination);
    // A sink of the owner's traces may send
    m_busy = true;
    m_frame = m_owner.NextFrame(m_destination, m_sourceFirst);
    m_busy = false;
    if (!m_frame)
    {
        m_active = false;
        m_owner.NotifyActive(m_destination, false);
        return;
    }
    const Time now = Simulator::Now();
    m_since = now;
    m_arrival = Time(0);
    m_clock.Append(m_frame->GetSize(), now);
    const Time left = m_clock.GetEnd() - now;
    m_end = Simulator::Schedule(left, &OpticalTransmitter::EndFrame, this);
    m_owner.NotifyBegin(m_frame, m_destination, left, m_delay);
}

void
OpticalTransmitter::NoteSent(Time now)
{
    if (m_frame && m_bitRate > 0 && now > m_since)
    {
        m_arrival = std::max(m_arrival, now + m_delay);
    }
    m_since = now;
}

void
OpticalTransmitter::EndFrame()
{
    NS_LOG_FUNCTION(this << m_destination);
    const Time now = Simulator::Now();
    NoteSent(now);
    const Time delay = m_arrival.IsZero() ? m_delay : m_arrival - now;
    // A sink of the owner's traces may send or change the rate
    m_busy = true;
    m_owner.NotifyEnd(std::exchange(m_frame, nullptr), m_destination, delay);
    m_busy = false;
    if (m_held)
    {
        m_owner.NotifyHeld(m_destination);
    }
    else if (CanBegin())
    {
        BeginFrame();
    }
}

} // namespace lightpath
} // namespace ns3
