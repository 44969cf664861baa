/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "iteration-estimator.h"

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
      m_isPipeline(false),
      m_fabric(fabric)
{
    m_strategy.dataParallel = replicas;
    m_strategy.tensorParallel = static_cast<uint32_t>(m_programs.size());
}

IterationEstimator::IterationEstimator(std::vector<std::shared_ptr<const RankProgram>> programs,
                                       const Strategy& strategy,
                                       const FabricLimits& fabric)
    : m_programs(std::move(programs)),
      m_strategy(strategy),
      m_isPipeline(true),
      m_fabric(fabric)
{
}

ProgramTraffic::Place
IterationEstimator::GetPlace(uint32_t kind, uint32_t gpu) const
{
    switch (kind)
    {
    case 0:
        return {m_strategy.tensorParallel, m_isPipeline ? 0 : gpu};
    case 1:
        return {m_strategy.dataParallel, 0};
    case 2:
        return {m_strategy.pipelineParallel, gpu};
    case 4:
        return {m_strategy.expertParallel, 0};
    case 5:
        return {m_strategy.dataParallel / m_strategy.expertParallel, 0};
    default:
        return {2, gpu > 0 ? 1U : 0U};
    }
}

bool
IterationEstimator::IsWithinServer(uint32_t kind, uint32_t first, uint32_t last) const
{
    const uint32_t server = m_fabric.serverGpus;
    const uint32_t parts = m_strategy.tensorParallel;
    const uint32_t replicas = m_strategy.dataParallel;
    // Groups are repeated at this distance; all must lie alike in the servers
    const uint32_t block = kind == 0   ? parts
                           : kind == 4 ? parts * m_strategy.expertParallel
                                       : parts * replicas;
    if (server <= 1 || parts * replicas * m_strategy.pipelineParallel <= server)
    {
        return server > 1;
    }
    switch (kind)
    {
    case 0:
    case 4:
        return server % block == 0 || (block % server == 0 && first / server == last / server);
    case 1:
    case 5:
        return server % block == 0;
    default:
        // Whole stages
        return first * block / server == ((last + 1) * block - 1) / server;
    }
}

bool
IterationEstimator::IsWithinServer(uint32_t kind) const
{
    if (kind == 3)
    {
        return IsWithinServer(2, 0, m_strategy.pipelineParallel - 1);
    }
    return IsWithinServer(kind, 0, GetPlace(kind, 0).size - 1);
}

bool
IterationEstimator::ShareServer(uint32_t kind, uint32_t gpu, uint32_t peer) const
{
    // All members of a group that one stands for have the same channels
    if (kind % 2 == 1 || kind == 4 || (kind == 0 && m_isPipeline))
    {
        return IsWithinServer(kind);
    }
    const uint32_t mine = GetPlace(kind, gpu).position;
    return IsWithinServer(kind, std::min(mine, peer), std::max(mine, peer));
}

double
IterationEstimator::GetSeconds(const Task& task, uint32_t size, double rate, bool isInside) const
{
    const auto schedule =
        CollectiveSchedule::Create(task.collective, size, task.bytes, task.options);
    const LinkCost inside{m_fabric.serverLatency, m_fabric.serverBitRate / 8};
    const LinkCost outside{m_fabric.latency, rate};
    if (task.options.local > 1 && task.options.local < size && !isInside)
    {
        return schedule->GetServerSeconds(inside, outside);
    }
    const LinkCost& link = isInside ? inside : outside;
    return schedule->GetSeconds(link.latency, link.rate);
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
    std::vector<ProgramTraffic::Place> places;
    for (uint32_t kind = 0; kind < 6; ++kind)
    {
        places.push_back(GetPlace(kind, index));
    }
    const auto peers = ProgramTraffic(program).GetPeers(places);
    uint32_t outside = 0;
    for (const auto& peer : peers)
    {
        outside += ShareServer(peer.first.first, index, peer.first.second) ? 0 : 1;
    }
    const uint32_t nChannels = std::min(outside, std::max(m_fabric.circuits, 1U));
    gpu.free.assign(nChannels, 0);
    uint32_t next = 0;
    for (const auto& peer : peers)
    {
        gpu.channels[peer.first] =
            ShareServer(peer.first.first, index, peer.first.second) ? SERVER : next++ % nChannels;
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
        if (task.group == 1 || task.group >= 4 || (task.group == 0 && m_isPipeline))
        {
            Collect({{gpu, index}}, now);
            continue;
        }
        Gathering& gathering = m_gatherings[{task.group, task.operation}];
        gathering.emplace_back(gpu, index);
        if (gathering.size() == GetPlace(task.group, gpu).size)
        {
            Collect(gathering, now);
            m_gatherings.erase({task.group, task.operation});
        }
    }
    m_starting.clear();
}

void
IterationEstimator::Send(uint32_t gpu, const Task& task, double now)
{
    Gpu& sender = m_gpus[gpu];
    double end = now;
    double latency = m_fabric.latency;
    const auto channel = sender.channels.find({task.group, task.peer});
    if (channel != sender.channels.end())
    {
        const bool isInside = channel->second == SERVER;
        double& free = isInside ? sender.serverFree : sender.free[channel->second];
        const double rate = isInside
                                ? m_fabric.serverBitRate / 8
                                : m_fabric.bitRate / 8 / static_cast<double>(sender.free.size());
        latency = isInside ? m_fabric.serverLatency : latency;
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
    Schedule(end + latency, task.peer, std::get<2>(*found), false);
}

void
IterationEstimator::Collect(const Gathering& members, double now)
{
    const Task& task = m_programs[members[0].first]->GetTasks()[members[0].second];
    const uint32_t size = GetPlace(task.group, members[0].first).size;
    double start = now + m_fabric.collectiveLatency;
    double rate = m_fabric.bitRate / 8;
    const bool isInside = IsWithinServer(task.group);
    std::vector<double*> occupied;
    std::vector<Transfer> totals;
    for (const auto& member : members)
    {
        Gpu& gpu = m_gpus[member.first];
        std::set<uint32_t> channels;
        const auto place = GetPlace(task.group, member.first);
        CollectiveSchedule::Create(task.collective, size, task.bytes, task.options)
            ->GetTotals(place.position, totals);
        for (const auto& total : totals)
        {
            const auto channel = gpu.channels.find({task.group, total.peer});
            if (channel != gpu.channels.end())
            {
                channels.insert(channel->second);
            }
        }
        if (task.options.local > 1)
        {
            channels.insert(SERVER);
        }
        for (const auto channel : channels)
        {
            occupied.push_back(channel == SERVER ? &gpu.serverFree : &gpu.free[channel]);
            start = std::max(start, *occupied.back());
        }
        const auto nOutside = channels.size() - channels.count(SERVER);
        if (nOutside > 0)
        {
            rate = std::min(rate,
                            m_fabric.bitRate / 8 * static_cast<double>(nOutside) /
                                static_cast<double>(gpu.free.size()));
        }
    }
    const double end = start + GetSeconds(task, size, rate, isInside);
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
