/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/photonics/exact-averager.h"
#include "model/photonics/mesh-imperfections.h"
#include "model/photonics/network/network-averager.h"
#include "model/photonics/network/table-averager.h"
#include "photonics-tests.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param servers the number of servers
 * @param bits the bits of a word
 * @return an averager that computes exactly
 */
Ptr<WordAverager>
MakeExact(uint32_t servers, uint32_t bits)
{
    return CreateObjectWithAttributes<ExactAverager>("Servers",
                                                     UintegerValue(servers),
                                                     "Bits",
                                                     UintegerValue(bits));
}

/**
 * @param servers the number of servers
 * @param bits the bits of a word
 * @return an averager with a network that was not trained
 */
Ptr<NetworkAverager>
MakeConstructive(uint32_t servers, uint32_t bits)
{
    return CreateObjectWithAttributes<NetworkAverager>("Servers",
                                                       UintegerValue(servers),
                                                       "Bits",
                                                       UintegerValue(bits),
                                                       "Kind",
                                                       StringValue("Constructive"));
}

/**
 * @param averager an averager
 * @return one with a table of it
 */
Ptr<TableAverager>
MakeTable(Ptr<WordAverager> averager)
{
    return CreateObjectWithAttributes<TableAverager>("Averager", PointerValue(averager));
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of averagers.
 */
class AveragerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Averages all words, or many random ones, exactly and by a network that was not trained.
    void TestExactAverage();

    /// Averages all words of 8 bits of up to 4 servers, and millions of other words.
    void TestEveryAverage();

    /// Averages words with the trained networks of the module, without and with meshes.
    void TestTrainedAverage();

    /// Puts averagers into tables.
    void TestTable();

    /**
     * Adds noise to outputs that are on the levels, where the rate of errors is known.
     *
     * An output leaves a level with two neighbours with probability 2 Q(1 / (2 sigma)), and one
     * of the two outer levels with half of it. If all servers send the same word, all digits are
     * equally likely.
     */
    void TestDetectorNoise();

  private:
    /// Tries all pairs of words of 8 bits.
    void TryPairs();

    /// Tries the other roundings.
    void TryRounding();

    /**
     * Tries all words of 8 bits.
     *
     * @param servers the number of servers, from 3
     */
    void TryAll(uint32_t servers);

    /**
     * @param form the form of the weights
     * @param arrangement where interferometers stand; empty for no meshes
     * @param elements the expected number of interferometers
     * @param columns the expected number of columns
     */
    void Try(const std::string& form,
             const std::string& arrangement,
             uint32_t elements,
             uint32_t columns);
};

void
AveragerTests::TestExactAverage()
{
    std::mt19937 random(1);
    for (const uint32_t servers : {2, 3, 4, 8})
    {
        WordSet words(servers);
        words.AddAllSums(4, random);
        words.AddRandom(20000, 8, random);
        NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeExact(servers, 8)), 0, servers);
        NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeConstructive(servers, 8)), 0, servers);
        NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeTable(MakeExact(servers, 8))), 0, servers);
    }
    for (const uint32_t servers : {1, 2, 3, 4, 7, 8, 16, 64})
    {
        WordSet words(servers);
        words.AddRandom(20000, 16, random);
        words.Add(std::vector<uint16_t>(servers, 0));
        words.Add(std::vector<uint16_t>(servers, 65535));
        NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeExact(servers, 16)), 0, servers);
        NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeConstructive(servers, 16)), 0, servers);
    }
    WordSet words(1);
    words.AddRandom(20000, 10, random);
    NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeTable(MakeExact(1, 10))), 0, "Of long words");
    TryPairs();
    TryRounding();
}

void
AveragerTests::TryPairs()
{
    WordSet words(2);
    for (uint32_t pair = 0; pair < 65536; ++pair)
    {
        words.Add({static_cast<uint16_t>(pair >> 8), static_cast<uint16_t>(pair & 255)});
    }
    NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeExact(2, 8)), 0, "Exact");
    NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeConstructive(2, 8)), 0, "Constructive");
    NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*MakeTable(MakeConstructive(2, 8))), 0, "Table");
}

void
AveragerTests::TryRounding()
{
    // 0 to 6 quarters, which are 0, 1/4, 1/2, 3/4, 1, 5/4 and 3/2
    const std::vector<uint16_t> sums = {0, 1, 2, 3, 4, 5, 6};
    const std::vector<uint16_t> none(sums.size(), 0);
    const std::vector<const uint16_t*> words = {sums.data(), none.data(), none.data(), none.data()};
    const auto round = [&](const std::string& rounding) {
        std::vector<uint16_t> averages(sums.size());
        CreateObjectWithAttributes<ExactAverager>("Rounding", StringValue(rounding))
            ->Average(words, sums.size(), averages.data());
        return averages;
    };
    const bool isFloor = round("Floor") == std::vector<uint16_t>{0, 0, 0, 0, 1, 1, 1};
    const bool isHalfUp = round("HalfUp") == std::vector<uint16_t>{0, 0, 1, 1, 1, 1, 2};
    const bool isHalfEven = round("HalfEven") == std::vector<uint16_t>{0, 0, 0, 1, 1, 1, 2};
    NS_TEST_EXPECT_MSG_EQ(isFloor, true, "Down");
    NS_TEST_EXPECT_MSG_EQ(isHalfUp, true, "To the nearest, up");
    NS_TEST_EXPECT_MSG_EQ(isHalfEven, true, "To the nearest, even");
}

