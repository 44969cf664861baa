/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tensor-sharing.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

TensorSharing::TensorSharing(const OperatorGraph& graph,
                             const LayerPartition& partition,
                             const Strategy& strategy,
                             bool isUneven)
    : m_graph(graph),
      m_experts(graph, strategy, isUneven),
      m_gpus(strategy.tensorParallel),
      m_shares(strategy.contextParallel),
      m_sequenceParallel(strategy.sequenceParallel && strategy.tensorParallel > 1),
      m_layouts(graph.GetOperators().size(), Layout::WHOLE),
      m_summed(graph.GetOperators().size())
{
    if (m_gpus > 1)
    {
        FindInputGradients(partition);
        FindLayouts();
    }
}

std::string
TensorSharing::FindObstacle(const OperatorGraph& graph, uint32_t gpus)
{
    for (const auto& op : graph.GetOperators())
    {
        const bool isRow = op.split == TensorSplit::ROW;
        if (op.pass == Pass::FORWARD && op.indivisible > 0 && op.indivisible < gpus)
        {
            return "the " + std::to_string(op.indivisible) +
                   " parts (attention heads) of operator " + op.name +
                   " cannot be shared out over " + std::to_string(gpus) +
                   " GPUs: each GPU needs one at least";
        }
        if (op.pass != Pass::FORWARD || (!isRow && op.split != TensorSplit::COLUMN))
        {
            continue;
        }
        // Tensors between a COLUMN and a ROW operator are spread over the GPUs. Each GPU has some
        // rows of a table, and looks up the indices of these rows.
        const uint64_t bytes = isRow ? op.inputBytes : op.outputBytes;
        if (!(isRow && op.kind == OperatorKind::EMBEDDING) && bytes % gpus != 0)
        {
            return "the " + std::to_string(bytes) + " bytes of the " +
                   (isRow ? "input" : "output") + " of operator " + op.name +
                   " cannot be shared out evenly over " + std::to_string(gpus) +
                   " GPUs: TensorParallel must divide them";
        }
    }
    return "";
}

void
TensorSharing::FindInputGradients(const LayerPartition& partition)
{
    const auto& operators = m_graph.GetOperators();
    // By part, experts and predecessors of the COLUMN operator; an operator without predecessors
    // shares its sum with no other
    using Key = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>;
    std::map<Key, std::vector<uint32_t>> groups;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const uint32_t forward = operators[op].forward;
        if (operators[op].pass == Pass::FORWARD && GetSplit(operators[op]) == TensorSplit::ROW)
        {
            m_summed[op].assign(1, op);
        }
        if (operators[op].pass != Pass::BACKWARD || operators[op].outputBytes == 0 ||
            GetSplit(operators[forward]) != TensorSplit::COLUMN)
        {
            continue;
        }
        // Only gradients that another backward operator reads are summed
        const auto& successors = m_graph.GetSuccessors(op);
        if (std::any_of(successors.begin(), successors.end(), [&](uint32_t successor) {
                return operators[successor].pass == Pass::BACKWARD;
            }))
        {
            m_summed[op].assign(1, op);
            const auto& inputs = m_graph.GetPredecessors(forward);
            groups[{partition.GetPart(op), operators[op].experts, inputs}].push_back(op);
        }
    }
    for (const auto& group : groups)
    {
        const auto& members = group.second;
        if (!std::get<2>(group.first).empty() && CanShare(members))
        {
            for (const auto member : members)
            {
                m_summed[member] = members;
            }
        }
    }
}

bool
TensorSharing::CanShare(const std::vector<uint32_t>& members) const
{
    for (const auto member : members)
    {
        for (const auto successor : m_graph.GetSuccessors(member))
        {
            // A reader ahead of the last member would need the sum too early
            if (successor < members.back() &&
                !std::binary_search(members.begin(), members.end(), successor))
            {
                return false;
            }
        }
    }
    return true;
}

void
TensorSharing::FindLayouts()
{
    const auto& operators = m_graph.GetOperators();
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        const TensorSplit split = GetSplit(operators[op]);
        const bool isForward = operators[op].pass == Pass::FORWARD;
        // The result of a ROW operator, or the gradient of the input of a COLUMN operator
        const bool isSum = split == (isForward ? TensorSplit::ROW : TensorSplit::COLUMN);
        Layout& layout = m_layouts[op];
        if (isSum)
        {
            const auto& inputs = m_graph.GetPredecessors(operators[op].forward);
            const bool byToken =
                isForward || std::all_of(inputs.begin(), inputs.end(), [&](uint32_t input) {
                    return m_layouts[input] == Layout::TOKENS;
                });
            layout = m_sequenceParallel && byToken ? Layout::TOKENS : Layout::WHOLE;
        }
        else if (!IsWhole(operators[op]))
        {
            layout = Layout::TENSOR;
        }
        else if (IsByToken(operators[op]))
        {
            layout = Layout::TOKENS;
        }
    }
}

