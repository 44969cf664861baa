/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/base/byte-archive.h"
#include "model/parallel/process-group.h"
#include "model/training/transport/server-network.h"
#include "rank-result.h"
#include "training-application.h"
#include "training-job.h"
#include "wait-log.h"

#include "ns3/abort.h"
#include "ns3/node.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * The results of the ranks of a TrainingJob, which may be those of several processes.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Write or read the results of the ranks of a process.
 *
 * @param [in,out] archive where to
 * @param process the process
 * @param ranks all ranks
 * @param [in,out] results their results
 */
void
PassResults(ByteArchive& archive,
            uint32_t process,
            const std::vector<Ptr<TrainingApplication>>& ranks,
            std::vector<RankResult>& results)
{
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    {
        if (ProcessGroup::IsOf(process, ranks[rank]->GetNode()))
        {
            results[rank].Pass(archive);
        }
    }
}

} // namespace

uint32_t
TrainingJob::CountOwn() const
{
    if (ProcessGroup::GetSize() == 1)
    {
        return static_cast<uint32_t>(m_ranks.size());
    }
    return static_cast<uint32_t>(
        std::count_if(m_ranks.begin(), m_ranks.end(), [](const auto& rank) {
            return ProcessGroup::IsHere(rank->GetNode());
        }));
}

std::vector<RankResult>
TrainingJob::GetResults() const
{
    if (!m_results.empty())
    {
        return m_results;
    }
    std::vector<RankResult> results(m_ranks.size());
    for (uint32_t rank = 0; rank < results.size(); ++rank)
    {
        const auto& transport = m_ranks[rank]->GetTransport();
        NS_ABORT_MSG_UNLESS(transport,
                            "The ranks of the job are gone with their simulation: report on it "
                            "before Simulator::Destroy()");
        RankResult& result = results[rank];
        result.records = m_ranks[rank]->GetRecords();
        result.sentBytes = transport->GetSentBytes();
        result.insideBytes = m_servers ? m_servers->GetInsideBytes(rank) : 0;
        result.setUpTime = transport->GetSetUpTime();
        result.statistics = transport->GetStatistics();
        result.darkChanges = transport->GetDarkChanges();
    }
    return results;
}

void
TrainingJob::GatherResults()
{
    if (!m_waits->GetLog())
    {
        return;
    }
    const uint64_t ended = ProcessGroup::Sum({IsFinished() ? CountOwn() : 0}).front();
    m_results = GetResults();
    m_nEnded.assign(m_nIterations, 0);
    m_nEnded.back() = static_cast<uint32_t>(ended);
    ByteArchive own;
    PassResults(own, ProcessGroup::GetRank(), m_ranks, m_results);
    m_waits->GetLog()->Pass(own);
    WaitLog log;
    uint32_t process = 0;
    for (const std::string& bytes : ProcessGroup::Gather(own.GetBytes()))
    {
        ByteArchive part(bytes);
        PassResults(part, process++, m_ranks, m_results);
        log.Pass(part);
    }
    m_waits = std::make_unique<WaitLedger>(m_ranks.size(), m_waitTrace);
    log.Settle(*m_waits, m_results);
}

} // namespace lightpath
} // namespace ns3
