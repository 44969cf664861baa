/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-summary.h"

#include "operator-fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iomanip>
#include <sstream>
#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A row of text for each line, with a column for each text.
using Table = std::vector<std::vector<std::string>>;

/**
 * @param number a number
 * @param base the ratio of a prefix to the one before
 * @param prefixes the prefixes from the smallest on
 * @param unit the unit of the number
 * @return it with the largest prefix that leaves one or more before the point
 */
std::string
Format(uint64_t number,
       double base,
       const std::array<const char*, 7>& prefixes,
       const std::string& unit)
{
    auto value = static_cast<double>(number);
    std::size_t prefix = 0;
    // A number that would be rounded to the base takes the next prefix
    while (prefix + 1 < prefixes.size() && value >= (prefix == 0 ? base : base - 0.005))
    {
        value /= base;
        ++prefix;
    }
    const std::string suffix = prefixes[prefix] + unit;
    std::ostringstream text;
    text << std::fixed << std::setprecision(prefix == 0 ? 0 : 2) << value;
    return suffix.empty() ? text.str() : text.str() + " " + suffix;
}

/**
 * Print a table. The first column is flush left, the others are flush right.
 *
 * @param os the stream to print to
 * @param table its rows, of the same number of columns
 */
void
Print(std::ostream& os, const Table& table)
{
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& row : table)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            widths[column] = std::max(widths[column], row[column].size());
        }
    }
    for (const auto& row : table)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            const std::string space(widths[column] - row[column].size(), ' ');
            os << (column == 0 ? row[column] + space : "  " + space + row[column]);
        }
        os << "\n";
    }
}

/**
 * @param op an operator
 * @return all of its costs
 */
auto
GetCosts(const Operator& op)
{
    return std::tie(op.kind,
                    op.split,
                    op.precision,
                    op.selective,
                    op.sparse,
                    op.multiplyAdds,
                    op.flops,
                    op.readBytes,
                    op.writtenBytes,
                    op.inputBytes,
                    op.outputBytes,
                    op.savedBytes,
                    op.parameters,
                    op.parameterBytes);
}

/**
 * @param a a text
 * @param b another text
 * @return the number of leading characters that both have in common
 */
std::size_t
GetCommonLength(const std::string& a, const std::string& b)
{
    const auto ends = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
    return ends.first - a.begin();
}

/**
 * @param first the name of the first of several layers
 * @param last the name of the last of them
 * @return a name for all of them: "layer1-24" if the names differ in their number only
 */
std::string
JoinNames(const std::string& first, const std::string& last)
{
    std::size_t common = GetCommonLength(first, last);
    while (common > 0 && std::isdigit(static_cast<unsigned char>(first[common - 1])) != 0)
    {
        --common;
    }
    const std::string from = first.substr(common);
    const std::string to = last.substr(common);
    const bool numbers = !from.empty() && !to.empty() &&
                         (from + to).find_first_not_of("0123456789") == std::string::npos;
    return numbers ? first + "-" + to : first + " to " + last;
}

} // namespace

ModelSummary::ModelSummary(const OperatorGraph& graph)
    : m_graph(graph)
{
    FindLayers();
    FindTotals();
    Collapse();
}

const std::vector<ModelSummary::Layer>&
ModelSummary::GetLayers() const
{
    return m_layers;
}

const ModelSummary::Totals&
ModelSummary::GetTotals() const
{
    return m_totals;
}

void
ModelSummary::FindLayers()
{
    const auto& operators = m_graph.GetOperators();
    std::vector<Layer> layers(m_graph.GetNLayers());
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        if (op.pass != Pass::FORWARD)
        {
            continue;
        }
        Layer& layer = layers[op.layer];
        if (layer.operators.empty())
        {
            layer.name = op.name.substr(0, op.name.rfind('.'));
        }
        else
        {
            // Cut behind the dot that ends the common beginning of all names
            std::string name = layer.name + ".";
            name.resize(GetCommonLength(name, op.name));
            layer.name = name.substr(0, name.rfind('.') == std::string::npos ? 0 : name.rfind('.'));
        }
        layer.operators.push_back(index);
        layer.parameters += op.parameters;
        layer.multiplyAdds += op.multiplyAdds;
        layer.outputBytes += LeavesLayer(index) ? op.outputBytes : 0;
        layer.savedBytes += op.savedBytes;
    }
    for (std::size_t index = 0; index < layers.size(); ++index)
    {
        if (!layers[index].operators.empty())
        {
            m_layers.push_back(std::move(layers[index]));
            if (m_layers.back().name.empty())
            {
                m_layers.back().name = "layer " + std::to_string(index + 1);
            }
        }
    }
}

void
ModelSummary::FindTotals()
{
    const auto& operators = m_graph.GetOperators();
    std::vector<bool> selective(operators.size());
    std::vector<bool> inner(operators.size());
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        selective[index] = op.selective;
        inner[index] = op.layer > 0 && op.layer + 1 < m_graph.GetNLayers();
        if (op.pass == Pass::FORWARD)
        {
            m_totals.sparse += op.sparse ? op.parameters : 0;
            m_totals.forwardFlops += op.flops;
            m_totals.savedBytes += op.savedBytes;
        }
        else if (op.pass == Pass::BACKWARD)
        {
            m_totals.backwardFlops += op.flops;
        }
    }
    m_totals.parameters = m_graph.GetParameters();
    m_totals.multiplyAdds = m_graph.GetForwardMultiplyAdds();
    m_totals.stateBytes =
        m_totals.parameters * m_graph.GetStateBytes() - m_totals.sparse * m_graph.gradientBytes;
    m_totals.selectiveBytes = GetKeptBytes(selective, false);
    m_totals.fullBytes = GetKeptBytes(inner, true);
}

