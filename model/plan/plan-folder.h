/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_FOLDER_H
#define PLAN_FOLDER_H

#include "training-plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Folds a plan of many ranks that do the same into a plan of few ranks that takes as long.
 *
 * Where all members of a group do the same at the same time, a rank gets the same data at the same
 * time from any of them. Two members then suffice: each takes the other for all its peers. This
 * holds on a fabric that treats all GPUs, or all GPUs of a server and all servers, alike, or gives
 * them the same circuits (FoldedCircuits), and if no rank is slower than others.
 *
 * The ranks of a plan are numbered as by ReplicaLayout. Stages differ and are kept. The ranks of a
 * stage do the same. They are cut into runs of successive ranks: the parts of a replica
 * (TENSOR_GROUP), the shares of its tokens (CONTEXT_GROUP), the ranks that share out experts
 * (EXPERT_GROUP), those that share out state (DATA_GROUP with Strategy::shardGpus), and those of a
 * server (CollectiveOptions::local of the collectives of DATA_GROUP and SHARD_COPY_GROUP). The
 * position in a run within the next longer one is a coordinate. Each coordinate keeps two positions
 * if it has more. With DUALPIPE, a group of DATA_GROUP or EXPERT_DATA_GROUP has the ranks of two
 * stages that do the same, one run each. A folded rank represents the rank with the same
 * coordinates. A peer that differs from it in some coordinates is played by the rank with the other
 * of the two positions in these, and with the same position in all others. Where the next and the
 * previous member of a ring must differ, as on a fibre ring, three positions are kept outside
 * servers, each of which has one of the others as the next, and one as the previous.
 *
 * Messages that go to several peers at once, as of an all-to-all, share links with others in as
 * many parts, and wait for each other if one rank plays these peers. All members of such groups are
 * kept where other groups have messages, too, if that makes at most MANY_RANKS folded ranks;
 * otherwise the folded plan does not take as long to the tick (TrainingPlan::foldsExactly).
 *
 * Collectives keep the full size of their group. Their buffers are rounded up to a multiple of it,
 * since members whose chunks differ do not do the same: a folded plan sends up to as many bytes
 * more as a group has members. If all buffers are such multiples, each folded rank begins and ends
 * an iteration when the rank that it represents does; otherwise their times differ by about the
 * time of a byte for each step of a collective.
 *
 * The folded ranks have ports in the order of the ports of those that they represent: a placement
 * of whole servers is kept.
 *
 * Refused by std::invalid_argument in one sentence: ranks that are not numbered so, ranks of a
 * stage with different programs, messages between them, collectives of more than two members by
 * algorithms in which members differ, groups that lie unevenly in the servers or in each other, and
 * placements that take servers apart.
 */
class PlanFolder
{
  public:
    /// Ranks beyond which few stand for all wherever that saves work
    static constexpr std::size_t MANY_RANKS = 256;

    /**
     * @param plan the plan
     * @param serverGpus the number of successive ranks that share a server, 1 for no servers
     * @param leafGpus the number of successive ranks whose servers are nearer to each other than to
     *        others, in whole servers: all servers of two such leaves are kept, and so are all
     *        servers if it is the number of ranks; 1 for servers that are all alike
     * @param kept the positions that are kept of each coordinate outside servers, 2 or 3
     * @param wholeServers whether all GPUs of a server are kept, which then may hand messages to
     *        each other, and hold parts of groups
     */
    explicit PlanFolder(const TrainingPlan& plan,
                        uint32_t serverGpus = 1,
                        uint32_t leafGpus = 1,
                        uint32_t kept = 2,
                        bool wholeServers = false);

    /**
     * @return the folded plan
     */
    const TrainingPlan& GetPlan() const;

    /**
     * @return the number of successive folded ranks that share a server
     */
    uint32_t GetServerGpus() const;

    /**
     * @param rank a rank of the full plan
     * @return the folded rank that does the same
     */
    uint32_t FindFolded(uint32_t rank) const;

