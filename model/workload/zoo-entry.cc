/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "zoo-entry.h"

#include "operator-fields.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

ModelOptions
ZooEntry::MakeOptions(const std::string& name, const std::string& optimizer, bool scaled)
{
    ModelOptions options(name);
    options.Declare("precision",
                    "half",
                    "numbers of activations and parameters",
                    scaled ? OperatorFields::GetPrecisions()
                           : OperatorFields::GetModelPrecisions());
    // Trainers of transformers add gradients up in FP32: Megatron-LM with --bf16, DeepSpeed, FSDP
    options.Declare("gradients",
                    scaled ? "single" : "half",
                    "numbers of gradients, if wider",
                    {"half", "single"});
    if (scaled)
    {
        options.Declare("parameters",
                        "half",
                        "with fp8, numbers of parameters as they are held and gathered",
                        {"half", "fp8"});
    }
    options.Declare("optimizer", optimizer, "optimiser", {"adam", "momentum", "sgd"});
    return options;
}

TrainingOptions
ZooEntry::GetTrainingOptions(const ModelOptions& options)
{
    const auto& words = OperatorFields::GetPrecisions();
    const auto get = [&](const std::string& name) {
        return Precision(std::find(words.begin(), words.end(), options.Get(name)) - words.begin());
    };
    TrainingOptions training;
    training.precision = get("precision");
    training.gradients = get("gradients");
    const auto& declared = options.GetOptions();
    if (std::any_of(declared.begin(), declared.end(), [](const auto& option) {
            return option.name == "parameters";
        }))
    {
        training.parameters = get("parameters");
    }
    if (training.parameters == Precision::FP8 && training.precision != Precision::FP8)
    {
        throw std::invalid_argument("Model \"" + options.GetModel() +
                                    "\" cannot hold parameters of 8 bits for products of other "
                                    "numbers: parameters=fp8 needs precision=fp8");
    }
    const std::string& optimizer = options.Get("optimizer");
    training.optimizer = optimizer == "adam"       ? Optimizer::ADAM
                         : optimizer == "momentum" ? Optimizer::MOMENTUM
                                                   : Optimizer::SGD;
    return training;
}

} // namespace lightpath
} // namespace ns3
