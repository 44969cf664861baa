/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "calibration-anchors.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Whether the parameters of an accelerator were fitted to a measurement.
constexpr bool FITTED = true;

/**
 * Make a data-parallel job whose throughput was measured.
 *
 * @param source where it was published
 * @param job what was trained
 * @param model name of the model
 * @param accelerator name of the accelerator
 * @param gpus number of GPUs
 * @param batch samples of a forward and backward pass of one GPU
 * @param rate samples per second
 * @param fitted whether parameters were fitted to it
 * @return the measurement
 */
Anchor
MakeThroughput(const std::string& source,
               const std::string& job,
               const std::string& model,
               const std::string& accelerator,
               uint32_t gpus,
               uint64_t batch,
               double rate,
               bool fitted = false)
{
    Anchor anchor;
    anchor.source = source;
    anchor.job = job;
    anchor.model = model;
    anchor.accelerator = accelerator;
    anchor.serverGpus = std::min(gpus, 8U);
    anchor.strategy.dataParallel = gpus;
    anchor.microbatch = batch;
    anchor.batch = batch * gpus;
    anchor.work = anchor.batch;
    anchor.unit = "samples/s";
    anchor.published = rate;
    anchor.fitted = fitted;
    return anchor;
}

/**
 * ResNet-50 version 1.5 of NVIDIA's DeepLearningExamples (PyTorch): 256 images per GPU in mixed
 * precision and with TF32, 128 in single precision on a V100, which is an assumption for all but
 * mixed precision.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddResnetExamples(std::vector<Anchor>& anchors)
{
    const std::string source = "DLE";
    const std::string half = "resnet50";
    const std::string single = "resnet50:precision=single";
    const auto add = [&](const std::string& job,
                         const std::string& model,
                         const std::string& gpu,
                         uint64_t batch,
                         double one,
                         double eight,
                         bool fitted) {
        const std::string name = "ResNet-50, " + job;
        anchors.push_back(MakeThroughput(source, name, model, gpu, 1, batch, one, fitted));
        anchors.push_back(MakeThroughput(source, name, model, gpu, 8, batch, eight));
    };
    add("mixed", half, "A100", 256, 2470, 16621, FITTED);
    add("TF32", single, "A100", 256, 938, 7248, FITTED);
    add("mixed", half, "V100-16", 256, 1200, 8322, FITTED);
    add("FP32", single, "V100-16", 128, 367, 2855, FITTED);
    add("mixed", half, "V100", 256, 1156, 8056, false);
    add("FP32", single, "V100", 128, 356, 2766, false);
}

/**
 * BERT-large of NVIDIA's DeepLearningExamples (PyTorch). Gradients are accumulated to a batch of
 * 65 536 sequences of 128 tokens, or 32 768 of 512, over 8 GPUs and more.
 *
 * Sequences of 512 tokens are sorted into bins of 64 by length and padded to the end of their bin.
 * Of the tokens of padded sequences, 48 % are padding (Zhang et al., ISPASS 2021, for English
 * Wikipedia and books), so that the mean length is 266 tokens, and half a bin more.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddBertExamples(std::vector<Anchor>& anchors)
{
    const std::string shorter = "bert-large:sequence=128,predictions=20,positions=512";
    const std::string longer = "bert-large:sequence=298,predictions=80,positions=512";
    const auto add = [&](bool isLong,
                         const std::string& job,
                         const std::string& options,
                         const std::string& gpu,
                         uint32_t gpus,
                         double rate,
                         bool fitted = false) {
        Anchor anchor = MakeThroughput("DLE",
                                       "BERT-large " + std::string(isLong ? "298 of 512" : "128") +
                                           " tokens, " + job,
                                       (isLong ? longer : shorter) + options,
                                       gpu,
                                       gpus,
                                       isLong ? 16 : 64,
                                       rate,
                                       fitted);
        anchor.batch = (isLong ? 32768 : 65536) / (gpus == 1 ? 8 : 1);
        anchor.work = anchor.batch;
        anchors.push_back(anchor);
    };
    const std::string tf32 = ",precision=single";
    add(false, "mixed", "", "A100", 1, 580, FITTED);
    add(false, "mixed", "", "A100", 8, 4591);
    add(false, "TF32", tf32, "A100", 1, 317, FITTED);
    add(false, "TF32", tf32, "A100", 8, 2505);
    add(true, "mixed", "", "A100", 1, 210, FITTED);
    add(true, "mixed", "", "A100", 8, 1657);
    add(true, "TF32", tf32, "A100", 1, 110, FITTED);
    add(true, "TF32", tf32, "A100", 8, 860);
    add(false, "mixed", "", "V100", 1, 224, FITTED);
    add(false, "mixed", "", "V100", 8, 1746);
    add(true, "mixed", "", "V100", 1, 75, FITTED);
    add(true, "mixed", "", "V100", 8, 586);
    // The documentation of March 2020: 32 sequences of 128 tokens on a DGX-2, without accumulation
    anchors.push_back(MakeThroughput("DLE",
                                     "BERT-large 128 tokens, FP32",
                                     shorter + tf32,
                                     "V100",
                                     1,
                                     32,
                                     43.52,
                                     FITTED));
    const std::vector<double> shortRates = {9191, 18119, 35774, 70555, 138294};
    const std::vector<double> longRates = {3291, 6464, 13005, 25570, 49663};
    for (uint32_t i = 0; i < shortRates.size(); ++i)
    {
        add(false, "mixed", "", "A100", 16U << i, shortRates[i]);
        add(true, "mixed", "", "A100", 16U << i, longRates[i]);
    }
}

/**
 * Transformer-big of NVIDIA's DeepLearningExamples (PyTorch): 10 240 tokens per GPU, padding
 * included. Of these, 0.913 are tokens of the target: 74 794 of 81 920, as MLPerf's logs of the
 * same batch have it.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddTransformerExamples(std::vector<Anchor>& anchors)
{
    constexpr double FILL = 74794.0 / 81920;
    constexpr uint64_t TOKENS = 32;
    const auto add = [&](const std::string& gpu,
                         uint32_t server,
                         uint32_t gpus,
                         double rate,
                         bool fitted = false) {
        Anchor anchor = MakeThroughput("DLE",
                                       "Transformer-big, mixed",
                                       "transformer-big:sequence=" + std::to_string(TOKENS),
                                       gpu,
                                       gpus,
                                       10240 / TOKENS,
                                       rate,
                                       fitted);
        anchor.serverGpus = std::min(gpus, server);
        anchor.work = 10240 * FILL * gpus;
        anchor.unit = "tokens/s";
        anchors.push_back(anchor);
    };
    add("A100-40", 8, 1, 82059, FITTED);
    add("A100-40", 8, 8, 551599);
    add("V100", 16, 1, 39911, FITTED);
    add("V100", 16, 8, 267815);
    add("V100", 16, 16, 517227);
}

/**
 * DLRM of NVIDIA's DeepLearningExamples (PyTorch) in mixed precision: 65 536 samples on one GPU.
 * Its tables are smaller than those of MLPerf, whose lookups cost the same.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddDlrmExamples(std::vector<Anchor>& anchors)
{
    anchors.push_back(MakeThroughput("DLE",
                                     "DLRM (small), mixed",
                                     "dlrm:precision=half",
                                     "A100",
                                     1,
                                     65536,
                                     4.02e6));
}

/**
 * The size of a GPT model and how it was trained.
 */
