/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DRAWN_LOADS_H
#define DRAWN_LOADS_H

#include "ns3/random-variable-stream.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The loads of experts in each iteration of a job, by layer (ExpertLoad).
 *
 * They are drawn when the first rank needs those of an iteration: layer by layer, expert by expert.
 */
class DrawnLoads
{
  public:
    /**
     * @param plan the plan of the job; it must outlive this object
     */
    explicit DrawnLoads(const TrainingPlan& plan);

    /**
     * @param stream the number of the stream of random numbers to draw from
     * @return the number of streams assigned: 1, or 0 if nothing is drawn
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @param task a task that depends on experts
     * @param rank its rank
     * @param iteration the iteration, from 0
     * @return the task with the time and the size that it has in this iteration
     */
    Task Get(const Task& task, uint32_t rank, uint32_t iteration);

    /**
     * @param task a compute task
     * @param rank its rank
     * @param iteration the iteration, from 0
     * @return the time that it takes in this iteration, seconds
     */
    double GetSeconds(const Task& task, uint32_t rank, uint32_t iteration);

    /**
     * Note that all ranks have ended an iteration, of which the loads are no longer needed.
     *
     * @param iteration the iteration, from 0
     */
    void Forget(uint32_t iteration);

  private:
    /// The experts of a layer, and their scores in the last iteration drawn.
    struct Layer
    {
        RoutedLayer routed;         //!< The experts
        std::vector<double> scores; //!< Their scores
    };

    /**
     * Draw the loads of the next iteration.
     */
    void Draw();

    const TrainingPlan& m_plan;         //!< The plan
    Ptr<NormalRandomVariable> m_random; //!< Scores of experts; null if they are not drawn
    std::map<uint32_t, Layer> m_layers; //!< By layer of the model
    uint32_t m_nDrawn{0};               //!< Iterations drawn so far

    /// Loads by iteration and layer
    std::map<uint32_t, std::map<uint32_t, ExpertLoad::Loads>> m_loads;
};

} // namespace lightpath
} // namespace ns3

#endif /* DRAWN_LOADS_H */
