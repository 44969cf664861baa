/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "framework.h"

#include "model-file.h"
#include "model-zoo.h"
#include "model/base/nearest-name.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The word of an option of the model that is left alone.
constexpr const char* MODEL = "model";

/// A framework that is known by name.
struct FrameworkPreset
{
    std::string description;                //!< A description in a few words
    std::vector<Framework::Origin> origins; //!< The options that it sets
};

/**
 * @return the presets by name
 */
const std::map<std::string, FrameworkPreset>&
GetFrameworks()
{
    static const std::map<std::string, FrameworkPreset> presets = {
        {"none", {"the model and its plan alone", {}}},
        {"megatron",
         {"Megatron Core, as in Megatron-Bridge",
          {{"attention", "causal", "recalled: FlashAttention or that of cuDNN in all recipes"},
           {"gradients", "single", "published: Megatron-LM with --bf16 adds them up in FP32"},
           {"gradientOverlap", "yes", "recalled: --overlap-grad-reduce, since 2023"},
           {"launch",
            "50000",
            "fitted, in steps of 10 us, to the four runs of Qwen3 235B and DeepSeek-V3 on B200 in "
            "data/calibration.json up to container 26.04, whose recipes capture no graphs"}}}},
        {"megatron-2021",
         {"Megatron-LM until 2022, in FP16",
          {{"attention", "unfused", "published: Megatron-LM before FlashAttention"},
           {"gradients", "half", "published: Megatron-LM in FP16 adds them up in FP16"},
           {"gradientOverlap",
            "no",
            "published: Narayanan et al., SC 2021, sum after the last backward pass"}}}},
        {"deepspeed",
         {"Megatron-DeepSpeed, as for BLOOM",
          {{"attention", "unfused", "published: Megatron-LM before FlashAttention"},
           {"gradients",
            "single",
            "published: chronicles of BLOOM (repository bigscience), in BF16"},
           {"gradientOverlap", "no", "published: the same"}}}},
        {"fsdp",
         {"fully sharded data parallelism of PyTorch; the plan needs --zero=3",
          {{"attention", "causal", "published: benchmarks of MPT (repository llm-foundry)"},
           {"gradients", "single", "published: the same, in mixed precision"},
           {"gradientOverlap", "yes", "published: Zhao et al., PyTorch FSDP, VLDB 2023"}}}},
    };
    return presets;
}

/**
 * @return the options, which change nothing
 */
ModelOptions
DeclareOptions()
{
    ModelOptions options("framework");
    options.Declare("attention",
                    MODEL,
                    "operators of an attention",
                    {MODEL, "unfused", "fused", "causal"});
    options.Declare("loss", MODEL, "kernels of the cross entropy", {MODEL, "unfused", "fused"});
    options.Declare("gradients", MODEL, "numbers of gradients", {MODEL, "half", "single"});
    options.Declare("gradientOverlap",
                    "yes",
                    "sums of gradients begin before the last backward pass ends",
                    {"yes", "no"});
    options.Declare("launch", 0, "time of the host to launch a kernel, ns; 0: never behind", 0);
    options.Declare("graphs", "no", "kernels are replayed as captured graphs", {"yes", "no"});
    return options;
}

} // namespace

Framework::Framework()
    : m_name("none"),
      m_options(DeclareOptions())
{
}

std::vector<std::string>
Framework::GetNames()
{
    std::vector<std::string> names;
    for (const auto& preset : GetFrameworks())
    {
        names.push_back(preset.first);
    }
    return names;
}

Framework
Framework::Create(const std::string& name)
{
    const auto parts = ModelFile::Split(name);
    const auto found = GetFrameworks().find(parts.first);
    if (found == GetFrameworks().end())
    {
        throw std::invalid_argument("There is no framework \"" + parts.first +
                                    "\": " + ListKnown(parts.first, GetNames()));
    }
    Framework framework;
    framework.m_name = name;
    framework.m_description = found->second.description;
    framework.m_origins = found->second.origins;
    for (const auto& origin : framework.m_origins)
    {
        framework.m_options.Set(origin.option, origin.value);
    }
    framework.m_options.Parse(parts.second);
    return framework;
}

const std::string&
Framework::GetName() const
{
    return m_name;
}

const std::string&
Framework::GetDescription() const
{
    return m_description;
}

const ModelOptions&
Framework::GetOptions() const
{
    return m_options;
}

const std::vector<Framework::Origin>&
Framework::GetOrigins() const
{
    return m_origins;
}

std::string
Framework::GetModel(const std::string& model) const
{
    const std::vector<std::string> kernels = {"attention", "loss", "gradients"};
    if (std::all_of(kernels.begin(), kernels.end(), [this](const std::string& option) {
            return m_options.Get(option) == MODEL;
        }))
    {
        return model;
    }
    const auto parts = ModelFile::Split(model);
    const std::string stated = "," + parts.second;
    const ModelOptions known = ModelZoo::GetOptions(model);
    const auto& options = known.GetOptions();
    std::string name = model;
    for (const std::string& option : kernels)
    {
        const bool isKnown = std::any_of(options.begin(), options.end(), [&](const auto& each) {
            return each.name == option;
        });
        const std::string& value = m_options.Get(option);
        if (isKnown && value != MODEL && stated.find("," + option + "=") == std::string::npos)
        {
            name += (name.find(':') == std::string::npos ? ":" : ",") + option + "=" + value;
        }
    }
    return name;
}

bool
Framework::OverlapsGradients() const
{
    return m_options.Get("gradientOverlap") == "yes";
}

bool
Framework::HasHost() const
{
    return m_options.GetNumber("launch") > 0 && m_options.Get("graphs") == "no";
}

double
Framework::GetHostSeconds(const Operator& op, double share) const
{
    const double experts =
        op.experts > 0 && op.kind == OperatorKind::MATMUL ? std::max(op.experts * share, 1.) : 1;
    const double kernels = experts * (op.movedBytes > 0 ? 2 : 1);
    return HasHost() ? 1e-9 * static_cast<double>(m_options.GetNumber("launch")) * kernels : 0;
}

} // namespace lightpath
} // namespace ns3
