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
 * @brief How several replicas share out the experts of each layer (Lepikhin et al., GShard, 2020;
 * Rajbhandari et al., DeepSpeed-MoE, 2022).
 *
 * Of E experts each of e successive replicas holds E/e, and works with them on the tokens of all e
 * replicas, which a router spreads evenly over the experts. An all-to-all takes the tokens, or
 * their gradients, wherever an operator with experts reads one without, and back where one without
 * experts reads one with them: twice in the forward pass of a layer and twice in its backward pass.
 */
class ExpertSharing
{
  public:
    /**
     * Refuse, by std::invalid_argument in one sentence, a number of replicas that the experts
     * cannot be shared out over.
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
     * @return the largest number that divides the experts of each operator that has any; 0 if none
     *         has
     */
    static uint32_t GetNExperts(const OperatorGraph& graph);

    /**
     * @param graph the model; it must outlive this object
     * @param replicas the number e of replicas that share out its experts
     */
    ExpertSharing(const OperatorGraph& graph, uint32_t replicas);

    /**
     * @param op an operator
     * @return the number of replicas that share it out: e if it has experts, otherwise 1
     */
    uint32_t GetSharers(const Operator& op) const;

    /**
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return true if an all-to-all comes in between
     */
    bool IsExchanged(uint32_t from, uint32_t to) const;

    /**
     * The size of the all-to-all of a result: that of the tokens that experts read or have written,
     * without the weights of the router, which stay.
     *
     * @param op the index of an operator
     * @return the bytes of its result that an all-to-all takes to or from experts, per sample; 0 if
     *         there is none
     */
    uint64_t GetExchangedBytes(uint32_t op) const;

    /**
     * Results are told apart by numbers: that of an operator as it has made it by its index, and
     * what an all-to-all makes of it by another one.
     *
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return the number of what it reads
     */
    uint32_t GetResult(uint32_t from, uint32_t to) const;

    /**
     * @param op the index of an operator
     * @return the number of what an all-to-all makes of its result
     */
    uint32_t GetExchanged(uint32_t op) const;

    /**
     * @param result the number of a result
     * @return its bytes before a tensor-parallel group shares it, per sample
     */
    uint64_t GetResultBytes(uint32_t result) const;

  private:
    const OperatorGraph& m_graph; //!< The model
    uint32_t m_replicas;          //!< Replicas that share out the experts
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPERT_SHARING_H */
