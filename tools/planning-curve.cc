/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planning-curve.h"

#include "option-values.h"
#include "planner-options.h"
#include "text-table.h"

#include "ns3/nstime.h"
#include "ns3/search-planner.h"

#include <iomanip>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param value a number
 * @param digits digits behind the point
 * @return the number
 */
std::string
ToText(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

} // namespace

PlanningCurve::PlanningCurve(const PlannerCase& problem, const std::string& planningTime)
    : m_name(problem.GetName())
{
    const auto planner = PlannerOptions::Create("search");
    if (!planningTime.empty())
    {
        planner->SetAttribute("TimeBudget", TimeValue(ParseTime(planningTime)));
    }
    planner->TryPlan(problem.MakeProblem());
    for (const auto& progress : DynamicCast<SearchPlanner>(planner)->GetProgress())
    {
        m_points.push_back({progress.evaluations,
                            progress.elapsedSeconds,
                            progress.bestSeconds,
                            progress.lowerBoundSeconds});
    }
}

void
PlanningCurve::Print(std::ostream& os,
                     const std::string& format,
                     const std::vector<PlanningCurve>& curves)
{
    std::vector<std::vector<std::string>> lines = {
        {"case", "plans priced", "planning s", "best ms", "bound ms", "gap %"}};
    for (const auto& curve : curves)
    {
        for (const auto& point : curve.m_points)
        {
            const bool isBound = point.bound > 0;
            lines.push_back({curve.m_name,
                             std::to_string(point.evaluations),
                             ToText(point.seconds, 2),
                             ToText(point.best * 1e3, 2),
                             isBound ? ToText(point.bound * 1e3, 2) : "-",
                             isBound ? ToText(100 * (point.best / point.bound - 1), 1) : "-"});
        }
    }
    TextTable(lines).Print(os, format);
}

nlohmann::ordered_json
PlanningCurve::GetJson() const
{
    auto points = nlohmann::ordered_json::array();
    for (const auto& point : m_points)
    {
        points.push_back({{"evaluations", point.evaluations},
                          {"planningSeconds", point.seconds},
                          {"bestSeconds", point.best},
                          {"lowerBoundSeconds", point.bound}});
    }
    return {{"case", m_name}, {"points", points}};
}
