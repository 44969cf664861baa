/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-iterations.h"

#include "circuit-fabric-helper.h"
#include "electrical-switch-helper.h"
#include "interconnect-helper.h"
#include "link-graph-helper.h"
#include "oddl-helper.h"
#include "opt-inc-helper.h"
#include "topo-opt-helper.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A simulation of jobs on one fabric.
class ClusterSimulation
{
  public:
    /**
     * @param fabric installs the fabric
     * @param ports the number of its ports
     * @param training installs the jobs
     */
    ClusterSimulation(const InterconnectHelper& fabric,
                      uint32_t ports,
                      const TrainingHelper& training)
        : m_training(training)
    {
        NodeContainer nodes(ports);
        m_devices = fabric.Install(nodes);
        m_controller = ports > 1 ? fabric.CreateController(m_devices) : nullptr;
    }

    ~ClusterSimulation()
    {
        Simulator::Destroy();
    }

    ClusterSimulation(const ClusterSimulation&) = delete;
    ClusterSimulation& operator=(const ClusterSimulation&) = delete;

    /**
     * @param plan the plan of a job
     * @param ports its ports
     * @param iterations its iterations
     * @return the job, which begins now
     */
    Ptr<TrainingJob> Install(const TrainingPlan& plan,
                             const std::vector<uint32_t>& ports,
                             uint64_t iterations)
    {
        NetDeviceContainer devices;
        for (const uint32_t port : ports)
        {
            devices.Add(m_devices.Get(port));
        }
        m_training.SetJobAttribute("Iterations", UintegerValue(iterations));
        const auto job = TrainingHelper::GetJob(m_training.Install(plan, devices, m_controller));
        job->SetFailureCallback(Callback<void, std::string>([this](std::string sentence) {
            m_failure = sentence;
            Simulator::Stop();
        }));
        return job;
    }

    /// Run until nothing is left to do.
    void Run() const
    {
        Simulator::Run();
        if (!m_failure.empty())
        {
            throw std::runtime_error(m_failure);
        }
    }

  private:
    TrainingHelper m_training;           //!< Installs the jobs
    NetDeviceContainer m_devices;        //!< The devices by port
    Ptr<CircuitController> m_controller; //!< Decides on the circuits, or null
    std::string m_failure;               //!< Why a job has failed
};

/// Iterations of a job that is simulated for its mean time.
struct Pace
{
    uint32_t nEnded{0}; //!< Iterations that have ended
    Time first;         //!< When the first of them ended
    Time last;          //!< When the last of them ended
};

/// More iterations than are ever simulated for a mean time.
constexpr uint32_t MANY = 100000;

} // namespace

SharedIterations::SharedIterations(const InterconnectHelper& fabric,
                                   uint32_t ports,
                                   const TrainingHelper& training,
                                   std::vector<std::shared_ptr<const TrainingPlan>> plans)
    : m_fabric(fabric),
      m_ports(ports),
      m_training(training),
      m_plans(std::move(plans))
{
    for (const auto& plan : m_plans)
    {
        m_planNumbers.emplace(plan.get(), m_planNumbers.size());
    }
    if (dynamic_cast<const ElectricalSwitchHelper*>(&fabric))
    {
        m_sharing = Sharing::NONE;
    }
    else if (const auto* const links = dynamic_cast<const LinkGraphHelper*>(&fabric);
             links && !dynamic_cast<const TopoOptHelper*>(&fabric))
    {
        m_sharing = Sharing::LINKS;
        m_routes = links->GetLinks(links->GetGraph(ports));
    }
    else if (dynamic_cast<const CircuitFabricHelper*>(&fabric) &&
             !dynamic_cast<const OddlHelper*>(&fabric) &&
             !dynamic_cast<const OptIncHelper*>(&fabric))
    {
        m_sharing = Sharing::ALL;
    }
    else
    {
        throw std::invalid_argument("Jobs of a cluster share circuits (sip-ring, sip-ocs), the "
                                    "electrical switch or a network of links, such as "
                                    "leaf-spine-flows: choose one of these fabrics");
    }
}

