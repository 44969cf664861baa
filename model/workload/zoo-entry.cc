/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "zoo-entry.h"

namespace ns3
{
namespace lightpath
{

ModelOptions
ZooEntry::MakeOptions(const std::string& name, const std::string& optimizer)
{
    ModelOptions options(name);
    const std::vector<std::string> widths{"half", "single"};
    options.Declare("precision", "half", "numbers of activations and parameters", widths);
    options.Declare("gradients", "half", "numbers of gradients, if wider", widths);
    options.Declare("optimizer", optimizer, "optimiser", {"adam", "momentum", "sgd"});
    return options;
}

TrainingOptions
ZooEntry::GetTrainingOptions(const ModelOptions& options)
{
    TrainingOptions training;
    training.precision = options.Get("precision") == "half" ? Precision::HALF : Precision::SINGLE;
    training.gradients = options.Get("gradients") == "half" ? Precision::HALF : Precision::SINGLE;
    const std::string& optimizer = options.Get("optimizer");
    training.optimizer = optimizer == "adam"       ? Optimizer::ADAM
                         : optimizer == "momentum" ? Optimizer::MOMENTUM
                                                   : Optimizer::SGD;
    return training;
}

} // namespace lightpath
} // namespace ns3