    /**
     * @param rank a rank of the full plan
     * @param peer another one
     * @param kind the kind of group that both are in
     * @return the folded rank that plays the peer for FindFolded(rank)
     */
    uint32_t FindTwin(uint32_t rank, uint32_t peer, std::size_t kind) const;

    /**
     * @return for each folded rank the rank of the full plan with the same coordinates
     */
    const std::vector<uint32_t>& GetRanks() const;

  private:
    /// The coordinates of a rank, from the one with neighbouring ranks to the stage, or their
    /// numbers.
    using Coordinates = std::vector<uint32_t>;

    /**
     * @param plan the plan
     * @param local the successive replicas that share a server
     * @param serverGpus the number of successive ranks that share a server, all of which are kept;
     *        1 for none
     * @param leafGpus the number of successive ranks of a leaf, 1 for none
     * @return the number of each coordinate
     */
    static Coordinates GetSizes(const TrainingPlan& plan,
                                uint32_t local,
                                uint32_t serverGpus,
                                uint32_t leafGpus);

    /**
     * Refuse degrees that do not make up the number of ranks, and ranks that have loads of their
     * own.
     *
     * @param plan the plan
     */
    static void CheckDegrees(const TrainingPlan& plan);

    /**
     * Refuse parts or replicas that do not share a program.
     *
     * @param plan the plan
     */
    static void CheckPrograms(const TrainingPlan& plan);

    /**
     * Refuse groups that do not follow the numbering of ranks.
     *
     * @param plan the plan
     */
    static void CheckGroups(const TrainingPlan& plan);

    /**
     * @param plan the plan
     * @param kind a kind of groups of replicas
     * @return the number of successive members of these that share a server in their collectives; 1
     *         without servers
     */
    static uint32_t GetLocal(const TrainingPlan& plan, uint32_t kind);

    /**
     * @param strategy the degrees of the full plan
     * @param serverGpus the number of successive ranks that share a server
     * @return the number of folded ranks that share a server
     */
    uint32_t FoldServer(const Strategy& strategy, uint32_t serverGpus) const;

    /**
     * Choose how many positions of each coordinate are kept.
     *
     * @param serverGpus the number of successive ranks that share a server
     * @param leafGpus the number of successive ranks of a leaf, 1 for none
     * @param kept the positions that are kept of each coordinate outside servers
     * @return the number of folded ranks
     */
    uint64_t ChoosePositions(uint32_t serverGpus, uint32_t leafGpus, uint32_t kept);

    /**
     * @param rank a rank
     * @param sizes the number of each coordinate
     * @return its coordinates
     */
    static Coordinates GetCoordinates(uint32_t rank, const Coordinates& sizes);

    /**
     * @param rank a rank of the full plan
     * @return the coordinates of the folded rank that does the same
     */
    Coordinates GetKept(uint32_t rank) const;

    /**
     * @param place coordinates
     * @param sizes the number of each coordinate
     * @return the rank that has them
     */
    static uint32_t GetRank(const Coordinates& place, const Coordinates& sizes);

    /**
     * @param plan the plan
     * @param program a program of it
     * @return the program with even chunks
     */
    RankProgram FoldProgram(const TrainingPlan& plan, const RankProgram& program) const;

    /**
     * @param kind a kind of groups whose members do the same
     * @return true unless all members of the groups of kept ranks are kept
     */
    bool IsFolded(uint32_t kind) const;

    bool m_keepsServers;       //!< Whether GPUs of all servers are kept
    bool m_wholeServers;       //!< Whether all GPUs of a server are kept
    uint32_t m_local{1};       //!< Successive replicas that share a server
    Coordinates m_sizes;       //!< Number of each coordinate in the full plan
    Coordinates m_foldedSizes; //!< Number of each coordinate in the folded plan
    uint32_t m_serverGpus;     //!< Folded ranks of a server
    TrainingPlan m_plan;       //!< The folded plan
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_FOLDER_H */
