/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/accelerator-file.h"

#include "ns3/accelerator.h"
#include "ns3/model-zoo.h"

#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the accelerators.
 */
class AcceleratorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the roofline against values calculated by hand.
    void TestRoofline();

    /// Check products of experts, few rows and moved data against published times of kernels.
    void TestKernels();

    /// Check the presets: their names, data sheets, and behaviour on the operators of models.
    void TestPresets();

    /// Check what files of accelerators state and take over, and what is refused.
    void TestFiles();

  private:
    /// Check what is refused.
    void CheckErrors();

    /**
     * Check that more samples take longer and that shares are never faster than in proportion.
     *
     * @param gpu an accelerator
     * @param op an operator
     */
    void CheckScaling(const Accelerator& gpu, const Operator& op);
};

void
AcceleratorTests::TestRoofline()
{
    Accelerator gpu;
    gpu.matrixFlops = 100e12;
    gpu.vectorFlops = 10e12;
    gpu.memoryBandwidth = 1e12;
    gpu.singleMatrixFlops = 20e12;
    gpu.halfEfficiency = {0.5, 0.4, 0.25};
    gpu.singleEfficiency = {1, 1.25, 0.5};
    gpu.vectorEfficiency = 0.5;
    gpu.memoryEfficiency = 0.8;
    gpu.productRamp = 2e-6;
    gpu.convolutionRamp = 12e-6;
    gpu.memoryRamp = 1e-6;
    gpu.launchSeconds = 3e-6;
    constexpr double TOLERANCE = 1e-15;

    // 10 samples: 10 GFLOP at 50 TFLOP/s are 200 us, 16 MB at 0.8 TB/s are 20 us
    Operator product;
    product.kind = OperatorKind::MATMUL;
    product.flops = 1000000000;
    product.readBytes = 1000000;
    product.writtenBytes = 500000;
    product.parameterBytes = 1000000;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 205e-6, TOLERANCE, "Arithmetic");
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10, 0.25), 55e-6, TOLERANCE, "A quarter");
    // At 40 and 25 TFLOP/s it is 250 and 400 us; in single precision at 20, 25 and 10 TFLOP/s
    product.kind = OperatorKind::CONVOLUTION;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 265e-6, TOLERANCE, "Convolution");
    product.kind = OperatorKind::ATTENTION;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 405e-6, TOLERANCE, "Attention");
    product.precision = Precision::SINGLE;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 1005e-6, TOLERANCE, "Attention");
    product.kind = OperatorKind::CONVOLUTION;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 415e-6, TOLERANCE, "Convolution");
    product.kind = OperatorKind::MATMUL;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 505e-6, TOLERANCE, "Product");
    // At 5 TFLOP/s it is 2 ms
    product.kind = OperatorKind::SOFTMAX;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10), 2004e-6, TOLERANCE, "Vectors");

    // 2 samples: 2 x 160 MB and 80 MB at 0.8 TB/s are 500 us, 2 MFLOP at 5 TFLOP/s are 0.4 us
    Operator sum;
    sum.kind = OperatorKind::ELEMENTWISE;
    sum.flops = 1000000;
    sum.readBytes = 100000000;
    sum.writtenBytes = 60000000;
    sum.parameterBytes = 80000000;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(sum, 2), 504e-6, TOLERANCE, "Memory");
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(sum, 2, 0.5), 254e-6, TOLERANCE, "A half");
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(sum, 0), 104e-6, TOLERANCE, "Parameters alone");

    // The ramp and the launch are paid once
    gpu.linearShares = true;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(sum, 2), 504e-6, TOLERANCE, "The whole");
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(sum, 2, 0.5), 252e-6, TOLERANCE, "A linear half");
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(product, 10, 0.25),
                              2004e-6 / 4,
                              TOLERANCE,
                              "A linear quarter");

    Operator nothing;
    NS_TEST_EXPECT_MSG_EQ(gpu.GetSeconds(nothing, 5), 0, "Nothing is launched");
    CheckErrors();
}

