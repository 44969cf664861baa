/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_PLAN_H
#define TRAINING_PLAN_H

#include "rank-groups.h"
#include "rank-program.h"

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// What the backward pass computes anew instead of keeping it.
enum class Recomputation : uint8_t
{
    NONE,      //!< Nothing
    SELECTIVE, //!< The operators that are marked as selective
    FULL,      //!< Each layer, of which only the input is kept
};

/**
 * @ingroup lightpath
 * @brief How the work of an iteration is split: the degrees of each kind of parallelism.
 */
struct Strategy
{
    uint32_t dataParallel{1};     //!< Replicas of the model
    uint32_t tensorParallel{1};   //!< GPUs that share the operators of one replica
    uint32_t pipelineParallel{1}; //!< Stages that the layers of one replica are cut into
    uint32_t virtualStages{1};    //!< Parts that are not in a row of the layers of a stage
    uint32_t microbatches{1};     //!< Parts of the batch of a replica that are worked on in turn
    bool sequenceParallel{false}; //!< Whether what tensor parallelism replicates is split by token
    Recomputation recomputation{Recomputation::NONE}; //!< What the backward pass computes anew
    uint32_t zeroStage{0}; //!< 1: the optimiser state is shared out over the replicas; 0: it is not
};

/**
 * @ingroup lightpath
 * @brief What the memory of a GPU is used for, in bytes.
 */
struct MemoryUse
{
    /**
     * @return all of it
     */
    uint64_t GetTotal() const;

    uint64_t parameters{0};  //!< Parameters as operators read them
    uint64_t gradients{0};   //!< Gradients
    uint64_t optimizer{0};   //!< Master copies and moments
    uint64_t activations{0}; //!< What is kept for the backward pass, at the peak of the schedule
};

/**
 * @ingroup lightpath
 * @brief The outcome of a Planner: who computes what, and who sends what to whom.
 *
 * Rank r runs on GPU r, which is port r of the fabric. In a folded plan (PlanFolder) a rank stands
 * for others that do the same at the same time; representedRanks is then more than the number of
 * programs.
 */
class TrainingPlan
{
  public:
    /**
     * Refuse, by std::invalid_argument in one sentence, programs that do not fit together: a send
     * without its receive or with another size, a collective that not all members of its group take
     * part in, a peer or group that does not exist, communication that waits for that of a later
     * phase.
     */
    void Check() const;

    /**
     * @return the bytes that the programs send in one iteration, by source and destination rank
     */
    TrafficMatrix GetTraffic() const;

    /**
     * @return the bytes that the programs send in each phase of an iteration; together they are
     *         those of GetTraffic()
     */
    std::vector<TrafficMatrix> GetPhases() const;

    /**
     * @return the number of communication tasks of all ranks in each phase; there is one phase at
     *         least
     */
    std::vector<uint64_t> GetNCommunications() const;

    Strategy strategy;                                        //!< The degrees of parallelism
    std::vector<std::shared_ptr<const RankProgram>> programs; //!< Program of each rank
    std::vector<RankGroups> groups;                           //!< The kinds of groups
    std::vector<MemoryUse> memory;                            //!< Memory of each rank
    uint64_t memoryBytes{0};                                  //!< Memory of the fullest GPU, bytes
    double predictedSeconds{0};   //!< Time of an iteration as planned, s
    uint32_t representedRanks{0}; //!< Folded: ranks that those of this plan stand for; else 0

  private:
    /**
     * @param phase a phase, or ProgramTraffic::ALL_PHASES
     * @return the bytes that the programs send in it
     */
    TrafficMatrix GetPhaseTraffic(uint32_t phase) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_PLAN_H */
