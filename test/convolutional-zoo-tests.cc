/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/operator-formulas.h"

#include "ns3/model-zoo.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @return its forward operators by name
 */
std::map<std::string, Operator>
GetForward(const OperatorGraph& graph)
{
    std::map<std::string, Operator> operators;
    for (const auto& op : graph.GetOperators())
    {
        if (op.pass == Pass::FORWARD)
        {
            operators[op.name] = op;
        }
    }
    return operators;
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @return the bytes that its forward operators keep for the backward pass, per sample
 */
uint64_t
GetSavedBytes(const OperatorGraph& graph)
{
    uint64_t bytes = 0;
    for (const auto& op : graph.GetOperators())
    {
        bytes += op.savedBytes;
    }
    return bytes;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the convolutional networks of the zoo.
 */
class ConvolutionalZooTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check residual networks of both versions and of several sizes.
    void TestResnet();

    /// Check VGG networks against their table of layers.
    void TestVgg();

    /// Check AlexNet in both versions.
    void TestAlexnet();

    /**
     * Check the costs of convolutions with groups, biases and padding, and of a local response
     * normalisation.
     */
    void TestConvolutionFormulas();

  private:
    /**
     * Check a network against the sums over its layers.
     *
     * @param name its name
     * @param depths convolutions of each group
     * @param parameters published number of parameters
     * @param gigaMultiplyAdds published number of multiply-adds, 1e9
     */
    void Check(const std::string& name,
               const std::vector<uint32_t>& depths,
               uint64_t parameters,
               double gigaMultiplyAdds);
};

void
ConvolutionalZooTests::TestResnet()
{
    const OperatorGraph late = ModelZoo::Create("resnet50");
    const OperatorGraph early = ModelZoo::Create("resnet50:version=1");
    NS_TEST_EXPECT_MSG_EQ(late.GetForwardMultiplyAdds(), 4089184256, "Version 1.5");
    NS_TEST_EXPECT_MSG_EQ(early.GetForwardMultiplyAdds(), 3857973248, "Version 1");
    NS_TEST_EXPECT_MSG_EQ(early.GetParameters(), 25557032, "Strides have no parameters");
    const std::map<std::string, uint64_t> block = {{"stage2.block1.conv1", 12845056},
                                                   {"stage2.block1.conv2", 115605504},
                                                   {"stage2.block1.conv3", 51380224},
                                                   {"stage2.block1.conv-shortcut", 51380224},
                                                   {"stage3.block1.conv1", 102760448}};
    for (const auto& convolution : block)
    {
        NS_TEST_EXPECT_MSG_EQ(GetForward(late).at(convolution.first).multiplyAdds,
                              convolution.second,
                              convolution.first);
    }
    NS_TEST_EXPECT_MSG_EQ(GetForward(early).at("stage3.block1.conv1").multiplyAdds,
                          102760448 / 4,
                          "Version 1 has the stride in the 1x1 convolution");
    NS_TEST_EXPECT_MSG_EQ(GetForward(early).at("stage3.block1.conv2").multiplyAdds,
                          GetForward(late).at("stage3.block1.conv2").multiplyAdds,
                          "The output of the 3x3 convolution is the same");

    const OperatorGraph large = ModelZoo::Create("resnet50:image=448");
    NS_TEST_EXPECT_MSG_EQ(large.GetForwardMultiplyAdds(),
                          4 * (4089184256 - 2048000) + 2048000,
                          "Convolutions grow with the image, the classifier does not");
    NS_TEST_EXPECT_MSG_EQ(large.GetParameters(), 25557032, "Nor do parameters");
    const auto odd = GetForward(ModelZoo::Create("resnet50:image=225"));
    NS_TEST_EXPECT_MSG_EQ(odd.at("stem.conv").outputBytes, 2 * 64 * 113 * 113, "225 to 113");
    NS_TEST_EXPECT_MSG_EQ(odd.at("stem.pool").outputBytes, 2 * 64 * 57 * 57, "113 to 57");

    NS_TEST_EXPECT_MSG_EQ(ModelZoo::Create("resnet101").GetParameters(), 44549160, "ResNet-101");
    NS_TEST_EXPECT_MSG_EQ(ModelZoo::Create("resnet152").GetParameters(), 60192808, "ResNet-152");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * ModelZoo::Create("resnet101").GetForwardMultiplyAdds(),
                              7.80,
                              0.005,
                              "Published");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * ModelZoo::Create("resnet152").GetForwardMultiplyAdds(),
                              11.51,
                              0.005,
                              "Published");
    for (const auto* wrong : {"resnet50:image=31", "resnet50:image=65537", "resnet50:version=2"})
    {
        EXPECT_PART(GetError([wrong]() { ModelZoo::Create(wrong); }),
                    "of model \"resnet50\" cannot be");
    }
}

