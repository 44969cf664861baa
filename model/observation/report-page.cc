/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-page.h"

#include "critical-path.h"
#include "model/training/run/report-format.h"
#include "report-page-data.h"
#include "utilisation-meter.h"

#include "ns3/abort.h"
#include "ns3/rank-groups.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The parts of an iteration in the order of the bars; between the first and the last those of
/// TrainingReport::exposedSeconds.
constexpr std::array<const char*, 9> PARTS{"compute",
                                           "tensor",
                                           "pipeline",
                                           "data",
                                           "context",
                                           "expert",
                                           "other",
                                           "circuits",
                                           "bubble"};

/**
 * @param heads the first heads of a table
 * @return them, and a head for each part of an iteration
 */
std::vector<std::string>
AddPartHeads(std::vector<std::string> heads)
{
    for (const std::string part : PARTS)
    {
        heads.push_back(part + "_s");
    }
    return heads;
}

/**
 * @param parts the parts of an iteration, or a report, which has the same members
 * @return its parts in the order of PARTS
 */
template <class T>
std::vector<double>
ListParts(const T& parts)
{
    std::vector<double> list{parts.computeSeconds};
    for (std::size_t i = 1; i + 1 < PARTS.size(); ++i)
    {
        const auto found = parts.exposedSeconds.find(PARTS[i]);
        list.push_back(found == parts.exposedSeconds.end() ? 0 : found->second);
    }
    list.push_back(parts.bubbleSeconds);
    return list;
}

/**
 * @param ranks ranks in ascending order
 * @return them as ranges, like "0-3 8"
 */
std::string
ListRanks(const std::vector<uint32_t>& ranks)
{
    std::string list;
    for (std::size_t i = 0; i < ranks.size();)
    {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
        {
            ++last;
        }
        list += (list.empty() ? "" : " ") + std::to_string(ranks[i]);
        list += last > i ? "-" + std::to_string(ranks[last]) : "";
        i = last + 1;
    }
    return list;
}

/**
 * @param text a text
 * @return it in HTML
 */
std::string
EscapeHtml(const std::string& text)
{
    std::string html;
    for (const char sign : text)
    {
        html += sign == '&'   ? "&amp;"
                : sign == '<' ? "&lt;"
                : sign == '>' ? "&gt;"
                              : std::string(1, sign);
    }
    return html;
}

/**
 * @param reports reports of several jobs
 * @param runs the names of the jobs
 * @return all their numbers, a column for each job
 */
CsvTable
MakeDetails(const std::vector<TrainingReport>& reports, const std::vector<std::string>& runs)
{
    std::vector<std::string> heads{"name"};
    heads.insert(heads.end(), runs.begin(), runs.end());
    std::map<std::string, std::vector<std::string>> rows;
    for (std::size_t i = 0; i < reports.size(); ++i)
    {
        const auto json = reports[i].GetJson().flatten();
        for (const auto& item : json.items())
        {
            const auto& value = item.value();
            auto& row = rows.emplace(item.key().substr(1), runs.size()).first->second;
            row[i] = value.is_string()         ? value.get<std::string>()
                     : value.is_number_float() ? CsvTable::ToText(value.get<double>())
                                               : value.dump();
        }
    }
    CsvTable table(heads);
    for (auto& [name, row] : rows)
    {
        row.insert(row.begin(), name);
        table.AddRow(row);
    }
    return table;
}

/**
 * @param json an object
 * @param key a key
 * @return its number as a cell; empty if it has none
 */
std::string
ToText(const nlohmann::ordered_json& json, const std::string& key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? CsvTable::ToText(found->get<double>()) : "";
}

/**
 * @param reports reports of several jobs
 * @param runs the names of the jobs
 * @return a row for each job
 */
CsvTable
MakeResults(const std::vector<TrainingReport>& reports, const std::vector<std::string>& runs)
{
    auto heads = AddPartHeads({"fabric", "iteration_s", "first_s", "exposed_s", "dark_s"});
    for (const std::string head : {"reconfigurations",
                                   "lightpaths",
                                   "bytes_sent",
                                   "samples_per_s",
                                   "tokens_per_s",
                                   "mfu",
                                   "feasible",
                                   "validation",
                                   "remark"})
    {
        heads.push_back(head);
    }
    CsvTable table(heads);
    for (std::size_t i = 0; i < reports.size(); ++i)
    {
        const auto& report = reports[i];
        const double first = report.iterationSeconds.empty() ? 0 : report.iterationSeconds.front();
        std::vector<std::string> row{runs[i]};
        for (const double number : {report.GetSteadySeconds(),
                                    first,
                                    report.exposedCommunicationSeconds,
                                    report.darkSeconds})
        {
            row.push_back(CsvTable::ToText(number));
        }
        for (const double number : ListParts(report))
        {
            row.push_back(CsvTable::ToText(number));
        }
        row.push_back(std::to_string(report.reconfigurations));
        row.push_back(std::to_string(report.lightpaths));
        row.push_back(std::to_string(report.bytesSent));
        const auto json = report.GetJson();
        for (const std::string rate :
             {"samplesPerSecond", "tokensPerSecond", "modelFlopsUtilization"})
        {
            row.push_back(ToText(json, rate));
        }
        row.push_back(report.GetFeasibility());
        row.push_back(report.refusal.empty() ? report.validation.Describe() : "");
        row.push_back(report.remark);
        table.AddRow(row);
    }
    return table;
}

