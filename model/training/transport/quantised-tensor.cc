/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "quantised-tensor.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

QuantisedTensor::QuantisedTensor(std::vector<float>& values, Ptr<const BlockQuantiser> quantiser)
    : m_values(values),
      m_quantiser(std::move(quantiser))
{
}

uint64_t
QuantisedTensor::GetNWords() const
{
    return m_values.size();
}

uint32_t
QuantisedTensor::GetBlockSize() const
{
    return m_quantiser->GetBlockSize();
}

void
QuantisedTensor::GetScales(uint64_t first, std::size_t count, uint8_t* scales) const
{
    m_quantiser->GetScales(m_values.data() + first, count, scales);
}

void
QuantisedTensor::GetWords(uint64_t first, std::size_t count, const uint8_t* scales, uint16_t* words)
{
    m_quantiser->Quantise(m_values.data() + first, count, scales, words);
}

void
QuantisedTensor::SetAverage(uint64_t first,
                            std::size_t count,
                            const uint8_t* scales,
                            const uint16_t* words)
{
    m_quantiser->Dequantise(words, count, scales, m_values.data() + first);
}

} // namespace lightpath
} // namespace ns3
