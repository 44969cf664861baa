/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-traffic.h"

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
ProgramTraffic::GetPeers(const std::vector<RankGroups>& groups, uint32_t rank)
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
        schedule->GetTotals(groups[group].GetPosition(rank), totals);
        for (const auto& total : totals)
        {
            peers[{group, total.peer}] += count.number * total.bytes;
        }
    }
    return peers;
}

} // namespace lightpath
} // namespace ns3
