/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-times.h"

#include "fabric-pace.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

LayerTimes::LayerTimes(const PlanningProblem& problem,
                       const GradientMap& gradientMap,
                       const Strategy& strategy)
    : m_problem(problem),
      m_strategy(strategy),
      m_layers(problem.graph.GetNLayers())
{
    const LayerPartition whole(problem.graph, 1, std::vector<double>(m_layers, 0));
    m_sharing = std::make_shared<TensorSharing>(problem.graph, whole, strategy);
    FindGradients(gradientMap);
    SetBytes();
}

LayerTimes
LayerTimes::Measure(uint64_t samples) const
{
    if (!m_chain)
    {
        m_chain = std::make_shared<LayerChain>(m_problem, *m_sharing, m_strategy);
    }
    LayerTimes times = *this;
    times.m_samples = samples;
    times.m_nodes = m_chain->GetNodes();
    for (auto& node : times.m_nodes)
    {
        node.seconds = m_sharing->GetSeconds(m_problem.graph.GetOperators()[node.op],
                                             m_problem.accelerator,
                                             static_cast<double>(samples));
    }
    const auto chain = times.FindChains();
    times.MarkFar();
    times.SetPositions(chain);
    times.SetSums();
    times.SetGradients(chain);
    times.m_nodes = {}; // frees the chains
    return times;
}

