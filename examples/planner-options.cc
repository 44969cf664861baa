/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-options.h"

#include "example-support.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::lightpath;

void
PlannerOptions::AddTo(CommandLine& cmd)
{
    cmd.AddValue("planner", "Planner: sip-ml, fixed", m_planner);
    cmd.AddValue("dp", "Data-parallel degree; 0: planner's choice", m_dp);
    cmd.AddValue("tp", "Tensor-parallel degree of the fixed planner; 0: 1", m_tp);
    cmd.AddValue("pp", "Pipeline stages of the fixed planner; 0: 1", m_pp);
    cmd.AddValue("virtualStages", "Parts of the layers of each stage; 0: 1", m_virtualStages);
    cmd.AddValue("microbatch", "Samples of a microbatch; 0: all of a replica", m_microbatch);
    cmd.AddValue("recompute", "Recomputation: none, selective, full", m_recompute);
    cmd.AddValue("sequenceParallel",
                 "Split by token what tensor parallelism leaves whole",
                 m_sequenceParallel);
    cmd.AddValue(
        "zero",
        "Shared out over the replicas: 1: optimiser state, 2: gradients too, 3: parameters too",
        m_zero);
}

void
PlannerOptions::Check() const
{
    constexpr int64_t most = 1000000;
    CheckRange("dp", m_dp, 0, most);
    CheckRange("tp", m_tp, 0, most);
    CheckRange("pp", m_pp, 0, most);
    CheckRange("virtualStages", m_virtualStages, 0, most);
    CheckRange("microbatch", m_microbatch, 0, INT64_MAX);
    CheckRange("zero", m_zero, 0, 3);
}

Ptr<Planner>
PlannerOptions::MakeFixedPlanner(int64_t gpus) const
{
    const std::map<std::string, FixedPlanner::Recompute> kinds{
        {"none", FixedPlanner::NONE},
        {"selective", FixedPlanner::SELECTIVE},
        {"full", FixedPlanner::FULL}};
    const auto recompute = kinds.find(m_recompute);
    if (recompute == kinds.end())
    {
        throw std::invalid_argument("--recompute is '" + m_recompute +
                                    "', but must be none, selective or full");
    }
    const int64_t tp = std::max<int64_t>(m_tp, 1);
    const int64_t pp = std::max<int64_t>(m_pp, 1);
    if (m_dp == 0 && gpus % (tp * pp) != 0)
    {
        throw std::invalid_argument("--gpus=" + std::to_string(gpus) +
                                    " is not a multiple of --tp=" + std::to_string(tp) +
                                    (pp > 1 ? " times --pp=" + std::to_string(pp) : ""));
    }
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(m_dp > 0 ? m_dp : gpus / (tp * pp)));
    planner->SetAttribute("TensorParallel", UintegerValue(tp));
    planner->SetAttribute("PipelineParallel", UintegerValue(pp));
    planner->SetAttribute("VirtualStages", UintegerValue(std::max<int64_t>(m_virtualStages, 1)));
    planner->SetAttribute("Microbatch", UintegerValue(m_microbatch));
    planner->SetAttribute("Recomputation", EnumValue(recompute->second));
    planner->SetAttribute("SequenceParallel", BooleanValue(m_sequenceParallel));
    planner->SetAttribute("ZeroStage", UintegerValue(m_zero));
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

Ptr<Planner>
PlannerOptions::MakePlanner(int64_t gpus) const
{
    if (m_planner == "sip-ml")
    {
        if (m_tp > 0)
        {
            throw std::invalid_argument(
                "--tp belongs to --planner=fixed; the sip-ml planner takes --dp only");
        }
        if (m_pp > 0 || m_virtualStages > 0 || m_microbatch > 0 || m_recompute != "none" ||
            m_sequenceParallel || m_zero > 0)
        {
            throw std::invalid_argument(
                "--pp, --virtualStages, --microbatch, --recompute, --sequenceParallel and --zero "
                "belong to --planner=fixed; the sip-ml planner takes --dp only");
        }
        const auto planner = CreateObject<SipMlPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(m_dp));
        return planner;
    }
    if (m_planner == "fixed")
    {
        return MakeFixedPlanner(gpus);
    }
    throw std::invalid_argument("There is no planner '" + m_planner +
                                "': the known ones are fixed, sip-ml");
}
