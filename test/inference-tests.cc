/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/double.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/inference-planner.h"
#include "ns3/inference-report.h"
#include "ns3/model-zoo.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-job.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A small decoder: 4 layers, 8 heads of 8 elements, 4 of keys and values.
const std::string DECODER = "llama-3-8b:layers=4,hidden=64,heads=8,kvHeads=4,feedForward=128,"
                            "vocabulary=256";

/// The same with latent attention and 8 experts, the first layer without.
const std::string LATENT_DECODER =
    "deepseek-v3:layers=4,hidden=64,heads=8,headWidth=8,queryRank=16,"
    "keyRank=16,rotaryWidth=4,valueWidth=8,feedForward=32,experts=8,topK=2,"
    "denseLayers=1,denseFeedForward=128,vocabulary=256,futureTokens=0";

/// Bytes of an element.
constexpr uint64_t NUMBER_BYTES = 2;

/// A rate that nothing has to wait for.
constexpr double INFINITE = 1e40;

/**
 * @ingroup lightpath-tests
 * @brief A case of inference: a planner and its problem.
 */
struct InferenceCase
{
    /**
     * @param model the name of a model
     * @param prefillGpus GPUs for the prefill
     * @param decodeGpus GPUs for the decode phase
     * @param batch prompts of a prefill
     * @param attributes attributes of the planner
     */
    InferenceCase(const std::string& model,
                  uint32_t prefillGpus,
                  uint32_t decodeGpus,
                  uint64_t batch,
                  const std::map<std::string, uint64_t>& attributes)
        : planner(CreateObject<InferencePlanner>())
    {
        // Only matrix products take time
        problem.accelerator.matrixFlops = 1e15;
        problem.accelerator.vectorFlops = INFINITE;
        problem.accelerator.memoryBandwidth = INFINITE;
        problem.accelerator.memoryBytes = uint64_t{1} << 50;
        problem.accelerator.name = "toy";
        problem.fabric.bitRate = 8e9;
        problem.gpus = prefillGpus + decodeGpus;
        problem.globalBatch = batch;
        problem.placement = "linear";
        planner->SetAttribute("PrefillGpus", UintegerValue(prefillGpus));
        planner->SetAttribute("DecodeLaunch", TimeValue(Time(0)));
        for (const auto& [name, value] : attributes)
        {
            planner->SetAttribute(name, UintegerValue(value));
        }
        planner->MakeGraphs(model, problem);
    }

    /**
     * Let only memory traffic take time, at 1 TB/s.
     *
     * @param share the share of that rate that decode steps reach
     */
    void BoundByMemory(double share)
    {
        planner->SetAttribute("DecodeMemoryEfficiency", DoubleValue(share));
        problem.accelerator.matrixFlops = INFINITE;
        problem.accelerator.memoryBandwidth = 1e12;
    }

    /**
     * @return the plan
     */
    TrainingPlan Plan() const
    {
        return planner->TryPlan(problem);
    }

    /**
     * @return the time that the last GPU computes in a decode step, seconds
     */
    double GetDecodeSeconds() const
    {
        return Plan().programs.back()->GetComputeSeconds();
    }

    Ptr<InferencePlanner> planner; //!< The planner
    PlanningProblem problem;       //!< The problem
};

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param rank a rank
 * @param kind the kind of tasks
 * @param group the kind of group
 * @return the bytes of its tasks of that kind, together
 */
