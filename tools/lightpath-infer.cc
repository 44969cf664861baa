/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attribute-options.h"
#include "collective-table.h"
#include "fabric-options.h"
#include "model/training/run/report-format.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-watch.h"
#include "training-run.h"

#include "ns3/accelerator.h"
#include "ns3/inference-planner.h"
#include "ns3/inference-report.h"
#include "ns3/nstime.h"
#include "ns3/planning-problem.h"
#include "ns3/training-helper.h"
#include "ns3/uinteger.h"
#include "ns3/validation.h"

#include <array>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>

/**
 * @file
 * @ingroup lightpath
 * Simulates the prefill of a batch of prompts, the transfer of its keys and values and a decode
 * step on a fabric, and reports what they take.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The options that set one attribute of the planner.
const std::vector<AttributeOption> PLANNER_OPTIONS = {
    {"prompt", "InferencePlanner::PromptTokens", "2048", "Tokens of a prompt"},
    {"output", "InferencePlanner::OutputTokens", "256", "Tokens that are generated for it"},
    {"decodeBatch",
     "InferencePlanner::DecodeBatch",
     "0",
     "Sequences of a decode step, over all GPUs for decode; 0: those of the prefill"},
    {"prefillTp",
     "InferencePlanner::PrefillTensorParallel",
     "1",
     "Tensor-parallel degree; without it, the smallest one that can be"},
    {"prefillEp",
     "InferencePlanner::PrefillExpertParallel",
     "1",
     "Replicas that share out the experts of each layer"},
    {"decodeTp", "InferencePlanner::DecodeTensorParallel", "1", "The same for decode"},
    {"decodeEp", "InferencePlanner::DecodeExpertParallel", "1", "The same for decode"},
    {"decodeLaunch",
     "InferencePlanner::DecodeLaunch",
     "1us",
     "Time to launch an operator of a decode step, which is a captured graph"},
    {"decodeMemory",
     "InferencePlanner::DecodeMemoryEfficiency",
     "0.7",
     "Share of the peak of the memory that products of a decode step reach"},
};

/// The values of the options: those of fabrics, and all others.
struct Options : FabricOptions
{
    std::string model{"llama-3-8b"};  //!< Name of the model
    std::string accelerator{"H100"};  //!< Name of the accelerator
    std::optional<uint64_t> memory;   //!< Memory of a GPU, unless that of the accelerator
    uint64_t batch{1};                //!< Prompts of a prefill
    uint32_t prefillGpus{1};          //!< GPUs for the prefill
    uint32_t decodeGpus{1};           //!< GPUs for the decode phase
    std::string fabric{"electrical"}; //!< Name of the fabric
    uint32_t iterations{2};           //!< How often a batch is processed
    std::string network;              //!< Name of a file with times of operations
    std::string json;                 //!< Name of the file for JSON
    bool quiet{false};                //!< Print nothing but errors

    AttributeOptions planner{PLANNER_OPTIONS}; //!< Attributes of the planner
};

/// Times of the operations of a phase by a table, in seconds.
struct TableTimes
{
    double prefill{0}; //!< Those of a prefill
    double decode{0};  //!< Those of a decode step
};

/**
 * @param options the options
 * @return the problem of a plan, without its graph
 */
PlanningProblem
MakeProblem(const Options& options)
{
    PlanningProblem problem;
    problem.accelerator = Accelerator::Create(options.accelerator);
    problem.accelerator.memoryBytes = options.memory.value_or(problem.accelerator.memoryBytes);
    problem.gpus = options.prefillGpus + options.decodeGpus;
    problem.globalBatch = options.batch;
    problem.placement = "linear";
    problem.protocols = options.protocols;
    problem.fabric = options.GetLimits(options.fabric, problem.gpus);
    return problem;
}

/**
 * Plan and simulate, and report.
 *
 * @param options the options
 * @param parsed the same, as they were given
 */
