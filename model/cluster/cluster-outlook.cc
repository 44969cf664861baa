/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-outlook.h"

#include "checkpoint-model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Failures and repairs that a job may see.
constexpr double MOST_FAULTS = 1e7;

} // namespace

ClusterOutlook::ClusterOutlook(const ClusterFailures& failures, uint32_t ports)
    : m_failures(failures),
      m_rates(ports + 1, 0)
{
    // Components that have failed, by the number of their ports, as a Poisson process
    std::map<std::size_t, double> sizes;
    double none = 0;
    for (const auto& component : failures.components)
    {
        if (component.isBypassed || component.ports.empty() || !(component.rate > 0))
        {
            continue;
        }
        const double mean = std::log1p(component.rate * failures.repair);
        sizes[component.ports.size()] += mean;
        none += mean;
        m_changes += mean;
        m_failed += static_cast<double>(component.ports.size()) *
                    (1 - std::exp(-mean)); // the share of the time in which it is under repair
        // It stops each job that has its first port
        m_rates[std::min(component.ports.front() + 1, ports)] += component.rate;
    }
    for (uint32_t gpus = 1; gpus <= ports; ++gpus)
    {
        m_rates[gpus] += m_rates[gpus - 1];
    }
    // Panjer's recursion, in units that keep numbers from vanishing
    std::vector<double> terms(ports + 1, 0);
    terms[0] = 1;
    double sum = 1;
    double scale = -none;
    m_chances.push_back(std::exp(scale));
    for (uint32_t failed = 1; failed <= ports; ++failed)
    {
        for (const auto& [size, mean] : sizes)
        {
            terms[failed] += size > failed ? 0 : mean * size / failed * terms[failed - size];
        }
        sum += terms[failed];
        if (sum > 1e200)
        {
            std::for_each(terms.begin(), terms.end(), [](double& term) { term /= 1e200; });
            sum /= 1e200;
            scale += std::log(1e200);
        }
        m_chances.push_back(std::min(1.0, std::exp(scale + std::log(sum))));
    }
}

double
ClusterOutlook::GetStops(const ClusterJob& job) const
{
    const double rate = m_rates[std::min<std::size_t>(job.gpus, m_rates.size() - 1)];
    if (rate == 0)
    {
        return 0;
    }
    const double restart = m_failures.detection + m_failures.restart;
    double piece = job.alone;
    if (m_failures.write > 0)
    {
        const CheckpointModel model{m_failures.write, restart, 1 / rate};
        const double interval =
            m_failures.interval > 0 ? m_failures.interval : model.GetDalyInterval();
        piece = std::min(piece, interval);
    }
    // Each piece begins again until it goes through without a failure
    const double pieces = piece > 0 ? job.alone / piece : 0;
    return pieces * std::expm1(rate * (piece + m_failures.write + restart));
}

double
ClusterOutlook::GetChance(uint32_t gpus) const
{
    const std::size_t ports = m_chances.size() - 1;
    return gpus > ports ? 0 : m_chances[ports - gpus];
}

void
ClusterOutlook::Check(const std::vector<ClusterJob>& jobs) const
{
    for (const auto& job : jobs)
    {
        const double stops = GetStops(job);
        const double waits = 1 / std::max(GetChance(job.gpus), 1e-300);
        // While it waits, components fail and are repaired
        if ((1 + stops) * (1 + 2 * m_changes * (waits - 1)) <= MOST_FAULTS)
        {
            continue;
        }
        std::ostringstream text;
        text.precision(3);
        text << "Job " << job.name << " is not expected to end: ";
        if (stops > MOST_FAULTS)
        {
            text << "failures stop its " << job.gpus << " GPUs ";
            if (std::isfinite(stops))
            {
                text << stops << " times ";
            }
            text << "until it has done its work of " << job.alone / 3600
                 << " h: let components fail less often, write checkpoints, or make it smaller";
        }
        else
        {
            text << "it needs " << job.gpus << " GPUs that work, as they do in 1 of " << waits
                 << " moments in a cluster of " << m_chances.size() - 1 << ", of which " << m_failed
                 << " are under repair on average: enlarge the cluster, or repair sooner";
        }
        throw std::invalid_argument(text.str());
    }
}

} // namespace lightpath
} // namespace ns3
