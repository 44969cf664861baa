/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cascade-averager.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(CascadeAverager);

namespace
{

/**
 * Average exactly and round half up.
 *
 * @param words the words of each input
 * @param count the number of words of each
 * @param [out] average where the averages go
 */
void
AverageExactly(const std::vector<const uint16_t*>& words, std::size_t count, uint16_t* average)
{
    const auto inputs = static_cast<uint32_t>(words.size());
    constexpr std::size_t PART = 4096;
    std::vector<uint32_t> sums;
    for (std::size_t begin = 0; begin < count; begin += PART)
    {
        const std::size_t size = std::min(PART, count - begin);
        sums.assign(size, 0);
        for (const auto* input : words)
        {
            for (std::size_t i = 0; i < size; ++i)
            {
                sums[i] += input[begin + i];
            }
        }
        for (std::size_t i = 0; i < size; ++i)
        {
            average[begin + i] = static_cast<uint16_t>((2 * sums[i] + inputs) / (2 * inputs));
        }
    }
}

} // namespace

TypeId
CascadeAverager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CascadeAverager")
            .SetParent<WordAverager>()
            .SetGroupName("Lightpath")
            .AddConstructor<CascadeAverager>()
            .AddAttribute("GroupSize",
                          "Number of consecutive servers whose words one averager of the first "
                          "level averages.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&CascadeAverager::m_groupSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Fraction",
                          "Whether the first level forwards the remainder instead of rounding.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CascadeAverager::m_fraction),
                          MakeBooleanChecker())
            .AddAttribute("First",
                          "Averager of the words of a group, without Fraction; null for exact.",
                          PointerValue(),
                          MakePointerAccessor(&CascadeAverager::m_first),
                          MakePointerChecker<WordAverager>())
            .AddAttribute("Second",
                          "Averager of the averages of the groups, without Fraction; null for "
                          "exact.",
                          PointerValue(),
                          MakePointerAccessor(&CascadeAverager::m_second),
                          MakePointerChecker<WordAverager>())
            .AddAttribute("LinkDelay",
                          "The delay of the fibres between the levels.",
                          TimeValue(NanoSeconds(5)),
                          MakeTimeAccessor(&CascadeAverager::m_linkDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
CascadeAverager::CheckAverager(Ptr<const WordAverager> averager,
                               const std::string& level,
                               uint32_t inputs) const
{
    if (averager && (averager->GetNServers() != inputs || averager->GetBits() != GetBits()))
    {
        throw std::invalid_argument("The averager of the " + level + " level of a cascade is for " +
                                    std::to_string(averager->GetNServers()) + " words of " +
                                    std::to_string(averager->GetBits()) + " bits, but gets " +
                                    std::to_string(inputs) + " of " + std::to_string(GetBits()));
    }
    if (averager && m_fraction)
    {
        throw std::invalid_argument("A cascade that carries the fraction averages exactly: an "
                                    "averager of its " +
                                    level + " level belongs to one without Fraction");
    }
}

uint32_t
CascadeAverager::GetNGroups() const
{
    if (GetNServers() % m_groupSize != 0)
    {
        throw std::invalid_argument("A cascade of groups of " + std::to_string(m_groupSize) +
                                    " servers cannot be for " + std::to_string(GetNServers()) +
                                    " servers: its groups are all of one size");
    }
    const uint32_t groups = GetNServers() / m_groupSize;
    CheckAverager(m_first, "first", m_groupSize);
    CheckAverager(m_second, "second", groups);
    return groups;
}

void
CascadeAverager::AverageBy(Ptr<const WordAverager> averager,
                           const std::vector<const uint16_t*>& words,
                           std::size_t count,
                           uint16_t* average)
{
    if (averager)
    {
        averager->Average(words, count, average);
        return;
    }
    AverageExactly(words, count, average);
}

void
CascadeAverager::Average(const std::vector<const uint16_t*>& words,
                         std::size_t count,
                         uint16_t* average) const
{
    const uint32_t groups = GetNGroups();
    if (m_fraction)
    {
        AverageByFractions(words, count, average);
        return;
    }
    std::vector<std::vector<uint16_t>> means(groups, std::vector<uint16_t>(count));
    std::vector<const uint16_t*> inputs;
    for (uint32_t group = 0; group < groups; ++group)
    {
        const auto first = words.begin() + group * m_groupSize;
        AverageBy(m_first, {first, first + m_groupSize}, count, means[group].data());
        inputs.push_back(means[group].data());
    }
    AverageBy(m_second, inputs, count, average);
}

void
CascadeAverager::AverageByFractions(const std::vector<const uint16_t*>& words,
                                    std::size_t count,
                                    uint16_t* average) const
{
    const uint32_t servers = GetNServers();
    for (std::size_t i = 0; i < count; ++i)
    {
        uint32_t total = 0;
        for (uint32_t first = 0; first < servers; first += m_groupSize)
        {
            uint32_t sum = 0;
            for (uint32_t server = first; server < first + m_groupSize; ++server)
            {
                sum += words[server][i];
            }
            // What goes to the second level: a word, and the rest in further symbols
            const uint32_t mean = sum / m_groupSize;
            const uint32_t rest = sum % m_groupSize;
            total += mean * m_groupSize + rest;
        }
        // The only rounding: half a unit goes up
        average[i] = static_cast<uint16_t>((2 * total + servers) / (2 * servers));
    }
}

bool
CascadeAverager::IsDeterministic() const
{
    return (!m_first || m_first->IsDeterministic()) && (!m_second || m_second->IsDeterministic());
}

uint32_t
CascadeAverager::GetNColumns() const
{
    return (m_first ? m_first->GetNColumns() : 0) + (m_second ? m_second->GetNColumns() : 0);
}

uint32_t
CascadeAverager::GetNActivations() const
{
    return (m_first ? m_first->GetNActivations() : 0) +
           (m_second ? m_second->GetNActivations() : 0);
}

Time
CascadeAverager::GetDelay() const
{
    const Time first = m_first ? m_first->GetDelay() : Time(0);
    const Time second = m_second ? m_second->GetDelay() : Time(0);
    return first + m_linkDelay + second;
}

uint32_t
CascadeAverager::GetNExtraDigits() const
{
    uint32_t digits = 0;
    for (uint64_t values = 1; m_fraction && values < m_groupSize; values *= 4)
    {
        ++digits;
    }
    return digits;
}

} // namespace lightpath
} // namespace ns3
