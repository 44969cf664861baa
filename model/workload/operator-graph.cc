/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-graph.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Add an index to a list in ascending order unless it is there already.
 *
 * @param list the list
 * @param index the index
 */
void
Insert(std::vector<uint32_t>& list, uint32_t index)
{
    const auto position = std::lower_bound(list.begin(), list.end(), index);
    if (position == list.end() || *position != index)
    {
        list.insert(position, index);
    }
}

} // namespace

OperatorGraph::OperatorGraph(std::string name, std::string sample)
    : m_name(std::move(name)),
      m_sample(std::move(sample))
{
}

const std::string&
OperatorGraph::GetName() const
{
    return m_name;
}

const std::string&
OperatorGraph::GetSample() const
{
    return m_sample;
}

uint32_t
OperatorGraph::AddOperator(Operator op)
{
    const auto index = static_cast<uint32_t>(m_operators.size());
    if (op.forward > index)
    {
        throw std::invalid_argument("Operator " + op.name + " belongs to forward operator " +
                                    std::to_string(op.forward) + ", but is itself number " +
                                    std::to_string(index) + ": a forward operator comes first");
    }
    if (!m_names.insert(op.name).second)
    {
        throw std::invalid_argument("There is an operator " + op.name + " in model " + m_name +
                                    " already: names must be unique");
    }
    m_nLayers = std::max(m_nLayers, op.layer + 1);
    m_operators.push_back(std::move(op));
    m_predecessors.emplace_back();
    m_successors.emplace_back();
    return index;
}

void
OperatorGraph::AddEdge(uint32_t from, uint32_t to)
{
    if (from >= to || to >= m_operators.size())
    {
        throw std::invalid_argument("An edge from operator " + std::to_string(from) + " to " +
                                    std::to_string(to) + " among " +
                                    std::to_string(m_operators.size()) +
                                    " operators does not lead from a lower index to a higher one");
    }
    Insert(m_successors[from], to);
    Insert(m_predecessors[to], from);
}

const std::vector<Operator>&
OperatorGraph::GetOperators() const
{
    return m_operators;
}

const std::vector<uint32_t>&
OperatorGraph::GetPredecessors(uint32_t index) const
{
    return m_predecessors.at(index);
}

const std::vector<uint32_t>&
OperatorGraph::GetSuccessors(uint32_t index) const
{
    return m_successors.at(index);
}

uint64_t
OperatorGraph::GetParameters() const
{
    uint64_t sum = 0;
    for (const auto& op : m_operators)
    {
        sum += op.pass == Pass::FORWARD ? op.parameters : 0;
    }
    return sum;
}

uint64_t
OperatorGraph::GetForwardMultiplyAdds() const
{
    uint64_t sum = 0;
    for (const auto& op : m_operators)
    {
        sum += op.pass == Pass::FORWARD ? op.multiplyAdds : 0;
    }
    return sum;
}

uint32_t
OperatorGraph::GetStateBytes() const
{
    return parameterBytes + gradientBytes + optimizerBytes;
}

uint32_t
OperatorGraph::GetNLayers() const
{
    return m_nLayers;
}

} // namespace lightpath
} // namespace ns3
