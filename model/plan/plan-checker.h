/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CHECKER_H
#define PLAN_CHECKER_H

#include "training-plan.h"

#include <cstdint>
#include <map>
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
 * @brief Checks that the programs of a plan fit together.
 *
 * Many ranks share a program. The messages of a pair of ranks and the collectives of a group are
 * checked once for all pairs and groups with the same programs.
 */
class PlanChecker
{
  public:
    /**
     * @param plan the plan; it must outlive this object
     */
    explicit PlanChecker(const TrainingPlan& plan);

    /**
     * Check the plan as TrainingPlan::Check() does.
     */
    void Run();

  private:
    /// The part that one rank takes in a message or in a collective operation.
    struct Part
    {
        uint32_t operation{0};     //!< Number of the operation
        uint32_t rank{0};          //!< The rank
        const Task* task{nullptr}; //!< Its task
    };

    /// The attributes that the tasks of one channel share: the kind of task, the kind of group, the
    /// peer, and the options of a collective.
    using Channel = std::tuple<TaskKind, uint32_t, uint32_t, CollectiveOptions>;

    /// The communication of a program.
    struct Communication
    {
        uint32_t number{0};               //!< Number of the program, in the order of ranks
        std::vector<const Task*> samples; //!< The first task of each channel
        std::map<Channel, std::vector<const Task*>> channels; //!< All of them
    };

    /// The tasks of a rank on one channel.
    struct End
    {
        uint32_t rank{0}; //!< The rank
        Channel channel;  //!< The channel
    };

    /**
     * Check the ranks one by one, and record the pairs and groups that communicate.
     */
    void CheckRanks();

    /**
     * @param rank a rank
     * @return the communication of its program
     */
    const Communication& GetCommunication(uint32_t rank) const;

    /**
     * Check that a task names peers that exist.
     *
     * @param rank the rank that runs the task
     * @param task the task
     */
    void CheckPeers(uint32_t rank, const Task& task) const;

    /**
     * Check that no communication waits for communication of a later phase.
     *
     * @param program the program
     * @param rank a rank that runs it
     */
    static void CheckPhases(const RankProgram& program, uint32_t rank);

    /**
     * Check that two parts of one operation belong to the same phase.
     *
     * @param one a part
     * @param other the other part
     */
    static void CheckSamePhase(const Part& one, const Part& other);

    /**
     * @param part a part of an operation
     * @return its rank, its number and its name, as the beginning of a sentence
     */
    static std::string Describe(const Part& part);

    /**
     * @param ends the tasks of some ranks
     * @return their parts in operations, grouped by operation
     */
    std::vector<Part> GetParts(const std::vector<End>& ends) const;

    /**
     * @param parts sorted parts
     * @param begin the index of the first part of an operation
     * @return the index behind its last part
     */
    static std::size_t FindEnd(const std::vector<Part>& parts, std::size_t begin);

    /**
     * Check that each message of a pair of ranks is sent and received once, with the same size.
     *
     * @param source the rank that sends
     * @param destination the rank that receives
     * @param parts the two ends of all messages
     */
    static void CheckMessages(uint32_t source,
                              uint32_t destination,
                              const std::vector<Part>& parts);

    /**
     * Check that all members of a group take part in its collectives, once and in the same one.
     *
     * @param group the index of the kind of group
     * @param parts the parts of all ranks in all collectives
     */
    void CheckCollectives(uint32_t group, const std::vector<Part>& parts) const;

    /**
     * Check that a member is in no collective twice, and in the same one as the first member.
     *
     * @param group the index of the kind of group
     * @param one the part of the first member
     * @param before the previous part
     * @param part the part to check
     */
    static void CheckMember(uint32_t group, const Part& one, const Part& before, const Part& part);

    /**
     * @param group the index of the kind of group
     * @param ends the tasks of the ranks of a group
     * @return true if these ranks are its members, each of which sees the same group
     */
    bool IsWhole(uint32_t group, const std::vector<End>& ends) const;

    /**
     * @param ends the tasks of some ranks
     * @return a signature, equal for ranks whose tasks are the same
     */
    std::vector<std::pair<uint32_t, Channel>> GetSignature(const std::vector<End>& ends) const;

    const TrainingPlan& m_plan;                                  //!< The plan
    std::map<const RankProgram*, Communication> m_communication; //!< Looked up, never walked over
    /// Ends of messages by source and destination
    std::map<std::pair<uint32_t, uint32_t>, std::vector<End>> m_pairs;
    /// Members that take part in collectives, by kind of group and first member
    std::map<std::pair<uint32_t, uint32_t>, std::vector<End>> m_groups;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CHECKER_H */
