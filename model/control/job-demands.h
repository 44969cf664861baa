/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_DEMANDS_H
#define JOB_DEMANDS_H

#include "traffic-matrix.h"

#include "ns3/event-id.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>

namespace ns3
{
namespace lightpath
{

class CircuitController;

/**
 * @ingroup lightpath
 * @brief The demands of the jobs that share the circuits of a controller.
 *
 * The controller decides for the weighted sum of all demands, anew whenever a job begins or ends.
 * It stops with the last job. The object is aggregated to the controller.
 */
class JobDemands : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param controller a controller
     * @return the demands of its jobs
     */
    static Ptr<JobDemands> Get(Ptr<CircuitController> controller);

    /**
     * Add a job. The controller decides after all jobs that begin at this instant.
     *
     * @param job identifies the job
     * @param demand the bytes that it will send, by source and destination port
     * @param weight the factor of this demand, and of that of its phases, in the sum; above 0
     */
    void Begin(const Object* job, const TrafficMatrix& demand, double weight = 1);

    /**
     * Note that a phase of a job begins, or will be its first. Ignored once the job has ended.
     *
     * @param job identifies the job
     * @param demand the bytes that it will send in the phase, by source and destination port
     */
    void BeginPhase(const Object* job, const TrafficMatrix& demand);

    /**
     * Remove a job, unless it has ended before.
     *
     * @param job identifies the job
     */
    void End(const Object* job);

  protected:
    void DoDispose() override;

  private:
    /// The demands of a job.
    struct Demand
    {
        TrafficMatrix planned; //!< That of an iteration
        TrafficMatrix phase;   //!< That of the phase begun last; of size 0 before the first
        double weight{1};      //!< Their factor
    };

    /// Let the controller decide for the jobs that are left.
    void Start();

    /**
     * @param kind the planned demand or that of the phase
     * @return the weighted sum over all jobs
     */
    TrafficMatrix GetSum(TrafficMatrix Demand::*kind) const;

    CircuitController* m_controller{nullptr};  //!< Decides on the circuits
    std::map<const Object*, Demand> m_demands; //!< The demands by job
    uint32_t m_nJobs{0};                       //!< Jobs so far
    EventId m_start;                           //!< The decision after jobs have begun or ended
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_DEMANDS_H */
