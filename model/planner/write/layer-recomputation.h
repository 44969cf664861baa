/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAYER_RECOMPUTATION_H
#define LAYER_RECOMPUTATION_H

#include "staged-model.h"
#include "task-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The operators of each layer that the backward pass recomputes, and what their order
 * depends on.
 */
class LayerRecomputation
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     */
    explicit LayerRecomputation(const StagedModel& model);

    /**
     * @param layer a layer
     * @return its operators that are recomputed, in ascending order
     */
    std::vector<uint32_t> GetOperators(uint32_t layer) const;

    /**
     * @param layer a layer
     * @param results the task after which each result can be read
     * @return the tasks after which the gradients of the layer's results are ready
     */
    std::vector<uint32_t> GetGate(uint32_t layer, const TaskTable& results) const;

    /**
     * @param op an operator
     * @return true if it begins the backward pass of its layer
     */
    bool IsFirst(uint32_t op) const;

  private:
    const StagedModel& m_model;               //!< The model as it is cut up
    const std::vector<Operator>& m_operators; //!< Its operators
    /// The operators by layer; empty if none is recomputed
    std::vector<std::vector<uint32_t>> m_layers;
};

} // namespace lightpath
} // namespace ns3

#endif /* LAYER_RECOMPUTATION_H */
