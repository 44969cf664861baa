/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "optical-fixture.h"

#include "ns3/forward-error-correction.h"
#include "ns3/optical-receiver.h"
#include "ns3/optical-source.h"

#include <cmath>
#include <random>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The tests of receivers of light, and of codes.
 */
class OpticalReceiverTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares error rates and sensitivities with published ones.
    void TestReceiver()
    {
        const auto receiver = MakeReceiver();
        const auto nrz = OpticalReceiver::NRZ;
        const auto pam4 = OpticalReceiver::PAM4;
        // Average power is half of the modulation amplitude
        const double half = RatioToDb(2);
        const OpticalSignal light = MakeSignal(0);
        const auto sensitivity = [&](Ptr<OpticalReceiver> at, double rate) {
            return at->GetSensitivity(rate, nrz, light) + half;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(sensitivity(receiver, 1e-12), -15.51, 0.005, "1e-12");
        NS_TEST_EXPECT_MSG_EQ_TOL(sensitivity(receiver, 2.4e-4), -18.55, 0.005, "2.4e-4");
        NS_TEST_EXPECT_MSG_EQ_TOL(sensitivity(MakeReceiver(0.8), 1e-12), -14.54, 0.005, "0.8 A/W");
        // The qualities 3.0902, 3.4917, 5.9978 and 7.0345
        for (const auto& [quality, rate] : std::vector<std::pair<double, double>>{{3.0902, 1e-3},
                                                                                  {3.4917, 2.4e-4},
                                                                                  {5.9978, 1e-9},
                                                                                  {7.0345, 1e-12}})
        {
            const double amplitude = quality * 2 * 2e-6;
            const double error = receiver->GetBitErrorRate(MakeSignal(WattToDbm(amplitude)), nrz);
            NS_TEST_EXPECT_MSG_EQ_TOL(error / rate, 1, 1e-3, "Quality " << quality);
        }
        const auto rate = [&](double dbm, OpticalReceiver::Format format) {
            return receiver->GetBitErrorRate(MakeSignal(dbm), format);
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(-14, pam4), 3.405e-4, 0.0005e-4, "PAM4");
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(-12, pam4), 5.462e-8, 0.0005e-8, "PAM4");
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(-16, nrz), 1.696e-10, 0.0005e-10, "NRZ");
        // Eyes of a third need three times the amplitude: 4.77 dB, where 3/4 as many bits are wrong
        NS_TEST_EXPECT_MSG_EQ_TOL(receiver->GetSensitivity(0.75e-9, pam4, light) -
                                      receiver->GetSensitivity(1e-9, nrz, light),
                                  4.77,
                                  0.005,
                                  "Penalty");
        // No digits are lost between 1 and 1e-30: erfc(Q / sqrt(2)) / 2 is
        // exp(-Q^2 / 2) / (Q sqrt(2 pi)) (1 - 1 / Q^2 + 3 / Q^4 - 15 / Q^6 ...)
        const double q = 11.5;
        const double series = std::exp(-q * q / 2) / (q * std::sqrt(2 * M_PI)) *
                              (1 - 1 / (q * q) + 3 / std::pow(q, 4) - 15 / std::pow(q, 6));
        NS_TEST_EXPECT_MSG_EQ_TOL(rate(WattToDbm(q * 4e-6), nrz) / series, 1, 1e-5, "1e-30");
    }

    /// Counts wrong bits of random symbols with Gaussian noise.
    void TestSymbols()
    {
        auto receiver = CreateObject<OpticalReceiver>();
        std::mt19937 random(7);
        for (const auto format : {OpticalReceiver::NRZ, OpticalReceiver::PAM4})
        {
            const bool isNrz = format == OpticalReceiver::NRZ;
            for (const double dbm : {-20.0, -19.0, -18.0, -17.0})
            {
                // PAM4 needs more light; amplified light has more noise at its higher levels
                OpticalSignal signal = MakeSignal(isNrz ? dbm : dbm + 7);
                signal.contrast = 0.8;
                signal.noise = 1e-17;
                signal.intensityNoise = 1e-14;
                const double expected = receiver->GetBitErrorRate(signal, format);
                const double symbols = 400000;
                const double bits = isNrz ? symbols : 2 * symbols;
                const auto errors = CountErrors(*receiver, signal, format, symbols, random);
                NS_TEST_EXPECT_MSG_EQ_TOL(errors,
                                          bits * expected,
                                          3 * std::sqrt(bits * expected),
                                          "At " << dbm << " dBm");
                NS_TEST_EXPECT_MSG_GT(bits * expected, 20, "Errors to count");
            }
        }
    }

    /// Compares the rates of codewords and frames with published ones.
    void TestCodes()
    {
        const auto none = ForwardErrorCorrection::Create("none");
        const auto kp4 = ForwardErrorCorrection::Create("kp4");
        const auto kr4 = ForwardErrorCorrection::Create("kr4");
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetCodewordErrorRate(2.4e-4), 8.15e-13, 0.005e-13, "KP4");
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetCodewordErrorRate(1e-3), 1.53e-4, 0.005e-4, "KP4");
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetBitErrorLimit(1e-12), 2.433e-4, 0.0005e-4, "Limit");
        NS_TEST_EXPECT_MSG_EQ_TOL(none.GetFrameErrorRate(1e-5, 1500), 0.1131, 5e-5, "No code");
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetFrameErrorRate(2.4e-4, 9000), 1.304e-11, 5e-15, "Frame");
        // Fewer than t + 1 wrong symbols of n: the first term of the sum, as others are far smaller
        const double p = 1e-6;
        const double symbol = 10 * p;
        const double term = std::exp(std::lgamma(529.0) - std::lgamma(9.0) - std::lgamma(521.0) +
                                     8 * std::log(symbol));
        NS_TEST_EXPECT_MSG_EQ_TOL(kr4.GetCodewordErrorRate(p) / term, 1, 0.01, "KR4");
        // 800G interleaves 4 codewords, 100G has 1: 63 and 88 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetLatency(850e9, 4).GetSeconds(), 63e-9, 1e-12, "800G");
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetLatency(106.25e9).GetSeconds(), 88e-9, 1e-12, "100G");
        NS_TEST_EXPECT_MSG_EQ(none.GetLatency(1e9), Time(), "No code waits for nothing");
        NS_TEST_EXPECT_MSG_EQ_TOL(kp4.GetOverhead(), 544.0 / 514, 1e-15, "Overhead");
        NS_TEST_EXPECT_MSG_EQ(
            FindWrongError([]() { ForwardErrorCorrection::Create("kp5"); }, {"'kp5'", "kp4"}),
            "",
            "Unknown code");
    }

    /// Compares the penalties of extinction and of crosstalk with their formulas.
    void TestPenalties()
    {
        auto modulator = CreateObject<OpticalModulator>();
        modulator->SetAttribute("Loss", DoubleValue(0));
        OpticalSignal signal = MakeSignal(0);
        const double dark = signal.GetModulationAmplitude();
        modulator->Pass(signal);
        // 10 log10((r + 1) / (r - 1))
        const double r = std::pow(10, 0.89);
        NS_TEST_EXPECT_MSG_EQ_TOL(RatioToDb(dark / signal.GetModulationAmplitude()),
                                  10 * std::log10((r + 1) / (r - 1)),
                                  1e-9,
                                  "Extinction");
        signal.otherCrosstalk = 0.02;
        NS_TEST_EXPECT_MSG_EQ_TOL(OpticalReceiver::GetCrosstalkPenalty(signal),
                                  -10 * std::log10(0.98),
                                  1e-12,
                                  "Other wavelengths");
        // 15 ports at -30 dB: 1 - 2 x 15 x 0.0316 leaves 5 % of the eye, and 16 close it
        signal.otherCrosstalk = 0;
        signal.sameCrosstalk = 15 * std::sqrt(1e-3);
        NS_TEST_EXPECT_MSG_EQ_TOL(OpticalReceiver::GetCrosstalkPenalty(signal), 12.9, 0.05, "Same");
        signal.sameCrosstalk = 16 * std::sqrt(1e-3);
        NS_TEST_EXPECT_MSG_EQ(std::isinf(OpticalReceiver::GetCrosstalkPenalty(signal)),
                              true,
                              "Closed");
        NS_TEST_EXPECT_MSG_EQ_TOL(MakeReceiver()->GetBitErrorRate(signal, OpticalReceiver::NRZ),
                                  0.5,
                                  1e-15,
                                  "Any bit");
        NS_TEST_EXPECT_MSG_EQ(
            std::isinf(MakeReceiver()->GetSensitivity(1e-9, OpticalReceiver::NRZ, signal)),
            true,
            "No power opens the eye");
    }

  private:
    /**
     * @param receiver the receiver
     * @param signal the light
     * @param format the modulation format
     * @param symbols the number of symbols
     * @param random the source of symbols and noise
     * @return the number of wrong bits
     */
    static double CountErrors(const OpticalReceiver& receiver,
                              const OpticalSignal& signal,
                              OpticalReceiver::Format format,
                              double symbols,
                              std::mt19937& random)
    {
        const auto levels =
            OpticalReceiver::GetLevels(signal, format == OpticalReceiver::NRZ ? 2 : 4);
        std::vector<double> noise;
        for (const auto level : levels)
        {
            noise.push_back(receiver.GetNoise(level, signal));
        }
        std::normal_distribution<double> normal;
        double errors = 0;
        for (double i = 0; i < symbols; ++i)
        {
            const auto sent = static_cast<uint32_t>(random() % levels.size());
            const double current =
                receiver.GetResponsivity() * levels[sent] + noise[sent] * normal(random);
            uint32_t received = 0;
            for (uint32_t k = 0; k + 1 < levels.size(); ++k)
            {
                const double threshold = receiver.GetResponsivity() *
                                         (noise[k + 1] * levels[k] + noise[k] * levels[k + 1]) /
                                         (noise[k] + noise[k + 1]);
                received += current > threshold ? 1 : 0;
            }
            // Gray code of the numbers of both levels
            const uint32_t wrong = (sent ^ sent >> 1) ^ (received ^ received >> 1);
            errors += (wrong & 1) + (wrong >> 1);
        }
        return errors;
    }
};

static const SuiteCases g_opticalReceiverCases(
    "lightpath-optical-link",
    {{MakeCase("Error rates and sensitivities as published", &OpticalReceiverTests::TestReceiver),
      MakeCase("Random symbols err as predicted", &OpticalReceiverTests::TestSymbols),
      MakeCase("Codes correct as published", &OpticalReceiverTests::TestCodes),
      MakeCase("Penalties of extinction and crosstalk", &OpticalReceiverTests::TestPenalties)}});
