/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-explanation.h"

#include "model/planner/bound/strategy-bound.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/place/server-decisions.h"
#include "model/planner/search/plan-constraint.h"
#include "plan-report.h"
#include "planner-options.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace ns3::lightpath;

namespace
{

/// Rows of each sort of alternatives that are printed, and the plans of other planners.
constexpr std::size_t MOST_ROWS[] = {6, 2, 2, 2};

/// The names of the sorts of alternatives.
constexpr const char* SORTS[] = {"priced",
                                 "priced until longer than these",
                                 "known by a lower bound",
                                 "refused"};

/// The signs before the times of the sorts of alternatives that have times.
constexpr const char* SIGNS[] = {"", "> ", ">= "};

/// The sort of alternatives that are refused.
constexpr std::size_t REFUSED = 3;

/// Characters of a name of an alternative.
constexpr std::size_t NAME_WIDTH = 64;

/// Characters of the reason for a refusal.
constexpr std::size_t REASON_WIDTH = 100;

/**
 * @param value a number
 * @param base the unit by which prefixes begin, like 1e-6 for microseconds
 * @param units the names of this unit and of each that is 1000 times the one before
 * @return the number with four digits and a unit
 */
std::string
ToText(double value, double base, const std::vector<std::string>& units)
{
    std::size_t i = 0;
    double scaled = value / base;
    for (; i + 1 < units.size() && std::abs(scaled) >= 999.95; ++i)
    {
        scaled /= 1000;
    }
    std::ostringstream text;
    text << std::setprecision(4) << scaled << " " << units[i];
    return value == 0 ? "0" : text.str();
}

/**
 * @param seconds a time
 * @return it with a unit
 */
std::string
ToTime(double seconds)
{
    return ToText(seconds, 1e-6, {"us", "ms", "s"});
}

/**
 * @param bytes a number of bytes
 * @return it with a unit
 */
std::string
ToSize(double bytes)
{
    return ToText(bytes, 1, {"B", "kB", "MB", "GB", "TB"});
}

/**
 * @param text a text
 * @param width the most characters
 * @return the text, or its beginning up to the end of a word and three dots
 */
std::string
Shorten(const std::string& text, std::size_t width)
{
    if (text.size() <= width)
    {
        return text;
    }
    const std::size_t space = text.rfind(' ', width - 4);
    return text.substr(0, space == std::string::npos ? width - 4 : space) + " ...";
}

/**
 * @param refusal why an alternative is refused
 * @return the sentence without its numbers, which is the same for the same reason
 */
std::string
GetReason(std::string refusal)
{
    const auto isPartOfNumber = [](char c) { return c == '.' || (c >= '0' && c <= '9'); };
    refusal.erase(std::remove_if(refusal.begin(), refusal.end(), isPartOfNumber), refusal.end());
    return refusal;
}

/**
 * @param alternative a plan
 * @return its sort: 0 if it was priced, 1 if its pricing ended early, 2 if a bound is known of it,
 *         or REFUSED
 */
std::size_t
GetSort(const PlanAlternative& alternative)
{
    if (!alternative.refusal.empty())
    {
        return alternative.seconds > 0 ? 1 : REFUSED;
    }
    return alternative.isBound ? 2 : 0;
}

/**
 * @param constraint the name of a constraint
 * @return words for that it is lifted
 */
std::string
DescribeLack(const std::string& constraint)
{
    static const std::map<std::string, std::string> words = {
        {"compute", "if operators took no time"},
        {"bandwidth", "with unlimited bandwidth"},
        {"degree", "with circuits between all"},
        {"delay", "without delays"},
        {"memory", "with unlimited memory"}};
    const auto found = words.find(constraint);
    return found == words.end() ? "without the limit of " + constraint : found->second;
}

} // namespace

PlanExplanation::PlanExplanation(const PlanningProblem& problem,
                                 const TrainingPlan& plan,
                                 const std::string& planner)
    : m_alternatives(plan.alternatives),
      m_cost(plan.cost),
      m_bound(FindBound(problem, plan)),
      m_isBoundOfAll(plan.lowerBoundSeconds <= 0)
{
    if (planner != "search")
    {
        AddPlanners(problem, plan, planner);
    }
    FindConstraints(problem, plan);
    const auto decisions = ServerDecisions::Find(problem, plan);
    if (!decisions.empty())
    {
        m_placement = "servers: " + ServerDecisions::Describe(decisions, m_cost.seconds) + "\n";
    }
    if (problem.fabric.isRing && !problem.fabric.HasServers())
    {
        const auto bytes = PlanPlacer::GetSegmentBytes(plan);
        m_placement = "placement: " + plan.placement.GetName() + ", " + ToSize(bytes.placed) +
                      " on the fullest segment" +
                      (plan.placement.IsLinear() ? "" : " (linear: " + ToSize(bytes.linear) + ")") +
                      "; no placement has less than " + ToSize(bytes.bound) + "\n";
    }
}

