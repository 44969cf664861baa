/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_ITERATIONS_H
#define SHARED_ITERATIONS_H

#include "model/cluster/cluster-run.h"
#include "training-helper.h"

#include "ns3/light-verdict.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class GrantedCircuits;
class InterconnectHelper;

/**
 * @ingroup lightpath
 * @brief Simulates some iterations of the jobs that share a fabric, to tell how long they take.
 *
 * Jobs that together can fill a link are simulated together, until each has ended some iterations;
 * others do not feel them and are simulated alone. So are jobs on a fabric whose controller decides
 * once, on the circuits that it grants them for the sum of the demands. If it decides again and
 * again, all jobs are simulated together. Results are kept: the same plans on the same ports, on
 * ports with links of the same rates, delays and sharing, or on circuits with as many lanes and the
 * same delays, are simulated once. The simulator is used for nothing else meanwhile.
 */
class SharedIterations
{
  public:
    /// Jobs that run, with their ports.
    using Running = std::vector<ClusterRun::Running>;

    /**
     * Throws std::invalid_argument for a fabric that jobs cannot share, or whose routes are not
     * known.
     *
     * @param fabric installs the fabric; outlives this object
     * @param ports the number of its ports
     * @param training installs the jobs
     * @param plans the plan of each job, by number; jobs that do the same share one
     */
    SharedIterations(const InterconnectHelper& fabric,
                     uint32_t ports,
                     const TrainingHelper& training,
                     std::vector<std::shared_ptr<const TrainingPlan>> plans);

    ~SharedIterations();

    /**
     * Let each job have the fabric for itself: a slice of its own (CircuitFabricHelper::SetSlices),
     * of which the helper installs one.
     */
    void SetOwned();

    /**
     * Throws std::runtime_error if a job fails.
     *
     * @param running the jobs that run
     * @return the mean time of an iteration of each, s; infinite for a job without circuits for all
     *         of its messages
     */
    std::vector<double> GetTimes(const Running& running);

    /**
     * @return true if the fabric switches circuits past components that have failed
     */
    bool IsBypassing() const;

    /**
     * Take a component of a fabric that IsBypassing() out of use. Throws std::invalid_argument for
     * one that it does not have.
     *
     * @param component the name of the component
     * @param failed true if it has failed, false if it works again
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @return whether the light of the lightpaths of all simulations so far arrives
     */
    const LightVerdict& GetLight() const
    {
        return m_light;
    }

    /**
     * @return the simulations so far
     */
    uint64_t GetNSimulations() const
    {
        return m_nSimulations;
    }

    /**
     * Simulate the whole life of a cluster, each iteration of each job, without failures of GPUs.
     * Throws std::runtime_error if a job fails.
     *
     * @param jobs the jobs, by number
     * @param scheduler starts them
     * @return the outcome of each job
     */
    std::vector<ClusterRun::Outcome> SimulateAll(const std::vector<ClusterJob>& jobs,
                                                 ClusterScheduler scheduler);

  private:
    /// Which jobs feel each other.
    enum class Sharing
    {
        NONE,   //!< None, as each port has its rate for itself
        LINKS,  //!< Jobs that together can fill a link
        GRANTS, //!< None, with the circuits that they are granted
        ALL     //!< All
    };

    /**
     * @return which jobs feel each other
     */
    Sharing FindSharing();

    /**
     * @param running jobs that run
     * @return the mean time of an iteration of each with the circuits that it is granted, s
     */
    std::vector<double> GetGrantedTimes(const Running& running);

    /**
     * @param running jobs that run
     * @return their indices, in groups that do not feel each other
     */
    std::vector<std::vector<std::size_t>> FindGroups(const Running& running);

    /// The most that a job puts on each link at a time, bit/s.
    using Loads = std::map<uint32_t, double>;

    /**
     * @param job a job with its ports
     * @return its loads
     */
    const Loads& GetLoads(const ClusterRun::Running& job);

    /**
     * @param group jobs that feel each other
     * @return what their times depend on, as a text
     */
    std::string GetKey(const Running& group) const;

    /**
     * Describe the ways of all messages of jobs, with their links numbered in the order of their
     * first use: jobs on other ports that use links in the same way have the same description.
     *
     * @param group jobs that feel each other, on links
     * @return what their times depend on, as a text
     */
    std::string GetShape(const Running& group) const;

    /**
     * @param group jobs that feel each other
     * @return the mean time of an iteration of each, found by a simulation unless it is known, s
     */
    const std::vector<double>& Find(const Running& group);

    /**
     * @param group jobs that feel each other
     * @param circuits their circuits; null for those of the controller, if the fabric has one
     * @return the mean time of an iteration of each, s
     */
    std::vector<double> Simulate(const Running& group, const CircuitPlan* circuits = nullptr);

    const InterconnectHelper& m_fabric;                       //!< Installs the fabric
    uint32_t m_ports;                                         //!< The number of its ports
    TrainingHelper m_training;                                //!< Installs the jobs
    std::vector<std::shared_ptr<const TrainingPlan>> m_plans; //!< The plan of each job
    std::map<const TrainingPlan*, uint32_t> m_planNumbers;    //!< Numbers of different plans
    LinkLimits m_routes;                                      //!< The links of each pair
    std::unique_ptr<GrantedCircuits> m_grants;                //!< The circuits of each job, or null
    bool m_isOwned{false};                                    //!< Each job has a fabric for itself
    Sharing m_sharing;                                        //!< Which jobs feel each other
    /// Bytes of each plan by source and destination rank, by its number
    std::vector<TrafficMatrix> m_traffic;
    std::map<std::string, Loads> m_loads;                    //!< Loads of a job, by its key
    std::map<std::string, std::vector<double>> m_times;      //!< Times of a group, by its key
    std::map<std::string, std::vector<double>> m_shapeTimes; //!< The same, by its shape
    uint64_t m_nSimulations{0};                              //!< The simulations so far
    LightVerdict m_light;                                    //!< The light of all of them
};

} // namespace lightpath
} // namespace ns3

#endif /* SHARED_ITERATIONS_H */
