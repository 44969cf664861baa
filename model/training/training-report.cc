/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-report.h"

#include "training-application.h"
#include "training-job.h"

#include "ns3/in-network-channel.h"
#include "ns3/optical-channel.h"
#include "ns3/simulator.h"

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

/**
 * @param seconds a long time in seconds
 * @return it with three digits, in seconds, minutes, hours or days
 */
std::string
FormatLongTime(double seconds)
{
    std::ostringstream text;
    text << std::setprecision(3) << std::showpoint;
    if (seconds < 60)
    {
        text << seconds << " s";
    }
    else if (seconds < 3600)
    {
        text << seconds / 60 << " min";
    }
    else if (seconds < 48 * 3600)
    {
        text << seconds / 3600 << " h";
    }
    else
    {
        text << std::fixed << std::setprecision(1) << seconds / 86400 << " days";
    }
    return text.str();
}

} // namespace

TrainingReport::TrainingReport(Ptr<const TrainingJob> job)
    : TrainingReport(job, job->GetFabric())
{
}

TrainingReport::TrainingReport(Ptr<const TrainingJob> job, Ptr<const FabricChannel> channel)
    : fabric("network")
{
    if (channel)
    {
        ReadFabric(*channel);
    }
    for (const auto& rank : job->GetRanks())
    {
        bytesSent += rank->GetTransport()->GetSentBytes();
        transport.Add(rank->GetTransport()->GetStatistics());
    }
    ReadIterations(*job);
    ReadSpeeds(*job);
}

void
TrainingReport::ReadIterations(const TrainingJob& job)
{
    const auto& ranks = job.GetRanks();
    iterations = job.GetNIterations();
    isFinished = job.IsFinished();
    // Ranks that are ahead may have ended iterations that others are still in
    std::size_t ended = ranks.empty() ? 0 : iterations;
    for (const auto& rank : ranks)
    {
        ended = std::min(ended, rank->GetRecords().size());
    }
    // The first iteration includes setting up circuits and connections, so it does not count for
    // the mean if there is another
    const std::size_t first = ended > 1 ? 1 : 0;
    std::vector<Time> ends(ended);
    Time compute;
    for (const auto& rank : ranks)
    {
        const auto& records = rank->GetRecords();
        for (std::size_t i = 0; i < ended; ++i)
        {
            ends[i] = std::max(ends[i], records[i].end);
            compute += i >= first ? records[i].compute : Time(0);
        }
    }
    for (std::size_t i = 0; i < ended; ++i)
    {
        iterationSeconds.push_back(ToSeconds(ends[i] - (i == 0 ? job.GetStart() : ends[i - 1])));
    }
    elapsedSeconds = ToSeconds((isFinished ? ends.back() : Simulator::Now()) - job.GetStart());
    if (ended == 0)
    {
        return;
    }
    const int64_t parts = static_cast<int64_t>(ranks.size() * (ended - first));
    computeSeconds = ToSeconds(compute) / parts;
    exposedCommunicationSeconds = GetSteadySeconds() - computeSeconds;
    if (exposedCommunicationSeconds < 1e-3 / Seconds(1).GetTimeStep())
    {
        // Nothing but the rounding of floating point numbers
        exposedCommunicationSeconds = 0;
    }
}

void
TrainingReport::ReadFabric(const FabricChannel& channel)
{
    const auto* const circuits = dynamic_cast<const OpticalChannel*>(&channel);
    if (circuits)
    {
        darkSeconds = ToSeconds(circuits->GetDarkTime());
        reconfigurations = circuits->GetNReconfigurations();
        lightpaths = circuits->GetPlan().GetLightpaths().size();
    }
    const auto* const averaging = dynamic_cast<const InNetworkChannel*>(&channel);
    if (averaging)
    {
        slots = averaging->GetNSlots();
        spoiltSlots = averaging->GetNSpoilt();
    }
}

