/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wavelength-map.h"

#include "ns3/abort.h"

namespace ns3
{
namespace lightpath
{

WavelengthMap::WavelengthMap(uint32_t size)
    : m_size(size)
{
}

uint32_t
WavelengthMap::GetSize() const
{
    return m_size;
}

void
WavelengthMap::SetOutput(uint32_t input, uint32_t wavelength, uint32_t output)
{
    NS_ABORT_MSG_IF(input >= m_size || wavelength >= m_size || (output >= m_size && output != NONE),
                    "A map of " << m_size << " members cannot lead wavelength " << wavelength
                                << " of input " << input << " to output " << output
                                << ": all are counted from 0");
    // The first change turns the cyclic rule into a table
    if (m_outputs.empty())
    {
        m_outputs.reserve(std::size_t{m_size} * m_size);
        for (uint32_t i = 0; i < m_size; ++i)
        {
            for (uint32_t k = 0; k < m_size; ++k)
            {
                m_outputs.push_back((i + k) % m_size);
            }
        }
    }
    m_outputs[std::size_t{input} * m_size + wavelength] = output;
}

void
WavelengthMap::Restrict(const std::vector<uint32_t>& parts)
{
    NS_ABORT_MSG_IF(parts.size() != m_size,
                    "A map of " << m_size << " members cannot be restricted to the parts of "
                                << parts.size());
    m_parts = parts;
}

bool
WavelengthMap::IsAllowed(uint32_t input, uint32_t output) const
{
    return m_parts.empty() || (m_parts[input] == m_parts[output] && m_parts[input] != NONE);
}

uint32_t
WavelengthMap::GetOutput(uint32_t input, uint32_t wavelength) const
{
    if (wavelength >= m_size)
    {
        return NONE;
    }
    const uint32_t output = m_outputs.empty() ? (input + wavelength) % m_size
                                              : m_outputs[std::size_t{input} * m_size + wavelength];
    return output != NONE && IsAllowed(input, output) ? output : NONE;
}

uint32_t
WavelengthMap::FindWavelength(uint32_t input, uint32_t output) const
{
    if (!IsAllowed(input, output))
    {
        return NONE;
    }
    if (m_outputs.empty())
    {
        // The inverse of the cyclic rule
        return (output + m_size - input) % m_size;
    }
    for (uint32_t wavelength = 0; wavelength < m_size; ++wavelength)
    {
        if (m_outputs[std::size_t{input} * m_size + wavelength] == output)
        {
            return wavelength;
        }
    }
    return NONE;
}

} // namespace lightpath
} // namespace ns3