/**
 * @param reports reports of several jobs
 * @param runs the names of the jobs
 * @return a row for each job whose cost is known
 */
CsvTable
MakeCosts(const std::vector<TrainingReport>& reports, const std::vector<std::string>& runs)
{
    CsvTable table({"fabric",
                    "network_w",
                    "network_usd",
                    "iteration_j",
                    "network_j",
                    "sample_j",
                    "token_j",
                    "iteration_usd"});
    for (std::size_t i = 0; i < reports.size(); ++i)
    {
        const auto json = reports[i].GetJson();
        if (json.count("cost") == 0)
        {
            continue;
        }
        std::vector<std::string> row{runs[i]};
        for (const std::string figure : {"networkWatts",
                                         "networkDollars",
                                         "joulesPerIteration",
                                         "networkJoulesPerIteration",
                                         "joulesPerSample",
                                         "joulesPerToken",
                                         "dollarsPerIteration"})
        {
            row.push_back(ToText(json.at("cost"), figure));
        }
        table.AddRow(row);
    }
    return table;
}

/**
 * Print a table as a block of the page.
 *
 * @param os where to print
 * @param name its name
 * @param table the table; nothing is printed if it has no rows
 */
void
PrintBlock(std::ostream& os, const std::string& name, const CsvTable& table)
{
    if (table.GetNRows() > 0)
    {
        std::ostringstream text;
        table.Print(text);
        os << "<pre hidden data-table=\"" << name << "\">" << EscapeHtml(text.str()) << "</pre>\n";
    }
}

} // namespace

ReportPage::ReportPage()
    : m_ranks(AddPartHeads({"fabric", "ranks", "count"})),
      m_path({"fabric", "begin_s", "end_s", "kind", "rank", "peer", "name", "bytes"}),
      m_pathSums({"fabric", "kind", "seconds"}),
      m_prediction({"fabric", "part", "predicted_s", "simulated_s"}),
      m_groups({"fabric", "group", "bytes", "under_way_s", "slowest_bps"})
{
}

void
ReportPage::AddFact(const std::string& name, const std::string& value)
{
    m_facts.emplace_back(name, value);
}

void
ReportPage::Add(TrainingJob& job,
                const TrainingReport& report,
                const UtilisationMeter* meter,
                const CriticalPath* path)
{
    std::string run = report.fabric;
    while (std::find(m_runs.begin(), m_runs.end(), run) != m_runs.end())
    {
        // A fabric may be compared with itself
        run += " again";
    }
    m_runs.push_back(run);
    m_plans.emplace_back("Plan on " + run, job.GetPlan().strategy.Describe());
    AddRanks(run, report);
    if (path)
    {
        AddPath(run, *path);
    }
    AddPrediction(run, job.GetPlan(), report);
    if (meter)
    {
        m_networks.Add(run, job, *meter, report.bandwidth);
    }
}

void
ReportPage::AddRanks(const std::string& run, const TrainingReport& report)
{
    // Ranks with equal times, by their times, in the order of the first of each
    std::map<std::vector<double>, std::size_t> indices;
    std::vector<std::pair<std::vector<uint32_t>, std::vector<double>>> rows;
    for (uint32_t rank = 0; rank < report.ranks.size(); ++rank)
    {
        const auto parts = ListParts(report.ranks[rank]);
        const auto [found, isNew] = indices.emplace(parts, rows.size());
        if (isNew)
        {
            rows.emplace_back(std::vector<uint32_t>(), parts);
        }
        rows[found->second].first.push_back(rank);
    }
    const std::size_t size = (rows.size() + MAX_RANK_ROWS - 1) / MAX_RANK_ROWS;
    for (std::size_t i = 0; i < rows.size(); i += size)
    {
        std::vector<uint32_t> ranks;
        std::vector<double> sums(PARTS.size());
        for (std::size_t j = i; j < std::min(i + size, rows.size()); ++j)
        {
            const auto& [members, parts] = rows[j];
            ranks.insert(ranks.end(), members.begin(), members.end());
            for (std::size_t part = 0; part < PARTS.size(); ++part)
            {
                sums[part] += parts[part] * static_cast<double>(size > 1 ? members.size() : 1);
            }
        }
        std::sort(ranks.begin(), ranks.end());
        std::vector<std::string> row{run, ListRanks(ranks), std::to_string(ranks.size())};
        for (const double sum : sums)
        {
            row.push_back(
                CsvTable::ToText(size > 1 ? sum / static_cast<double>(ranks.size()) : sum));
        }
        m_ranks.AddRow(row);
    }
}