void
TrainingReport::ReadSpeeds(const TrainingJob& job)
{
    for (const auto& rank : job.GetRanks())
    {
        if (rank->GetSpeedFactor() != 1)
        {
            speedFactors[rank->GetRank()] = rank->GetSpeedFactor();
        }
        if (!rank->GetComputeNoise())
        {
            continue;
        }
        for (const auto& record : rank->GetRecords())
        {
            if (!noise)
            {
                noise = Noise{rank->GetComputeNoise()->GetInstanceTypeId().GetName(),
                              record.noise,
                              record.noise};
            }
            noise->least = std::min(noise->least, record.noise);
            noise->most = std::max(noise->most, record.noise);
        }
    }
}

double
TrainingReport::GetSteadySeconds() const
{
    if (iterationSeconds.size() < 2)
    {
        return iterationSeconds.empty() ? 0 : iterationSeconds.front();
    }
    return std::accumulate(iterationSeconds.begin() + 1, iterationSeconds.end(), 0.0) /
           (iterationSeconds.size() - 1);
}

double
TrainingReport::GetSecondsToTarget() const
{
    return toTarget ? toTarget->iterations * GetSteadySeconds() : 0;
}

nlohmann::ordered_json
TrainingReport::GetJson() const
{
    nlohmann::ordered_json json = {
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
    if (slots > 0)
    {
        json["slots"] = slots;
        json["spoiltSlots"] = spoiltSlots;
    }
    if (toTarget)
    {
        auto& target = json["toTarget"];
        target = {{"target", toTarget->target},
                  {"amount", toTarget->amount},
                  {"unit", toTarget->unit},
                  {"extrapolated", toTarget->extrapolated},
                  {"fitted", toTarget->fitted}};
        if (toTarget->iterations > 0)
        {
            target["samples"] = toTarget->samples;
            target["iterations"] = toTarget->iterations;
            target["seconds"] = GetSecondsToTarget();
        }
    }
    for (const auto& rank : speedFactors)
    {
        json["speedFactors"][std::to_string(rank.first)] = rank.second;
    }
    if (noise)
    {
        json["computeNoise"] = {{"variable", noise->variable},
                                {"least", noise->least},
                                {"most", noise->most}};
    }
    if (transport.connections > 0)
    {
        json["transport"] = {{"connections", transport.connections},
                             {"handshakeSeconds", ToSeconds(transport.handshake)},
                             {"leastRoundTripSeconds", ToSeconds(transport.leastRoundTrip)},
                             {"roundTripSeconds", transport.GetMeanRoundTrip()},
                             {"packets", transport.packets},
                             {"slowStartBytes", transport.slowStartBytes},
                             {"retransmittedBytes", transport.retransmittedBytes}};
    }
    if (transport.opticalMessages + transport.electricalMessages > 0)
    {
        json["hybrid"] = {{"opticalMessages", transport.opticalMessages},
                          {"opticalBytes", transport.opticalBytes},
                          {"electricalMessages", transport.electricalMessages},
                          {"electricalBytes", transport.electricalBytes}};
    }
    if (transport.messageBytes > 0)
    {
        json["relay"] = {{"messageBytes", transport.messageBytes},
                         {"forwardedBytes", transport.forwardedBytes}};
    }
    if (!isFinished)
    {
        json["unfinished"] = {{"iterations", iterations}, {"elapsedSeconds", elapsedSeconds}};
    }
    return json;
}

void
TrainingReport::PrintTarget(std::ostream& os) const
{
    if (!toTarget)
    {
        return;
    }
    os << fabric << ": to " << toTarget->target << ": ";
    if (toTarget->iterations > 0)
    {
        os << toTarget->iterations << " iterations, " << FormatLongTime(GetSecondsToTarget());
    }
    else
    {
        os << std::setprecision(4) << toTarget->amount << " " << toTarget->unit
           << " of a length that is not known";
    }
    os << " (" << toTarget->GetBasis() << ")\n";
}

void
TrainingReport::PrintTransport(std::ostream& os) const
{
    const uint64_t messages = transport.opticalMessages + transport.electricalMessages;
    if (messages > 0)
    {
        const auto percent = [](uint64_t part, uint64_t all) {
            return 100 * static_cast<double>(part) / static_cast<double>(all);
        };
        os << fabric << ": " << std::setprecision(3)
           << percent(transport.electricalMessages, messages) << " % of the messages with "
           << percent(transport.electricalBytes, transport.opticalBytes + transport.electricalBytes)
           << " % of the bytes went electrically\n";
    }
    if (transport.messageBytes > 0)
    {
        const double forwarded = static_cast<double>(transport.forwardedBytes) /
                                 static_cast<double>(transport.messageBytes);
        os << fabric << ": a byte took " << std::setprecision(3) << 1 + forwarded
           << " lightpaths on average\n";
    }
    if (transport.connections == 0)
    {
        return;
    }
    os << fabric << ": " << transport.connections << " connections";
    if (transport.handshake.IsStrictlyPositive())
    {
        os << ", open after " << FormatSeconds(ToSeconds(transport.handshake)) << " at most";
    }
    os << "; round trip " << FormatSeconds(transport.GetMeanRoundTrip()) << " on average, "
       << FormatSeconds(ToSeconds(transport.leastRoundTrip)) << " at least; "
       << std::setprecision(4) << transport.packets / 1e6 << " million packets with "
       << bytesSent / 1e9 << " GB, of which " << transport.slowStartBytes / 1e6
       << " MB in slow start and " << transport.retransmittedBytes / 1e6 << " MB sent again\n";
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
TrainingReport::PrintUnfinished(std::ostream& os) const
{
    if (!isFinished)
    {
        os << fabric << ": not finished: " << iterationSeconds.size() << " of " << iterations
           << " iterations in " << FormatSeconds(elapsedSeconds) << "\n";
    }
}

void
TrainingReport::PrintRow(std::ostream& os, int width, const TrainingReport* last) const
{
    const bool hasTimes = !iterationSeconds.empty();
    const auto format = [hasTimes](double seconds) {
        return hasTimes ? FormatSeconds(seconds) : std::string("-");
    };
    os << std::left << std::setw(width) << fabric << std::right << std::setw(11)
       << format(GetSteadySeconds()) << std::setw(11)
       << format(hasTimes ? iterationSeconds.front() : 0) << std::setw(11) << format(computeSeconds)
       << std::setw(15) << format(exposedCommunicationSeconds) << std::setw(11)
       << FormatSeconds(darkSeconds) << std::setw(12)
       << (lightpaths > 0 ? std::to_string(lightpaths) : "-");
    if (last && hasTimes && !last->iterationSeconds.empty())
    {
        os << std::setw(8) << std::fixed << std::setprecision(3)
           << last->GetSteadySeconds() / GetSteadySeconds() << "x" << std::defaultfloat;
    }
    else if (last)
    {
        os << std::setw(9) << "-";
    }
    os << "\n";
}

void
TrainingReport::PrintTable(std::ostream& os, const std::vector<TrainingReport>& reports)
{
    const auto flags = os.flags();
    const auto precision = os.precision();
    const bool compares = reports.size() > 1;
    int width = 17;
    for (const auto& report : reports)
    {
        width = std::max(width, static_cast<int>(report.fabric.size()) + 1);
    }
    os << std::left << std::setw(width) << "fabric" << std::right << std::setw(11) << "iteration"
       << std::setw(11) << "(first)" << std::setw(11) << "compute" << std::setw(15)
       << "exposed comm." << std::setw(11) << "dark" << std::setw(12) << "lightpaths"
       << (compares ? "    speed" : "") << "\n";
    for (const auto& report : reports)
    {
        report.PrintRow(os, width, compares ? &reports.back() : nullptr);
    }
    os << "\niteration: mean without the first; exposed comm.: what computation does not hide;\n"
          "dark: circuits being switched, in the whole run";
    if (compares)
    {
        os << "; speed: relative to " << reports.back().fabric;
    }
    os << "\n";
    for (const auto& report : reports)
    {
        report.PrintUnfinished(os);
    }
    for (const auto& report : reports)
    {
        report.PrintTransport(os);
        if (report.slots > 0)
        {
            os << report.fabric << ": " << report.slots << " slots averaged, " << report.spoiltSlots
               << " spoilt and repeated\n";
        }
    }
    for (const auto& report : reports)
    {
        report.PrintTarget(os);
    }
    for (const auto& report : reports)
    {
        report.PrintSpeeds(os);
    }
    os << std::flush;
    os.flags(flags);
    os.precision(precision);
}

} // namespace lightpath
} // namespace ns3
