/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/base/named-enum.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/boolean.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/string.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

using namespace ns3;
using namespace ns3::lightpath;

TrainingPlan
MakeStagePlan(const PlanningProblem& problem, const StageSettings& settings)
{
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("TensorParallel", UintegerValue(settings.tensor));
    planner->SetAttribute("PipelineParallel", UintegerValue(settings.pipeline));
    planner->SetAttribute("VirtualStages", UintegerValue(settings.chunks));
    planner->SetAttribute("Microbatch", UintegerValue(settings.microbatch));
    planner->SetAttribute(
        "Recomputation",
        StringValue(NamedEnum::GetAttributeName(RecomputationName::Get(settings.recomputation))));
    planner->SetAttribute("SequenceParallel", BooleanValue(settings.sequence));
    planner->SetAttribute("ZeroStage", UintegerValue(settings.zero));
    planner->SetAttribute("ExpertParallel", UintegerValue(settings.expert));
    return planner->TryPlan(problem);
}

PlanningProblem
MakeStageProblem(const std::string& model, uint32_t gpus, uint64_t batch)
{
    PlanningProblem problem;
    problem.graph = ModelZoo::Create(model);
    problem.accelerator = Accelerator::Create("A100");
    problem.accelerator.memoryBytes = UINT64_MAX;
    problem.fabric.bitRate = 1e12;
    problem.fabric.latency = 1e-6;
    problem.gpus = gpus;
    problem.globalBatch = batch;
    return problem;
}

