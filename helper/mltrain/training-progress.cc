/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-progress.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3
{
namespace lightpath
{

void
TrainingProgress::Watch(Ptr<TrainingJob> job, std::ostream& os, double seconds)
{
    NS_ABORT_MSG_IF(!(seconds > 0), "The time between two lines of progress must be above 0 s");
    Ptr<TrainingProgress> progress(new TrainingProgress(job->GetNIterations(), os, seconds), false);
    job->TraceConnectWithoutContext("IterationEnd",
                                    MakeCallback(&TrainingProgress::EndIteration, progress));
    job->TraceConnectWithoutContext("Finished", MakeCallback(&TrainingProgress::End, progress));
    job->TraceConnectWithoutContext("Failed", MakeCallback(&TrainingProgress::Fail, progress));
    progress->m_event = Simulator::ScheduleNow(&TrainingProgress::Look, progress);
}

TrainingProgress::TrainingProgress(uint32_t nIterations, std::ostream& os, double seconds)
    : m_nIterations(nIterations),
      m_os(os),
      m_interval(seconds),
      m_step(MicroSeconds(1)),
      m_begin(Clock::now()),
      m_shown(m_begin),
      m_last(m_begin)
{
}

double
TrainingProgress::GetSeconds(Clock::time_point since)
{
    return std::chrono::duration<double>(Clock::now() - since).count();
}

void
TrainingProgress::EndIteration(uint32_t iteration)
{
    m_ended = iteration;
}

void
TrainingProgress::Look()
{
    // Ten looks in the time of a line; in a simulation that slows down the next one is not far
    const bool isFast = GetSeconds(m_last) < m_interval / 10;
    const Time most = Max(MicroSeconds(1), Simulator::Now() / 100);
    m_step = isFast ? Min(2 * m_step, most) : Max(m_step / 2, NanoSeconds(1));
    m_last = Clock::now();
    if (GetSeconds(m_shown) >= m_interval)
    {
        m_shown = m_last;
        Print();
    }
    m_event = Simulator::Schedule(m_step, &TrainingProgress::Look, Ptr<TrainingProgress>(this));
}

void
TrainingProgress::Print() const
{
    m_os << m_ended << " of " << m_nIterations << " iterations, " << Simulator::Now().GetSeconds()
         << " s simulated in " << std::lround(GetSeconds(m_begin)) << " s" << std::endl;
}

void
TrainingProgress::End()
{
    Simulator::Cancel(m_event);
}

void
TrainingProgress::Fail(std::string /* sentence */)
{
    End();
}

} // namespace lightpath
} // namespace ns3
