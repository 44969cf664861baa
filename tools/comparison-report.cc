/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "comparison-report.h"

#include "text-table.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace
{

/**
 * @param value a number, if there is one
 * @param digits digits behind the point
 * @param unit what to write behind it
 * @return the number, or a dash
 */
std::string
ToText(const std::optional<double>& value, int digits, const std::string& unit = "")
{
    if (!value)
    {
        return "-";
    }
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << *value << unit;
    return text.str();
}

/**
 * @param share a share, if there is one
 * @param digits digits behind the point
 * @return it in percent, or a dash
 */
std::string
ToPercent(const std::optional<double>& share, int digits = 1)
{
    return share ? ToText(100 * *share, digits, " %") : "-";
}

/**
 * @param seconds a time, if there is one
 * @return it in milliseconds with four digits, or a dash
 */
std::string
ToMilliseconds(const std::optional<double>& seconds)
{
    if (!seconds)
    {
        return "-";
    }
    const double value = *seconds * 1e3;
    return ToText(value, value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3);
}

/**
 * @param values numbers
 * @return their median, if there are any
 */
std::optional<double>
GetMedian(std::vector<double> values)
{
    if (values.empty())
    {
        return std::nullopt;
    }
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

} // namespace

std::optional<double>
ComparisonRow::GetRatioToBest() const
{
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < outcomes.size(); ++i)
    {
        best = outcomes[i].IsPlanned() ? std::min(best, outcomes[i].simulatedSeconds) : best;
    }
    if (!outcomes.front().IsPlanned() || std::isinf(best))
    {
        return std::nullopt;
    }
    return outcomes.front().simulatedSeconds / best;
}

std::optional<double>
ComparisonRow::GetSpeedup(const std::string& planner) const
{
    for (std::size_t i = 1; i < outcomes.size(); ++i)
    {
        if (outcomes[i].planner == planner && outcomes[i].IsPlanned() &&
            outcomes.front().IsPlanned())
        {
            return outcomes[i].simulatedSeconds / outcomes.front().simulatedSeconds;
        }
    }
    return std::nullopt;
}

std::optional<double>
ComparisonRow::GetWorstPrediction() const
{
    std::optional<double> worst;
    for (const auto& outcome : outcomes)
    {
        const double ratio = outcome.predictedSeconds / outcome.simulatedSeconds;
        if (outcome.IsPlanned() && (!worst || std::abs(ratio - 1) > std::abs(*worst - 1)))
        {
            worst = ratio;
        }
    }
    return worst;
}

std::optional<double>
ComparisonRow::GetGap() const
{
    const PlannerOutcome& first = outcomes.front();
    if (!first.IsPlanned() || first.lowerBoundSeconds <= 0)
    {
        return std::nullopt;
    }
    return first.predictedSeconds / first.lowerBoundSeconds - 1;
}

ComparisonReport::ComparisonReport(std::vector<std::string> planners,
                                   std::vector<ComparisonRow> rows)
    : m_planners(std::move(planners)),
      m_rows(std::move(rows))
{
}

ComparisonReport::Summary
ComparisonReport::Summarize() const
{
    Summary summary;
    double logarithms = 0;
    double right = 0;
    std::vector<double> gaps;
    for (const auto& row : m_rows)
    {
        if (const auto ratio = row.GetRatioToBest())
        {
            ++summary.ratioCases;
            if (!summary.worstRatio || *ratio > *summary.worstRatio)
            {
                summary.worstRatio = ratio;
                summary.worstCase = row.name;
            }
        }
        if (const auto speedup = row.GetSpeedup("sip-ml"))
        {
            ++summary.speedupCases;
            logarithms += std::log(*speedup);
        }
        if (const auto gap = row.GetGap())
        {
            gaps.push_back(*gap);
        }
        bool isPlanned = false;
        for (const auto& outcome : row.outcomes)
        {
            if (outcome.IsPlanned())
            {
                isPlanned = true;
                ++summary.predictions;
                const double error = outcome.predictedSeconds / outcome.simulatedSeconds - 1;
                right += std::abs(error) <= ERROR_LIMIT ? 1 : 0;
            }
        }
        if (isPlanned && !row.outcomes.front().IsPlanned())
        {
            summary.missing = row.name;
        }
    }
    if (summary.speedupCases > 0)
    {
        summary.speedup = std::exp(logarithms / static_cast<double>(summary.speedupCases));
    }
    if (summary.predictions > 0)
    {
        summary.share = right / static_cast<double>(summary.predictions);
    }
    summary.gapCases = gaps.size();
    summary.gap = GetMedian(gaps);
    return summary;
}

