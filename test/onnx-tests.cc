/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/base/protobuf-writer.h"
#include "model/workload/onnx-reader.h"

#include "ns3/model-zoo.h"

#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Read small ONNX graphs, whose costs are calculated by hand.
 */
class OnnxTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Two products that share their weights, with a bias each.
    void TestShared()
    {
        Begin();
        AddInput("x", {0, 4});
        AddWeights("w", {4, 4});
        AddWeights("b", {4});
        AddWeights("c", {4});
        AddNode("MatMul", {"x", "w"}, "y");
        AddNode("Add", {"y", "b"}, "z");
        AddNode("Gemm", {"z", "w", "c"}, "last");
        const OperatorGraph graph = Read();
        NS_TEST_ASSERT_MSG_EQ(graph.GetParameters(), 4 * 4 + 4 + 4, "Parameters");
        NS_TEST_ASSERT_MSG_EQ(graph.GetForwardMultiplyAdds(), 2 * 4 * 4, "Multiply-adds");
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLayers(), 2, "A layer for each product");
        // A sum of 4 elements of 2 bytes with a bias
        const Operator& sum = graph.GetOperators()[1];
        NS_TEST_ASSERT_MSG_EQ(sum.readBytes, 8, "Bytes read");
        NS_TEST_ASSERT_MSG_EQ(sum.writtenBytes, 8, "Bytes written");
        NS_TEST_ASSERT_MSG_EQ(sum.parameterBytes, 8, "Bytes of the bias");
        NS_TEST_ASSERT_MSG_EQ(sum.flops, 4, "Operations");
        // The gradient of the weights is complete when both products have made theirs
        const auto& operators = graph.GetOperators();
        for (uint32_t i = 0; i < operators.size(); ++i)
        {
            if (operators[i].name == "layer0.y.weight-gradient")
            {
                const auto& before = graph.GetPredecessors(i);
                NS_TEST_ASSERT_MSG_EQ(operators[before.back()].name,
                                      "layer0.z.backward",
                                      "What the gradient of shared weights waits for");
                bool isSummed = false;
                for (const auto from : before)
                {
                    isSummed = isSummed || operators[from].name == "layer1.last.weight-gradient";
                }
                NS_TEST_ASSERT_MSG_EQ(isSummed, true, "Both gradients are summed");
            }
        }
    }

    /**
     * A mask and a scale that depend on no parameters have no gradient.
     */
    void TestMask()
    {
        Begin();
        AddInput("x", {0, 4});
        AddInput("mask", {0, 4});
        AddWeights("w", {4, 4});
        AddNode("Neg", {"mask"}, "bias");
        AddNode("MatMul", {"x", "w"}, "y");
        AddNode("Add", {"y", "bias"}, "z");
        const OperatorGraph graph = Read();
        for (const auto& op : graph.GetOperators())
        {
            const bool isMask = op.name == "layer0.bias.backward";
            NS_TEST_ASSERT_MSG_EQ((!isMask || op.flops + op.readBytes + op.writtenBytes == 0),
                                  true,
                                  "A gradient of " << op.name);
        }
        NS_TEST_ASSERT_MSG_EQ(graph.GetNLayers(), 1, "Layers");
    }

    /**
     * @param samples the samples of a batch in the file
     * @param options the options
     * @param flops the operations of a sample
     */
    void TestBatch(uint64_t samples, const std::string& options, uint64_t flops)
    {
        Begin();
        AddInput("x", {samples, 3, 5});
        AddNode("Tanh", {"x"}, "y");
        const OperatorGraph graph = Read(options);
        NS_TEST_ASSERT_MSG_EQ(graph.GetOperators()[0].flops, flops, "Operations of a sample");
    }

    /**
     * @param type the type of a node
     * @param inputs its inputs among x of 2 x 3 x 4 and w of 4 x 5
     * @param part what the refusal says
     */
    void TestRefusal(const std::string& type, const std::string& inputs, const std::string& part)
    {
        Begin();
        AddInput("x", {2, 3, 4});
        AddWeights("w", {4, 5});
        std::istringstream names(inputs);
        AddNode(type, {std::istream_iterator<std::string>(names), {}}, "y");
        EXPECT_PART(GetError([this]() { Read(); }), "f.onnx: node \"y\" (" + type + "): ");
        EXPECT_PART(GetError([this]() { Read(); }), part);
    }

    /// Files that are damaged, or lie about sizes.
    void TestDamage()
    {
        EXPECT_PART(GetError([]() { OnnxReader::Read("no graph", "f.onnx"); }), "f.onnx: ");
        EXPECT_PART(GetError([]() { OnnxReader::Read("", "f.onnx"); }),
                    "f.onnx: it has no graph with nodes");
        EXPECT_PART(GetError([]() { ModelZoo::Create("/nonexistent.onnx"); }),
                    "/nonexistent.onnx cannot be read: No such file");
        EXPECT_PART(GetError([]() { ModelZoo::Create("/tmp/.onnx:a=1"); }), "cannot be read");
        Begin();
        ProtobufWriter tensor;
        tensor.AddPacked(1, {3});
        tensor.AddVarint(2, 7);
        tensor.AddBytes(8, "lie");
        tensor.AddBytes(9, "12345678");
        m_graph.AddMessage(5, tensor);
        EXPECT_PART(GetError([this]() { Read(); }),
                    "tensor \"lie\" has 8 bytes, but its shape and type need 24");
        Begin();
        AddWeights("w", {uint64_t(1) << 40, uint64_t(1) << 40});
        EXPECT_PART(GetError([this]() { Read(); }), "more than 2^46 elements");
        Begin();
        AddInput("x", {uint64_t(1) << 40, 2});
        AddWeights("w", {2, uint64_t(1) << 40});
        AddNode("MatMul", {"x", "w"}, "y");
        EXPECT_PART(GetError([this]() { Read(); }), "more than 2^46 elements");
        Begin();
        AddInput("x", {2, 0});
        AddNode("Relu", {"x"}, "y");
        EXPECT_PART(GetError([this]() { Read(); }), "dimension \"x.1\" of an input is open");
        EXPECT_PART(GetError([this]() { Read("samples=0"); }), "Option samples");
        Begin();
        AddInput("x\n=", {2, 0});
        AddNode("Re\nlu", {"x\n="}, "y\n");
        EXPECT_PART(GetError([this]() { Read(); }), "\"x__.1\" of an input is open");
        EXPECT_PART(GetError([this]() { Read("x__.1=3"); }), "there is no cost of this operator");
    }

  private:
    /// Begin another graph.
    void Begin()
    {
        m_graph.Clear();
    }

    /**
     * @param name the name of an input
     * @param shape its dimensions, 0 for open ones
     */
    void AddInput(const std::string& name, const std::vector<uint64_t>& shape)
    {
        ProtobufWriter dimensions;
        for (const auto size : shape)
        {
            ProtobufWriter dimension;
            if (size > 0)
            {
                dimension.AddVarint(1, size);
            }
            dimensions.AddMessage(1, dimension);
        }
        ProtobufWriter tensor;
        tensor.AddVarint(1, 1);
        tensor.AddMessage(2, dimensions);
        ProtobufWriter type;
        type.AddMessage(1, tensor);
        ProtobufWriter input;
        input.AddBytes(1, name);
        input.AddMessage(2, type);
        m_graph.AddMessage(11, input);
    }

    /**
     * Add an initial value whose elements are in another file.
     *
     * @param name its name
     * @param shape its dimensions
     */
    void AddWeights(const std::string& name, const std::vector<uint64_t>& shape)
    {
        ProtobufWriter tensor;
        tensor.AddPacked(1, shape);
        tensor.AddVarint(2, 1);
        tensor.AddBytes(8, name);
        tensor.AddVarint(14, 1);
        m_graph.AddMessage(5, tensor);
    }

    /**
     * @param type the type of a node
     * @param inputs its inputs
     * @param output its output, and its name
     */
    void AddNode(const std::string& type,
                 const std::vector<std::string>& inputs,
                 const std::string& output)
    {
        ProtobufWriter node;
        for (const auto& input : inputs)
        {
            node.AddBytes(1, input);
        }
        node.AddBytes(2, output);
        node.AddBytes(3, output);
        node.AddBytes(4, type);
        m_graph.AddMessage(1, node);
    }

    /**
     * @param options options of the model
     * @return the graph
     */
    OperatorGraph Read(const std::string& options = "")
    {
        ProtobufWriter model;
        model.AddMessage(7, m_graph);
        ZooEntry entry = OnnxReader::Read(model.GetMessage(), "f.onnx");
        entry.options.Parse(options);
        return entry.build(entry.options);
    }

    ProtobufWriter m_graph; //!< The graph
};

} // namespace

/// Registers the test cases
static const SuiteCases g_onnxCases(
    "lightpath-workload-files",
    {{MakeCase("ONNX graph with shared weights", &OnnxTests::TestShared),
      MakeCase("ONNX graph with a mask", &OnnxTests::TestMask),
      MakeCase("damaged ONNX graphs", &OnnxTests::TestDamage)},
     // 15 elements a sample, and 8 operations each
     MakeCases("batch of an ONNX graph",
               &OnnxTests::TestBatch,
               {{0, "", 120},
                {0, "samples=7", 120},
                {6, "", 120},
                {6, "samples=2", 360},
                {6, "samples=12", 60}}),
     MakeCases("node that is refused",
               &OnnxTests::TestRefusal,
               {{"MatMul", "w x", "(MatMul): factors of the shapes 4 x 5 and 2 x 3 x 4"},
                {"Scan", "x", "(Scan): there is no cost of this operator: export the model with"},
                {"Relu", "y", "which no node before it writes: sort the nodes"},
                {"Conv", "", "it needs 1 or more inputs"}})});
