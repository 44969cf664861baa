/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHT_WINDOW_H
#define LIGHT_WINDOW_H

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief When a pair of ports has light, as a function of time: always, or during a window of each
 * cycle of a periodic schedule.
 */
struct LightWindow
{
    int64_t period{0}; //!< Ticks of a cycle; 0 if there is always light
    int64_t begin{0};  //!< Tick at which the light of some cycle begins
    int64_t length{0}; //!< Ticks of light in a cycle, at least 1 and at most the period

    /**
     * @param tick a tick
     * @return the number of ticks with light before it, counted from a fixed one, which is negative
     *         before that
     */
    int64_t GetLit(int64_t tick) const
    {
        if (period == 0)
        {
            return tick;
        }
        const int64_t cycle = Floor(tick - begin, period);
        return cycle * length + std::min(tick - begin - cycle * period, length);
    }

    /**
     * @param lit a number of ticks with light, as GetLit() counts them
     * @return the first tick before which that many ticks had light
     */
    int64_t GetTick(int64_t lit) const
    {
        if (period == 0)
        {
            return lit;
        }
        const int64_t cycle = Floor(lit - 1, length);
        return begin + cycle * period + lit - cycle * length;
    }

    /**
     * @param tick a tick
     * @return when the window that is open at this tick, or the next one, begins
     */
    int64_t GetBegin(int64_t tick) const
    {
        const int64_t cycle = Floor(tick - begin, period);
        const int64_t present = begin + cycle * period;
        return tick - present < length ? present : present + period;
    }

    /**
     * @param tick a tick
     * @return the ticks of light left from then until the end of the window that is open; 0 if
     *         there is no light
     */
    int64_t GetLeft(int64_t tick) const
    {
        const int64_t cycle = Floor(tick - begin, period);
        return std::max<int64_t>(begin + cycle * period + length - tick, 0);
    }

    /**
     * @param other the window compared with
     * @return true if both are the same
     */
    bool operator==(const LightWindow& other) const
    {
        return period == other.period && begin == other.begin && length == other.length;
    }

  private:
    /**
     * @param value a number
     * @param unit a positive divisor
     * @return their quotient, rounded down
     */
    static int64_t Floor(int64_t value, int64_t unit)
    {
        return value >= 0 ? value / unit : -((unit - 1 - value) / unit);
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHT_WINDOW_H */
