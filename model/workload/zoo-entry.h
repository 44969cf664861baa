/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ZOO_ENTRY_H
#define ZOO_ENTRY_H

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
 * @brief A model of the zoo: its options with their usual values, and how it is built from them.
 *
 * Each model has the options "precision" (half or single), "gradients" (half or single) and
 * "optimizer" (adam, momentum or sgd) besides its own.
 */
struct ZooEntry
{
    ModelOptions options;    //!< The options, with the name of the model
    std::string description; //!< Description of the model in a few words

    /// Builds the graph of a training iteration from options
    std::function<OperatorGraph(const ModelOptions&)> build;

    /**
     * @param name the name of a model
     * @param optimizer the optimiser that it is usually trained with, as an option
     * @return the options that each model has
     */
    static ModelOptions MakeOptions(const std::string& name, const std::string& optimizer);

    /**
     * @param options the options of a model
     * @return the numbers that it is trained in, and its optimiser
     */
    static TrainingOptions GetTrainingOptions(const ModelOptions& options);
};

} // namespace lightpath
} // namespace ns3

#endif /* ZOO_ENTRY_H */
