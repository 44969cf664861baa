/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MODEL_ZOO_H
#define MODEL_ZOO_H

#include "inference-step.h"
#include "model-options.h"
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
 * "bert-large:sequence=128,predictions=20". A name that ends in ".json" or ".onnx" is that of a
 * file; see ModelFile.
 */
class ModelZoo
{
  public:
    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name the name of a model, with or without options; std::invalid_argument, which lists
     *        the known names or options, if there is no such model or option
     * @return its options
     */
    static ModelOptions GetOptions(const std::string& name);

    /**
     * @param name the name of a model, with or without options
     * @return a description of the model in a few words
     */
    static std::string GetDescription(const std::string& name);

    /**
     * Build the graph of one training iteration: forward, backward and update operators.
     *
     * @param name the name of a model, with or without options; std::invalid_argument, which lists
     *        the known names or options, if there is no such model or option
     * @return its graph
     */
    static OperatorGraph Create(const std::string& name);

    /**
     * Build the graph of a step of inference: forward operators alone.
     *
     * @param name the name of a model, with or without options, of which "sequence" and "attention"
     *        have no effect; std::invalid_argument if there is no such model or option, or if it
     *        is no decoder
     * @param step the tokens
     * @return its graph
     */
    static OperatorGraph CreateInference(const std::string& name, const InferenceStep& step);
};

} // namespace lightpath
} // namespace ns3

#endif /* MODEL_ZOO_H */
