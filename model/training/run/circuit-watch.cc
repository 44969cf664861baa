/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-watch.h"

#include "model/training/transport/server-network.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitWatch");

CircuitWatch::CircuitWatch(TrainingJob& job, Ptr<CircuitController> controller, uint32_t rail)
    : m_job(job),
      m_controller(controller),
      m_channel(controller->GetChannel()),
      m_rail(rail),
      m_ports(JobPorts::Find(job))
{
    TrafficMatrix traffic = m_ports ? m_ports->ToPorts(job.GetTraffic()) : job.GetTraffic();
    if (job.GetServers())
    {
        traffic = job.GetServers()->GetLayout().GetRailTraffic(traffic, rail);
    }
    for (uint32_t source = 0; source < traffic.GetSize(); ++source)
    {
        for (const auto& entry : traffic.GetRow(source))
        {
            m_pairs.emplace_back(source, entry.first);
        }
    }
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

std::string
CircuitWatch::DescribeUnserved() const
{
    const auto& unserved = m_controller->GetUnserved();
    const auto own = std::find_if(unserved.begin(), unserved.end(), [this](const PortPair& pair) {
        return IsOwn(pair);
    });
    if (own == unserved.end())
    {
        return "";
    }
    // One that can never get a circuit says more than one that has to wait
    const auto allocator = m_controller->GetAllocator();
    const auto find = [&](const PortPair& pair) {
        return allocator && IsOwn(pair) ? allocator->GetObstacle(pair.first, pair.second) : "";
    };
    const auto never = std::find_if(own, unserved.end(), [&find](const PortPair& pair) {
        return !find(pair).empty();
    });
    return never == unserved.end()
               ? "the last decision has no circuit for " + Describe(*own)
               : "there is no circuit for " + Describe(*never) + ": " + find(*never);
}

void
CircuitWatch::NotifyFault(const std::string& component, bool failed)
{
    // Remember which failure cut each pair off, to name it when a message of the pair waits
    for (const PortPair& pair : m_pairs)
    {
        if (m_channel->HasPath(pair.first, pair.second))
        {
            m_cuts.erase(pair);
        }
        else
        {
            m_cuts.emplace(pair, component);
        }
    }
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
    std::vector<PortPair> unserved = m_controller->GetUnserved();
    unserved.erase(std::remove_if(unserved.begin(),
                                  unserved.end(),
                                  [this](const PortPair& pair) { return !IsOwn(pair); }),
                   unserved.end());
    const bool first = !m_decided;
    m_decided = true;
    m_unserved.clear();
    NS_LOG_LOGIC("a decision leaves " << unserved.size() << " pairs without a circuit"
                                      << (m_controller->IsPeriodic() ? ", and others follow" : ""));
    // A later decision may serve the pairs
    if (m_controller->IsPeriodic() || unserved.empty() || m_failed)
    {
        return;
    }
    std::vector<PortPair> left;
    std::copy_if(
        unserved.begin(),
        unserved.end(),
        std::back_inserter(left),
        [this](const PortPair& pair) { return m_channel->HasPath(pair.first, pair.second); });
    if (first && !left.empty())
    {
        FailAtOnce(left);
        return;
    }
    m_unserved.insert(unserved.begin(), unserved.end());
    Begin();
}

void
CircuitWatch::FailAtOnce(const std::vector<PortPair>& pairs)
{
    constexpr std::size_t most = 3;
    std::ostringstream sentence;
    sentence << "The fabric cannot give a lightpath to " << pairs.size()
             << " of the pairs that have traffic";
    for (std::size_t i = 0; i < pairs.size() && i < most; ++i)
    {
        sentence << (i == 0 ? ": " : ", ") << Describe(pairs[i]);
    }
    sentence << (pairs.size() > most ? " and others" : "");
    if (!m_component.empty())
    {
        sentence << ", since " << m_component << " has failed";
    }
    sentence
        << "; use a plan with fewer peers, more lanes, another allocator, or periodic decisions";
    m_failed = true;
    m_job.Fail(sentence.str());
}

void
CircuitWatch::Begin()
{
    if (!m_looking)
    {
        // Connected only from now on: a run without failures pays nothing for each message
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
    PortPair pair{source, destination};
    if (m_job.GetServers())
    {
        const auto way = m_job.GetServers()->GetLayout().GetWay(source, destination);
        if (way.isInside || way.rail != m_rail)
        {
            return;
        }
        pair = {way.from, way.to};
    }
    else if (m_ports)
    {
        pair = {m_ports->GetPort(source), m_ports->GetPort(destination)};
    }
    // The message is not in the backlog yet, so the check follows after this event
    if (m_check.IsExpired() && !Check(pair).empty())
    {
        m_check = Simulator::ScheduleNow(&CircuitWatch::CheckAll, this);
    }
}

void
CircuitWatch::CheckAll()
{
    TrafficMatrix::Row backlog;
    for (uint32_t source = 0; source < m_channel->GetNDevices() && !m_failed; ++source)
    {
        m_channel->GetPort(source)->GetBacklog(backlog);
        for (const auto& entry : backlog)
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
CircuitWatch::Describe(PortPair pair) const
{
    const auto servers = m_job.GetServers();
    const std::string kind = servers ? "port " : "rank ";
    const auto name = [this](uint32_t port) { return m_ports ? m_ports->GetRank(port) : port; };
    return kind + std::to_string(name(pair.first)) + " to " + kind +
           std::to_string(name(pair.second)) +
           (servers && servers->GetRails().size() > 1 ? " of rail " + std::to_string(m_rail) : "");
}

bool
CircuitWatch::IsOwn(PortPair pair) const
{
    return !m_ports || std::binary_search(m_pairs.begin(), m_pairs.end(), pair);
}

std::string
CircuitWatch::Check(PortPair pair) const
{
    // Without a path no decision helps; with one, only a decision that will not come
    const bool isolated = !m_channel->HasPath(pair.first, pair.second);
    if (m_failed || m_job.IsFinished() || !IsOwn(pair) ||
        (!isolated && m_unserved.count(pair) == 0))
    {
        return "";
    }
    std::ostringstream sentence;
    sentence << "Messages of " << Describe(pair) << " cannot be sent: "
             << (isolated ? "the fabric has no path between the two"
                          : "they are given no lightpath");
    const auto cut = m_cuts.find(pair);
    const std::string& component = cut == m_cuts.end() ? m_component : cut->second;
    if (!component.empty())
    {
        sentence << " since " << component << " has failed";
    }
    sentence << "; "
             << (isolated ? "mend it, or use a fabric with more paths"
                          : "use more lanes, another allocator, or periodic decisions");
    return sentence.str();
}

} // namespace lightpath
} // namespace ns3
