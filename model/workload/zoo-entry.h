/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ZOO_ENTRY_H
#define ZOO_ENTRY_H

#include "inference-step.h"
#include "model-options.h"
#include "operator-graph.h"
#include "training-graph-builder.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A model of the zoo: its options with their usual values, and the function that builds it.
 *
 * Each model has the options "precision" (half, single or fp32; transformers also fp8), "gradients"
 * (half, or single, as transformers have by default) and "optimizer" (adam, momentum or sgd);
 * transformers also "parameters" (half or fp8).
 */
struct ZooEntry
{
    ModelOptions options;    //!< The options, with the name of the model
    std::string description; //!< Description of the model in a few words

    /// Builds the graph of a training iteration from options
    std::function<OperatorGraph(const ModelOptions&)> build;

    /// Builds the graph of a step of inference from options; empty if there is none
    std::function<OperatorGraph(const ModelOptions&, const InferenceStep&)> infer;

    /**
     * @param name the name of a model
     * @param optimizer the optimiser that it is usually trained with, as an option
     * @param scaled true if its products can have factors of 8 bits
     * @return the options that each model has
     */
    static ModelOptions MakeOptions(const std::string& name,
                                    const std::string& optimizer,
                                    bool scaled = false);

    /**
     * @param options the options of a model
     * @return the numbers that it is trained in, and its optimiser
     */
    static TrainingOptions GetTrainingOptions(const ModelOptions& options);

    /**
     * Get the transformers.
     *
     * All of them are instances of TransformerShape. A model has the sizes that apply to it as
     * options; "transformer" has all sizes and styles. Parameters are counted with all tables, with
     * the normalisation at the end of a stack and, for BERT, with both heads of its training.
     *
     * @return the models
     */
    static std::vector<ZooEntry> GetTransformers();

    /**
     * @return the convolutional networks
     */
    static std::vector<ZooEntry> GetConvolutionalNetworks();

    /**
     * @return the recommendation models
     */
    static std::vector<ZooEntry> GetRecommendationModels();
};

} // namespace lightpath
} // namespace ns3

#endif /* ZOO_ENTRY_H */
