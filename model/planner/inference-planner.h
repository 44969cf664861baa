/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFERENCE_PLANNER_H
#define INFERENCE_PLANNER_H

#include "planner.h"

#include "ns3/nstime.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Plans inference with prefill and decode on GPUs of their own (disaggregated serving, Zhong
 * et al., "DistServe", 2024).
 *
 * An iteration of the plan is the prefill of a batch of prompts on the first GPUs, the transfer of
 * keys and values to the other ones, and one decode step of these. The global batch of the problem
 * is the number of prompts, its GPUs are those of both phases, and MakeGraphs() gives it its graph.
 *
 * In each phase, TensorParallel successive GPUs form a replica of the model, and ExpertParallel
 * successive replicas share out the experts; sequences are dealt out evenly over the replicas of a
 * phase, in the same order in both. Each GPU hands over the keys and values of a layer to those
 * that decode with the same heads as soon as it has computed them; a latent cache, which each GPU
 * of a prefill replica has whole, goes in equal shares. Decode begins once all keys and values and
 * the first tokens are there.
 *
 * MemoryUse::activations has the cache at the end of the output, and the largest operator's input
 * and output. The degrees of both phases differ, so that the strategy of the plan is that of no
 * phase.
 */
class InferencePlanner : public Planner
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Make the graphs of the prefill, for the problem, and of a decode step, for this planner. The
     * decode step is that of the middle of the output, whose time is the mean of all.
     * std::invalid_argument for a model that is no decoder.
     *
     * @param model the name of a model (ModelZoo)
     * @param [in,out] problem the problem, with its GPUs and its global batch
     */
    void MakeGraphs(const std::string& model, PlanningProblem& problem);

    /**
     * Make the graphs, and plan with the smallest tensor-parallel degrees with which replicas can
     * share out their sequences and have the memory for the model, in place of the attributes.
     * std::invalid_argument says why there are none.
     *
     * @param model the name of a model (ModelZoo)
     * @param [in,out] problem the problem, with its GPUs and its global batch
     * @param prefill the only degree of the prefill to try; 0 for all
     * @param decode the same of the decode phase
     * @return the plan
     */
    TrainingPlan TryPlanSmallest(const std::string& model,
                                 PlanningProblem& problem,
                                 uint32_t prefill = 0,
                                 uint32_t decode = 0);

    /**
     * @return the sequences of a decode step
     *
     * @param problem the problem
     */
    uint64_t GetDecodeBatch(const PlanningProblem& problem) const;

    /**
     * @param graph the graph of a step of inference
     * @return the bytes of the cache of a sequence, of all layers and on all GPUs that share it
     */
    static uint64_t GetCacheBytes(const OperatorGraph& graph);

    /**
     * @return the bytes of keys and values that a sequence hands over, once MakeGraphs() has been
     *         called
     */
    uint64_t GetTransferBytes() const;

  private:
    struct Phase;

    // From Planner
    TrainingPlan DoPlan(const PlanningProblem& problem) const override;

    /**
     * Refuse, by std::invalid_argument, GPUs and degrees that do not fit together.
     *
     * @param problem the problem
     */
    void Check(const PlanningProblem& problem) const;

    /**
     * Write the programs of both phases, in the order of ranks.
     *
     * @param prefill the prefill
     * @param decode the decode phase
     * @param [out] plan the plan
     */
    void WritePrograms(const Phase& prefill, const Phase& decode, TrainingPlan& plan) const;

    uint64_t m_promptTokens;  //!< Tokens of a prompt
    uint64_t m_outputTokens;  //!< Tokens that are generated for it
    uint32_t m_prefillGpus;   //!< GPUs for the prefill
    uint32_t m_prefillTensor; //!< Those of a replica
    uint32_t m_prefillExpert; //!< Replicas that share out the experts
    uint32_t m_decodeTensor;  //!< GPUs of a replica for the decode phase
    uint32_t m_decodeExpert;  //!< Replicas that share out the experts
    uint64_t m_decodeBatch;   //!< Sequences of a decode step; 0 for those of the prefill
    Time m_decodeLaunch;      //!< Time to launch an operator of a decode step
    double m_decodeMemory;    //!< Share of the peak of the memory that such an operator reaches
    OperatorGraph m_decode;   //!< The graph of a decode step
    OperatorGraph m_handover; //!< The prefill with the keys and values that decode holds
};

} // namespace lightpath
} // namespace ns3

#endif /* INFERENCE_PLANNER_H */
