/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "iteration-estimator.h"

#include "program-traffic.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

IterationEstimator::IterationEstimator(std::vector<std::shared_ptr<const RankProgram>> programs,
                                       uint32_t replicas,
                                       const FabricLimits& fabric)
    : m_programs(std::move(programs)),
      m_replicas(replicas),
      m_fabric(fabric)
{
}

double
IterationEstimator::Run(double limit)
{
    const auto nGpus = static_cast<uint32_t>(m_programs.size());
    m_gpus.assign(nGpus, Gpu());
    m_receives.assign(nGpus, {});
    m_gatherings.clear();
    m_events = decltype(m_events)();
    m_ended.clear();
    m_touched.clear();
    m_starting.clear();
    m_nLeft = 0;
    for (uint32_t gpu = 0; gpu < nGpus; ++gpu)
    {
        Prepare(gpu);
    }
    for (uint32_t gpu = 0; gpu < nGpus; ++gpu)
    {
        const auto& nPredecessors = m_programs[gpu]->GetNPredecessors();
        for (uint32_t task = 0; task < nPredecessors.size(); ++task)
        {
            if (m_gpus[gpu].waiting[task] == 0)
            {
                Begin(gpu, task);
            }
        }
    }
    double now = 0;
    Settle();
    while (!m_events.empty() || !m_touched.empty() || !m_starting.empty())
    {
        const bool isSettled = m_events.empty() || m_events.top().seconds > now;
        if (isSettled && !m_starting.empty())
        {
            Communicate(now);
            continue;
        }
        // A GPU chooses among all that is ready at this time
        if (isSettled && !m_touched.empty())
        {
            for (const auto gpu : m_touched)
            {
                const double bound = Compute(gpu, now);
                if (bound > limit)
                {
                    return bound;
                }
            }
            m_touched.clear();
            continue;
        }
        const Event event = m_events.top();
        m_events.pop();
        now = event.seconds;
        if (event.end)
        {
            m_ended.emplace_back(event.gpu, event.task);
        }
        else if (--m_gpus[event.gpu].waiting[event.task] == 0)
        {
            Begin(event.gpu, event.task);
        }
        Settle();
    }
    if (m_nLeft > 0)
    {
        throw std::invalid_argument("The programs of the GPUs come to a standstill with " +
                                    std::to_string(m_nLeft) +
                                    " tasks left: they must not wait for each other in a circle");
    }
    return now;
}

void
IterationEstimator::Settle()
{
    while (!m_ended.empty())
    {
        const auto [gpu, task] = m_ended.back();
        m_ended.pop_back();
        --m_nLeft;
        const RankProgram& program = *m_programs[gpu];
        if (program.GetTasks()[task].kind == TaskKind::COMPUTE)
        {
            m_gpus[gpu].busy = false;
            Touch(gpu);
        }
        for (const auto successor : program.GetSuccessors(task))
        {
            if (--m_gpus[gpu].waiting[successor] == 0)
            {
                Begin(gpu, successor);
            }
        }
    }
}

void
IterationEstimator::Touch(uint32_t gpu)
{
    if (!m_gpus[gpu].touched)
    {
        m_gpus[gpu].touched = true;
        m_touched.push_back(gpu);
    }
}

void
IterationEstimator::Prepare(uint32_t index)
{
    Gpu& gpu = m_gpus[index];
    const RankProgram& program = *m_programs[index];
    gpu.waiting = program.GetNPredecessors();
    gpu.left = program.GetComputeSeconds();
    m_nLeft += gpu.waiting.size();
    const auto nGpus = static_cast<uint32_t>(m_programs.size());
    const auto peers = ProgramTraffic(program).GetPeers({{nGpus, index}, {m_replicas, 0}});
    const auto nChannels =
        std::min(static_cast<uint32_t>(peers.size()), std::max(m_fabric.circuits, 1U));
    gpu.free.assign(nChannels, 0);
    uint32_t next = 0;
    for (const auto& peer : peers)
    {
        gpu.channels[peer.first] = next++ % nChannels;
    }
    const auto& tasks = program.GetTasks();
    auto& receives = m_receives[index];
    for (uint32_t task = 0; task < tasks.size(); ++task)
    {
        if (tasks[task].kind == TaskKind::RECEIVE)
        {
            ++gpu.waiting[task];
            receives.emplace_back(tasks[task].peer, tasks[task].operation, task);
        }
    }
    std::sort(receives.begin(), receives.end());
}

void
IterationEstimator::Schedule(double seconds, uint32_t gpu, uint32_t task, bool end)
{
    Event event;
    event.seconds = seconds;
    event.order = m_nEvents++;
    event.gpu = gpu;
    event.task = task;
    event.end = end;
    m_events.push(event);
}