std::vector<std::vector<std::string>>
ComparisonReport::MakeTable(const std::string& format) const
{
    std::vector<std::string> head = {"case"};
    for (const auto& planner : m_planners)
    {
        head.push_back(planner + " ms");
    }
    head.insert(head.end(),
                {"to best other", "sip-ml to it", "predicted", "all predicted", "gap %"});
    if (format != "rst")
    {
        head.insert(head.end(), {"bound ms", "planned in s"});
    }
    std::vector<std::vector<std::string>> lines = {head};
    for (const auto& row : m_rows)
    {
        lines.push_back(MakeLine(row, format));
    }
    return lines;
}

std::vector<std::string>
ComparisonReport::MakeLine(const ComparisonRow& row, const std::string& format)
{
    const bool decimals = format == "csv";
    const auto toTime = [decimals](const std::optional<double>& seconds) {
        return decimals && seconds ? ToText(*seconds * 1e3, 6) : ToMilliseconds(seconds);
    };
    const int digits = decimals ? 6 : 3;
    std::vector<std::string> line = {row.name};
    for (const auto& outcome : row.outcomes)
    {
        line.push_back(outcome.IsPlanned() ? toTime(outcome.simulatedSeconds) : "-");
    }
    const PlannerOutcome& first = row.outcomes.front();
    line.push_back(ToText(row.GetRatioToBest(), digits));
    line.push_back(ToText(row.GetSpeedup("sip-ml"), digits));
    line.push_back(
        first.IsPlanned() ? ToText(first.predictedSeconds / first.simulatedSeconds, digits) : "-");
    line.push_back(ToText(row.GetWorstPrediction(), digits));
    const auto gap = row.GetGap();
    line.push_back(gap ? ToText(100 * *gap, decimals ? 6 : 1) : "-");
    if (format != "rst")
    {
        line.push_back(gap ? toTime(first.lowerBoundSeconds) : "-");
        line.push_back(ToText(first.planningSeconds, decimals ? 6 : 1));
    }
    return line;
}

void
ComparisonReport::PrintDirective(std::ostream& os) const
{
    std::stringstream lines;
    TextTable(MakeTable("rst")).Print(lines, "csv");
    os << ".. csv-table::\n   :header-rows: 1\n\n";
    for (std::string line; std::getline(lines, line);)
    {
        os << "   " << line << "\n";
    }
}

void
ComparisonReport::PrintRefusals(std::ostream& os, bool isRst) const
{
    // Sentences that differ in their numbers alone are the same reason
    std::map<std::string, std::pair<std::string, std::size_t>> reasons;
    std::vector<std::string> order;
    for (const auto& row : m_rows)
    {
        for (const auto& outcome : row.outcomes)
        {
            if (outcome.IsPlanned())
            {
                continue;
            }
            std::string key = outcome.planner;
            for (const char c : outcome.refusal)
            {
                const bool isDigit = c == '.' || (c >= '0' && c <= '9');
                key += isDigit ? (key.back() == '#' ? "" : "#") : std::string(1, c);
            }
            auto& reason = reasons[key];
            if (++reason.second == 1)
            {
                order.push_back(key);
                reason.first = outcome.planner + " on " + row.name + ": " + outcome.refusal;
            }
        }
    }
    for (const auto& key : order)
    {
        const auto& [text, count] = reasons[key];
        os << (isRst ? "* " : "") << text
           << (count > 1 ? " (and " + std::to_string(count - 1) + " more)" : "") << "\n";
    }
    os << (order.empty() ? "" : "\n");
}

