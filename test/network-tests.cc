/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/photonics/network/network-averager.h"
#include "model/photonics/network/optical-neural-network.h"
#include "photonics-tests.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <fstream>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param rows the number of rows
 * @param columns the number of columns
 * @param random the source of random numbers
 * @return a random matrix
 */
RealMatrix
MakeRandomMatrix(std::size_t rows, std::size_t columns, std::mt19937& random)
{
    std::normal_distribution<double> normal;
    RealMatrix matrix(rows, columns);
    for (double& value : matrix.GetValues())
    {
        value = normal(random);
    }
    return matrix;
}

/**
 * @param rows the number of rows
 * @param columns the number of columns, or a fraction or multiple of it
 * @param random the source of random numbers
 * @return a matrix whose square blocks are random products of diagonal and orthogonal matrices
 */
RealMatrix
MakeBlockMatrix(std::size_t rows, std::size_t columns, std::mt19937& random)
{
    const std::size_t size = std::min(rows, columns);
    RealMatrix matrix(rows, columns);
    for (std::size_t begin = 0; begin < std::max(rows, columns); begin += size)
    {
        const ComplexMatrix orthogonal = MakeRandomUnitary(size, true, random);
        for (std::size_t i = 0; i < size; ++i)
        {
            const double factor = 0.1 + static_cast<double>(random() % 1000) / 300;
            for (std::size_t j = 0; j < size; ++j)
            {
                matrix(rows > columns ? begin + i : i, rows > columns ? j : begin + j) =
                    factor * orthogonal(i, j).real();
            }
        }
    }
    return matrix;
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of optical networks.
 */
class NetworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Makes layers of interferometers.
    void TestLayer();

    /// Sends samples through a network, and reads weights from a file.
    void TestNetwork();

  private:
    /**
     * @param weights the weights of a layer
     * @param form their form
     */
    void Try(const RealMatrix& weights, NetworkWeights::Form form);

    /**
     * Computes the gain of layers with a splitter and with a combiner.
     *
     * @param imperfections the loss of an interferometer
     */
    void TryBlocks(const MeshImperfections& imperfections);

    /**
     * Reads weights from a file, and files that are refused.
     *
     * @param weights the weights: those of TestNetwork(), which are -1, 0 and 1
     */
    void TryFile(const NetworkWeights& weights);
};

void
NetworkTests::TestLayer()
{
    std::mt19937 random(1);
    for (const auto& [rows, columns] : {std::make_pair(8, 8), {12, 4}, {4, 12}, {7, 3}, {1, 5}})
    {
        Try(MakeRandomMatrix(rows, columns, random), NetworkWeights::SVD);
    }
    for (const auto& [rows, columns] : {std::make_pair(8, 8), {12, 4}, {4, 12}, {1, 5}})
    {
        Try(MakeBlockMatrix(rows, columns, random), NetworkWeights::BLOCKS);
    }
    // Fewer columns are independent than there are
    RealMatrix flat(6, 4);
    flat(2, 3) = 1.5;
    Try(flat, NetworkWeights::SVD);
    const auto refuse = [](const RealMatrix& weights) {
        return GetError([&] { OpticalLayer(weights, NetworkWeights::BLOCKS, MziMesh::CLEMENTS); });
    };
    EXPECT_PART(refuse(RealMatrix(6, 4)), "multiple of the other");
    EXPECT_PART(refuse(MakeRandomMatrix(4, 4, random)), "orthogonal one");
    EXPECT_PART(refuse(RealMatrix(4, 4)), "orthogonal one");
}

void
NetworkTests::Try(const RealMatrix& weights, NetworkWeights::Form form)
{
    const auto m = static_cast<uint32_t>(weights.GetNRows());
    const auto n = static_cast<uint32_t>(weights.GetNColumns());
    const uint32_t s = std::min(m, n);
    const uint32_t elements = form == NetworkWeights::SVD
                                  ? m * (m - 1) / 2 + n * (n - 1) / 2 + s
                                  : std::max(m, n) / s * (s * (s - 1) / 2 + s);
    for (const auto arrangement : {MziMesh::CLEMENTS, MziMesh::RECK})
    {
        const OpticalLayer layer(weights, form, arrangement);
        const RealMatrix made = layer.Compose();
        NS_TEST_EXPECT_MSG_EQ(layer.GetNElements(), elements, m << " by " << n);
        for (std::size_t i = 0; i < weights.GetValues().size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(made.GetValues()[i],
                                      weights.GetValues()[i],
                                      1e-12,
                                      m << " by " << n << ", entry " << i);
        }
    }
}

