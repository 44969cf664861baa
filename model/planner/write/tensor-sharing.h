/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENSOR_SHARING_H
#define TENSOR_SHARING_H

#include "expert-sharing.h"
#include "layer-partition.h"

#include "ns3/accelerator.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How the GPUs of a tensor-parallel group share the operators of a model, as each operator
 * states it by its TensorSplit.
 *
 * Without sequence parallelism an all-reduce sums the output of a ROW operator, and the gradient of
 * the input of COLUMN operators (Shoeybi et al., Megatron-LM, 2019). With it, each GPU works on its
 * tokens in SEQUENCE operators: a reduce-scatter sums these outputs and gradients, and an
 * all-gather precedes what needs all tokens (Korthikanti et al., "Reducing activation recomputation
 * in large transformer models", 2022). COLUMN operators with the same predecessors share the sum of
 * their input gradients if no operator reads one of these gradients before all of them are ready.
 *
 * Where replicas share out experts (ExpertSharing), each group has its share of the experts and
 * works on the tokens that all of these replicas route to them, as many as its own.
 */
class TensorSharing
{
  public:
    /// The share that each GPU has of the result of an operator, once it has been summed.
    enum class Layout : uint8_t
    {
        WHOLE,  //!< All of it
        TOKENS, //!< Its share of the tokens
        TENSOR, //!< The share that it has computed of each token
    };

    /**
     * @param graph the model; it must outlive this object
     * @param partition the parts that its layers are cut into
     * @param strategy the degrees of parallelism
     * @param isUneven whether ranks that share out experts get different numbers of tokens
     */
    TensorSharing(const OperatorGraph& graph,
                  const LayerPartition& partition,
                  const Strategy& strategy,
                  bool isUneven = false);

    /**
     * @return how ranks share out experts
     */
    const ExpertSharing& GetExperts() const;

    /**
     * @param graph a model
     * @param gpus the number of GPUs of a group
     * @return why they cannot share its operators, as the beginning of a sentence; empty if they
     *         can
     */
    static std::string FindObstacle(const OperatorGraph& graph, uint32_t gpus);

    /**
     * @return the number of GPUs of a group
     */
    uint32_t GetNGpus() const;

    /**
     * @param bytes a number of bytes
     * @return the share of one GPU, rounded up
     */
    uint64_t Divide(uint64_t bytes) const;

    /**
     * @param bytes bytes per sample
     * @param samples the number of samples
     * @return the bytes in each share of the tokens of these samples, rounded up
     */
    uint64_t GetBytes(uint64_t bytes, uint64_t samples) const;

    /**
     * @param op an operator
     * @param accelerator the GPUs
     * @param samples the number of samples
     * @return the time that its share takes on one GPU, in seconds
     */
    double GetSeconds(const Operator& op, const Accelerator& accelerator, double samples) const;

    /**
     * @param op an operator
     * @return the share of its parameters that each GPU holds
     */
    double GetParameterShare(const Operator& op) const;

    /**
     * @param op an operator
     * @return the number of its parameters that each GPU holds
     */
    uint64_t GetParameters(const Operator& op) const;

    /**
     * @param op a forward operator
     * @param samples the number of samples
     * @return the bytes that each GPU keeps of it for the backward pass
     */
    uint64_t GetSavedBytes(const Operator& op, uint64_t samples) const;

    /**
     * @param op an operator
     * @return true if all GPUs have its parameters, but each one makes gradients from its own
     *         tokens, so that the gradients must be summed
     */
    bool IsGradientPartial(const Operator& op) const;

    /**
     * @param op the index of an operator
     * @return the share that each GPU has of its result
     */
    Layout GetLayout(uint32_t op) const;

    /**
     * @param from the index of an operator
     * @param to the index of an operator of the same pass that reads it
     * @return true if an all-gather comes between them
     */
    bool IsGathered(uint32_t from, uint32_t to) const;

    /**
     * @param op the index of a backward operator
     * @return true if the input that its forward operator, a COLUMN operator, has kept is gathered
     *         before it
     */
    bool IsInputGathered(uint32_t op) const;

    /**
     * @param op the index of an operator
     * @return the operators whose results are summed over the group together with its own, itself
     *         included, in ascending order; none if its result is not summed
     */
    const std::vector<uint32_t>& GetSummed(uint32_t op) const;

  private:
    /**
     * Find the operators whose gradients are summed over the group.
     *
     * @param partition the parts of the model
     */
    void FindInputGradients(const LayerPartition& partition);

    /**
     * @param members operators that make gradients of the input of COLUMN operators with the same
     *        predecessors, in ascending order
     * @return true if only the members themselves read them before the last one has run
     */
    bool CanShare(const std::vector<uint32_t>& members) const;

    /**
     * Find the share that each GPU has of each result.
     */
    void FindLayouts();

    /**
     * @param op an operator
     * @return how the group shares it: each GPU works on its own tokens with whole experts
     */
    TensorSplit GetSplit(const Operator& op) const;

    /**
     * @param op an operator
     * @return true if each GPU computes all of it, or all of it for its own tokens
     */
    bool IsWhole(const Operator& op) const;

    /**
     * @param op an operator
     * @return true if each GPU computes it for its own tokens
     */
    bool IsByToken(const Operator& op) const;

    const OperatorGraph& m_graph;                //!< The model
    ExpertSharing m_experts;                     //!< How ranks share out experts
    uint32_t m_gpus;                             //!< GPUs of a group
    uint32_t m_shares;                           //!< Shares of the tokens of a sample
    bool m_sequenceParallel;                     //!< Whether SEQUENCE operators are split
    std::vector<Layout> m_layouts;               //!< The share of each GPU, by operator
    std::vector<std::vector<uint32_t>> m_summed; //!< The operators whose results are summed
                                                 //!< together, by each of them
};

} // namespace lightpath
} // namespace ns3

#endif /* TENSOR_SHARING_H */