uint64_t
ModelSummary::GetKeptBytes(const std::vector<bool>& recomputed, bool bounded) const
{
    const auto& operators = m_graph.GetOperators();
    uint64_t bytes = 0;
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        if (op.pass != Pass::FORWARD)
        {
            continue;
        }
        bytes += recomputed[index] ? 0 : op.savedBytes;
        const auto& readers = m_graph.GetSuccessors(index);
        const bool read = std::any_of(readers.begin(), readers.end(), [&](uint32_t reader) {
            return operators[reader].pass == Pass::FORWARD && recomputed[reader] &&
                   (bounded ? operators[reader].layer != op.layer : !recomputed[index]);
        });
        bytes += read ? op.outputBytes : 0;
    }
    return bytes;
}

void
ModelSummary::Collapse()
{
    std::vector<Layer> rows;
    std::size_t begin = 0;
    for (std::size_t end = 1; end <= m_layers.size(); ++end)
    {
        if (end < m_layers.size() && AreAlike(m_layers[begin], m_layers[end]))
        {
            continue;
        }
        Layer row = m_layers[begin];
        row.count = static_cast<uint32_t>(end - begin);
        if (row.count > 1)
        {
            row.name = JoinNames(row.name, m_layers[end - 1].name);
        }
        rows.push_back(std::move(row));
        begin = end;
    }
    m_layers = std::move(rows);
}

bool
ModelSummary::LeavesLayer(uint32_t op) const
{
    const auto& operators = m_graph.GetOperators();
    const auto& readers = m_graph.GetSuccessors(op);
    return std::any_of(readers.begin(), readers.end(), [&](uint32_t reader) {
        return operators[reader].pass == Pass::FORWARD &&
               operators[reader].layer > operators[op].layer;
    });
}

std::string
ModelSummary::GetOwnName(const Layer& layer, uint32_t op) const
{
    const std::string& name = m_graph.GetOperators()[op].name;
    return name.substr(GetCommonLength(layer.name, name));
}

bool
ModelSummary::AreAlike(const Layer& a, const Layer& b) const
{
    const auto& operators = m_graph.GetOperators();
    return a.outputBytes == b.outputBytes &&
           std::equal(a.operators.begin(),
                      a.operators.end(),
                      b.operators.begin(),
                      b.operators.end(),
                      [&](uint32_t one, uint32_t other) {
                          return GetOwnName(a, one) == GetOwnName(b, other) &&
                                 GetCosts(operators[one]) == GetCosts(operators[other]);
                      });
}

void
ModelSummary::PrintLayers(std::ostream& os) const
{
    Table table{{"layer", "operators", "parameters", "multiply-adds", "output", "kept"}};
    for (const auto& layer : m_layers)
    {
        table.push_back({layer.name + (layer.count > 1 ? " x " + std::to_string(layer.count) : ""),
                         std::to_string(layer.operators.size()),
                         FormatCount(layer.parameters),
                         FormatCount(layer.multiplyAdds),
                         FormatBytes(layer.outputBytes),
                         FormatBytes(layer.savedBytes)});
    }
    Print(os, table);
}

void
ModelSummary::PrintOperators(std::ostream& os) const
{
    const auto& kinds = OperatorFields::GetKinds();
    const auto& splits = OperatorFields::GetSplits();
    Table table{{"operator", "kind", "split", "parameters", "flop", "moved", "output", "kept"}};
    for (const auto& layer : m_layers)
    {
        for (const auto index : layer.operators)
        {
            const Operator& op = m_graph.GetOperators()[index];
            table.push_back({op.name,
                             kinds.at(static_cast<std::size_t>(op.kind)),
                             splits.at(static_cast<std::size_t>(op.split)),
                             FormatCount(op.parameters) + (op.sparse ? " sparse" : ""),
                             FormatCount(op.flops),
                             FormatBytes(op.readBytes + op.writtenBytes),
                             FormatBytes(op.outputBytes),
                             FormatBytes(op.savedBytes) + (op.selective ? " selective" : "")});
        }
    }
    Print(os, table);
}

void
ModelSummary::PrintTotals(std::ostream& os) const
{
    const Totals& totals = m_totals;
    const auto print = [&os](const char* name, const std::string& text) {
        os << std::left << std::setw(38) << name << std::right << text << "\n";
    };
    print("parameters",
          FormatCount(totals.parameters) + " (" + std::to_string(totals.parameters) + ")");
    if (totals.sparse > 0)
    {
        print("  with sparse gradients",
              FormatCount(totals.sparse) + " (" + std::to_string(totals.sparse) + ")");
    }
    print("parameters, gradients and optimiser", FormatBytes(totals.stateBytes));
    os << "per " << m_graph.GetSample() << ":\n";
    print("  forward multiply-adds", FormatCount(totals.multiplyAdds, "MAC"));
    print("  forward", FormatCount(totals.forwardFlops, "FLOP"));
    print("  forward and backward",
          FormatCount(totals.forwardFlops + totals.backwardFlops, "FLOP"));
    print("  kept for the backward pass", FormatBytes(totals.savedBytes));
    print("    with selective recomputation", FormatBytes(totals.selectiveBytes));
    print("    with full recomputation", FormatBytes(totals.fullBytes));
}

std::string
ModelSummary::FormatCount(uint64_t number, const std::string& unit)
{
    return Format(number, 1000, {"", "K", "M", "G", "T", "P", "E"}, unit);
}

std::string
ModelSummary::FormatBytes(uint64_t bytes)
{
    return Format(bytes, 1024, {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}, "B");
}

} // namespace lightpath
} // namespace ns3
