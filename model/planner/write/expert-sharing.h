/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPERT_SHARING_H
#define EXPERT_SHARING_H

#include "layer-partition.h"

#include "ns3/operator-graph.h"
#include "ns3/training-plan.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How several ranks share out the experts of each layer (Lepikhin et al., GShard, 2020;
 * Rajbhandari et al., DeepSpeed-MoE, 2022).
 *
 * Each of e ranks holds E/e of the E experts, and runs them on the tokens of all e ranks, which a
 * router spreads evenly over the experts. The ranks are those of one part of the model in e
 * successive replicas (or shares of their samples), and each of them has a share of the tensors of
 * its experts. Or, with whole experts, they are e successive ranks of a stage, among them all GPUs
 * of a tensor-parallel group, each with its own tokens. An all-to-all carries the tokens, or
 * their gradients, wherever an operator with experts reads a result of one without, and back where
 * an operator without experts reads a result of one with them: twice in the forward pass of a layer
 * and twice in its backward pass.
 *
 * With an ExpertLoad that is not even, tasks name the experts whose load they follow.
 */
class ExpertSharing
{
  public:
    /**
     * Refuse, by std::invalid_argument in one sentence, a number of ranks that cannot share out
     * the experts.
     *
     * @param graph the model
     * @param partition the parts that its layers are cut into
     * @param strategy the strategy
     */
    static void Check(const OperatorGraph& graph,
                      const LayerPartition& partition,
                      const Strategy& strategy);

    /**
     * @param graph a model
     * @return the largest number that divides the number of experts of each operator with experts;
     *         0 if no operator has any
     */
    static uint32_t GetNExperts(const OperatorGraph& graph);

    /**
     * @param graph the model; it must outlive this object
     * @param strategy the degrees of parallelism
     * @param isUneven whether the ranks get different numbers of tokens
     */
    ExpertSharing(const OperatorGraph& graph, const Strategy& strategy, bool isUneven = false);

    /**
     * @return true if each expert is whole on one GPU of a tensor-parallel group
     */
    bool AreWhole() const;

    /**
     * @return the ranks from one member of a group of e to the next
     */
    uint32_t GetStride() const;

    /**
     * @return the ranks of a stage that hold the same experts, and the same share of each
     */
    uint32_t GetNSame() const;

    /**
     * @param op an operator
     * @return the number of ranks that share it out: e if it has experts, otherwise 1
     */
    uint32_t GetSharers(const Operator& op) const;

    /**
     * @param op an operator
     * @return the experts whose tokens it works on, if the ranks get different numbers of them
     */
    RoutedLayer GetRouted(const Operator& op) const;

    /**
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return the same of the result as the second one reads it
     */
    RoutedLayer GetRouted(uint32_t from, uint32_t to) const;

    /**
     * @param op the index of an operator whose result an all-to-all carries
     * @param [in,out] task the task of that, which gets the tokens that it carries
     */
    void Route(uint32_t op, Task& task) const;

    /**
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return true if an all-to-all comes between them
     */
    bool IsExchanged(uint32_t from, uint32_t to) const;

    /**
     * The size of the all-to-all of a result: the tokens that experts read or have written, without
     * the weights of the router, which stay.
     *
     * @param op the index of an operator
     * @return the bytes of its result that an all-to-all carries to or from experts, per sample; 0
     *         if none does
     */
    uint64_t GetExchangedBytes(uint32_t op) const;

    /**
     * Results have numbers: the result of an operator has the index of the operator, and its copy
     * after an all-to-all has another number.
     *
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return the number of the result that it reads
     */
    uint32_t GetResult(uint32_t from, uint32_t to) const;

    /**
     * @param op the index of an operator
     * @return the number of its result after an all-to-all
     */
    uint32_t GetExchanged(uint32_t op) const;

    /**
     * @param result the number of a result
     * @return its bytes before a tensor-parallel group shares it, per sample
     */
    uint64_t GetResultBytes(uint32_t result) const;

  private:
    const OperatorGraph& m_graph; //!< The model
    uint32_t m_sharers;           //!< Ranks that share out the experts
    bool m_isWhole;               //!< Whether each expert is whole on one GPU
    bool m_isOnce;                //!< Whether tokens go to a server once
    bool m_isUneven;              //!< Whether the ranks get different numbers of tokens
    uint32_t m_stride;            //!< Ranks from one sharer to the next
    uint32_t m_nSame;             //!< Ranks of a stage with the same experts
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPERT_SHARING_H */