std::vector<uint32_t>
LayerTimes::FindChains()
{
    uint32_t last = UINT32_MAX;
    for (uint32_t index = 0; index < m_nodes.size(); ++index)
    {
        LayerChain::Node& node = m_nodes[index];
        node.isFed = !node.backward && node.layer == 0;
        for (const auto& edge : m_chain->GetReads()[index])
        {
            const LayerChain::Node& before = m_nodes[edge.from];
            const double ready = before.start + before.seconds + GetSeconds(edge);
            // A result that does not depend on the first layer may be ready much earlier
            if (before.isFed && ready >= node.start)
            {
                node.start = ready;
                node.from = edge.from;
            }
            node.isFed = node.isFed || before.isFed;
        }
        node.isLead = node.isFed && !node.backward;
        // The spine ends with the last backward operator of the lowest layer
        const bool isLonger =
            last == UINT32_MAX || node.layer < m_nodes[last].layer ||
            (node.layer == m_nodes[last].layer &&
             node.start + node.seconds >= m_nodes[last].start + m_nodes[last].seconds);
        if (node.backward && isLonger)
        {
            last = index;
        }
    }
    for (auto index = static_cast<uint32_t>(m_nodes.size()); index-- > 0;)
    {
        LayerChain::Node& node = m_nodes[index];
        node.isLead = node.isLead || (node.backward && node.layer == 0);
        for (const auto& edge : m_chain->GetReads()[index])
        {
            LayerChain::Node& before = m_nodes[edge.from];
            if (before.backward && node.isLead)
            {
                // The first layer waits only for results that it depends on
                before.after = std::max(before.after, GetSeconds(edge) + node.seconds + node.after);
                before.isLead = true;
            }
        }
    }
    std::vector<uint32_t> chain;
    for (uint32_t node = last; node != UINT32_MAX; node = m_nodes[node].from)
    {
        chain.push_back(node);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

void
LayerTimes::MarkFar()
{
    for (uint32_t index = 0; index < m_nodes.size(); ++index)
    {
        LayerChain::Node& node = m_nodes[index];
        node.isFar = node.layer + 1 == m_layers;
        for (const auto& edge : m_chain->GetReads()[index])
        {
            const LayerChain::Node& before = m_nodes[edge.from];
            node.isFar = node.isFar || (node.backward && before.backward && before.isFar);
        }
    }
    for (auto index = static_cast<uint32_t>(m_nodes.size()); index-- > 0;)
    {
        const LayerChain::Node& node = m_nodes[index];
        for (const auto& edge : m_chain->GetReads()[index])
        {
            LayerChain::Node& before = m_nodes[edge.from];
            before.isFar = before.isFar || (!node.backward && !before.backward && node.isFar);
        }
    }
}

void
LayerTimes::AddTraffic(const LayerChain::Node& node, const std::vector<LayerChain::Edge>& reads)
{
    if (node.from == UINT32_MAX)
    {
        return;
    }
    const LayerChain::Node& before = m_nodes[node.from];
    double seconds = 0; // of the longest collective between the two nodes
    for (const auto& edge : reads)
    {
        seconds = edge.from == node.from
                      ? std::max(seconds, static_cast<double>(m_samples) * edge.sample)
                      : seconds;
    }
    if (before.layer == node.layer && before.backward == node.backward)
    {
        (node.backward ? spine.traffic.backward : spine.traffic.forward)[node.layer + 1] += seconds;
    }
}

void
LayerTimes::SetPositions(const std::vector<uint32_t>& chain)
{
    double turn = 0;
    if (!chain.empty())
    {
        spine.length = m_nodes[chain.back()].start + m_nodes[chain.back()].seconds;
    }
    spine.forwardBegin.assign(m_layers, NEVER);
    spine.forwardEnd.assign(m_layers, 0);
    spine.backwardBegin.assign(m_layers, NEVER);
    spine.backwardEnd.assign(m_layers, 0);
    spine.traffic.forward.assign(m_layers + 1, 0);
    spine.traffic.backward = spine.traffic.forward;
    for (const auto index : chain)
    {
        const LayerChain::Node& node = m_nodes[index];
        AddTraffic(node, m_chain->GetReads()[index]);
        const double stop = node.start + node.seconds;
        auto& first = node.backward ? spine.backwardBegin : spine.forwardBegin;
        auto& last = node.backward ? spine.backwardEnd : spine.forwardEnd;
        first[node.layer] = std::min(first[node.layer], node.start);
        last[node.layer] = std::max(last[node.layer], stop);
        turn = node.backward ? turn : stop;
    }
    for (uint32_t layer = 0; layer < m_layers; ++layer)
    {
        spine.traffic.forward[layer + 1] += spine.traffic.forward[layer];
        spine.traffic.backward[layer + 1] += spine.traffic.backward[layer];
    }
    for (uint32_t layer = 1; layer < m_layers; ++layer) // layers off the spine join it
    {
        spine.forwardEnd[layer] = std::max(spine.forwardEnd[layer], spine.forwardEnd[layer - 1]);
        spine.backwardBegin[layer] =
            std::min(spine.backwardBegin[layer], spine.backwardBegin[layer - 1]);
    }
    for (uint32_t layer = m_layers; layer-- > 0;)
    {
        const bool isLast = layer + 1 == m_layers;
        spine.forwardBegin[layer] =
            std::min(spine.forwardBegin[layer], isLast ? turn : spine.forwardBegin[layer + 1]);
        spine.backwardEnd[layer] =
            std::max(spine.backwardEnd[layer], isLast ? turn : spine.backwardEnd[layer + 1]);
    }
    for (auto& position : spine.backwardBegin)
    {
        position = std::min(position, spine.length);
    }
}

void
LayerTimes::SetSums()
{
    work.forward.assign(m_layers + 1, 0);
    work.backward = work.forward;
    lead = work;
    far = work;
    leadBegin.assign(m_layers + 1, NEVER);
    leadRest.assign(m_layers + 1, NEVER);
    for (const auto& node : m_nodes)
    {
        (node.backward ? work.backward : work.forward)[node.layer + 1] += node.seconds;
        if (node.isFar)
        {
            (node.backward ? far.backward : far.forward)[node.layer + 1] += node.seconds;
        }
        if (!node.isLead || node.seconds == 0)
        {
            continue;
        }
        (node.backward ? lead.backward : lead.forward)[node.layer + 1] += node.seconds;
        double& least = node.backward ? leadRest[node.layer] : leadBegin[node.layer];
        least = std::min(least, node.backward ? node.after : node.start);
    }
    for (uint32_t layer = m_layers; layer-- > 0;)
    {
        leadBegin[layer] = std::min(leadBegin[layer], leadBegin[layer + 1]);
        leadRest[layer] = std::min(leadRest[layer], leadRest[layer + 1]);
    }
    // Make them sums over the layers before each one
    for (uint32_t layer = 0; layer < m_layers; ++layer)
    {
        for (auto* passes : {&work, &lead, &far})
        {
            passes->forward[layer + 1] += passes->forward[layer];
            passes->backward[layer + 1] += passes->backward[layer];
        }
    }
    for (auto* times : {&leadBegin, &leadRest})
    {
        for (auto& time : *times)
        {
            time = time == NEVER ? 0 : time;
        }
    }
}

double
LayerTimes::GetSeconds(const LayerChain::Edge& edge) const
{
    return edge.launch + static_cast<double>(m_samples) * edge.sample;
}

void
LayerTimes::FindGradients(const GradientMap& gradientMap)
{
    const auto& operators = m_problem.graph.GetOperators();
    parameters.assign(m_layers + 1, 0);
    sparseParameters = parameters;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass != Pass::UPDATE)
        {
            continue;
        }
        const auto own = static_cast<double>(m_sharing->GetParameters(operators[op]));
        parameters[operators[op].layer + 1] += own;
        sparseParameters[operators[op].layer + 1] += operators[op].sparse ? own : 0;
        Gradient gradient;
        gradient.layer = operators[op].layer;
        gradient.bytes = GetSummedBytes(gradientMap, op);
        for (const auto source : gradientMap.GetSources(op))
        {
            // The sources in other layers may belong to another stage
            if (operators[source].layer == operators[op].layer)
            {
                gradient.sources.push_back(source);
            }
        }
        gradient.isShared = IsShared(gradient, op);
        tiedBytes += gradient.isShared ? gradient.bytes : 0;
        if (gradient.bytes > 0)
        {
            m_gradients.push_back(gradient);
        }
    }
}