struct GptJob
{
    const char* name;       //!< Name of the model
    uint64_t hidden;        //!< Hidden size
    uint64_t layers;        //!< Layers
    uint64_t heads;         //!< Attention heads
    uint32_t tensor;        //!< Tensor-parallel degree
    uint32_t pipeline;      //!< Pipeline stages
    uint32_t data;          //!< Replicas
    uint64_t batch;         //!< Sequences of an iteration
    uint64_t microbatch;    //!< Sequences of a microbatch
    uint32_t virtualStages; //!< Parts of the layers of a stage
    double published;       //!< The measured value
    bool fitted;            //!< Whether parameters were fitted to it
};

/**
 * @param gpt a model and how it was trained
 * @param sequence tokens of a sequence
 * @param vocabulary size of the vocabulary
 * @return the measurement, without its source, accelerator and unit
 */
Anchor
MakeGpt(const GptJob& gpt, uint64_t sequence, uint64_t vocabulary)
{
    Anchor anchor;
    anchor.job = std::string("GPT ") + gpt.name;
    anchor.model =
        "transformer:layers=" + std::to_string(gpt.layers) +
        ",hidden=" + std::to_string(gpt.hidden) + ",heads=" + std::to_string(gpt.heads) +
        ",feedForward=" + std::to_string(4 * gpt.hidden) + ",sequence=" + std::to_string(sequence) +
        ",vocabulary=" + std::to_string(vocabulary) + ",positions=" + std::to_string(sequence);
    anchor.strategy.tensorParallel = gpt.tensor;
    anchor.strategy.pipelineParallel = gpt.pipeline;
    anchor.strategy.dataParallel = gpt.data;
    anchor.strategy.virtualStages = gpt.virtualStages;
    anchor.microbatch = gpt.microbatch;
    anchor.batch = gpt.batch;
    anchor.published = gpt.published;
    anchor.fitted = gpt.fitted;
    return anchor;
}

