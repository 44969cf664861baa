/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERLEAVED_BOUND_H
#define INTERLEAVED_BOUND_H

#include "model/planner/write/pipeline-schedule.h"
#include "pipeline-bound.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A lower bound on the iteration time of a pipeline with virtual stages whose parts are
 * known: even parts (LayerPartition), or parts between given cuts.
 *
 * It is the longest path through the interleaved schedule; see "Lower bounds" in the manual's
 * chapter on planning.
 */
class InterleavedBound
{
  public:
    /**
     * @param limits the terms that the stages share; it must outlive this object
     */
    explicit InterleavedBound(const PipelineLimits& limits);

    /**
     * @param strategy a strategy with virtual stages
     * @param layers the number of layers of the model
     * @return true if its parts are known: it names its cuts, or its parts have the same number of
     *         layers, apart from the first and the last part
     */
    static bool IsKnown(const Strategy& strategy, uint32_t layers);

    /**
     * @return the bound, seconds
     */
    double GetSeconds();

  private:
    /// The longest paths to an event, seconds.
    struct Times
    {
        double plain{0};     //!< As the schedule is
        double prolonged{0}; //!< Prolonged by the microbatches that are left out
    };

    /// The times of a part, seconds.
    struct Part
    {
        double work{0};  //!< From when it is free to begin until its end
        double input{0}; //!< From its message until its end
        double sent{0};  //!< From when it is free to begin until it sends
        double spine{0}; //!< From its message until it sends
        double gap{0};   //!< From then until the message is there
    };

    /// The progress of a stage through its passes.
    struct Stage
    {
        std::vector<StagePass> passes; //!< Its passes
        std::size_t next{0};           //!< The next one
        Times free;                    //!< When it is free to begin
        double longer{0};              //!< Time of the microbatches that are left out, seconds
    };

    /**
     * Measure the times of the parts.
     */
    void MeasureParts();

    /**
     * @param times the longest paths to an event
     * @param seconds a time
     * @return the longest paths to a point that follows the event after this time
     */
    static Times Add(const Times& times, double seconds);

    /**
     * @param a the longest paths to an event
     * @param b the longest paths to another event
     * @return the longest paths to a point that follows both events
     */
    static Times Max(const Times& a, const Times& b);

    /**
     * Carry out the next pass of a stage, if its message has been sent.
     *
     * @param stage the stage
     * @return true if it has been carried out
     */
    bool Advance(uint32_t stage);

    /**
     * Account for the sums of gradients of a part of the first stage, whose last backward pass
     * begins.
     *
     * @param part the part
     * @param begin the time at which the pass begins, seconds
     * @param first the first layer of the part
     * @param behind the first layer behind it
     */
    void AddSums(uint32_t part, double begin, uint32_t first, uint32_t behind);

    /**
     * @param part a part
     * @return its first layer
     */
    uint32_t GetLayer(uint32_t part) const;

    const PipelineLimits& m_limits; //!< The terms that the stages share
    const LayerTimes& m_times;      //!< The times of the layers
    Strategy m_strategy;            //!< The strategy, with the microbatches that are looked at
    uint32_t m_parts;               //!< Number of parts
    uint32_t m_left;                //!< Microbatches that are left out
    std::vector<Part> m_ways[2];    //!< The parts, forward and backward
    std::vector<Times> m_sent[2];   //!< When messages are there, by microbatch and part
    std::vector<Stage> m_stages;    //!< The stages
    double m_sums{0};               //!< When the gradients of the first stage are summed, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* INTERLEAVED_BOUND_H */
