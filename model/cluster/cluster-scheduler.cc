/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-scheduler.h"

#include "model/base/nearest-name.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

ClusterScheduler::Order
ClusterScheduler::ParseOrder(const std::string& name)
{
    if (name == "first-come")
    {
        return Order::FIRST_COME;
    }
    if (name == "backfill")
    {
        return Order::BACKFILL;
    }
    if (name == "shortest")
    {
        return Order::SHORTEST;
    }
    throw std::invalid_argument("There is no order of jobs '" + name +
                                "': " + ListKnown(name, {"first-come", "backfill", "shortest"}));
}

ClusterScheduler::Placing
ClusterScheduler::ParsePlacing(const std::string& name)
{
    if (name == "contiguous")
    {
        return Placing::CONTIGUOUS;
    }
    if (name == "scattered")
    {
        return Placing::SCATTERED;
    }
    if (name == "fabric")
    {
        return Placing::FABRIC;
    }
    throw std::invalid_argument("There is no placing '" + name +
                                "': " + ListKnown(name, {"contiguous", "scattered", "fabric"}));
}

ClusterScheduler::ClusterScheduler(uint32_t ports,
                                   uint32_t leafPorts,
                                   Order order,
                                   Placing placing,
                                   uint32_t seed)
    : m_ports(ports),
      m_leafPorts(leafPorts),
      m_order(order),
      m_placing(placing),
      m_random(seed)
{
}

void
ClusterScheduler::SetRing()
{
    m_isRing = true;
}

void
ClusterScheduler::SetMostJobs(uint32_t jobs)
{
    m_mostJobs = jobs;
}

void
ClusterScheduler::SetSpare(uint32_t spare)
{
    m_spare = spare;
}

void
ClusterScheduler::Submit(uint32_t job, uint32_t gpus, double estimate, bool isFirst)
{
    if (gpus == 0 || gpus + m_spare > m_ports.size())
    {
        throw std::invalid_argument(
            "Job " + std::to_string(job) + " needs " + std::to_string(gpus) +
            " GPUs of a cluster of " + std::to_string(m_ports.size()) +
            (m_spare > 0 ? ", of which " + std::to_string(m_spare) + " are spare" : "") +
            ": leave it out, or enlarge the cluster");
    }
    m_queue.insert(isFirst ? m_queue.begin() : m_queue.end(), {job, gpus, estimate, isFirst});
}

std::vector<ClusterScheduler::Start>
ClusterScheduler::StartJobs(double now)
{
    if (m_order == Order::SHORTEST)
    {
        std::stable_sort(m_queue.begin(), m_queue.end(), [](const Waiting& a, const Waiting& b) {
            return a.estimate < b.estimate;
        });
    }
    std::vector<Start> starts;
    while (!m_queue.empty() && TryStart(0, now, starts))
    {
    }
    if (m_order == Order::BACKFILL && m_queue.size() > 1)
    {
        Backfill(now, starts);
    }
    return starts;
}

bool
ClusterScheduler::TryStart(std::size_t index, double now, std::vector<Start>& starts)
{
    const Waiting waiting = m_queue[index];
    if (m_running.size() >= m_mostJobs || (!waiting.isFirst && GetNFree() < waiting.gpus + m_spare))
    {
        return false;
    }
    std::vector<uint32_t> ports = Place(waiting.gpus);
    if (ports.empty())
    {
        return false;
    }
    if (m_isRing && m_placing != Placing::SCATTERED)
    {
        ports = Fold(ports);
    }
    for (const uint32_t port : ports)
    {
        m_ports[port].isTaken = true;
    }
    m_running[waiting.job] = {ports, now + waiting.estimate};
    starts.push_back({waiting.job, std::move(ports)});
    m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(index));
    return true;
}

void
ClusterScheduler::Backfill(double now, std::vector<Start>& starts)
{
    // The first job starts once enough running jobs have ended, as far as their number tells
    std::vector<std::pair<double, uint32_t>> ends;
    for (const auto& [job, running] : m_running)
    {
        ends.emplace_back(running.end, running.ports.size());
    }
    std::sort(ends.begin(), ends.end());
    uint32_t free = GetNFree();
    double begin = free >= m_queue.front().gpus ? now : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ends.size() && free < m_queue.front().gpus; ++i)
    {
        free += ends[i].second;
        begin = std::max(now, ends[i].first);
    }
    uint32_t spare = std::max(free, m_queue.front().gpus) - m_queue.front().gpus;
    for (std::size_t i = 1; i < m_queue.size();)
    {
        const Waiting next = m_queue[i];
        const bool isShort = now + next.estimate <= begin;
        if ((isShort || next.gpus <= spare) && TryStart(i, now, starts))
        {
            spare -= isShort ? 0 : next.gpus;
            continue;
        }
        ++i;
    }
}

