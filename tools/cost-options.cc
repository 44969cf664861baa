/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-options.h"

#include "graph-options.h"
#include "text-table.h"

#include "ns3/accelerator.h"
#include "ns3/fabric-description.h"
#include "ns3/network-cost.h"
#include "ns3/string.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param os where to print
 * @param reports the reports, with costs
 */
void
PrintTotals(std::ostream& os, const std::vector<TrainingReport>& reports)
{
    std::vector<std::vector<std::string>> lines{{"fabric",
                                                 "network kW",
                                                 "network k$",
                                                 "J/iteration",
                                                 "network's",
                                                 "J/sample",
                                                 "J/token",
                                                 "$/1000 iterations"}};
    for (const auto& report : reports)
    {
        if (!report.cost)
        {
            lines.push_back({report.fabric, "-", "-", "-", "-", "-", "-", "-"});
            continue;
        }
        const CostReport& cost = *report.cost;
        const double seconds = report.GetSteadySeconds();
        const double own = cost.GetNetworkJoules(seconds);
        const double joules = own + cost.GetGpuJoules(seconds, report.computeSeconds);
        const auto format = [seconds](double figure, double count) {
            return seconds > 0 && count > 0 ? CostOptions::FormatFigure(figure / count)
                                            : std::string("-");
        };
        lines.push_back(
            {report.fabric,
             CostOptions::FormatFigure(cost.GetNetworkWatts() / 1000),
             CostOptions::FormatFigure(cost.GetNetworkPrice() / 1000),
             format(joules, 1),
             format(own, 1),
             format(joules, cost.samples),
             format(joules, cost.tokens),
             cost.gpuPrice > 0
                 ? format(1000 * cost.GetIterationPrice(seconds, report.computeSeconds), 1)
                 : "-"});
    }
    TextTable(lines).Print(os, "table");
}

/**
 * @param figure a figure
 * @return it with its confidence and year
 */
std::string
FormatOrigin(const ComponentFigure& figure)
{
    return figure.confidence + " " + std::to_string(figure.year);
}

} // namespace

std::string
CostOptions::FormatFigure(double value)
{
    std::ostringstream text;
    if (value >= 1000)
    {
        text << std::fixed << std::setprecision(0) << value;
    }
    else
    {
        text << std::setprecision(4) << value;
    }
    return text.str();
}

void
CostOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Power and price");
    options.AddValue("cost",
                     "Print power and price of the network, and energy of an iteration",
                     m_isAsked);
    options.AddValue("components", "File with power and price of components", m_components);
    std::vector<std::string> electrical{"cluster", "electrical", "fat-tree", "leaf-spine"};
    electrical.insert(electrical.end(), FLOW_NETWORKS.begin(), FLOW_NETWORKS.end());
    options.BeginGroup("Power and price", electrical);
    options.AddValue("optics",
                     "Optics of electrical switches: pluggable, co-packaged; default: pluggable",
                     m_optics);
}

bool
CostOptions::AreAsked() const
{
    if (!m_isAsked && !(m_optics.empty() && m_components.empty()))
    {
        throw std::invalid_argument("--optics and --components belong to --cost, which is missing");
    }
    return m_isAsked;
}

CostReport
CostOptions::Estimate(const InterconnectHelper& fabric,
                      const std::string& accelerator,
                      uint32_t gpus) const
{
    const auto cost = CreateObject<NetworkCost>();
    if (!m_optics.empty())
    {
        const std::string optics =
            ParseWord("optics",
                      m_optics,
                      {{"pluggable", "Pluggable"}, {"co-packaged", "CoPackaged"}});
        cost->SetAttribute("Optics", StringValue(optics));
    }
    if (!m_components.empty())
    {
        ComponentTable table;
        table.ReadFile(m_components);
        cost->SetTable(table);
    }
    return cost->Estimate(FabricDescription::Create(fabric)->GetBill(gpus),
                          Accelerator::Create(accelerator).name,
                          gpus);
}

void
CostOptions::Print(std::ostream& os,
                   const std::vector<TrainingReport>& reports,
                   const std::string& accelerator)
{
    os << "\n";
    PrintTotals(os, reports);
    os << "\nJ: energy of network and GPUs; $/1000 iterations: network and GPUs over their life, "
          "and electricity\n";
    if (std::any_of(reports.begin(), reports.end(), [](const TrainingReport& report) {
            return report.cost && !(report.cost->gpuPrice > 0);
        }))
    {
        const std::string gpu = Accelerator::Create(accelerator).name;
        os << "The price of " << gpu << " is not known, and so no cost of an iteration: state it "
           << "as gpu-" << gpu << " in a file of --components\n";
    }
}

void
CostOptions::PrintBills(std::ostream& os, const std::vector<TrainingReport>& reports)
{
    for (const auto& report : reports)
    {
        if (!report.cost)
        {
            continue;
        }
        std::vector<std::vector<std::string>> lines{{"component", "count", "W", "is", "$", "is"}};
        for (const auto& line : report.cost->lines)
        {
            lines.push_back({line.component,
                             CostOptions::FormatFigure(line.count),
                             CostOptions::FormatFigure(line.watts.value),
                             FormatOrigin(line.watts),
                             CostOptions::FormatFigure(line.price.value),
                             FormatOrigin(line.price)});
        }
        os << "\n" << report.fabric << " consists of\n";
        TextTable(lines).Print(os, "table");
    }
}
