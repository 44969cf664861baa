/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_ITERATIONS_H
#define SHARED_ITERATIONS_H

#include "model/cluster/cluster-run.h"
#include "training-helper.h"

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

class InterconnectHelper;

/**
 * @ingroup lightpath
 * @brief Simulates some iterations of the jobs that share a fabric, to tell how long they take.
 *
 * Jobs that together can fill a link are simulated together, until each has ended some iterations;
 * others do not feel them and are simulated alone. Jobs on a fabric whose circuits one controller
 * decides on are all simulated together. Results are kept: the same plans on the same ports, or on
 * ports with links of the same rates, delays and sharing, are simulated once. The simulator is used
 * for nothing else meanwhile.
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

    /**
     * Throws std::runtime_error if a job fails.
     *
     * @param running the jobs that run
     * @return the mean time of an iteration of each, s
     */
    std::vector<double> GetTimes(const Running& running);

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
     * @return what has become of each
     */
    std::vector<ClusterRun::Outcome> SimulateAll(const std::vector<ClusterJob>& jobs,
                                                 ClusterScheduler scheduler) const;

  private:
    /// Which jobs feel each other.
    enum class Sharing
    {
        NONE,  //!< None, as each port has its rate for itself
        LINKS, //!< Those that together can fill a link
        ALL    //!< All
    };

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
     * @return the mean time of an iteration of each, s
     */
    std::vector<double> Simulate(const Running& group) const;

    const InterconnectHelper& m_fabric;                       //!< Installs the fabric
    uint32_t m_ports;                                         //!< The number of its ports
    TrainingHelper m_training;                                //!< Installs the jobs
    std::vector<std::shared_ptr<const TrainingPlan>> m_plans; //!< The plan of each job
    std::map<const TrainingPlan*, uint32_t> m_planNumbers;    //!< Numbers of different plans
    LinkLimits m_routes;                                      //!< The links of each pair
    Sharing m_sharing;                                        //!< Which jobs feel each other
    std::map<std::string, Loads> m_loads;                     //!< Loads of a job, by its key
    std::map<std::string, std::vector<double>> m_times;       //!< Times of a group, by its key
    std::map<std::string, std::vector<double>> m_shapeTimes;  //!< The same, by its shape
    uint64_t m_nSimulations{0};                               //!< The simulations so far
};

} // namespace lightpath
} // namespace ns3

#endif /* SHARED_ITERATIONS_H */
