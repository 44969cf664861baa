/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-bins.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes times ticks
__extension__ typedef unsigned __int128 ByteTicks;

} // namespace

TimeBins::TimeBins(uint32_t bins)
    : m_nBins(bins)
{
    NS_ABORT_MSG_IF(bins == 0 || bins % 2 != 0,
                    "The number of bins must be even and positive, not " << bins);
}

std::size_t
TimeBins::AddRow()
{
    m_rows.emplace_back(m_nBins, 0);
    return m_rows.size() - 1;
}

void
TimeBins::Add(std::size_t row, Time begin, Time end, uint64_t bytes)
{
    const int64_t from = begin.GetTimeStep();
    const int64_t until = end.GetTimeStep();
    NS_ASSERT_MSG(from >= 0 && from <= until, "Bytes are sent from a begin to an end");
    // A tick at the end of the last bin belongs to the next one
    while (until / m_width >= m_nBins)
    {
        Widen();
    }
    m_end = std::max(m_end, until);
    auto& bins = m_rows[row];
    uint64_t added = 0;
    for (int64_t bin = from / m_width; added < bytes; ++bin)
    {
        const int64_t edge = (bin + 1) * m_width;
        // Differences of a rounded running sum, so that nothing is lost
        const uint64_t sum = edge >= until ? bytes
                                           : static_cast<uint64_t>(static_cast<ByteTicks>(bytes) *
                                                                   (edge - from) / (until - from));
        bins[bin] += sum - added;
        added = sum;
    }
}

Time
TimeBins::GetWidth() const
{
    return TimeStep(m_width);
}

std::size_t
TimeBins::GetNUsed() const
{
    return m_end / m_width + (m_end % m_width > 0 ? 1 : 0);
}

const std::vector<uint64_t>&
TimeBins::GetRow(std::size_t row) const
{
    return m_rows[row];
}

void
TimeBins::Widen()
{
    m_width *= 2;
    for (auto& bins : m_rows)
    {
        for (uint32_t bin = 0; bin < m_nBins / 2; ++bin)
        {
            bins[bin] = bins[2 * bin] + bins[2 * bin + 1];
        }
        std::fill(bins.begin() + m_nBins / 2, bins.end(), 0);
    }
}

} // namespace lightpath
} // namespace ns3
