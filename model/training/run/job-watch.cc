/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-watch.h"
#include "model/parallel/process-group.h"
#include "model/training/forward/fast-forward.h"
#include "model/training/transport/server-network.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * The watch of a TrainingJob on its progress.
 */

namespace ns3
{
namespace lightpath
{

/// The log of the watch
NS_LOG_COMPONENT_DEFINE("TrainingJobWatch");

uint64_t
TrainingJob::GetProgress() const
{
    uint64_t progress = 0;
    for (const auto& rank : m_ranks)
    {
        progress += rank->GetProgress() + rank->GetTransport()->GetSentBytes();
    }
    return progress;
}

bool
TrainingJob::LookForProgress(bool& moving)
{
    uint64_t working = 0;
    uint64_t anyMoving = 0;
    // A long computation or launch makes no countable progress before its end, and neither does a
    // long burst
    for (auto rank = m_ranks.begin(); working == 0 && rank != m_ranks.end(); ++rank)
    {
        working = (*rank)->IsComputing() || (*rank)->IsLaunching();
        anyMoving = anyMoving || (*rank)->GetTransport()->IsMoving();
    }
    const auto sums =
        ProcessGroup::Sum({GetProgress(), working, anyMoving, IsFinished() ? 1U : 0U});
    moving = sums[2] > 0;
    m_hasEnded = sums[3] == ProcessGroup::GetSize();
    return std::exchange(m_progress, sums[0]) != sums[0] || sums[1] > 0;
}

void
TrainingJob::NotifyStop()
{
    NS_LOG_FUNCTION(this);
    if (m_nRunning > 0 && --m_nRunning == 0)
    {
        EndWatch();
    }
}

void
TrainingJob::NotifyDispose()
{
    NS_LOG_FUNCTION(this);
    if (++m_nDisposed == m_ranks.size())
    {
        m_forward.reset();
    }
}

void
TrainingJob::EndWatch()
{
    // An event that is only cancelled stays in the queue, and the simulation would go on to it.
    // With several processes all of them end the watch together
    if (ProcessGroup::GetSize() == 1)
    {
        m_watch.Remove();
    }
}

void
TrainingJob::Watch()
{
    NS_LOG_FUNCTION(this);
    // Bytes on their way may be those of a connection that never sends again
    constexpr int64_t most = 1000;
    const Time now = Simulator::Now();
    bool moving = false;
    const bool working = LookForProgress(moving);
    if (m_hasEnded)
    {
        return;
    }
    NS_LOG_LOGIC("the watch finds the job " << (working || moving ? "moving" : "at rest"));
    if (working)
    {
        m_lastProgress = now;
    }
    if (working || (moving && (now - m_lastProgress) / most < m_stallTimeout))
    {
        m_lastSign = now;
    }
    // Circuits that are decided on periodically may come later than the StallTimeout
    Time timeout = m_stallTimeout;
    for (const auto& circuits : m_circuits)
    {
        timeout = std::max(timeout, circuits->GetPatience());
    }
    // While there is progress, one check in each timeout is enough
    const Time end = m_lastSign + timeout;
    if (end > now)
    {
        m_watch = Simulator::Schedule(end - now, &TrainingJob::Watch, this);
        return;
    }
    Fail(Describe());
}

std::string
TrainingJob::Describe()
{
    if (m_forward)
    {
        m_forward->GiveBack();
    }
    // Naming a few ranks shows where to look; naming all would hide it
    constexpr uint32_t most = 3;
    std::vector<std::string> waiting;
    std::vector<std::string> unsent;
    // The message that each rank waits for, and those that cannot be sent: one is often the cause
    // of the other
    for (const auto& rank : m_ranks)
    {
        if (!ProcessGroup::IsHere(rank->GetNode()))
        {
            continue;
        }
        for (const auto& clause : rank->DescribeWaiting(1))
        {
            waiting.push_back(clause);
        }
        const std::string clause = rank->GetTransport()->Describe();
        if (!clause.empty())
        {
            unsent.push_back(clause);
        }
    }
    std::ostringstream sentence;
    sentence << "The training job has made no progress for "
             << (Simulator::Now() - m_lastProgress).GetSeconds()
             << " s and cannot go on: " << waiting.size() << " of " << m_ranks.size()
             << " ranks wait";
    for (std::size_t i = 0; i < waiting.size() && i < most; ++i)
    {
        sentence << (i == 0 ? "; " : ", ") << waiting[i];
    }
    for (std::size_t i = 0; i < unsent.size() && i < most; ++i)
    {
        sentence << (i == 0 ? "; " : ", ") << unsent[i];
    }
    for (const auto& circuits : m_circuits)
    {
        const std::string unserved = circuits->DescribeUnserved();
        sentence << (unserved.empty() ? "" : "; ") << unserved;
    }
    const auto& failed = m_servers ? m_servers->GetFailed() : *m_failed;
    for (auto component = failed.begin(); component != failed.end(); ++component)
    {
        sentence << (component == failed.begin() ? "; failed: " : ", ") << *component;
    }
    return sentence.str();
}

} // namespace lightpath
} // namespace ns3
