/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_CONTROL_H
#define JOB_CONTROL_H

#include "ns3/circuit-controller.h"
#include "ns3/traffic-matrix.h"
#include "ns3/training-job.h"
#include "ns3/transport.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

struct CircuitRegion;

/**
 * @ingroup lightpath
 * @brief Lets controllers of circuits follow a job: its demand, phases, operations, start and end.
 */
class JobControl
{
  public:
    /// Projects bytes by rank to those by port of a fabric.
    using Projection = std::function<TrafficMatrix(const TrafficMatrix&)>;

    /**
     * Let a job fail as soon as messages wait for circuits that will never come, if they can only
     * take circuits.
     *
     * @param job the job
     * @param transports what carries messages on the fabric
     * @param controller decides on its circuits
     * @param rail the number of the fabric between servers
     */
    static void WatchCircuits(Ptr<TrainingJob> job,
                              const std::vector<Ptr<Transport>>& transports,
                              Ptr<CircuitController> controller,
                              uint32_t rail);

    /**
     * Let a controller serve a job from its start to its end.
     *
     * @param job the job
     * @param controller decides on the circuits
     * @param getDemand tells what messages put on the fabric
     * @param rail the fabric between servers; 0 without rails
     */
    static void Follow(Ptr<TrainingJob> job,
                       Ptr<CircuitController> controller,
                       const Projection& getDemand,
                       uint32_t rail = 0);

    /**
     * Let a controller decide on the circuits of a region. One whose Trigger is Once is told of the
     * all-to-all of experts instead (ExchangeControl); any other serves what the plan puts on the
     * region.
     *
     * @param job a job that was installed without this controller
     * @param controller decides on the circuits
     * @param region the region
     * @param waits whether the first all-to-all of a layer waits for its circuits
     */
    static void FollowRegion(Ptr<TrainingJob> job,
                             Ptr<CircuitController> controller,
                             const CircuitRegion& region,
                             bool waits);

    /**
     * @param demand bytes of messages, by source and destination
     * @return it, with the bytes of acknowledgements
     */
    static TrafficMatrix AddAcknowledgements(const TrafficMatrix& demand);

  private:
    /**
     * Let a controller decide from the start of a job to its end.
     *
     * @param job the job
     * @param controller decides on the circuits
     * @param demand the demand of its first decision
     */
    static void StartAndStop(Ptr<TrainingJob> job,
                             Ptr<CircuitController> controller,
                             const TrafficMatrix& demand);

    /**
     * Tell a controller when phases of a job begin.
     *
     * @param job the job
     * @param controller decides on the circuits
     * @param getDemand tells what messages put on the fabric
     */
    static void ConnectPhases(Ptr<TrainingJob> job,
                              Ptr<CircuitController> controller,
                              const Projection& getDemand);
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_CONTROL_H */