double
LayerTimes::GetSummedBytes(const GradientMap& gradientMap, uint32_t update) const
{
    const OperatorGraph& graph = m_problem.graph;
    const Operator& op = graph.GetOperators()[update];
    if (op.sparse && m_sharing->GetExperts().GetSharers(op) > 1)
    {
        return 0;
    }
    if (op.sparse)
    {
        const bool isSplit = m_sharing->GetParameterShare(op) < 1;
        return static_cast<double>(gradientMap.GetSparseBytes(graph, update)) *
               static_cast<double>(m_problem.globalBatch) /
               (2.0 * (isSplit ? m_strategy.tensorParallel : 1));
    }
    const double bytes = static_cast<double>(m_sharing->GetParameters(op)) * graph.gradientBytes;
    const FabricLimits& fabric = m_problem.fabric;
    const uint32_t sharers = m_sharing->GetExperts().GetSharers(op);
    if (sharers == 1)
    {
        return bytes;
    }
    // With servers, sums over experts may use links that sums over all replicas leave idle
    const uint32_t members = m_strategy.GetDataMembers() * m_strategy.GetNCopies();
    const uint32_t same = m_sharing->GetExperts().GetNSame() * m_strategy.GetNCopies();
    return fabric.HasServers() || members < 2
               ? 0
               : bytes * FabricPace::GetReductionSeconds(fabric, same) /
                     FabricPace::GetReductionSeconds(fabric, members);
}

bool
LayerTimes::IsShared(const Gradient& gradient, uint32_t op) const
{
    const OperatorGraph& graph = m_problem.graph;
    const auto& operators = graph.GetOperators();
    const auto& before = graph.GetPredecessors(op);
    return gradient.layer == 0 && m_layers > 1 && !operators[op].sparse &&
           std::any_of(before.begin(), before.end(), [&](uint32_t maker) {
               const auto& others = graph.GetPredecessors(maker);
               return operators[maker].pass == Pass::BACKWARD && operators[maker].layer == 0 &&
                      std::any_of(others.begin(), others.end(), [&](uint32_t other) {
                          return operators[other].pass == Pass::BACKWARD &&
                                 operators[other].outputBytes == 0 &&
                                 operators[other].layer + 1 == m_layers;
                      });
           });
}

