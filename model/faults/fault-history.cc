/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fault-history.h"

#include "model/base/json-document.h"

#include "ns3/rng-stream.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Streams of random numbers: one for each purpose
enum FaultStream : uint64_t
{
    FAULT_TIMES, //!< Times of faults and repairs
    FAULT_PLACES //!< Places of nodes
};

/**
 * Draws times of faults and repairs.
 */
class FaultDraw
{
  public:
    /**
     * @param statistics how often nodes become faulty, and for how long
     * @param seed the seed of the random numbers
     */
    FaultDraw(const FaultStatistics& statistics, uint32_t seed)
        : m_stream(seed, FAULT_TIMES, 0),
          m_healthyDays(1000 / statistics.perThousandNodeDays),
          m_repairMeanDays(statistics.repairMeanDays),
          m_mu(std::log(statistics.repairMedianDays)),
          // The mean of a log-normal variable is exp(mu + sigma^2 / 2)
          m_sigma(std::sqrt(2 * (std::log(statistics.repairMeanDays) - m_mu)))
    {
    }

    /**
     * @return whether a node is faulty at the beginning
     */
    bool IsFaulty()
    {
        return m_stream.RandU01() * (m_healthyDays + m_repairMeanDays) < m_repairMeanDays;
    }

    /**
     * @return for how long a node stays healthy, days
     */
    double GetHealthyDays()
    {
        return -m_healthyDays * std::log(m_stream.RandU01());
    }

    /**
     * @return how long a repair takes, days
     */
    double GetRepairDays()
    {
        return std::exp(m_mu + m_sigma * GetNormal());
    }

    /**
     * @return how long a repair still takes that is under way at a random time, days
     */
    double GetRestOfRepairDays()
    {
        // A random time meets a repair in proportion to its length, at any point of it
        return m_stream.RandU01() * std::exp(m_mu + m_sigma * m_sigma + m_sigma * GetNormal());
    }

  private:
    /**
     * @return a normal random variable, by the method of Box and Muller
     */
    double GetNormal()
    {
        constexpr double turn = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(m_stream.RandU01()));
        return radius * std::cos(turn * m_stream.RandU01());
    }

    RngStream m_stream;      //!< Random numbers above 0 and below 1
    double m_healthyDays;    //!< Mean time until a fault, days
    double m_repairMeanDays; //!< Mean time of a repair, days
    double m_mu;             //!< Mean of the logarithm of that time
    double m_sigma;          //!< Standard deviation of it
};

/**
 * Refuse statistics that no faults have.
 *
 * @param statistics how often nodes become faulty, and for how long
 */
void
CheckStatistics(const FaultStatistics& statistics)
{
    // Also false for what is not a number
    if (!(statistics.perThousandNodeDays > 0 && statistics.perThousandNodeDays <= 1e6))
    {
        throw std::invalid_argument("Faults of 1000 nodes a day must be above 0 and up to 1e6, "
                                    "not " +
                                    std::to_string(statistics.perThousandNodeDays));
    }
    if (!(statistics.repairMedianDays > 0 &&
          statistics.repairMeanDays >= statistics.repairMedianDays &&
          statistics.repairMeanDays <= 1e6))
    {
        throw std::invalid_argument(
            "The mean time of a repair, " + std::to_string(statistics.repairMeanDays) +
            " days, must be at least its median, " + std::to_string(statistics.repairMedianDays) +
            " days, which must be above 0");
    }
}

} // namespace