/**
 * The operations by which Megatron-LM's rates are counted: those of the forward and backward pass
 * and, with full recomputation, of one more forward pass of the layers (Narayanan et al., SC'21).
 *
 * @param gpt a model and how it was trained
 * @param sequence tokens of a sequence
 * @param vocabulary size of the vocabulary
 * @param recomputed whether layers are recomputed
 * @return the operations of an iteration on one GPU, 10^12
 */
double
GetTeraflops(const GptJob& gpt, double sequence, double vocabulary, bool recomputed)
{
    const double h = gpt.hidden;
    const double l = gpt.layers;
    const double factor = recomputed ? 96 : 72;
    const double head = recomputed ? 16 : 12;
    const double flops = factor * gpt.batch * sequence * l * h * h *
                         (1 + sequence / (6 * h) + vocabulary / (head * l * h));
    return flops / (1e12 * gpt.tensor * gpt.pipeline * gpt.data);
}

/**
 * The table of Megatron-LM's repository of 2020: one server, or many with data parallelism; 1024
 * tokens, full recomputation, attention heads of 128 elements.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddMegatron2020(std::vector<Anchor>& anchors)
{
    const auto add = [&](const GptJob& gpt, const std::string& gpu, uint32_t server) {
        Anchor anchor = MakeGpt(gpt, 1024, 51200);
        anchor.source = "Megatron-2020";
        anchor.accelerator = gpu;
        anchor.serverGpus = server;
        anchor.strategy.recomputation = Recomputation::FULL;
        anchor.isTime = true;
        anchor.unit = "s";
        anchors.push_back(anchor);
    };
    add({"1.2B", 1920, 24, 15, 1, 1, 1, 8, 8, 1, 1.121, FITTED}, "V100", 16);
    add({"2B", 2304, 30, 18, 2, 1, 1, 8, 8, 1, 1.093, false}, "V100", 16);
    add({"4B", 3072, 36, 24, 4, 1, 1, 8, 8, 1, 1.238, false}, "V100", 16);
    add({"8.7B", 4096, 42, 32, 8, 1, 1, 8, 8, 1, 1.407, false}, "V100", 16);
    add({"1.2B", 1920, 24, 15, 1, 1, 1, 16, 16, 1, 1.076, FITTED}, "A100-40", 8);
    add({"2B", 2304, 30, 18, 2, 1, 1, 16, 16, 1, 1.026, false}, "A100-40", 8);
    add({"4B", 3072, 36, 24, 4, 1, 1, 16, 16, 1, 1.162, false}, "A100-40", 8);
    add({"8.7B", 4096, 42, 32, 8, 1, 1, 16, 16, 1, 1.343, false}, "A100-40", 8);
    add({"1.2B", 1920, 24, 15, 1, 1, 128, 2048, 16, 1, 1.153, false}, "A100-40", 8);
    add({"2B", 2304, 30, 18, 2, 1, 128, 2048, 16, 1, 1.101, false}, "A100-40", 8);
    add({"4B", 3072, 36, 24, 4, 1, 128, 2048, 16, 1, 1.242, false}, "A100-40", 8);
    add({"8.7B", 4096, 42, 32, 8, 1, 128, 2048, 16, 1, 1.380, false}, "A100-40", 8);
}

/**
 * Table 1 of Narayanan et al., SC'21: weak scaling from 1.7 to 1008 billion parameters, with full
 * recomputation.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddMegatronScaling(std::vector<Anchor>& anchors)
{
    const std::vector<GptJob> jobs = {
        {"1.7B", 2304, 24, 24, 1, 1, 32, 512, 16, 1, 137, false},
        {"3.6B", 3072, 30, 32, 2, 1, 32, 512, 16, 1, 138, false},
        {"7.5B", 4096, 36, 32, 4, 1, 32, 512, 16, 1, 142, false},
        {"18.4B", 6144, 40, 48, 8, 1, 32, 1024, 8, 1, 135, false},
        {"39.1B", 8192, 48, 64, 8, 2, 32, 1536, 4, 1, 138, false},
        {"76.1B", 10240, 60, 80, 8, 4, 32, 1792, 2, 3, 140, false},
        {"145.6B", 12288, 80, 96, 8, 8, 24, 2304, 2, 2, 148, false},
        {"310.1B", 16384, 96, 128, 8, 16, 15, 2160, 1, 2, 155, false},
        {"529.6B", 20480, 105, 128, 8, 35, 9, 2520, 1, 3, 163, false},
        {"1008B", 25600, 128, 160, 8, 64, 6, 3072, 1, 1, 163, false},
    };
    for (const auto& gpt : jobs)
    {
        Anchor anchor = MakeGpt(gpt, 2048, 51200);
        anchor.source = "SC21";
        anchor.accelerator = "A100";
        anchor.strategy.recomputation = Recomputation::FULL;
        anchor.work = GetTeraflops(gpt, 2048, 51200, true);
        anchor.unit = "TFLOP/s";
        anchors.push_back(anchor);
    }
}

/**
 * Table 5 of Korthikanti et al., 2022: full recomputation, and selective recomputation with
 * sequence parallelism.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddKorthikanti(std::vector<Anchor>& anchors)
{
    const auto add = [&](GptJob gpt, double selective) {
        for (const bool full : {true, false})
        {
            gpt.published = full ? gpt.published : selective;
            Anchor anchor = MakeGpt(gpt, 2048, 51200);
            anchor.source = "Korthikanti";
            anchor.job += full ? ", full" : ", selective";
            anchor.accelerator = "A100";
            anchor.strategy.sequenceParallel = !full;
            anchor.strategy.recomputation = full ? Recomputation::FULL : Recomputation::SELECTIVE;
            anchor.isTime = true;
            anchor.unit = "s";
            anchors.push_back(anchor);
        }
    };
    add({"22B", 6144, 48, 64, 8, 1, 1, 4, 4, 1, 1.42, false}, 1.10);
    add({"175B", 12288, 96, 96, 8, 8, 1, 64, 1, 3, 18.13, false}, 13.75);
    add({"530B", 20480, 105, 128, 8, 35, 1, 280, 1, 3, 49.05, false}, 37.83);
    add({"1T", 25600, 128, 160, 8, 64, 1, 512, 1, 1, 94.42, false}, 71.49);
}

/**
 * The table of Megatron Core on H100 with 4096 tokens and a vocabulary of 131 072.
 *
 * Only the number of parameters and the degrees are published. Hidden size and layers are the
 * round numbers that make that number of parameters; three more rows of the table, for which there
 * are none or several, are left out. Rows without a published batch have that of the row before
 * with one. Attention is fused. The microbatch is one sequence where there are stages and four
 * elsewhere, and each layer of a stage is a virtual stage of its own.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddMegatronCore(std::vector<Anchor>& anchors)
{
    const std::vector<GptJob> jobs = {
        {"1.7B", 2048, 24, 16, 1, 1, 48, 192, 4, 1, 408.8, FITTED},
        {"7.1B", 4096, 30, 32, 2, 1, 48, 192, 4, 1, 465.9, false},
        {"16B", 6144, 32, 48, 4, 1, 48, 192, 4, 1, 489.1, FITTED},
        {"119B", 12288, 64, 96, 8, 4, 48, 1152, 1, 16, 420.5, false},
        {"177B", 12288, 96, 96, 8, 6, 48, 1152, 1, 16, 432.8, FITTED},
        {"314B", 16384, 96, 128, 8, 8, 48, 1152, 1, 12, 474.4, false},
    };
    for (const auto& gpt : jobs)
    {
        Anchor anchor = MakeGpt(gpt, 4096, 131072);
        anchor.model += ",attention=fused,tied=no";
        anchor.source = "Megatron-Core";
        anchor.accelerator = "H100";
        anchor.uplinkGbps = 400;
        anchor.strategy.sequenceParallel = gpt.tensor > 1;
        anchor.work = GetTeraflops(gpt, 4096, 131072, false);
        anchor.unit = "TFLOP/s";
        anchors.push_back(anchor);
    }
}

/**
 * Make a data-parallel job of MLPerf, whose time of an iteration follows from the time to train,
 * the epochs and the batch, and so holds evaluation and all else that takes time.
 *
 * @param round the round of MLPerf
 * @param job what was trained
 * @param model name of the model
 * @param accelerator name of the accelerator
 * @param server GPUs of a server
 * @param gpus number of GPUs
 * @param batch samples of one GPU
 * @param milliseconds time of an iteration
 * @return the measurement
 */
