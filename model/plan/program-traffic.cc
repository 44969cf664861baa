/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-traffic.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

ProgramTraffic::ProgramTraffic(const RankProgram& program,
                               const CollectiveProtocols& protocols,
                               uint32_t phase)
{
    for (const auto& task : program.GetTasks())
    {
        if (phase != ALL_PHASES && task.phase != phase)
        {
            continue;
        }
        if (task.kind == TaskKind::SEND)
        {
            m_sends[{task.group, task.peer}] += task.bytes;
        }
        else if (task.kind == TaskKind::COLLECTIVE)
        {
            // Equal collectives are counted instead of listed
            const uint64_t bytes = protocols.GetWireBytes(task.bytes);
            ++m_collectives[{task.group, task.collective, bytes, task.options}].number;
        }
    }
}

ProgramTraffic::Peers
ProgramTraffic::GetPeers(const std::vector<RankGroups>& groups, uint32_t rank, bool isDemand)
{
    Peers peers = m_sends;
    std::vector<Transfer> totals;
    for (auto& [sort, count] : m_collectives)
    {
        const uint32_t group = std::get<0>(sort);
        const auto size = static_cast<uint32_t>(groups.at(group).GetMembers(rank).size());
        if (size == 0)
        {
            continue;
        }
        auto& schedule = count.schedules[size];
        if (!schedule)
        {
            schedule = CollectiveSchedule::Create(std::get<1>(sort),
                                                  size,
                                                  std::get<2>(sort),
                                                  std::get<3>(sort));
        }
        // All collectives of equal size and options have the same transfers
        const uint32_t position = groups[group].GetPosition(rank);
        schedule->GetTotals(position, totals);
        if (isDemand)
        {
            WeighTurns(*schedule, position, totals);
        }
        for (const auto& total : totals)
        {
            peers[{group, total.peer}] += count.number * total.bytes;
        }
    }
    return peers;
}

void
ProgramTraffic::WeighTurns(const CollectiveSchedule& schedule,
                           uint32_t rank,
                           std::vector<Transfer>& totals)
{
    const uint32_t local = schedule.GetNLocal();
    // A message inside a server takes no circuit
    const auto leaves = [rank, local](const Transfer& transfer) {
        return transfer.peer != rank && (local <= 1 || transfer.peer / local != rank / local);
    };
    if (std::count_if(totals.begin(), totals.end(), leaves) < 2)
    {
        return;
    }
    std::vector<Transfer> sends;
    for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
    {
        schedule.GetSends(rank, step, sends);
        if (std::count_if(sends.begin(), sends.end(), leaves) > 1)
        {
            return;
        }
    }
    double roots = 0;
    for (const Transfer& total : totals)
    {
        roots += leaves(total) ? std::sqrt(total.bytes) : 0;
    }
    for (Transfer& total : totals)
    {
        if (leaves(total))
        {
            // Of equal shares, a further circuit saves more time where there are more bytes
            const double more = total.bytes * 1e-3;
            total.bytes = static_cast<uint64_t>(std::ceil(std::sqrt(total.bytes) * roots + more));
        }
    }
}

} // namespace lightpath
} // namespace ns3