std::string
SharedIterations::GetKey(const Running& group) const
{
    std::string key;
    for (const auto& job : group)
    {
        key += std::to_string(m_planNumbers.at(m_plans[job.job].get())) + ":";
        // All ports of the electrical switch are alike
        for (std::size_t i = 0; m_sharing != Sharing::NONE && i < job.ports.size(); ++i)
        {
            key += std::to_string(job.ports[i]) + ",";
        }
        key += ";";
    }
    return key;
}

std::string
SharedIterations::GetShape(const Running& group) const
{
    std::string shape;
    const auto add = [&shape](auto value) {
        shape.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    std::map<uint32_t, uint32_t> numbers;
    for (const auto& job : group)
    {
        const TrainingPlan& plan = *m_plans[job.job];
        add(m_planNumbers.at(&plan));
        const TrafficMatrix traffic = plan.OnPorts().GetTraffic();
        for (uint32_t source = 0; source < traffic.GetSize(); ++source)
        {
            for (const auto& pair : traffic.GetRow(source))
            {
                const auto& way = m_routes.getWay(job.ports[source], job.ports[pair.first]);
                add(std::llround(1e12 * way.delay));
                add(static_cast<uint32_t>(way.parts.size()));
                for (const auto& [link, part] : way.parts)
                {
                    const auto [number, isNew] = numbers.emplace(link, numbers.size());
                    add(number->second);
                    add(part);
                    if (isNew)
                    {
                        add(m_routes.bitRates[link]);
                    }
                }
            }
        }
    }
    return shape;
}

const SharedIterations::Loads&
SharedIterations::GetLoads(const ClusterRun::Running& job)
{
    auto [entry, isNew] = m_loads.try_emplace(GetKey({job}));
    Loads& loads = entry->second;
    if (isNew)
    {
        const auto rate = static_cast<double>(m_fabric.GetBandwidth().GetBitRate());
        const TrafficMatrix traffic = m_plans[job.job]->OnPorts().GetTraffic();
        for (uint32_t source = 0; source < traffic.GetSize(); ++source)
        {
            // What one port sends to all others has its rate at most
            Loads ofSource;
            for (const auto& pair : traffic.GetRow(source))
            {
                const auto& way = m_routes.getWay(job.ports[source], job.ports[pair.first]);
                for (const auto& [link, part] : way.parts)
                {
                    ofSource[link] = std::min(rate, ofSource[link] + part * rate);
                }
            }
            for (const auto& [link, load] : ofSource)
            {
                loads[link] += load;
            }
        }
    }
    return loads;
}

std::vector<std::vector<std::size_t>>
SharedIterations::FindGroups(const Running& running)
{
    // The group of each job is named by the first of its jobs
    std::vector<std::size_t> first(running.size());
    std::iota(first.begin(), first.end(), 0);
    const std::function<std::size_t(std::size_t)> find = [&](std::size_t i) {
        return first[i] == i ? i : first[i] = find(first[i]);
    };
    if (m_sharing == Sharing::ALL)
    {
        std::fill(first.begin(), first.end(), 0);
    }
    // A link that the messages of all jobs cannot fill makes nobody wait
    std::map<uint32_t, std::pair<double, std::vector<std::size_t>>> users;
    for (std::size_t i = 0; i < running.size() && m_sharing == Sharing::LINKS; ++i)
    {
        for (const auto& [link, load] : GetLoads(running[i]))
        {
            users[link].first += load;
            users[link].second.push_back(i);
        }
    }
    for (const auto& [link, use] : users)
    {
        for (std::size_t i = 1;
             use.first > 1.000001 * m_routes.bitRates[link] && i < use.second.size();
             ++i)
        {
            const std::size_t a = find(use.second[0]);
            const std::size_t b = find(use.second[i]);
            first[std::max(a, b)] = std::min(a, b);
        }
    }
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < running.size(); ++i)
    {
        groups[find(i)].push_back(i);
    }
    std::vector<std::vector<std::size_t>> list;
    for (auto& group : groups)
    {
        list.push_back(std::move(group.second));
    }
    return list;
}