void
PlanExplanation::AddPlanners(const PlanningProblem& problem,
                             const TrainingPlan& plan,
                             const std::string& planner)
{
    PlanAlternative own;
    own.name = planner + ": " + plan.strategy.Describe();
    own.strategy = plan.strategy;
    own.seconds = plan.predictedSeconds;
    if (m_alternatives.empty())
    {
        m_alternatives.push_back(own);
    }
    for (const auto& name : Planner::GetNames())
    {
        // That of the name fixed is data parallelism alone. A search takes long
        const bool isFixed = planner == "fixed";
        if (!isFixed && (name == "search" || name == planner))
        {
            continue;
        }
        PlanAlternative other;
        try
        {
            const TrainingPlan made = PlannerOptions::Create(name)->TryPlan(problem);
            other.name = name + ": " + made.strategy.Describe();
            other.strategy = made.strategy;
            other.seconds = made.predictedSeconds;
            if (other.name == own.name)
            {
                continue;
            }
        }
        catch (const std::invalid_argument& error)
        {
            other.name = name + (name == "fixed" ? ": data parallelism" : "");
            other.refusal = error.what();
        }
        m_alternatives.push_back(other);
    }
}

void
PlanExplanation::FindConstraints(const PlanningProblem& problem, const TrainingPlan& plan)
{
    for (const auto& gain : PlanConstraint(problem).GetGains(plan))
    {
        m_gains.emplace_back(gain.name, std::max(m_cost.seconds - gain.seconds, 0.0));
    }
    std::stable_sort(m_gains.begin(), m_gains.end(), [](const auto& a, const auto& b) {
        return a.second > b.second;
    });
}

double
PlanExplanation::FindBound(const PlanningProblem& problem, const TrainingPlan& plan)
{
    if (plan.lowerBoundSeconds <= 0)
    {
        return StrategyBound(problem).GetAllSeconds();
    }
    return plan.lowerBoundSeconds;
}

std::vector<PlanExplanation::Rows>
PlanExplanation::Sort() const
{
    std::vector<Rows> sorts(REFUSED + 1);
    for (const auto& alternative : m_alternatives)
    {
        sorts[GetSort(alternative)].push_back(&alternative);
    }
    for (std::size_t i = 0; i < REFUSED; ++i)
    {
        std::stable_sort(sorts[i].begin(), sorts[i].end(), [](const auto* a, const auto* b) {
            return a->seconds < b->seconds;
        });
    }
    return sorts;
}

void
PlanExplanation::PrintAlternatives(std::ostream& os) const
{
    const auto sorts = Sort();
    std::size_t width = 11;
    for (const auto& alternative : m_alternatives)
    {
        width = std::max(width, Shorten(alternative.name, NAME_WIDTH).size());
    }
    os << std::left << std::setw(static_cast<int>(width)) << "alternative" << std::right
       << std::setw(13) << "iteration" << std::setw(9) << "to this"
       << "\n";
    std::string more;
    std::set<std::string> reasons;
    for (std::size_t sort = 0; sort < sorts.size(); ++sort)
    {
        const Rows& rows = sorts[sort];
        std::size_t shown = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            const bool isOther =
                rows[i]->name.rfind("SiP-ML", 0) == 0 || rows[i]->name.rfind("Megatron", 0) == 0;
            const bool isNew = sort < REFUSED || reasons.insert(GetReason(rows[i]->refusal)).second;
            if (!isNew || (shown >= MOST_ROWS[sort] && (sort > 0 || !isOther)))
            {
                continue;
            }
            ++shown;
            os << std::left << std::setw(static_cast<int>(width))
               << Shorten(rows[i]->name, NAME_WIDTH) << std::right;
            if (sort == REFUSED)
            {
                os << "  refused: " << Shorten(rows[i]->refusal, REASON_WIDTH) << "\n";
                continue;
            }
            const std::string time = SIGNS[sort] + ToTime(rows[i]->seconds);
            std::ostringstream ratio;
            ratio << std::fixed << std::setprecision(3) << rows[i]->seconds / m_cost.seconds << "x";
            os << std::setw(13) << time << std::setw(9) << ratio.str() << "\n";
        }
        if (rows.size() > shown)
        {
            more += (more.empty() ? "" : ", ") + std::to_string(rows.size() - shown) + " " +
                    SORTS[sort];
        }
    }
    os << (more.empty() ? "" : "and others: " + more + "\n");
}

