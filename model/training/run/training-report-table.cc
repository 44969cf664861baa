/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-format.h"
#include "training-report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>

namespace ns3
{
namespace lightpath
{

void
TrainingReport::PrintValidations(std::ostream& os, const std::vector<TrainingReport>& reports)
{
    std::set<std::string> sentences;
    for (const auto& report : reports)
    {
        const std::string sentence = report.validation.Describe();
        if (report.refusal.empty() && sentences.insert(sentence).second)
        {
            os << sentence << "\n";
        }
    }
}

void
TrainingReport::PrintWork(std::ostream& os) const
{
    if (work && !iterationSeconds.empty())
    {
        os << fabric << ": " << work->Describe(GetSteadySeconds()) << "\n";
    }
}

void
TrainingReport::PrintTarget(std::ostream& os) const
{
    const auto target = GetTarget();
    if (!target)
    {
        return;
    }
    os << fabric << ": to " << target->target << ": ";
    if (target->iterations > 0)
    {
        os << target->iterations << " iterations, " << FormatLongTime(GetSecondsToTarget());
    }
    else
    {
        os << std::setprecision(4) << target->amount << " " << target->unit
           << " of a length that is not known";
    }
    os << " (" << target->GetBasis() << ")\n";
}

void
TrainingReport::PrintSpeeds(std::ostream& os) const
{
    constexpr std::size_t most = 4;
    if (!speedFactors.empty())
    {
        std::size_t named = 0;
        os << fabric << ": speed of";
        for (auto rank = speedFactors.begin(); rank != speedFactors.end() && named < most; ++rank)
        {
            os << (named++ > 0 ? "," : "") << " rank " << rank->first << ": "
               << std::setprecision(3) << rank->second;
        }
        if (speedFactors.size() > named)
        {
            os << " and " << speedFactors.size() - named << " others";
        }
        os << ", of the rest: 1\n";
    }
    if (noise)
    {
        os << fabric << ": compute times x " << noise->variable << ", drawn from "
           << std::setprecision(3) << noise->least << " to " << noise->most << "\n";
    }
}

void
TrainingReport::PrintExposed(std::ostream& os) const
{
    std::string list;
    for (const auto& [name, seconds] : exposedSeconds)
    {
        if (seconds > 0)
        {
            list += (list.empty() ? "" : ", ") + name + " " + FormatSeconds(seconds);
        }
    }
    os << (list.empty() ? "" : fabric + ": exposed comm.: " + list + "\n");
}

void
TrainingReport::PrintUnfinished(std::ostream& os) const
{
    if (!isFinished)
    {
        os << fabric << ": not finished: " << iterationSeconds.size() << " of " << iterations
           << " iterations in " << FormatSeconds(elapsedSeconds) << "\n";
    }
}

void
TrainingReport::PrintRow(std::ostream& os,
                         int width,
                         const TrainingReport* base,
                         int speedWidth) const
{
    if (!refusal.empty())
    {
        os << std::left << std::setw(width) << fabric << "refused: " << refusal << "\n";
        return;
    }
    const bool hasTimes = !iterationSeconds.empty();
    const auto format = [hasTimes](double seconds) {
        return hasTimes ? FormatSeconds(seconds) : std::string("-");
    };
    os << std::left << std::setw(width) << fabric << std::right << std::setw(10)
       << format(GetSteadySeconds()) << std::setw(10)
       << format(hasTimes ? iterationSeconds.front() : 0) << std::setw(10) << format(computeSeconds)
       << std::setw(10) << format(bubbleSeconds) << std::setw(10)
       << format(exposedCommunicationSeconds) << std::setw(10) << FormatSeconds(darkSeconds)
       << std::setw(12) << (lightpaths > 0 ? std::to_string(lightpaths) : "-") << std::setw(10)
       << (isFeasible ? *isFeasible ? "yes" : "NO" : "-");
    if (base && hasTimes)
    {
        os << std::setw(speedWidth - 1) << std::fixed << std::setprecision(3)
           << base->GetSteadySeconds() / GetSteadySeconds() << "x" << std::defaultfloat;
    }
    else if (base)
    {
        os << std::setw(speedWidth) << "-";
    }
    os << (remark.empty() ? "" : "  ") << remark << "\n";
}

void
TrainingReport::PrintLight(std::ostream& os) const
{
    LightVerdict::Print(os, fabric);
}

void
TrainingReport::PrintTable(std::ostream& os, const std::vector<TrainingReport>& reports)
{
    const auto flags = os.flags();
    const auto precision = os.precision();
    const auto base = std::find_if(reports.begin(), reports.end(), [](const auto& report) {
        return !report.iterationSeconds.empty();
    });
    const bool compares = reports.size() > 1 && base != reports.end();
    const std::string speed = compares ? "   speed" : "";
    int width = 12;
    for (const auto& report : reports)
    {
        width = std::max(width, static_cast<int>(report.fabric.size()) + 1);
    }
    os << std::left << std::setw(width) << "fabric" << std::right << std::setw(10) << "iteration"
       << std::setw(10) << "(first)" << std::setw(10) << "compute" << std::setw(10) << "bubble"
       << std::setw(10) << "exposed" << std::setw(10) << "dark" << std::setw(12) << "lightpaths"
       << std::setw(10) << "feasible" << speed << "\n";
    for (const auto& report : reports)
    {
        report.PrintRow(os, width, compares ? &*base : nullptr, static_cast<int>(speed.size()));
    }
    os << "\niteration: mean without the first; compute + bubble + exposed, means over GPUs;\n"
          "bubble: waiting for GPUs that compute; exposed: communication that computation does "
          "not hide;\n"
          "dark: circuits being switched, in the whole run"
       << (compares ? "; speed: against " + base->fabric : "") << "\n";
    PrintValidations(os, reports);
    for (const auto& report : reports)
    {
        report.PrintUnfinished(os);
    }
    for (const auto& report : reports)
    {
        report.PrintWork(os);
        report.PrintExposed(os);
    }
    for (const auto& report : reports)
    {
        report.transport.Print(os, report.fabric, report.bytesSent);
        const auto slots = report.fabricCounts.find("slots");
        const auto spoilt = report.fabricCounts.find("spoiltSlots");
        if (slots != report.fabricCounts.end() && spoilt != report.fabricCounts.end())
        {
            os << report.fabric << ": " << slots->second << " slots averaged, " << spoilt->second
               << " spoilt and repeated\n";
        }
    }
    for (const auto print :
         {&TrainingReport::PrintLight, &TrainingReport::PrintTarget, &TrainingReport::PrintSpeeds})
    {
        for (const auto& report : reports)
        {
            (report.*print)(os);
        }
    }
    os << std::flush;
    os.flags(flags);
    os.precision(precision);
}

} // namespace lightpath
} // namespace ns3