Anchor
MakeMlperf(const std::string& round,
           const std::string& job,
           const std::string& model,
           const std::string& accelerator,
           uint32_t server,
           uint32_t gpus,
           uint64_t batch,
           double milliseconds)
{
    Anchor anchor = MakeThroughput("MLPerf-" + round, job, model, accelerator, gpus, batch, 0);
    anchor.serverGpus = std::min(server, gpus);
    // Eight adapters of 100 Gbit/s for 16 V100, and of 200 Gbit/s for 8 A100
    anchor.uplinkGbps = server == 16 ? 50 : 200;
    anchor.isTime = true;
    anchor.unit = "s";
    anchor.published = milliseconds * 1e-3;
    return anchor;
}

/**
 * MLPerf training, rounds 0.6 and 0.7, from its result logs.
 *
 * @param [in,out] anchors the measurements, to which these are added
 */
void
AddMlperf(std::vector<Anchor>& anchors)
{
    const auto resnet = [&](const std::string& round,
                            const std::string& gpu,
                            uint32_t server,
                            uint32_t gpus,
                            uint64_t batch,
                            double milliseconds,
                            bool fitted = false) {
        anchors.push_back(MakeMlperf(round,
                                     "ResNet-50, batch " + std::to_string(batch * gpus),
                                     "resnet50",
                                     gpu,
                                     server,
                                     gpus,
                                     batch,
                                     milliseconds));
        anchors.back().fitted = fitted;
    };
    resnet("0.6", "V100", 8, 8, 208, 149.6);
    resnet("0.6", "V100", 16, 16, 208, 150.3);
    resnet("0.6", "V100", 16, 512, 65, 56.1);
    resnet("0.6", "V100", 16, 1536, 39, 41.5, FITTED);
    resnet("0.7", "A100-40", 8, 8, 408, 148.3);
    resnet("0.7", "A100-40", 8, 768, 45, 29.1, FITTED);
    const auto transformer = [&](const std::string& round,
                                 const std::string& gpu,
                                 uint32_t server,
                                 uint32_t gpus,
                                 uint64_t tokens,
                                 double milliseconds) {
        anchors.push_back(MakeMlperf(round,
                                     "Transformer-big, " + std::to_string(tokens) + " tokens",
                                     "transformer-big:sequence=32",
                                     gpu,
                                     server,
                                     gpus,
                                     tokens / gpus / 32,
                                     milliseconds));
    };
    transformer("0.6", "V100", 8, 8, 81920, 238);
    transformer("0.6", "V100", 16, 16, 131072, 192);
    transformer("0.6", "V100", 16, 160, 614400, 116);
    transformer("0.6", "V100", 16, 480, 614400, 73.5);
    transformer("0.7", "A100-40", 8, 8, 110592, 128);
    transformer("0.7", "A100-40", 8, 16, 110592, 71);
    transformer("0.7", "A100-40", 8, 80, 737280, 101);
    transformer("0.7", "A100-40", 8, 160, 737280, 59);
    transformer("0.7", "A100-40", 8, 480, 737280, 32);
}

} // namespace

uint32_t
Anchor::GetNGpus() const
{
    return strategy.dataParallel * strategy.tensorParallel * strategy.pipelineParallel;
}

std::vector<Anchor>
GetAnchors()
{
    std::vector<Anchor> anchors;
    AddResnetExamples(anchors);
    AddBertExamples(anchors);
    AddTransformerExamples(anchors);
    AddDlrmExamples(anchors);
    AddMegatron2020(anchors);
    AddMegatronScaling(anchors);
    AddKorthikanti(anchors);
    AddMegatronCore(anchors);
    AddMlperf(anchors);
    return anchors;
}

} // namespace lightpath
} // namespace ns3
