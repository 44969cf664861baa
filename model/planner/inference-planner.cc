/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "inference-planner.h"

#include "model/planner/search/strategy-space.h"
#include "model/planner/write/cache-transfer.h"
#include "model/planner/write/plan-builder.h"
#include "model/planner/write/replica-layout.h"
#include "model/planner/write/stage-program.h"
#include "model/planner/write/staged-model.h"

#include "ns3/double.h"
#include "ns3/model-zoo.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(InferencePlanner);

namespace
{

/// The most tokens of a prompt, and of an output.
constexpr uint64_t MOST_TOKENS = 100000000;

/// The most sequences at a time.
constexpr uint64_t MOST_SEQUENCES = 10000000;

} // namespace

/// The prefill or the decode phase.
struct InferencePlanner::Phase
{
    /**
     * Refuses, by std::invalid_argument, degrees that do not suit the model and the batch.
     *
     * @param phase the name of the phase
     * @param whole the problem of both phases
     * @param graph the graph of the phase
     * @param count the number of its GPUs
     * @param batch the number of its sequences
     * @param tensor GPUs of a replica
     * @param expert replicas that share out the experts
     */
    Phase(const std::string& phase,
          const PlanningProblem& whole,
          const OperatorGraph& graph,
          uint32_t count,
          uint64_t batch,
          uint32_t tensor,
          uint32_t expert);

    /**
     * @return the memory that each GPU needs; std::invalid_argument if it has less
     */
    MemoryUse GetMemory() const;

    /**
     * Add the groups of the phase to a plan.
     *
     * @param first the first rank of the phase
     * @param [in,out] plan the plan
     */
    void AddGroups(uint32_t first, TrainingPlan& plan) const;

    std::string name;                   //!< Its name
    PlanningProblem problem;            //!< Its graph, GPUs and sequences
    Strategy strategy;                  //!< Its degrees
    std::unique_ptr<StagedModel> model; //!< The model, shared out
};

InferencePlanner::Phase::Phase(const std::string& phase,
                               const PlanningProblem& whole,
                               const OperatorGraph& graph,
                               uint32_t count,
                               uint64_t batch,
                               uint32_t tensor,
                               uint32_t expert)
    : name(phase),
      problem(whole)
{
    problem.graph = graph;
    problem.gpus = count;
    problem.globalBatch = batch;
    strategy.dataParallel = std::max(count / tensor, 1U);
    strategy.tensorParallel = tensor;
    strategy.expertParallel = expert;
    try
    {
        PlanBuilder(problem).CheckDegrees(strategy);
        model = std::make_unique<StagedModel>(problem, strategy);
    }
    catch (const std::invalid_argument& error)
    {
        std::string text = error.what();
        const bool isOfExperts = text.rfind("ExpertParallel", 0) == 0;
        // Replicas follow from the GPUs of a phase
        const std::string option = "a multiple of DataParallel";
        if (const std::size_t place = text.find(option); place != std::string::npos)
        {
            text.replace(place, option.size(), "a multiple of their number");
        }
        throw std::invalid_argument(name + ": " + text +
                                    (isOfExperts ? ": give another --" + name + "Ep" : ""));
    }
}

MemoryUse
InferencePlanner::Phase::GetMemory() const
{
    const TensorSharing& sharing = model->GetSharing();
    const auto& operators = problem.graph.GetOperators();
    const auto getResultBytes = [&](uint32_t op) {
        const uint64_t bytes = model->GetBytes(operators[op].outputBytes);
        return sharing.GetLayout(op) == TensorSharing::Layout::WHOLE ? bytes
                                                                     : sharing.Divide(bytes);
    };
    MemoryUse memory;
    uint64_t cache = 0;
    uint64_t working = 0;
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        memory.parameters += sharing.GetParameters(operators[op]) * problem.graph.parameterBytes;
        cache += sharing.Divide(model->GetBytes(operators[op].contextBytes));
        uint64_t bytes = getResultBytes(op);
        for (const auto input : problem.graph.GetPredecessors(op))
        {
            bytes += getResultBytes(input);
        }
        working = std::max(working, bytes);
    }
    memory.activations = cache + working;
    const Accelerator& accelerator = problem.accelerator;
    if (memory.GetTotal() > accelerator.memoryBytes)
    {
        throw std::invalid_argument(
            "Memory: a GPU for " + name + " needs " + MemoryUse::ToGib(memory.GetTotal()) +
            " GiB (parameters " + MemoryUse::ToGib(memory.parameters) + ", keys and values " +
            MemoryUse::ToGib(cache) + ", activations " + MemoryUse::ToGib(working) +
            "), but the accelerator " + accelerator.name + " has " +
            MemoryUse::ToGib(accelerator.memoryBytes) + " GiB: use " +
            (memory.parameters <= cache ? "fewer or shorter sequences, or more GPUs"
                                        : "more GPUs for each replica"));
    }
    return memory;
}

