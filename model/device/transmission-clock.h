/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSMISSION_CLOCK_H
#define TRANSMISSION_CLOCK_H

#include "light-window.h"

#include "ns3/abort.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Computes when the bytes of a stream are sent at a rate that may change at any time.
 *
 * The remaining work is an exact integer, in bits times ticks per second: a tick at r bit/s does r
 * units. Only results are rounded up to whole ticks, never the state, so that the end of the last
 * of a million frames is within one tick of the end of the same bytes in one piece. Where light
 * comes in periodic windows, the rate is that of the windows, and only ticks with light count.
 */
class TransmissionClock
{
  public:
    /// Bits times ticks per second. A frame of 1 GiB at a resolution of 1 fs takes 103 bits.
    __extension__ typedef __int128 Work;

    /// A point in time, given as a Time or in ticks.
    struct Tick
    {
        /**
         * @param time the time
         */
        Tick(const Time& time)
            : count(time.GetTimeStep())
        {
        }

        /**
         * @param ticks the time in ticks
         */
        Tick(int64_t ticks)
            : count(ticks)
        {
        }

        int64_t count; //!< The time in ticks
    };

    TransmissionClock()
        : m_ticksPerSecond(Seconds(1).GetTimeStep())
    {
    }

    /**
     * Discard all work and restart.
     *
     * @param now the present time
     */
    void Restart(Tick now)
    {
        m_work = 0;
        m_since = now.count;
    }

    /**
     * Discard all work and take up that of another clock.
     *
     * @param bits the remaining work
     * @param now the present time
     */
    void Resume(Work bits, Tick now)
    {
        m_work = bits;
        m_since = now.count;
    }

    /**
     * @param now the present time
     * @return the remaining work; less than 0 if the end was rounded up to a tick
     */
    Work GetWork(Tick now) const
    {
        return m_work - GetDone(now.count);
    }

    /**
     * Change the rate from now on.
     *
     * @param bitRate the rate in bit/s; zero stops the stream
     * @param now the present time
     * @param window when there is light: always, by default
     */
    void SetBitRate(uint64_t bitRate, Tick now, const LightWindow& window = {})
    {
        Advance(now);
        m_bitRate = bitRate;
        m_window = window;
    }

    /**
     * @return when there is light
     */
    const LightWindow& GetWindow() const
    {
        return m_window;
    }

    /**
     * Append bytes to the remaining work.
     *
     * @param bytes the number of bytes
     * @param now the present time
     */
    void Append(uint64_t bytes, Tick now)
    {
        Advance(now);
        m_work += Work(bytes) * 8 * m_ticksPerSecond;
    }

    /**
     * @return the first tick at which all bytes are sent at the present rate, which must not be
     *         zero
     */
    Time GetEnd() const
    {
        return TimeStep(GetEndTick());
    }

    /**
     * @return GetEnd() in ticks
     */
    int64_t GetEndTick() const
    {
        if (m_work <= 0)
        {
            return m_since;
        }
        const Work lit = m_window.GetLit(m_since) + Divide(m_work, m_bitRate);
        // The least share of light in a cycle bounds the time that this takes
        const Work span = m_window.period > 0 ? lit / m_window.length * m_window.period : lit;
        NS_ABORT_MSG_IF(span > INT64_MAX / 2,
                        "A frame at "
                            << m_bitRate << " bit/s would end beyond the time that can be "
                            << "simulated: use a higher rate, smaller frames or a coarser "
                            << "time resolution");
        return m_window.GetTick(static_cast<int64_t>(lit));
    }

    /**
     * @param now the present time
     * @return the bytes that are not sent yet, rounded up
     */
    uint64_t GetUnsentBytes(Tick now) const
    {
        const Work left = GetWork(now);
        return left <= 0 ? 0 : static_cast<uint64_t>(Divide(left, Work(8) * m_ticksPerSecond));
    }

  private:
    /**
     * @param work a positive number
     * @param unit a positive divisor
     * @return their quotient, rounded up
     */
    static Work Divide(Work work, Work unit)
    {
        const Work sum = work + unit - 1;
        // Division of 64-bit numbers is much faster
        return (sum | unit) >> 64 == 0
                   ? Work(static_cast<uint64_t>(sum) / static_cast<uint64_t>(unit))
                   : sum / unit;
    }

    /**
     * @param tick a tick
     * @return the work that is done from the last account until then
     */
    Work GetDone(int64_t tick) const
    {
        return Work(m_bitRate) * (m_window.GetLit(tick) - m_window.GetLit(m_since));
    }

    /**
     * Subtract the work done until now.
     *
     * @param now the present time
     */
    void Advance(Tick now)
    {
        const int64_t tick = now.count;
        m_work -= GetDone(tick);
        m_since = tick;
    }

    int64_t m_ticksPerSecond; //!< Ticks of simulated time in a second
    int64_t m_since{0};       //!< The tick up to which the account is settled
    uint64_t m_bitRate{0};    //!< The rate in bit/s
    LightWindow m_window;     //!< When there is light
    Work m_work{0};           //!< Remaining work, negative by less than one tick's work at an end
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSMISSION_CLOCK_H */
