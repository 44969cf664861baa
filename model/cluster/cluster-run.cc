/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-run.h"

#include "checkpoint-model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

ClusterRun::ClusterRun(std::vector<ClusterJob> jobs,
                       ClusterScheduler scheduler,
                       IterationTimes times,
                       const ClusterFailures& failures)
    : m_jobs(std::move(jobs)),
      m_scheduler(std::move(scheduler)),
      m_times(std::move(times)),
      m_failures(failures),
      m_random(failures.seed),
      m_outcomes(m_jobs.size())
{
    for (const ClusterJob& job : m_jobs)
    {
        m_left.push_back(static_cast<double>(job.iterations));
    }
}

void
ClusterRun::Run()
{
    std::vector<uint32_t> arrivals(m_jobs.size());
    for (uint32_t job = 0; job < arrivals.size(); ++job)
    {
        arrivals[job] = job;
    }
    std::stable_sort(arrivals.begin(), arrivals.end(), [this](uint32_t a, uint32_t b) {
        return m_jobs[a].submitted < m_jobs[b].submitted;
    });
    m_now = arrivals.empty() ? 0 : m_jobs[arrivals.front()].submitted;
    for (uint32_t port = 0; m_failures.rate > 0 && port < m_scheduler.GetNPorts(); ++port)
    {
        DrawFault(port, true);
    }
    std::size_t next = 0;
    while (next < arrivals.size() || !m_running.empty() || m_scheduler.GetNWaiting() > 0)
    {
        constexpr double never = std::numeric_limits<double>::infinity();
        const double arrival = next < arrivals.size() ? m_jobs[arrivals[next]].submitted : never;
        const auto [end, ended] = GetNextEnd();
        const double fault = m_faults.empty() ? never : m_faults.top().time;
        const double time = std::min({arrival, end, fault});
        if (time == never)
        {
            throw std::invalid_argument("Jobs wait for GPUs that never become free: enlarge the "
                                        "cluster, or place jobs scattered");
        }
        Advance(time);
        if (end == time)
        {
            End(ended);
        }
        else if (fault == time)
        {
            Fail();
        }
        else
        {
            const ClusterJob& job = m_jobs[arrivals[next]];
            m_scheduler.Submit(arrivals[next++], job.gpus, job.alone);
        }
        StartJobs();
    }
}

double
ClusterRun::GetShare(const Progress& progress) const
{
    return progress.interval > 0 ? progress.interval / (progress.interval + m_failures.write) : 1;
}

std::pair<double, uint32_t>
ClusterRun::GetNextEnd() const
{
    std::pair<double, uint32_t> next{std::numeric_limits<double>::infinity(), 0};
    for (const auto& [job, progress] : m_running)
    {
        const double begin = std::max(m_now, progress.ready);
        const double end = begin + m_left[job] * progress.seconds / GetShare(progress);
        next = std::min(next, std::make_pair(end, job));
    }
    return next;
}

void
ClusterRun::Advance(double time)
{
    for (auto& [job, progress] : m_running)
    {
        const double computing = std::max(0.0, time - std::max(m_now, progress.ready));
        const double useful = computing * GetShare(progress);
        progress.computing += computing;
        m_left[job] = std::max(0.0, m_left[job] - useful / progress.seconds);
        m_outcomes[job].running += time - m_now;
        m_outcomes[job].useful += useful;
    }
    const uint32_t free = m_scheduler.GetNFree();
    if (free > 0)
    {
        m_freeTime += time - m_now;
        m_fragmented += (time - m_now) * (1 - double(m_scheduler.GetLargest()) / free);
    }
    m_now = time;
}

double
ClusterRun::GetFragmentation() const
{
    return m_freeTime > 0 ? m_fragmented / m_freeTime : 0;
}

