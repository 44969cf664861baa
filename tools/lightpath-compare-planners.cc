/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "child-processes.h"
#include "comparison-report.h"
#include "option-values.h"
#include "output-files.h"
#include "planner-cases.h"
#include "planner-comparison.h"
#include "planner-options.h"
#include "planning-curve.h"
#include "program-options.h"
#include "text-table.h"

#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/string.h"

#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Plans the same jobs by several planners, simulates all plans, and compares the times of an
 * iteration.
 */

using namespace ns3;

namespace
{

/// What the command line asks for.
struct Options
{
    std::string planners{"search,megatron,sip-ml,fixed"}; //!< Names of planners, with commas
    std::string planningTime;                             //!< Time that the search may take
    std::string cases;                                    //!< Part of the names of cases
    std::string format{"table"};                          //!< Format of the table
    std::string json;                                     //!< Name of the file for JSON
    int64_t jobs{1};                                      //!< Cases at a time
    bool curve{false};                                    //!< Show planning over its time
    bool list{false};                                     //!< List the cases
    bool check{false};                                    //!< Fail if a limit is not kept
};

/**
 * @param options the options
 * @return the names of the planners that are compared
 */
std::vector<std::string>
GetPlanners(const Options& options)
{
    const auto planners = SplitList(options.planners);
    if (planners.size() < 2)
    {
        throw std::invalid_argument("--planners=" + options.planners +
                                    " must name two planners at least, separated by commas");
    }
    for (const auto& planner : planners)
    {
        PlannerOptions::Create(planner);
    }
    return planners;
}

/**
 * Refuse options that are wrong by themselves.
 *
 * @param options the options
 */
void
Check(const Options& options)
{
    CheckRange("jobs", options.jobs, 1, 1024);
    TextTable::CheckFormat(options.format);
    CheckWritable(options.json);
    if (!options.planningTime.empty())
    {
        ParseTime(options.planningTime);
    }
    if (options.list && !options.json.empty())
    {
        throw std::invalid_argument("--json is for results, and --list has none: leave out one");
    }
    if (options.curve && (options.check || options.list || !options.cases.empty()))
    {
        throw std::invalid_argument("--curve has cases of its own and no limits: leave out "
                                    "--cases, --list and --check");
    }
}

/**
 * Print the cases, as options of lightpath-train.
 *
 * @param cases the cases
 */
void
List(const std::vector<PlannerCase>& cases)
{
    for (const auto& each : cases)
    {
        std::cout << "--model=" << each.model << " --gpus=" << each.gpus
                  << " --batch=" << each.batch << " --fabric=" << each.fabric
                  << " --bandwidth=" << each.bandwidth
                  << (each.darkness.empty() ? "" : " --reconfigurationDelay=" + each.darkness)
                  << "\n";
    }
    std::cout << cases.size() << " cases" << std::endl;
}

/**
 * Plan and simulate all cases.
 *
 * @param options the options
 * @param planners the names of the planners
 * @param cases the cases
 * @return the outcomes
 */
std::vector<ComparisonRow>
Compare(const Options& options,
        const std::vector<std::string>& planners,
        const std::vector<PlannerCase>& cases)
{
    const auto work = [&](std::size_t i) {
        const PlannerComparison comparison(cases[i]);
        auto outcomes = nlohmann::ordered_json::array();
        for (const auto& planner : planners)
        {
            outcomes.push_back(comparison.Run(planner, options.planningTime).GetJson());
        }
        return outcomes.dump();
    };
    const bool isTerminal = isatty(STDERR_FILENO) != 0;
    const auto progress = [&](std::size_t i, std::size_t ended) {
        if (isTerminal)
        {
            std::cerr << "\r\033[K" << ended << " of " << cases.size() << ": " << cases[i].GetName()
                      << (ended == cases.size() ? "\r\033[K" : "") << std::flush;
        }
    };
    const auto results = ChildProcesses(options.jobs).Run(cases.size(), work, progress);
    std::vector<ComparisonRow> rows;
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
        ComparisonRow row;
        row.name = cases[i].GetName();
        for (const auto& outcome : nlohmann::ordered_json::parse(results[i]))
        {
            row.outcomes.push_back(PlannerOutcome::Read(outcome));
        }
        rows.push_back(row);
    }
    return rows;
}

/**
 * Show how plans get better while they are searched for.
 *
 * @param options the options
 */
void
ShowCurves(const Options& options)
{
    std::vector<PlanningCurve> curves;
    auto json = nlohmann::ordered_json::array();
    for (const auto& each : GetCurveCases())
    {
        curves.emplace_back(each, options.planningTime);
        json.push_back(curves.back().GetJson());
    }
    if (options.json != "-")
    {
        PlanningCurve::Print(std::cout, options.format, curves);
    }
    if (!options.json.empty())
    {
        WriteJson({{"curves", json}}, options.json);
    }
}

/**
 * Do what the options ask for.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    Check(options);
    if (options.curve)
    {
        ShowCurves(options);
        return;
    }
    const auto cases = GetPlannerCases(options.cases);
    if (options.list)
    {
        List(cases);
        return;
    }
    const auto planners = GetPlanners(options);
    const ComparisonReport report(planners, Compare(options, planners, cases));
    if (options.json != "-")
    {
        report.Print(std::cout, options.format);
        CheckOutput();
    }
    if (!options.json.empty())
    {
        WriteJson(report.GetJson(), options.json);
    }
    if (options.check)
    {
        report.Check();
    }
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the cases were planned and simulated and, with --check, the limits are kept
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    // As many events wait as there are GPUs, and none is removed
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    ProgramOptions cmd("lightpath-compare-planners",
                       "Plan and simulate the same jobs with several planners and compare them.");
    cmd.AddValue("planners",
                 "Planners, separated by commas: the first is compared to the others",
                 options.planners);
    cmd.AddValue("planningTime",
                 "Time that the search may take for a case, like 5s; default: its own",
                 options.planningTime);
    cmd.AddValue("cases", "Cases with this part in their names only, like gpt*/64", options.cases);
    cmd.AddValue("list", "Print the cases, as options of lightpath-train", options.list);
    cmd.AddValue("jobs", "Cases at a time, each in a process of its own", options.jobs);
    cmd.AddValue("format", "table, csv, or rst for the documentation", options.format);
    cmd.AddValue("json", "File for the results as JSON; - for standard output", options.json);
    cmd.AddValue("curve", "Print how plans get better while they are sought", options.curve);
    cmd.AddValue("check", "Fail if the limits of the manual are not kept", options.check);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
