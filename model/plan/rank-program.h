/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_PROGRAM_H
#define RANK_PROGRAM_H

#include "rank-groups.h"

#include "ns3/collective-schedule.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The kinds of tasks.
enum class TaskKind : uint8_t
{
    COMPUTE,    //!< Occupies the GPU for a time
    SEND,       //!< Sends a message to one peer; done as soon as it is handed over
    RECEIVE,    //!< Done once a message from one peer has come in whole
    COLLECTIVE, //!< Takes part in a collective operation of a group
};

/// Operation numbers of tasks are below this one.
inline constexpr uint32_t MOST_OPERATIONS = 1 << 24;

/// The experts whose tokens a task works on or carries.
struct RoutedLayer
{
    /**
     * @param other the experts compared with
     * @return true if they are the same
     */
    bool operator==(const RoutedLayer& other) const
    {
        return layer == other.layer && experts == other.experts && perToken == other.perToken;
    }

    uint32_t layer{0};    //!< Layer of the model
    uint32_t experts{0};  //!< Its experts; 0 for a task that does not depend on their load
    uint32_t perToken{0}; //!< Experts of a token; 0 if it is not known
};

/**
 * @ingroup lightpath
 * @brief One task of a rank.
 *
 * Peers are named by their position in a group of the plan (TrainingPlan::groups), so that all
 * ranks that do the same can share one program. The operation number joins the tasks of different
 * ranks that belong together: a send and its receive, or the parts of one collective. It is unique
 * within one pair of ranks (send and receive) or one group (collective).
 *
 * The communication of an iteration falls into phases, between which circuits may be switched.
 * Communication never waits for communication of a later phase; compute tasks have no phase.
 */
struct Task
{
    /**
     * @return whether it takes part in a sum, or in one of its two halves
     */
    bool IsSum() const
    {
        return kind == TaskKind::COLLECTIVE && (collective == CollectiveKind::ALL_REDUCE ||
                                                collective == CollectiveKind::REDUCE_SCATTER ||
                                                collective == CollectiveKind::ALL_GATHER);
    }

    TaskKind kind{TaskKind::COMPUTE};                      //!< Its kind
    Pass pass{Pass::FORWARD};                              //!< Part of the iteration
    std::string name;                                      //!< For reports
    double seconds{0};                                     //!< Compute: time on the GPU, seconds
    uint32_t group{TENSOR_GROUP};                          //!< GroupKind
    uint32_t peer{0};                                      //!< Send, receive: position in the group
    uint32_t operation{0};                                 //!< Joins it to the tasks of its peers
    uint32_t phase{0};                                     //!< Phase that its bytes belong to
    uint64_t bytes{0};                                     //!< Size of message or buffer, bytes
    CollectiveKind collective{CollectiveKind::ALL_REDUCE}; //!< Collective: which one
    CollectiveOptions options;                             //!< Collective: how it is carried out
    bool isAlgorithmGiven{false}; //!< Collective: its algorithm is that of a file, and stays
    RoutedLayer routed;           //!< Experts that it depends on
};

/**
 * @ingroup lightpath
 * @brief The program of one rank for one training iteration: tasks and their dependencies.
 *
 * Among the compute tasks that are ready, the one with the lowest index runs first. Communication
 * overlaps with computation wherever the dependencies allow it.
 */
class RankProgram
{
  public:
    /**
     * Add a task behind all others. A task to wait for counts once, also if it is given again.
     * Refused by std::invalid_argument if there is no such task.
     *
     * @param task the task
     * @param after the indices of the tasks that it waits for
     * @return its index
     */
    uint32_t AddTask(Task task, const std::vector<uint32_t>& after = {});

    /**
     * State that one task waits for another. Refused by std::invalid_argument unless the first has
     * the lower index, so that no cycle can arise. Stating it again changes nothing.
     *
     * @param before the index of the task that comes first
     * @param after the index of the task that waits
     */
    void AddDependency(uint32_t before, uint32_t after);

    /**
     * @param change what to do with each task
     */
    void ChangeTasks(const std::function<void(Task&)>& change);

    /**
     * @return the tasks
     */
    const std::vector<Task>& GetTasks() const;

    /**
     * @return for each task the first collective operation in the same group, of the same kind,
     *         bytes and options, or itself
     */
    std::vector<uint32_t> FindAlike() const;

    /**
     * @param task the index of a task
     * @return the indices of the tasks that wait for it
     */
    const std::vector<uint32_t>& GetSuccessors(uint32_t task) const;

    /**
     * @return the number of tasks that each task waits for
     */
    const std::vector<uint32_t>& GetNPredecessors() const;

    /**
     * @return the time of all compute tasks together, in seconds
     */
    double GetComputeSeconds() const;

    /**
     * @param [in,out] counts the number of communication tasks by phase, to which those of this
     *        program are added
     */
    void CountCommunications(std::vector<uint64_t>& counts) const;

  private:
    /**
     * Refuse, by std::invalid_argument, that one task waits for another, unless the first has the
     * lower index and the other exists.
     *
     * @param before the index of the task that comes first
     * @param after the index of the task that waits
     */
    void CheckOrder(uint32_t before, uint32_t after) const;

    std::vector<Task> m_tasks;                       //!< The tasks
    std::vector<std::vector<uint32_t>> m_successors; //!< Tasks that wait, by task
    std::vector<uint32_t> m_nPredecessors;           //!< Number of tasks waited for, by task
};

} // namespace lightpath
} // namespace ns3

#endif /* RANK_PROGRAM_H */
