/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-report.h"

#include "model/training/transport/server-network.h"
#include "rank-result.h"
#include "report-format.h"
#include "training-application.h"
#include "training-job.h"
#include "wait-ledger.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param iteration the time of an iteration, in seconds
 * @param compute the time of compute in it
 * @param waits the times of waiting, of several iterations or ranks together
 * @param number their number
 * @return the parts of the time of an iteration
 */
TrainingReport::Parts
ShareTime(double iteration, double compute, const WaitTimes& waits, double number)
{
    TrainingReport::Parts parts;
    parts.computeSeconds = compute;
    parts.exposedSeconds = {{"circuits", 0},
                            {"context", 0},
                            {"data", 0},
                            {"expert", 0},
                            {"pipeline", 0},
                            {"tensor", 0}};
    double& exposed = parts.exposedCommunicationSeconds;
    for (std::size_t kind = 0; kind < waits.size(); ++kind)
    {
        const double seconds = ToSeconds(waits[kind]) / number;
        if (kind != BUBBLE_WAIT && seconds > 0)
        {
            parts.exposedSeconds[kind == CIRCUIT_WAIT ? "circuits" : GetParallelismName(kind)] +=
                seconds;
            exposed += seconds;
        }
    }
    // The sum is the iteration, also where ranks that are ahead belong to the next one in part
    const double waiting = iteration - compute;
    parts.bubbleSeconds = waiting - exposed;
    if (parts.bubbleSeconds < 1e-3 / Seconds(1).GetTimeStep())
    {
        // Mostly it is nothing but the rounding of floating point numbers
        const double whole = exposed;
        parts.bubbleSeconds = 0;
        exposed = whole > 0 ? std::max(waiting, 0.0) : 0;
        for (auto& part : parts.exposedSeconds)
        {
            part.second *= whole > 0 ? exposed / whole : 0;
        }
    }
    return parts;
}

} // namespace

TrainingReport::TrainingReport(Ptr<const TrainingJob> job)
    : fabric("network")
{
    ReadFabrics(job->GetFabrics());
    ReadJob(*job);
}

TrainingReport::TrainingReport(Ptr<const TrainingJob> job, Ptr<const FabricChannel> channel)
    : fabric("network")
{
    if (channel)
    {
        ReadFabrics({channel});
    }
    ReadJob(*job);
}

TrainingReport::TrainingReport(std::string name, std::string reason)
    : fabric(std::move(name)),
      refusal(std::move(reason))
{
}

void
TrainingReport::StandForAll(uint32_t all, uint32_t simulated, double rails)
{
    std::vector<uint64_t*> counts{&bytesSent,
                                  &insideBytes,
                                  &lightpaths,
                                  &transport.opticalMessages,
                                  &transport.opticalBytes,
                                  &transport.electricalMessages,
                                  &transport.electricalBytes,
                                  &transport.messageBytes,
                                  &transport.forwardedBytes,
                                  &transport.repeatedBytes};
    // Each fabric counts these once, whatever its ranks
    reconfigurations = std::lround(reconfigurations * rails);
    std::vector<uint64_t*> ofRails;
    for (auto& count : fabricCounts)
    {
        ofRails.push_back(&count.second);
    }
    auto& plant = m_isWholePlant ? ofRails : counts;
    plant.insert(plant.end(), {&fibres, &switchPorts});
    for (uint64_t* const count : counts)
    {
        // The product may have more than 64 bits
        *count = *count / simulated * all + *count % simulated * all / simulated;
    }
    for (uint64_t* const count : ofRails)
    {
        *count = std::llround(static_cast<double>(*count) * rails);
    }
}

void
TrainingReport::ReadJob(const TrainingJob& job)
{
    const std::vector<RankResult> results = job.GetResults();
    for (const RankResult& rank : results)
    {
        bytesSent += rank.sentBytes;
        insideBytes += rank.insideBytes;
        transport.Add(rank.statistics);
        setUpSeconds = std::max(setUpSeconds, ToSeconds(rank.setUpTime));
    }
    ReadIterations(job, results);
    ReadSpeeds(job, results);
}

void
TrainingReport::ReadIterations(const TrainingJob& job, const std::vector<RankResult>& results)
{
    iterations = job.GetNIterations();
    isFinished = job.IsFinished();
    // Ranks that are ahead may have ended iterations that others are still in
    std::size_t ended = results.empty() ? 0 : iterations;
    for (const RankResult& rank : results)
    {
        ended = std::min(ended, rank.records.size());
    }
    // The first iteration includes setting up circuits and connections, so it does not count for
    // the mean if there is another
    const std::size_t first = ended > 1 ? 1 : 0;
    std::vector<Time> ends(ended);
    Time compute;
    for (const RankResult& rank : results)
    {
        const auto& records = rank.records;
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
    elapsedSeconds =
        ToSeconds((isFinished && !ends.empty() ? ends.back() : Simulator::Now()) - job.GetStart());
    if (ended == 0)
    {
        return;
    }
    const int64_t parts = static_cast<int64_t>(results.size() * (ended - first));
    computeSeconds = ToSeconds(compute) / parts;
    ReadWaits(job, results, first, ends);
}

void
TrainingReport::ReadWaits(const TrainingJob& job,
                          const std::vector<RankResult>& results,
                          std::size_t first,
                          const std::vector<Time>& ends)
{
    const auto last =
        std::max_element(results.begin(),
                         results.end(),
                         [&](const RankResult& a, const RankResult& b) {
                             return a.records[ends.size() - 1].end < b.records[ends.size() - 1].end;
                         });
    WaitTimes waits{};
    const auto add = [](WaitTimes& sum, const WaitTimes& more) {
        std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>());
    };
    const double counted = static_cast<double>(ends.size() - first);
    for (const RankResult& rank : results)
    {
        const auto& records = rank.records;
        WaitTimes own{};
        Time compute;
        for (std::size_t i = first; i < ends.size(); ++i)
        {
            compute += records[i].compute;
            add(own, records[i].waits);
        }
        // After a single iteration, there is none in which ranks that end early could go on
        if (first == 0)
        {
            add(own,
                job.GetWaits().GetWaitsFor(static_cast<uint32_t>(last - results.begin()),
                                           records.front().end,
                                           ends.front()));
        }
        add(waits, own);
        ranks.push_back(ShareTime(GetSteadySeconds(), ToSeconds(compute) / counted, own, counted));
    }
    const double parts = static_cast<double>(ranks.size()) * counted;
    const Parts mean = ShareTime(GetSteadySeconds(), computeSeconds, waits, parts);
    bubbleSeconds = mean.bubbleSeconds;
    exposedCommunicationSeconds = mean.exposedCommunicationSeconds;
    exposedSeconds = mean.exposedSeconds;
}

