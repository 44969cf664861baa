/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonics-tests.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::lightpath;

WordSet::WordSet(uint32_t servers)
    : m_words(servers)
{
}

void
WordSet::Add(const std::vector<uint16_t>& words)
{
    uint32_t sum = 0;
    for (std::size_t server = 0; server < words.size(); ++server)
    {
        m_words[server].push_back(words[server]);
        sum += words[server];
    }
    const auto servers = static_cast<uint32_t>(words.size());
    m_averages.push_back(static_cast<uint16_t>(sum / servers + (sum % servers * 2 / servers)));
}

void
WordSet::AddAllSums(uint32_t digits, std::mt19937& random)
{
    const auto servers = static_cast<uint32_t>(m_words.size());
    std::vector<uint32_t> sums(digits, 0);
    std::vector<uint16_t> words(servers);
    for (uint32_t digit = 0; digit < digits;)
    {
        std::fill(words.begin(), words.end(), 0);
        for (uint32_t i = 0; i < digits; ++i)
        {
            for (uint32_t left = sums[i]; left > 0;)
            {
                uint16_t& word = words[random() % servers];
                if ((word >> (2 * i) & 3) < 3)
                {
                    word = static_cast<uint16_t>(word + (1 << (2 * i)));
                    --left;
                }
            }
        }
        Add(words);
        for (digit = 0; digit < digits && ++sums[digit] > 3 * servers; ++digit)
        {
            sums[digit] = 0;
        }
    }
}

void
WordSet::AddRandom(std::size_t count, uint32_t bits, std::mt19937& random)
{
    std::vector<uint16_t> words(m_words.size());
    for (std::size_t i = 0; i < count; ++i)
    {
        for (uint16_t& word : words)
        {
            word = static_cast<uint16_t>(random() >> (32 - bits));
        }
        Add(words);
    }
}

std::vector<uint16_t>
WordSet::Average(const WordAverager& averager) const
{
    std::vector<const uint16_t*> pointers;
    for (const auto& ofServer : m_words)
    {
        pointers.push_back(ofServer.data());
    }
    std::vector<uint16_t> averages(m_averages.size());
    averager.Average(pointers, averages.size(), averages.data());
    return averages;
}

uint64_t
WordSet::CountErrors(const WordAverager& averager) const
{
    const std::vector<uint16_t> averages = Average(averager);
    uint64_t errors = 0;
    for (std::size_t i = 0; i < averages.size(); ++i)
    {
        errors += averages[i] == m_averages[i] ? 0 : 1;
    }
    return errors;
}

const std::vector<std::vector<uint16_t>>&
WordSet::GetWords() const
{
    return m_words;
}

ComplexMatrix
MakeRandomUnitary(std::size_t size, bool isReal, std::mt19937& random)
{
    std::normal_distribution<double> normal;
    ComplexMatrix matrix(size, size);
    for (std::size_t i = 0; i < size; ++i)
    {
        std::complex<double>* row = matrix.GetRow(i);
        std::generate_n(row, size, [&] {
            return std::complex<double>(normal(random), isReal ? 0 : normal(random));
        });
        // Gram and Schmidt, twice against rounding
        for (std::size_t j = 0; j < 2 * i; ++j)
        {
            const std::complex<double>* done = matrix.GetRow(j % i);
            std::complex<double> overlap = 0;
            for (std::size_t k = 0; k < size; ++k)
            {
                overlap += row[k] * std::conj(done[k]);
            }
            for (std::size_t k = 0; k < size; ++k)
            {
                row[k] -= overlap * done[k];
            }
        }
        double power = 0;
        for (std::size_t k = 0; k < size; ++k)
        {
            power += std::norm(row[k]);
        }
        std::transform(row, row + size, row, [power](auto entry) {
            return entry / std::sqrt(power);
        });
    }
    return matrix;
}
