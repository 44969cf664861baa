/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/control/switches/circuit-switch-max-min-allocator.h"
#include "search-tests.h"

#include "ns3/circuit-switch-geometry.h"
#include "ns3/planning-problem.h"

#include <string>

using namespace ns3;
using namespace ns3::lightpath;

OperatorGraph
MakeRandomChain(uint32_t layers, Ptr<UniformRandomVariable> random)
{
    OperatorGraph graph("chain");
    const auto draw = [&random](uint32_t from, uint32_t to) {
        return random->GetInteger(from, to);
    };
    std::vector<uint64_t> parameters;
    const uint64_t width = 1680 * draw(1, 4); // bytes that all numbers up to 8 divide
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        Operator op =
            MakeToyOperator("f" + std::to_string(layer), Pass::FORWARD, draw(1, 30), width);
        op.layer = layer;
        op.forward = layer;
        op.inputBytes = width;
        op.savedBytes = width;
        op.split = layer % 2 == 0 ? TensorSplit::COLUMN : TensorSplit::ROW;
        parameters.push_back(840 * draw(0, 20));
        graph.AddOperator(op);
        if (layer > 0)
        {
            graph.AddEdge(layer - 1, layer);
        }
    }
    std::vector<uint32_t> backward(layers);
    for (uint32_t layer = layers; layer-- > 0;)
    {
        Operator op = graph.GetOperators()[layer];
        op.name = "b" + std::to_string(layer);
        op.pass = Pass::BACKWARD;
        op.flops *= 2;
        op.savedBytes = 0;
        op.parameters = parameters[layer];
        backward[layer] = graph.AddOperator(op);
        graph.AddEdge(layer + 1 < layers ? backward[layer + 1] : layer, backward[layer]);
    }
    for (uint32_t layer = layers; layer-- > 0;)
    {
        Operator op = MakeToyOperator("u" + std::to_string(layer), Pass::UPDATE, 1);
        op.layer = layer;
        op.forward = layer;
        op.split = graph.GetOperators()[layer].split;
        op.parameters = parameters[layer];
        if (op.parameters > 0)
        {
            graph.AddEdge(backward[layer], graph.AddOperator(op));
        }
    }
    return graph;
}

FabricLimits
MakeSwitchLimits(uint32_t gpus, uint32_t circuits, double delay)
{
    FabricLimits fabric;
    fabric.bitRate = 8e9;
    fabric.circuits = circuits;
    fabric.degree = circuits;
    fabric.laneRate = fabric.bitRate / circuits;
    fabric.latency = 1e-7;
    fabric.switchingSeconds = delay;
    fabric.canSwitch = true;
    if (gpus > 1)
    {
        const auto allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
        allocator->SetGeometry(CircuitSwitchGeometry(gpus, circuits));
        fabric.allocators.push_back(allocator);
    }
    return fabric;
}
