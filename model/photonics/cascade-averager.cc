/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cascade-averager.h"

#include "exact-averager.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(CascadeAverager);

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
    ExactAverager::Average(words, count, ExactAverager::HALF_UP, average);
}

void
CascadeAverager::Average(const std::vector<const uint16_t*>& words,
                         std::size_t count,
                         uint16_t* average) const
{
    const uint32_t groups = GetNGroups();
    if (m_fraction)
    {
        // The second level gets the sums of the groups, as words and remainders, and rounds once
        ExactAverager::Average(words, count, ExactAverager::HALF_UP, average);
        return;
    }
    // Without the remainder, both levels round
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

bool
CascadeAverager::IsDeterministic() const
{
    return (!m_first || m_first->IsDeterministic()) && (!m_second || m_second->IsDeterministic());
}

int64_t
CascadeAverager::AssignStreams(int64_t stream)
{
    const int64_t next = stream + (m_first ? m_first->AssignStreams(stream) : 0);
    return next - stream + (m_second ? m_second->AssignStreams(next) : 0);
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
    // Each further symbol tells four times as many remainders apart
    for (uint64_t values = 1; m_fraction && values < m_groupSize; values *= 4)
    {
        ++digits;
    }
    return digits;
}

} // namespace lightpath
} // namespace ns3
