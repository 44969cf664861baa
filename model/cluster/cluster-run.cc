/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-run.h"

#include "checkpoint-model.h"
#include "cluster-outlook.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Faults that a fabric bypasses between two judgements.
constexpr uint64_t FAULTS_BETWEEN = 1000;

/// The same for each component.
constexpr uint64_t FAULTS_OF_EACH = 4;

/// Such faults that jobs may have before them; each takes a decision on circuits.
constexpr double MOST_BYPASSED = 1e5;

/**
 * @param number a number
 * @return the next number of the generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
 */
uint64_t
Scatter(uint64_t number)
{
    number += 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31);
}

} // namespace

ClusterRun::ClusterRun(std::vector<ClusterJob> jobs,
                       ClusterScheduler scheduler,
                       IterationTimes times,
                       const ClusterFailures& failures)
    : m_jobs(std::move(jobs)),
      m_scheduler(std::move(scheduler)),
      m_times(std::move(times)),
      m_failures(failures),
      m_outcomes(m_jobs.size()),
      m_nFailed(m_scheduler.GetNPorts()),
      m_componentsOf(m_scheduler.GetNPorts())
{
    for (const ClusterJob& job : m_jobs)
    {
        m_arrivals.push_back(m_arrivals.size());
        m_left.push_back(static_cast<double>(job.iterations));
    }
    std::stable_sort(m_arrivals.begin(), m_arrivals.end(), [this](uint32_t a, uint32_t b) {
        return m_jobs[a].submitted < m_jobs[b].submitted;
    });
    for (uint32_t i = 0; i < m_failures.components.size(); ++i)
    {
        const ClusterComponent& component = m_failures.components[i];
        m_random.push_back(Scatter(Scatter(failures.seed) + i));
        for (const uint32_t port : component.ports)
        {
            if (port >= m_componentsOf.size())
            {
                throw std::invalid_argument("Component " + component.name + " serves port " +
                                            std::to_string(port) + " of a cluster of " +
                                            std::to_string(m_componentsOf.size()) +
                                            ": count ports from 0");
            }
            if (!component.isBypassed)
            {
                m_componentsOf[port].push_back(i);
            }
        }
    }
}

void
ClusterRun::SetFaultCallback(FaultCallback callback)
{
    m_faultCallback = std::move(callback);
}

void
ClusterRun::SetObserver(Observer observer)
{
    m_observer = std::move(observer);
}

void
ClusterRun::Note(Event::Kind kind, uint32_t number, const std::vector<uint32_t>* ports) const
{
    if (m_observer)
    {
        m_observer({kind, m_now, number, ports});
    }
}

void
ClusterRun::Run()
{
    ClusterOutlook(m_failures, m_scheduler.GetNPorts()).Check(m_jobs);
    m_now = m_arrivals.empty() ? 0 : m_jobs[m_arrivals.front()].submitted;
    for (uint32_t i = 0; i < m_failures.components.size(); ++i)
    {
        DrawFault(i, true);
    }
    while (m_nSubmitted < m_arrivals.size() || !m_running.empty() || m_scheduler.GetNWaiting() > 0)
    {
        constexpr double never = std::numeric_limits<double>::infinity();
        const double arrival =
            m_nSubmitted < m_arrivals.size() ? m_jobs[m_arrivals[m_nSubmitted]].submitted : never;
        const auto [end, ended] = GetNextEnd();
        const double fault = m_faults.empty() ? never : m_faults.top().time;
        const double time = std::min({arrival, end, fault});
        if (time == never)
        {
            throw std::invalid_argument("Jobs wait for GPUs or circuits that never become free: "
                                        "enlarge the cluster, or place jobs otherwise");
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
            Submit();
        }
        StartJobs();
    }
}

