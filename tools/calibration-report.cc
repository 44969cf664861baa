/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "calibration-report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param value a number
 * @return it with four digits
 */
std::string
ToText(double value)
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

/**
 * @param share a share
 * @param sign whether to print a sign in any case
 * @return it in percent
 */
std::string
ToPercent(double share, bool sign)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << (sign ? std::showpos : std::noshowpos)
         << 100 * share << " %";
    return text.str();
}

/**
 * @param strategy how a job was spread
 * @return its degrees: tensor x pipeline x data
 */
std::string
ToText(const Strategy& strategy)
{
    std::string text = std::to_string(strategy.tensorParallel) + " x " +
                       std::to_string(strategy.pipelineParallel) + " x " +
                       std::to_string(strategy.dataParallel);
    return text;
}

} // namespace

double
CalibrationRow::GetSimulated() const
{
    return anchor.isTime ? seconds : anchor.work / seconds;
}

double
CalibrationRow::GetError() const
{
    return GetSimulated() / anchor.published - 1;
}

void
CalibrationReport::CheckFormat(const std::string& format)
{
    if (format != "table" && format != "rst")
    {
        throw std::invalid_argument("There is no format '" + format +
                                    "': the known ones are table, rst");
    }
}

void
CalibrationReport::Add(CalibrationRow row)
{
    m_rows.push_back(std::move(row));
}

std::vector<CalibrationReport::Summary>
CalibrationReport::Summarize() const
{
    std::vector<Summary> summaries;
    for (const auto* name : {"all rows", "fitted rows", "rows kept out of the fit"})
    {
        Summary summary;
        summary.name = name;
        std::vector<double> errors;
        for (const auto& row : m_rows)
        {
            const bool fitted = row.anchor.fitted;
            if (summaries.empty() || fitted == (summaries.size() == 1))
            {
                errors.push_back(std::abs(row.GetError()));
            }
        }
        if (errors.empty())
        {
            continue;
        }
        std::sort(errors.begin(), errors.end());
        const std::size_t n = errors.size();
        summary.rows = n;
        summary.median = (errors[(n - 1) / 2] + errors[n / 2]) / 2;
        summary.tail = errors[(9 * n + 9) / 10 - 1];
        summary.largest = errors.back();
        summaries.push_back(summary);
    }
    return summaries;
}

void
CalibrationReport::Print(std::ostream& os, const std::string& format) const
{
    std::vector<std::vector<std::string>> table = {{"source",
                                                    "job",
                                                    "accelerator",
                                                    "tensor x pipeline x data",
                                                    "batch",
                                                    "unit",
                                                    "published",
                                                    "simulated",
                                                    "error",
                                                    "fitted"}};
    for (const auto& row : m_rows)
    {
        const Anchor& anchor = row.anchor;
        table.push_back({anchor.source,
                         anchor.job,
                         anchor.accelerator,
                         ToText(anchor.strategy),
                         std::to_string(anchor.batch),
                         anchor.unit,
                         ToText(anchor.published),
                         ToText(row.GetSimulated()),
                         ToPercent(row.GetError(), true),
                         anchor.fitted ? "yes" : "no"});
    }
    std::vector<std::size_t> widths(table[0].size());
    for (const auto& line : table)
    {
        for (std::size_t column = 0; column < line.size(); ++column)
        {
            widths[column] = std::max(widths[column], line[column].size());
        }
    }
    std::string rule;
    for (const auto width : widths)
    {
        rule += (rule.empty() ? "" : " ") + std::string(width, '=');
    }
    const bool isRst = format == "rst";
    os << (isRst ? rule + "\n" : "");
    for (const auto& line : table)
    {
        std::ostringstream text;
        for (std::size_t column = 0; column < line.size(); ++column)
        {
            const bool isNumber = column >= 6 && column <= 8;
            text << (column > 0 ? " " : "") << (isNumber ? std::right : std::left)
                 << std::setw(static_cast<int>(widths[column])) << line[column];
        }
        const std::string printed = text.str();
        os << printed.substr(0, printed.find_last_not_of(' ') + 1) << "\n";
        os << (&line == &table.front() && isRst ? rule + "\n" : "");
    }
    os << (isRst ? rule + "\n" : "") << "\n";
    for (const auto& summary : Summarize())
    {
        os << (isRst ? "* " : "") << summary.rows << " " << summary.name << ": median error "
           << ToPercent(summary.median, false) << ", 90 % of them within "
           << ToPercent(summary.tail, false) << ", largest " << ToPercent(summary.largest, false)
           << "\n";
    }
}

nlohmann::ordered_json
CalibrationReport::GetJson() const
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : m_rows)
    {
        const Anchor& anchor = row.anchor;
        rows.push_back({{"source", anchor.source},
                        {"job", anchor.job},
                        {"model", anchor.model},
                        {"accelerator", anchor.accelerator},
                        {"gpus", anchor.GetNGpus()},
                        {"simulatedGpus", row.simulatedGpus},
                        {"tensorParallel", anchor.strategy.tensorParallel},
                        {"pipelineParallel", anchor.strategy.pipelineParallel},
                        {"dataParallel", anchor.strategy.dataParallel},
                        {"virtualStages", anchor.strategy.virtualStages},
                        {"microbatch", anchor.microbatch},
                        {"globalBatch", anchor.batch},
                        {"unit", anchor.unit},
                        {"published", anchor.published},
                        {"simulated", row.GetSimulated()},
                        {"error", row.GetError()},
                        {"fitted", anchor.fitted},
                        {"iterationSeconds", row.seconds},
                        {"predictedIterationSeconds", row.plannedSeconds},
                        {"wallSeconds", row.wallSeconds}});
    }
    nlohmann::ordered_json summaries = nlohmann::ordered_json::array();
    for (const auto& summary : Summarize())
    {
        summaries.push_back({{"rows", summary.rows},
                             {"name", summary.name},
                             {"median", summary.median},
                             {"percentile90", summary.tail},
                             {"largest", summary.largest}});
    }
    return {{"rows", rows}, {"summaries", summaries}};
}

void
CalibrationReport::Check() const
{
    for (const auto& summary : Summarize())
    {
        if (summary.median > MEDIAN_LIMIT || summary.tail > TAIL_LIMIT)
        {
            throw std::runtime_error("The errors of " + summary.name + " have a median of " +
                                     ToPercent(summary.median, false) + " and 90 % of them are " +
                                     "within " + ToPercent(summary.tail, false) + ": at most " +
                                     ToPercent(MEDIAN_LIMIT, false) + " and " +
                                     ToPercent(TAIL_LIMIT, false) + " are allowed");
        }
    }
}

} // namespace lightpath
} // namespace ns3
