/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-profile.h"

#include "model/base/json-document.h"
#include "operator-document.h"

#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most entries.
constexpr std::size_t MAX_ENTRIES = OperatorDocument::MAX_OPERATORS;

/// The most names with a '*', each of which is compared with each operator.
constexpr std::size_t MAX_PATTERNS = 1000;

/// The batch of a time that holds for any batch.
constexpr uint64_t ANY = 0;

/// The most seconds of an entry.
constexpr double MAX_SECONDS = 1e6;

} // namespace

void
OperatorProfile::TakeEntry(const JsonValue& entry)
{
    entry.CheckKeys({"operator", "batch", "seconds"});
    const std::size_t place = m_nEntries++;
    if (place == MAX_ENTRIES)
    {
        entry.Fail("a profile must have at most " + std::to_string(MAX_ENTRIES) + " entries");
    }
    const std::string pattern = entry.Get("operator").GetText();
    const auto stated = entry.Find("batch");
    const uint64_t batch = stated ? stated->GetWhole(1, OperatorDocument::MAX_COST) : ANY;
    const double seconds = entry.Get("seconds").GetNumber(MAX_SECONDS);
    const auto added = m_exact.emplace(pattern, m_curves.size());
    if (added.second)
    {
        if (pattern.find('*') != std::string::npos)
        {
            m_patterns.push_back(m_curves.size());
            if (m_patterns.size() > MAX_PATTERNS)
            {
                entry.Fail("a profile must have at most " + std::to_string(MAX_PATTERNS) +
                           " different names with a '*'");
            }
        }
        m_curves.push_back({pattern, {}, place});
    }
    auto& points = m_curves[added.first->second].points;
    if (points.count(batch) > 0)
    {
        entry.Fail("operator " + JsonValue::Quote(pattern) + " has a time for " +
                   (batch == ANY ? "any batch" : "batch " + std::to_string(batch)) +
                   " already: it must be measured once");
    }
    points.emplace(batch, seconds);
    if (points.size() > 1 && points.begin()->first == ANY)
    {
        entry.Fail("operator " + JsonValue::Quote(pattern) +
                   " has times with and without \"batch\": either all of its entries must have "
                   "one, or there must be a single entry");
    }
}

OperatorProfile
OperatorProfile::Read(std::istream& input, const std::string& name)
{
    OperatorProfile profile;
    profile.m_name = name;
    const JsonDocument document(input,
                                name,
                                "lightpath-profile",
                                {"accelerator", "entries"},
                                [&profile](const std::string& key, const JsonValue& element) {
                                    if (key == "entries")
                                    {
                                        profile.TakeEntry(element);
                                    }
                                });
    document.GetRoot().Get("entries").GetSize();
    profile.m_accelerator = document.GetRoot().Get("accelerator").GetText();
    if (profile.m_curves.empty())
    {
        throw std::invalid_argument(name + " has no \"entries\": it must have at least one time");
    }
    return profile;
}

std::shared_ptr<const OperatorProfile>
OperatorProfile::ReadFile(const std::string& name)
{
    std::ifstream file = JsonDocument::Open(name);
    return std::make_shared<const OperatorProfile>(Read(file, name));
}

const std::string&
OperatorProfile::GetAccelerator() const
{
    return m_accelerator;
}

std::optional<double>
OperatorProfile::GetSeconds(const std::string& name, double samples) const
{
    const std::size_t index = Find(name);
    if (index == m_curves.size())
    {
        return std::nullopt;
    }
    const auto& points = m_curves[index].points;
    if (points.begin()->first == ANY)
    {
        return points.begin()->second;
    }
    auto above = points.begin();
    while (above != points.end() && static_cast<double>(above->first) < samples)
    {
        ++above;
    }
    if (above == points.begin() || above == points.end())
    {
        const auto& nearest = above == points.end() ? *points.rbegin() : *above;
        return nearest.second * (samples / static_cast<double>(nearest.first));
    }
    const auto below = std::prev(above);
    const double part = (samples - static_cast<double>(below->first)) /
                        static_cast<double>(above->first - below->first);
    return below->second + (above->second - below->second) * part;
}

void
OperatorProfile::Check(const OperatorGraph& graph) const
{
    std::vector<bool> isUsed(m_curves.size());
    for (const auto& op : graph.GetOperators())
    {
        const auto exact = m_exact.find(op.name);
        if (exact != m_exact.end())
        {
            isUsed[exact->second] = true;
        }
        for (const auto index : m_patterns)
        {
            isUsed[index] = isUsed[index] || Matches(m_curves[index].pattern, op.name);
        }
    }
    for (std::size_t index = 0; index < m_curves.size(); ++index)
    {
        if (!isUsed[index])
        {
            const std::string path =
                "/entries/" + std::to_string(m_curves[index].place) + "/operator";
            throw std::invalid_argument(
                JsonValue::GetPlace(m_name, path) + " is " +
                JsonValue::Quote(m_curves[index].pattern) +
                ", but must match an operator of model " + graph.GetName() + ", such as " +
                JsonValue::Quote(graph.GetOperators().empty() ? "" : graph.GetOperators()[0].name));
        }
    }
}

bool
OperatorProfile::Matches(const std::string& pattern, const std::string& name)
{
    std::size_t star = std::string::npos; // place of the last '*'
    std::size_t resume = 0;               // where what follows it was tried
    std::size_t at = 0;
    for (std::size_t i = 0; i < name.size();)
    {
        if (at < pattern.size() && pattern[at] == '*')
        {
            star = at++;
            resume = i;
        }
        else if (at < pattern.size() && pattern[at] == name[i])
        {
            ++at;
            ++i;
        }
        else if (star != std::string::npos)
        {
            at = star + 1;
            i = ++resume;
        }
        else
        {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == std::string::npos;
}

std::size_t
OperatorProfile::Find(const std::string& name) const
{
    const auto exact = m_exact.find(name);
    if (exact != m_exact.end())
    {
        return exact->second;
    }
    const auto known = m_found.find(name);
    if (known != m_found.end())
    {
        return known->second;
    }
    std::size_t found = m_curves.size();
    for (const auto index : m_patterns)
    {
        if (Matches(m_curves[index].pattern, name))
        {
            found = index;
            break;
        }
    }
    m_found.emplace(name, found);
    return found;
}

} // namespace lightpath
} // namespace ns3
