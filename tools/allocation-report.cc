/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "allocation-report.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/mrr-ring-channel.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

using Json = nlohmann::ordered_json; //!< JSON whose members keep their order

/**
 * @param value a number
 * @return the number with 5 digits
 */
std::string
Print(double value)
{
    std::ostringstream words;
    words << std::setprecision(5) << value;
    return words.str();
}

/**
 * @param seconds a time
 * @return the time in the unit that suits it
 */
std::string
PrintTime(double seconds)
{
    static const std::vector<std::pair<double, const char*>> units = {{1, " s"},
                                                                      {1e-3, " ms"},
                                                                      {1e-6, " us"}};
    for (const auto& [unit, name] : units)
    {
        if (seconds >= unit)
        {
            return Print(seconds / unit) + name;
        }
    }
    return Print(seconds * 1e9) + " ns";
}

/**
 * @param bytes a number of bytes
 * @return the same in the unit that suits it
 */
std::string
PrintBytes(uint64_t bytes)
{
    return bytes < 1000000 ? std::to_string(bytes) + " bytes" : Print(bytes / 1e6) + " MB";
}

/**
 * @param share a share of 1
 * @return the same in percent
 */
std::string
PrintShare(double share)
{
    std::ostringstream words;
    words << std::fixed << std::setprecision(2) << 100 * share << " %";
    return words.str();
}

/**
 * @param pairs pairs of ports
 * @return their number and the names of the first few
 */
std::string
PrintPairs(const std::vector<PortPair>& pairs)
{
    constexpr std::size_t most = 6;
    std::string words = std::to_string(pairs.size());
    for (std::size_t i = 0; i < std::min(pairs.size(), most); ++i)
    {
        words += (i == 0 ? ": " : ", ") + std::to_string(pairs[i].first) + " to " +
                 std::to_string(pairs[i].second);
    }
    return words + (pairs.size() > most ? ", ..." : "");
}

/**
 * @param demand a demand
 * @return the pairs that it has bytes for
 */
std::vector<PortPair>
GetPairs(const TrafficMatrix& demand)
{
    std::vector<PortPair> pairs;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& entry : demand.GetRow(source))
        {
            pairs.emplace_back(source, entry.first);
        }
    }
    return pairs;
}

/**
 * @param value a number
 * @return the number, or null if it is not finite
 */
Json
MakeNumber(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

} // namespace

AllocationReport::AllocationReport(Ptr<OpticalChannel> channel,
                                   const TrafficMatrix& demand,
                                   const CircuitAlgorithm& algorithm,
                                   const CircuitAllocation& allocation,
                                   double seconds)
    : m_channel(channel),
      m_demand(demand),
      m_algorithm(algorithm),
      m_isSchedule(false),
      m_allocation(allocation),
      m_unserved(allocation.unserved),
      m_nPairs(GetPairs(demand).size()),
      m_seconds(seconds)
{
    Check(allocation.plan);
}

AllocationReport::AllocationReport(Ptr<OpticalChannel> channel,
                                   const TrafficMatrix& demand,
                                   const CircuitAlgorithm& algorithm,
                                   const CircuitSchedule& schedule,
                                   double seconds)
    : m_channel(channel),
      m_demand(demand),
      m_algorithm(algorithm),
      m_isSchedule(true),
      m_schedule(schedule),
      m_unserved(GetPairs(schedule.unserved)),
      m_nPairs(GetPairs(demand).size()),
      m_seconds(seconds)
{
    for (const auto& slot : schedule.slots)
    {
        Check(slot.plan);
    }
}

void
AllocationReport::Check(const CircuitPlan& plan) const
{
    const std::string conflict = m_channel->Check(plan);
    if (!conflict.empty())
    {
        throw std::logic_error("Internal error: a " + m_algorithm.type +
                               " has made a plan that the fabric cannot carry. " + conflict);
    }
}

