/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "in-network-fixture.h"
#include "method-case.h"
#include "model/collective/block-quantiser.h"
#include "model/photonics/cascade-averager.h"
#include "model/photonics/exact-averager.h"
#include "model/training/transport/quantised-tensor.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <cmath>
#include <limits>
#include <map>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * Draw words and average them by an averager.
 *
 * @param averager the averager
 * @param count the number of words of each server
 * @param [out] exact the average by (2 sum + N) div 2N
 * @return the average of the averager
 */
std::vector<uint16_t>
AverageRandomWords(const WordAverager& averager, std::size_t count, std::vector<uint16_t>& exact)
{
    const uint32_t servers = averager.GetNServers();
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(servers);
    std::vector<std::vector<uint16_t>> words(servers, std::vector<uint16_t>(count));
    std::vector<uint32_t> sums(count);
    std::vector<const uint16_t*> pointers;
    for (auto& own : words)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            own[i] = static_cast<uint16_t>(random->GetInteger(0, (1U << averager.GetBits()) - 1));
            sums[i] += own[i];
        }
        pointers.push_back(own.data());
    }
    exact.resize(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        exact[i] = static_cast<uint16_t>((2 * sums[i] + servers) / (2 * servers));
    }
    std::vector<uint16_t> average(count);
    averager.Average(pointers, count, average.data());
    return average;
}

/**
 * The share of words that n groups of n servers get wrong by rounding twice, where all remainders
 * modulo n are equally likely: a group has a sum of n a + r, and its average is a, or a + 1 if 2r
 * >= n.
 *
 * @param n the number of groups, and of servers of each
 * @return the share
 */
