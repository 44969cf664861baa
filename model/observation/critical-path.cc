/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "critical-path.h"

#include "job-record.h"
#include "job-recorder.h"
#include "model/training/run/report-format.h"
#include "path-walker.h"

#include "ns3/training-application.h"

#include <algorithm>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The names of the kinds of segments, in the order of CriticalPath::Kind.
const char* const PART_NAMES[] = {"compute",
                                  "launch",
                                  "transmission",
                                  "propagation",
                                  "transfer",
                                  "circuits",
                                  "darkness",
                                  "unknown"};

/**
 * @param ranks the ranks of a job
 * @param iteration an iteration that all ranks have ended
 * @return the rank that ended it last
 */
Ptr<TrainingApplication>
FindLastRank(const std::vector<Ptr<TrainingApplication>>& ranks, uint32_t iteration)
{
    return *std::max_element(ranks.begin(), ranks.end(), [&](const auto& a, const auto& b) {
        return a->GetRecords()[iteration].end < b->GetRecords()[iteration].end;
    });
}

} // namespace

std::string
CriticalPath::Segment::GetKindName() const
{
    const bool isMoving =
        kind == Kind::TRANSMISSION || kind == Kind::PROPAGATION || kind == Kind::TRANSFER;
    return isMoving ? GetParallelismName(group) : PART_NAMES[static_cast<std::size_t>(kind)];
}

CriticalPath::CriticalPath(const JobRecorder& recorder)
{
    const auto iteration = recorder.GetIteration();
    if (!iteration)
    {
        throw std::invalid_argument("The critical path needs an iteration that all ranks have "
                                    "ended, but the one that was recorded has not: simulate on");
    }
    m_iteration = *iteration;
    const auto& ranks = recorder.GetJob()->GetRanks();
    const Ptr<TrainingApplication> last = FindLastRank(ranks, m_iteration);
    m_end = last->GetRecords()[m_iteration].end;
    m_begin = m_iteration == 0
                  ? recorder.GetJob()->GetStart()
                  : FindLastRank(ranks, m_iteration - 1)->GetRecords()[m_iteration - 1].end;
    PathWalker walker(*recorder.GetJob(), recorder.GetRecord(), m_iteration, m_begin);
    m_segments = walker.Walk(last->GetRank(), m_end);
    std::reverse(m_segments.begin(), m_segments.end());
}

uint32_t
CriticalPath::GetIteration() const
{
    return m_iteration;
}

Time
CriticalPath::GetBegin() const
{
    return m_begin;
}

Time
CriticalPath::GetEnd() const
{
    return m_end;
}

const std::vector<CriticalPath::Segment>&
CriticalPath::GetSegments() const
{
    return m_segments;
}

std::vector<CriticalPath::Segment>
CriticalPath::GetMerged() const
{
    std::vector<Segment> merged;
    const Segment* before = nullptr;
    for (const Segment& segment : m_segments)
    {
        const bool isSame = before && before->name == segment.name &&
                            before->GetKindName() == segment.GetKindName() &&
                            (segment.bytes > 0 || before->rank == segment.rank);
        if (!isSame)
        {
            merged.push_back(segment);
        }
        else
        {
            // Only propagation continues a message whose transmission is on the path
            const bool isSameMessage = segment.kind == Kind::PROPAGATION;
            Segment& last = merged.back();
            last.end = segment.end;
            last.peer = segment.peer;
            last.bytes += isSameMessage ? 0 : segment.bytes;
            last.messages += isSameMessage ? 0 : segment.messages;
        }
        before = &segment;
    }
    return merged;
}

CriticalPath::Sums
CriticalPath::GetSums() const
{
    std::map<std::string, Time> times;
    for (const Segment& segment : m_segments)
    {
        times[segment.GetKindName()] += segment.end - segment.begin;
    }
    // Computation first, then the kinds of parallelism, then what delays them
    Sums sums;
    const auto move = [&](const std::string& name) {
        const auto found = times.find(name);
        if (found != times.end())
        {
            sums.emplace_back(*found);
            times.erase(found);
        }
    };
    move(PART_NAMES[static_cast<std::size_t>(Kind::COMPUTE)]);
    for (uint32_t group = 0; group <= N_GROUP_KINDS; ++group)
    {
        move(GetParallelismName(group));
    }
    for (const Kind kind : {Kind::CIRCUIT, Kind::DARKNESS, Kind::LAUNCH})
    {
        move(PART_NAMES[static_cast<std::size_t>(kind)]);
    }
    sums.insert(sums.end(), times.begin(), times.end());
    return sums;
}

void
CriticalPath::Print(std::ostream& os) const
{
    const auto flags = os.flags();
    const auto precision = os.precision();
    const double all = ToSeconds(m_end - m_begin);
    const auto print = [&](const std::string& name, Time length) {
        os << "  " << std::left << std::setw(12) << name << std::right << std::setw(11)
           << FormatSeconds(ToSeconds(length)) << std::fixed << std::setprecision(1) << std::setw(7)
           << 100 * ToSeconds(length) / all << " %" << std::defaultfloat;
    };
    os << "critical path of iteration " << m_iteration + 1 << ", " << FormatSeconds(all) << ":\n";
    for (const auto& [name, length] : GetSums())
    {
        print(name, length);
        os << "\n";
    }
    std::vector<Segment> longest = GetMerged();
    std::stable_sort(longest.begin(), longest.end(), [](const Segment& a, const Segment& b) {
        return a.end - a.begin > b.end - b.begin;
    });
    const std::size_t most = 10;
    if (longest.size() > most)
    {
        os << "the longest " << most << " of its " << longest.size() << " segments:\n";
        longest.resize(most);
    }
    else
    {
        os << "its segments, the longest first:\n";
    }
    for (const Segment& segment : longest)
    {
        print(segment.GetKindName(), segment.end - segment.begin);
        os << "  from " << std::left << std::setw(11)
           << FormatSeconds(ToSeconds(segment.begin - m_begin)) << std::right << "  rank "
           << segment.rank;
        if (segment.messages == 1)
        {
            os << " to " << segment.peer;
        }
        else if (segment.messages > 1)
        {
            os << ", " << segment.messages << " messages";
        }
        os << "  " << segment.name << "\n";
    }
    os.flags(flags);
    os.precision(precision);
}

nlohmann::ordered_json
CriticalPath::GetJson() const
{
    nlohmann::ordered_json json = {{"iteration", m_iteration},
                                   {"beginSeconds", ToSeconds(m_begin)},
                                   {"endSeconds", ToSeconds(m_end)},
                                   {"seconds", nlohmann::ordered_json::object()},
                                   {"segments", nlohmann::ordered_json::array()}};
    for (const auto& [name, length] : GetSums())
    {
        json["seconds"][name] = ToSeconds(length);
    }
    for (const Segment& segment : GetMerged())
    {
        nlohmann::ordered_json part = {{"kind", segment.GetKindName()},
                                       {"name", segment.name},
                                       {"rank", segment.rank},
                                       {"beginSeconds", ToSeconds(segment.begin)},
                                       {"seconds", ToSeconds(segment.end - segment.begin)}};
        if (segment.bytes > 0)
        {
            part["peer"] = segment.peer;
            part["bytes"] = segment.bytes;
            part["messages"] = segment.messages;
        }
        json["segments"].push_back(part);
    }
    return json;
}

} // namespace lightpath
} // namespace ns3