void
ComparisonReport::PrintSummary(std::ostream& os, bool isRst) const
{
    const Summary summary = Summarize();
    const std::string bullet = isRst ? "* " : "";
    os << bullet << m_planners.front() << " to the best of the others: at worst "
       << ToText(summary.worstRatio, 3, " times the time") << " in " << summary.ratioCases
       << " cases" << (summary.worstCase.empty() ? "" : " (" + summary.worstCase + ")") << "\n"
       << bullet << "sip-ml to " << m_planners.front() << ": "
       << ToText(summary.speedup, 3, " times the time") << " (geometric mean of "
       << summary.speedupCases << " cases)\n"
       << bullet << "predictions within " << ToPercent(ERROR_LIMIT, 0)
       << " of the simulation: " << ToPercent(summary.share) << " of " << summary.predictions
       << "\n"
       << bullet << "median gap to the lower bound: " << ToPercent(summary.gap) << " in "
       << summary.gapCases << " cases\n";
}

void
ComparisonReport::Print(std::ostream& os, const std::string& format) const
{
    if (format == "rst")
    {
        PrintDirective(os);
    }
    else
    {
        TextTable(MakeTable(format)).Print(os, format);
    }
    if (format != "csv")
    {
        os << "\n";
        PrintRefusals(os, format == "rst");
        PrintSummary(os, format == "rst");
    }
}

nlohmann::ordered_json
ComparisonReport::GetJson() const
{
    const auto toJson = [](const std::optional<double>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : m_rows)
    {
        auto outcomes = nlohmann::ordered_json::array();
        for (const auto& outcome : row.outcomes)
        {
            outcomes.push_back(outcome.GetJson());
        }
        rows.push_back({{"case", row.name},
                        {"outcomes", outcomes},
                        {"ratioToBestOther", toJson(row.GetRatioToBest())},
                        {"speedupToSipMl", toJson(row.GetSpeedup("sip-ml"))},
                        {"gap", toJson(row.GetGap())}});
    }
    const Summary summary = Summarize();
    return {{"planners", m_planners},
            {"rows", rows},
            {"summary",
             {{"worstRatioToBestOther", toJson(summary.worstRatio)},
              {"worstCase", summary.worstCase},
              {"geometricMeanSpeedupToSipMl", toJson(summary.speedup)},
              {"predictions", summary.predictions},
              {"shareOfPredictionsWithin5Percent", toJson(summary.share)},
              {"medianGap", toJson(summary.gap)}}}};
}

void
ComparisonReport::Check() const
{
    const Summary summary = Summarize();
    const std::string& first = m_planners.front();
    if (!summary.missing.empty())
    {
        throw std::runtime_error("Another planner has a plan for " + summary.missing + ", but " +
                                 first + " has none");
    }
    if (!summary.worstRatio || *summary.worstRatio > RATIO_LIMIT)
    {
        throw std::runtime_error(
            "An iteration by " + first + " takes " + ToText(summary.worstRatio, 3) +
            " times that of the best of the "
            "other planners (" +
            summary.worstCase + "): at most " + ToText(RATIO_LIMIT, 2) + " is allowed");
    }
    if (!summary.speedup || *summary.speedup < SPEEDUP_LIMIT)
    {
        throw std::runtime_error("An iteration by sip-ml takes " + ToText(summary.speedup, 3) +
                                 " times that by " + first + " on geometric mean: at least " +
                                 ToText(SPEEDUP_LIMIT, 2) + " is asked for");
    }
    if (!summary.share || *summary.share < SHARE_LIMIT)
    {
        throw std::runtime_error("Of the predictions " + ToPercent(summary.share) + " are within " +
                                 ToPercent(ERROR_LIMIT, 0) + " of the simulation: at least " +
                                 ToPercent(SHARE_LIMIT, 0) + " are asked for");
    }
    if (!summary.gap || *summary.gap > GAP_LIMIT)
    {
        throw std::runtime_error("The median gap to the lower bound is " + ToPercent(summary.gap) +
                                 ": at most " + ToPercent(GAP_LIMIT, 0) + " is allowed");
    }
}