void
ConvolutionalZooTests::Check(const std::string& name,
                             const std::vector<uint32_t>& depths,
                             uint64_t parameters,
                             double gigaMultiplyAdds)
{
    uint64_t multiplyAdds = 0;
    uint64_t saved = 0;
    uint64_t channels = 3;
    uint64_t size = 224;
    for (std::size_t group = 0; group < depths.size(); ++group)
    {
        const uint64_t width = std::vector<uint64_t>{64, 128, 256, 512, 512}[group];
        for (uint32_t depth = 0; depth < depths[group]; ++depth)
        {
            multiplyAdds += 9 * channels * width * size * size;
            saved += 2 * channels * size * size; // the input of the convolution
            channels = width;
        }
        saved += 2 * width * size * size; // the input of the pooling
        size /= 2;
        saved += width * size * size; // where the maxima are
    }
    multiplyAdds += 25088 * 4096 + 4096 * 4096 + 4096 * 1000;
    saved += 2 * (25088 + 4096 + 4096) + 2 * 4096 + 4 * 1000;

    const OperatorGraph graph = ModelZoo::Create(name);
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), parameters, name);
    NS_TEST_EXPECT_MSG_EQ(graph.GetForwardMultiplyAdds(), multiplyAdds, name);
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * multiplyAdds, gigaMultiplyAdds, 0.0005, name);
    NS_TEST_EXPECT_MSG_EQ(GetSavedBytes(graph), saved, name);
}

void
ConvolutionalZooTests::TestVgg()
{
    Check("vgg16", {2, 2, 3, 3, 3}, 138357544, 15.470);
    Check("vgg19", {2, 2, 4, 4, 4}, 143667240, 19.632);
    const std::map<std::string, TensorSplit> splits = {
        {"conv5.3.conv", TensorSplit::REPLICATED},
        {"conv5.3.pool", TensorSplit::REPLICATED},
        {"fc6.matmul", TensorSplit::COLUMN},
        {"fc6.relu-dropout", TensorSplit::SHARDED},
        {"fc7.matmul", TensorSplit::ROW},
        {"fc7.relu-dropout", TensorSplit::REPLICATED},
        {"fc8.classifier", TensorSplit::COLUMN},
        {"fc8.loss", TensorSplit::SHARDED}};
    const auto operators = GetForward(ModelZoo::Create("vgg16"));
    for (const auto& split : splits)
    {
        NS_TEST_ASSERT_MSG_EQ(operators.count(split.first), 1, "No " << split.first);
        NS_TEST_EXPECT_MSG_EQ((operators.at(split.first).split == split.second),
                              true,
                              "Split of " << split.first);
    }
    EXPECT_PART(GetError([]() { ModelZoo::Create("vgg16:image=448"); }), "has no option \"image\"");
}

