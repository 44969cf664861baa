/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CHOICE_H
#define PLAN_CHOICE_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief All that a plan is decided by: its strategy, its circuits, the places of its
 * ranks and the grid of switches.
 */
struct PlanChoice
{
    /// The orders of the three axes of parallelism that ranks can be put on GPUs by.
    static constexpr uint32_t N_ORDERS{6};

    /**
     * The GPUs of ranks that are numbered as by ReplicaLayout::ApplyStages(), if the three axes
     * of parallelism follow each other in another order.
     *
     * @param strategy the degrees
     * @param order the order, less than N_ORDERS; 0 for tensor, data, pipeline, the fastest first
     * @return the GPU of each rank
     */
    static std::vector<uint32_t> GetGpus(const Strategy& strategy, uint32_t order);

    /**
     * @return the number of features that make it less simple than data parallelism alone: kinds of
     *         parallelism, steps of ZeRO, recomputation, uneven cuts and circuits for each phase
     */
    uint32_t GetNFeatures() const;

    /**
     * @return choices with the same degrees of parallelism and fewer features, those with less ZeRO
     *         first; none for the plan of another planner
     */
    std::vector<PlanChoice> GetSimpler() const;

    std::string name;                         //!< Who proposed it, and what it is
    Strategy strategy;                        //!< The degrees of parallelism
    std::shared_ptr<const TrainingPlan> base; //!< The plan of another planner, or null

    /// The circuits to each peer by kind of group, 0 for one without traffic; empty for circuits in
    /// proportion to the bytes
    std::vector<uint32_t> circuits;

    uint32_t grid{0};           //!< Which grid of FabricLimits::grids, if the fabric has some
    bool phaseCircuits{false};  //!< Whether circuits are decided on for each phase
    bool turnCircuits{false};   //!< Whether circuits follow operations
    std::vector<uint32_t> gpus; //!< The GPU of each rank; empty if ranks have the same number
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CHOICE_H */
