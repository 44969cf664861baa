/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-options.h"

#include "model/plan/exchange/chakra-reader.h"
#include "model/plan/exchange/chakra-writer.h"
#include "model/plan/exchange/text-workload-reader.h"
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
                     "Text workload of ASTRA-sim or SimAI; or Chakra traces, by what their names "
                     "begin with before .RANK.et, or with * for the rank",
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
    options.AddValue("workloadGather",
                     "What the sizes of ALLGATHER in a text workload are: total (what each rank "
                     "ends with), part (what it has before), or dialect (total for SimAI's)",
                     m_gather);
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
                          "framework",
                          "gradientNorm",
                          "expertLoad",
                          "loadCorrelation",
                          "capacity",
                          "explain",
                          "planningLog",
                          "--planner=fixed",
                          "--planner=search",
                          "--planner=sip-ml"});
    std::error_code error;
    if (std::filesystem::is_regular_file(m_pattern, error))
    {
        ReadText(options.IsGiven("gpus") ? gpus : 0);
    }
    else
    {
        ReadTraces(accelerator);
    }
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

std::vector<uint32_t>
WorkloadOptions::GetDimensions() const
{
    std::vector<uint32_t> dimensions;
    for (const auto& size : SplitList(m_dimensions))
    {
        dimensions.push_back(
            static_cast<uint32_t>(ParseNumber("workloadDimensions", size, 1, UINT32_MAX)));
    }
    return dimensions;
}

void
WorkloadOptions::ReadText(uint32_t gpus)
{
    if (m_pattern.size() > 3 && m_pattern.substr(m_pattern.size() - 3) == ".et")
    {
        throw std::invalid_argument("--workload=" + m_pattern +
                                    " is the trace of one rank: name what all traces begin with, "
                                    "before .RANK.et");
    }
    if (!m_groups.empty() || m_isComputed)
    {
        throw std::invalid_argument(
            "--workloadGroups and --workloadRoofline are for Chakra traces, "
            "but " +
            m_pattern + " is a text workload: leave them out");
    }
    const std::string size =
        ParseWord("workloadGather",
                  m_gather,
                  {{"dialect", "dialect"}, {"total", "total"}, {"part", "part"}});
    const GatherSize gather = size == "total"  ? GatherSize::TOTAL
                              : size == "part" ? GatherSize::PART
                                               : GatherSize::DIALECT;
    std::ifstream is(m_pattern);
    if (!is)
    {
        throw std::invalid_argument("--workload=" + m_pattern +
                                    " cannot be opened: check its permissions");
    }
    m_plan = TextWorkloadReader::Read(
        is,
        m_pattern,
        {gpus, GetDimensions(), CollectiveSchedule::GetAlgorithm(m_algorithm), gather});
}

void
WorkloadOptions::ReadTraces(const std::string& accelerator)
{
    ChakraSettings settings;
    settings.accelerator = Accelerator::Create(accelerator);
    settings.isComputed = m_isComputed;
    settings.algorithm = CollectiveSchedule::GetAlgorithm(m_algorithm);
    settings.dimensions = GetDimensions();
    if (!m_groups.empty())
    {
        std::ifstream is(m_groups);
        if (!is || is.peek() == std::char_traits<char>::eof())
        {
            throw std::invalid_argument("--workloadGroups=" + m_groups +
                                        " cannot be read: name a file of groups");
        }
        settings.groups = Communicators::Read(is, m_groups);
    }
    m_plan = ChakraReader::ReadFiles(m_pattern, settings);
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