void
LayerTimes::SetGradients(const std::vector<uint32_t>& chain)
{
    // The earliest end of each node, if the spine is there when it enters the node's layer. A node
    // that reads the same result of another layer as the spine may begin as soon as the spine does.
    std::vector<double> position(m_nodes.size(), -NEVER);
    std::vector<bool> isSpine(m_nodes.size(), false);
    for (const auto node : chain)
    {
        isSpine[node] = m_nodes[node].backward;
    }
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        for (const auto& edge : m_chain->GetReads()[node])
        {
            const bool isWithin = m_nodes[edge.from].layer == m_nodes[node].layer;
            const double ready = position[edge.from] + GetSeconds(edge);
            if (isWithin || isSpine[edge.from])
            {
                position[node] = std::max(
                    position[node],
                    isWithin ? ready : std::min(ready, spine.backwardBegin[m_nodes[node].layer]));
            }
        }
        position[node] = isSpine[node] ? m_nodes[node].start : position[node];
        position[node] += m_nodes[node].seconds;
    }
    SetQuiet(position);
    auto& ready = spine.gradientsReady;
    ready.assign(m_layers, NEVER);
    gradientBytes.assign(m_layers + 1, 0);
    for (const auto& gradient : m_gradients)
    {
        double at = -NEVER; // the end of the last source
        for (const auto source : gradient.sources)
        {
            at = std::max(at, position[m_chain->GetFirst(source)]);
        }
        if (at > -NEVER)
        {
            ready[gradient.layer] = std::min(ready[gradient.layer], at);
            gradientBytes[gradient.layer + 1] += gradient.bytes;
            spine.tiedReady = gradient.isShared ? std::max(spine.tiedReady, at) : spine.tiedReady;
        }
    }
    for (uint32_t layer = 0; layer < m_layers; ++layer)
    {
        gradientBytes[layer + 1] += gradientBytes[layer];
        ready[layer] = layer > 0 ? std::min(ready[layer], ready[layer - 1]) : ready[layer];
    }
    // Layers without gradients have nothing to wait for
    for (auto& time : ready)
    {
        time = time == NEVER ? -NEVER : time;
    }
}

void
LayerTimes::SetQuiet(const std::vector<double>& position)
{
    auto& last = spine.collectivesEnd;
    last.assign(m_layers, -NEVER);
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        for (const auto& edge : m_chain->GetReads()[node])
        {
            const LayerChain::Node& before = m_nodes[edge.from];
            if (before.backward && before.layer == m_nodes[node].layer && edge.sample > 0)
            {
                last[before.layer] =
                    std::max(last[before.layer], position[edge.from] + GetSeconds(edge));
            }
        }
    }
    for (uint32_t layer = 1; layer < m_layers; ++layer)
    {
        last[layer] = std::max(last[layer], last[layer - 1]);
    }
}

double
LayerTimes::GetKept(uint32_t op) const
{
    const OperatorGraph& graph = m_problem.graph;
    const auto& operators = graph.GetOperators();
    const uint32_t gpus = m_strategy.tensorParallel * m_strategy.contextParallel;
    if (!m_strategy.IsRecomputed(operators[op], m_layers))
    {
        return static_cast<double>(m_sharing->GetSavedBytes(operators[op], gpus)) / gpus;
    }
    // Its input from the layer before is kept, once for all operators of its layer
    double bytes = 0;
    for (const auto before : graph.GetPredecessors(op))
    {
        const auto& readers = graph.GetSuccessors(before);
        const auto first = std::find_if(readers.begin(), readers.end(), [&](uint32_t reader) {
            return operators[reader].layer == operators[op].layer &&
                   m_strategy.IsRecomputed(operators[reader], m_layers);
        });
        if (operators[before].layer + 1 == operators[op].layer && *first == op)
        {
            bytes += static_cast<double>(operators[before].outputBytes) / gpus;
        }
    }
    return bytes;
}

void
LayerTimes::SetBytes()
{
    const OperatorGraph& graph = m_problem.graph;
    const auto& operators = graph.GetOperators();
    std::vector<double> change(m_layers + 1, 0);
    keptBytes = change;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass != Pass::FORWARD)
        {
            continue;
        }
        uint32_t last = operators[op].layer; // that reads the result, which crosses all cuts before
        for (const auto reader : graph.GetSuccessors(op))
        {
            last = operators[reader].pass == Pass::FORWARD ? std::max(last, operators[reader].layer)
                                                           : last;
        }
        const double bytes = static_cast<double>(operators[op].outputBytes);
        change[operators[op].layer] += bytes;
        change[last] -= bytes;
        keptBytes[operators[op].layer + 1] += GetKept(op);
    }
    for (uint32_t layer = 0; layer < m_layers; ++layer)
    {
        keptBytes[layer + 1] += keptBytes[layer];
        parameters[layer + 1] += parameters[layer];
        sparseParameters[layer + 1] += sparseParameters[layer];
    }
    // The sum of change up to layer l is the number of bytes that cross from l to the next layer
    crossingBytes = m_layers > 1 ? NEVER : 0;
    double sum = 0;
    for (uint32_t layer = 0; layer + 1 < m_layers; ++layer)
    {
        sum += change[layer];
        crossingBytes = std::min(crossingBytes, sum);
    }
    crossingBytes /= m_strategy.tensorParallel * m_strategy.contextParallel;
}

} // namespace lightpath
} // namespace ns3
