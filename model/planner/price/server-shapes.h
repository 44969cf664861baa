/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_SHAPES_H
#define SERVER_SHAPES_H

#include "flow-network.h"
#include "model/plan/rank-classes.h"
#include "plan-paths.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The load that a step of a collective puts on the links of servers.
 *
 * Where GPUs stand in servers, links carry what several ranks send. Of all links, those of the
 * ranks that represent the classes count, and the one that takes longest.
 */
class ServerShapes
{
  public:
    /// The transfers of a rank to positions of its group, or from them.
    using GetTransfers = std::function<void(uint32_t, std::vector<Transfer>&)>;

    /**
     * @param plan the plan
     * @param classes the classes of its ranks
     * @param [in,out] paths the paths; all must outlive this object
     */
    ServerShapes(const TrainingPlan& plan, const RankClasses& classes, PlanPaths& paths);

    /**
     * @param kind the kind of group
     * @param classes the classes
     * @param sends what a rank sends
     * @param receives what it receives
     * @param share the share of these bytes that is sent in a step
     * @param steps the number of steps
     * @return the load of a step, without the number of steps
     */
    FlowNetwork::Shape Make(uint32_t kind,
                            const std::vector<uint32_t>& classes,
                            const GetTransfers& sends,
                            const GetTransfers& receives,
                            double share,
                            uint32_t steps);

  private:
    /**
     * Tensor-parallel groups that share a port get out of step: one computes while another one
     * sums.
     *
     * @param number the class of the members
     * @param seconds how long the link carries the messages of a step of a group
     * @param nGroups the number of groups
     * @param steps the number of steps of a sum that use the link
     * @param together the number of steps whose messages come to the port together
     * @return how long a step takes in the mean, seconds
     */
    double GetQueuedSeconds(uint32_t number,
                            double seconds,
                            double nGroups,
                            uint32_t steps,
                            uint32_t together);

    const TrainingPlan& m_plan;           //!< The plan
    const RankClasses& m_classes;         //!< The classes of its ranks
    PlanPaths& m_paths;                   //!< The paths
    std::map<uint32_t, uint32_t> m_nSums; //!< In tensor-parallel groups in an iteration, by class
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_SHAPES_H */
