/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_FOLDER_H
#define PLAN_FOLDER_H

#include "training-plan.h"

#include <array>
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
 * holds on a fabric that treats all GPUs, or all GPUs of a server and all servers, alike, and if no
 * rank is slower than others.
 *
 * The ranks of a plan with S stages, D replicas and T parts are numbered (s D + d) T + t. Stages
 * differ and are kept. Parts (TENSOR_GROUP) do the same and so do replicas (DATA_GROUP); if in the
 * collectives of the replicas L successive members share a server (CollectiveOptions::local), then
 * the place in the server, d mod L, and the server, d div L, are folded apart. Of each of these
 * the place in the server, d mod L, and the server, d div L, are folded apart. Each of these
 * dimensions keeps two positions if it has more. A folded rank represents the rank with the same
 * coordinates. A peer that differs from it in some coordinates is played by the rank with the other
 * of the two positions in these, and with the same position in all others.
 *
 * Collectives keep the full size of their group. Their buffers are rounded up to a multiple of it,
 * since members whose chunks differ do not do the same: a folded plan sends up to as many bytes
 * more as a group has members. If all buffers are such multiples, each folded rank begins and ends
 * an iteration when the rank that it represents does; otherwise their times differ by about the
 * time of a byte for each step of a collective. CrossbarChannel rounds shares of a link down to
 * whole bit/s, one flow after the other, which can differ by as much.
 *
 * Refused by std::invalid_argument in one sentence: ranks that are not numbered so, parts or
 * replicas with different programs, messages and all-to-all between more than two parts or
 * replicas, collectives of more than two members by other algorithms than rings, groups that lie
 * unevenly in the servers.
 */
class PlanFolder
{
  public:
    /**
     * @param plan the plan
     * @param serverGpus the number of successive ranks that share a server, 1 for no servers
     */
    explicit PlanFolder(const TrainingPlan& plan, uint32_t serverGpus = 1);

    /**
     * @return the folded plan
     */
    const TrainingPlan& GetPlan() const;

    /**
     * @return the number of successive folded ranks that share a server
     */
    uint32_t GetServerGpus() const;

    /**
     * @return for each folded rank the rank of the full plan with the same coordinates
     */
    const std::vector<uint32_t>& GetRanks() const;

  private:
    /// Part, place in the server, server and stage: the coordinates of a rank, or their numbers.
    using Coordinates = std::array<uint32_t, 4>;

    static constexpr uint32_t N_FOLDED = 3; //!< Coordinates that are folded, the first ones

    /**
     * Refuse degrees that do not make up the number of ranks.
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
     * @return the number of successive replicas that share a server in its collectives; 1 without
     *         servers
     */
    static uint32_t GetLocal(const TrainingPlan& plan);

    /**
     * @param serverGpus the number of successive ranks that share a server
     * @return the number of folded ranks that share a server
     */
    uint32_t FoldServer(uint32_t serverGpus) const;

    /**
     * @param rank a rank
     * @param sizes the number of each coordinate
     * @return its coordinates
     */
    static Coordinates GetCoordinates(uint32_t rank, const Coordinates& sizes);

    /**
     * @param place coordinates
     * @param sizes the number of each coordinate
     * @return the rank that has them
     */
    static uint32_t GetRank(const Coordinates& place, const Coordinates& sizes);

    /**
     * @param rank a rank of the full plan that a folded one stands for
     * @param peer another rank of the full plan, or the same
     * @return the folded rank that plays the peer for the rank
     */
    uint32_t GetTwin(uint32_t rank, uint32_t peer) const;

    /**
     * @param plan the plan
     * @param program a program of it
     * @return the program with even chunks
     */
    static RankProgram FoldProgram(const TrainingPlan& plan, const RankProgram& program);

    /**
     * Make the chunks of a collective between parts or replicas even. Refuses, by
     * std::invalid_argument, a task that cannot be folded.
     *
     * @param members the number of parts or replicas
     * @param [in,out] task the task
     */
    static void FoldTask(uint32_t members, Task& task);

    Coordinates m_sizes;           //!< Number of each coordinate in the full plan
    Coordinates m_foldedSizes;     //!< Number of each coordinate in the folded plan
    uint32_t m_serverGpus;         //!< Folded ranks of a server
    std::vector<uint32_t> m_ranks; //!< The rank of the full plan by folded rank
    TrainingPlan m_plan;           //!< The folded plan
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_FOLDER_H */
