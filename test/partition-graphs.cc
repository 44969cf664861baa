/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "partition-tests.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param random a source of random numbers
 * @return small random costs, some of them zero
 */
StageNode
MakeRandomNode(Ptr<UniformRandomVariable> random)
{
    StageNode node;
    node.seconds = random->GetInteger(0, 20);
    node.outputBytes = random->GetInteger(0, 12);
    node.parameterBytes = random->GetInteger(0, 8);
    node.stateBytes = 3 * node.parameterBytes;
    node.keptBytes = random->GetInteger(0, 6);
    return node;
}

} // namespace

StageGraph
MakeChainGraph(Ptr<UniformRandomVariable> random, uint32_t nodes)
{
    StageGraph graph;
    for (uint32_t node = 0; node < nodes; ++node)
    {
        graph.AddNode(MakeRandomNode(random));
        if (node > 0)
        {
            graph.AddEdge(node - 1, node);
        }
    }
    return graph;
}

StageGraph
MakeSeriesParallelGraph(Ptr<UniformRandomVariable> random, uint32_t nodes)
{
    // A branch from one node on, with the node that it ends with
    StageGraph graph;
    const std::function<uint32_t(uint32_t, uint32_t)> grow = [&](uint32_t from, uint32_t depth) {
        uint32_t end = from;
        for (uint32_t left = random->GetInteger(1, 2); left > 0; --left)
        {
            std::vector<uint32_t> ends;
            for (uint32_t side = random->GetInteger(0, depth > 0 ? 2 : 0);
                 side > 0 && graph.GetNodes().size() + 2 < nodes;
                 --side)
            {
                ends.push_back(grow(end, depth - 1));
            }
            if (graph.GetNodes().size() >= nodes)
            {
                return end;
            }
            ends.push_back(end);
            const uint32_t next = graph.AddNode(MakeRandomNode(random));
            for (const auto before : ends)
            {
                graph.AddEdge(before, next);
            }
            end = next;
        }
        return end;
    };
    uint32_t end = graph.AddNode(MakeRandomNode(random));
    while (graph.GetNodes().size() < nodes)
    {
        end = grow(end, 2);
    }
    return graph;
}