double
GetNaiveErrors(uint32_t n)
{
    // By the sum of the rests and the number of groups that round up
    std::map<std::pair<uint32_t, uint32_t>, double> shares{{{0, 0}, 1.0}};
    for (uint32_t group = 0; group < n; ++group)
    {
        std::map<std::pair<uint32_t, uint32_t>, double> next;
        for (const auto& entry : shares)
        {
            for (uint32_t rest = 0; rest < n; ++rest)
            {
                next[{entry.first.first + rest, entry.first.second + (2 * rest >= n ? 1 : 0)}] +=
                    entry.second / n;
            }
        }
        shares = std::move(next);
    }
    double errors = 0;
    for (const auto& entry : shares)
    {
        for (uint32_t whole = 0; whole < n; ++whole)
        {
            const uint32_t once = (2 * (n * whole + entry.first.first) + n * n) / (2 * n * n);
            const uint32_t twice = (2 * (whole + entry.first.second) + n) / (2 * n);
            errors += once == twice ? 0 : entry.second / n;
        }
    }
    return errors;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of words, their quantisation and averages in two levels; the caller owns
 * them.
 */
class InNetworkWordTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A cascade that rounds twice errs by one unit, as often as it must; one that carries the
     * fraction never does.
     *
     * @param size the number of groups, and of the servers of each
     * @param sampled the share of wrong words in a random sample of another program
     */
    void TestCascade(uint32_t size, double sampled)
    {
        const std::size_t count = 3000000 / (size * size);
        const auto cascade = CreateObject<CascadeAverager>();
        cascade->SetAttribute("Servers", UintegerValue(size * size));
        cascade->SetAttribute("GroupSize", UintegerValue(size));
        std::vector<uint16_t> exact;
        NS_TEST_EXPECT_MSG_EQ((AverageRandomWords(*cascade, count, exact) == exact),
                              true,
                              "with the fraction");
        NS_TEST_EXPECT_MSG_EQ(cascade->GetNExtraDigits(),
                              std::ceil(std::log(size) / std::log(4) - 1e-9),
                              "further symbols");
        cascade->SetAttribute("Fraction", BooleanValue(false));
        NS_TEST_EXPECT_MSG_EQ(cascade->GetNExtraDigits(), 0, "no further symbols");
        const auto single = CreateObject<ExactAverager>();
        single->SetAttribute("Servers", UintegerValue(size));
        for (const bool given : {false, true})
        {
            if (given)
            {
                cascade->SetAttribute("First", PointerValue(single));
                cascade->SetAttribute("Second", PointerValue(single));
            }
            const auto average = AverageRandomWords(*cascade, count, exact);
            std::size_t wrong = 0;
            int most = 0;
            for (std::size_t i = 0; i < count; ++i)
            {
                const int error = std::abs(int{average[i]} - int{exact[i]});
                wrong += error > 0 ? 1 : 0;
                most = std::max(most, error);
            }
            NS_TEST_EXPECT_MSG_EQ(most, 1, "one unit");
            const double share = static_cast<double>(wrong) / count;
            const double expected = GetNaiveErrors(size);
            const double standardError = std::sqrt(expected * (1 - expected) / count);
            NS_TEST_EXPECT_MSG_EQ_TOL(share, expected, 4 * standardError, "wrong words");
        }
        // Random words of another program
        NS_TEST_EXPECT_MSG_EQ_TOL(GetNaiveErrors(size), sampled, 0.002, "in closed form");
        // The second level takes its time
        NS_TEST_EXPECT_MSG_EQ(cascade->GetDelay(), NanoSeconds(5), "the link between the levels");
    }

    /// Refusals of a cascade.
    void TestCascadeRefusal()
    {
        Expect("groups are all of one size", [](CascadeAverager& cascade) {
            cascade.SetAttribute("Servers", UintegerValue(10));
        });
        Expect("belongs to one without Fraction", [](CascadeAverager& cascade) {
            cascade.SetAttribute("First", PointerValue(CreateObject<ExactAverager>()));
        });
        Expect("second level of a cascade is for 4 words of 8 bits, but gets 2 of 8",
               [](CascadeAverager& cascade) {
                   cascade.SetAttribute("Fraction", BooleanValue(false));
                   cascade.SetAttribute("Second", PointerValue(CreateObject<ExactAverager>()));
               });
    }

    /**
     * The error of quantised numbers is within their step; they take the bytes of their words and
     * scales.
     */
    void TestBlockQuantiser()
    {
        for (const uint32_t bits : {4, 8, 16})
        {
            TryNearest(bits);
        }
        TryStochastic();
        const auto quantiser = CreateObject<BlockQuantiser>();
        // 0.39 % for a scale of 8 bits for 256 words of 8 bits
        NS_TEST_EXPECT_MSG_EQ(quantiser->GetBytes(25600), 25700, "words and scales");
        NS_TEST_EXPECT_MSG_EQ(quantiser->GetBytes(25601), 25702, "a block of one");
        NS_TEST_EXPECT_MSG_EQ_TOL(quantiser->GetBitsOfNumber() / 8, 1.00390625, 1e-12, "overhead");
        const std::string text = GetError([&quantiser]() {
            const std::vector<float> values{1, std::numeric_limits<float>::quiet_NaN()};
            uint8_t scale;
            quantiser->GetScales(values.data(), values.size(), &scale);
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "is not finite"), true, text);
    }

    /// Numbers that travel as words come back as their mean, as near as their steps say.
    void TestQuantisedTensor()
    {
        constexpr uint32_t servers = 4;
        constexpr std::size_t count = 3000;
        const auto quantiser = CreateObject<BlockQuantiser>();
        const auto averager = CreateObject<ExactAverager>();
        averager->SetAttribute("Servers", UintegerValue(servers));
        const auto channel = CreateObject<InNetworkChannel>();
        channel->SetAttribute("Averager", PointerValue(averager));
        InNetworkFixture fixture(channel, servers, 1000);
        const auto random = CreateObject<NormalRandomVariable>();
        random->SetStream(8);
        std::vector<std::vector<float>> values(servers, std::vector<float>(count));
        std::vector<double> means(count);
        float largest = 0;
        for (uint32_t server = 0; server < servers; ++server)
        {
            for (std::size_t i = 0; i < count; ++i)
            {
                values[server][i] = static_cast<float>((server + 1) * random->GetValue());
                means[i] += values[server][i] / servers;
                largest = std::max(largest, std::abs(values[server][i]));
            }
        }
        for (uint32_t server = 0; server < servers; ++server)
        {
            fixture.clients[server]->Send(
                0,
                std::make_shared<QuantisedTensor>(values[server], quantiser));
        }
        Simulator::Run();
        // Half a step as the servers round, and half a step as the network does
        const double step = largest * std::exp2(0.25) / 127;
        for (std::size_t i = 0; i < count; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(values[0][i], means[i], step, "number " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((values[0] == values[1] && values[0] == values[3]), true, "the same");
        // Bursts of 768 words, which are whole blocks
        NS_TEST_EXPECT_MSG_EQ(fixture.clients[0]->GetSentBytes(),
                              quantiser->GetBytes(count) + 4 * 34,
                              "bytes on the wire");
    }

  private:
    /**
     * @param part a part of the sentence that refuses
     * @param what a change that makes a cascade for 8 servers invalid
     */
    void Expect(const std::string& part, const std::function<void(CascadeAverager&)>& what)
    {
        const auto cascade = CreateObject<CascadeAverager>();
        cascade->SetAttribute("Servers", UintegerValue(8));
        what(*cascade);
        std::vector<uint16_t> exact;
        const std::string text = GetError([&]() { AverageRandomWords(*cascade, 1, exact); });
        NS_TEST_EXPECT_MSG_EQ(Contains(text, part), true, part << " in: " << text);
    }

    /**
     * @param bits the bits of a word
     */
    void TryNearest(uint32_t bits)
    {
        const auto quantiser = CreateObject<BlockQuantiser>();
        quantiser->SetAttribute("Bits", UintegerValue(bits));
        quantiser->SetAttribute("BlockSize", UintegerValue(10));
        const auto random = CreateObject<NormalRandomVariable>();
        random->SetStream(bits);
        std::vector<float> values(105);
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            // Blocks from 10^-10 to 1, and one of zeros
            values[i] = i >= 100 ? 0 : random->GetValue() * std::pow(10, -double(i / 10));
        }
        std::vector<uint8_t> scales(11);
        std::vector<uint16_t> words(105);
        std::vector<float> back(105);
        quantiser->GetScales(values.data(), values.size(), scales.data());
        quantiser->Quantise(values.data(), values.size(), scales.data(), words.data());
        quantiser->Dequantise(words.data(), words.size(), scales.data(), back.data());
        NS_TEST_EXPECT_MSG_EQ(+scales[10], 0, "scale of zeros");
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            const auto block = values.begin() + static_cast<std::ptrdiff_t>(i / 10 * 10);
            float largest = 0;
            std::for_each(block, block + (i < 100 ? 10 : 5), [&largest](float value) {
                largest = std::max(largest, std::abs(value));
            });
            // A scale is at most a quarter of an octave above the largest number
            const double step = largest * std::exp2(0.25) / ((1 << (bits - 1)) - 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(back[i], values[i], step / 2 * 1.00001, "number " << i);
            NS_TEST_EXPECT_MSG_LT(words[i], 1 << bits, "word " << i);
        }
    }

    /// Numbers between two words become their mean.
    void TryStochastic()
    {
        constexpr std::size_t count = 40000;
        const auto quantiser = CreateObject<BlockQuantiser>();
        quantiser->SetAttribute("Rounding", StringValue("Stochastic"));
        NS_TEST_EXPECT_MSG_EQ(quantiser->AssignStreams(4), 1, "streams");
        const double step = quantiser->GetStep(192);
        NS_TEST_EXPECT_MSG_EQ_TOL(step, 1.0 / 127, 1e-12, "a scale of 192 is for 1");
        const std::vector<float> values(count, static_cast<float>(-17.3 * step));
        const std::vector<uint8_t> scales((count + 255) / 256, 192);
        std::vector<uint16_t> words(count);
        quantiser->Quantise(values.data(), count, scales.data(), words.data());
        double sum = 0;
        for (const auto word : words)
        {
            NS_TEST_EXPECT_MSG_EQ((word == 128 - 18 || word == 128 - 17), true, "a neighbour");
            sum += word;
        }
        // Four standard errors of sqrt(0.3 x 0.7 / 40000)
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / count - 128, -17.3, 0.0092, "the mean");
    }
};

/// Registers the test cases
static const SuiteCases g_inNetworkWordCases(
    "lightpath-in-network",
    {{MakeCase("Cascade of groups", &InNetworkWordTests::TestCascade, 3, 0.098),
      MakeCase("Cascade of groups", &InNetworkWordTests::TestCascade, 4, 0.220),
      MakeCase("Cascade of groups", &InNetworkWordTests::TestCascade, 8, 0.125),
      MakeCase("What a cascade refuses", &InNetworkWordTests::TestCascadeRefusal),
      MakeCase("Quantisation in blocks", &InNetworkWordTests::TestBlockQuantiser),
      MakeCase("Numbers that are averaged as words", &InNetworkWordTests::TestQuantisedTensor)}});
