/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIPELINE_BOUND_H
#define PIPELINE_BOUND_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class LayerTimes;

/**
 * @ingroup lightpath
 * @brief The terms that the bounds on the stages of a pipeline share.
 */
struct PipelineLimits
{
    const LayerTimes* times{nullptr};            //!< The times of the layers
    const std::vector<double>* updates{nullptr}; //!< Time of updates of the layers before, s
    Strategy strategy;                           //!< The strategy
    double message{0};      //!< Time of a message between stages, at least, seconds
    double sum{0};          //!< Time to sum a byte of gradients, seconds
    double pairSum{0};      //!< The same on circuits that are decided on, at least, seconds
    double gather{0};       //!< Time to gather parameters for a byte of gradients after all sums, s
    double sumLaunch{0};    //!< Time of the sum of no bytes, seconds
    double sharedSum{0};    //!< Time to sum the gradients of tied parameters, seconds
    double sharedLaunch{0}; //!< Time of that sum if it had no bytes, seconds
    uint32_t circuits{0};   //!< Circuits of a GPU, if they are decided on once; 0: no limit
    bool hasPhases{false};  //!< Whether there may be other circuits for the sums of gradients
    bool hasGatherPhase{false}; //!< Whether the gathers after them may have circuits of their own
    double early{0};            //!< Time of sums in the phase of other traffic, seconds
    double switchSeconds{0};    //!< Darkness between phases, seconds
};

/**
 * @ingroup lightpath
 * @brief Lower bounds on the iteration time of a pipeline with one part of the layers for each
 * stage, over all cuts; StrategyBound has the proof.
 */
class PipelineBound
{
  public:
    /**
     * @param limits the terms that the stages share; it must outlive this object
     */
    explicit PipelineBound(const PipelineLimits& limits);

    /**
     * @return the greatest bound of a stage, at the cuts where it is least, seconds; 0 with more
     *         stages than layers
     */
    double GetSeconds() const;

    /**
     * The gradients of the first stage, or of a part of it, are summed once its backward pass has
     * made them. Circuits that are decided on once are divided: each peer that a GPU sends to gets
     * at least one, and the other circuits are placed where the sums end soonest. With circuits for
     * each phase, the sums follow all messages.
     *
     * The sums of the layers up to any one follow the completion of the first of their gradients,
     * and send their bytes at the rate of the GPU. New parameters are gathered after all sums of
     * the same groups. All gathers hence follow the completion of the first gradients of all; where
     * experts have groups of their own, they need not follow the first gradients of a part.
     *
     * @param from the first layer of the part
     * @param to the first layer behind it
     * @param latest see GetLatest(), seconds
     * @param tensor the least number of circuits for tensor parallelism; 0 if it may send nothing
     * @param later bytes of gradients of the stage that are completed later
     * @return the time from the begin of the last backward pass until they are summed, seconds
     */
    double GetSums(uint32_t from,
                   uint32_t to,
                   double latest,
                   double tensor,
                   double later = 0) const;

    /**
     * @param from the first layer of a part
     * @param to the first layer behind it
     * @return the position at which the first gradients up to a layer of the part can be complete,
     *         plus the time to sum all gradients up to this layer: the greatest over the layers,
     *         seconds
     */
    double GetLatest(uint32_t from, uint32_t to) const;

    /**
     * Whether the GPUs of a stage surely send something for tensor parallelism, and so need a
     * circuit for it. Collectives between their layers show this; with parallel experts, these may
     * be collectives of experts alone.
     *
     * @param from the first layer of a part
     * @param to the first layer behind it
     * @return true if they do; with parallel experts it is not known
     */
    bool HasTensorTraffic(uint32_t from, uint32_t to) const;

  private:
    /// The times outside the passes of a stage that its bound counts.
    struct Ends
    {
        double head{0};         //!< Time before the first operator, seconds
        double leadForward{0};  //!< Work of the first forward pass behind it, seconds
        double leadBackward{0}; //!< Work of the last backward pass before the tail, seconds
        double first{0};        //!< When the spine has come back through the stage, seconds
        double tail{0};         //!< Time after the last operator of leadBackward, seconds
        double behind{0};       //!< Time of the spine behind the stage, seconds
        double updates{0};      //!< Time of updates of the stage, seconds
        double sums{0};         //!< Time from the last backward pass to the end of the sums, s
    };

    /**
     * @param stage the stage
     * @param from its first layer
     * @param to the first layer behind it
     * @param ends the times outside its passes
     * @return the bound that the stage sets, seconds
     */
    double GetPasses(uint32_t stage, uint32_t from, uint32_t to, const Ends& ends) const;

    /**
     * @param stage the stage
     * @param from its first layer
     * @param to the first layer behind it
     * @param latest see GetSums()
     * @return the bound that the stage sets, seconds
     */
    double GetStage(uint32_t stage, uint32_t from, uint32_t to, double latest) const;

    /**
     * With ZB_H1 gradients of weights may follow everything else: of these, their total alone
     * counts.
     *
     * @param stage the stage
     * @param own the times of the iteration as its GPUs see it
     * @return the bound that the stage sets with gradients of weights put off, seconds
     */
    double GetPutOff(uint32_t stage, const Ends& own) const;

    /**
     * @return true if each stage surely sends something to the next one
     */
    bool HasMessages() const;

    /**
     * Divide the circuits that are decided on once between tensor and data parallelism.
     *
     * A GPU has at least one circuit for each peer that it sends to, and needs none for other
     * GPUs. Replicas are peers only if the stage has gradients, the next stage only if bytes cross
     * every cut, and GPUs of the tensor-parallel group only if the layers have collectives. Traffic
     * that may not exist takes no circuit from other traffic, which makes the bound no greater.
     *
     * @param from the first layer of the first stage
     * @param to the first layer behind it
     * @param latest see GetSums()
     * @param ends the times outside its passes, without the sums
     * @return the bound that the first stage sets, seconds
     */
    double GetShared(uint32_t from, uint32_t to, double latest, Ends ends) const;

    /**
     * @param stage the stage
     * @param from its first layer
     * @param behind the least bound of the stages behind, by the first layer of these stages
     * @param limit the bound from which on the search stops
     * @return the greatest bound of this stage and the stages behind, at their best cuts
     */
    double GetBest(uint32_t stage,
                   uint32_t from,
                   const std::vector<double>& behind,
                   double limit) const;

    /**
     * @param from the first layer of a part
     * @param to the first layer behind it
     * @param latest see GetSums()
     * @param data share of the rate that data parallelism has, or 0 with circuits for each phase
     * @param shared share of the rate between the first and the last stage
     * @param later see GetSums()
     * @return the time from the begin of the last backward pass until all gradients are summed,
     *         seconds
     */
    double GetSumsAt(uint32_t from,
                     uint32_t to,
                     double latest,
                     double data,
                     double shared,
                     double later) const;

    const PipelineLimits& m_limits; //!< The terms that the stages share
    const LayerTimes& m_times;      //!< The times of the layers
    double m_microbatches;          //!< Number m of microbatches
    uint32_t m_stages;              //!< Number p of stages
};

} // namespace lightpath
} // namespace ns3

#endif /* PIPELINE_BOUND_H */
