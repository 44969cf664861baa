/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "block-quantiser.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(BlockQuantiser);

namespace
{

/// The scale of numbers up to 1.
constexpr int UNIT_SCALE = 192;

/// Scales between a number and its double.
constexpr int SCALES_OF_OCTAVE = 4;

/**
 * @param scale a scale above 0
 * @return the largest number of its block
 */
double
GetLargest(uint8_t scale)
{
    return std::exp2((scale - UNIT_SCALE) / double{SCALES_OF_OCTAVE});
}

/**
 * @param largest the largest of numbers without their signs
 * @return the least scale that holds them
 */
uint8_t
FindScale(float largest)
{
    if (largest == 0)
    {
        return 0;
    }
    const double exact = std::ceil(SCALES_OF_OCTAVE * std::log2(double{largest})) + UNIT_SCALE;
    return static_cast<uint8_t>(std::clamp(exact, 1.0, 255.0));
}

} // namespace

TypeId
BlockQuantiser::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::BlockQuantiser")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<BlockQuantiser>()
            .AddAttribute("Bits",
                          "The bits of a word.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&BlockQuantiser::m_bits),
                          MakeUintegerChecker<uint32_t>(2, 16))
            .AddAttribute("BlockSize",
                          "The number of consecutive numbers that share a scale.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&BlockQuantiser::m_blockSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Rounding",
                "Rounding of a number to a word: Nearest, or Stochastic: at random down or "
                "up, so that the mean is the number.",
                EnumValue(NEAREST),
                MakeEnumAccessorFor<Rounding>(0, &BlockQuantiser::m_rounding),
                MakeEnumChecker(NEAREST, "Nearest", STOCHASTIC, "Stochastic"));
    return tid;
}

BlockQuantiser::BlockQuantiser()
    : m_uniform(CreateObject<UniformRandomVariable>())
{
}

uint32_t
BlockQuantiser::GetBits() const
{
    return m_bits;
}

uint32_t
BlockQuantiser::GetBlockSize() const
{
    return m_blockSize;
}

double
BlockQuantiser::GetBitsOfNumber() const
{
    return m_bits + double{SCALE_BITS} / m_blockSize;
}

uint64_t
BlockQuantiser::GetBytes(uint64_t count) const
{
    return (count * m_bits + 7) / 8 + (count + m_blockSize - 1) / m_blockSize;
}

double
BlockQuantiser::GetStep(uint8_t scale) const
{
    return scale == 0 ? 0 : GetLargest(scale) / ((1 << (m_bits - 1)) - 1);
}

void
BlockQuantiser::GetScales(const float* values, std::size_t count, uint8_t* scales) const
{
    for (std::size_t first = 0; first < count; first += m_blockSize)
    {
        const std::size_t end = std::min<std::size_t>(first + m_blockSize, count);
        float largest = 0;
        bool isFinite = true;
        for (std::size_t i = first; i < end; ++i)
        {
            isFinite = isFinite && std::isfinite(values[i]);
            largest = std::max(largest, std::abs(values[i]));
        }
        if (!isFinite)
        {
            throw std::invalid_argument("One of the numbers from " + std::to_string(first) +
                                        " to " + std::to_string(end - 1) +
                                        " of a tensor is not finite, so that it has no word");
        }
        // One scale for a block, that of its largest number
        *scales++ = FindScale(largest);
    }
}

void
BlockQuantiser::Quantise(const float* values,
                         std::size_t count,
                         const uint8_t* scales,
                         uint16_t* words) const
{
    const double zero = 1 << (m_bits - 1);
    for (std::size_t first = 0; first < count; first += m_blockSize)
    {
        const std::size_t end = std::min<std::size_t>(first + m_blockSize, count);
        const double step = GetStep(*scales++);
        const double inverse = step > 0 ? 1 / step : 0;
        for (std::size_t i = first; i < end; ++i)
        {
            // floor(x + 1/2) is the nearest word; floor(x + u), u uniform in [0, 1), is x on
            // average
            const double shift = m_rounding == NEAREST ? 0.5 : m_uniform->GetValue();
            const double word = std::floor(values[i] * inverse + shift) + zero;
            // Word 0 is not used, so that words are symmetric about zero
            words[i] = static_cast<uint16_t>(std::clamp(word, 1.0, 2 * zero - 1));
        }
    }
}

void
BlockQuantiser::Dequantise(const uint16_t* words,
                           std::size_t count,
                           const uint8_t* scales,
                           float* values) const
{
    const int zero = 1 << (m_bits - 1);
    for (std::size_t first = 0; first < count; first += m_blockSize)
    {
        const std::size_t end = std::min<std::size_t>(first + m_blockSize, count);
        const double step = GetStep(*scales++);
        for (std::size_t i = first; i < end; ++i)
        {
            values[i] = static_cast<float>((words[i] - zero) * step);
        }
    }
}

int64_t
BlockQuantiser::AssignStreams(int64_t stream)
{
    m_uniform->SetStream(stream);
    return 1;
}

} // namespace lightpath
} // namespace ns3
