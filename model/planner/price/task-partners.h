/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_PARTNERS_H
#define TASK_PARTNERS_H

#include "model/plan/rank-classes.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which tasks of the classes of a plan belong together.
 *
 * Tasks are numbered over all classes, class after class.
 */
class TaskPartners
{
  public:
    /// Stands for no task or operation.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A collective operation.
    struct Operation
    {
        uint32_t set{0};               //!< Number of the set of classes that take part
        std::vector<uint32_t> classes; //!< These classes
        std::vector<uint32_t> tasks;   //!< Their tasks
    };

    /**
     * @param plan the plan
     * @param classes the classes of its ranks; both must outlive this object
     */
    TaskPartners(const TrainingPlan& plan, const RankClasses& classes);

    /**
     * @param number a class
     * @return the number of its first task
     */
    uint32_t GetFirst(uint32_t number) const;

    /**
     * @return the number of communication tasks of all classes in each phase; there is one phase at
     *         least
     */
    std::vector<uint64_t> GetNCommunications() const;

    /**
     * @return the number of tasks of all classes
     */
    uint32_t GetNTasks() const;

    /**
     * @param task a task
     * @return its class
     */
    uint32_t GetClass(uint32_t task) const;

    /**
     * @param task a send or a collective
     * @return the receive of a send, if the rank that stands for its class has it; the operation of
     *         a collective; or NONE
     */
    uint32_t GetPartner(uint32_t task) const;

    /**
     * @return the collective operations
     */
    const std::vector<Operation>& GetOperations() const;

  private:
    /**
     * Join the sends and receives.
     */
    void JoinMessages();

    /**
     * Join the collectives.
     */
    void JoinCollectives();

    const TrainingPlan& m_plan;          //!< The plan
    const RankClasses& m_classes;        //!< The classes of its ranks
    std::vector<uint32_t> m_first;       //!< Number of the first task of each class
    std::vector<uint32_t> m_ofTasks;     //!< Class of each task
    std::vector<uint32_t> m_partners;    //!< Receive or operation of each task
    std::vector<Operation> m_operations; //!< The collective operations
};

} // namespace lightpath
} // namespace ns3

#endif /* TASK_PARTNERS_H */
