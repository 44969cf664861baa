/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-transmitter.h"

#include "pooled-event.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OpticalTransmitter");

/**
 * @ingroup lightpath
 * @brief The end of a frame. One event serves for all frames of a transmitter.
 */
class OpticalTransmitter::Ending : public PooledEvent<OpticalTransmitter::Ending>
{
  public:
    /**
     * @param transmitter the transmitter that sends the frames
     */
    explicit Ending(OpticalTransmitter& transmitter)
        : m_transmitter(transmitter)
    {
    }

  private:
    void Notify() override
    {
        m_transmitter.EndFrame();
    }

    OpticalTransmitter& m_transmitter; //!< The transmitter
};

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
    Recall();
    if (!m_active)
    {
        m_active = true;
        m_owner.NotifyActive(m_destination, true);
        UpdateDark();
    }
    Resume();
}

uint64_t
OpticalTransmitter::SetRate(uint64_t bitRate, Time delay, const LightWindow& window)
{
    NS_LOG_FUNCTION(this << m_destination << bitRate << delay);
    const bool isSame = m_bitRate == bitRate && m_clock.GetWindow() == window;
    if (!isSame || m_delay != delay)
    {
        Recall();
    }
    const Time now = Simulator::Now();
    // The bits sent so far arrive after the old delay
    NoteSent(now);
    if (bitRate > 0)
    {
        m_delay = delay;
    }
    if (isSame)
    {
        return bitRate;
    }
    const uint64_t before = std::exchange(m_bitRate, bitRate);
    m_clock.SetBitRate(bitRate, now, window);
    UpdateDark();
    if (!HasFrame())
    {
        Resume();
        return before;
    }
    m_end.Cancel();
    // A frame ends in darkness only after its last bit
    if (bitRate > 0 || m_clock.GetUnsentBytes(now) == 0)
    {
        ScheduleEnd(m_clock.GetEnd() - now);
    }
    return before;
}

bool
OpticalTransmitter::SetHeld(bool held)
{
    NS_LOG_FUNCTION(this << m_destination << held);
    Recall();
    NS_LOG_LOGIC("frames for port " << m_destination << (held ? " are held" : " may begin again"));
    m_held = held;
    Resume();
    return HasFrame() && m_bitRate > 0;
}

const FabricFrame*
OpticalTransmitter::GetCutFrame() const
{
    return HasFrame() && m_bitRate == 0 && GetUnsentBytes() > 0 ? &m_frame : nullptr;
}

Time
OpticalTransmitter::TakeBackFrame()
{
    NS_LOG_FUNCTION(this << m_destination);
    m_frame = {};
    return std::max(m_arrival - Simulator::Now(), Time(0));
}

void
OpticalTransmitter::RestartFrame()
{
    NS_LOG_FUNCTION(this << m_destination);
    Recall();
    if (!HasFrame())
    {
        return;
    }
    // The sent part is lost: the whole frame is left to send
    const Time now = Simulator::Now();
    m_since = now;
    m_arrival = Time(0);
    m_clock.Restart(now);
    m_clock.Append(m_frame.bytes, now);
    m_end.Cancel();
    if (m_bitRate > 0)
    {
        ScheduleEnd(m_clock.GetEnd() - now);
    }
}

bool
OpticalTransmitter::Lend(LightpathBorrower& borrower, uint32_t lightpath)
{
    NS_LOG_FUNCTION(this << m_destination);
    if (m_active || m_held || m_bitRate == 0)
    {
        return false;
    }
    m_borrower = &borrower;
    m_lentNumber = lightpath;
    return true;
}

bool
OpticalTransmitter::LendShared(LightpathBorrower& borrower, uint32_t lightpath, Time delay)
{
    NS_LOG_FUNCTION(this << m_destination << delay);
    if (m_active || m_held)
    {
        return false;
    }
    m_borrower = &borrower;
    m_lentNumber = lightpath;
    m_delay = delay;
    return true;
}

void
OpticalTransmitter::TakeBack(TransmissionClock::Work carry)
{
    NS_LOG_FUNCTION(this << m_destination);
    m_borrower = nullptr;
    if (carry > 0)
    {
        m_idleSince = Simulator::Now();
        m_clock.Resume(-carry, m_idleSince);
    }
}

