/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ZERO_BUBBLE_ORACLE_H
#define LIGHTPATH_ZERO_BUBBLE_ORACLE_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// The time of the passes of a microbatch through a stage, in us.
struct PassTimes
{
    uint64_t forward; //!< Forward pass
    uint64_t inputs;  //!< Gradients of inputs
    uint64_t weights; //!< Gradients of weights

    /**
     * @return all of them
     */
    uint64_t GetAll() const
    {
        return forward + inputs + weights;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Carries ZB-H1 out by a rule in place of a list: a stage has p - s microbatches between
 * forward and backward pass, and s between the gradients of inputs and those of weights.
 */
class ZeroBubbleOracle
{
  public:
    /**
     * @param stages the number of stages
     * @param microbatches the number of microbatches
     * @param times the times of the passes
     */
    ZeroBubbleOracle(uint32_t stages, uint32_t microbatches, const PassTimes& times)
        : m_microbatches(microbatches),
          m_times(times),
          m_stages(stages)
    {
    }

    /**
     * @param iterations the number of iterations, each of which a stage begins on its own
     * @return the time at which the last stage has ended them
     */
    uint64_t GetEnd(uint32_t iterations)
    {
        m_stages.assign(m_stages.size(), Stage());
        uint64_t left = iterations * m_stages.size();
        while (left > 0)
        {
            for (uint32_t s = 0; s < m_stages.size(); ++s)
            {
                Stage& stage = m_stages[s];
                while (stage.iteration < iterations && Step(s))
                {
                    if (stage.weights == m_microbatches)
                    {
                        stage.forward = stage.inputs = stage.weights = 0;
                        ++stage.iteration;
                        --left;
                    }
                }
            }
        }
        uint64_t end = 0;
        for (const auto& stage : m_stages)
        {
            end = std::max(end, stage.time);
        }
        return end;
    }

  private:
    /// The progress of a stage.
    struct Stage
    {
        uint32_t iteration{0}; //!< The iteration
        uint32_t forward{0};   //!< Forward passes in it
        uint32_t inputs{0};    //!< Passes that make gradients of inputs in it
        uint32_t weights{0};   //!< Passes that make gradients of weights in it
        uint64_t time{0};      //!< When it is free
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> activations; //!< When there is a result
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> gradients;   //!< The same of gradients
    };

    /**
     * @param s a stage, which carries out its next pass
     * @return false if it must wait for another stage first
     */
    bool Step(uint32_t s)
    {
        Stage& stage = m_stages[s];
        const auto last = static_cast<uint32_t>(m_stages.size() - 1);
        const uint32_t open = stage.forward - stage.inputs;
        const uint32_t late = stage.inputs - stage.weights;
        if (late > s || stage.inputs == m_microbatches)
        {
            ++stage.weights;
            stage.time += m_times.weights;
            return true;
        }
        const bool isForward = stage.forward < m_microbatches && open < last + 1 - s;
        const std::pair<uint32_t, uint32_t> key(stage.iteration,
                                                isForward ? stage.forward : stage.inputs);
        uint64_t ready = 0;
        if (isForward ? s > 0 : s < last)
        {
            Stage& other = m_stages[isForward ? s - 1 : s + 1];
            const auto& results = isForward ? other.activations : other.gradients;
            const auto found = results.find(key);
            if (found == results.end())
            {
                return false;
            }
            ready = found->second;
        }
        stage.time = std::max(stage.time, ready) + (isForward ? m_times.forward : m_times.inputs);
        (isForward ? stage.activations : stage.gradients)[key] = stage.time;
        ++(isForward ? stage.forward : stage.inputs);
        return true;
    }

    uint32_t m_microbatches;     //!< Number of microbatches
    PassTimes m_times;           //!< Times of the passes
    std::vector<Stage> m_stages; //!< The stages
};

#endif /* LIGHTPATH_ZERO_BUBBLE_ORACLE_H */