AllocationReport::Lanes
AllocationReport::CountLanes(const CircuitPlan& plan) const
{
    Lanes lanes;
    if (const auto ring = DynamicCast<MrrRingChannel>(m_channel))
    {
        const RingGeometry& geometry = ring->GetGeometry();
        for (const auto& [pair, held] : plan.GetLightpaths())
        {
            for (const Lane& lane : held)
            {
                const RingDirection direction = geometry.GetDirection(lane.fibre);
                lanes.used += geometry.GetHops(pair.first, pair.second, direction);
            }
        }
        for (uint32_t fibre = 0; fibre < 2 * geometry.GetNFibres(); ++fibre)
        {
            for (uint32_t segment = 0; segment < geometry.GetNNodes(); ++segment)
            {
                const bool works = !geometry.IsFibreFailed(fibre) &&
                                   !geometry.IsFailed(segment, geometry.GetDirection(fibre));
                lanes.total += works ? geometry.GetNWavelengths() : 0;
            }
        }
    }
    else if (const auto switches = DynamicCast<CircuitSwitchChannel>(m_channel))
    {
        const CircuitSwitchGeometry& geometry = switches->GetGeometry();
        lanes.used = plan.GetNLanes();
        for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
        {
            uint64_t inputs = 0;
            uint64_t outputs = 0;
            for (uint32_t device = 0; device < geometry.GetNDevices(); ++device)
            {
                inputs += geometry.HasInput(index, device);
                outputs += geometry.HasOutput(index, device);
            }
            lanes.total += std::min(inputs, outputs);
        }
    }
    return lanes;
}

double
AllocationReport::GetScheduleGap() const
{
    const bool isComparable = m_schedule.bound.IsStrictlyPositive() && !m_schedule.cyclic &&
                              m_schedule.makespan.IsStrictlyPositive() && m_unserved.empty();
    return isComparable ? 1 - m_schedule.bound.GetSeconds() / m_schedule.makespan.GetSeconds()
                        : std::numeric_limits<double>::quiet_NaN();
}

std::vector<AllocationReport::Row>
AllocationReport::GetAllocationRows() const
{
    const Lanes lanes = CountLanes(m_allocation.plan);
    const bool isRing = static_cast<bool>(DynamicCast<MrrRingChannel>(m_channel));
    const bool isBounded = std::isfinite(m_allocation.bound);
    return {
        {"objective", Print(m_allocation.objective) + ": " + m_algorithm.objective},
        {"bound", isBounded ? Print(m_allocation.bound) : "none known"},
        {"gap", isBounded ? PrintShare(m_allocation.GetGap()) : "unknown"},
        {"smallest share",
         Print(m_allocation.fairness) + (isRing ? " lanes" : " circuits") +
             " for the largest demand, less in proportion for smaller ones"},
        {"lanes",
         std::to_string(lanes.used) + " of " + std::to_string(lanes.total) +
             (isRing ? " wavelengths of segments" : " circuits")},
    };
}

std::vector<AllocationReport::Row>
AllocationReport::GetScheduleRows() const
{
    const bool isBounded = m_schedule.bound.IsStrictlyPositive();
    const double gap = GetScheduleGap();
    return {
        {"slots",
         std::to_string(m_schedule.slots.size()) + (m_schedule.cyclic ? ", again and again" : "")},
        {"objective", PrintTime(m_schedule.makespan.GetSeconds()) + ": " + m_algorithm.objective},
        {"bound", isBounded ? PrintTime(m_schedule.bound.GetSeconds()) : "none known"},
        {"gap", std::isfinite(gap) ? PrintShare(gap) : "unknown"},
        {"bytes left", std::to_string(m_schedule.unserved.GetTotal())},
    };
}

void
AllocationReport::PrintTable(std::ostream& os) const
{
    std::ostringstream pairs;
    pairs << m_nPairs << " among " << m_demand.GetSize() << " ports, "
          << PrintBytes(m_demand.GetTotal()) << ", " << m_demand.GetDegree()
          << " peers of a port at most";
    std::vector<Row> rows = {
        {"allocator", m_algorithm.name},
        {"pairs", pairs.str()},
        {"served", std::to_string(m_nPairs - m_unserved.size())},
        {"unserved", PrintPairs(m_unserved)},
    };
    const auto more = m_isSchedule ? GetScheduleRows() : GetAllocationRows();
    rows.insert(rows.end(), more.begin(), more.end());
    rows.emplace_back("decided in", PrintTime(m_seconds));
    for (const auto& [name, value] : rows)
    {
        // Built apart so that the state of the stream stays as it is
        std::ostringstream line;
        line << std::left << std::setw(16) << name << value << "\n";
        os << line.str();
    }
    os << std::flush;
}