std::vector<double>
SharedIterations::GetTimes(const Running& running)
{
    std::vector<double> times(running.size());
    for (const auto& indices : FindGroups(running))
    {
        Running group;
        for (const std::size_t index : indices)
        {
            group.push_back(running[index]);
        }
        // The same plans on the same ports take as long, whichever jobs they are
        std::vector<std::size_t> order(group.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return group[a].ports < group[b].ports;
        });
        Running sorted;
        for (const std::size_t index : order)
        {
            sorted.push_back(group[index]);
        }
        const std::vector<double>& known = Find(sorted);
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            times[indices[order[i]]] = known[i];
        }
    }
    return times;
}

const std::vector<double>&
SharedIterations::Find(const Running& group)
{
    auto [known, isNew] = m_times.try_emplace(GetKey(group));
    if (isNew && m_sharing == Sharing::LINKS)
    {
        auto [alike, isNewShape] = m_shapeTimes.try_emplace(GetShape(group));
        if (isNewShape)
        {
            alike->second = Simulate(group);
            ++m_nSimulations;
        }
        known->second = alike->second;
    }
    else if (isNew)
    {
        known->second = Simulate(group);
        ++m_nSimulations;
    }
    return known->second;
}

std::vector<double>
SharedIterations::Simulate(const Running& group) const
{
    const bool isAlone = m_sharing == Sharing::NONE;
    const uint32_t ports = isAlone ? group.front().ports.size() : m_ports;
    ClusterSimulation simulation(m_fabric, std::max(ports, 2U), m_training);
    // The first iteration begins at the same time on all ranks, as no other does
    const uint32_t needed = group.size() > 1 ? 6 : 2;
    std::vector<Pace> paces(group.size());
    uint32_t nReady = 0;
    for (std::size_t i = 0; i < group.size(); ++i)
    {
        std::vector<uint32_t> own = group[i].ports;
        if (isAlone)
        {
            std::iota(own.begin(), own.end(), 0);
        }
        const auto job = simulation.Install(*m_plans[group[i].job], own, MANY);
        job->TraceConnectWithoutContext(
            "IterationEnd",
            Callback<void, uint32_t>([&pace = paces[i], &nReady, &group, needed](uint32_t) {
                pace.last = Simulator::Now();
                pace.first = pace.nEnded++ == 0 ? pace.last : pace.first;
                nReady += pace.nEnded == needed ? 1 : 0;
                if (nReady == group.size())
                {
                    Simulator::Stop();
                }
            }));
    }
    simulation.Run();
    std::vector<double> times;
    for (const Pace& pace : paces)
    {
        times.push_back((pace.last - pace.first).GetSeconds() / (pace.nEnded - 1));
    }
    return times;
}

std::vector<ClusterRun::Outcome>
SharedIterations::SimulateAll(const std::vector<ClusterJob>& jobs, ClusterScheduler scheduler) const
{
    ClusterSimulation simulation(m_fabric, m_ports, m_training);
    std::vector<ClusterRun::Outcome> outcomes(jobs.size());
    std::function<void(uint32_t)> end;
    const auto startJobs = [&] {
        for (const auto& start : scheduler.StartJobs(Simulator::Now().GetSeconds()))
        {
            const uint32_t number = start.job;
            outcomes[number].start = Simulator::Now().GetSeconds();
            const auto job =
                simulation.Install(*m_plans[number], start.ports, jobs[number].iterations);
            // After all that belongs to the end of the job
            job->TraceConnectWithoutContext("Finished", Callback<void>([&end, number] {
                                                Simulator::ScheduleNow(
                                                    [&end, number] { end(number); });
                                            }));
        }
    };
    end = [&](uint32_t number) {
        ClusterRun::Outcome& outcome = outcomes[number];
        outcome.end = Simulator::Now().GetSeconds();
        outcome.running = outcome.end - outcome.start;
        outcome.useful = outcome.running;
        scheduler.End(number);
        startJobs();
    };
    for (uint32_t number = 0; number < jobs.size(); ++number)
    {
        Simulator::Schedule(Seconds(jobs[number].submitted), [&, number] {
            scheduler.Submit(number, jobs[number].gpus, jobs[number].alone);
            startJobs();
        });
    }
    simulation.Run();
    return outcomes;
}

} // namespace lightpath
} // namespace ns3
