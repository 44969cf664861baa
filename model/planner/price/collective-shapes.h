/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_SHAPES_H
#define COLLECTIVE_SHAPES_H

#include "flow-network.h"
#include "model/plan/rank-classes.h"
#include "plan-paths.h"
#include "server-shapes.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The load that collective operations put on a network, found from their schedules.
 *
 * Successive steps that go to the same peers are put together: their bytes are those of the mean
 * step. The members go in step, so that the slowest one decides.On a ring of different
 * circuits it does so only if messages do not go around the ring later, and not between operations
 * (RingPace).
 *
 * In double trees each member has a part of its own. All chunks of a buffer pass through the member
 * whose links they keep busy longest, so that it decides for its class: each step takes what it
 * sends of one chunk of both trees, as in the closed form of DoubleTreeSchedule.
 */
class CollectiveShapes
{
  public:
    /// All messages of a step.
    static constexpr uint32_t ALL = UINT32_MAX;

    /// Steps that go to the same peers.
    struct Part : FlowNetwork::Shape
    {
        uint32_t first{0};                 //!< The first of them
        uint32_t distance{ALL};            //!< Where circuits take turns: how far its messages go
        uint32_t light{FlowNetwork::NONE}; //!< Link that limits it to the planes with light
    };

    /// The steps of a collective, part after part.
    using Parts = std::vector<Part>;

    /**
     * Keep the messages of a rank that go a certain distance: as many ports between servers
     * onward, or without servers as many positions.
     *
     * @param [in,out] transfers the messages that it sends or receives
     * @param kind the kind of its group
     * @param rank the rank
     * @param sends whether it sends them
     * @param distance the distance; ALL to keep all
     */
    void Pick(std::vector<Transfer>& transfers,
              uint32_t kind,
              uint32_t rank,
              bool sends,
              uint32_t distance) const;

    /**
     * Where there are fewer bytes than ranks, some send nothing while others do. The operation
     * takes as long as one of a byte for each rank, in which those that stand for others send, too.
     *
     * @param task a collective
     * @param rank a rank that takes part
     * @return its messages, for its price
     */
    std::shared_ptr<const CollectiveSchedule> MakeSchedule(const Task& task, uint32_t rank) const;

    /**
     * @param plan the plan
     * @param classes the classes of its ranks
     * @param [in,out] paths the paths; all must outlive this object
     */
    CollectiveShapes(const TrainingPlan& plan, const RankClasses& classes, PlanPaths& paths);

    /**
     * @param members the number of the set of classes that take part
     * @param classes these classes
     * @param task the task of one of them
     * @return the parts, which stay where they are
     */
    const Parts& Get(uint32_t members, const std::vector<uint32_t>& classes, const Task& task);

    /**
     * @param number a class
     * @param task a collective of it
     * @return the paths that its first step uses, with the bytes of frames on each
     */
    const std::vector<FlowNetwork::Use>& GetFirst(uint32_t number, const Task& task);

  private:
    /**
     * @param kind the kind of a group
     * @param rank a member
     * @param transfer a message of it
     * @param sends whether it sends the message
     * @return how far the message goes
     */
    uint32_t GetDistance(uint32_t kind, uint32_t rank, const Transfer& transfer, bool sends) const;

    /**
     * @param kind the kind of groups
     * @param classes the classes whose ranks carry out an operation
     * @param schedule who sends what
     * @param step a step
     * @return the distances of its messages where circuits take turns and a rank sends several;
     *         otherwise ALL
     */
    std::vector<uint32_t> GetDistances(uint32_t kind,
                                       const std::vector<uint32_t>& classes,
                                       const CollectiveSchedule& schedule,
                                       uint32_t step) const;

    /// Key of the parts: a set of classes, or a class, and the task.
    using Key = std::tuple<uint32_t, uint32_t, CollectiveKind, uint64_t, CollectiveOptions>;

    /// Rate (bytes/s) and latency (s) of the circuit from each member of a group to the next one.
    using Rings = std::set<std::vector<std::pair<double, double>>>;

    /// Steps of one class that go to the same peers.
    struct Run
    {
        std::vector<Transfer> sends; //!< Peers and the bytes for them, all steps together
    };

    /**
     * @param schedule a schedule
     * @param positions the positions of the classes
     * @param first the first step
     * @param [out] runs the messages of each class in the steps that are alike
     * @return the step behind them
     */
    uint32_t Walk(const CollectiveSchedule& schedule,
                  const std::vector<uint32_t>& positions,
                  uint32_t first,
                  std::vector<Run>& runs) const;

    /**
     * @param kind the kind of group
     * @param classes the classes
     * @param schedule the schedule
     * @param first the first step
     * @param last the step behind the last one
     * @param runs the messages of each class in these
     * @param distance how far the messages go, as Pick() counts it
     * @return the load of a step
     */
    Part Make(uint32_t kind,
              const std::vector<uint32_t>& classes,
              const CollectiveSchedule& schedule,
              uint32_t first,
              uint32_t last,
              const std::vector<Run>& runs,
              uint32_t distance);

    /**
     * Append the parts of an operation whose steps are those of links.
     *
     * @param kind the kind of groups
     * @param classes the classes whose ranks carry it out
     * @param schedule who sends what
     * @param positions the position of a rank of each class
     * @param [in,out] parts the parts
     */
    void AddParts(uint32_t kind,
                  const std::vector<uint32_t>& classes,
                  const CollectiveSchedule& schedule,
                  const std::vector<uint32_t>& positions,
                  Parts& parts);

    /**
     * Let a ring of different circuits take its time as a whole, in place of that of the slowest
     * circuit with the longest latency.
     *
     * @param number the class of all members
     * @param schedule the schedule, of which all steps are alike
     * @param kind the kind of group
     * @param [in,out] shape its steps
     */
    void Quicken(uint32_t number,
                 const CollectiveSchedule& schedule,
                 uint32_t kind,
                 FlowNetwork::Shape& shape);

    /**
     * @param number a class
     * @param kind a kind of group, all members of which are in the class
     * @return the rings of its groups that differ
     */
    const Rings& GetRings(uint32_t number, uint32_t kind);

    /**
     * @param kind the kind of group
     * @param classes the classes
     * @param schedule a double tree with steps
     * @return the load of a step
     */
    FlowNetwork::Shape MakeTrees(uint32_t kind,
                                 const std::vector<uint32_t>& classes,
                                 const CollectiveSchedule& schedule);

    /**
     * @param kind the kind of group
     * @param number a class
     * @param schedule a double tree
     * @return the rank of the class that takes longest to send
     */
    uint32_t GetBusiest(uint32_t kind, uint32_t number, const CollectiveSchedule& schedule);

    const TrainingPlan& m_plan;   //!< The plan
    const RankClasses& m_classes; //!< The classes of its ranks
    PlanPaths& m_paths;           //!< The paths
    ServerShapes m_servers;       //!< Shapes of steps over servers
    /// Those found so far, by the setting that decides on sides
    std::map<std::pair<uint32_t, Key>, std::unique_ptr<Parts>> m_parts;
    std::map<Key, std::vector<FlowNetwork::Use>> m_first;   //!< First steps, by class and task
    std::map<std::pair<uint32_t, uint32_t>, Rings> m_rings; //!< Rings, by class and kind of group
};

} // namespace lightpath
} // namespace ns3

#endif /* COLLECTIVE_SHAPES_H */