void
ReportPage::AddPath(const std::string& run, const CriticalPath& path)
{
    for (const auto& [kind, time] : path.GetSums())
    {
        m_pathSums.AddRow({run, kind, CsvTable::ToText(ToSeconds(time))});
    }
    const auto segments = path.GetMerged();
    // The longest ones stay
    Time least = TimeStep(-1);
    if (segments.size() > MAX_PATH_PARTS)
    {
        std::vector<Time> lengths;
        for (const auto& segment : segments)
        {
            lengths.push_back(segment.end - segment.begin);
        }
        const auto limit = lengths.begin() + MAX_PATH_PARTS;
        std::nth_element(lengths.begin(), limit, lengths.end(), std::greater<>());
        least = *limit;
    }
    for (const auto& segment : segments)
    {
        if (segment.end - segment.begin > least)
        {
            m_path.AddRow({run,
                           CsvTable::ToText(ToSeconds(segment.begin - path.GetBegin())),
                           CsvTable::ToText(ToSeconds(segment.end - path.GetBegin())),
                           segment.GetKindName(),
                           std::to_string(segment.rank),
                           std::to_string(segment.peer),
                           segment.name,
                           std::to_string(segment.bytes)});
        }
    }
}

void
ReportPage::AddPrediction(const std::string& run,
                          const TrainingPlan& plan,
                          const TrainingReport& report)
{
    if (plan.predictedSeconds <= 0)
    {
        return;
    }
    const auto add = [&](const std::string& part, double predicted, double simulated) {
        m_prediction.AddRow({run, part, CsvTable::ToText(predicted), CsvTable::ToText(simulated)});
    };
    add("iteration", plan.predictedSeconds, report.GetSteadySeconds());
    if (plan.cost.seconds > 0)
    {
        add("compute", plan.cost.computeSeconds, report.computeSeconds);
        add("waiting", plan.cost.waitingSeconds, report.GetSteadySeconds() - report.computeSeconds);
    }
    for (std::size_t kind = 0; kind < plan.cost.groups.size(); ++kind)
    {
        const auto& group = plan.cost.groups[kind];
        if (group.bytes > 0)
        {
            m_groups.AddRow({run,
                             RankGroups::GetKindName(kind),
                             std::to_string(group.bytes),
                             CsvTable::ToText(group.seconds),
                             CsvTable::ToText(group.bitRate)});
        }
    }
}

void
ReportPage::Write(std::ostream& os, const std::vector<TrainingReport>& reports) const
{
    NS_ABORT_MSG_UNLESS(reports.size() == m_runs.size(),
                        "A page on " << m_runs.size() << " jobs needs the report of each one, not "
                                     << reports.size() << " reports");
    CsvTable facts({"name", "value"});
    for (const auto* const list : {&m_facts, &m_plans})
    {
        for (const auto& [name, value] : *list)
        {
            facts.AddRow({name, value});
        }
    }
    os << GetReportPageHead();
    PrintBlock(os, "run", facts);
    PrintBlock(os, "results", MakeResults(reports, m_runs));
    PrintBlock(os, "costs", MakeCosts(reports, m_runs));
    PrintBlock(os, "details", MakeDetails(reports, m_runs));
    PrintBlock(os, "ranks", m_ranks);
    PrintBlock(os, "path", m_path);
    PrintBlock(os, "path_sums", m_pathSums);
    PrintBlock(os, "networks", m_networks.GetNetworks());
    PrintBlock(os, "traffic", m_networks.GetTraffic());
    PrintBlock(os, "utilisation", m_networks.GetUtilisation());
    PrintBlock(os, "prediction", m_prediction);
    PrintBlock(os, "groups", m_groups);
    os << "<script>\n" << GetReportPageScript() << "</script>\n</body>\n</html>\n";
}

} // namespace lightpath
} // namespace ns3