namespace
{

/**
 * @ingroup lightpath-tests
 * @param inner the number of layers between the first and the last one, which take no time; each of
 *        them takes 10 us for a sample forward and 20 us backward, and keeps 1000 bytes
 * @param bytes the bytes between two layers, for a sample
 * @return a chain of layers
 */
OperatorGraph
MakeLayers(uint32_t inner, uint64_t bytes)
{
    OperatorGraph graph("layers");
    const uint32_t layers = inner + 2;
    const auto isInner = [&](uint32_t layer) { return layer > 0 && layer + 1 < layers; };
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        Operator op = MakeToyOperator("f" + std::to_string(layer),
                                      Pass::FORWARD,
                                      isInner(layer) ? 10 : 0,
                                      bytes);
        op.layer = layer;
        op.forward = layer;
        op.savedBytes = isInner(layer) ? 1000 : 0;
        graph.AddOperator(op);
        if (layer > 0)
        {
            graph.AddEdge(layer - 1, layer);
        }
    }
    for (uint32_t layer = layers; layer-- > 0;)
    {
        Operator op = MakeToyOperator("b" + std::to_string(layer),
                                      Pass::BACKWARD,
                                      isInner(layer) ? 20 : 0,
                                      bytes);
        op.layer = layer;
        op.forward = layer;
        const uint32_t index = graph.AddOperator(op);
        graph.AddEdge(index - 1, index);
        graph.AddEdge(layer, index);
    }
    return graph;
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param rank a rank
 * @param group a kind of group
 * @param prefix the beginning of the names of the tasks
 * @return the bytes that the rank sends in such tasks, on rings
 */
uint64_t
GetSent(const TrainingPlan& plan, uint32_t rank, uint32_t group, const std::string& prefix = "")
{
    uint64_t bytes = 0;
    for (const auto& task : plan.programs[rank]->GetTasks())
    {
        if (task.group != group || task.name.rfind(prefix, 0) != 0)
        {
            continue;
        }
        if (task.kind == TaskKind::SEND)
        {
            bytes += task.bytes;
        }
        else if (task.kind == TaskKind::COLLECTIVE)
        {
            const uint64_t n = plan.groups[group].GetMembers(rank).size();
            const uint64_t rounds = task.collective == CollectiveKind::ALL_REDUCE ? 2 : 1;
            bytes += rounds * (n - 1) * task.bytes / n;
        }
    }
    return bytes;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of pipelines, microbatches, recomputation and sequence parallelism.
 */
class StagePlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares pipelines without communication with the closed forms of their time, and the
     * activations that they keep with the published numbers of microbatches.
     */
    void TestPipelineBubble()
    {
        for (const uint32_t pipeline : {1, 2, 4, 8})
        {
            for (const uint32_t microbatches : {1, 2, 4, 8, 16})
            {
                Try(pipeline, 1, microbatches);
                for (const uint32_t chunks : {2, 3})
                {
                    if (pipeline > 1 && microbatches % pipeline == 0)
                    {
                        Try(pipeline, chunks, microbatches);
                    }
                }
            }
        }
    }

    /// Checks microbatches and recomputation on one GPU and on several.
    void TestRecomputation()
    {
        const PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=6,hidden=512,heads=8,feedForward=2048", 4, 8);
        for (const uint32_t tensor : {1, 2})
        {
            for (const uint32_t pipeline : {1, 2})
            {
                TryRecomputation(problem, tensor, pipeline);
            }
        }
    }

    /// Compares the traffic of a plan with the published volumes.
    void TestStageTraffic()
    {
        for (const uint32_t tensor : {1, 2, 4})
        {
            for (const uint32_t pipeline : {1, 2, 4})
            {
                TryStageTraffic(tensor, pipeline, 1, false);
                TryStageTraffic(tensor, pipeline, pipeline > 1 ? 2 : 1, tensor > 1);
            }
        }
    }

    /**
     * Compares the memory of a layer with Korthikanti et al., "Reducing activation recomputation
     * in large transformer models", 2022.
     */
    void TestStageMemory()
    {
        // 18 bytes for each parameter
        TryStageMemory({48, 6144, 64, 1, 1, 4, 1, 45.5625, 59.25, 9.5625});
        TryStageMemory({96, 12288, 96, 8, 3, 1, 64, 45.5625, 66.84, 12.35});
        TryStageMemory({105, 20480, 128, 35, 3, 1, 280, 31.64, 114.02, 23.08});
        TryStageMemory({128, 25600, 160, 64, 1, 1, 512, 32.96, 131.25, 26.56});
    }

    /**
     * Models that are cut to a few layers need the memory that Megatron-LM allocated on 8 B200:
     * Moore Threads, SimuMax 1.2, docs/b200. All terms are counted, and none is fitted.
     */
    void TestMeasuredMemory()
    {
        const std::string end = ",attention=causal,loss=fused,sequence=4096";
        const std::string llama = "llama-3-70b:layers=12" + end;
        const std::string large = "llama-3.1-405b:layers=4,kvHeads=16" + end;
        const std::string experts = "deepseek-v3:layers=4,denseLayers=1,futureTokens=0" + end;
        TryMeasuredMemory(llama, {1, 2, 1, 1}, 66.55);
        TryMeasuredMemory(llama, {8, 1, 1, 1}, 28.29);
        TryMeasuredMemory(large, {1, 2, 1, 1}, 87.08);
        TryMeasuredMemory(large, {2, 1, 1, 1}, 81.59);
        TryMeasuredMemory(experts, {1, 1, 1, 8}, 104.30);
        TryMeasuredMemory(experts, {1, 2, 1, 4}, 114.00);
    }

    /**
     * Follow the backward pass of two layers by hand: an input gradient of 1000 bytes a sample, of
     * 3 samples, exists beside the gradient that it is made from before 3000 bytes of activations
     * of the last layer are free. Nothing stands for gradients of 2 bytes.
     */
    void TestWorkspace()
    {
        const PlanningProblem problem = MakeToyProblem(MakeLayers(2, 1), 1, 3);
        StageSettings settings;
        settings.microbatch = 3;
        const MemoryUse use = MakeStagePlan(problem, settings).memory[0];
        NS_TEST_EXPECT_MSG_EQ(use.activations, 2 * 3 * 1000, "Of both layers");
        NS_TEST_EXPECT_MSG_EQ(use.GetTotal(),
                              use.parameters + use.gradients + use.optimizer + use.activations +
                                  use.workspace,
                              "All uses");
        // With gradients of 4 bytes a table of products of each shape has 2 bytes a parameter
        const auto getWorkspace = [](const std::string& options) {
            const PlanningProblem published = MakeStageProblem(
                "transformer:hidden=1024,heads=16,feedForward=4096,vocabulary=1536,biases=no" +
                    options,
                1,
                1);
            return PlanBuilder(published).GetMemory(Strategy()).front().workspace;
        };
        // Queries, keys and values; the output of attention; two products of as many parameters;
        // the table of the output
        const uint64_t shapes = 3 * 1024 * 1024 + 1024 * 1024 + 4096 * 1024 + 1536 * 1024;
        NS_TEST_EXPECT_MSG_EQ(getWorkspace(",layers=3") - getWorkspace(",layers=3,gradients=half"),
                              2 * shapes,
                              "One of each shape");
        NS_TEST_EXPECT_MSG_EQ(getWorkspace(",layers=3"), getWorkspace(",layers=6"), "All layers");
    }

  private:
    /**
     * @param model the model
     * @param degrees tensor-parallel degree, stages, GPUs that share a sample, replicas that share
     *        experts
     * @param measured the largest memory of a GPU, GiB
     */
    void TryMeasuredMemory(const std::string& model,
                           const std::array<uint32_t, 4>& degrees,
                           double measured)
    {
        Strategy strategy;
        strategy.tensorParallel = degrees[0];
        strategy.pipelineParallel = degrees[1];
        strategy.contextParallel = degrees[2];
        strategy.expertParallel = degrees[3];
        strategy.dataParallel = 8 / (degrees[0] * degrees[1] * degrees[2]);
        strategy.sequenceParallel = degrees[0] > 1;
        strategy.microbatches = 8;
        strategy.zeroStage = 1;
        const PlanningProblem problem =
            MakeStageProblem(model, 8, uint64_t{8} * strategy.dataParallel);
        const double planned =
            static_cast<double>(PlanBuilder(problem).GetMostBytes(strategy)) / (1 << 30);
        NS_TEST_EXPECT_MSG_EQ_TOL(planned, measured, 0.011 * measured, model);
    }

    /**
     * @param pipeline the number p of stages
     * @param chunks the number v of parts of each stage
     * @param microbatches the number m of microbatches, of 3 samples each
     */
    void Try(uint32_t pipeline, uint32_t chunks, uint32_t microbatches)
    {
        PlanningProblem problem = MakeToyProblem(MakeLayers(48, 1), pipeline, 3 * microbatches);
        problem.fabric.bitRate = 1e18;
        StageSettings settings;
        settings.pipeline = pipeline;
        settings.chunks = chunks;
        settings.microbatch = 3;
        const TrainingPlan plan = MakeStagePlan(problem, settings);
        // Forward and backward pass of a stage: m (tf + tb) + (p - 1) (tf + tb) / v
        const double both = 48.0 / pipeline * 3 * 30e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                  both * (microbatches + (pipeline - 1.0) / chunks),
                                  1e-12,
                                  "p " << pipeline << " v " << chunks << " m " << microbatches);
        const uint64_t each = 48 / pipeline / chunks * 3 * 1000;
        for (uint32_t stage = 0; stage < pipeline; ++stage)
        {
            const uint32_t behind = pipeline - 1 - stage;
            const uint32_t ahead = chunks > 1 ? 2 * behind + (chunks - 1) * pipeline : behind;
            NS_TEST_EXPECT_MSG_EQ(plan.memory[stage].activations,
                                  std::min(ahead + 1, microbatches * chunks) * each,
                                  "Stage " << stage << " of " << pipeline);
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[stage]->GetComputeSeconds(),
                                      both * microbatches,
                                      1e-12,
                                      "All microbatches");
        }
    }

    /**
     * @param problem the problem
     * @param tensor the number of GPUs that share an operator
     * @param pipeline the number of stages
     */
    void TryRecomputation(const PlanningProblem& problem, uint32_t tensor, uint32_t pipeline)
    {
        StageSettings settings;
        settings.tensor = tensor;
        settings.pipeline = pipeline;
        settings.microbatch = 1;
        const TrainingPlan none = MakeStagePlan(problem, settings);
        const uint64_t microbatches = none.strategy.microbatches;
        NS_TEST_EXPECT_MSG_EQ(microbatches, 2 * tensor * pipeline, "One sample each");
        double selected = 0;
        double layers = 0;
        for (const auto& op : problem.graph.GetOperators())
        {
            const bool isWhole =
                op.split == TensorSplit::REPLICATED || op.split == TensorSplit::SEQUENCE;
            if (op.pass == Pass::FORWARD && op.layer > 0 && op.layer < 7)
            {
                const double seconds =
                    problem.accelerator.GetSeconds(op, 1, isWhole ? 1.0 : 1.0 / tensor);
                layers += seconds;
                selected += op.selective ? seconds : 0;
            }
        }
        settings.recomputation = Recomputation::SELECTIVE;
        const TrainingPlan selective = MakeStagePlan(problem, settings);
        settings.recomputation = Recomputation::FULL;
        const TrainingPlan full = MakeStagePlan(problem, settings);
        const uint64_t bsh = 1024 * 512;
        for (uint32_t rank : {0, 3})
        {
            const double seconds = none.programs[rank]->GetComputeSeconds();
            const double times = static_cast<double>(microbatches) / pipeline;
            NS_TEST_EXPECT_MSG_EQ_TOL(selective.programs[rank]->GetComputeSeconds() - seconds,
                                      times * selected,
                                      1e-9,
                                      "Selective");
            NS_TEST_EXPECT_MSG_EQ_TOL(full.programs[rank]->GetComputeSeconds() - seconds,
                                      times * layers,
                                      1e-9,
                                      "Full");
            // 2 all-reduces of b s h more for each layer and microbatch
            NS_TEST_EXPECT_MSG_EQ(GetSent(full, rank, 0, "layer") - GetSent(none, rank, 0, "layer"),
                                  2 * 2 * bsh * 2 * (tensor - 1) / tensor * 6 / pipeline *
                                      microbatches,
                                  "All-reduces");
            NS_TEST_EXPECT_MSG_EQ(GetSent(selective, rank, 0), GetSent(none, rank, 0), "None");
            NS_TEST_EXPECT_MSG_LT(selective.memory[rank].activations,
                                  none.memory[rank].activations,
                                  "Selective keeps less");
        }
        NS_TEST_EXPECT_MSG_GT(full.predictedSeconds, selective.predictedSeconds, "Full is longer");
        NS_TEST_EXPECT_MSG_GT(selective.predictedSeconds, none.predictedSeconds, "None is shorter");
    }

    /**
     * @param t the number of GPUs that share an operator
     * @param p the number of stages
     * @param v the number of parts of a stage
     * @param sequence whether tokens are shared out
     */
    void TryStageTraffic(uint32_t t, uint32_t p, uint32_t v, bool sequence)
    {
        // 2 replicas; 4 microbatches of 2 samples
        const PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=8,hidden=256,heads=8,feedForward=1024,vocabulary=1024,"
                             "gradients=half",
                             2 * t * p,
                             16);
        StageSettings settings;
        settings.tensor = t;
        settings.pipeline = p;
        settings.chunks = v;
        settings.microbatch = 2;
        settings.sequence = sequence;
        const TrainingPlan plan = MakeStagePlan(problem, settings);
        const uint64_t bsh = 2 * 1024 * 256;
        for (uint32_t stage = 0; stage < p; ++stage)
        {
            const uint32_t rank = stage * 2 * t;
            // 8 b s h (t - 1) / t elements of 2 bytes for each layer and microbatch; with sequence
            // parallelism the inputs of two products are gathered once more
            NS_TEST_EXPECT_MSG_EQ(GetSent(plan, rank, 0, "layer"),
                                  (sequence ? 10 : 8) * bsh * (t - 1) / t * 2 * 4 * 8 / p,
                                  "Tensor-parallel, t " << t << " p " << p << " v " << v);
            if (p > 1)
            {
                // b s h / t forward and backward
                const uint32_t forward = stage + 1 < p ? v : v - 1;
                const uint32_t backward = stage > 0 ? v : v - 1;
                NS_TEST_EXPECT_MSG_EQ(GetSent(plan, rank, 2, "activation"),
                                      (forward + backward) * 4 * bsh * 2 / t,
                                      "Boundaries of stage " << stage);
                const uint64_t table = stage == 0 || stage + 1 == p ? 1024 * 256 / t * 2 : 0;
                NS_TEST_EXPECT_MSG_EQ(GetSent(plan, rank, 3), table, "Table of tokens");
            }
            uint64_t held = plan.memory[rank].gradients;
            NS_TEST_EXPECT_MSG_EQ(GetSent(plan, rank, 1), held, "2 (d - 1) / d of the gradients");
        }
        NS_TEST_EXPECT_MSG_EQ(plan.GetTraffic().GetSize(), 2 * t * p, "All ranks");
    }

    /// A published model.
    struct Published
    {
        uint64_t layers;       //!< Number of layers
        uint64_t hidden;       //!< Width
        uint64_t heads;        //!< Number of heads
        uint32_t pipeline;     //!< Number of stages
        uint32_t chunks;       //!< Parts of a stage
        uint64_t microbatch;   //!< Samples of a microbatch
        uint64_t microbatches; //!< Their number
        double state;          //!< Parameters and optimiser, GiB
        double none;           //!< Activations of the first stage, GiB
        double least;          //!< With sequence parallelism and selective recomputation, GiB
    };

    /**
     * Compare layers only: the published numbers leave out the embedding, the head, biases, norms,
     * and the memory that the recomputation of one layer takes.
     *
     * @param model a published model
     */
    void TryStageMemory(const Published& model)
    {
        const std::string label = std::to_string(model.layers) + " layers";
        const MemoryUse none = GetLayers(model, false);
        const MemoryUse least = GetLayers(model, true);
        constexpr double GIB = 1 << 30;
        const double state = static_cast<double>(none.GetTotal() - none.activations);
        // 2 h (norms: 4 h) and 9 h biases beside 12 h^2 parameters
        const double h = static_cast<double>(model.hidden);
        const double extra = 1 + (9 + 4 * 8) / (12 * h);
        NS_TEST_EXPECT_MSG_EQ_TOL(state / GIB / extra, model.state, 0.005, label);
        NS_TEST_EXPECT_MSG_EQ_TOL(none.activations / GIB, model.none, 0.005, label);
        NS_TEST_EXPECT_MSG_EQ_TOL(least.activations / GIB, model.least, 0.005, label);
    }

    /**
     * @param model a published model
     * @param isLeast whether sequence parallelism and selective recomputation are used
     * @return the memory of the layers of the first stage
     */
    static MemoryUse GetLayers(const Published& model, bool isLeast)
    {
        // One part of the layers, then two, instead of all: the difference is one part
        const uint64_t parts = uint64_t{model.pipeline} * model.chunks;
        MemoryUse uses[2];
        for (const uint64_t times : {1, 2})
        {
            const PlanningProblem problem = MakeStageProblem(
                "gpt2-xl:layers=" + std::to_string(times * parts) + ",hidden=" +
                    std::to_string(model.hidden) + ",heads=" + std::to_string(model.heads) +
                    ",feedForward=" + std::to_string(4 * model.hidden) +
                    ",sequence=2048,vocabulary=51200,positions=2048,gradients=single",
                8 * model.pipeline,
                model.microbatch * model.microbatches);
            uses[times - 1] = PlanBuilder(problem).GetMemory(MakeStrategy(model, isLeast)).front();
        }
        const uint64_t layers = model.layers / parts;
        MemoryUse use;
        use.parameters = (uses[1].parameters - uses[0].parameters) * layers;
        use.gradients = (uses[1].gradients - uses[0].gradients) * layers;
        use.optimizer = (uses[1].optimizer - uses[0].optimizer) * layers;
        use.activations = (uses[1].activations - uses[0].activations) * layers;
        return use;
    }

    /**
     * @param model a published model
     * @param isLeast whether sequence parallelism and selective recomputation are used
     * @return the strategy
     */
    static Strategy MakeStrategy(const Published& model, bool isLeast)
    {
        Strategy strategy;
        strategy.tensorParallel = 8;
        strategy.pipelineParallel = model.pipeline;
        strategy.virtualStages = model.chunks;
        strategy.microbatches = model.microbatches;
        strategy.sequenceParallel = isLeast;
        strategy.recomputation = isLeast ? Recomputation::SELECTIVE : Recomputation::NONE;
        return strategy;
    }
};

/// Registers the test cases
static const SuiteCases g_stagePlannerCases(
    "lightpath-planner-stages",
    {{MakeCase("Pipelines have the published bubble and keep the published activations",
               &StagePlannerTests::TestPipelineBubble),
      MakeCase("Recomputation adds one forward pass of what it computes anew",
               &StagePlannerTests::TestRecomputation),
      MakeCase("Stages send the published volumes", &StagePlannerTests::TestStageTraffic),
      MakeCase("Large transformers need the published memory", &StagePlannerTests::TestStageMemory),
      MakeCase("Plans need the measured memory", &StagePlannerTests::TestMeasuredMemory),
      MakeCase("Workspace is counted", &StagePlannerTests::TestWorkspace)}});