void
InferencePlanner::Phase::AddGroups(uint32_t first, TrainingPlan& plan) const
{
    TrainingPlan own;
    own.strategy = strategy;
    ReplicaLayout::ApplyStages({nullptr}, own);
    plan.groups.resize(std::max(plan.groups.size(), own.groups.size()));
    for (uint32_t kind = 0; kind < own.groups.size(); ++kind)
    {
        for (uint32_t rank = 0; rank < problem.gpus; ++rank)
        {
            std::vector<uint32_t> members = own.groups[kind].GetMembers(rank);
            if (members.empty() || members.front() != rank)
            {
                continue;
            }
            for (auto& member : members)
            {
                member += first;
            }
            plan.groups[kind].Add(std::move(members));
        }
    }
}

TypeId
InferencePlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::InferencePlanner")
            .SetParent<Planner>()
            .SetGroupName("Lightpath")
            .AddConstructor<InferencePlanner>()
            .AddAttribute("PromptTokens",
                          "Tokens of a prompt",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&InferencePlanner::m_promptTokens),
                          MakeUintegerChecker<uint64_t>(1, MOST_TOKENS))
            .AddAttribute("OutputTokens",
                          "Tokens that are generated for a prompt",
                          UintegerValue(256),
                          MakeUintegerAccessor(&InferencePlanner::m_outputTokens),
                          MakeUintegerChecker<uint64_t>(2, MOST_TOKENS))
            .AddAttribute("PrefillGpus",
                          "Number of GPUs for the prefill, the first ones",
                          UintegerValue(1),
                          MakeUintegerAccessor(&InferencePlanner::m_prefillGpus),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PrefillTensorParallel",
                          "Number of GPUs that share each operator of the prefill",
                          UintegerValue(1),
                          MakeUintegerAccessor(&InferencePlanner::m_prefillTensor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("PrefillExpertParallel",
                          "Number of successive replicas for the prefill that share out the "
                          "experts of each layer",
                          UintegerValue(1),
                          MakeUintegerAccessor(&InferencePlanner::m_prefillExpert),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DecodeTensorParallel",
                          "Number of GPUs that share each operator of a decode step",
                          UintegerValue(1),
                          MakeUintegerAccessor(&InferencePlanner::m_decodeTensor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DecodeExpertParallel",
                          "Number of successive replicas for the decode phase that share out the "
                          "experts of each layer",
                          UintegerValue(1),
                          MakeUintegerAccessor(&InferencePlanner::m_decodeExpert),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DecodeBatch",
                          "Number of sequences that a decode step generates a token for; 0 for "
                          "those of the prefill",
                          UintegerValue(0),
                          MakeUintegerAccessor(&InferencePlanner::m_decodeBatch),
                          MakeUintegerChecker<uint64_t>(0, MOST_SEQUENCES))
            .AddAttribute("DecodeLaunch",
                          "Time to launch an operator of a decode step, all of which GPUs replay "
                          "as one captured graph, in place of that of the accelerator",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&InferencePlanner::m_decodeLaunch),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DecodeMemoryEfficiency",
                          "Share of the peak of the memory that products of few rows and attention "
                          "over the cache reach in a decode step, in place of that of training",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&InferencePlanner::m_decodeMemory),
                          MakeDoubleChecker<double>(0.01, 1));
    return tid;
}

uint64_t
InferencePlanner::GetDecodeBatch(const PlanningProblem& problem) const
{
    return m_decodeBatch > 0 ? m_decodeBatch : problem.globalBatch;
}

