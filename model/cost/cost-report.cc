/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-report.h"

#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param lines components
 * @param figure a figure of a component
 * @return its sum over all components
 */
double
SumUp(const std::vector<CostReport::Line>& lines, ComponentFigure CostReport::Line::*figure)
{
    return std::accumulate(lines.begin(), lines.end(), 0.0, [figure](double sum, const auto& line) {
        return sum + line.count * (line.*figure).value;
    });
}

} // namespace

double
CostReport::GetNetworkWatts() const
{
    return SumUp(lines, &Line::watts);
}

double
CostReport::GetNetworkPrice() const
{
    return SumUp(lines, &Line::price);
}

double
CostReport::GetNetworkJoules(double seconds) const
{
    return GetNetworkWatts() * seconds;
}

double
CostReport::GetGpuJoules(double seconds, double computeSeconds) const
{
    return gpus * gpuWatts * (computeSeconds + idleShare * (seconds - computeSeconds));
}

double
CostReport::GetIterationPrice(double seconds, double computeSeconds) const
{
    const double joules = GetNetworkJoules(seconds) + GetGpuJoules(seconds, computeSeconds);
    return (GetNetworkPrice() + gpus * gpuPrice) / lifeSeconds * seconds + joules * joulePrice;
}

nlohmann::ordered_json
CostReport::GetJson(double seconds, double computeSeconds) const
{
    nlohmann::ordered_json json = {
        {"networkWatts", GetNetworkWatts()},
        {"networkDollars", GetNetworkPrice()},
    };
    const double joules = GetNetworkJoules(seconds) + GetGpuJoules(seconds, computeSeconds);
    if (seconds > 0)
    {
        json["networkJoulesPerIteration"] = GetNetworkJoules(seconds);
        json["joulesPerIteration"] = joules;
        json["dollarsPerIteration"] = nullptr;
    }
    if (seconds > 0 && gpuPrice > 0)
    {
        json["dollarsPerIteration"] = GetIterationPrice(seconds, computeSeconds);
    }
    if (samples > 0 && seconds > 0)
    {
        json["joulesPerSample"] = joules / samples;
    }
    if (tokens > 0 && seconds > 0)
    {
        json["joulesPerToken"] = joules / tokens;
    }
    json["components"] = nlohmann::ordered_json::array();
    for (const auto& line : lines)
    {
        nlohmann::ordered_json component = {{"name", line.component}, {"count", line.count}};
        const auto add = [&component](const std::string& key, const ComponentFigure& figure) {
            component[key] = figure.value;
            component[key + "Year"] = figure.year;
            component[key + "Confidence"] = figure.confidence;
            component[key + "Source"] = figure.source;
        };
        add("watts", line.watts);
        add("dollars", line.price);
        json["components"].push_back(component);
    }
    return json;
}

} // namespace lightpath
} // namespace ns3