void
PlanExplanation::PrintCost(std::ostream& os) const
{
    os << "an iteration of " << ToTime(m_cost.seconds) << ", mean over GPUs: compute "
       << ToTime(m_cost.computeSeconds) << ", waiting " << ToTime(m_cost.waitingSeconds);
    if (m_cost.switchingSeconds > 0)
    {
        os << ", of which circuits are dark for " << ToTime(m_cost.switchingSeconds);
    }
    os << "\n";
    for (std::size_t kind = 0; kind < m_cost.groups.size(); ++kind)
    {
        const GroupCost& group = m_cost.groups[kind];
        if (group.bytes == 0)
        {
            continue;
        }
        os << "  " << RankGroups::GetKindName(kind) << ": a GPU sends "
           << ToSize(static_cast<double>(group.bytes));
        if (group.seconds > 0)
        {
            os << " in " << ToTime(group.seconds);
        }
        if (group.bitRate > 0)
        {
            os << ", at " << ToText(group.bitRate, 1e6, {"Mb/s", "Gb/s", "Tb/s"});
        }
        os << "\n";
    }
}

void
PlanExplanation::PrintConstraints(std::ostream& os) const
{
    if (m_gains.empty() || !(m_gains.front().second > 0))
    {
        os << "binding: none of the constraints\n";
        return;
    }
    std::string list;
    for (const auto& [name, seconds] : m_gains)
    {
        if (seconds > 0)
        {
            list += (list.empty() ? "" : ", ") + ToTime(seconds) + " " + DescribeLack(name);
        }
    }
    os << "binding: " << m_gains.front().first << "; an iteration would be shorter by " << list
       << "\n";
}

void
PlanExplanation::Print(std::ostream& os) const
{
    os << "\n";
    PrintAlternatives(os);
    os << "\n";
    PrintCost(os);
    PrintConstraints(os);
    os << m_placement;
    if (m_bound > 0)
    {
        std::ostringstream gap;
        gap << std::fixed << std::setprecision(1) << 100 * (m_cost.seconds / m_bound - 1);
        os << "bound: no plan " << (m_isBoundOfAll ? "at all" : "of the strategies sought")
           << " takes less than " << ToTime(m_bound) << "; this one takes " << gap.str()
           << " % more\n";
    }
    else
    {
        os << "bound: the planner gives none\n";
    }
}

void
PlanExplanation::AddTo(nlohmann::ordered_json& json) const
{
    auto alternatives = nlohmann::ordered_json::array();
    for (const auto& rows : Sort())
    {
        for (const auto* each : rows)
        {
            nlohmann::ordered_json row = {{"name", each->name}};
            static const std::vector<std::string> keys = {"seconds",
                                                          "longerThanSeconds",
                                                          "lowerBoundSeconds"};
            const std::size_t sort = GetSort(*each);
            if (sort == REFUSED)
            {
                row["refusal"] = each->refusal;
            }
            else
            {
                row[keys[sort]] = each->seconds;
            }
            alternatives.push_back(row);
        }
    }
    auto groups = nlohmann::ordered_json::array();
    for (std::size_t kind = 0; kind < m_cost.groups.size(); ++kind)
    {
        const GroupCost& group = m_cost.groups[kind];
        groups.push_back({{"kind", RankGroups::GetKindName(kind)},
                          {"bytes", group.bytes},
                          {"seconds", group.seconds},
                          {"bitRate", group.bitRate}});
    }
    json["alternatives"] = alternatives;
    json["cost"] = {{"seconds", m_cost.seconds},
                    {"computeSeconds", m_cost.computeSeconds},
                    {"waitingSeconds", m_cost.waitingSeconds},
                    {"switchingSeconds", m_cost.switchingSeconds},
                    {"groups", groups}};
    auto constraints = nlohmann::ordered_json::array();
    for (const auto& [name, seconds] : m_gains)
    {
        constraints.push_back({{"name", name}, {"gainSeconds", seconds}});
    }
    json["constraints"] = constraints;
    json["bound"] = nullptr;
    if (m_bound > 0)
    {
        json["bound"] = {{"seconds", m_bound}, {"gap", m_cost.seconds / m_bound - 1}};
    }
}