TransmissionClock::Work
OpticalTransmitter::GetCarry() const
{
    const Time now = Simulator::Now();
    return m_idleSince == now ? -m_clock.GetWork(now) : 0;
}

void
OpticalTransmitter::ResumeFrame(FabricFrame&& frame, TransmissionClock::Work unsent, bool hasBegun)
{
    NS_LOG_FUNCTION(this << m_destination << frame.bytes);
    // The owner may change the rate, which must not begin a frame
    m_busy = true;
    m_active = true;
    m_owner.NotifyActive(m_destination, true);
    m_busy = false;
    const Time now = Simulator::Now();
    m_frame = std::move(frame);
    m_sourceFirst = false;
    m_since = hasBegun ? now - TimeStep(1) : now;
    m_arrival = Time(0);
    m_clock.Resume(unsent, now);
    // A pair that competes for links gets its rate later at this instant
    if (m_bitRate > 0)
    {
        ScheduleEnd(m_clock.GetEnd() - now);
    }
}

bool
OpticalTransmitter::IsActive() const
{
    return m_active || (m_borrower && m_borrower->GetBacklog(m_lentNumber) > 0);
}

bool
OpticalTransmitter::IsSending() const
{
    return (m_bitRate > 0 || m_borrower) && IsActive();
}

uint64_t
OpticalTransmitter::GetUnsentBytes() const
{
    if (m_borrower)
    {
        return m_borrower->GetBacklog(m_lentNumber);
    }
    return HasFrame() ? m_clock.GetUnsentBytes(Simulator::Now()) : 0;
}

void
OpticalTransmitter::UpdateDark()
{
    const bool dark = m_active && m_bitRate == 0;
    if (dark != m_dark)
    {
        m_dark = dark;
        m_owner.NotifyDark(dark);
    }
}

bool
OpticalTransmitter::CanBegin() const
{
    return m_active && !HasFrame() && !m_busy && !m_held && m_bitRate > 0;
}

void
OpticalTransmitter::Resume()
{
    if (CanBegin())
    {
        // A pause must not count as time of transmission. Frames without a pause follow each other,
        // in whatever order the end of the first and the notification of the next happen
        if (const Time now = Simulator::Now(); now != m_idleSince)
        {
            m_clock.Restart(now);
        }
        BeginFrame();
    }
}

void
OpticalTransmitter::BeginFrame()
{
    NS_LOG_FUNCTION(this << m_destination);
    // A trace sink of the owner may call NotifyFrames(), which must not begin a second frame
    m_busy = true;
    const bool found = m_owner.NextFrame(m_destination, m_sourceFirst, m_frame);
    m_busy = false;
    if (!found)
    {
        NS_LOG_LOGIC("no more frames for port " << m_destination);
        m_active = false;
        m_idleSince = Simulator::Now();
        m_owner.NotifyActive(m_destination, false);
        return;
    }
    const Time now = Simulator::Now();
    m_since = now;
    m_arrival = Time(0);
    m_clock.Append(m_frame.bytes, now);
    const Time left = m_clock.GetEnd() - now;
    ScheduleEnd(left);
    m_owner.NotifyBegin(m_frame, m_destination, left, m_delay);
}

void
OpticalTransmitter::NoteSent(Time now)
{
    // A frame arrives with the last of its bits, which need not be the last one sent
    if (HasFrame() && m_bitRate > 0 && now > m_since)
    {
        m_arrival = std::max(m_arrival, now + m_delay);
    }
    m_since = now;
}

void
OpticalTransmitter::ScheduleEnd(Time left)
{
    // A cancelled event cannot be used again
    if (!m_ending || m_ending->IsCancelled())
    {
        m_ending = Create<Ending>(*this);
    }
    m_end = Simulator::Schedule(left, m_ending);
}

bool
OpticalTransmitter::HasFrame() const
{
    return m_frame.bytes > 0;
}

void
OpticalTransmitter::EndFrame()
{
    NS_LOG_FUNCTION(this << m_destination);
    const Time now = Simulator::Now();
    NoteSent(now);
    // Without an arrival recorded so far, the present delay holds
    const Time delay = m_arrival.IsZero() ? m_delay : m_arrival - now;
    m_lastArrival = now + delay;
    // A trace sink of the owner may send or change the rate, which must not begin a frame yet
    m_busy = true;
    m_owner.NotifyEnd(std::exchange(m_frame, {}), m_destination, delay);
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
