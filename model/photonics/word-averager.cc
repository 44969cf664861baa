/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "word-averager.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(WordAverager);

TypeId
WordAverager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::WordAverager")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddAttribute("Servers",
                          "The servers whose words are averaged.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&WordAverager::m_servers),
                          MakeUintegerChecker<uint32_t>(1, MOST_SERVERS))
            .AddAttribute("Bits",
                          "The bits of a word, an even number.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&WordAverager::SetBits, &WordAverager::GetBits),
                          MakeUintegerChecker<uint32_t>(2, 16))
            .AddAttribute("ColumnLengthMm",
                          "The length of a column of interferometers, in millimetres.",
                          DoubleValue(0.3),
                          MakeDoubleAccessor(&WordAverager::m_columnLengthMm),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("GroupIndex",
                          "The group index of the waveguides.",
                          DoubleValue(4.2),
                          MakeDoubleAccessor(&WordAverager::m_groupIndex),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ActivationDelayPs",
                          "The delay of an activation, in picoseconds: 0 if it is all-optical and "
                          "as fast as the light, about 100 if it detects and modulates.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&WordAverager::m_activationDelayPs),
                          MakeDoubleChecker<double>(0));
    return tid;
}

bool
WordAverager::IsDeterministic() const
{
    return true;
}

int64_t
WordAverager::AssignStreams(int64_t stream)
{
    return 0;
}

uint32_t
WordAverager::GetNColumns() const
{
    return 0;
}

uint32_t
WordAverager::GetNActivations() const
{
    return 0;
}

uint32_t
WordAverager::GetNServers() const
{
    return m_servers;
}

uint32_t
WordAverager::GetBits() const
{
    return m_bits;
}

uint32_t
WordAverager::GetNDigits() const
{
    return GetBits() / 2;
}

Time
WordAverager::GetDelay() const
{
    constexpr double lightSpeed = 299792458;
    // Light passes the columns and the activations one after the other
    return Seconds(GetNColumns() * m_columnLengthMm * 1e-3 * m_groupIndex / lightSpeed +
                   GetNActivations() * m_activationDelayPs * 1e-12);
}

void
WordAverager::SetBits(uint32_t bits)
{
    if (bits % 2 != 0)
    {
        throw std::invalid_argument("A word cannot have " + std::to_string(bits) +
                                    " bits: a symbol carries two, so Bits must be even");
    }
    m_bits = bits;
}

} // namespace lightpath
} // namespace ns3
