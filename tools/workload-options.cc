/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-options.h"

#include "model/plan/exchange/chakra-reader.h"
#include "model/plan/exchange/chakra-writer.h"
#include "option-values.h"

#include "ns3/accelerator.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
WorkloadOptions::AddTo(ProgramOptions& options)
{
    const std::string subject = "Work from files, in place of a model";
    options.BeginGroup(subject);
    options.AddValue("workload",
                     "Chakra traces, by what their names begin with before .RANK.et, or with * for "
                     "the rank",
                     m_pattern);
    options.AddValue(
        "chakra",
        "Write the plan as Chakra traces, whose names begin so, or with * for the rank",
        m_traces);
    options.BeginGroup(subject, {"--workload"});
    options.AddValue("workloadGroups",
                     "File with the ranks of the groups that traces name, like {\"1\": [0, 1]}",
                     m_groups);
    options.AddValue("workloadDimensions",
                     "Sizes of the dimensions of ranks, the innermost first, like 8,4",
                     m_dimensions);
    options.AddValue("workloadAlgorithm",
                     "Algorithm of its all-reduce, reduce-scatter and all-gather",
                     m_algorithm);
    options.AddValue("workloadRoofline",
                     "Compute the times of operators from their sizes also where they were "
                     "recorded",
                     m_isComputed);
}

bool
WorkloadOptions::IsGiven() const
{
    return !m_pattern.empty();
}

void
WorkloadOptions::AddOwner(std::set<std::string>& owners) const
{
    if (IsGiven())
    {
        owners.insert("--workload");
    }
}

void
WorkloadOptions::Read(const ProgramOptions& options,
                      const std::string& accelerator,
                      uint32_t& gpus,
                      std::string& model)
{
    if (!IsGiven())
    {
        return;
    }
    options.CheckWithout("workload",
                         {"model",
                          "batch",
                          "memory",
                          "profile",
                          "splitting",
                          "planner",
                          "expertLoad",
                          "loadCorrelation",
                          "capacity",
                          "fold",
                          "explain",
                          "planningLog",
                          "--planner=fixed",
                          "--planner=search",
                          "--planner=sip-ml"});
    ChakraSettings settings;
    settings.accelerator = Accelerator::Create(accelerator);
    settings.isComputed = m_isComputed;
    settings.algorithm = CollectiveSchedule::GetAlgorithm(m_algorithm);
    for (const auto& size : SplitList(m_dimensions))
    {
        settings.dimensions.push_back(
            static_cast<uint32_t>(ParseNumber("workloadDimensions", size, 1, UINT32_MAX)));
    }
    if (!m_groups.empty())
    {
        std::ifstream is(m_groups);
        std::ostringstream text;
        if (!(text << is.rdbuf()))
        {
            throw std::invalid_argument("--workloadGroups=" + m_groups +
                                        " cannot be read: name a file of groups");
        }
        settings.groups = Communicators::Read(text.str(), m_groups);
    }
    m_plan = ChakraReader::ReadFiles(m_pattern, settings);
    const auto ranks = static_cast<uint32_t>(m_plan.programs.size());
    if (options.IsGiven("gpus") && gpus != ranks)
    {
        throw std::invalid_argument("--gpus=" + std::to_string(gpus) + " differs from the " +
                                    std::to_string(ranks) + " ranks of " + m_pattern +
                                    ": leave out --gpus");
    }
    gpus = ranks;
    model = m_pattern;
    m_plan.workload = m_pattern + (m_plan.workload.empty() ? "" : ", " + m_plan.workload);
}

const TrainingPlan&
WorkloadOptions::GetPlan() const
{
    return m_plan;
}

void
WorkloadOptions::Write(const TrainingPlan& plan) const
{
    if (!m_traces.empty())
    {
        ChakraWriter(plan).WriteFiles(m_traces);
    }
}