void
ClusterRun::StartJobs()
{
    for (auto& start : m_scheduler.StartJobs(m_now))
    {
        Progress progress;
        const uint32_t gpus = start.ports.size();
        progress.ports = std::move(start.ports);
        Outcome& outcome = m_outcomes[start.job];
        if (outcome.running == 0 && outcome.nFailures == 0)
        {
            outcome.start = m_now;
        }
        progress.ready = m_now + (outcome.nFailures > 0 ? m_failures.restart : 0);
        if (m_failures.rate > 0 && m_failures.write > 0)
        {
            const CheckpointModel model{m_failures.write,
                                        m_failures.restart,
                                        1 / (m_failures.rate * gpus)};
            progress.interval =
                m_failures.interval > 0 ? m_failures.interval : model.GetDalyInterval();
        }
        m_running[start.job] = std::move(progress);
        m_hasChanged = true;
    }
    if (!m_hasChanged || m_running.empty())
    {
        return;
    }
    m_hasChanged = false;
    std::vector<Running> running;
    for (const auto& [job, progress] : m_running)
    {
        running.push_back({job, progress.ports});
    }
    const std::vector<double> times = m_times(running);
    for (std::size_t i = 0; i < running.size(); ++i)
    {
        m_running[running[i].job].seconds = times.at(i);
    }
}

void
ClusterRun::End(uint32_t job)
{
    m_scheduler.End(job);
    m_running.erase(job);
    m_outcomes[job].end = m_now;
    m_left[job] = 0;
    m_hasChanged = true;
}

void
ClusterRun::DrawFault(uint32_t port, bool failed)
{
    const double mean = failed ? 1 / m_failures.rate : m_failures.repair;
    const double uniform = (static_cast<double>(m_random() >> 11) + 0.5) / 9007199254740992.0;
    m_faults.push({m_now - mean * std::log(uniform), port, failed});
}

void
ClusterRun::Fail()
{
    const Fault fault = m_faults.top();
    m_faults.pop();
    m_scheduler.SetFailed(fault.port, fault.failed);
    DrawFault(fault.port, !fault.failed);
    if (!fault.failed)
    {
        return;
    }
    for (const auto& [job, progress] : m_running)
    {
        if (std::find(progress.ports.begin(), progress.ports.end(), fault.port) ==
            progress.ports.end())
        {
            continue;
        }
        // What it has computed since the last checkpoint is lost
        const double period = progress.interval + m_failures.write;
        const double lost = progress.interval > 0
                                ? std::fmod(progress.computing, period) * GetShare(progress)
                                : m_outcomes[job].useful;
        m_left[job] = progress.interval > 0 ? m_left[job] + lost / progress.seconds
                                            : static_cast<double>(m_jobs[job].iterations);
        m_outcomes[job].useful -= lost;
        ++m_outcomes[job].nFailures;
        m_scheduler.End(job);
        m_scheduler.Submit(job, m_jobs[job].gpus, m_left[job] * progress.seconds, true);
        m_running.erase(job);
        m_hasChanged = true;
        return;
    }
}

ClusterSummary::ClusterSummary(const std::vector<ClusterJob>& jobs,
                               const std::vector<ClusterRun::Outcome>& outcomes,
                               uint32_t ports)
{
    double begin = std::numeric_limits<double>::infinity();
    double end = 0;
    double held = 0;
    double useful = 0;
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const ClusterJob& job = jobs[i];
        const ClusterRun::Outcome& outcome = outcomes[i];
        begin = std::min(begin, job.submitted);
        end = std::max(end, outcome.end);
        held += job.gpus * outcome.running;
        useful += job.gpus * outcome.useful;
        waiting += (outcome.start - job.submitted) / static_cast<double>(jobs.size());
        jobTime += (outcome.end - outcome.start) / static_cast<double>(jobs.size());
        slowDown += (outcome.end - outcome.start) / job.alone / static_cast<double>(jobs.size());
        const double speed = job.alone / (outcome.end - job.submitted);
        sum += speed;
        squares += speed * speed;
        nFailures += outcome.nFailures;
    }
    seconds = jobs.empty() ? 0 : end - begin;
    utilisation = seconds > 0 ? held / (ports * seconds) : 0;
    goodput = seconds > 0 ? useful / (ports * seconds) : 0;
    fairness = squares > 0 ? sum * sum / (static_cast<double>(jobs.size()) * squares) : 0;
}

} // namespace lightpath
} // namespace ns3