void
ClusterScheduler::End(uint32_t job)
{
    const auto running = m_running.find(job);
    if (running == m_running.end())
    {
        throw std::invalid_argument("Job " + std::to_string(job) +
                                    " does not run, so that it cannot end");
    }
    for (const uint32_t port : running->second.ports)
    {
        m_ports[port].isTaken = false;
    }
    m_running.erase(running);
}

void
ClusterScheduler::SetFailed(uint32_t port, bool failed)
{
    m_ports.at(port).isFailed = failed;
}

std::vector<uint32_t>
ClusterScheduler::GetFree() const
{
    std::vector<uint32_t> free;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        if (m_ports[port].IsFree())
        {
            free.push_back(port);
        }
    }
    return free;
}

uint32_t
ClusterScheduler::GetNFree() const
{
    return std::count_if(m_ports.begin(), m_ports.end(), [](const Port& port) {
        return port.IsFree();
    });
}

uint32_t
ClusterScheduler::GetLargest() const
{
    if (!NeedsRow())
    {
        return GetNFree();
    }
    uint32_t largest = 0;
    uint32_t row = 0;
    for (const Port& port : m_ports)
    {
        row = port.IsFree() ? row + 1 : 0;
        largest = std::max(largest, row);
    }
    return largest;
}

bool
ClusterScheduler::NeedsRow() const
{
    return m_placing == Placing::CONTIGUOUS || (m_placing == Placing::FABRIC && m_isRing);
}

std::vector<uint32_t>
ClusterScheduler::Place(uint32_t gpus)
{
    if (NeedsRow())
    {
        return FindRow(gpus);
    }
    std::vector<uint32_t> free = GetFree();
    if (free.size() < gpus)
    {
        return {};
    }
    if (m_placing == Placing::FABRIC)
    {
        return FillLeaves(gpus);
    }
    // The first steps of a shuffle, the same with each library
    for (uint32_t i = 0; i < gpus; ++i)
    {
        std::swap(free[i], free[i + m_random() % (free.size() - i)]);
    }
    free.resize(gpus);
    return free;
}

std::vector<uint32_t>
ClusterScheduler::FindRow(uint32_t gpus) const
{
    uint32_t row = 0;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        row = m_ports[port].IsFree() ? row + 1 : 0;
        if (row == gpus)
        {
            std::vector<uint32_t> ports(gpus);
            for (uint32_t i = 0; i < gpus; ++i)
            {
                ports[i] = port + 1 - gpus + i;
            }
            return ports;
        }
    }
    return {};
}

std::vector<uint32_t>
ClusterScheduler::Fold(const std::vector<uint32_t>& ports)
{
    std::vector<uint32_t> folded;
    const std::size_t last = ports.size() - 1;
    for (std::size_t i = 0; i <= last; i += 2)
    {
        folded.push_back(ports[i]);
    }
    for (std::size_t i = last - (last % 2 == 0 ? 1 : 0); i <= last; i -= 2)
    {
        folded.push_back(ports[i]);
    }
    return folded;
}

std::vector<uint32_t>
ClusterScheduler::FillLeaves(uint32_t gpus) const
{
    std::map<uint32_t, std::vector<uint32_t>> leaves;
    for (const uint32_t port : GetFree())
    {
        leaves[port / m_leafPorts].push_back(port);
    }
    std::vector<uint32_t> ports;
    while (ports.size() < gpus)
    {
        // The leaf that leaves the fewest ports over, or else the one with the most
        const std::size_t left = gpus - ports.size();
        auto best = leaves.begin();
        for (auto leaf = leaves.begin(); leaf != leaves.end(); ++leaf)
        {
            const std::size_t free = leaf->second.size();
            const std::size_t most = best->second.size();
            if (most >= left ? free >= left && free < most : free > most)
            {
                best = leaf;
            }
        }
        const std::size_t count = std::min(left, best->second.size());
        ports.insert(ports.end(),
                     best->second.begin(),
                     best->second.begin() + static_cast<std::ptrdiff_t>(count));
        leaves.erase(best);
    }
    std::sort(ports.begin(), ports.end());
    return ports;
}

} // namespace lightpath
} // namespace ns3
