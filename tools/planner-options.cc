/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-options.h"

#include "model/base/nearest-name.h"
#include "option-values.h"

#include "ns3/model-zoo.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The owner of options of the fixed planner.
const std::vector<std::string> FIXED = {"--planner=fixed"};
const std::vector<std::string> SEARCH = {"--planner=search"}; //!< The same for the search
const std::vector<std::string> SIP_ML = {
    "--planner=sip-ml"}; //!< The same for the planner of SiP-ML

/// The options that set one attribute of a planner.
const std::vector<AttributeOption> PLANNER_OPTIONS = {
    {"dp",
     "FixedPlanner::DataParallel",
     "0",
     "Data-parallel degree; 0: the planner's choice",
     {"--planner=fixed", "--planner=sip-ml"}},
    {"tp", "FixedPlanner::TensorParallel", "1", "Tensor-parallel degree", FIXED},
    {"pp", "FixedPlanner::PipelineParallel", "1", "Pipeline stages", FIXED},
    {"cp",
     "FixedPlanner::ContextParallel",
     "1",
     "GPUs that share the tokens of each sample",
     FIXED},
    {"contextGather",
     "FixedPlanner::ContextGather",
     "false",
     "Gather keys and values before attention, in place of passing them around while it works",
     FIXED},
    {"ep",
     "FixedPlanner::ExpertParallel",
     "1",
     "GPUs of the same part of the model that share out the experts of each layer",
     FIXED},
    {"wholeExperts",
     "FixedPlanner::WholeExperts",
     "false",
     "Share out whole experts over the GPUs of a tensor-parallel group, too",
     FIXED},
    {"oncePerServer",
     "FixedPlanner::OncePerServer",
     "false",
     "Send a token to each server with experts of it once, and copy it there",
     FIXED},
    {"virtualStages",
     "FixedPlanner::VirtualStages",
     "1",
     "Parts of the layers of each stage",
     FIXED},
    {"schedule", "FixedPlanner::Schedule", "1f1b", "Order of the passes of a pipeline", FIXED},
    {"microbatch",
     "FixedPlanner::Microbatch",
     "0",
     "Samples of a microbatch; 0: all of a replica",
     FIXED},
    {"recompute",
     "FixedPlanner::Recomputation",
     "none",
     "Activations that the backward pass computes again",
     FIXED},
    {"sequenceParallel",
     "FixedPlanner::SequenceParallel",
     "false",
     "Split by token the operators that tensor parallelism leaves whole",
     FIXED},
    {"zero",
     "FixedPlanner::ZeroStage",
     "0",
     "State that the replicas share out: 1: the optimiser's, 2: gradients, too, 3: parameters, too",
     FIXED},
    {"shardGpus",
     "FixedPlanner::ShardGpus",
     "0",
     "GPUs that share out state, as those of a server (HSDP); 0: all with the same part of the "
     "model",
     FIXED},
    {"wholeGradients",
     "FixedPlanner::WholeGradients",
     "false",
     "With --zero=3, sum gradients over the replicas once, and not for each microbatch",
     FIXED},
    {"allReduce", "FixedPlanner::DataAlgorithm", "automatic", "Algorithm over the replicas", FIXED},
    {"divisors",
     "SipMlPlanner::Divisors",
     "true",
     "Try all common divisors of GPUs and batch as numbers of replicas, not only powers of two",
     SIP_ML},
    {"splitMode", "SipMlPlanner::SplitMode", "", "How pieces share an operator", SIP_ML},
    {"route", "SipMlPlanner::Route", "automatic", "Way of results to other GPUs", SIP_ML},
    {"sumGradients",
     "SipMlPlanner::SumGradients",
     "true",
     "Sum gradients over the replicas; false: send them to the next replica once, as in Rostam",
     SIP_ML},
    {"planningTime",
     "SearchPlanner::TimeBudget",
     "",
     "Time that the search may take, like 10s; default: a number of plans",
     SEARCH},
    {"seed", "SearchPlanner::Seed", "1", "Seed of the random moves of the search", SEARCH},
};

} // namespace

PlannerOptions::PlannerOptions()
    : m_attributes(PLANNER_OPTIONS)
{
}

Ptr<Planner>
PlannerOptions::Create(const std::string& name)
{
    if (!Planner::FindType(name).HasConstructor())
    {
        throw std::invalid_argument("There is no planner '" + name +
                                    "': " + ListKnown(name, Planner::GetNames()));
    }
    return Planner::Create(name);
}

