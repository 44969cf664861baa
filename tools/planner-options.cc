/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-options.h"

#include "example-support.h"
#include "model/base/named-enum.h"
#include "model/collective/algorithm-table.h"

#include "ns3/boolean.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @tparam R the type of the table
 * @param option the name of the option
 * @param name the name that the option gives
 * @param rows the table of the names that are known
 * @return the name as in attributes
 */
template <typename R>
std::string
ParseName(const std::string& option, const std::string& name, const R& rows)
{
    std::vector<std::pair<std::string, std::string>> known;
    for (const auto& row : rows)
    {
        known.emplace_back(row.name, NamedEnum::GetAttributeName(row.name));
    }
    return ParseWord(option, name, known);
}

} // namespace

Ptr<Planner>
PlannerOptions::Create(const std::string& name)
{
    if (!Planner::FindType(name).HasConstructor())
    {
        std::string list;
        for (const auto& known : Planner::GetNames())
        {
            list += (list.empty() ? "" : ", ") + known;
        }
        throw std::invalid_argument("There is no planner '" + name + "': the known ones are " +
                                    list);
    }
    return Planner::Create(name);
}

bool
PlannerOptions::SetPlanningTime(Planner& planner, const std::string& time)
{
    const Time budget = ParseTime(time);
    if (budget.IsZero())
    {
        throw std::invalid_argument("--planningTime=" + time +
                                    " leaves no time to plan: give a time above 0, like 10s");
    }
    return planner.SetAttributeFailSafe("TimeBudget", TimeValue(budget));
}

void
PlannerOptions::AddTo(CommandLine& cmd)
{
    std::string names;
    for (const auto& name : Planner::GetNames())
    {
        names += (names.empty() ? "" : ", ") + name;
    }
    cmd.AddValue("planner", "Planner: " + names, m_planner);
    cmd.AddValue("planningTime", "Time that the search planner may take, like 10s", m_planningTime);
    cmd.AddValue("seed", "Seed of the search planner; 0: its default", m_seed);
    cmd.AddValue("splitMode",
                 "What pieces of the sip-ml planner are a share of: attribute, parameter, sample, "
                 "overlap",
                 m_splitMode);
    cmd.AddValue("dp", "Data-parallel degree; 0: planner's choice", m_dp);
    cmd.AddValue("tp", "Tensor-parallel degree of the fixed planner; 0: 1", m_tp);
    cmd.AddValue("pp", "Pipeline stages of the fixed planner; 0: 1", m_pp);
    cmd.AddValue("ep", "Replicas that share out the experts of each layer; 0: 1", m_ep);
    cmd.AddValue("virtualStages", "Parts of the layers of each stage; 0: 1", m_virtualStages);
    cmd.AddValue("microbatch", "Samples of a microbatch; 0: all of a replica", m_microbatch);
    cmd.AddValue("recompute",
                 "Recomputation: " + NamedEnum::ListNames(RecomputationName::GetAll()),
                 m_recompute);
    cmd.AddValue("sequenceParallel",
                 "Split by token what tensor parallelism leaves whole",
                 m_sequenceParallel);
    cmd.AddValue(
        "zero",
        "Shared out over the replicas: 1: optimiser state, 2: gradients too, 3: parameters too",
        m_zero);
    cmd.AddValue("allReduce",
                 "Algorithm over the replicas, of the fixed planner: " +
                     NamedEnum::ListNames(AlgorithmTable::GetChoices()),
                 m_allReduce);
}

void
PlannerOptions::Check() const
{
    constexpr int64_t most = 1000000;
    CheckRange("seed", m_seed, 0, INT64_MAX);
    CheckRange("dp", m_dp, 0, most);
    CheckRange("tp", m_tp, 0, most);
    CheckRange("pp", m_pp, 0, most);
    CheckRange("ep", m_ep, 0, most);
    CheckRange("virtualStages", m_virtualStages, 0, most);
    CheckRange("microbatch", m_microbatch, 0, INT64_MAX);
    CheckRange("zero", m_zero, 0, 3);
}

