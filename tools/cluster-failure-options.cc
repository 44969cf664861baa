/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-failure-options.h"

#include "ns3/fabric-description.h"
#include "ns3/interconnect-helper.h"

#include <stdexcept>

using namespace ns3::lightpath;

void
ClusterFailureOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Failures");
    options.AddValue("failures",
                     "Published failures of GPUs, servers and links: none, llama-3, rsc-1",
                     m_name);
    options.AddValue("gpuMtbf",
                     "Years between failures of a GPU; 0: none, below 0: as of --failures; so also "
                     "the next three",
                     m_given.gpuYears);
    options.AddValue("serverMtbf",
                     "Years between failures of a server besides its GPUs",
                     m_given.serverYears);
    options.AddValue("linkMtbf",
                     "Years between failures of a link: a cable or fibres with their transceivers",
                     m_given.linkYears);
    options.AddValue("switchMtbf", "Years between failures of a switch", m_given.switchYears);
    options.AddValue("serverSize",
                     "GPUs of a server, which fail together",
                     m_given.serverGpus,
                     1,
                     64);
    options.AddValue("spareGpus",
                     "GPUs kept free for jobs that failures have stopped",
                     spare,
                     0,
                     1 << 16);
    options.AddValue("repairMean", "Mean days until a component works again", m_repairDays);
    options.AddValue("repairMedian",
                     "Median of these days, which are log-normal; 0: exponential",
                     m_repairMedian);
    options.AddValue("detectionTime",
                     "Time in which a failure is found out, s",
                     m_failures.detection);
    options.AddValue("checkpointTime",
                     "Time to write a checkpoint, s; 0: none, and jobs begin again",
                     m_failures.write);
    options.AddValue("checkpointInterval",
                     "Time between checkpoints, s; 0: the interval of Daly",
                     m_failures.interval);
    options.AddValue("restartTime",
                     "Time to load the checkpoint and begin again, s",
                     m_failures.restart);
}

void
ClusterFailureOptions::Check() const
{
    if (m_failures.write < 0 || m_failures.restart < 0 || m_failures.detection < 0 ||
        m_failures.interval < 0)
    {
        throw std::invalid_argument("--checkpointTime, --checkpointInterval, --detectionTime and "
                                    "--restartTime must be at least 0");
    }
    if (m_repairDays <= 0 || m_repairMedian < 0 || m_repairMedian > m_repairDays)
    {
        throw std::invalid_argument("--repairMean must be above 0, and --repairMedian at least 0 "
                                    "and at most --repairMean");
    }
    GetReliability();
}

ClusterReliability
ClusterFailureOptions::GetReliability() const
{
    ClusterReliability reliability = ClusterReliability::Create(m_name);
    for (const auto years : {&ClusterReliability::gpuYears,
                             &ClusterReliability::serverYears,
                             &ClusterReliability::linkYears,
                             &ClusterReliability::switchYears})
    {
        reliability.*years = m_given.*years < 0 ? reliability.*years : m_given.*years;
    }
    reliability.serverGpus = m_given.serverGpus;
    return reliability;
}

bool
ClusterFailureOptions::HasFailures() const
{
    const ClusterReliability reliability = GetReliability();
    return reliability.gpuYears > 0 || reliability.serverYears > 0 || reliability.linkYears > 0 ||
           reliability.switchYears > 0;
}

ClusterFailures
ClusterFailureOptions::Get(const InterconnectHelper& fabric,
                           uint32_t gpus,
                           bool isBypassing,
                           uint32_t seed) const
{
    constexpr double day = 86400;
    ClusterFailures failures = m_failures;
    failures.components = ListClusterComponents(fabric, gpus, isBypassing, GetReliability());
    failures.switching = FabricDescription::Create(fabric)->GetLimits(gpus).switchingSeconds;
    failures.repair = day * m_repairDays;
    failures.repairMedian = day * m_repairMedian;
    failures.seed = seed;
    return failures;
}