void
NetworkTests::TestNetwork()
{
    // |x| - |y| + 1, and its negative
    NetworkWeights weights{NetworkWeights::SVD, 4, 4, {}};
    weights.layers.push_back({RealMatrix(4, 2), {0, 0, 0, 0}});
    weights.layers.back().weights.GetValues() = {1, 0, -1, 0, 0, 1, 0, -1};
    weights.layers.push_back({RealMatrix(2, 4), {1, -1}});
    weights.layers.back().weights.GetValues() = {1, 1, -1, -1, -1, -1, 1, 1};
    OpticalNeuralNetwork network(weights);
    std::mt19937 random(2);
    const RealMatrix in = MakeRandomMatrix(1300, 2, random);
    RealMatrix out(1300, 2);
    for (const bool onMesh : {false, true})
    {
        if (onMesh)
        {
            network.BuildMeshes(MziMesh::CLEMENTS);
        }
        network.Evaluate(1300, in.GetRow(0), out.GetRow(0));
        for (std::size_t i = 0; i < 1300; ++i)
        {
            const double expected = std::abs(in(i, 0)) - std::abs(in(i, 1)) + 1;
            NS_TEST_ASSERT_MSG_EQ_TOL(out(i, 0), expected, 1e-12, "Sample " << i);
            NS_TEST_ASSERT_MSG_EQ_TOL(out(i, 1), -expected, 1e-12, "Sample " << i);
        }
    }
    // Columns 4 + 1 + 1 and 1 + 1 + 4 of 0.1 dB, and the largest singular values 2^0.5 and 8^0.5
    auto imperfections = CreateObject<MeshImperfections>();
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGainDb(0, *imperfections), 3.6103, 1e-4, "Gain");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGainDb(1, *imperfections), 9.6309, 1e-4, "Gain");
    TryBlocks(*imperfections);
    TryFile(weights);
    weights.layers.pop_back();
    weights.layers.push_back({RealMatrix(2, 3), {1, -1}});
    EXPECT_PART(GetError([&] { OpticalNeuralNetwork wrong(weights); }), "as many inputs");
}

void
NetworkTests::TryBlocks(const MeshImperfections& imperfections)
{
    NetworkWeights weights{NetworkWeights::BLOCKS, 4, 4, {}};
    weights.layers.push_back({RealMatrix(4, 2), {0, 0, 0, 0}});
    weights.layers.back().weights.GetValues() = {0, 3, 1, 0, 2, 0, 0, 4};
    weights.layers.push_back({RealMatrix(2, 4), {0, 0}});
    weights.layers.back().weights.GetValues() = {1, 0, 5, 0, 0, 1, 0, 5};
    OpticalNeuralNetwork network(weights);
    network.BuildMeshes(MziMesh::CLEMENTS);
    // Columns 1 + 1 of 0.1 dB, and the largest factors 4 and 5: no 3 dB for two ways, as documented
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGainDb(0, imperfections), 12.2412, 1e-4, "A splitter");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.GetGainDb(1, imperfections), 14.1794, 1e-4, "A combiner");
}

void
NetworkTests::TryFile(const NetworkWeights& weights)
{
    const std::string path = CreateTempDirFilename("network.weights");
    // The entries of both layers as numbers of 32 bits, the lowest byte first
    std::string text = "lightpath-network 1\nform svd\nservers 4\nbits 4\nlayers 2 4 2\ndata\n";
    for (const auto& [matrix, bias] : weights.layers)
    {
        for (const auto* values : {&matrix.GetValues(), &bias})
        {
            for (const double value : *values)
            {
                text += std::string("\0\0", 2);
                text += value == 0 ? std::string("\0\0", 2) : value == 1 ? "\x80\x3f" : "\x80\xbf";
            }
        }
    }
    std::ofstream(path, std::ios::binary) << text;
    const NetworkWeights read = NetworkWeights::Read(path);
    NS_TEST_ASSERT_MSG_EQ(read.layers.size(), 2, "Layers");
    NS_TEST_EXPECT_MSG_EQ(read.servers, 4, "Servers");
    NS_TEST_EXPECT_MSG_EQ(read.bits, 4, "Bits");
    for (std::size_t i = 0; i < 2; ++i)
    {
        const bool isSame =
            read.layers[i].weights.GetValues() == weights.layers[i].weights.GetValues() &&
            read.layers[i].bias == weights.layers[i].bias;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, "Layer " << i);
    }
    const auto refuse = [&](const std::string& other, const std::string& part) {
        std::ofstream(path, std::ios::binary) << other;
        const std::string sentence = GetError([&] { NetworkWeights::Read(path); });
        EXPECT_PART(sentence, part);
    };
    refuse(text + "1", "more or fewer");
    refuse(text.substr(0, text.size() - 1), "more or fewer");
    refuse(text.substr(0, text.size() - 4) + std::string("\0\0\xc0\x7f", 4), "no numbers");
    refuse("network\n" + text, "does not begin");
    refuse("lightpath-network 1\nform triangle\n", "'form triangle'");
    refuse("lightpath-network 1\nlayers 2 -4\n", "'layers 2 -4'");
    refuse("lightpath-network 1\nlayers 4 99999999999\n", "'layers 4");
    refuse("lightpath-network 1\nlayers 65536 65536\n", "'layers 6");
    refuse("lightpath-network 1\nlayers 4 4\ndata\n", "must say");
    EXPECT_PART(GetError([] { NetworkWeights::Read("/nonexistent/file"); }), "no such file");
}

} // namespace

/// Registers the test cases
static const SuiteCases g_networkCases(
    "lightpath-photonics",
    {{MakeCase("A layer of interferometers makes its weights", &NetworkTests::TestLayer),
      MakeCase("A network computes layer by layer, and is read from a file",
               &NetworkTests::TestNetwork)}});
