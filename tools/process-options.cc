/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-options.h"

#include "model/parallel/process-group.h"
#include "run-watch.h"

#include <algorithm>
#include <functional>
#include <ios>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace ns3::lightpath;

void
ProcessOptions::Join(const ProgramOptions& options, int& argc, char**& argv)
{
    if (ProcessGroup::GetLaunched() == 0)
    {
        return;
    }
    ProcessGroup::Join(argc, argv);
    RunWatch::UseScheduler();
    if (ProcessGroup::GetSize() == 1)
    {
        return;
    }
    // Options that need the ranks of all processes or the wall clock, or that simulate twice
    for (const char* name : {"chakra",
                             "compare",
                             "criticalPath",
                             "fail",
                             "fold",
                             "planningTime",
                             "progress",
                             "report",
                             "timeline",
                             "timeout"})
    {
        if (options.IsGiven(name))
        {
            throw std::invalid_argument("--" + std::string(name) +
                                        " is for one process: leave it out, or start one process");
        }
    }
    if (options.GetValue("physicalLayer") == "errors")
    {
        throw std::invalid_argument("--physicalLayer=errors is for one process, as a receiver "
                                    "tells of a loss at once: start one process");
    }
}

void
ProcessOptions::CheckPlan(const TrainingPlan& plan)
{
    if (ProcessGroup::GetSize() == 1)
    {
        return;
    }
    if (plan.phaseCircuits)
    {
        throw std::invalid_argument("The plan wants other circuits in each phase, which all "
                                    "processes would have to reach at once: start one process");
    }
    std::ostringstream digest;
    digest << plan.strategy.GetName() << " " << std::hexfloat << plan.predictedSeconds << " "
           << plan.GetTraffic().GetTotal();
    const auto digests = ProcessGroup::Gather(digest.str());
    if (std::adjacent_find(digests.begin(), digests.end(), std::not_equal_to<>()) != digests.end())
    {
        throw std::runtime_error("The processes have made different plans: start all of them on "
                                 "machines of one kind, with the same options and files");
    }
}
