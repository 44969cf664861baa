/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "table-averager.h"

#include "digit-sums.h"

#include "ns3/assert.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(TableAverager);

TypeId
TableAverager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::TableAverager")
            .SetParent<WordAverager>()
            .SetGroupName("Lightpath")
            .AddConstructor<TableAverager>()
            .AddAttribute(
                "Averager",
                "The averager of the entries, whose servers and bits replace Servers and Bits.",
                PointerValue(),
                MakePointerAccessor(&TableAverager::SetAverager, &TableAverager::GetAverager),
                MakePointerChecker<WordAverager>());
    return tid;
}

void
TableAverager::DoDispose()
{
    m_averager = nullptr;
    WordAverager::DoDispose();
}

void
TableAverager::SetAverager(Ptr<WordAverager> averager)
{
    m_averager = averager;
    Refresh();
}

Ptr<WordAverager>
TableAverager::GetAverager() const
{
    return m_averager;
}

void
TableAverager::Refresh()
{
    m_indices.clear();
    m_bytes.clear();
    m_averages.clear();
}

void
TableAverager::Build() const
{
    constexpr uint64_t most = uint64_t{1} << 26;
    constexpr std::size_t atOnce = 65536;
    if (!m_indices.empty())
    {
        return;
    }
    if (!m_averager || !m_averager->IsDeterministic())
    {
        throw std::invalid_argument("A table must have an averager whose detectors add no noise");
    }
    const uint64_t count = DigitSums(GetNServers(), GetNDigits()).GetCount();
    if (count > most)
    {
        throw std::invalid_argument("A table for " + std::to_string(GetNServers()) +
                                    " servers and " + std::to_string(GetBits()) +
                                    " bits would have more than " + std::to_string(most) +
                                    " words: take fewer bits, or the averager itself");
    }
    (GetBits() > 8 ? m_averages.resize(count) : m_bytes.resize(count));
    for (uint64_t begin = 0; begin < count; begin += atOnce)
    {
        Fill(begin, std::min<uint64_t>(atOnce, count - begin));
    }
    // Words that cannot be are allowed for
    m_indices.assign(65536, 0);
    const uint32_t digits = GetNDigits();
    const uint32_t base = 3 * GetNServers() + 1;
    // A word adds its digits to an index in base 3 N + 1, in which sums of N digits do not carry
    for (uint32_t word = 0; word < uint32_t{1} << (2 * digits); ++word)
    {
        for (uint32_t digit = digits; digit-- > 0;)
        {
            m_indices[word] = m_indices[word] * base + (word >> (2 * digit) & 3);
        }
    }
}

void
TableAverager::Fill(uint64_t begin, std::size_t size) const
{
    const DigitSums sums(GetNServers(), GetNDigits());
    std::vector<std::vector<uint16_t>> words(GetNServers(), std::vector<uint16_t>(size));
    for (std::size_t i = 0; i < size; ++i)
    {
        // Any words with these sums of digits stand for all others
        const std::vector<uint16_t> all = sums.MakeWords(sums.GetSums(begin + i));
        for (std::size_t server = 0; server < all.size(); ++server)
        {
            words[server][i] = all[server];
        }
    }
    std::vector<const uint16_t*> pointers;
    for (const std::vector<uint16_t>& ofServer : words)
    {
        pointers.push_back(ofServer.data());
    }
    std::vector<uint16_t> averages(size);
    m_averager->Average(pointers, size, averages.data());
    if (GetBits() > 8)
    {
        std::copy(averages.begin(), averages.end(), m_averages.begin() + begin);
    }
    else
    {
        std::copy(averages.begin(), averages.end(), m_bytes.begin() + begin);
    }
}

void
TableAverager::Average(const std::vector<const uint16_t*>& words,
                       std::size_t count,
                       uint16_t* average) const
{
    NS_ASSERT(words.size() == GetNServers());
    Build();
    const uint32_t* indices = m_indices.data();
    std::array<uint32_t, 4096> index;
    // In parts that stay in the cache, server by server
    for (std::size_t begin = 0; begin < count; begin += index.size())
    {
        const std::size_t size = std::min(index.size(), count - begin);
        std::fill_n(index.begin(), size, 0);
        for (const uint16_t* ofServer : words)
        {
            for (std::size_t i = 0; i < size; ++i)
            {
                index[i] += indices[ofServer[begin + i]];
            }
        }
        const auto look = [&](const auto& table) {
            for (std::size_t i = 0; i < size; ++i)
            {
                average[begin + i] = table[index[i]];
            }
        };
        GetBits() > 8 ? look(m_averages) : look(m_bytes);
    }
}

uint32_t
TableAverager::GetNServers() const
{
    return m_averager ? m_averager->GetNServers() : WordAverager::GetNServers();
}

uint32_t
TableAverager::GetBits() const
{
    return m_averager ? m_averager->GetBits() : WordAverager::GetBits();
}

uint32_t
TableAverager::GetNColumns() const
{
    return m_averager ? m_averager->GetNColumns() : 0;
}

uint32_t
TableAverager::GetNActivations() const
{
    return m_averager ? m_averager->GetNActivations() : 0;
}

Time
TableAverager::GetDelay() const
{
    return m_averager ? m_averager->GetDelay() : Time();
}

} // namespace lightpath
} // namespace ns3