TensorSplit
TensorSharing::GetSplit(const Operator& op) const
{
    return op.experts > 0 && m_experts.AreWhole() ? TensorSplit::SEQUENCE : op.split;
}

bool
TensorSharing::IsWhole(const Operator& op) const
{
    return GetSplit(op) == TensorSplit::REPLICATED || GetSplit(op) == TensorSplit::SEQUENCE;
}

bool
TensorSharing::IsByToken(const Operator& op) const
{
    return m_sequenceParallel && GetSplit(op) == TensorSplit::SEQUENCE && op.pass != Pass::UPDATE;
}

const ExpertSharing&
TensorSharing::GetExperts() const
{
    return m_experts;
}

uint32_t
TensorSharing::GetNGpus() const
{
    return m_gpus;
}

uint64_t
TensorSharing::Divide(uint64_t bytes) const
{
    return (bytes + m_gpus - 1) / m_gpus;
}

uint64_t
TensorSharing::GetBytes(uint64_t bytes, uint64_t samples) const
{
    return (bytes * samples + m_shares - 1) / m_shares;
}

double
TensorSharing::GetSeconds(const Operator& op, const Accelerator& accelerator, double samples) const
{
    // A share of the experts works on the tokens of all ranks that share them out
    const uint32_t sharers = m_experts.GetSharers(op);
    samples /= m_shares;
    if (IsByToken(op) && !accelerator.linearShares)
    {
        return accelerator.GetSeconds(op, sharers * samples / m_gpus, 1.0 / sharers);
    }
    return accelerator.GetSeconds(op,
                                  sharers * samples,
                                  IsByToken(op) ? 1.0 / m_gpus / sharers : GetParameterShare(op));
}

double
TensorSharing::GetParameterShare(const Operator& op) const
{
    const uint32_t sharers = m_experts.GetSharers(op);
    return 1.0 / (IsWhole(op) ? sharers : sharers * m_gpus);
}

uint64_t
TensorSharing::GetParameters(const Operator& op) const
{
    const uint32_t sharers = m_experts.GetSharers(op);
    const uint64_t parameters = (op.parameters + sharers - 1) / sharers;
    return IsWhole(op) ? parameters : Divide(parameters);
}

uint64_t
TensorSharing::GetSavedBytes(const Operator& op, uint64_t samples) const
{
    const uint64_t bytes = GetBytes(op.savedBytes, samples);
    if (GetSplit(op) == TensorSplit::COLUMN)
    {
        const auto& inputs = m_graph.GetPredecessors(op.forward);
        // The kept input is split by token if all of its writers are
        const bool byToken = m_sequenceParallel && !inputs.empty() &&
                             std::all_of(inputs.begin(), inputs.end(), [&](uint32_t input) {
                                 return m_layouts[input] == Layout::TOKENS;
                             });
        return byToken ? Divide(bytes) : bytes;
    }
    return IsWhole(op) && !IsByToken(op) ? bytes : Divide(bytes);
}

bool
TensorSharing::IsGradientPartial(const Operator& op) const
{
    // The gradients of experts are summed over all ranks that hold them whole
    return m_sequenceParallel && op.split == TensorSplit::SEQUENCE;
}

TensorSharing::Layout
TensorSharing::GetLayout(uint32_t op) const
{
    return m_layouts[op];
}

bool
TensorSharing::IsGathered(uint32_t from, uint32_t to) const
{
    const Operator& reader = m_graph.GetOperators()[to];
    // Only results that are split by token are gathered
    if (m_layouts[from] != Layout::TOKENS || m_graph.GetOperators()[from].outputBytes == 0)
    {
        return false;
    }
    // COLUMN operators need all tokens forward, ROW operators backward
    const TensorSplit sharing =
        reader.pass == Pass::FORWARD ? TensorSplit::COLUMN : TensorSplit::ROW;
    return GetSplit(reader) == TensorSplit::REPLICATED || GetSplit(reader) == sharing;
}

bool
TensorSharing::IsInputGathered(uint32_t op) const
{
    const Operator& backward = m_graph.GetOperators()[op];
    const Operator& forward = m_graph.GetOperators()[backward.forward];
    if (!m_sequenceParallel || backward.pass != Pass::BACKWARD ||
        GetSplit(backward) != TensorSplit::COLUMN || forward.inputBytes == 0)
    {
        return false;
    }
    const auto& inputs = m_graph.GetPredecessors(backward.forward);
    return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [&](uint32_t input) {
        return m_layouts[input] == Layout::TOKENS;
    });
}

const std::vector<uint32_t>&
TensorSharing::GetSummed(uint32_t op) const
{
    return m_summed[op];
}

} // namespace lightpath
} // namespace ns3
