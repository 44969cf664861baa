/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wait-log.h"

#include "model/base/byte-archive.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace ns3
{
namespace lightpath
{

void
WaitLog::Pass(ByteArchive& archive)
{
    uint64_t size = m_entries.size();
    archive.Pass(size);
    const std::size_t first = archive.IsWriting() ? 0 : m_entries.size();
    m_entries.resize(first + size);
    for (std::size_t i = first; i < m_entries.size(); ++i)
    {
        archive.Pass(m_entries[i]);
    }
}

void
WaitLog::Settle(WaitLedger& ledger, std::vector<RankResult>& results)
{
    std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.now, a.rank) < std::tie(b.now, b.rank);
    });
    std::vector<WaitLedger::Wait> waits(results.size());
    std::vector<std::size_t> iterations(results.size(), 0);
    for (const Entry& entry : m_entries)
    {
        const Time now = TimeStep(entry.now);
        WaitLedger::Wait& wait = waits[entry.rank];
        const WaitLedger::Wait own{entry.rank, now, TimeStep(entry.time)};
        switch (entry.kind)
        {
        case BEGIN:
            ledger.Begin(entry.rank, now);
            break;
        case COMPUTE:
            ledger.Compute(entry.rank, now, TimeStep(entry.time));
            break;
        case HAND_OVER:
            ledger.HandOver(entry.other, entry.tag, own);
            break;
        case TAKE:
            wait = ledger.Take(entry.other, entry.rank, now, entry.tag);
            break;
        case JOIN:
            ledger.Join(entry.other, entry.tag, own);
            break;
        case LEAVE:
            wait = ledger.Leave(entry.rank, now, entry.other, entry.tag);
            break;
        case EXPLAIN:
            if (ledger.IsWaiting(entry.rank, now))
            {
                const Time dark = entry.isInside ? wait.dark : results[wait.rank].GetDarkTime(now);
                ledger.Explain(entry.rank, now, wait, dark, entry.group);
            }
            break;
        default:
            results[entry.rank].records[iterations[entry.rank]++].waits =
                ledger.EndIteration(entry.rank, now);
            break;
        }
    }
    m_entries.clear();
}

} // namespace lightpath
} // namespace ns3