void
AcceleratorTests::TestKernels()
{
    /// Products of experts that SimuMax v1.2 has measured on a B200 in BF16.
    struct Kernel
    {
        uint64_t experts; //!< Experts
        uint64_t rows;    //!< Tokens of an expert
        uint64_t columns; //!< Width of the result
        uint64_t inner;   //!< Width of the input
        uint64_t added;   //!< Bytes of a gradient of a parameter that it is added to; 0: forward
        double share;     //!< Share of the peak that it reaches
    };

    const std::vector<Kernel> kernels = {{160, 154, 3072, 5120, 0, 0.1997},
                                         {160, 154, 3072, 5120, 4, 0.0937},
                                         {160, 154, 5120, 1536, 0, 0.1158},
                                         {256, 128, 4096, 7168, 0, 0.2081},
                                         {256, 128, 7168, 2048, 4, 0.0801},
                                         {80, 308, 3072, 5120, 4, 0.1616},
                                         {80, 308, 5120, 1536, 0, 0.2350},
                                         {64, 512, 4096, 7168, 0, 0.3670},
                                         {64, 512, 7168, 2048, 4, 0.2145},
                                         {20, 1232, 3072, 5120, 0, 0.5134},
                                         {20, 1232, 3072, 5120, 4, 0.3276},
                                         {32, 1024, 7168, 2048, 0, 0.3842},
                                         {40, 2460, 5120, 1536, 4, 0.4026},
                                         {40, 9832, 3072, 5120, 0, 0.4746}};
    // The rates that least squares over all of its 108 measurements find
    Accelerator gpu = Accelerator::Create("B200");
    gpu.halfEfficiency.matmul = 0.56;
    gpu.memoryEfficiency = 1;
    gpu.launchSeconds = 0;
    for (const auto& kernel : kernels)
    {
        Operator op;
        op.kind = OperatorKind::MATMUL;
        op.experts = static_cast<uint32_t>(kernel.experts);
        op.flops = 2 * kernel.experts * kernel.rows * kernel.columns * kernel.inner;
        const uint64_t parameters = kernel.experts * kernel.columns * kernel.inner;
        const uint64_t inputs = 2 * kernel.experts * kernel.rows * kernel.inner;
        const uint64_t outputs = 2 * kernel.experts * kernel.rows * kernel.columns;
        op.readBytes = inputs + (kernel.added > 0 ? outputs : 0);
        op.writtenBytes = kernel.added > 0 ? 0 : outputs;
        op.parameterBytes = (kernel.added > 0 ? 2 * kernel.added : 2) * parameters;
        const double published = op.flops / (kernel.share * gpu.matrixFlops);
        const double ratio = gpu.GetSeconds(op, 1) / published;
        NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.25, kernel.rows << " tokens of an expert");
        // A GPU with an eighth of the experts takes an eighth of the time
        NS_TEST_EXPECT_MSG_EQ_TOL(8 * gpu.GetSeconds(op, 1, 0.125) / published,
                                  ratio,
                                  1e-12,
                                  "A share");
    }

    // The trace of a step of DeepSeek-V3 on H800: 4 experts, 8192 tokens each, 112 of 132
    // processors for 2.03 to 2.16 ms
    Operator gate;
    gate.kind = OperatorKind::MATMUL;
    gate.precision = Precision::FP8;
    gate.experts = 4;
    gate.flops = 2ULL * 32768 * 7168 * 4096;
    gate.readBytes = 32768ULL * 7168;
    gate.writtenBytes = 2ULL * 32768 * 4096;
    gate.parameterBytes = 4ULL * 7168 * 4096;
    const Accelerator h800 = Accelerator::Create("H800");
    NS_TEST_EXPECT_MSG_EQ_TOL(h800.GetSeconds(gate, 1), 2.1e-3 * 112 / 132, 0.2e-3, "H800");

    // A kernel for one row reads its parameters at the share of the peak of the memory: 7168 x
    // 16384 of 8 bits take 44.1 us, and the ramp of training does not count
    Operator row;
    row.kind = OperatorKind::MATMUL;
    row.precision = Precision::FP8;
    row.flops = 2ULL * 7168 * 16384;
    row.parameterBytes = 7168ULL * 16384;
    Accelerator h100 = Accelerator::Create("H100");
    h100.memoryEfficiency = 0.795;
    h100.boundedRamp = true;
    NS_TEST_EXPECT_MSG_EQ_TOL(h100.GetSeconds(row, 1),
                              44.1e-6 + h100.memoryRamp + h100.launchSeconds,
                              0.1e-6,
                              "One row");

    // Data is moved by a kernel before: 26.6 MB at 2.66 TB/s take 10 us
    const double still = h100.GetSeconds(row, 10);
    row.movedBytes = 2663250;
    NS_TEST_EXPECT_MSG_EQ_TOL(h100.GetSeconds(row, 10) - still,
                              10e-6 + h100.memoryRamp + h100.launchSeconds,
                              1e-9,
                              "Moved data");

    // Rows in another order reach half of the peak of a B200: 40 MB at 4.04 TB/s take 9.9 us
    Operator copies;
    copies.kind = OperatorKind::EMBEDDING;
    copies.readBytes = 20000000;
    copies.writtenBytes = 20000000;
    gpu.memoryRamp = 0;
    NS_TEST_EXPECT_MSG_EQ_TOL(gpu.GetSeconds(copies, 1), 9.90e-6, 0.01e-6, "Permutation");

    // Operators of one of four layers of that trace beside products and attention, forward and
    // backward, took 9.1 ms for 4096 tokens
    const OperatorGraph graph =
        ModelZoo::Create("deepseek-v3:attention=causal,precision=fp8,dispatch=fp8");
    double others = 0;
    for (Operator op : graph.GetOperators())
    {
        if (op.name.rfind("layer20.", 0) == 0 && op.pass != Pass::UPDATE)
        {
            const bool isOther =
                op.kind != OperatorKind::MATMUL && op.kind != OperatorKind::ATTENTION;
            const double whole = h800.GetSeconds(op, 64, 1. / 64);
            op.movedBytes = 0;
            others += whole - (isOther ? 0 : h800.GetSeconds(op, 64, 1. / 64));
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(others, 7.5e-3, 1.6e-3, "Other kernels of a layer");
}

void
AcceleratorTests::CheckErrors()
{
    const Accelerator gpu = Accelerator::Create("A100");
    Operator op;
    op.name = "conv1";
    for (const double share : {0.0, -0.5, 1.01, std::numeric_limits<double>::quiet_NaN()})
    {
        const std::string error = GetError([&]() { gpu.GetSeconds(op, 1, share); });
        EXPECT_PART(error, "operator conv1");
    }
    for (const double samples : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    {
        const std::string error = GetError([&]() { gpu.GetSeconds(op, samples); });
        EXPECT_PART(error, "Operator conv1");
    }
}

void
AcceleratorTests::TestPresets()
{
    /// The data sheet of an accelerator.
    struct DataSheet
    {
        const char* name;          //!< Its name
        double teraflops;          //!< Half precision, dense matrices
        double singleTeraflops;    //!< Single precision, dense matrices
        double vectorTeraflops;    //!< Single precision, other arithmetic
        double gigabytesPerSecond; //!< Bandwidth of the memory
        uint64_t gibibytes;        //!< Size of the memory
    };

    const std::vector<DataSheet> sheets = {{"A100", 312, 156, 19.5, 2039, 80},
                                           {"A100-40", 312, 156, 19.5, 1555, 40},
                                           {"Ascend-910B", 320, 75, 19.5, 1200, 64},
                                           {"B200", 2250, 1125, 80, 8000, 180},
                                           {"B300", 2250, 1125, 80, 8000, 268},
                                           {"GB200", 2500, 1250, 80, 8000, 186},
                                           {"GB300", 2500, 1250, 80, 8000, 268},
                                           {"H100", 989.4, 494.7, 66.9, 3350, 80},
                                           {"H200", 989.4, 494.7, 66.9, 4800, 141},
                                           {"H800", 989.4, 494.7, 66.9, 3350, 80},
                                           {"MI300X", 1307, 653.7, 163, 5300, 192},
                                           {"MI355X", 2500, 157, 157, 8000, 288},
                                           {"Rubin", 4000, 2000, 130, 22000, 268},
                                           {"TPU-v4", 275, 0, 19.5, 1200, 32},
                                           {"TPU-v5p", 459, 0, 19.5, 2760, 95},
                                           {"TPU-v7", 2307, 0, 19.5, 7400, 192},
                                           {"Trainium2", 667, 667, 66.9, 2900, 96},
                                           {"V100", 125, 15.7, 15.7, 900, 32},
                                           {"V100-16", 125, 15.7, 15.7, 900, 16}};
    const std::vector<std::string> names = Accelerator::GetNames();
    NS_TEST_ASSERT_MSG_EQ(names.size(), sheets.size(), "Presets");
    const OperatorGraph resnet = ModelZoo::Create("resnet50");
    const OperatorGraph bert = ModelZoo::Create("bert-large");
    for (std::size_t i = 0; i < sheets.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(names[i], sheets[i].name, "Names in ascending order");
        const Accelerator gpu = Accelerator::Create(names[i]);
        NS_TEST_EXPECT_MSG_EQ(gpu.name, names[i], "Name");
        NS_TEST_EXPECT_MSG_EQ_TOL(gpu.matrixFlops, sheets[i].teraflops * 1e12, 1, "Matrices");
        NS_TEST_EXPECT_MSG_EQ_TOL(gpu.singleMatrixFlops,
                                  sheets[i].singleTeraflops * 1e12,
                                  1,
                                  "Matrices in single precision");
        NS_TEST_EXPECT_MSG_EQ_TOL(gpu.vectorFlops, sheets[i].vectorTeraflops * 1e12, 1, "Vectors");
        NS_TEST_EXPECT_MSG_EQ_TOL(gpu.memoryBandwidth,
                                  sheets[i].gigabytesPerSecond * 1e9,
                                  1,
                                  "Bandwidth");
        NS_TEST_EXPECT_MSG_EQ((gpu.memoryBytes >> 30), sheets[i].gibibytes, "Memory");
        EXPECT_PART(GetError([]() { Accelerator::Create("TPU"); }), names[i]);
        // Twice the rate of half precision, of Rubin 4.4 times, or no products at all
        const double eight = gpu.GetPeak(Precision::FP8) / gpu.matrixFlops;
        const double most = names[i] == "Rubin" ? 4.4 : 2.1;
        NS_TEST_EXPECT_MSG_EQ((eight == 0 || (eight > 1.9 && eight < most)), true, names[i]);
        // GB300 has half as much again as the four times of the others
        const double four = gpu.GetPeak(Precision::NVFP4) / gpu.matrixFlops;
        NS_TEST_EXPECT_MSG_EQ((four == 0 || (four >= 4 && four <= 6)), true, names[i]);
        NS_TEST_EXPECT_MSG_EQ((gpu.GetPeak(Precision::FP32) <= gpu.GetPeak(Precision::SINGLE)),
                              true,
                              names[i]);
        for (const auto* graph : {&resnet, &bert})
        {
            for (const auto& op : graph->GetOperators())
            {
                CheckScaling(gpu, op);
            }
        }
    }
}

void
AcceleratorTests::TestFiles()
{
    const auto read = [](const std::string& members) {
        std::istringstream text("{\"format\": \"lightpath-accelerator\", \"version\": 1, "
                                "\"name\": \"X\", \"description\": \"x\", " +
                                members + "}");
        return AcceleratorFile(text, "x.json");
    };
    const auto group = [](const std::string& values) {
        return "\"figures\": [{\"confidence\": \"measured\", \"source\": \"a desk\", "
               "\"values\": {" +
               values + "}}]";
    };
    const std::string base = "\"base\": \"H100\", ";
    const Accelerator h100 = Accelerator::Create("H100");

    // Values that the file omits are those of the base, with its source; peaks are stated together
    const AcceleratorFile file =
        read(base + group("\"memoryGib\": 96, \"launchSeconds\": 0, "
                          "\"serverBytesPerSecond\": 1e9, \"fp8FlopsPerSecond\": 3e15"));
    const Accelerator gpu = file.GetAccelerator();
    NS_TEST_EXPECT_MSG_EQ(gpu.name, "X", "Name");
    NS_TEST_EXPECT_MSG_EQ(gpu.memoryBytes, uint64_t(96) << 30, "Memory");
    NS_TEST_EXPECT_MSG_EQ(gpu.launchSeconds, 0, "Launch");
    NS_TEST_EXPECT_MSG_EQ(gpu.serverBitRate, 8e9, "Bits");
    NS_TEST_EXPECT_MSG_EQ(gpu.GetPeak(Precision::FP8), 3e15, "Peak");
    NS_TEST_EXPECT_MSG_EQ(gpu.GetPeak(Precision::HALF), 0, "No peak of the base");
    NS_TEST_EXPECT_MSG_EQ(gpu.memoryBandwidth, h100.memoryBandwidth, "Base");
    NS_TEST_EXPECT_MSG_EQ(gpu.fp8Efficiency.matmul, h100.fp8Efficiency.matmul, "Base");
    NS_TEST_EXPECT_MSG_EQ(gpu.fp8Efficiency.attention, h100.halfEfficiency.attention, "As half");
    for (const auto& figure : file.GetFigures())
    {
        const bool own = figure.source == "a desk";
        NS_TEST_EXPECT_MSG_EQ(figure.file, (own ? "X" : "H100"), figure.key);
    }
    Operator product;
    product.name = "qkv";
    product.kind = OperatorKind::MATMUL;
    product.flops = 1000;
    EXPECT_PART(GetError([&]() { gpu.GetSeconds(product, 1); }),
                "Operator qkv has the precision half, in which accelerator X has no");
    product.precision = Precision::FP8;
    NS_TEST_EXPECT_MSG_GT(gpu.GetSeconds(product, 1), 0, "Products with 8 bits");

    // A GPU alone has no rate in a server, whatever the base has; several need one
    NS_TEST_EXPECT_MSG_EQ(read(base + group("\"serverGpus\": 1")).GetAccelerator().serverBitRate,
                          0,
                          "No server");
    NS_TEST_EXPECT_MSG_EQ(Accelerator::Create("TPU-v5p").serverBitRate, 0, "A torus");

    // A TPU inherits the fit of A100
    const AcceleratorFile tpu("TPU-v5p");
    for (const auto& figure : tpu.GetFigures())
    {
        NS_TEST_EXPECT_MSG_NE(figure.confidence, "fitted", figure.key);
        const bool isInherited = figure.key == "halfMatmulEfficiency";
        NS_TEST_EXPECT_MSG_EQ((!isInherited || figure.confidence == "inherited"), true, figure.key);
    }
    const std::string made = "\"provenance\": {\"driver\": \"1.2\", \"date\": \"2026-01-31\"}, ";
    const AcceleratorFile measured = read(base + made + group("\"memoryGib\": 96"));
    NS_TEST_ASSERT_MSG_EQ(measured.GetProvenance().size(), 2, "Facts");
    NS_TEST_EXPECT_MSG_EQ(measured.GetProvenance()[0].key, "date", "Facts");
    NS_TEST_EXPECT_MSG_EQ(measured.GetProvenance()[1].text, "1.2", "Facts");
    NS_TEST_EXPECT_MSG_EQ(file.GetProvenance().size(), 0, "None");

    const std::vector<std::pair<std::string, std::string>> faults = {
        {base + "\"provenance\": {\"clock\": \"1\"}, " + group(""), "unknown key \"clock\""},
        {base + "\"provenance\": {\"date\": 2026}, " + group(""), "/provenance/date is 2026"},
        {"\"base\": \"TPU-v4\", " + group("\"serverGpus\": 4"),
         "x.json has no figure \"serverBytesPerSecond\""},
        {group("\"memoryGib\": 96"), "x.json has no figure \"vectorFlopsPerSecond\""},
        {base + group("\"memoryGB\": 96"), "unknown key \"memoryGB\""},
        {base + group("\"memoryGib\": 0.5"), "/memoryGib is 0.5"},
        {base + group("\"vectorEfficiency\": 0"), "must be above 0"},
        {base + group("\"memoryRampSeconds\": -1"), "/memoryRampSeconds is -1"},
        {base, "is not valid JSON"},
        {"\"base\": \"H1000\", " + group(""), "/base is \"H1000\", but must be one of A100"},
        {base + "\"figures\": [{\"confidence\": \"sure\", \"source\": \"y\"}]",
         "/figures/0/confidence is \"sure\", but must be one of published, measured"},
    };
    for (const auto& fault : faults)
    {
        EXPECT_PART(GetError([&]() { read(fault.first); }), fault.second);
    }
    EXPECT_PART(GetError([]() { Accelerator::Create("none.json"); }), "does not exist");
}

void
AcceleratorTests::CheckScaling(const Accelerator& gpu, const Operator& op)
{
    double before = 0;
    for (const double samples : {1, 2, 7, 64})
    {
        const double whole = gpu.GetSeconds(op, samples);
        NS_TEST_EXPECT_MSG_EQ((whole >= before), true, "More samples for " << op.name);
        before = whole;
        const double ideal = op.flops * samples / gpu.matrixFlops;
        NS_TEST_EXPECT_MSG_EQ((whole >= ideal), true, "Above the peak rate: " << op.name);
        for (const uint32_t parts : {2, 3, 8, 64})
        {
            const double part = gpu.GetSeconds(op, samples, 1.0 / parts);
            NS_TEST_EXPECT_MSG_EQ((part <= whole), true, "A share of " << op.name);
            NS_TEST_EXPECT_MSG_EQ((part * parts >= whole * (1 - 1e-12)),
                                  true,
                                  "1/" << parts << " of " << op.name << " is too fast");
        }
    }
}

/// Registers the test cases
static const SuiteCases g_acceleratorCases(
    "lightpath-workload",
    {{MakeCase("roofline", &AcceleratorTests::TestRoofline),
      MakeCase("kernels of accelerators", &AcceleratorTests::TestKernels),
      MakeCase("presets of accelerators", &AcceleratorTests::TestPresets),
      MakeCase("files of accelerators", &AcceleratorTests::TestFiles)}});
