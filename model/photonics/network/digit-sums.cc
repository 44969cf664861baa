/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "digit-sums.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace lightpath
{

DigitSums::DigitSums(uint32_t servers, uint32_t digits)
    : m_servers(servers),
      m_digits(digits)
{
}

uint64_t
DigitSums::GetCount() const
{
    constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
    const uint64_t base = 3 * uint64_t{m_servers} + 1;
    uint64_t count = 1;
    for (uint32_t digit = 0; digit < m_digits; ++digit)
    {
        count = count > most / base ? most : count * base;
    }
    return count;
}

std::vector<uint32_t>
DigitSums::GetSums(uint64_t index) const
{
    const uint64_t base = 3 * uint64_t{m_servers} + 1;
    std::vector<uint32_t> sums(m_digits);
    for (uint32_t& sum : sums)
    {
        sum = static_cast<uint32_t>(index % base);
        index /= base;
    }
    return sums;
}

uint64_t
DigitSums::GetWordSum(const std::vector<uint32_t>& sums)
{
    uint64_t total = 0;
    for (std::size_t digit = 0; digit < sums.size(); ++digit)
    {
        total += uint64_t{sums[digit]} << (2 * digit);
    }
    return total;
}

std::vector<uint16_t>
DigitSums::MakeWords(const std::vector<uint32_t>& sums) const
{
    std::vector<uint16_t> words(m_servers, 0);
    for (uint32_t digit = 0; digit < m_digits; ++digit)
    {
        uint32_t left = sums[digit];
        for (uint16_t& word : words)
        {
            const uint32_t level = std::min(left, 3U);
            word = static_cast<uint16_t>(word | level << (2 * digit));
            left -= level;
        }
    }
    return words;
}

} // namespace lightpath
} // namespace ns3