void
ConvolutionalZooTests::TestAlexnet()
{
    const OperatorGraph grouped = ModelZoo::Create("alexnet");
    const OperatorGraph plain = ModelZoo::Create("alexnet:version=2014");
    NS_TEST_EXPECT_MSG_EQ(grouped.GetParameters(), 60965224, "Parameters in two groups");
    NS_TEST_EXPECT_MSG_EQ(plain.GetParameters(), 61100840, "Parameters in one group");

    /// A layer with parameters.
    struct Layer
    {
        const char* name;      //!< Name of its operator
        uint64_t parameters;   //!< Parameters in two groups
        uint64_t multiplyAdds; //!< Multiply-adds in two groups
        uint64_t plainAdds;    //!< Multiply-adds in one group
    };

    const std::vector<Layer> layers = {
        {"conv1.conv", 34944, 105415200, 70276800},
        {"conv2.conv", 307456, 223948800, 223948800},
        {"conv3.conv", 885120, 149520384, 112140288},
        {"conv4.conv", 663936, 112140288, 149520384},
        {"conv5.conv", 442624, 74760192, 99680256},
        {"fc6.matmul", 37752832, 37748736, 37748736},
        {"fc7.matmul", 16781312, 16777216, 16777216},
        {"fc8.classifier", 4097000, 4096000, 4096000},
    };
    const auto operators = GetForward(grouped);
    for (const auto& layer : layers)
    {
        NS_TEST_ASSERT_MSG_EQ(operators.count(layer.name), 1, "No " << layer.name);
        NS_TEST_EXPECT_MSG_EQ(operators.at(layer.name).parameters, layer.parameters, layer.name);
        NS_TEST_EXPECT_MSG_EQ(operators.at(layer.name).multiplyAdds,
                              layer.multiplyAdds,
                              layer.name);
        NS_TEST_EXPECT_MSG_EQ(GetForward(plain).at(layer.name).multiplyAdds,
                              layer.plainAdds,
                              layer.name);
    }
    NS_TEST_EXPECT_MSG_EQ(operators.count("conv1.norm") + operators.count("conv2.norm"),
                          2,
                          "Norms");
    NS_TEST_EXPECT_MSG_EQ(GetForward(plain).count("conv1.norm"), 0, "No norms in one group");

    const uint64_t norms = 2 * (96 * 55 * 55 + 256 * 27 * 27); // inputs and outputs
    const uint64_t inputs = 3 * 227 * 227 + 96 * 27 * 27 + (256 + 384 + 384) * 13 * 13;
    const uint64_t pooled = 256 * 13 * 13; // the input of the last pooling
    const uint64_t masks = 96 * 27 * 27 + 256 * 13 * 13 + 256 * 6 * 6 + 2 * 4096;
    NS_TEST_EXPECT_MSG_EQ(GetSavedBytes(grouped),
                          2 * (norms + inputs + pooled + 9216 + 2 * 4096) + masks + 4 * 1000,
                          "Kept for the backward pass");
}

void
ConvolutionalZooTests::TestConvolutionFormulas()
{
    ConvolutionShape shape;
    shape.inputChannels = 8;
    shape.outputChannels = 12;
    shape.kernel = 3;
    shape.inputSize = 10;
    NS_TEST_EXPECT_MSG_EQ(shape.GetOutputSize(), 10, "Half a kernel keeps the size");
    shape.padding = 0;
    NS_TEST_EXPECT_MSG_EQ(shape.GetOutputSize(), 8, "No padding loses a pixel on each side");
    shape.groups = 4;
    shape.biased = true;
    const OperatorCosts convolution = OperatorFormulas().Convolution(shape);
    NS_TEST_EXPECT_MSG_EQ(convolution.forward.multiplyAdds, 12 * 64 * 2 * 9, "2 of 8 channels");
    NS_TEST_EXPECT_MSG_EQ(convolution.forward.parameters, 12 * 2 * 9 + 12, "Weights and biases");
    NS_TEST_EXPECT_MSG_EQ(convolution.forward.savedBytes, 2 * 8 * 100, "The whole input");

    const OperatorCosts norm = OperatorFormulas().ResponseNorm(100, 5);
    NS_TEST_EXPECT_MSG_EQ((norm.forward.kind == OperatorKind::NORMALIZATION), true, "Kind");
    NS_TEST_EXPECT_MSG_EQ(norm.forward.parameters, 0, "Its constants are not learnt");
    NS_TEST_EXPECT_MSG_EQ(norm.forward.flops, 900, "Squares, sum, scale, offset, power, product");
    NS_TEST_EXPECT_MSG_EQ(norm.forward.readBytes, 200, "Reads its input");
    NS_TEST_EXPECT_MSG_EQ(norm.forward.writtenBytes, 200, "Writes its output");
    NS_TEST_EXPECT_MSG_EQ(norm.forward.savedBytes, 400, "Keeps both");
    NS_TEST_EXPECT_MSG_EQ(norm.backward.readBytes, 600, "Reads both and the gradient");
    NS_TEST_EXPECT_MSG_EQ(norm.backward.writtenBytes, 200, "Writes a gradient");
}

/// Registers the test cases
static const SuiteCases g_convolutionalZooCases(
    "lightpath-workload",
    {{MakeCase("residual networks", &ConvolutionalZooTests::TestResnet),
      MakeCase("VGG networks", &ConvolutionalZooTests::TestVgg),
      MakeCase("AlexNet", &ConvolutionalZooTests::TestAlexnet),
      MakeCase("costs of operators of convolutional networks",
               &ConvolutionalZooTests::TestConvolutionFormulas)}});