void
IterationEstimator::Begin(uint32_t gpu, uint32_t index)
{
    const Task& task = m_programs[gpu]->GetTasks()[index];
    switch (task.kind)
    {
    case TaskKind::COMPUTE:
        m_gpus[gpu].ready.push(index);
        Touch(gpu);
        break;
    case TaskKind::RECEIVE:
        m_ended.emplace_back(gpu, index);
        break;
    case TaskKind::SEND:
        m_ended.emplace_back(gpu, index);
        m_starting.emplace_back(index, gpu);
        break;
    case TaskKind::COLLECTIVE:
        m_starting.emplace_back(index, gpu);
        break;
    }
}

void
IterationEstimator::Communicate(double now)
{
    std::sort(m_starting.begin(), m_starting.end());
    for (const auto& [index, gpu] : m_starting)
    {
        const Task& task = m_programs[gpu]->GetTasks()[index];
        if (task.kind == TaskKind::SEND)
        {
            Send(gpu, task, now);
            continue;
        }
        if (task.group == 1)
        {
            Collect({{gpu, index}}, now);
            continue;
        }
        Gathering& gathering = m_gatherings[task.operation];
        gathering.emplace_back(gpu, index);
        if (gathering.size() == m_programs.size())
        {
            Collect(gathering, now);
            m_gatherings.erase(task.operation);
        }
    }
    m_starting.clear();
}

void
IterationEstimator::Send(uint32_t gpu, const Task& task, double now)
{
    Gpu& sender = m_gpus[gpu];
    double end = now;
    const auto channel = sender.channels.find({task.group, task.peer});
    if (channel != sender.channels.end())
    {
        double& free = sender.free[channel->second];
        const double rate = m_fabric.bitRate / 8 / static_cast<double>(sender.free.size());
        free = std::max(free, now) + static_cast<double>(task.bytes) / rate;
        end = free;
    }
    const auto& receives = m_receives.at(task.peer);
    const auto found =
        std::lower_bound(receives.begin(), receives.end(), Receive(gpu, task.operation, 0));
    if (found == receives.end() || std::get<0>(*found) != gpu ||
        std::get<1>(*found) != task.operation)
    {
        throw std::invalid_argument("GPU " + std::to_string(task.peer) +
                                    " of the replica does not receive operation " +
                                    std::to_string(task.operation) + " (" + task.name +
                                    "), which GPU " + std::to_string(gpu) + " sends to it");
    }
    Schedule(end + m_fabric.latency, task.peer, std::get<2>(*found), false);
}

void
IterationEstimator::Collect(const Gathering& members, double now)
{
    const Task& task = m_programs[members[0].first]->GetTasks()[members[0].second];
    const auto size = task.group == 1 ? m_replicas : static_cast<uint32_t>(m_programs.size());
    const auto schedule = CollectiveSchedule::Create(task.collective, size, task.bytes, task.local);
    double start = now;
    double rate = m_fabric.bitRate / 8;
    std::vector<double*> occupied;
    std::vector<Transfer> totals;
    for (const auto& member : members)
    {
        Gpu& gpu = m_gpus[member.first];
        std::set<uint32_t> channels;
        schedule->GetTotals(task.group == 1 ? 0 : member.first, totals);
        for (const auto& total : totals)
        {
            channels.insert(gpu.channels.at({task.group, total.peer}));
        }
        for (const auto channel : channels)
        {
            occupied.push_back(&gpu.free[channel]);
            start = std::max(start, gpu.free[channel]);
        }
        if (!channels.empty())
        {
            rate = std::min(rate,
                            m_fabric.bitRate / 8 * static_cast<double>(channels.size()) /
                                static_cast<double>(gpu.free.size()));
        }
    }
    const double end = start + schedule->GetSeconds(m_fabric.latency, rate);
    for (auto* free : occupied)
    {
        *free = end;
    }
    for (const auto& member : members)
    {
        Schedule(end, member.first, member.second, true);
    }
}

double
IterationEstimator::Compute(uint32_t gpu, double now)
{
    Gpu& computing = m_gpus[gpu];
    computing.touched = false;
    const double bound = now + computing.left;
    if (!computing.busy && !computing.ready.empty())
    {
        const uint32_t task = computing.ready.top();
        const double seconds = m_programs[gpu]->GetTasks()[task].seconds;
        computing.ready.pop();
        computing.busy = true;
        computing.left -= seconds;
        Schedule(now + seconds, gpu, task, true);
    }
    return bound;
}

} // namespace lightpath
} // namespace ns3
