/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "critical-path-options.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
CriticalPathOptions::AddTo(ProgramOptions& options)
{
    options.AddValue("criticalPath",
                     "Print the chain of tasks and messages that decides the last iteration, and "
                     "add it to the JSON",
                     m_isAsked);
}

void
CriticalPathOptions::Check(bool planOnly) const
{
    if (m_isAsked && planOnly)
    {
        throw std::invalid_argument("--criticalPath belongs to a simulated iteration, and "
                                    "--planOnly simulates none: leave out one of them");
    }
}

std::unique_ptr<JobRecorder>
CriticalPathOptions::Record(Ptr<TrainingJob> job) const
{
    return m_isAsked ? std::make_unique<JobRecorder>(job) : nullptr;
}

void
CriticalPathOptions::Find(const std::string& fabric, const JobRecorder* recorder) const
{
    if (recorder)
    {
        m_paths->emplace_back(fabric, std::nullopt);
        if (recorder->GetIteration())
        {
            m_paths->back().second.emplace(*recorder);
        }
    }
}

void
CriticalPathOptions::Print(std::ostream& os) const
{
    for (const auto& [fabric, path] : *m_paths)
    {
        os << "\n" << fabric << ": ";
        if (path)
        {
            path->Print(os);
        }
        else
        {
            os << "no critical path, since the last iteration has not ended\n";
        }
    }
}

void
CriticalPathOptions::AddTo(nlohmann::ordered_json& runs) const
{
    // Runs that were refused have none
    auto run = runs.begin();
    for (const auto& [fabric, path] : *m_paths)
    {
        while (run->at("fabric") != fabric || run->count("refused") > 0)
        {
            ++run;
        }
        if (path)
        {
            (*run)["criticalPath"] = path->GetJson();
        }
        ++run;
    }
}
