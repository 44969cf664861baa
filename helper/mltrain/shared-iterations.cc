/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-iterations.h"

#include "fabric-description.h"
#include "granted-circuits.h"
#include "link-graph-description.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-helper.h"
#include "ns3/interconnect-helper.h"
#include "ns3/link-graph-helper.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/photonic-rails-helper.h"
#include "ns3/plan-folder.h"
#include "ns3/simulator.h"
#include "ns3/topo-opt-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
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
     * @param circuits the circuits; null for those of a controller, if the fabric has one
     */
    ClusterSimulation(const InterconnectHelper& fabric,
                      uint32_t ports,
                      const TrainingHelper& training,
                      const CircuitPlan* circuits = nullptr)
        : m_training(training)
    {
        NodeContainer nodes(ports);
        m_devices = fabric.Install(nodes);
        InterconnectHelper::AssignStreams(m_devices, 0);
        if (circuits)
        {
            DynamicCast<OpticalChannel>(m_devices.Get(0)->GetChannel())->Configure(*circuits);
        }
        else if (ports > 1)
        {
            m_controller = fabric.CreateController(m_devices);
        }
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

    /**
     * Run until nothing is left to do.
     *
     * @param [in,out] light judges the light
     */
    void Run(LightVerdict& light) const
    {
        Simulator::Run();
        if (!m_failure.empty())
        {
            throw std::runtime_error(m_failure);
        }
        light.Judge(FabricHelper::GetChannel(m_devices));
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

/**
 * @param plan the plan of a job on a fabric that treats all ports alike
 * @return a plan that takes as long, of fewer ranks if that can be
 */
TrainingPlan
Fold(const TrainingPlan& plan)
{
    try
    {
        return plan.programs.size() > PlanFolder::MANY_RANKS ? PlanFolder(plan).GetPlan() : plan;
    }
    catch (const std::invalid_argument&)
    {
        return plan;
    }
}

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
    m_sharing = FindSharing();
    m_traffic.resize(m_planNumbers.size());
    for (const auto& [plan, number] : m_planNumbers)
    {
        const TrainingPlan placed = plan->OnPorts();
        m_traffic[number] = m_grants ? placed.GetDemand() : placed.GetTraffic();
    }
}

SharedIterations::~SharedIterations() = default;

SharedIterations::Sharing
SharedIterations::FindSharing()
{
    if (dynamic_cast<const ElectricalSwitchHelper*>(&m_fabric))
    {
        return Sharing::NONE;
    }
    const auto* const links = dynamic_cast<const LinkGraphHelper*>(&m_fabric);
    if (links && !dynamic_cast<const TopoOptHelper*>(&m_fabric))
    {
        m_routes = LinkGraphDescription::GetLinks(*links, links->GetGraph(m_ports));
        return Sharing::LINKS;
    }
    const auto* const circuits = dynamic_cast<const CircuitFabricHelper*>(&m_fabric);
    if (!circuits || dynamic_cast<const OptIncHelper*>(&m_fabric) ||
        dynamic_cast<const PhotonicRailsHelper*>(&m_fabric))
    {
        throw std::invalid_argument("Jobs of a cluster share circuits (sip-ring, sip-ocs), the "
                                    "electrical switch or a network of links, such as "
                                    "leaf-spine-flows: choose one of these fabrics");
    }
    const bool isPhased = std::any_of(m_plans.begin(), m_plans.end(), [](const auto& plan) {
        return plan->phaseCircuits;
    });
    if (m_ports < 2 || isPhased ||
        !FabricDescription::Create(*circuits)->GetLimits(m_ports).canSwitch)
    {
        return Sharing::ALL;
    }
    m_grants = std::make_unique<GrantedCircuits>(*circuits, m_ports);
    return Sharing::GRANTS;
}

void
SharedIterations::SetOwned()
{
    m_isOwned = true;
}

bool
SharedIterations::IsBypassing() const
{
    return m_grants && !m_isOwned;
}

void
SharedIterations::SetFailed(const std::string& component, bool failed)
{
    m_grants->SetFailed(component, failed);
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
        const uint32_t plan = m_planNumbers.at(m_plans[job.job].get());
        add(plan);
        const TrafficMatrix& traffic = m_traffic[plan];
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
        const TrafficMatrix& traffic = m_traffic[m_planNumbers.at(m_plans[job.job].get())];
        for (uint32_t source = 0; source < traffic.GetSize(); ++source)
        {
            // The sum that a port sends to all others has the rate of the port at most
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
    if (m_sharing == Sharing::ALL && !m_isOwned)
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
    if (m_sharing == Sharing::GRANTS)
    {
        return GetGrantedTimes(running);
    }
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

std::vector<double>
SharedIterations::GetGrantedTimes(const Running& running)
{
    std::vector<GrantedCircuits::Demand> demands;
    for (const auto& job : running)
    {
        const uint32_t plan = m_planNumbers.at(m_plans[job.job].get());
        demands.push_back({&m_traffic[plan], &job.ports});
    }
    auto circuits = m_isOwned ? std::vector<CircuitPlan>() : m_grants->Decide(demands);
    for (std::size_t i = circuits.size(); i < demands.size(); ++i)
    {
        circuits.push_back(m_grants->Decide({demands[i]}).front());
    }
    std::vector<double> times;
    for (std::size_t i = 0; i < running.size(); ++i)
    {
        if (!GrantedCircuits::IsServed(demands[i], circuits[i]))
        {
            times.push_back(std::numeric_limits<double>::infinity());
            continue;
        }
        const uint32_t plan = m_planNumbers.at(m_plans[running[i].job].get());
        auto [known, isNew] = m_times.try_emplace(std::to_string(plan) + ":" +
                                                  m_grants->Describe(demands[i], circuits[i]));
        if (isNew)
        {
            known->second = Simulate({running[i]}, &circuits[i]);
        }
        times.push_back(known->second.front());
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
        }
        known->second = alike->second;
    }
    else if (isNew)
    {
        known->second = Simulate(group);
    }
    return known->second;
}

std::vector<double>
SharedIterations::Simulate(const Running& group, const CircuitPlan* circuits)
{
    ++m_nSimulations;
    const bool isAlone = m_sharing == Sharing::NONE;
    std::vector<TrainingPlan> plans;
    for (const auto& each : group)
    {
        const TrainingPlan& plan = *m_plans[each.job];
        plans.push_back(isAlone ? Fold(plan) : plan);
    }
    const uint32_t ports = isAlone ? plans.front().programs.size() : m_ports;
    ClusterSimulation simulation(m_fabric, std::max(ports, 2U), m_training, circuits);
    // The first iteration begins at the same time on all ranks, as no other does
    const uint32_t needed = group.size() > 1 ? 6 : 2;
    std::vector<Pace> paces(group.size());
    uint32_t nReady = 0;
    for (std::size_t i = 0; i < group.size(); ++i)
    {
        std::vector<uint32_t> own = group[i].ports;
        if (isAlone)
        {
            own.resize(ports);
            std::iota(own.begin(), own.end(), 0);
        }
        const auto job = simulation.Install(plans[i], own, MANY);
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
    simulation.Run(m_light);
    std::vector<double> times;
    for (const Pace& pace : paces)
    {
        if (pace.nEnded < 2)
        {
            throw std::runtime_error("The simulation of jobs that share a fabric was stopped "
                                     "before their second iteration ended");
        }
        times.push_back((pace.last - pace.first).GetSeconds() / (pace.nEnded - 1));
    }
    return times;
}

std::vector<ClusterRun::Outcome>
SharedIterations::SimulateAll(const std::vector<ClusterJob>& jobs, ClusterScheduler scheduler)
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
    simulation.Run(m_light);
    return outcomes;
}

} // namespace lightpath
} // namespace ns3
