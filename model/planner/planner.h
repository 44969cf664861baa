/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANNER_H
#define PLANNER_H

#include "ns3/accelerator.h"
#include "ns3/circuit-allocator.h"
#include "ns3/object.h"
#include "ns3/operator-graph.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What a planner needs to know of the fabric.
 */
struct FabricLimits
{
    double bitRate{0};       //!< Rate of one GPU into the fabric, bit/s
    double peerBitRate{0};   //!< Rate that all GPUs can have to one peer each, bit/s; 0 for all
    uint32_t degree{0};      //!< Most peers that a GPU can send to or receive from; 0 for no limit
    uint32_t circuits{1};    //!< Circuits that the rate of one GPU is split into
    double latency{0};       //!< Time that a message takes besides its own bytes at least, seconds
    uint32_t serverGpus{1};  //!< GPUs in a row that share a server; 1 for no servers
    double serverBitRate{0}; //!< Rate of one GPU to the others of its server, bit/s
    double serverLatency{0}; //!< Latency of a message inside a server, seconds
    double collectiveLatency{0}; //!< Time from a collective being ready to its beginning, seconds
    bool isShared{false};        //!< Whether GPUs share rates max-min fair, as at a packet switch
    double laneRate{0};          //!< Rate of a lane of a lightpath, bit/s; 0 without circuits
    double switchingSeconds{0};  //!< Time that circuits are dark as they are switched, seconds
    double indirectBitRate{0}; //!< Rate from a GPU to one without a circuit, by other ways, bit/s;
                               //!< 0 where there are none
    bool phaseCircuits{false}; //!< Whether circuits are decided on for each phase, for any plan
    bool canSwitch{false};     //!< Whether a plan may ask for circuits for each phase
    /// Bits that a gradient takes where the fabric averages those of all GPUs and carries nothing
    /// else, with its part of the scales; 0 for a fabric that carries messages
    double averagedBits{0};

    /// The time in seconds that a message takes besides its own bytes on a lightpath from one GPU
    /// to another with these lanes; empty where it is the latency for all
    std::function<double(uint32_t, uint32_t, const std::vector<Lane>&)> pathLatency;

    /// What decides on the circuits, which must be able to give each pair of GPUs with traffic a
    /// lightpath, all at once; of several, each one
    std::vector<Ptr<const CircuitAllocator>> allocators;
};

/**
 * @ingroup lightpath
 * @brief The task of a planner: one model, so many GPUs, one fabric.
 */
struct PlanningProblem
{
    OperatorGraph graph;     //!< The model
    Accelerator accelerator; //!< The GPUs
    FabricLimits fabric;     //!< The fabric between them
    uint32_t gpus{0};        //!< Number of GPUs
    uint64_t globalBatch{0}; //!< Samples of one iteration, over all GPUs
};

/**
 * @ingroup lightpath
 * @brief Splits a model over GPUs and places the parts.
 *
 * A planner is plain computation: the same problem always gets the same plan. A problem that it
 * cannot solve is refused by std::invalid_argument in one sentence. A child class implements
 * DoPlan(), which need not check what Plan() checks: that there are GPUs and samples, that the
 * programs fit together, that the fabric can carry the traffic and that the plan fits into the
 * GPU's memory.
 */
class Planner : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param problem what is to be planned
     * @return a plan for it
     */
    TrainingPlan Plan(const PlanningProblem& problem) const;

  protected:
    /**
     * Refuse, by std::invalid_argument, what does not fit into the memory of a GPU.
     *
     * @param bytes the bytes that the fullest GPU would have to hold
     * @param accelerator the GPU
     */
    static void CheckMemory(uint64_t bytes, const Accelerator& accelerator);

    /**
     * Refuse, by std::invalid_argument, traffic that the fabric cannot carry.
     *
     * @param traffic the bytes by source and destination GPU
     * @param fabric the fabric
     */
    static void CheckTraffic(const TrafficMatrix& traffic, const FabricLimits& fabric);

  private:
    /**
     * Refuse, by std::invalid_argument, communication other than the average over all GPUs, if the
     * fabric carries nothing else.
     *
     * @param plan the plan
     * @param fabric the fabric
     */
    static void CheckAveraged(const TrainingPlan& plan, const FabricLimits& fabric);

    /**
     * Refuse, by std::invalid_argument, a problem that has no solution from the outset.
     *
     * @param problem the problem
     */
    static void CheckProblem(const PlanningProblem& problem);

    /**
     * @param problem what is to be planned
     * @return a plan for it
     */
    virtual TrainingPlan DoPlan(const PlanningProblem& problem) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* PLANNER_H */
