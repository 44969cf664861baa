/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_HELPER_H
#define TRAINING_HELPER_H

#include "ns3/application-container.h"
#include "ns3/circuit-controller.h"
#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"
#include "ns3/training-job.h"
#include "ns3/training-plan.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a training job on the devices of a fabric.
 */
class TrainingHelper
{
  public:
    TrainingHelper();

    /**
     * Set an attribute of the jobs to be installed.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetJobAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the transports (CircuitTransport) to be installed.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetTransportAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the applications (TrainingApplication) to be installed. A ComputeNoise
     * given as a string, such as "ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.2]", is
     * made anew for each rank; one given as a pointer is shared, so that its draws go to the ranks
     * in the order in which they begin their iterations.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetApplicationAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Install a job: rank r on the node of device r, which must be port r of its fabric. At the
     * start of the simulation the controller decides on the circuits for the traffic of the plan;
     * it stops as the job ends. If its decisions are about phases, it hears of those of the job. A
     * plan that wants circuits for each phase gets them from a controller that otherwise would
     * decide once.
     * The job fails if it cannot give each pair a circuit and makes no further decision, or once a
     * message waits between two ranks that a failure has left no path between.
     *
     * @param plan the plan
     * @param devices the devices, one a rank
     * @param controller decides on the circuits; null for a fabric without circuits
     * @return the applications, in the order of the ranks
     */
    ApplicationContainer Install(TrainingPlan plan,
                                 const NetDeviceContainer& devices,
                                 Ptr<CircuitController> controller) const;

    /**
     * @param applications applications that Install() returned
     * @return their job
     */
    static Ptr<TrainingJob> GetJob(const ApplicationContainer& applications);

    /**
     * Fix the random numbers of a job, so that it draws the same ones on each fabric.
     *
     * @param applications applications that Install() returned
     * @param stream the number of the first stream
     * @return the number of streams that were assigned: one a rank with ComputeNoise
     */
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /**
     * Have the circuits for a job decided on.
     *
     * @param job the job
     * @param controller decides on the circuits
     */
    static void StartController(Ptr<TrainingJob> job, Ptr<CircuitController> controller);

    /**
     * Have a controller hear of the phases of a job.
     *
     * @param job the job
     * @param controller decides on the circuits
     */
    static void ConnectPhases(Ptr<TrainingJob> job, Ptr<CircuitController> controller);

    ObjectFactory m_jobFactory;         //!< Makes the jobs
    ObjectFactory m_transportFactory;   //!< Makes the transports
    ObjectFactory m_applicationFactory; //!< Makes the applications
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_HELPER_H */