FaultHistory
FaultHistory::Read(std::istream& input, const std::string& name, uint32_t nNodes)
{
    FaultHistory history;
    history.m_nNodes = nNodes;
    std::map<std::string, uint32_t> nodes;
    std::vector<uint32_t> faults;
    const auto take = [&](const std::string&, const JsonValue& value) {
        constexpr double maxDays = 1e6;
        const auto node = value.Get("node_id");
        const auto found =
            nodes.try_emplace(node.GetText(), static_cast<uint32_t>(nodes.size())).first->second;
        if (nodes.size() > nNodes)
        {
            node.Fail("is the id of one node too many: the fabric has " + std::to_string(nNodes) +
                      " nodes, and the trace has more");
        }
        const double day = value.Get("event_time").GetNumber(maxDays);
        if (day < history.m_days)
        {
            value.Get("event_time").Fail("must not be before the time of the previous event");
        }
        const auto type = value.Get("event_type");
        const bool isStart = type.GetWord({"fault_start", "fault_end"}) == 0;
        faults.resize(nodes.size());
        if (!isStart && faults[found] == 0)
        {
            type.Fail("must not be fault_end, as the node has no fault");
        }
        faults[found] += isStart ? 1 : -1;
        history.m_days = day;
        history.m_events.push_back({day, found, isStart});
    };
    const JsonDocument document(input,
                                name,
                                take,
                                JsonDocument::MAX_BYTES,
                                "[{\"node_id\": \"a\", \"event_time\": 3.5, \"event_type\": "
                                "\"fault_start\"}");
    if (!(history.m_days > 0))
    {
        throw std::invalid_argument(name + " covers no time: it must have events after day 0");
    }
    return history;
}

FaultHistory
FaultHistory::Draw(uint32_t nNodes, double days, const FaultStatistics& statistics, uint32_t seed)
{
    CheckStatistics(statistics);
    if (!(days > 0 && days <= 1e6))
    {
        throw std::invalid_argument(
            "Faults must be drawn for more than 0 and up to 1e6 days, not " + std::to_string(days));
    }
    FaultHistory history;
    history.m_nNodes = nNodes;
    history.m_days = days;
    FaultDraw draw(statistics, seed);
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        const bool isFaulty = draw.IsFaulty();
        double day = 0;
        if (isFaulty)
        {
            history.m_events.push_back({0, node, true});
            day = draw.GetRestOfRepairDays();
            history.m_events.push_back({day, node, false});
        }
        for (day += draw.GetHealthyDays(); day < days; day += draw.GetHealthyDays())
        {
            history.m_events.push_back({day, node, true});
            day += draw.GetRepairDays();
            history.m_events.push_back({day, node, false});
        }
    }
    const auto isEarlier = [](const Event& a, const Event& b) { return a.day < b.day; };
    std::stable_sort(history.m_events.begin(), history.m_events.end(), isEarlier);
    return history;
}

void
FaultHistory::ForEachInterval(const std::vector<uint32_t>& places, const Visitor& visit) const
{
    std::vector<bool> isFaulty(m_nNodes);
    // Faults of a node may overlap
    std::vector<uint32_t> faults(m_nNodes);
    double now = 0;
    const auto advance = [&](double day) {
        if (day > now)
        {
            visit(isFaulty, day - now);
            now = day;
        }
    };
    for (const auto& event : m_events)
    {
        advance(std::min(event.day, m_days));
        faults[event.node] += event.isStart ? 1 : -1;
        isFaulty[places[event.node]] = faults[event.node] > 0;
    }
    advance(m_days);
}

std::vector<uint32_t>
FaultHistory::DrawPlaces(uint32_t seed, uint32_t draw) const
{
    RngStream stream(seed, FAULT_PLACES, draw);
    std::vector<uint32_t> places(m_nNodes);
    std::iota(places.begin(), places.end(), 0);
    for (uint32_t left = m_nNodes; left > 1; --left)
    {
        const auto chosen = static_cast<uint32_t>(stream.RandU01() * left);
        std::swap(places[left - 1], places[chosen]);
    }
    return places;
}

double
FaultHistory::GetFaultyShare() const
{
    std::vector<uint32_t> places(m_nNodes);
    std::iota(places.begin(), places.end(), 0);
    double sum = 0;
    ForEachInterval(places, [&sum](const std::vector<bool>& isFaulty, double days) {
        sum += days * static_cast<double>(std::count(isFaulty.begin(), isFaulty.end(), true));
    });
    return sum / m_days / m_nNodes;
}

uint64_t
FaultHistory::CountFaults() const
{
    return static_cast<uint64_t>(
        std::count_if(m_events.begin(), m_events.end(), [](const Event& e) { return e.isStart; }));
}

double
FaultHistory::GetDays() const
{
    return m_days;
}

} // namespace lightpath
} // namespace ns3