void
Run(const Options& options, const ProgramOptions& parsed)
{
    const uint32_t gpus = options.prefillGpus + options.decodeGpus;
    options.Check({options.fabric}, gpus);
    parsed.CheckOwners(options.GetOwners({options.fabric}));
    std::optional<CollectiveTable> table;
    if (!options.network.empty())
    {
        table.emplace(options.network, options.fabric);
    }
    PlanningProblem problem = MakeProblem(options);
    const auto planner = CreateObject<InferencePlanner>();
    planner->SetAttribute("PrefillGpus", UintegerValue(options.prefillGpus));
    options.planner.Apply("InferencePlanner",
                          [&planner](const std::string& name, const AttributeValue& value) {
                              planner->SetAttribute(name, value);
                          });
    const auto getDegree = [&](const std::string& name) {
        return parsed.IsGiven(name)
                   ? static_cast<uint32_t>(std::stoul(options.planner.GetText(name)))
                   : 0;
    };
    const auto plan = planner->TryPlanSmallest(options.model,
                                               problem,
                                               getDegree("prefillTp"),
                                               getDegree("decodeTp"));

    const auto fabric = options.MakeFabric(options.fabric, gpus, options.servers.GetGpus());
    TrainingRun run(*fabric, gpus);
    options.circuits.ScheduleFaults(
        [&run](const std::string& component, bool failed) { run.SetFailed(component, failed); });
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(options.iterations));
    training.SetJobAttribute("CollectiveLatency", TimeValue(options.GetLaunch()));
    if (options.Configure(options.fabric, *fabric, gpus, training))
    {
        run.AssignAddresses();
    }
    const auto job = TrainingHelper::GetJob(run.Install(training, plan));
    InferenceLoad load;
    load.prefillGpus = options.prefillGpus;
    load.decodeGpus = options.decodeGpus;
    load.prompts = options.batch;
    load.sequences = planner->GetDecodeBatch(problem);
    load.promptTokens = std::stoull(options.planner.GetText("prompt"));
    load.outputTokens = std::stoull(options.planner.GetText("output"));
    load.transferBytes = options.batch * planner->GetTransferBytes();
    InferenceReport report(job, load);
    const RunWatch watch(options.fabric, options.iterations, 0, !options.quiet);
    const LightVerdict light = run.Run();
    report.Finish();
    std::optional<TableTimes> byTable;
    if (table)
    {
        byTable = TableTimes{table->GetSeconds(plan, 0), table->GetSeconds(plan, gpus - 1)};
    }
    const std::string precision = Validation::GetPrecision(problem.graph);
    const std::array<Validation, 2> validations{
        Validation::Find("prefill", precision, options.accelerator),
        Validation::Find("decode", precision, options.accelerator)};
    const MemoryUse& prefill = plan.memory.front();
    const MemoryUse& decode = plan.memory.back();
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        constexpr double GIB = 1 << 30;
        std::cout << options.model << " on " << options.prefillGpus << " + " << options.decodeGpus
                  << " x " << options.accelerator << " for prefill and decode, "
                  << options.GetBandwidth() << " a GPU\n"
                  << (options.HasUsualServers() ? options.DescribeServers() + "\n" : "")
                  << "prefill batch " << load.prompts << " x " << load.promptTokens
                  << " tokens, decode batch " << load.sequences << std::fixed
                  << std::setprecision(1)
                  << "; GiB a GPU (parameters): " << prefill.GetTotal() / GIB << " ("
                  << prefill.parameters / GIB << ") and " << decode.GetTotal() / GIB << " ("
                  << decode.parameters / GIB << ")\n\n"
                  << std::defaultfloat;
        report.Print(std::cout);
        if (byTable)
        {
            std::cout << "by the table: time to first token "
                      << FormatSeconds(report.prefillComputeSeconds + byTable->prefill)
                      << " (operations " << FormatSeconds(byTable->prefill)
                      << "), per output token "
                      << FormatSeconds(report.decodeComputeSeconds + byTable->decode)
                      << " (operations " << FormatSeconds(byTable->decode) << ")\n";
        }
        for (const auto& validation : validations)
        {
            std::cout << validation.work << ": " << validation.Describe() << "\n";
        }
        std::cout << "feasible: " << light.GetFeasibility() << "\n";
        light.Print(std::cout, options.fabric);
    }
    if (!options.json.empty())
    {
        nlohmann::ordered_json json = {{"model", options.model},
                                       {"accelerator", options.accelerator},
                                       {"fabric", options.fabric},
                                       {"promptTokens", load.promptTokens},
                                       {"outputTokens", load.outputTokens},
                                       {"prefillMemoryBytesPerGpu", prefill.GetTotal()},
                                       {"decodeMemoryBytesPerGpu", decode.GetTotal()}};
        json.update(report.GetJson());
        if (byTable)
        {
            json["byTable"] = {
                {"timeToFirstTokenSeconds", report.prefillComputeSeconds + byTable->prefill},
                {"timePerOutputTokenSeconds", report.decodeComputeSeconds + byTable->decode},
                {"prefillOperationSeconds", byTable->prefill},
                {"decodeOperationSeconds", byTable->decode}};
        }
        for (const auto& validation : validations)
        {
            json[validation.work]["validation"] = validation.GetJson();
        }
        light.AddTo(json);
        WriteJson(json, options.json);
    }
}

