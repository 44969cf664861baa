/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-sharing.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

uint32_t
ExpertSharing::GetNExperts(const OperatorGraph& graph)
{
    uint32_t experts = 0;
    for (const auto& op : graph.GetOperators())
    {
        // gcd(n, 0) is n: operators without experts do not count
        experts = std::gcd(experts, op.experts);
    }
    return experts;
}

void
ExpertSharing::Check(const OperatorGraph& graph,
                     const LayerPartition& partition,
                     const Strategy& strategy)
{
    const uint32_t sharers = strategy.expertParallel;
    if (strategy.wholeExperts &&
        (sharers == 1 || strategy.tensorParallel == 1 || !strategy.sequenceParallel))
    {
        throw std::invalid_argument(
            "WholeExperts gives the tokens of each GPU of a tensor-parallel "
            "group to whole experts: it needs TensorParallel and "
            "ExpertParallel of 2 or more, and SequenceParallel");
    }
    if (sharers == 1)
    {
        return;
    }
    const std::string begin = "ExpertParallel is " + std::to_string(sharers) + ", but ";
    const uint32_t experts = GetNExperts(graph);
    if (experts == 0)
    {
        throw std::invalid_argument(begin + "the model \"" + graph.GetName() +
                                    "\" has no experts: it must be 1");
    }
    // Each rank must hold the same number of experts of each operator
    const uint32_t ranks =
        strategy.GetDataMembers() * (strategy.wholeExperts ? strategy.tensorParallel : 1);
    if (sharers == 0 || std::gcd(experts, ranks) % sharers != 0)
    {
        const std::string noun =
            strategy.GetDataMembers() == strategy.dataParallel && !strategy.wholeExperts
                ? " replicas"
                : " ranks of a stage that can share them";
        throw std::invalid_argument(begin + "must divide the " + std::to_string(ranks) + noun +
                                    " and the " + std::to_string(experts) + " experts of a layer");
    }
    if (strategy.zeroStage > 1)
    {
        throw std::invalid_argument(begin + "ZeroStage is " + std::to_string(strategy.zeroStage) +
                                    ": with experts that are shared out it can be 1 at most");
    }
    const auto& operators = graph.GetOperators();
    const auto& shared = partition.GetSharedUpdates();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        if (operators[op].pass != Pass::UPDATE || operators[op].experts == 0)
        {
            continue;
        }
        const std::string what =
            begin + "the experts of operator " + operators[operators[op].forward].name + " ";
        if (operators[op].sparse && sharers < ranks)
        {
            throw std::invalid_argument(what +
                                        "have sparse gradients, which are gathered from "
                                        "all replicas unless these share them out: it must "
                                        "be 1 or " +
                                        std::to_string(ranks));
        }
        if (strategy.sequenceParallel && !strategy.wholeExperts &&
            operators[op].split == TensorSplit::SEQUENCE)
        {
            throw std::invalid_argument(what + "make gradients of a share of the tokens: "
                                               "SequenceParallel must be false");
        }
        if (std::binary_search(shared.begin(), shared.end(), op))
        {
            throw std::invalid_argument(what + "are shared by the first and the last stage: "
                                               "PipelineParallel must be 1");
        }
    }
}

ExpertSharing::ExpertSharing(const OperatorGraph& graph, const Strategy& strategy, bool isUneven)
    : m_graph(graph),
      m_sharers(std::max(strategy.expertParallel, 1U)),
      m_isWhole(strategy.wholeExperts),
      m_isOnce(strategy.oncePerServer),
      m_isUneven(isUneven),
      m_stride(m_isWhole ? 1 : strategy.tensorParallel),
      m_nSame(strategy.GetDataMembers() * strategy.tensorParallel / (m_stride * m_sharers))
{
}

bool
ExpertSharing::AreWhole() const
{
    return m_isWhole;
}

uint32_t
ExpertSharing::GetStride() const
{
    return m_stride;
}

uint32_t
ExpertSharing::GetNSame() const
{
    return m_nSame;
}

uint32_t
ExpertSharing::GetSharers(const Operator& op) const
{
    return op.experts > 0 ? m_sharers : 1;
}

RoutedLayer
ExpertSharing::GetRouted(const Operator& op) const
{
    return op.experts > 0 && m_isUneven ? RoutedLayer{op.layer, op.experts, op.choice.perToken}
                                        : RoutedLayer();
}

RoutedLayer
ExpertSharing::GetRouted(uint32_t from, uint32_t to) const
{
    // Tokens that have left the experts are those of the rank again
    const auto& operators = m_graph.GetOperators();
    return GetRouted(operators[IsExchanged(from, to) ? to : from]);
}

void
ExpertSharing::Route(uint32_t op, Task& task) const
{
    const auto& operators = m_graph.GetOperators();
    const Operator* experts = &operators[op];
    for (const auto reader : m_graph.GetSuccessors(op))
    {
        if (experts->experts == 0 && IsExchanged(op, reader))
        {
            experts = &operators[reader];
        }
    }
    task.routed = GetRouted(*experts);
    if (m_isOnce || m_isUneven)
    {
        TokenRouting routing;
        routing.isReturn = operators[op].experts > 0;
        routing.perToken = m_isOnce ? experts->choice.perToken : 0;
        routing.groups = experts->choice.groups;
        routing.topGroups = experts->choice.topGroups;
        task.options.routing = std::make_shared<TokenRouting>(routing);
    }
}

bool
ExpertSharing::IsExchanged(uint32_t from, uint32_t to) const
{
    const Operator& writer = m_graph.GetOperators()[from];
    const Operator& reader = m_graph.GetOperators()[to];
    return m_sharers > 1 && writer.experts != reader.experts && writer.outputBytes > 0 &&
           writer.pass == reader.pass && writer.pass != Pass::UPDATE;
}

uint64_t
ExpertSharing::GetExchangedBytes(uint32_t op) const
{
    const auto& operators = m_graph.GetOperators();
    uint64_t bytes = 0;
    for (const auto reader : m_graph.GetSuccessors(op))
    {
        if (IsExchanged(op, reader))
        {
            const uint64_t all = operators[op].outputBytes;
            const uint64_t read = operators[reader].inputBytes;
            // Experts read a part of the result: the weights of the router stay
            const bool isPart = operators[op].experts == 0 && read > 0;
            bytes = std::max(bytes, isPart ? std::min(all, read) : all);
        }
    }
    return bytes;
}

uint32_t
ExpertSharing::GetResult(uint32_t from, uint32_t to) const
{
    return IsExchanged(from, to) ? GetExchanged(from) : from;
}

uint32_t
ExpertSharing::GetExchanged(uint32_t op) const
{
    return static_cast<uint32_t>(m_graph.GetOperators().size()) + op;
}

uint64_t
ExpertSharing::GetResultBytes(uint32_t result) const
{
    const auto& operators = m_graph.GetOperators();
    return result < operators.size()
               ? operators[result].outputBytes
               : GetExchangedBytes(result - static_cast<uint32_t>(operators.size()));
}

} // namespace lightpath
} // namespace ns3
