/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-report.h"

#include "training-application.h"
#include "training-job.h"

#include "ns3/abort.h"
#include "ns3/optical-channel.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param time a time
 * @return it in seconds, as the nearest number to a whole number of ticks
 */
double
ToSeconds(Time time)
{
    return static_cast<double>(time.GetTimeStep()) / Seconds(1).GetTimeStep();
}

/**
 * @param seconds a time in seconds
 * @return it with four digits and a unit that suits its size
 */
std::string
FormatSeconds(double seconds)
{
    std::ostringstream text;
    text << std::showpoint << std::setprecision(4);
    if (seconds == 0)
    {
        text << "0";
    }
    else if (seconds < 1e-3)
    {
        text << seconds * 1e6 << " us";
    }
    else if (seconds < 1)
    {
        text << seconds * 1e3 << " ms";
    }
    else
    {
        text << seconds << " s";
    }
    return text.str();
}

} // namespace

TrainingReport::TrainingReport(Ptr<const TrainingJob> job, Ptr<const FabricChannel> channel)
{
    NS_ABORT_MSG_UNLESS(job->IsFinished(), "A training job that has not finished has no report");
    const auto& ranks = job->GetRanks();
    const uint32_t iterations = job->GetNIterations();
    std::vector<Time> ends(iterations);
    Time begin = Time::Max();
    Time compute;
    for (const auto& rank : ranks)
    {
        const auto& records = rank->GetRecords();
        begin = std::min(begin, records.front().begin);
        for (uint32_t i = 0; i < iterations; ++i)
        {
            ends[i] = std::max(ends[i], records[i].end);
            compute += records[i].compute;
        }
        bytesSent += rank->GetTransport()->GetSentBytes();
    }
    for (uint32_t i = 0; i < iterations; ++i)
    {
        iterationSeconds.push_back(ToSeconds(ends[i] - (i == 0 ? begin : ends[i - 1])));
    }
    const int64_t parts = static_cast<int64_t>(ranks.size()) * iterations;
    computeSeconds = ToSeconds(compute) / parts;
    exposedCommunicationSeconds = ToSeconds(ends.back() - begin) / iterations - computeSeconds;
    if (exposedCommunicationSeconds < 1e-3 / Seconds(1).GetTimeStep())
    {
        // Nothing but what rounding to floating point leaves
        exposedCommunicationSeconds = 0;
    }
    const auto circuits = DynamicCast<const OpticalChannel>(channel);
    if (circuits)
    {
        darkSeconds = ToSeconds(circuits->GetDarkTime());
        reconfigurations = circuits->GetNReconfigurations();
        lightpaths = circuits->GetPlan().GetLightpaths().size();
    }
}

double
TrainingReport::GetSteadySeconds() const
{
    if (iterationSeconds.size() == 1)
    {
        return iterationSeconds.front();
    }
    return std::accumulate(iterationSeconds.begin() + 1, iterationSeconds.end(), 0.0) /
           (iterationSeconds.size() - 1);
}

nlohmann::ordered_json
TrainingReport::GetJson() const
{
    return {
        {"fabric", fabric},
        {"bandwidthBps", bandwidth},
        {"iterationSeconds", iterationSeconds},
        {"computeSeconds", computeSeconds},
        {"exposedCommunicationSeconds", exposedCommunicationSeconds},
        {"darkSeconds", darkSeconds},
        {"reconfigurations", reconfigurations},
        {"bytesSent", bytesSent},
        {"lightpaths", lightpaths},
        {"events", events},
        {"wallSeconds", wallSeconds},
        {"peakMemoryBytes", peakMemoryBytes},
    };
}

void
TrainingReport::PrintTable(std::ostream& os, const std::vector<TrainingReport>& reports)
{
    const auto flags = os.flags();
    const auto precision = os.precision();
    const bool compares = reports.size() > 1;
    os << std::left << std::setw(12) << "fabric" << std::right << std::setw(11) << "iteration"
       << std::setw(11) << "(first)" << std::setw(11) << "compute" << std::setw(15)
       << "exposed comm." << std::setw(11) << "dark" << std::setw(12) << "lightpaths"
       << (compares ? "    speed" : "") << "\n";
    for (const auto& report : reports)
    {
        os << std::left << std::setw(12) << report.fabric << std::right << std::setw(11)
           << FormatSeconds(report.GetSteadySeconds()) << std::setw(11)
           << FormatSeconds(report.iterationSeconds.front()) << std::setw(11)
           << FormatSeconds(report.computeSeconds) << std::setw(15)
           << FormatSeconds(report.exposedCommunicationSeconds) << std::setw(11)
           << FormatSeconds(report.darkSeconds) << std::setw(12)
           << (report.lightpaths > 0 ? std::to_string(report.lightpaths) : "-");
        if (compares)
        {
            os << std::setw(8) << std::fixed << std::setprecision(3)
               << reports.back().GetSteadySeconds() / report.GetSteadySeconds() << "x"
               << std::defaultfloat;
        }
        os << "\n";
    }
    os << "\niteration: mean without the first; exposed comm.: what computation does not hide;\n"
          "dark: circuits being switched, in the whole run";
    if (compares)
    {
        os << "; speed: relative to " << reports.back().fabric;
    }
    os << std::endl;
    os.flags(flags);
    os.precision(precision);
}

} // namespace lightpath
} // namespace ns3