void
PlannerOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Plan");
    options.AddValue("planner",
                     "Planner: " + JoinList(Planner::GetNames()) +
                         "; without it, the one that other options belong to, else search",
                     m_planner);
    options.AddValue("placement",
                     "Which port of the fabric each rank gets: automatic, linear, folded, an order "
                     "of axes like dp,pp,tp, or the name of a file with a port for each rank",
                     m_placement);
    options.AddValue("expertLoad",
                     "How tokens are spread over experts, drawn in each iteration: even, zipf:S "
                     "with the exponent S, or log-normal:S with the deviation S of the logarithm",
                     m_expertLoad);
    options.AddValue("loadCorrelation",
                     "Correlation of the popularity of an expert in successive iterations",
                     m_loadCorrelation);
    options.AddValue("capacity",
                     "Most tokens of an expert, relative to an even share; others are dropped; 0: "
                     "no limit",
                     m_capacity);
    m_attributes.AddTo(options);
    options.BeginGroup("Plan", {"--planner=fixed", "--planner=megatron", "--planner=search"});
    options.AddValue("framework",
                     "Training program, with or without options like megatron:graphs=yes: " +
                         JoinList(Framework::GetNames()) +
                         "; lightpath-model --frameworks lists what they set",
                     m_framework);
    options.AddValue("gradientNorm",
                     "Updates wait for the norm of the gradients of all GPUs, as gradient clipping "
                     "does; not for convolutions and sparse embeddings",
                     m_gradientNorm);
}

void
PlannerOptions::CheckModel(const std::string& name) const
{
    const uint64_t tensor = std::stoull(m_attributes.GetText("tp"));
    if (tensor <= 1 || name.find(".json") != std::string::npos)
    {
        return;
    }
    const ModelOptions model = ModelZoo::GetOptions(name);
    for (const auto& option : model.GetOptions())
    {
        const bool isHeads = option.name == "heads" || option.name == "kvHeads";
        const uint64_t heads = isHeads ? model.GetNumber(option.name) : 0;
        if (heads > 0 && heads < tensor)
        {
            throw std::invalid_argument("--tp=" + std::to_string(tensor) + " exceeds the " +
                                        option.name + " of " + model.GetModel() + ", " +
                                        std::to_string(heads) +
                                        ": each GPU needs an attention head at least");
        }
    }
}

Ptr<Planner>
PlannerOptions::MakePlanner() const
{
    const std::string time = m_attributes.GetText("planningTime");
    if (!time.empty() && ParseTime(time).IsZero())
    {
        throw std::invalid_argument("--planningTime=" + time +
                                    " leaves no time to plan: give a time above 0, like 10s");
    }
    const auto planner = Create(m_planner);
    const auto set = [&planner](const std::string& name, const AttributeValue& value) {
        planner->SetAttribute(name, value);
    };
    const std::string type = planner->GetInstanceTypeId().GetName();
    m_attributes.Apply(type.substr(type.rfind(':') + 1), set);
    if (m_planner == "sip-ml")
    {
        set("DataParallel", UintegerValue(std::stoull(m_attributes.GetText("dp"))));
    }
    if (!time.empty() && m_planner == "search")
    {
        // The time alone limits the search
        constexpr uint64_t most = 1000000000000;
        set("MaxEvaluations", UintegerValue(most));
    }
    if (m_attributes.GetText("allReduce") == "multi-ring")
    {
        set("DataRings", UintegerValue(2));
    }
    return planner;
}

ExpertLoad
PlannerOptions::GetExpertLoad() const
{
    ExpertLoad load = ExpertLoad::Parse(m_expertLoad);
    load.correlation = m_loadCorrelation;
    load.capacity = m_capacity;
    load.Check();
    return load;
}

Framework
PlannerOptions::GetFramework() const
{
    return Framework::Create(m_framework);
}

bool
PlannerOptions::HasGradientNorm() const
{
    return m_gradientNorm;
}

const std::string&
PlannerOptions::GetPlacement() const
{
    return m_placement;
}

const std::string&
PlannerOptions::GetName() const
{
    return m_planner;
}

void
PlannerOptions::ChooseDefault(const ProgramOptions& options)
{
    const auto own = std::find_if(
        PLANNER_OPTIONS.begin(),
        PLANNER_OPTIONS.end(),
        [&options](const AttributeOption& option) { return options.IsGiven(option.name); });
    if (!options.IsGiven("planner") && own != PLANNER_OPTIONS.end())
    {
        m_planner = own->owners.front().substr(std::string("--planner=").size());
    }
}

bool
PlannerOptions::FindsStrategy() const
{
    return m_planner == "search" || m_planner == "megatron";
}

bool
PlannerOptions::GivesStrategy() const
{
    return m_planner == "fixed";
}
