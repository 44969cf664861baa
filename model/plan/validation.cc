/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "validation.h"

#include "model/base/count-noun.h"
#include "validation-data.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Tokens of a sample from which a job counts as one of long context.
constexpr uint64_t LONG_CONTEXT = 32768;

/**
 * @param error a relative error
 * @return it in per cent, with two digits
 */
std::string
ToPercent(double error)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(error < 0.0995 ? 1 : 0) << 100 * error << " %";
    return text.str();
}

/**
 * @param graph the operators of a training job
 * @param strategy how they are trained
 * @return the kind of job
 */
std::string
Classify(const OperatorGraph& graph, const Strategy& strategy)
{
    const auto& operators = graph.GetOperators();
    const auto has = [&operators](auto property) {
        return std::any_of(operators.begin(), operators.end(), property);
    };
    if (has([](const Operator& op) { return op.experts > 0; }))
    {
        return "MoE";
    }
    if (has([](const Operator& op) { return op.kind == OperatorKind::CONVOLUTION; }))
    {
        return "convolutional";
    }
    if (has([](const Operator& op) { return op.sparse; }))
    {
        return "recommendation";
    }
    return graph.sampleTokens == 0              ? "other"
           : graph.sampleTokens >= LONG_CONTEXT ? "long context"
           // Fully sharded data parallelism
           : strategy.zeroStage == 3 && strategy.tensorParallel == 1 ? "FSDP"
                                                                     : "dense";
}

} // namespace

Validation
Validation::ForTraining(const OperatorGraph& graph,
                        const Strategy& strategy,
                        const std::string& accelerator)
{
    return Find(Classify(graph, strategy), GetPrecision(graph), accelerator);
}

Validation
Validation::Find(const std::string& work,
                 const std::string& precision,
                 const std::string& accelerator)
{
    Validation found{work, precision, accelerator};
    for (const auto& row : nlohmann::json::parse(GetValidationData()))
    {
        if (row.at("class") == work && row.at("precision") == precision &&
            row.at("accelerator") == accelerator)
        {
            found.runs = row.at("rows");
            found.models = row.at("models");
            found.median = row.value("median", 0.0);
            found.most = row.value("p90", 0.0);
        }
    }
    return found;
}

std::string
Validation::GetPrecision(const OperatorGraph& graph)
{
    const auto& operators = graph.GetOperators();
    for (const auto& [precision, name] : {std::make_pair(Precision::NVFP4, "NVFP4"),
                                          std::make_pair(Precision::FP8, "FP8"),
                                          std::make_pair(Precision::HALF, "half"),
                                          std::make_pair(Precision::SINGLE, "single")})
    {
        const auto isSo = [precision = precision](const Operator& op) {
            return op.precision == precision;
        };
        if (std::any_of(operators.begin(), operators.end(), isSo))
        {
            return name;
        }
    }
    return "FP32";
}

Validation
Validation::ForCollectives()
{
    return {"collective", "", ""};
}

bool
Validation::IsKnown() const
{
    return runs >= LEAST_RUNS;
}

std::string
Validation::GetText() const
{
    return IsKnown() ? "+- " + ToPercent(most) : "not validated";
}

std::string
Validation::Describe() const
{
    if (work.empty())
    {
        return "times are not validated: no published run of such a job is known";
    }
    const bool isWord = precision == "half" || precision == "single";
    const std::string jobs = accelerator.empty()
                                 ? " of a " + work + " operation with these latencies"
                                 : " of " + work + " jobs in " + precision +
                                       (isWord ? " precision" : "") + " on " + accelerator;
    if (!IsKnown())
    {
        return "times are not validated: " +
               (runs == 0 ? "no published run" : "only " + CountNoun(runs, "published run")) +
               jobs + (runs > 1 ? " are" : " is") + " kept out of the fits";
    }
    return "times are +- " + ToPercent(most) + ": of " + CountNoun(runs, "published run") + jobs +
           (models == 1 ? ", all of one model" : "") +
           ", on electrical networks and kept out of the fits, 90 % are within it, half within " +
           ToPercent(median);
}

nlohmann::ordered_json
Validation::GetJson() const
{
    nlohmann::ordered_json json = {{"class", work},
                                   {"precision", precision},
                                   {"accelerator", accelerator},
                                   {"runs", runs},
                                   {"models", models},
                                   {"medianError", nullptr},
                                   {"error90", nullptr}};
    if (IsKnown())
    {
        json["medianError"] = median;
        json["error90"] = most;
    }
    return json;
}

} // namespace lightpath
} // namespace ns3
