/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/observation/csv-table.h"
#include "training-fixture.h"

#include "ns3/report-page-helper.h"
#include "ns3/training-job.h"
#include "ns3/training-report.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The cells of a row by the heads of their columns.
using PageRow = std::map<std::string, std::string>;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the numbers in a page on a job.
 */
class ReportPageTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Replicas compute for 10 us and some of them longer, and then sum gradients: a slow one has no
     * bubble, the others wait for it. Ranks with equal times share a row.
     *
     * @param ranks the number of replicas
     * @param slow the number of slow ones, with the first numbers
     * @param late the additional computation of a slow one, in us
     */
    void TestNumbers(uint32_t ranks, uint32_t slow, uint32_t late)
    {
        std::vector<RankProgram> programs(ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            programs[rank].AddTask(Compute((rank < slow ? 10 + late : 10) * 1e-6));
            programs[rank].AddTask(Collective(CollectiveKind::ALL_REDUCE, 1000 * ranks));
            programs[rank].AddDependency(0, 1);
        }
        TrainingPlan plan = MakePlan(programs);
        plan.predictedSeconds = 1.25e-5;
        TrainingRun run(plan, 1);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            run.circuits.AddLane(rank, (rank + 1) % ranks, {0, 0});
        }
        run.Install(0, 3);
        ReportPageHelper page;
        page.AddFact("Title", "Replicas");
        page.Watch(run.applications);
        Simulator::Run();
        TrainingReport report(run.job);
        report.fabric = "a<b>&c, \"d\"";
        page.Add(report);
        std::ostringstream html;
        page.Write(html);
        m_html = html.str();
        CheckRanks(report, {ranks, slow, late});
        CheckResults(report);
        CheckTraffic(report, ranks);
        NS_TEST_EXPECT_MSG_EQ(Read("run")[0]["value"], "Replicas", "Title");
        Near(Read("prediction")[0]["predicted_s"], 1.25e-5, "Prediction");
        Near(Read("prediction")[0]["simulated_s"], report.GetSteadySeconds(), "Simulation");
        for (const std::string request : {"http", "src=", "@import", "url(\""})
        {
            NS_TEST_EXPECT_MSG_EQ(m_html.find(request), std::string::npos, "Asks for " << request);
        }
        Simulator::Destroy();
    }

    /// Cells with commas, quotes and ends of lines are in quotes, as RFC 4180 tells.
    void TestQuotes()
    {
        CsvTable table({"a", "b"});
        table.AddRow({"1, 2", "say \"x\""});
        table.AddRow({"", "two\nlines"});
        std::ostringstream text;
        table.Print(text);
        NS_TEST_EXPECT_MSG_EQ(text.str(),
                              "a,b\n\"1, 2\",\"say \"\"x\"\"\"\n,\"two\nlines\"\n",
                              "Quotes");
        NS_TEST_EXPECT_MSG_EQ(CsvTable::ToText(1.0 / 3), "0.333333333333", "12 digits");
    }

  private:
    /// Replicas, slow ones, and their additional computation in us.
    struct Replicas
    {
        uint32_t ranks; //!< Number of all
        uint32_t slow;  //!< Number of slow ones
        uint32_t late;  //!< Additional computation, us
    };

    /**
     * @param text a number in the page
     * @param expected the number
     * @param name its name
     */
    void Near(const std::string& text, double expected, const std::string& name)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(std::stod(text), expected, 1e-11 * expected + 1e-18, name);
    }

    /**
     * @param name the name of a table
     * @return its rows, from the page
     */
    std::vector<PageRow> Read(const std::string& name)
    {
        const std::string tag = "<pre hidden data-table=\"" + name + "\">";
        const auto begin = m_html.find(tag);
        NS_TEST_EXPECT_MSG_NE(begin, std::string::npos, "The page has no table " << name);
        if (begin == std::string::npos)
        {
            return std::vector<PageRow>(1);
        }
        const auto from = begin + tag.size();
        std::string text = m_html.substr(from, m_html.find("</pre>", from) - from);
        const std::map<std::string, std::string> entities{{"&lt;", "<"},
                                                          {"&gt;", ">"},
                                                          {"&amp;", "&"}};
        std::vector<std::vector<std::string>> lines(1, {""});
        bool isQuoted = false;
        for (std::size_t i = 0; i < text.size(); ++i)
        {
            if (text[i] == '&')
            {
                const auto entity = text.substr(i, text.find(';', i) + 1 - i);
                lines.back().back() += entities.at(entity);
                i += entity.size() - 1;
            }
            else if (text[i] == '"')
            {
                // Two quotes within quotes are one
                const bool isSign = isQuoted && i + 1 < text.size() && text[i + 1] == '"';
                lines.back().back() += isSign ? "\"" : "";
                i += isSign ? 1 : 0;
                isQuoted = isSign || !isQuoted;
            }
            else if (text[i] == ',' && !isQuoted)
            {
                lines.back().emplace_back();
            }
            else if (text[i] == '\n' && !isQuoted)
            {
                lines.push_back({""});
            }
            else
            {
                lines.back().back() += text[i];
            }
        }
        std::vector<PageRow> rows;
        for (std::size_t line = 1; line + 1 < lines.size(); ++line)
        {
            rows.emplace_back();
            NS_TEST_EXPECT_MSG_EQ(lines[line].size(), lines[0].size(), "Cells of " << name);
            for (std::size_t column = 0; column < lines[0].size(); ++column)
            {
                rows.back()[lines[0][column]] = lines[line].at(column);
            }
        }
        return rows;
    }

    /**
     * @param report the report
     * @param replicas the job
     */
    void CheckRanks(const TrainingReport& report, const Replicas& replicas)
    {
        const bool hasBoth = replicas.late > 0 && replicas.slow < replicas.ranks;
        auto rows = Read("ranks");
        NS_TEST_ASSERT_MSG_EQ(rows.size(), (hasBoth ? 2U : 1U), "Equal ranks share a row");
        uint32_t ranks = 0;
        for (auto& row : rows)
        {
            const bool isSlow = hasBoth && &row == &rows.front();
            ranks += std::stoul(row["count"]);
            const bool isLate = isSlow || replicas.slow == replicas.ranks;
            Near(row["compute_s"], (10 + (isLate ? replicas.late : 0)) * 1e-6, "Computation");
            double sum = 0;
            for (const auto& [head, cell] : row)
            {
                const bool isPart = head.size() > 2 && head.substr(head.size() - 2) == "_s";
                sum += isPart ? std::stod(cell) : 0;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(sum,
                                      report.GetSteadySeconds(),
                                      1e-10 * sum,
                                      "The parts add up to the iteration");
            const double bubble = hasBoth && !isSlow ? replicas.late * 1e-6 : 0;
            // A late rank sends its part of the last step late, too
            NS_TEST_EXPECT_MSG_EQ_TOL(std::stod(row["bubble_s"]), bubble, 1e-15, "Bubble");
        }
        NS_TEST_EXPECT_MSG_EQ(ranks, replicas.ranks, "Each rank is in a row");
        if (hasBoth)
        {
            NS_TEST_EXPECT_MSG_EQ(rows[0]["count"], std::to_string(replicas.slow), "Slow ranks");
        }
    }

    /**
     * @param report the report
     */
    void CheckResults(const TrainingReport& report)
    {
        auto row = Read("results").at(0);
        NS_TEST_EXPECT_MSG_EQ(row["fabric"], report.fabric, "Signs of HTML and CSV");
        Near(row["iteration_s"], report.GetSteadySeconds(), "Iteration");
        Near(row["first_s"], report.iterationSeconds.front(), "First iteration");
        Near(row["compute_s"], report.computeSeconds, "Computation");
        Near(row["bubble_s"], report.bubbleSeconds, "Bubble");
        Near(row["exposed_s"], report.exposedCommunicationSeconds, "Exposed communication");
        NS_TEST_EXPECT_MSG_EQ(row["bytes_sent"], std::to_string(report.bytesSent), "Bytes");
        std::map<std::string, std::string> details;
        for (auto& detail : Read("details"))
        {
            details[detail["name"]] = detail[report.fabric];
        }
        const auto json = report.GetJson().flatten();
        NS_TEST_EXPECT_MSG_EQ(details.size(), json.size(), "Every number is in the page");
        for (const auto& item : json.items())
        {
            if (item.value().is_number())
            {
                Near(details[item.key().substr(1)], item.value().get<double>(), item.key());
            }
        }
    }

    /**
     * @param report the report
     * @param ranks the number of ranks
     */
    void CheckTraffic(const TrainingReport& report, uint32_t ranks)
    {
        uint64_t sum = 0;
        for (auto& row : Read("traffic"))
        {
            const uint64_t bytes = std::stoull(row["bytes"]);
            sum += bytes;
            NS_TEST_EXPECT_MSG_EQ(bytes, report.bytesSent / ranks, "Each rank sends as much");
            NS_TEST_EXPECT_MSG_EQ(row["lanes"], "1", "A circuit to the next rank");
            NS_TEST_EXPECT_MSG_EQ(std::stoul(row["destination"]),
                                  (std::stoul(row["source"]) + 1) % ranks,
                                  "Ring");
        }
        NS_TEST_EXPECT_MSG_EQ(sum, report.bytesSent, "Bytes sent");
        for (auto& row : Read("utilisation"))
        {
            double bits = 0;
            for (uint32_t bin = 0; row.count("b" + std::to_string(bin)) > 0; ++bin)
            {
                const auto& cell = row["b" + std::to_string(bin)];
                bits += cell.empty() ? 0 : std::stod(cell) * 1e9 * std::stod(row["bin_s"]);
            }
            // Rates have 4 digits
            NS_TEST_EXPECT_MSG_EQ_TOL(bits, 8 * std::stod(row["bytes"]), 5e-4 * bits, "Bits");
            NS_TEST_EXPECT_MSG_EQ(std::stod(row["capacity_bps"]), 8e9, "A lane of 8 Gb/s");
        }
    }

    std::string m_html; //!< The page
};

/// Registers the test cases
static const SuiteCases g_reportPageCases("lightpath-observation",
                                          {MakeCases("Numbers in the page: ranks, slow ones, late",
                                                     &ReportPageTests::TestNumbers,
                                                     {{2, 1, 0}, {2, 1, 20}, {8, 8, 5}}),
                                           {MakeCase("Quotes of comma-separated values",
                                                     &ReportPageTests::TestQuotes)}});

} // namespace
