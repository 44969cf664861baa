/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLAN_REHEARSAL_H
#define LIGHTPATH_PLAN_REHEARSAL_H

#include "ns3/application-container.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"

#include <cstdint>
#include <optional>
#include <string>

class TrainingRun;
struct TrainOptions;

namespace ns3
{
namespace lightpath
{

class InterconnectHelper;

} // namespace lightpath
} // namespace ns3

/**
 * @ingroup lightpath
 * @brief Simulates a plan once it is planned, to predict what an iteration takes.
 */
class PlanRehearsal
{
  public:
    /**
     * Set up a job.
     *
     * @param options the options
     * @param name the name of its fabric, which a transport may follow
     * @param fabric installs the fabric
     * @param plan the plan
     * @param [in,out] run its simulation
     * @return what installs it
     */
    static ns3::lightpath::TrainingHelper SetUp(const TrainOptions& options,
                                                const std::string& name,
                                                const ns3::lightpath::InterconnectHelper& fabric,
                                                const ns3::lightpath::TrainingPlan& plan,
                                                TrainingRun& run);

    /**
     * Install a job with its faults and the speeds of its ranks.
     *
     * @param options the options
     * @param name the name of its fabric, which a transport may follow
     * @param fabric installs the fabric
     * @param plan the plan
     * @param [in,out] run its simulation
     * @return the applications, one a rank
     */
    static const ns3::ApplicationContainer& Install(
        const TrainOptions& options,
        const std::string& name,
        const ns3::lightpath::InterconnectHelper& fabric,
        const ns3::lightpath::TrainingPlan& plan,
        TrainingRun& run);

    /**
     * Let a few ranks stand for all. Throws std::invalid_argument if they cannot, but must.
     *
     * @param options the options
     * @param name the name of the fabric, which a transport may follow
     * @param [in,out] plan the plan
     * @param [in,out] serverGpus the ranks of the plan that share a server
     * @return why all ranks are simulated, or nothing
     */
    static std::string Fold(const TrainOptions& options,
                            const std::string& name,
                            ns3::lightpath::TrainingPlan& plan,
                            uint32_t& serverGpus);

    /**
     * @param options the options
     * @param name the name of the fabric, which a transport may follow
     * @param plan the plan
     * @return about how long its packets are simulated, as a line, if that is more than a minute;
     *         otherwise nothing
     */
    static std::string DescribePackets(const TrainOptions& options,
                                       const std::string& name,
                                       const ns3::lightpath::TrainingPlan& plan);

    /**
     * Simulate some iterations. Throws std::runtime_error for a job that fails.
     *
     * @param options the options
     * @param name the name of the fabric, which a transport may follow
     * @param plan the plan of all ranks
     * @return the report; nothing for a job of packets, or one that would take more than a few
     *         seconds
     */
    static std::optional<ns3::lightpath::TrainingReport> Rehearse(
        TrainOptions options,
        const std::string& name,
        ns3::lightpath::TrainingPlan plan);
};

#endif /* LIGHTPATH_PLAN_REHEARSAL_H */
