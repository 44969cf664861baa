/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MODEL_ZOO_H
#define MODEL_ZOO_H

#include "operator-graph.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Builds the operator graphs of well-known models from closed formulas.
 *
 * Training is in mixed precision: activations, weights and gradients of 2 bytes, and per parameter
 * 4 + 4 + 4 more of master weight and Adam's two moments.
 */
class ModelZoo
{
  public:
    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * Build the graph of one training iteration: forward, backward and update operators.
     *
     * @param name the name of a model; std::invalid_argument, which lists the known names, if there
     *        is no such model
     * @return its graph
     */
    static OperatorGraph Create(const std::string& name);
};

} // namespace lightpath
} // namespace ns3

#endif /* MODEL_ZOO_H */