uint64_t
GetTaskBytes(const TrainingPlan& plan, uint32_t rank, TaskKind kind, uint32_t group)
{
    uint64_t bytes = 0;
    for (const auto& task : plan.programs[rank]->GetTasks())
    {
        bytes += task.kind == kind && task.group == group ? task.bytes : 0;
    }
    return bytes;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of inference.
 */
class InferenceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the keys and values of a token with published sizes: of Llama 3.1 405B, Qwen2.5 72B
     * and DeepSeek-V3 516, 328 and 70 KB (DeepSeek-AI, "Insights into DeepSeek-V3", 2025). All
     * graphs have the parameters of the model.
     */
    void TestCache()
    {
        const std::vector<std::tuple<std::string, uint64_t, uint64_t>> models{
            {"llama-3.1-405b", 516096, 405853388800},
            {"qwen2.5-72b", 327680, 72706203648},
            {"deepseek-v3", 70272, 671026419200},
            {"gpt-neox-20b", 1081344, 20554567680}};
        for (const auto& [name, cache, parameters] : models)
        {
            for (const uint64_t cached : {0, 100})
            {
                InferenceStep step;
                step.tokens = cached > 0 ? 1 : 50;
                step.cached = cached;
                const OperatorGraph graph = ModelZoo::CreateInference(name, step);
                NS_TEST_EXPECT_MSG_EQ(InferencePlanner::GetCacheBytes(graph),
                                      (cached + step.tokens) * cache,
                                      name);
                NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), parameters, name);
            }
        }
        // Every other layer looks back at 128 tokens
        InferenceStep step;
        step.cached = 999;
        step.capacity = 4096;
        const OperatorGraph windows = ModelZoo::CreateInference("gpt-oss-120b", step);
        NS_TEST_EXPECT_MSG_EQ(InferencePlanner::GetCacheBytes(windows),
                              18 * (4096 + 128) * 2 * 8 * 64 * NUMBER_BYTES,
                              "windows");
        step.cached = 1999;
        const uint64_t more =
            ModelZoo::CreateInference("gpt-oss-120b", step).GetForwardMultiplyAdds();
        NS_TEST_EXPECT_MSG_EQ(more - windows.GetForwardMultiplyAdds(),
                              18 * 1000 * 64 * 2 * 64,
                              "18 layers look back at 1000 tokens more");
    }

    /**
     * Compares prefills with closed forms: two operations for each parameter of a matrix and each
     * token, but for the last token alone in the head; those of pairs of tokens; shared out evenly
     * over GPUs.
     */
    void TestPrefill()
    {
        constexpr uint64_t PARAMETERS = 8030261248;
        constexpr uint64_t LAYERS = 32;
        constexpr uint64_t HIDDEN = 4096;
        constexpr uint64_t TABLE = 128256 * HIDDEN;
        const uint64_t matrices = PARAMETERS - 2 * TABLE - (2 * LAYERS + 1) * HIDDEN;
        for (const uint64_t tokens : {1, 100, 2000})
        {
            for (const uint64_t tensor : {1, 4})
            {
                const InferenceCase inference(
                    "llama-3-8b",
                    8,
                    1,
                    16,
                    {{"PromptTokens", tokens}, {"PrefillTensorParallel", tensor}});
                const TrainingPlan plan = inference.Plan();
                const double batch = 16 / (8.0 / tensor);
                const double pairs = tokens * (tokens + 1) / 2.0;
                const double products =
                    batch * (1.0 * tokens * matrices + TABLE + LAYERS * 2 * HIDDEN * pairs);
                const double expected = 2 * products / 1e15 / tensor;
                NS_TEST_EXPECT_MSG_EQ_TOL(plan.programs[0]->GetComputeSeconds(),
                                          expected,
                                          1e-9 * expected,
                                          tokens << " tokens");
                // Two sums in a layer, and that of the rows of the table
                const uint64_t sums = (2 * LAYERS + 1) * static_cast<uint64_t>(batch) * tokens *
                                      HIDDEN * NUMBER_BYTES;
                NS_TEST_EXPECT_MSG_EQ(GetTaskBytes(plan, 0, TaskKind::COLLECTIVE, TENSOR_GROUP),
                                      (tensor > 1 ? sums : 0),
                                      "sums");
            }
        }
    }

    /**
     * GPUs share out the cache by heads of keys and values: 100 more tokens of a prompt take 4
     * layers x 2 x 4 heads x 8 elements x 2 bytes x 100 for each sequence. Of eight GPUs each has
     * one of the four heads.
     */
    void TestCacheShares()
    {
        for (const uint64_t tensor : {1, 2, 4, 8})
        {
            const auto getBytes = [tensor](uint64_t prompt) {
                const InferenceCase inference(DECODER,
                                              1,
                                              tensor,
                                              16,
                                              {{"PromptTokens", prompt},
                                               {"OutputTokens", 2},
                                               {"DecodeBatch", 16},
                                               {"DecodeTensorParallel", tensor}});
                return inference.Plan().memory.back().activations;
            };
            NS_TEST_EXPECT_MSG_EQ(getBytes(300) - getBytes(200),
                                  16 * 4 * 2 * 4 * 8 * 2 * 100 / std::min<uint64_t>(tensor, 4),
                                  tensor << " GPUs");
        }
    }

    /**
     * Compares decode steps that memory bounds with the bytes that they read: all parameters but
     * those of the first table, and the cache. Activations are a small rest.
     */
    void TestDecode()
    {
        const auto getSeconds = [](const std::string& model,
                                   uint64_t tensor,
                                   uint64_t batch,
                                   uint64_t prompt,
                                   double share = 1) {
            InferenceCase inference(model,
                                    tensor,
                                    tensor,
                                    batch,
                                    {{"PromptTokens", prompt},
                                     {"OutputTokens", 2},
                                     {"PrefillTensorParallel", tensor},
                                     {"DecodeTensorParallel", tensor}});
            inference.BoundByMemory(share);
            return inference.GetDecodeSeconds();
        };
        constexpr double LAYERS = 80;
        constexpr double HIDDEN = 8192;
        constexpr double KEYS = 1024;
        constexpr double INNER = 28672;
        constexpr double WORDS = 128256;
        const double weights = NUMBER_BYTES * (70553706496.0 - WORDS * HIDDEN);
        const double cache = LAYERS * 2 * KEYS * NUMBER_BYTES;
        // Numbers that the operators of a layer read and write for a token; the sums of its 64
        // softmaxes have 4 bytes, as has its index in the table
        const double layer = 20 * HIDDEN + 4 * KEYS + 6 * INNER + 2 * 64;
        const double token = NUMBER_BYTES * (LAYERS * layer + 5 * HIDDEN + 3 * WORDS + 2);
        for (const uint64_t batch : {1, 32})
        {
            const double whole = (weights + batch * (2048 * cache + token)) / 1e12;
            const double one = getSeconds("llama-3-70b", 1, batch, 2047);
            NS_TEST_EXPECT_MSG_EQ_TOL(one, whole, 1e-9 * whole, "one GPU");
            const double slow = getSeconds("llama-3-70b", 1, batch, 2047, 0.7);
            NS_TEST_EXPECT_MSG_EQ_TOL(slow, whole / 0.7, 1e-9 * whole, "70 % of the rate");
            // Eight GPUs share all but what normalisations and sums of residuals do
            const double eight = getSeconds("llama-3-70b", 8, batch, 2047);
            NS_TEST_EXPECT_MSG_GT(eight, whole / 8, "no less");
            NS_TEST_EXPECT_MSG_LT(eight, 1.02 * whole / 8, "little more");
            const double more = getSeconds("llama-3-70b", 8, batch, 3047) - eight;
            const double expected = batch * 1000 * cache / 8 / 1e12;
            NS_TEST_EXPECT_MSG_EQ_TOL(more, expected, 1e-9 * expected, "more cache");
        }
        // A latent cache is read once for all heads
        const double latent =
            getSeconds("deepseek-v3", 1, 4, 3000) - getSeconds("deepseek-v3", 1, 4, 2000);
        NS_TEST_EXPECT_MSG_EQ_TOL(latent, 4 * 1000 * 70272 / 1e12, 1e-12, "latent cache");
        // Each GPU reads all of it for its heads, as it reads the one head of keys and values that
        // it shares with another GPU
        const double copied =
            getSeconds("deepseek-v3", 16, 16, 3000) - getSeconds("deepseek-v3", 16, 16, 2000);
        NS_TEST_EXPECT_MSG_EQ_TOL(copied, 16 * 1000 * 70272 / 1e12, 1e-11, "copies");
        const double head =
            getSeconds("llama-3-70b", 16, 16, 3000) - getSeconds("llama-3-70b", 16, 16, 2000);
        NS_TEST_EXPECT_MSG_EQ_TOL(head, 16 * 1000 * cache / 8 / 1e12, 1e-11, "one head each");
        // A token reads 2 of 8 experts, and four tokens, each of which leaves out an expert in
        // three of four cases, all but 0.75^4 of them
        const double all = NUMBER_BYTES * (46702792704.0 - 32000 * 4096);
        const double experts = NUMBER_BYTES * 32.0 * 8 * 3 * 4096 * 14336;
        const double one = getSeconds("mixtral-8x7b", 1, 1, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(one, (all - 0.75 * experts) / 1e12, 1e-4, "2 experts");
        const double four = getSeconds("mixtral-8x7b", 1, 4, 1);
        const double left = std::pow(0.75, 4) * experts;
        NS_TEST_EXPECT_MSG_EQ_TOL(four, (all - left) / 1e12, 4e-4, "5.5 experts");
    }

    /**
     * Compares the transfer with the cache of all prompts, to the byte, and with the first tokens,
     * for all ratios of GPUs.
     */
    void TestTransfer()
    {
        const std::vector<std::array<uint64_t, 5>> cases{{1, 1, 1, 1, 3},
                                                         {4, 4, 2, 2, 4},
                                                         {4, 4, 4, 2, 6},
                                                         {4, 8, 1, 4, 8},
                                                         {8, 8, 2, 8, 4},
                                                         {8, 4, 8, 2, 4},
                                                         {2, 7, 2, 1, 3}};
        for (const auto& [prefill, decode, prefillTensor, decodeTensor, batch] : cases)
        {
            for (const auto& [model, layer] : {std::make_pair(DECODER, uint64_t{2 * 4 * 8}),
                                               std::make_pair(LATENT_DECODER, uint64_t{20})})
            {
                const uint64_t sequences = 7 * 8 * batch;
                const TrainingPlan plan = InferenceCase(model,
                                                        prefill,
                                                        decode,
                                                        batch,
                                                        {{"PromptTokens", 100},
                                                         {"PrefillTensorParallel", prefillTensor},
                                                         {"DecodeTensorParallel", decodeTensor},
                                                         {"DecodeBatch", sequences}})
                                              .Plan();
                // More GPUs than heads of keys and values have copies, as those of a latent cache
                const uint64_t heads = model == LATENT_DECODER ? 1 : 4;
                const uint64_t copies = std::max<uint64_t>(decodeTensor / heads, 1);
                const uint64_t cache = copies * 4 * 100 * layer * NUMBER_BYTES;
                uint64_t all = 0;
                for (uint32_t rank = 0; rank < prefill + decode; ++rank)
                {
                    const bool isPrefill = rank < prefill;
                    const uint64_t bytes =
                        GetTaskBytes(plan,
                                     rank,
                                     isPrefill ? TaskKind::SEND : TaskKind::RECEIVE,
                                     PIPELINE_GROUP);
                    all += isPrefill ? bytes : 0;
                    // Each GPU for the prefill has the same number of prompts
                    const uint64_t tokens = 4 * std::max<uint64_t>(1, decodeTensor / prefillTensor);
                    if (isPrefill)
                    {
                        NS_TEST_EXPECT_MSG_EQ(bytes,
                                              batch * prefillTensor / prefill *
                                                  (cache / prefillTensor + tokens),
                                              "GPU " << rank);
                    }
                }
                NS_TEST_EXPECT_MSG_EQ(all,
                                      batch * (cache + 4 * std::max(prefillTensor, decodeTensor)),
                                      model);
            }
        }
    }

    /**
     * Compares the tokens that GPUs exchange with experts: two exchanges in each layer with
     * experts, the first one of numbers of 8 bits with a scale for each 128, if so asked for.
     */
    void TestExperts()
    {
        for (const std::string dispatch : {"half", "fp8"})
        {
            const TrainingPlan plan = InferenceCase(LATENT_DECODER + ",dispatch=" + dispatch,
                                                    2,
                                                    8,
                                                    2,
                                                    {{"PromptTokens", 30},
                                                     {"PrefillExpertParallel", 2},
                                                     {"DecodeExpertParallel", 8},
                                                     {"DecodeBatch", 40}})
                                          .Plan();
            for (const auto& [rank, rows, sequences] :
                 {std::make_tuple(0, 30 * 2, 1), std::make_tuple(9, 2, 5)})
            {
                const uint64_t elements = 64 * rows;
                const uint64_t there = dispatch == "half" ? NUMBER_BYTES * elements
                                                          : elements + 4 * ((elements + 127) / 128);
                NS_TEST_EXPECT_MSG_EQ(GetTaskBytes(plan, rank, TaskKind::COLLECTIVE, EXPERT_GROUP),
                                      3 * sequences * (there + NUMBER_BYTES * elements),
                                      dispatch << ", rank " << rank);
            }
            NS_TEST_EXPECT_MSG_EQ(plan.groups[EXPERT_GROUP].GetMembers(9).front(), 2, "group");
        }
    }

    /**
     * Simulates one GPU for each phase. Keys and values of a layer leave as soon as they are
     * computed and those before have left; decode begins with the last of them.
     */
    void TestTime()
    {
        TryTime(8e12, 2);
        TryTime(8e9, 1);
        TryTime(8e6, 1);
    }

    /**
     * The sums of each phase are in the two levels of its own groups: those of the prefill are the
     * same whatever the degree of the decode phase, and the other way round.
     */
    void TestLevels()
    {
        const auto find = [](uint64_t prefill, uint64_t decode, uint32_t rank) {
            InferenceCase inference(DECODER,
                                    8,
                                    8,
                                    8,
                                    {{"PromptTokens", 10},
                                     {"PrefillTensorParallel", prefill},
                                     {"DecodeTensorParallel", decode}});
            ServerHelper servers(std::make_unique<ElectricalSwitchHelper>());
            servers.SetServers(4, DataRate("800Gbps"), NanoSeconds(100));
            servers.SetBandwidth(DataRate("8Gbps"));
            servers.SetAttach(Attach::GPU);
            inference.problem.fabric = FabricDescription::Create(servers)->GetLimits(16);
            const TrainingPlan plan = inference.Plan();
            const auto& tasks = plan.programs[rank]->GetTasks();
            return std::find_if(tasks.begin(),
                                tasks.end(),
                                [](const Task& task) { return task.kind == TaskKind::COLLECTIVE; })
                ->options;
        };
        for (const uint64_t other : {1, 2, 4, 8})
        {
            NS_TEST_EXPECT_MSG_EQ((find(8, other, 0) == find(8, 8, 0)), true, "prefill");
            NS_TEST_EXPECT_MSG_EQ((find(other, 8, 8) == find(8, 8, 8)), true, "decode");
        }
        NS_TEST_EXPECT_MSG_EQ(find(8, 4, 0).local, 4, "half of a group in each server");
    }

    /// Tries what does not fit together.
    void TestRefusal()
    {
        using Attributes = std::map<std::string, uint64_t>;
        const auto expect = [&](const std::string& model,
                                const std::array<uint64_t, 3>& sizes,
                                const Attributes& attributes,
                                const std::vector<std::string>& parts) {
            const auto plan = [&]() {
                InferenceCase inference(model, sizes[0], sizes[1], sizes[2], attributes);
                inference.problem.accelerator.memoryBytes = 1 << 20;
                inference.Plan();
            };
            NS_TEST_EXPECT_MSG_EQ(FindWrongError(plan, parts), "", model);
        };
        expect(DECODER, {1, 1, 1}, {{"PromptTokens", 100}}, {});
        expect("resnet50", {1, 1, 1}, {}, {"resnet50", "needs a decoder"});
        expect("bert-large", {1, 1, 1}, {}, {"bert-large", "needs a decoder"});
        expect("gpt-neox-20b:layers=0", {1, 1, 1}, {}, {"layers"});
        expect("opt-175b", {1, 1, 1}, {{"PromptTokens", 2000}}, {"positions for 2050", "2255"});
        expect(DECODER, {2, 1, 3}, {}, {"prefill: ", "batch of 3", "2 replicas"});
        expect(DECODER,
               {1, 2, 1},
               {{"PromptTokens", 10}, {"DecodeBatch", 3}},
               {"decode: ", "batch of 3", "2 replicas"});
        expect(DECODER,
               {6, 1, 1},
               {{"PrefillTensorParallel", 4}},
               {"prefill: ", "4 GPUs", "6 GPUs"});
        expect(DECODER,
               {16, 1, 1},
               {{"PrefillTensorParallel", 16}},
               {"prefill: ", "4 parts (attention heads)", "16 GPUs"});
        expect(LATENT_DECODER,
               {1, 3, 1},
               {{"PromptTokens", 10}, {"DecodeTensorParallel", 3}},
               {"decode: ", "1 parts (attention heads)"});
        expect(LATENT_DECODER,
               {2, 2, 2},
               {{"PromptTokens", 10}, {"DecodeExpertParallel", 3}},
               {"decode: ExpertParallel is 3", "give another --decodeEp"});
        expect("llama-3-8b",
               {3, 2, 1},
               {{"PrefillTensorParallel", 3}, {"DecodeTensorParallel", 2}},
               {"3 and 2", "multiple of the other"});
        expect(DECODER,
               {1, 1, 1},
               {{"PromptTokens", 2000}},
               {"Memory: a GPU for prefill needs", "keys and values", "shorter sequences"});
        expect(DECODER,
               {1, 1, 1},
               {{"PromptTokens", 10}, {"DecodeBatch", 500}},
               {"Memory: a GPU for decode needs", "keys and values", "shorter sequences"});
        InferenceCase shared(DECODER, 4, 8, 4, {});
        shared.problem.fabric.servers.layout.gpus = 8;
        // 4 GPUs of 8 for prefill
        NS_TEST_EXPECT_MSG_EQ(
            FindWrongError([&]() { shared.Plan(); }, {"multiple of the 8 GPUs", "--serverGpus=4"}),
            "",
            "servers");
        shared.problem.gpus = 4;
        NS_TEST_EXPECT_MSG_EQ(FindWrongError([&]() { shared.Plan(); }, {"leave none of 4"}),
                              "",
                              "no GPUs");
        shared.problem.graph = ModelZoo::Create(DECODER);
        NS_TEST_EXPECT_MSG_EQ(FindWrongError([&]() { shared.Plan(); }, {"forward operators alone"}),
                              "",
                              "training");
    }

  private:
    /**
     * @param bitRate the rate of a GPU, bit/s
     * @param iterations the number of batches
     */
    void TryTime(double bitRate, uint32_t iterations)
    {
        InferenceCase inference("llama-3-8b:layers=6",
                                1,
                                1,
                                2,
                                {{"PromptTokens", 500}, {"OutputTokens", 11}});
        const auto fabric = FabricHelper::Create("electrical");
        fabric->SetBandwidth(DataRate(static_cast<uint64_t>(bitRate)));
        inference.problem.fabric = FabricDescription::Create(*fabric)->GetLimits(2);
        const TrainingPlan plan = inference.Plan();
        // The time that the GPU has computed, and the end of its last message
        double computed = 0;
        double left = 0;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            computed += task.seconds;
            if (task.kind == TaskKind::SEND)
            {
                left = std::max(left, computed) + (task.bytes + HEADERS) * 8 / bitRate;
            }
        }
        NodeContainer nodes;
        nodes.Create(2);
        const NetDeviceContainer devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(iterations));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto job = TrainingHelper::GetJob(
            helper.Install(plan, devices, fabric->CreateController(devices)));
        InferenceReport report(job, {1, 1, 2, 2, 500, 11, 1000});
        Simulator::Run();
        report.Finish();
        const double latency = inference.problem.fabric.latency;
        NS_TEST_EXPECT_MSG_EQ_TOL(report.firstTokenSeconds, computed, 1e-8, "first token");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.transferSeconds,
                                  left - computed + latency,
                                  2e-8,
                                  "transfer");
        const double step = plan.programs[1]->GetComputeSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(report.outputTokenSeconds, step, 1e-8, "decode step");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.prefillComputeSeconds, computed, 1e-8, "prefill");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.decodeComputeSeconds, step, 1e-8, "decode");
        const auto json = report.GetJson();
        NS_TEST_EXPECT_MSG_EQ_TOL(json["requestSeconds"].get<double>(),
                                  report.firstTokenSeconds + report.transferSeconds + 10 * step,
                                  1e-6,
                                  "request");
        NS_TEST_EXPECT_MSG_EQ_TOL(json["prefill"]["tokensPerSecondPerGpu"].get<double>(),
                                  1000 / computed,
                                  1e-3 / computed,
                                  "prefill");
        NS_TEST_EXPECT_MSG_EQ_TOL(json["decode"]["requestsPerSecond"].get<double>(),
                                  2 / (10 * step),
                                  1e-5 / step,
                                  "decode");
        std::ostringstream text;
        report.Print(text);
        EXPECT_PART(text.str(), "time per output token ");
        Simulator::Destroy();
    }
};

/// Registers the test cases
static const SuiteCases g_inferenceCases(
    "lightpath-inference",
    {{MakeCase("The cache has the published size", &InferenceTests::TestCache),
      MakeCase("A prefill takes the time of its matrix products", &InferenceTests::TestPrefill),
      MakeCase("GPUs share out the cache", &InferenceTests::TestCacheShares),
      MakeCase("A decode step takes the time of what it reads", &InferenceTests::TestDecode),
      MakeCase("The transfer has the bytes of the cache", &InferenceTests::TestTransfer),
      MakeCase("GPUs exchange tokens with experts", &InferenceTests::TestExperts),
      MakeCase("Times of tokens and of the transfer", &InferenceTests::TestTime),
      MakeCase("Each phase sums in its own levels", &InferenceTests::TestLevels),
      MakeCase("Inference that is impossible", &InferenceTests::TestRefusal)}});