void
AveragerTests::TestEveryAverage()
{
    TryAll(3);
    TryAll(4);
    std::mt19937 random(2);
    for (const uint32_t servers : {8, 16})
    {
        for (int part = 0; part < 100; ++part)
        {
            WordSet words(servers);
            words.AddRandom(100000, 16, random);
            NS_TEST_ASSERT_MSG_EQ(words.CountErrors(*MakeExact(servers, 16)), 0, servers);
            NS_TEST_ASSERT_MSG_EQ(words.CountErrors(*MakeConstructive(servers, 16)), 0, servers);
        }
        const auto table = MakeTable(MakeConstructive(servers, 8));
        WordSet words(servers);
        words.AddRandom(5000000, 8, random);
        NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*table), 0, servers);
    }
    WordSet two(2);
    two.AddAllSums(8, random);
    NS_TEST_EXPECT_MSG_EQ(two.CountErrors(*MakeConstructive(2, 16)), 0, "16 bits");
    WordSet sixteen(16);
    sixteen.AddAllSums(4, random);
    NS_TEST_EXPECT_MSG_EQ(sixteen.CountErrors(*MakeExact(16, 8)), 0, "Exact");
    NS_TEST_EXPECT_MSG_EQ(sixteen.CountErrors(*MakeConstructive(16, 8)), 0, "Constructive");
}

