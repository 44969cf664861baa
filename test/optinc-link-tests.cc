/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/photonics/averager-link.h"
#include "model/photonics/exact-averager.h"
#include "model/photonics/optical-averager.h"

#include "ns3/double.h"
#include "ns3/opt-inc-helper.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The tests of the light of a network that averages.
 */
class OptIncLinkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Adds up losses and noise by hand.
    void TestBudgets()
    {
        const auto link = CreateObject<AveragerLink>();
        uint32_t columns = 0;
        double division = 0;
        double noise = 0;
        for (const auto& layer : link->GetLayers())
        {
            columns += layer.columns;
            division += 10 * std::log10(layer.ways);
            // An amplifier for the interferometers and for a tree of couplers
            const double gain =
                layer.ways * std::pow(10, (layer.columns + 3.3 * std::log2(layer.ways)) / 100);
            noise += 5 * 6.62607015e-34 * 193.1e12 * (gain - 1);
        }
        NS_TEST_EXPECT_MSG_EQ(columns, 398, "Columns of the published number of interferometers");
        NS_TEST_EXPECT_MSG_EQ_TOL(division, 36.12, 0.005, "Light that is split and merged");
        // Modulator, waveguide, two couplers, fibre, and two stages of couplers
        const LinkBudget merge = link->GetMergeBudget(4);
        NS_TEST_EXPECT_MSG_EQ_TOL(merge.GetLoss(), 5 + 0.5 + 2 + 0.007 + 0.66, 1e-9, "Merged");
        NS_TEST_EXPECT_MSG_EQ_TOL(merge.GetSignal().intensityNoise,
                                  std::pow(10, -14.5) / 4,
                                  1e-20,
                                  "Independent noise of four lasers");
        const LinkBudget back = link->GetReturnBudget(4);
        const double end = 10 * std::log10(4) + 0.66 + 0.5 + 2 + 0.007;
        NS_TEST_EXPECT_MSG_EQ_TOL(back.GetLoss(), 5 + end, 1e-9, "Returned");
        NS_TEST_EXPECT_MSG_EQ_TOL(back.GetSignal().noise / (noise * std::pow(10, -end / 10)),
                                  1,
                                  1e-9,
                                  "Noise of six amplifiers");
    }

    /// Compares rates with sums over all digits and with those of PAM4.
    void TestRates()
    {
        const auto link = CreateObject<AveragerLink>();
        // A single server sends PAM4, of whose symbols twice as many are wrong as of bits
        const OpticalSignal one = link->GetMergeBudget(1).GetSignal();
        const auto receiver = CreateObject<OpticalReceiver>();
        NS_TEST_EXPECT_MSG_EQ_TOL(link->GetMeanErrorRate(1) /
                                      (2 * receiver->GetBitErrorRate(one, OpticalReceiver::PAM4)),
                                  1,
                                  1e-12,
                                  "PAM4");
        const auto errors = link->GetMeanErrors(3);
        double sum = 0;
        for (uint32_t digits = 0; digits < 64; ++digits)
        {
            const uint32_t level = digits % 4 + digits / 4 % 4 + digits / 16;
            sum += (level < 9 ? errors[level] : 0) + (level > 0 ? errors[level - 1] : 0);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(link->GetMeanErrorRate(3) / (sum / 64), 1, 1e-12, "All digits");
        // The most servers keep the wanted rate, and one more does not
        const uint32_t most = link->GetMostServers(8);
        NS_TEST_EXPECT_MSG_GT(most, 1, "Servers");
        NS_TEST_EXPECT_MSG_LT(link->GetWordErrorRate(most, 8), 1e-3, "The most");
        NS_TEST_EXPECT_MSG_GT(link->GetWordErrorRate(most + 1, 8), 1e-3, "One more");
        // With 0.5 dB an interferometer, amplifiers of 24 dB do not make up for 129 columns
        link->SetAttribute("InterferometerLoss", DoubleValue(0.5));
        NS_TEST_EXPECT_MSG_EQ(link->GetMostServers(8), 0, "No servers");
    }

    /// Sends random words through noise, and counts wrong averages.
    void TestWords()
    {
        const auto link = CreateObject<AveragerLink>();
        std::mt19937 random(3);
        for (const uint32_t servers : {20, 24, 28, 32})
        {
            const std::size_t count = 50000;
            std::vector<std::vector<uint16_t>> words(servers, std::vector<uint16_t>(count));
            std::vector<const uint16_t*> pointers;
            for (auto& own : words)
            {
                for (auto& word : own)
                {
                    word = static_cast<uint16_t>(random() % 256);
                }
                pointers.push_back(own.data());
            }
            std::vector<uint16_t> right(count);
            ExactAverager::Average(pointers, count, ExactAverager::HALF_UP, right.data());
            OptIncHelper fabric;
            fabric.SetAverager("optical");
            const auto averager = DynamicCast<OpticalAverager>(fabric.MakeAverager(servers));
            averager->AssignStreams(1);
            NS_TEST_EXPECT_MSG_EQ(averager->GetNColumns(), 398, "Columns that light passes");
            std::vector<uint16_t> averages(count);
            averager->Average(pointers, count, averages.data());
            const auto merge = MakeDetector(link->GetMergeBudget(servers), 3 * servers + 1);
            const auto back = MakeDetector(link->GetReturnBudget(servers), 4);
            double noisy = 0;
            double wrong = 0;
            for (std::size_t i = 0; i < count; ++i)
            {
                uint32_t sum = 0;
                for (uint32_t bit = 0; bit < 8; bit += 2)
                {
                    uint32_t digits = 0;
                    for (const auto& own : words)
                    {
                        digits += own[i] >> bit & 3;
                    }
                    sum += Detect(merge, digits, random) << bit;
                }
                const uint32_t average = (2 * sum + servers) / (2 * servers);
                uint32_t received = 0;
                for (uint32_t bit = 0; bit < 8; bit += 2)
                {
                    received += Detect(back, average >> bit & 3, random) << bit;
                }
                noisy += received == right[i] ? 0 : 1;
                wrong += averages[i] == right[i] ? 0 : 1;
            }
            const double expected = static_cast<double>(count) * link->GetWordErrorRate(servers, 8);
            NS_TEST_EXPECT_MSG_EQ_TOL(noisy,
                                      expected,
                                      3 * std::sqrt(expected),
                                      "Noise, " << servers << " servers");
            NS_TEST_EXPECT_MSG_EQ_TOL(wrong,
                                      expected,
                                      3 * std::sqrt(expected),
                                      "Averager, " << servers << " servers");
            NS_TEST_EXPECT_MSG_GT(expected, 20, "Errors to count");
        }
    }

  private:
    /// Currents of levels, their noise, and thresholds between them.
    struct Detector
    {
        std::vector<double> levels;     //!< Currents, A
        std::vector<double> noise;      //!< Standard deviations, A
        std::vector<double> thresholds; //!< Currents between levels, A
    };

    /**
     * @param budget the budget of the light
     * @param count the number of levels
     * @return a detector of the light with default attributes
     */
    static Detector MakeDetector(const LinkBudget& budget, std::size_t count)
    {
        const auto receiver = CreateObject<OpticalReceiver>();
        Detector detector;
        for (const double power : OpticalReceiver::GetLevels(budget.GetSignal(), count))
        {
            detector.levels.push_back(receiver->GetResponsivity() * power);
            detector.noise.push_back(receiver->GetNoise(power, budget.GetSignal()));
        }
        for (std::size_t i = 1; i < count; ++i)
        {
            const double low = detector.noise[i - 1];
            const double high = detector.noise[i];
            detector.thresholds.push_back(
                (high * detector.levels[i - 1] + low * detector.levels[i]) / (low + high));
        }
        return detector;
    }

    /**
     * @param detector the detector
     * @param level the level that is sent
     * @param random the source of noise
     * @return the level that is detected
     */
    static uint32_t Detect(const Detector& detector, uint32_t level, std::mt19937& random)
    {
        const double current =
            std::normal_distribution<double>(detector.levels[level], detector.noise[level])(random);
        return static_cast<uint32_t>(
            std::upper_bound(detector.thresholds.begin(), detector.thresholds.end(), current) -
            detector.thresholds.begin());
    }
};

static const SuiteCases g_optIncLinkCases(
    "lightpath-optinc-link",
    {{MakeCase("Losses and noise of a network that averages", &OptIncLinkTests::TestBudgets),
      MakeCase("Rates of wrong averages", &OptIncLinkTests::TestRates),
      MakeCase("Random words are averaged as wrongly as predicted", &OptIncLinkTests::TestWords)}});