void
ClusterRun::Submit()
{
    const uint32_t number = m_arrivals[m_nSubmitted++];
    m_scheduler.Submit(number, m_jobs[number].gpus, m_jobs[number].alone);
    Note(Event::SUBMITTED, number, nullptr);
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
        // A job that waits for circuits computes nothing, and writes no checkpoint
        const bool isGoing = progress.seconds < std::numeric_limits<double>::infinity();
        const double useful = isGoing ? computing * GetShare(progress) : 0;
        const double before = progress.computing;
        progress.computing += isGoing ? computing : 0;
        m_left[job] = std::max(0.0, m_left[job] - useful / progress.seconds);
        m_done += useful / progress.seconds * m_jobs[job].alone /
                  static_cast<double>(m_jobs[job].iterations);
        m_outcomes[job].running += time - m_now;
        m_outcomes[job].useful += useful;
        const double period = progress.interval + m_failures.write;
        const double last = std::floor(progress.computing / period) * period;
        if (progress.interval > 0 && last > before)
        {
            // A checkpoint has been written since
            const double since = (progress.computing - last) * GetShare(progress);
            progress.saved = m_left[job] + since / progress.seconds;
            progress.savedUseful = m_outcomes[job].useful - since;
        }
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
        progress.ports = std::move(start.ports);
        Outcome& outcome = m_outcomes[start.job];
        if (outcome.running == 0 && outcome.nFailures == 0)
        {
            outcome.start = m_now;
        }
        progress.ready =
            m_now + (outcome.nFailures > 0 ? m_failures.detection + m_failures.restart : 0);
        progress.interval = GetInterval(progress.ports);
        progress.saved = m_left[start.job];
        progress.savedUseful = outcome.useful;
        Note(Event::STARTED, start.job, &progress.ports);
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

double
ClusterRun::GetInterval(const std::vector<uint32_t>& ports) const
{
    std::set<uint32_t> components;
    for (const uint32_t port : ports)
    {
        components.insert(m_componentsOf[port].begin(), m_componentsOf[port].end());
    }
    double rate = 0;
    for (const uint32_t component : components)
    {
        rate += m_failures.components[component].rate;
    }
    if (rate == 0 || m_failures.write == 0 || m_failures.interval > 0)
    {
        return rate == 0 || m_failures.write == 0 ? 0 : m_failures.interval;
    }
    const double restart = m_failures.detection + m_failures.restart;
    return CheckpointModel{m_failures.write, restart, 1 / rate}.GetDalyInterval();
}

void
ClusterRun::End(uint32_t job)
{
    Note(Event::ENDED, job, &m_running[job].ports);
    m_scheduler.End(job);
    m_running.erase(job);
    m_outcomes[job].end = m_now;
    m_left[job] = 0;
    m_hasChanged = true;
}

double
ClusterRun::Draw(uint32_t component)
{
    uint64_t& state = m_random[component];
    const uint64_t number = Scatter(state);
    state += 0x9e3779b97f4a7c15U;
    return (static_cast<double>(number >> 11) + 0.5) / 9007199254740992.0;
}

void
ClusterRun::DrawFault(uint32_t component, bool failed)
{
    const double mean = failed ? 1 / m_failures.components[component].rate : m_failures.repair;
    double wait = -mean * std::log(Draw(component));
    if (!failed && m_failures.repairMedian > 0)
    {
        // The mean of a log-normal distribution is its median times e^(sigma^2 / 2)
        const double sigma = std::sqrt(2 * std::log(mean / m_failures.repairMedian));
        const double radius = std::sqrt(-2 * std::log(Draw(component)));
        const double normal = radius * std::cos(2 * std::acos(-1.0) * Draw(component));
        wait = m_failures.repairMedian * std::exp(sigma * normal);
    }
    m_faults.push({m_now + wait, component, failed});
}

void
ClusterRun::Fail()
{
    const Fault fault = m_faults.top();
    m_faults.pop();
    const ClusterComponent& component = m_failures.components[fault.component];
    DrawFault(fault.component, !fault.failed);
    if (!component.isBypassed)
    {
        SetFailed(component, fault.failed);
    }
    std::vector<uint32_t> hit;
    for (const auto& [job, progress] : m_running)
    {
        if (std::any_of(progress.ports.begin(), progress.ports.end(), [&](uint32_t port) {
                return std::binary_search(component.ports.begin(), component.ports.end(), port);
            }))
        {
            hit.push_back(job);
        }
    }
    for (const uint32_t job : hit)
    {
        if (component.isBypassed)
        {
            const double found = m_now + (fault.failed ? m_failures.detection : 0);
            double& ready = m_running[job].ready;
            ready = std::max(ready, found + m_failures.switching);
        }
        else if (fault.failed)
        {
            StopJob(job);
        }
    }
    Note(fault.failed ? Event::FAILED : Event::REPAIRED, fault.component, &component.ports);
    if (component.isBypassed)
    {
        m_hasChanged = true;
        if (m_faultCallback)
        {
            m_faultCallback(component.name, fault.failed);
        }
        CheckPace();
    }
}

void
ClusterRun::CheckPace()
{
    const uint64_t between =
        std::max(FAULTS_BETWEEN, FAULTS_OF_EACH * m_failures.components.size());
    if (++m_nBypassed < between)
    {
        return;
    }
    double left = 0;
    for (const auto& [job, progress] : m_running)
    {
        left += m_left[job] * m_jobs[job].alone / static_cast<double>(m_jobs[job].iterations);
    }
    if (left * static_cast<double>(between) > m_done * MOST_BYPASSED)
    {
        std::ostringstream text;
        text.precision(3);
        text << "Jobs are not expected to end: during " << between << " failures and repairs of "
             << m_failures.components.size() << " components they did " << m_done / 3600
             << " h of their work, of which " << left / 3600
             << " h are left: let links and switches fail less often, or repair them sooner";
        throw std::invalid_argument(text.str());
    }
    m_nBypassed = 0;
    m_done = 0;
}

void
ClusterRun::SetFailed(const ClusterComponent& component, bool failed)
{
    for (const uint32_t port : component.ports)
    {
        failed ? ++m_nFailed[port] : --m_nFailed[port];
        m_scheduler.SetFailed(port, m_nFailed[port] > 0);
    }
}

void
ClusterRun::StopJob(uint32_t job)
{
    const Progress& progress = m_running[job];
    m_left[job] = progress.saved;
    m_outcomes[job].useful = progress.savedUseful;
    ++m_outcomes[job].nFailures;
    Note(Event::STOPPED, job, &progress.ports);
    m_scheduler.End(job);
    const double share = m_left[job] / static_cast<double>(m_jobs[job].iterations);
    m_scheduler.Submit(job, m_jobs[job].gpus, share * m_jobs[job].alone, true);
    m_running.erase(job);
    m_hasChanged = true;
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