/**
 * Add the options.
 *
 * @param [out] parsed the options of the program
 * @param [out] options the options
 */
void
AddOptions(ProgramOptions& parsed, Options& options)
{
    constexpr int64_t most = 1000000;
    parsed.BeginGroup("Model and accelerator");
    parsed.AddValue("model",
                    "Model that generates tokens, like llama-3-70b, or a config.json of it",
                    options.model);
    parsed.AddValue("accelerator",
                    "Accelerator, or FILE.json, by default that of --server: " +
                        JoinList(Accelerator::GetNames()),
                    options.accelerator);
    parsed.AddValue("memory",
                    "Memory of a GPU, like 80GiB, or unlimited; default: that of the accelerator",
                    "",
                    [&options](const std::string& text) { options.memory = ParseMemory(text); });
    parsed.BeginGroup("Plan");
    parsed.AddValue("prefillGpus", "GPUs for the prefill", options.prefillGpus, 1, most);
    parsed.AddValue("decodeGpus", "GPUs for the decode phase", options.decodeGpus, 1, most);
    parsed.AddValue("batch", "Prompts of a prefill, over its GPUs", options.batch, 1);
    options.planner.AddTo(parsed);
    parsed.BeginGroup("Fabric");
    parsed.AddValue("fabric",
                    "Fabric: " + JoinList(InterconnectHelper::GetNames()) +
                        "; an optical and an electrical one, like sip-ring+fat-tree",
                    options.fabric);
    options.FabricOptions::AddTo(parsed);
    parsed.AddValue("network",
                    "Table of lightpath-serving, whose times are printed beside the simulated ones",
                    options.network);
    parsed.BeginGroup("Run");
    parsed.AddValue("iterations",
                    "Batches, of which the last one is reported",
                    options.iterations,
                    1,
                    1000);
    parsed.AddOutput(options.json, options.quiet);
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if the batches were simulated
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    RunWatch::UseScheduler();
    Options options;
    ProgramOptions parsed("lightpath-infer",
                          "Run inference, with prefill and decode on GPUs of their own, on an "
                          "optical or electrical fabric, and report the times of tokens.");
    AddOptions(parsed, options);
    return parsed.Run(argc, argv, [&] {
        options.servers.SetAccelerator(parsed);
        options.servers.SetDefaultRate(Accelerator::Create(options.accelerator).serverBitRate);
        options.SetUsualServers({options.fabric});
        if (options.servers.GetGpus() > 1)
        {
            // A server belongs to one phase
            const std::string gpus = std::to_string(options.servers.GetGpus());
            parsed.SetFallback("prefillGpus", gpus);
            parsed.SetFallback("decodeGpus", gpus);
        }
        Run(options, parsed);
    });
}
