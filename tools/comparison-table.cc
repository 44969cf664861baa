/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "comparison-table.h"

#include "cost-options.h"
#include "model/training/run/report-format.h"
#include "text-table.h"

#include "ns3/training-plan.h"

#include <algorithm>
#include <string>

using namespace ns3::lightpath;

namespace
{

/**
 * @param plan a plan
 * @return its strategy, and where its ranks are
 */
std::string
Describe(const TrainingPlan& plan)
{
    return (plan.workload.empty() ? plan.strategy.GetName() : plan.workload) +
           (plan.placement.IsLinear() ? "" : ", placed " + plan.placement.GetName());
}

} // namespace

void
ComparisonTable::Print(std::ostream& os,
                       const std::vector<TrainingReport>& reports,
                       const std::vector<PlannedTraining>& plans)
{
    const bool isSimulated = std::any_of(reports.begin(), reports.end(), [](const auto& report) {
        return !report.iterationSeconds.empty();
    });
    std::vector<std::vector<std::string>> lines{{"fabric",
                                                 isSimulated ? "iteration" : "predicted",
                                                 "error",
                                                 "feasible",
                                                 "kW",
                                                 "k$",
                                                 "plan"}};
    for (const auto& report : reports)
    {
        const auto planned =
            std::find_if(plans.begin(), plans.end(), [&report](const PlannedTraining& each) {
                return each.name == report.fabric;
            });
        if (!report.refusal.empty() || planned == plans.end())
        {
            lines.push_back({report.fabric, "refused: " + report.refusal});
            continue;
        }
        const double time =
            isSimulated ? report.GetSteadySeconds() : planned->plan.predictedSeconds;
        const std::string seconds = time > 0 ? FormatSeconds(time) : "-";
        lines.push_back(
            {report.fabric,
             report.isFeasible == false ? "(" + seconds + ")" : seconds,
             planned->validation.GetText(),
             report.GetFeasibility(),
             report.cost ? CostOptions::FormatFigure(report.cost->GetNetworkWatts() / 1000) : "-",
             report.cost ? CostOptions::FormatFigure(report.cost->GetNetworkPrice() / 1000) : "-",
             Describe(planned->plan)});
    }
    os << "\n";
    TextTable(lines).Print(os, "table");
    os << "\n(time): cannot be built with the components in use; error: of such jobs "
          "on electrical networks,\nfrom published times; power and price: network, with cards if "
          "it has any\n";
}
