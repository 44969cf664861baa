/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEFERRED_GRADIENTS_H
#define DEFERRED_GRADIENTS_H

#include "gradient-map.h"
#include "layer-partition.h"
#include "tensor-sharing.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The backward operators that a schedule of a pipeline can put off: they make gradients of
 * parameters alone, which no other operator waits for.
 */
class DeferredGradients
{
  public:
    /**
     * @param graph the model
     * @param partition the parts that its layers are cut into
     * @param gradients which operators make the gradients of which updates
     * @param schedule the schedule; ONE_F_ONE_B puts none off
     */
    DeferredGradients(const OperatorGraph& graph,
                      const LayerPartition& partition,
                      const GradientMap& gradients,
                      PipelineScheduleKind schedule);

    /**
     * @param op the index of an operator
     * @return true if it can be put off
     */
    bool IsDeferred(uint32_t op) const;

    /**
     * Get what a GPU keeps of a microbatch while the operators of a part are put off: the
     * activations that their forward operators have saved, and the gradients that they read.
     *
     * @param graph the model
     * @param part the part
     * @param partition the parts
     * @param sharing how the GPUs of a tensor-parallel group share the operators
     * @param samples the number of samples of a microbatch
     * @return the bytes
     */
    uint64_t GetKeptBytes(const OperatorGraph& graph,
                          uint32_t part,
                          const LayerPartition& partition,
                          const TensorSharing& sharing,
                          uint64_t samples) const;

  private:
    std::vector<bool> m_isDeferred; //!< By operator
};

} // namespace lightpath
} // namespace ns3

#endif /* DEFERRED_GRADIENTS_H */