Ptr<Planner>
PlannerOptions::MakeFixedPlanner() const
{
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(m_dp));
    planner->SetAttribute("TensorParallel", UintegerValue(std::max<int64_t>(m_tp, 1)));
    planner->SetAttribute("PipelineParallel", UintegerValue(std::max<int64_t>(m_pp, 1)));
    planner->SetAttribute("ExpertParallel", UintegerValue(std::max<int64_t>(m_ep, 1)));
    planner->SetAttribute("VirtualStages", UintegerValue(std::max<int64_t>(m_virtualStages, 1)));
    planner->SetAttribute("Microbatch", UintegerValue(m_microbatch));
    const std::string recomputation =
        ParseName("recompute", m_recompute, RecomputationName::GetAll());
    planner->SetAttribute("Recomputation", StringValue(recomputation));
    planner->SetAttribute("SequenceParallel", BooleanValue(m_sequenceParallel));
    planner->SetAttribute("ZeroStage", UintegerValue(m_zero));
    const std::string algorithm = ParseName("allReduce", m_allReduce, AlgorithmTable::GetChoices());
    planner->SetAttribute("DataAlgorithm", StringValue(algorithm));
    planner->SetAttribute("DataRings", UintegerValue(m_allReduce == "multi-ring" ? 2 : 1));
    return planner;
}

void
PlannerOptions::CheckModel(const std::string& name) const
{
    if (m_tp <= 1 || name.find(".json") != std::string::npos)
    {
        return;
    }
    const ModelOptions model = ModelZoo::GetOptions(name);
    for (const auto& option : model.GetOptions())
    {
        const bool isHeads = option.name == "heads" || option.name == "kvHeads";
        const uint64_t heads = isHeads ? model.GetNumber(option.name) : 0;
        if (heads > 0 && heads < static_cast<uint64_t>(m_tp))
        {
            throw std::invalid_argument("--tp=" + std::to_string(m_tp) + " exceeds the " +
                                        option.name + " of " + model.GetModel() + ", " +
                                        std::to_string(heads) +
                                        ": each GPU needs an attention head at least");
        }
    }
}

void
PlannerOptions::CheckBelonging() const
{
    const bool hasFixedOption = m_pp > 0 || m_ep > 0 || m_virtualStages > 0 || m_microbatch > 0 ||
                                m_recompute != "none" || m_sequenceParallel || m_zero > 0 ||
                                m_allReduce != "automatic";
    if (m_planner == "sip-ml" && m_tp > 0)
    {
        throw std::invalid_argument(
            "--tp belongs to --planner=fixed; the sip-ml planner takes --dp only");
    }
    if (m_planner == "sip-ml" && hasFixedOption)
    {
        throw std::invalid_argument(
            "--pp, --ep, --virtualStages, --microbatch, --recompute, --sequenceParallel, --zero "
            "and --allReduce belong to --planner=fixed; the sip-ml planner takes --dp only");
    }
    if (m_planner != "sip-ml" && !m_splitMode.empty())
    {
        throw std::invalid_argument("--splitMode belongs to --planner=sip-ml; the " + m_planner +
                                    " planner has no pieces of operators");
    }
    const bool decidesAll = m_planner != "sip-ml" && m_planner != "fixed";
    if (decidesAll && (m_dp > 0 || m_tp > 0 || hasFixedOption))
    {
        throw std::invalid_argument("--dp, --tp, --pp, --ep, --virtualStages, --microbatch, "
                                    "--recompute, --sequenceParallel, --zero "
                                    "and --allReduce belong to --planner=fixed; the " +
                                    m_planner + " planner decides on all of them");
    }
}

Ptr<Planner>
PlannerOptions::MakePlanner() const
{
    const auto planner = Create(m_planner);
    CheckBelonging();
    if (!m_planningTime.empty() && !SetPlanningTime(*planner, m_planningTime))
    {
        throw std::invalid_argument("--planningTime belongs to --planner=search; the " + m_planner +
                                    " planner has no limit of time");
    }
    if (m_seed > 0 && !planner->SetAttributeFailSafe("Seed", UintegerValue(m_seed)))
    {
        throw std::invalid_argument("--seed belongs to --planner=search; the " + m_planner +
                                    " planner leaves nothing to chance");
    }
    if (m_planner == "sip-ml")
    {
        planner->SetAttribute("DataParallel", UintegerValue(m_dp));
        if (!m_splitMode.empty())
        {
            const auto mode = ParseWord("splitMode",
                                        m_splitMode,
                                        {{"attribute", "Attribute"},
                                         {"parameter", "Parameter"},
                                         {"sample", "Sample"},
                                         {"overlap", "Overlap"}});
            planner->SetAttribute("SplitMode", StringValue(mode));
        }
    }
    return m_planner == "fixed" ? MakeFixedPlanner() : planner;
}

const std::string&
PlannerOptions::GetName() const
{
    return m_planner;
}