void
InferencePlanner::MakeGraphs(const std::string& model, PlanningProblem& problem)
{
    // Sequences of the replicas that share a set of experts
    const auto count = [](uint64_t batch, uint32_t gpus, uint32_t tensor, uint32_t expert) {
        return std::max<uint64_t>(batch * tensor * expert / std::max(gpus, 1U), 1);
    };
    InferenceStep step;
    step.tokens = m_promptTokens;
    step.sequences = count(problem.globalBatch, m_prefillGpus, m_prefillTensor, m_prefillExpert);
    step.gpus = m_prefillTensor;
    problem.graph = ModelZoo::CreateInference(model, step);
    step.gpus = m_decodeTensor;
    m_handover = ModelZoo::CreateInference(model, step);
    step.tokens = 1;
    // The first token is that of the prefill, and no step reads the last one
    step.cached = m_promptTokens + (m_outputTokens - 2) / 2;
    step.capacity = m_promptTokens + m_outputTokens - 1;
    step.sequences = count(GetDecodeBatch(problem),
                           problem.gpus - std::min(m_prefillGpus, problem.gpus),
                           m_decodeTensor,
                           m_decodeExpert);
    m_decode = ModelZoo::CreateInference(model, step);
}

TrainingPlan
InferencePlanner::TryPlanSmallest(const std::string& model,
                                  PlanningProblem& problem,
                                  uint32_t prefill,
                                  uint32_t decode)
{
    std::string refusal;
    const uint32_t decodeGpus = problem.gpus > m_prefillGpus ? problem.gpus - m_prefillGpus : 1;
    const auto getDegrees = [](uint32_t given, uint32_t gpus) {
        return given > 0 ? std::vector<uint64_t>{given} : StrategySpace::GetDivisors(gpus);
    };
    for (const auto ofPrefill : getDegrees(prefill, m_prefillGpus))
    {
        for (const auto ofDecode : getDegrees(decode, decodeGpus))
        {
            m_prefillTensor = static_cast<uint32_t>(ofPrefill);
            m_decodeTensor = static_cast<uint32_t>(ofDecode);
            try
            {
                MakeGraphs(model, problem);
                return TryPlan(problem);
            }
            catch (const std::invalid_argument& error)
            {
                // More GPUs or experts in parallel remedy a lack of memory
                const std::string text = error.what();
                refusal = refusal.empty() || text.rfind("Memory", 0) == 0 ? text : refusal;
            }
        }
    }
    throw std::invalid_argument(refusal);
}

uint64_t
InferencePlanner::GetCacheBytes(const OperatorGraph& graph)
{
    const auto& operators = graph.GetOperators();
    return std::accumulate(
        operators.begin(),
        operators.end(),
        uint64_t{0},
        [](uint64_t bytes, const Operator& op) { return bytes + op.contextBytes; });
}

uint64_t
InferencePlanner::GetTransferBytes() const
{
    return GetCacheBytes(m_handover);
}

void
InferencePlanner::Check(const PlanningProblem& problem) const
{
    for (const auto* graph : {&problem.graph, &m_decode})
    {
        const auto& operators = graph->GetOperators();
        const bool isInference =
            std::all_of(operators.begin(), operators.end(), [](const auto& op) {
                return op.pass == Pass::FORWARD;
            });
        if (!isInference || GetCacheBytes(*graph) == 0)
        {
            throw std::invalid_argument(
                "Inference needs the graphs of a prefill and of a decode step, with forward "
                "operators alone and a cache, as MakeGraphs() makes them");
        }
    }
    if (m_prefillGpus >= problem.gpus)
    {
        throw std::invalid_argument("The " + std::to_string(m_prefillGpus) +
                                    " GPUs for prefill leave none of " +
                                    std::to_string(problem.gpus) + " for decode");
    }
    const uint32_t server = problem.fabric.servers.layout.gpus;
    if (m_prefillGpus % server != 0)
    {
        // The largest servers that belong to one phase
        const uint32_t common = std::gcd(m_prefillGpus, problem.gpus);
        uint32_t parts = 1;
        while (common % parts != 0 || common / parts > server)
        {
            ++parts;
        }
        throw std::invalid_argument("The " + std::to_string(m_prefillGpus) +
                                    " GPUs for prefill share a server with those for decode: "
                                    "their number must be a multiple of the " +
                                    std::to_string(server) + " GPUs of a server, or give " +
                                    "--serverGpus=" + std::to_string(common / parts));
    }
    if (std::max(m_prefillTensor, m_decodeTensor) % std::min(m_prefillTensor, m_decodeTensor) != 0)
    {
        throw std::invalid_argument(
            "GPUs hand over the same number of heads each: of the tensor-parallel degrees of "
            "prefill and decode, " +
            std::to_string(m_prefillTensor) + " and " + std::to_string(m_decodeTensor) +
            ", one must be a multiple of the other");
    }
}

