/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-fields.h"

namespace ns3
{
namespace lightpath
{

const std::vector<OperatorFields::Cost>&
OperatorFields::GetCosts()
{
    static const std::vector<Cost> costs = {
        {"multiplyAdds", &Operator::multiplyAdds},
        {"flops", &Operator::flops},
        {"readBytes", &Operator::readBytes},
        {"writtenBytes", &Operator::writtenBytes},
        {"movedBytes", &Operator::movedBytes},
        {"inputBytes", &Operator::inputBytes},
        {"outputBytes", &Operator::outputBytes},
        {"savedBytes", &Operator::savedBytes},
        {"parameters", &Operator::parameters},
        {"parameterBytes", &Operator::parameterBytes},
        {"contextBytes", &Operator::contextBytes},
        {"indivisible", &Operator::indivisible},
    };
    return costs;
}

const std::vector<std::string>&
OperatorFields::GetKinds()
{
    static const std::vector<std::string> kinds = {"matmul",
                                                   "convolution",
                                                   "attention",
                                                   "normalization",
                                                   "elementwise",
                                                   "softmax",
                                                   "pooling",
                                                   "embedding",
                                                   "loss",
                                                   "optimizer"};
    return kinds;
}

const std::vector<std::string>&
OperatorFields::GetPasses()
{
    static const std::vector<std::string> passes = {"forward", "backward", "update"};
    return passes;
}

const std::vector<std::string>&
OperatorFields::GetSplits()
{
    static const std::vector<std::string> splits = {"replicated",
                                                    "column",
                                                    "row",
                                                    "sharded",
                                                    "sequence"};
    return splits;
}

const std::vector<std::string>&
OperatorFields::GetPrecisions()
{
    static const std::vector<std::string> precisions = {"half", "single", "fp32", "fp8", "nvfp4"};
    return precisions;
}

const std::vector<std::string>&
OperatorFields::GetModelPrecisions()
{
    static const std::vector<std::string> precisions(GetPrecisions().begin(),
                                                     GetPrecisions().end() - 2);
    return precisions;
}

} // namespace lightpath
} // namespace ns3
