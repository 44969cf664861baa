/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DARK_CLOCK_H
#define DARK_CLOCK_H

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Measures how long a device has frames, but no light for any of them.
 */
class DarkClock
{
  public:
    /**
     * Note that a transmitter has frames, or none any more.
     *
     * @param active true if it has frames
     */
    void NoteActive(bool active)
    {
        m_nActive += active ? 1 : -1;
        Update();
    }

    /**
     * Note that a transmitter has frames but no light, or that this is over.
     *
     * @param dark true if it has no light
     */
    void NoteDark(bool dark)
    {
        m_nDark += dark ? 1 : -1;
        Update();
    }

    /**
     * @return true if a transmitter has frames but no light
     */
    bool HasDark() const
    {
        return m_nDark > 0;
    }

    /**
     * @return the time until now
     */
    Time Get() const
    {
        return m_isDark ? m_time + Simulator::Now() : m_time;
    }

    /// Let all clocks note from now on when they are started and stopped.
    static void KeepChanges()
    {
        s_keepsChanges = true;
    }

    /**
     * @return when the clock was started and when it was stopped, by turns, since KeepChanges()
     */
    const std::vector<Time>& GetChanges() const
    {
        return m_changes;
    }

  private:
    /// Start or stop the clock.
    void Update()
    {
        const bool isDark = m_nActive > 0 && m_nDark == m_nActive;
        if (isDark != m_isDark)
        {
            if (s_keepsChanges)
            {
                m_changes.push_back(Simulator::Now());
            }
            m_isDark = isDark;
            m_time += isDark ? Time(0) - Simulator::Now() : Simulator::Now();
        }
    }

    uint32_t m_nActive{0};                    //!< Transmitters that have frames
    uint32_t m_nDark{0};                      //!< Transmitters that have frames but no light
    bool m_isDark{false};                     //!< The clock runs
    static inline bool s_keepsChanges{false}; //!< Whether starts and stops are noted

    std::vector<Time> m_changes; //!< Starts and stops by turns
    Time m_time;                 //!< Time measured; while the clock runs, less the present time
};

} // namespace lightpath
} // namespace ns3

#endif /* DARK_CLOCK_H */
