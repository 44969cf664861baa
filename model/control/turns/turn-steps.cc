/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-steps.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

TurnSteps::TurnSteps(uint32_t ports, uint32_t radix, bool isBalanced)
    : m_ports(ports),
      m_name(isBalanced ? -int64_t{radix} : radix),
      m_places(1, std::vector<uint32_t>(ports, 0))
{
    std::vector<uint32_t> all(ports);
    std::iota(all.begin(), all.end(), 0);
    if (radix == 0)
    {
        m_places.push_back(all);
        FindShifts();
        return;
    }
    const int64_t n = ports;
    // The rest of each distance, as a multiple of the value of the next digit
    std::vector<int64_t> left(all.begin(), all.end());
    for (int64_t& distance : left)
    {
        distance -= isBalanced && distance > (n - 1) / 2 ? n : 0;
    }
    for (int64_t value = 1; m_places.back() != all; value *= radix)
    {
        auto places = m_places.back();
        for (uint32_t t = 0; t < ports; ++t)
        {
            int64_t digit = (left[t] % radix + radix) % radix;
            digit -= isBalanced && digit > radix / 2 ? radix : 0;
            left[t] = (left[t] - digit) / radix;
            places[t] = static_cast<uint32_t>(((places[t] + digit * value) % n + n) % n);
        }
        m_places.push_back(std::move(places));
    }
    FindShifts();
}

TurnSteps::TurnSteps(int64_t name, std::vector<std::vector<uint32_t>> places)
    : m_ports(static_cast<uint32_t>(places.front().size())),
      m_name(name),
      m_places(std::move(places))
{
    FindShifts();
}

void
TurnSteps::FindShifts()
{
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        std::vector<bool> isShift(m_ports, false);
        for (uint32_t t = 0; t < m_ports; ++t)
        {
            isShift[(m_places[step + 1][t] + m_ports - m_places[step][t]) % m_ports] = true;
        }
        m_shifts.emplace_back();
        for (uint32_t shift = 1; shift < m_ports; ++shift)
        {
            if (isShift[shift])
            {
                m_shifts.back().push_back(shift);
            }
        }
    }
}

std::vector<uint32_t>
TurnSteps::GetShifts(uint32_t first, uint32_t last) const
{
    std::vector<uint32_t> shifts;
    for (uint32_t step = first; step <= last; ++step)
    {
        for (const uint32_t shift : m_shifts[step])
        {
            if (std::find(shifts.begin(), shifts.end(), shift) == shifts.end())
            {
                shifts.push_back(shift);
            }
        }
    }
    return shifts;
}

} // namespace lightpath
} // namespace ns3
