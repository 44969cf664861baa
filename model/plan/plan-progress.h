/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_PROGRESS_H
#define PLAN_PROGRESS_H

#include "training-plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries out the programs of all ranks of a plan without time, to see whether they end.
 */
class PlanProgress
{
  public:
    /**
     * @param plan a plan whose programs fit together (TrainingPlan::Check()); it must outlive this
     *        object
     */
    explicit PlanProgress(const TrainingPlan& plan);

    /**
     * Refuse, by std::invalid_argument, programs that wait for each other in a circle. The sentence
     * says who waits for whom. To be called once.
     */
    void Check();

  private:
    /// A task of a rank.
    using Place = std::pair<uint32_t, uint32_t>;

    /// The kind of group, the first member and the number of a collective; or UINT32_MAX and the
    /// source, and the destination and the number of a message
    using Key = std::tuple<uint32_t, uint32_t, uint64_t>;

    /**
     * @param place a task that waits for nothing any more
     */
    void Begin(const Place& place);

    /**
     * @param place a task other than one that computes
     * @return what joins it to the tasks of other ranks
     */
    Key GetKey(const Place& place) const;

    /**
     * @param place a task
     * @return the task
     */
    const Task& GetTask(const Place& place) const;

    /**
     * @param place a receive or collective that waits
     * @return the first rank that it waits for
     */
    uint32_t GetBlocker(const Place& place) const;

    /**
     * @return who waits for whom, as a sentence
     */
    std::string Describe() const;

    const TrainingPlan& m_plan;                   //!< The plan
    std::vector<std::vector<uint32_t>> m_waiting; //!< Tasks that each task of a rank waits for
    std::vector<Place> m_ended;                   //!< Ended tasks, whose successors come next
    std::map<Key, std::vector<Place>> m_here;     //!< Receives and members that wait
    std::set<Key> m_sent;                         //!< Messages that came before their receives
    std::vector<std::map<uint32_t, Key>> m_stuck; //!< What each rank waits in, by task
    std::size_t m_nLeft{0};                       //!< Tasks that have not ended
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_PROGRESS_H */
