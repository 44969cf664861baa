/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exact-averager.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/assert.h"
#include "ns3/enum.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(ExactAverager);

TypeId
ExactAverager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::ExactAverager")
            .SetParent<WordAverager>()
            .SetGroupName("Lightpath")
            .AddConstructor<ExactAverager>()
            .AddAttribute(
                "Rounding",
                "Rounding of an average to a word: Floor, HalfUp or HalfEven.",
                EnumValue(HALF_UP),
                MakeEnumAccessorFor<Rounding>(0, &ExactAverager::m_rounding),
                MakeEnumChecker(FLOOR, "Floor", HALF_UP, "HalfUp", HALF_EVEN, "HalfEven"));
    return tid;
}

void
ExactAverager::Average(const std::vector<const uint16_t*>& words,
                       std::size_t count,
                       uint16_t* average) const
{
    NS_ASSERT(words.size() == GetNServers());
    Average(words, count, m_rounding, average);
}

void
ExactAverager::Average(const std::vector<const uint16_t*>& words,
                       std::size_t count,
                       Rounding rounding,
                       uint16_t* average)
{
    const auto servers = static_cast<uint32_t>(words.size());
    std::array<uint32_t, 4096> sums;
    // A block of sums stays in the cache while the servers are added one after the other
    for (std::size_t begin = 0; begin < count; begin += sums.size())
    {
        const std::size_t size = std::min(sums.size(), count - begin);
        std::fill_n(sums.begin(), size, 0);
        for (const uint16_t* word : words)
        {
            for (std::size_t i = 0; i < size; ++i)
            {
                sums[i] += word[begin + i];
            }
        }
        for (std::size_t i = 0; i < size; ++i)
        {
            // Adding half a unit rounds half up; a tie that ends odd steps down to the even word
            const uint32_t doubled = 2 * sums[i] + (rounding == FLOOR ? 0 : servers);
            const uint32_t rounded = doubled / (2 * servers);
            const bool isOddTie =
                rounding == HALF_EVEN && rounded % 2 == 1 && rounded * 2 * servers == doubled;
            average[begin + i] = static_cast<uint16_t>(rounded - (isOddTie ? 1 : 0));
        }
    }
}

} // namespace lightpath
} // namespace ns3
