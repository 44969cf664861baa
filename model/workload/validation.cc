/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "validation.h"

#include "validation-data.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

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
 * @param isSharded whether replicas share all state and no operator is split
 * @return the kind of job
 */
std::string
Classify(const OperatorGraph& graph, bool isSharded)
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
    return graph.sampleTokens >= LONG_CONTEXT ? "long context" : isSharded ? "FSDP" : "dense";
}

} // namespace

Validation
Validation::ForTraining(const OperatorGraph& graph, bool isSharded, const std::string& accelerator)
{
    return Find(Classify(graph, isSharded), GetPrecision(graph), accelerator);
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
            found.median = row.value("median", 0.0);
            found.most = row.value("p90", 0.0);
        }
    }
    return found;
}

std::string
Validation::GetPrecision(const OperatorGraph& graph)
{
    std::string precision = "FP32";
    for (const auto& op : graph.GetOperators())
    {
        if (op.precision == Precision::FP8)
        {
            return "FP8";
        }
        if (op.precision == Precision::HALF)
        {
            precision = "half";
        }
        else if (op.precision == Precision::SINGLE && precision == "FP32")
        {
            precision = "TF32";
        }
    }
    return precision;
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
    const std::string jobs = " of " + work + " jobs in " +
                             (precision == "half" ? "half precision" : precision) + " on " +
                             accelerator + " that no fit has seen";
    const std::string count =
        std::to_string(runs) + " published run" + (runs == 1 ? "" : "s") + jobs;
    return IsKnown() ? "times are +- " + ToPercent(most) + ": 90 % of " + count +
                           " are within it, half within " + ToPercent(median)
           : runs == 0 ? "times are not validated: there is no published run" + jobs
                       : "times are not validated: there are only " + count;
}

nlohmann::ordered_json
Validation::GetJson() const
{
    nlohmann::ordered_json json = {{"class", work},
                                   {"precision", precision},
                                   {"accelerator", accelerator},
                                   {"runs", runs},
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