void
TrainingReport::ReadFabrics(const std::vector<Ptr<const FabricChannel>>& fabrics)
{
    for (const auto& channel : fabrics)
    {
        fabric = channel->GetFabricName();
        const FabricStatistics statistics = channel->GetStatistics();
        darkSeconds += ToSeconds(statistics.darkTime) / static_cast<double>(fabrics.size());
        reconfigurations += statistics.nReconfigurations;
        lightpaths += statistics.nLightpaths;
        const FabricPlant plant = channel->GetPlant();
        fibres += plant.nFibres;
        switchPorts += plant.nSwitchPorts;
        m_isWholePlant = m_isWholePlant || plant.isWhole;
        Judge(channel);
        for (const auto& [name, count] : statistics.counts)
        {
            fabricCounts[name] += count;
        }
    }
    // A fabric that did nothing of its kind is reported like any other
    if (std::all_of(fabricCounts.begin(), fabricCounts.end(), [](const auto& count) {
            return count.second == 0;
        }))
    {
        fabricCounts.clear();
    }
}

void
TrainingReport::ReadSpeeds(const TrainingJob& job, const std::vector<RankResult>& results)
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
        for (const auto& record : results[rank->GetRank()].records)
        {
            // The first draw is the least and the largest so far
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
    // The first iteration includes setting up circuits and connections
    return std::accumulate(iterationSeconds.begin() + 1, iterationSeconds.end(), 0.0) /
           (iterationSeconds.size() - 1);
}

double
TrainingReport::GetSecondsToTarget() const
{
    if (!toTarget || toTarget->iterations == 0 || iterationSeconds.empty())
    {
        return 0;
    }
    // Later iterations need not wait for the network to be set up
    const double first = iterationSeconds.front();
    const double other = iterationSeconds.size() > 1
                             ? GetSteadySeconds()
                             : std::max(first - setUpSeconds, computeSeconds);
    return first + (toTarget->iterations - 1) * other;
}

std::optional<SamplesToTarget>
TrainingReport::GetTarget() const
{
    return isFeasible == false ? std::nullopt : toTarget;
}

void
TrainingReport::AddTarget(nlohmann::ordered_json& json) const
{
    const auto known = GetTarget();
    if (!known)
    {
        return;
    }
    auto& target = json["toTarget"];
    target = {{"target", known->target},
              {"amount", known->amount},
              {"unit", known->unit},
              {"extrapolated", known->extrapolated},
              {"fitted", known->fitted}};
    if (known->iterations > 0)
    {
        target["samples"] = known->samples;
        target["iterations"] = known->iterations;
        target["seconds"] = GetSecondsToTarget();
    }
}

void
TrainingReport::AddWork(nlohmann::ordered_json& json) const
{
    if (work && !iterationSeconds.empty())
    {
        json.update(work->GetJson(GetSteadySeconds()));
    }
    json["validation"] = validation.GetJson();
    if (cost && !iterationSeconds.empty())
    {
        json["cost"] = cost->GetJson(GetSteadySeconds(), computeSeconds);
    }
}

nlohmann::ordered_json
TrainingReport::GetJson() const
{
    if (!refusal.empty())
    {
        return {{"fabric", fabric}, {"refused", refusal}};
    }
    nlohmann::ordered_json json = {
        {"fabric", fabric},
        {"bandwidthBps", bandwidth},
        {"iterationSeconds", iterationSeconds},
        {"computeSeconds", computeSeconds},
        {"bubbleSeconds", bubbleSeconds},
        {"exposedCommunicationSeconds", exposedCommunicationSeconds},
        {"exposedSeconds", exposedSeconds},
        {"darkSeconds", darkSeconds},
        {"reconfigurations", reconfigurations},
        {"bytesSent", bytesSent},
        {"lightpaths", lightpaths},
        {"events", events},
        {"wallSeconds", wallSeconds},
        {"peakMemoryBytes", peakMemoryBytes},
    };
    for (const auto& count : fabricCounts)
    {
        json[count.first] = count.second;
    }
    if (fibres > 0)
    {
        json["fibres"] = fibres;
        json["switchPorts"] = switchPorts;
    }
    LightVerdict::AddTo(json);
    if (insideBytes > 0)
    {
        json["insideBytes"] = insideBytes;
    }
    AddWork(json);
    AddTarget(json);
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
    transport.AddTo(json);
    if (!isFinished)
    {
        json["unfinished"] = {{"iterations", iterations}, {"elapsedSeconds", elapsedSeconds}};
    }
    if (!remark.empty())
    {
        json["remark"] = remark;
    }
    return json;
}

} // namespace lightpath
} // namespace ns3