void
InferencePlanner::WritePrograms(const Phase& prefill, const Phase& decode, TrainingPlan& plan) const
{
    const uint32_t tensor = prefill.strategy.tensorParallel;
    const uint32_t decodeTensor = decode.strategy.tensorParallel;
    // Successive sequences go from successive replicas to successive replicas
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sequences;
    const uint64_t batch = prefill.problem.globalBatch;
    for (uint64_t sequence = 0; sequence < batch; ++sequence)
    {
        ++sequences[{sequence * prefill.strategy.dataParallel / batch,
                     sequence * decode.strategy.dataParallel / batch}];
    }
    const uint32_t shares = std::max(tensor, decodeTensor);
    std::vector<std::vector<CacheTransfer::Link>> links(prefill.problem.gpus + decode.problem.gpus);
    for (const auto& [replicas, count] : sequences)
    {
        for (uint32_t share = 0; share < shares; ++share)
        {
            const uint32_t from = replicas.first * tensor + share * tensor / shares;
            const uint32_t to = prefill.problem.gpus + replicas.second * decodeTensor +
                                share * decodeTensor / shares;
            links[from].push_back({to, count});
            links[to].push_back({from, count});
        }
    }
    for (uint32_t rank = 0; rank < links.size(); ++rank)
    {
        const bool isPrefill = rank < prefill.problem.gpus;
        StageProgram writer(isPrefill ? *prefill.model : *decode.model, 0);
        writer.SetTransfer(CacheTransfer(isPrefill ? TaskKind::SEND : TaskKind::RECEIVE,
                                         m_handover,
                                         std::move(links[rank]),
                                         shares));
        plan.programs.push_back(writer.Write(0));
    }
}

TrainingPlan
InferencePlanner::DoPlan(const PlanningProblem& problem) const
{
    Check(problem);
    // Engines have kernels for few rows, and one for all experts
    PlanningProblem served = problem;
    served.accelerator.boundedRamp = true;
    served.accelerator.expertRamp = 0;
    const Phase prefill("prefill",
                        served,
                        problem.graph,
                        m_prefillGpus,
                        problem.globalBatch,
                        m_prefillTensor,
                        m_prefillExpert);
    PlanningProblem captured = served;
    captured.accelerator.launchSeconds = m_decodeLaunch.GetSeconds();
    captured.accelerator.memoryEfficiency = m_decodeMemory;
    const Phase decode("decode",
                       captured,
                       m_decode,
                       problem.gpus - m_prefillGpus,
                       GetDecodeBatch(problem),
                       m_decodeTensor,
                       m_decodeExpert);
    TrainingPlan plan;
    plan.protocols = problem.protocols;
    uint32_t first = 0;
    for (const auto* phase : {&prefill, &decode})
    {
        const MemoryUse memory = phase->GetMemory();
        plan.memory.insert(plan.memory.end(), phase->problem.gpus, memory);
        plan.memoryBytes = std::max(plan.memoryBytes, memory.GetTotal());
        phase->AddGroups(first, plan);
        first += phase->problem.gpus;
    }
    std::vector<uint32_t> ranks(problem.gpus);
    std::iota(ranks.begin(), ranks.end(), 0);
    plan.groups.resize(std::max<std::size_t>(plan.groups.size(), PIPELINE_GROUP + 1));
    plan.groups[PIPELINE_GROUP].Add(std::move(ranks));
    WritePrograms(prefill, decode, plan);
    return plan;
}

} // namespace lightpath
} // namespace ns3
