/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-watch.h"

#include "training-application.h"
#include "training-job.h"

#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{
namespace lightpath
{

CircuitWatch::CircuitWatch(TrainingJob& job, Ptr<CircuitController> controller)
    : m_job(job),
      m_controller(controller),
      m_channel(controller->GetChannel())
{
    m_channel->TraceConnectWithoutContext("Fault", MakeCallback(&CircuitWatch::NotifyFault, this));
    m_controller->TraceConnectWithoutContext("Decision",
                                             MakeCallback(&CircuitWatch::NotifyDecision, this));
    m_controller->TraceConnectWithoutContext("Schedule",
                                             MakeCallback(&CircuitWatch::NotifySchedule, this));
}

CircuitWatch::~CircuitWatch()
{
    m_check.Cancel();
    m_channel->TraceDisconnectWithoutContext("Fault",
                                             MakeCallback(&CircuitWatch::NotifyFault, this));
    m_controller->TraceDisconnectWithoutContext("Decision",
                                                MakeCallback(&CircuitWatch::NotifyDecision, this));
    m_controller->TraceDisconnectWithoutContext("Schedule",
                                                MakeCallback(&CircuitWatch::NotifySchedule, this));
}

Time
CircuitWatch::GetPatience() const
{
    return 2 * m_controller->GetDecisionPeriod();
}

void
CircuitWatch::NotifyFault(const std::string& component, bool failed)
{
    if (failed)
    {
        m_component = component;
        Begin();
    }
}

void
CircuitWatch::NotifyDecision(const TrafficMatrix&, const CircuitAllocation&)
{
    Judge();
}

void
CircuitWatch::NotifySchedule(const TrafficMatrix&, const CircuitSchedule&)
{
    Judge();
}

void
CircuitWatch::Judge()
{
    const auto& unserved = m_controller->GetUnserved();
    const bool first = !m_decided;
    m_decided = true;
    m_unserved.clear();
    if (m_controller->IsPeriodic() || unserved.empty() || m_failed)
    {
        return;
    }
    if (!first)
    {
        m_unserved.insert(unserved.begin(), unserved.end());
        Begin();
        return;
    }
    constexpr std::size_t most = 3;
    std::ostringstream sentence;
    sentence << "The fabric cannot give a lightpath to " << unserved.size()
             << " of the pairs that have traffic";
    for (std::size_t i = 0; i < unserved.size() && i < most; ++i)
    {
        sentence << (i == 0 ? ": rank " : ", rank ") << unserved[i].first << " to rank "
                 << unserved[i].second;
    }
    sentence << (unserved.size() > most ? " and others" : "")
             << "; use a plan with fewer peers, more lanes, or periodic decisions";
    m_failed = true;
    m_job.Fail(sentence.str());
}

void
CircuitWatch::Begin()
{
    if (!m_looking)
    {
        m_looking = true;
        const auto& ranks = m_job.GetRanks();
        for (uint32_t rank = 0; rank < ranks.size(); ++rank)
        {
            ranks[rank]->GetTransport()->TraceConnectWithoutContext(
                "Send",
                Callback<void, uint32_t, uint64_t, uint64_t>(
                    [this, rank](uint32_t destination, uint64_t, uint64_t) {
                        NotifySend(rank, destination);
                    }));
        }
    }
    if (m_check.IsExpired())
    {
        // After all faults of this instant
        m_check = Simulator::ScheduleNow(&CircuitWatch::CheckAll, this);
    }
}

void
CircuitWatch::NotifySend(uint32_t source, uint32_t destination)
{
    if (m_check.IsExpired() && !Check({source, destination}).empty())
    {
        m_check = Simulator::ScheduleNow(&CircuitWatch::CheckAll, this);
    }
}

void
CircuitWatch::CheckAll()
{
    for (uint32_t source = 0; source < m_channel->GetNDevices() && !m_failed; ++source)
    {
        for (const auto& entry : m_channel->GetPort(source)->GetBacklog())
        {
            const std::string sentence = Check({source, entry.first});
            if (!sentence.empty())
            {
                m_failed = true;
                m_job.Fail(sentence);
                return;
            }
        }
    }
}

std::string
CircuitWatch::Check(PortPair pair) const
{
    const bool isolated = !m_channel->HasPath(pair.first, pair.second);
    if (m_failed || m_job.IsFinished() || (!isolated && m_unserved.count(pair) == 0))
    {
        return "";
    }
    std::ostringstream sentence;
    sentence << "Messages of rank " << pair.first << " to rank " << pair.second
             << " cannot be sent: "
             << (isolated ? "the fabric has no path between the two"
                          : "the fabric has no lanes left for them");
    if (!m_component.empty())
    {
        sentence << " since " << m_component << " has failed";
    }
    sentence << "; "
             << (isolated ? "mend it, or use a fabric with more paths"
                          : "use more lanes, or periodic decisions");
    return sentence.str();
}

} // namespace lightpath
} // namespace ns3