void
AveragerTests::TryAll(uint32_t servers)
{
    // A block has all words of the first two servers, and one word of each other one
    constexpr uint32_t block = 65536;
    std::vector<std::vector<uint16_t>> words(servers, std::vector<uint16_t>(block));
    std::vector<const uint16_t*> pointers;
    for (auto& ofServer : words)
    {
        pointers.push_back(ofServer.data());
    }
    for (uint32_t pair = 0; pair < block; ++pair)
    {
        words[0][pair] = static_cast<uint16_t>(pair >> 8);
        words[1][pair] = static_cast<uint16_t>(pair & 255);
    }
    std::vector<uint16_t> expected;
    for (uint32_t sum = 0; sum <= servers * 255; ++sum)
    {
        expected.push_back(
            static_cast<uint16_t>(sum / servers + (sum % servers * 2 >= servers ? 1 : 0)));
    }
    const std::vector<Ptr<WordAverager>> averagers = {MakeExact(servers, 8),
                                                      MakeTable(MakeConstructive(servers, 8))};
    std::vector<uint16_t> averages(block);
    const uint32_t blocks = servers == 3 ? 256 : block;
    uint64_t errors = 0;
    for (uint32_t others = 0; others < blocks; ++others)
    {
        uint32_t sum = 0;
        for (uint32_t server = 2; server < servers; ++server)
        {
            const uint32_t word = others >> (8 * (server - 2)) & 255;
            std::fill(words[server].begin(), words[server].end(), static_cast<uint16_t>(word));
            sum += word;
        }
        for (const auto& averager : averagers)
        {
            averager->Average(pointers, block, averages.data());
            for (uint32_t pair = 0; pair < block; ++pair)
            {
                errors += averages[pair] == expected[sum + (pair >> 8) + (pair & 255)] ? 0 : 1;
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(errors, 0, servers);
}

void
AveragerTests::TestTrainedAverage()
{
    // Each form needs as many interferometers as its closed form says: m (m - 1) / 2 +
    // n (n - 1) / 2 + min(m, n) for m x n weights, and k (s (s - 1) / 2 + s) for k blocks of size s
    Try("Svd", "", 0, 0);
    Try("Svd", "Clements", 106260, 1294);
    Try("Blocks", "", 0, 0);
    Try("Blocks", "Clements", 41664, 398);
    Try("Blocks", "Reck", 41664, 2 * (5 + 125 + 253) + 6);
    auto constructive = MakeConstructive(4, 8);
    constructive->SetAttribute("OnMesh", BooleanValue(true));
    NS_TEST_EXPECT_MSG_EQ(constructive->GetNetwork().GetNElements(), 304, "Interferometers");
    NS_TEST_EXPECT_MSG_EQ(constructive->GetNetwork().GetNColumns(), 81, "Columns");
    EXPECT_PART(GetError([] { MakeConstructive(8, 8)->SetAttribute("Bits", UintegerValue(7)); }),
                "must be even");
    auto untrained = CreateObjectWithAttributes<NetworkAverager>("Servers", UintegerValue(8));
    EXPECT_PART(GetError([&] { untrained->GetNetwork(); }), "8 servers");
}

void
AveragerTests::Try(const std::string& form,
                   const std::string& arrangement,
                   uint32_t elements,
                   uint32_t columns)
{
    const bool onMesh = !arrangement.empty();
    auto averager = CreateObjectWithAttributes<NetworkAverager>("Form",
                                                                StringValue(form),
                                                                "OnMesh",
                                                                BooleanValue(onMesh));
    averager->SetAttribute("Arrangement", StringValue(onMesh ? arrangement : "Clements"));
    std::mt19937 random(3);
    WordSet words(4);
    words.AddAllSums(4, random);
    NS_TEST_EXPECT_MSG_EQ(words.GetWords().front().size(), 28561, "All inputs");
    NS_TEST_EXPECT_MSG_EQ(words.CountErrors(*averager), 0, form << " " << arrangement);
    NS_TEST_EXPECT_MSG_EQ(averager->GetNetwork().GetNElements(), elements, form);
    NS_TEST_EXPECT_MSG_EQ(averager->GetNColumns(), columns, form);
    NS_TEST_EXPECT_MSG_EQ(averager->GetNActivations(), 6, form);
    // 0.3 mm a column at the group index 4.2, and 100 ps an activation, in whole nanoseconds
    averager->SetAttribute("ActivationDelayPs", DoubleValue(1000));
    const double seconds = columns * 3e-4 * 4.2 / 299792458 + 6e-9;
    NS_TEST_EXPECT_MSG_EQ_TOL(averager->GetDelay().GetSeconds(), seconds, 1e-9, form);
}

void
AveragerTests::TestTable()
{
    // A network that errs, and always in the same way
    auto imperfections =
        CreateObjectWithAttributes<MeshImperfections>("PhaseNoiseRad", DoubleValue(0.02));
    auto averager = CreateObjectWithAttributes<NetworkAverager>("OnMesh",
                                                                BooleanValue(true),
                                                                "Imperfections",
                                                                PointerValue(imperfections));
    averager->AssignStreams(1);
    const auto table = MakeTable(averager);
    std::mt19937 random(4);
    WordSet words(4);
    words.AddRandom(20000, 8, random);
    const bool isSame = words.Average(*table) == words.Average(*averager);
    NS_TEST_EXPECT_MSG_EQ(isSame, true, "Averages");
    NS_TEST_EXPECT_MSG_GT(words.CountErrors(*table), 0, "Errors");
    NS_TEST_EXPECT_MSG_EQ(table->GetDelay(), averager->GetDelay(), "Delay");
    averager->Realise();
    const std::vector<uint16_t> before = words.Average(*table);
    table->Refresh();
    const bool isChanged = words.Average(*table) != before;
    NS_TEST_EXPECT_MSG_EQ(isChanged, true, "Another realisation");

    std::vector<uint16_t> averages(1);
    const std::vector<const uint16_t*> none(4, averages.data());
    imperfections->SetAttribute("DetectorNoise", DoubleValue(0.1));
    table->Refresh();
    EXPECT_PART(GetError([&] { table->Average(none, 1, averages.data()); }), "no noise");
    const auto large = MakeTable(MakeExact(4, 16));
    EXPECT_PART(GetError([&] { large->Average(none, 1, averages.data()); }), "fewer bits");
}

void
AveragerTests::TestDetectorNoise()
{
    constexpr uint32_t count = 256 * 400;
    WordSet words(4);
    for (uint32_t i = 0; i < count; ++i)
    {
        words.Add(std::vector<uint16_t>(4, static_cast<uint16_t>(i % 256)));
    }
    for (const double sigma : {0.12, 0.15, 0.2, 0.3})
    {
        auto imperfections =
            CreateObjectWithAttributes<MeshImperfections>("DetectorNoise", DoubleValue(sigma));
        auto averager = MakeConstructive(4, 8);
        averager->SetAttribute("Imperfections", PointerValue(imperfections));
        averager->AssignStreams(1);
        const double tail = std::erfc(0.5 / sigma / std::sqrt(2)) / 2;
        const double expected = 1 - std::pow(1 - 1.5 * tail, 4);
        const double error = std::sqrt(expected * (1 - expected) / count);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(words.CountErrors(*averager)) / count,
                                  expected,
                                  3 * error,
                                  sigma);
    }
}

} // namespace

/// Registers the test cases
static const SuiteCases g_averagerCases(
    "lightpath-photonics",
    {{MakeCase("Averages are the nearest words", &AveragerTests::TestExactAverage),
      MakeCase("Trained networks are exact, on meshes too", &AveragerTests::TestTrainedAverage),
      MakeCase("A table has the averages of what it stands for", &AveragerTests::TestTable),
      MakeCase("Noise of detectors has the errors of its closed form",
               &AveragerTests::TestDetectorNoise)}});

/// Registers the test cases
static const SuiteCases g_longAveragerCases(
    "lightpath-photonics",
    {{MakeCase("All words of up to 4 servers have the nearest averages",
               &AveragerTests::TestEveryAverage)}},
    TestLength::EXTENSIVE);