Json
AllocationReport::GetLightpaths(const CircuitPlan& plan) const
{
    Json lightpaths = Json::array();
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        Json list = Json::array();
        for (const Lane& lane : lanes)
        {
            list.push_back(Json::array({lane.fibre, lane.wavelength}));
        }
        lightpaths.push_back({{"source", pair.first},
                              {"destination", pair.second},
                              {"bytes", m_demand.Get(pair.first, pair.second)},
                              {"lanes", list}});
    }
    return lightpaths;
}

Json
AllocationReport::GetGeometry() const
{
    Json json;
    if (const auto ring = DynamicCast<MrrRingChannel>(m_channel))
    {
        const RingGeometry& geometry = ring->GetGeometry();
        const auto mode = geometry.GetWavelengthMode();
        json["wavelengths"] = geometry.GetNWavelengths();
        json["wavelengthMode"] = mode == RingGeometry::CONTINUITY  ? "continuity"
                                 : mode == RingGeometry::LOAD_ONLY ? "load-only"
                                                                   : "exclusive";
        for (uint32_t fibre = 0; fibre < 2 * geometry.GetNFibres(); ++fibre)
        {
            const RingDirection direction = geometry.GetDirection(fibre);
            const bool isClockwise = direction == RingDirection::CLOCKWISE;
            Json segments = Json::array();
            for (uint32_t segment = 0; segment < geometry.GetNNodes(); ++segment)
            {
                if (geometry.IsFailed(segment, direction))
                {
                    segments.push_back(segment);
                }
            }
            json["fibres"].push_back({{"direction", isClockwise ? "clockwise" : "counterclockwise"},
                                      {"failed", geometry.IsFibreFailed(fibre)},
                                      {"failedSegments", segments}});
        }
    }
    else if (const auto switches = DynamicCast<CircuitSwitchChannel>(m_channel))
    {
        const CircuitSwitchGeometry& geometry = switches->GetGeometry();
        for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
        {
            Json inputs = Json::array();
            Json outputs = Json::array();
            for (uint32_t device = 0; device < geometry.GetNDevices(); ++device)
            {
                if (!geometry.HasInput(index, device))
                {
                    inputs.push_back(device);
                }
                if (!geometry.HasOutput(index, device))
                {
                    outputs.push_back(device);
                }
            }
            json["switches"].push_back({{"missingInputs", inputs}, {"missingOutputs", outputs}});
        }
    }
    return json;
}

Json
AllocationReport::GetJson() const
{
    Json unserved = Json::array();
    for (const auto& [source, destination] : m_unserved)
    {
        unserved.push_back(Json::array({source, destination}));
    }
    Json json = {{"allocator", m_algorithm.name},
                 {"type", m_algorithm.type},
                 {"ports", m_demand.GetSize()},
                 {"pairs", m_nPairs},
                 {"bytes", m_demand.GetTotal()},
                 {"degree", m_demand.GetDegree()},
                 {"laneRateBps", m_channel->GetLaneRate().GetBitRate()},
                 {"decisionSeconds", m_seconds},
                 {"served", m_nPairs - m_unserved.size()},
                 {"unserved", unserved},
                 {"objectiveMeaning", m_algorithm.objective},
                 {"geometry", GetGeometry()}};
    if (!m_isSchedule)
    {
        const Lanes lanes = CountLanes(m_allocation.plan);
        json["objective"] = MakeNumber(m_allocation.objective);
        json["bound"] = MakeNumber(m_allocation.bound);
        json["gapPercent"] = 100 * m_allocation.GetGap();
        json["smallestShare"] = m_allocation.fairness;
        json["lanesUsed"] = lanes.used;
        json["lanesTotal"] = lanes.total;
        json["lightpaths"] = GetLightpaths(m_allocation.plan);
        return json;
    }
    const bool isBounded = m_schedule.bound.IsStrictlyPositive();
    json["objective"] = m_schedule.makespan.GetSeconds();
    json["bound"] = isBounded ? Json(m_schedule.bound.GetSeconds()) : Json();
    json["gapPercent"] = MakeNumber(100 * GetScheduleGap());
    json["makespanSeconds"] = m_schedule.makespan.GetSeconds();
    json["cyclic"] = m_schedule.cyclic;
    json["unservedBytes"] = m_schedule.unserved.GetTotal();
    json["slots"] = Json::array();
    for (const auto& slot : m_schedule.slots)
    {
        json["slots"].push_back({{"durationSeconds", slot.duration.GetSeconds()},
                                 {"lightpaths", GetLightpaths(slot.plan)}});
    }
    return json;
}

} // namespace lightpath
} // namespace ns3
