/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-averager.h"

#include "exact-averager.h"

#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalAverager);

TypeId
OpticalAverager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalAverager")
            .SetParent<WordAverager>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalAverager>()
            .AddAttribute("Averager",
                          "Averager without errors of light; null for an exact one.",
                          PointerValue(),
                          MakePointerAccessor(&OpticalAverager::m_averager),
                          MakePointerChecker<WordAverager>())
            .AddAttribute("Link",
                          "Light that carries words and averages; null for that of default "
                          "attributes.",
                          PointerValue(),
                          MakePointerAccessor(&OpticalAverager::m_link),
                          MakePointerChecker<AveragerLink>());
    return tid;
}

OpticalAverager::OpticalAverager()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
OpticalAverager::Average(const std::vector<const uint16_t*>& words,
                         std::size_t count,
                         uint16_t* average) const
{
    const auto link = GetLink();
    const LevelErrors meanErrors = link->GetMeanErrors(GetNServers());
    const LevelErrors returnErrors = link->GetReturnErrors(GetNServers());
    const double mostMean = 2 * *std::max_element(meanErrors.begin(), meanErrors.end());
    const double mostReturn = 2 * *std::max_element(returnErrors.begin(), returnErrors.end());
    AverageRight(words, count, average);
    std::vector<uint16_t> own(words.size());
    std::vector<const uint16_t*> pointers(words.size());
    std::transform(own.begin(), own.end(), pointers.begin(), [](auto& word) { return &word; });
    for (std::size_t i = 0; i < count; ++i)
    {
        bool isChanged = false;
        for (uint32_t bit = 0; bit < GetBits(); bit += 2)
        {
            const auto getDigit = [&](uint32_t word) { return word >> bit & 3; };
            const int shift = DrawShift(meanErrors, mostMean, [&] {
                uint32_t sum = 0;
                for (const uint16_t* word : words)
                {
                    sum += getDigit(word[i]);
                }
                return sum;
            });
            if (shift == 0)
            {
                continue;
            }
            if (!isChanged)
            {
                isChanged = true;
                std::transform(words.begin(), words.end(), own.begin(), [&](const uint16_t* word) {
                    return word[i];
                });
            }
            // The mean of the digit moves by a step if that of any server does
            auto& moved = *std::find_if(own.begin(), own.end(), [&](uint16_t word) {
                return getDigit(word) != (shift > 0 ? 3 : 0);
            });
            moved = static_cast<uint16_t>(moved + shift * (1 << bit));
        }
        if (isChanged)
        {
            AverageRight(pointers, 1, average + i);
        }
        for (uint32_t bit = 0; bit < GetBits(); bit += 2)
        {
            const int shift = DrawShift(returnErrors, mostReturn, [&] {
                return static_cast<uint32_t>(average[i] >> bit & 3);
            });
            average[i] = static_cast<uint16_t>(average[i] + shift * (1 << bit));
        }
    }
}

template <typename F>
int
OpticalAverager::DrawShift(const LevelErrors& errors, double most, F getLevel) const
{
    const double draw = m_random->GetValue();
    if (draw >= most)
    {
        return 0;
    }
    const uint32_t level = getLevel();
    const double above = level < errors.size() ? errors[level] : 0;
    const double below = level > 0 ? errors[level - 1] : 0;
    return draw < above ? 1 : draw < above + below ? -1 : 0;
}

void
OpticalAverager::AverageRight(const std::vector<const uint16_t*>& words,
                              std::size_t count,
                              uint16_t* average) const
{
    if (m_averager)
    {
        m_averager->Average(words, count, average);
        return;
    }
    ExactAverager::Average(words, count, ExactAverager::HALF_UP, average);
}

bool
OpticalAverager::IsDeterministic() const
{
    return false;
}

uint32_t
OpticalAverager::GetNColumns() const
{
    if (m_averager)
    {
        return m_averager->GetNColumns();
    }
    const auto link = GetLink();
    uint32_t columns = 0;
    for (const auto& layer : link->GetLayers())
    {
        columns += layer.columns;
    }
    return columns;
}

uint32_t
OpticalAverager::GetNActivations() const
{
    return m_averager ? m_averager->GetNActivations()
                      : static_cast<uint32_t>(GetLink()->GetLayers().size());
}

Time
OpticalAverager::GetDelay() const
{
    return m_averager ? m_averager->GetDelay() : WordAverager::GetDelay();
}

Ptr<AveragerLink>
OpticalAverager::GetLink() const
{
    return m_link ? m_link : CreateObject<AveragerLink>();
}

int64_t
OpticalAverager::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1 + (m_averager ? m_averager->AssignStreams(stream + 1) : 0);
}

void
OpticalAverager::DoDispose()
{
    m_averager = nullptr;
    m_link = nullptr;
    WordAverager::DoDispose();
}

} // namespace lightpath
} // namespace ns3
