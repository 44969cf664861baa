/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replicated-stages.h"

#include "model/planner/build/chain-cutter.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

std::vector<ReplicatedStages::Layer>
ReplicatedStages::GetLayers(const OperatorGraph& graph, const Accelerator& accelerator)
{
    const auto& operators = graph.GetOperators();
    std::vector<Layer> layers(graph.GetNLayers());
    // Results that other layers read, and the last layer that reads one of them, by layer
    std::vector<double> readBytes(layers.size(), 0);
    std::vector<uint32_t> last(layers.size(), 0);
    std::vector<double> seconds(operators.size(), 0); // of both passes, by forward operator
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const Operator& now = operators[op];
        if (now.pass != Pass::UPDATE)
        {
            seconds[now.pass == Pass::FORWARD ? op : now.forward] += accelerator.GetSeconds(now, 1);
        }
        if (now.pass != Pass::FORWARD)
        {
            continue;
        }
        Layer& layer = layers[now.layer];
        layer.parameterBytes += static_cast<double>(now.parameters) * graph.gradientBytes;
        layer.stateBytes += static_cast<double>(now.parameters) * graph.GetStateBytes();
        layer.keptBytes += static_cast<double>(now.savedBytes);
        uint32_t reader = now.layer;
        for (const auto to : graph.GetSuccessors(op))
        {
            reader = operators[to].pass == Pass::FORWARD ? std::max(reader, operators[to].layer)
                                                         : reader;
        }
        readBytes[now.layer] += reader > now.layer ? static_cast<double>(now.outputBytes) : 0;
        last[now.layer] = std::max(last[now.layer], reader);
    }
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        layers[operators[op].layer].seconds +=
            operators[op].pass == Pass::FORWARD ? seconds[op] : 0;
    }
    // A result is handed on from stage to stage up to its last reader
    for (uint32_t layer = 0; layer < layers.size(); ++layer)
    {
        for (uint32_t cut = layer; cut < last[layer]; ++cut)
        {
            layers[cut].crossingBytes += readBytes[layer];
        }
    }
    return layers;
}

ReplicatedStages::Result
ReplicatedStages::Find(const std::vector<Layer>& layers,
                       uint32_t gpus,
                       double memoryBytes,
                       double byteRate)
{
    // Sums over the layers before each one make each stage a difference
    std::vector<Layer> sums(1);
    for (const auto& layer : layers)
    {
        Layer sum = sums.back();
        sum.seconds += layer.seconds;
        sum.parameterBytes += layer.parameterBytes;
        sum.stateBytes += layer.stateBytes;
        sum.keptBytes += layer.keptBytes;
        sum.crossingBytes = layer.crossingBytes;
        sums.push_back(sum);
    }
    Result best;
    for (uint32_t replicas = 1; replicas <= gpus; ++replicas)
    {
        const double m = replicas;
        const auto price = [&](uint32_t first, uint32_t end, uint32_t left, double rest) {
            const Layer& from = sums[first];
            const Layer& to = sums[end];
            const double memory =
                to.stateBytes - from.stateBytes + (to.keptBytes - from.keptBytes) * left;
            if (memory > memoryBytes)
            {
                return ChainCutter::NEVER;
            }
            const double compute = to.seconds - from.seconds;
            if (byteRate == 0)
            {
                return std::max(compute / m, rest);
            }
            const double gradients = to.parameterBytes - from.parameterBytes;
            const double sum = 4 * (m - 1) * gradients / (byteRate * m);
            const double crossing = std::max(from.crossingBytes, to.crossingBytes);
            return std::max({std::max(compute, sum) / m, 2 * crossing / (byteRate * m), rest});
        };
        // All GPUs are used
        const uint32_t stages = gpus / replicas;
        if (gpus % replicas != 0 || stages > layers.size())
        {
            continue;
        }
        auto found = ChainCutter::Cut(static_cast<uint32_t>(layers.size()),
                                      stages,
                                      ChainCutter::LONGEST,
                                      price);
        if (found.price < (best.replicas == 0 ? ChainCutter::NEVER : best.seconds))
        {
            best = {found.price, replicas, std::move(found.cuts)};
        }
    }
    return best;
}

} // namespace lightpath
} // namespace ns3
