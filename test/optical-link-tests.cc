/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "optical-fixture.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/link-budget.h"
#include "ns3/microring-filter.h"
#include "ns3/optical-error-model.h"
#include "ns3/optical-link.h"
#include "ns3/optical-receiver.h"
#include "ns3/optical-source.h"
#include "ns3/optical-switch.h"
#include "ns3/packet.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param name its name
 * @param loss its loss in dB
 * @return the element
 */
Ptr<PassiveElement>
MakeLoss(const std::string& name, double loss)
{
    auto element = CreateObject<PassiveElement>();
    element->SetAttribute("Name", StringValue(name));
    element->SetAttribute("Loss", DoubleValue(loss));
    return element;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of optical elements and of paths through them.
 */
class OpticalLinkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares micro-rings with values that were computed apart from the published formulas.
    void TestMicroring()
    {
        struct Published
        {
            double coupling;  // Power coupling
            double drop;      // Loss of the drop port, dB
            double quality;   // Quality factor
            double neighbour; // Crosstalk at 100 GHz, dB
            double through;   // Loss of the through port at 2 nm, dB
        };

        for (const Published& p : {Published{0.01, 1.70, 43768, -33.0, 0.0004},
                                   {0.02, 0.89, 23907, -27.8, 0.0013},
                                   {0.05, 0.36, 10003, -20.2, 0.0076},
                                   {0.10, 0.18, 4972, -14.3, 0.031}})
        {
            auto ring = CreateObject<MicroringFilter>();
            ring->SetAttribute("Radius", DoubleValue(10e-6));
            ring->SetAttribute("InputCoupling", DoubleValue(p.coupling));
            ring->SetAttribute("DropCoupling", DoubleValue(p.coupling));
            NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetLoss(), p.drop, 0.005, "Drop");
            NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetQuality(FREQUENCY), p.quality, 1, "Quality");
            NS_TEST_EXPECT_MSG_EQ_TOL(RatioToDb(ring->GetCrosstalk(100e9)),
                                      p.neighbour,
                                      0.05,
                                      "Neighbour");
            const double detuning = FREQUENCY - LIGHT_SPEED / 1552e-9;
            NS_TEST_EXPECT_MSG_EQ_TOL(-RatioToDb(ring->GetThrough(detuning)),
                                      p.through,
                                      p.through / 10,
                                      "Through");
        }
        // 18.2 nm with a radius of 5 um, half as much with 10 um
        auto ring = CreateObject<MicroringFilter>();
        const double nanometres = 1550e-9 * 1550e-9 / LIGHT_SPEED * 1e9;
        NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetFreeSpectralRange() * nanometres, 18.2, 0.05, "Range");
        NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetFinesse(),
                                  ring->GetFreeSpectralRange() / ring->GetLinewidth(),
                                  1e-9,
                                  "Finesse");
        // Without loss, all light is at one of the ports
        ring->SetAttribute("Attenuation", DoubleValue(0));
        for (const double detuning : {0.0, 1e9, 30e9, 100e9, 1e12})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetThrough(detuning) + ring->GetDrop(detuning),
                                      1,
                                      1e-12,
                                      "All light");
        }
        // Equal couplers without loss are critical: nothing is let through
        NS_TEST_EXPECT_MSG_LT(ring->GetThrough(0), 1e-30, "Critical coupling");
        // Half of the height at half of the width, where the resonance is a Lorentzian
        NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetCrosstalk(ring->GetLinewidth() / 2), 0.5, 1e-3, "Half");
        // 1e5 K/W and 10 GHz/K: 0.2 mW for 200 GHz
        NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetTuningPower(-200e9), 0.2e-3, 1e-12, "Tuning");
    }

    /// Amplifies light: gain, saturation and noise.
    void TestAmplifier()
    {
        auto amplifier = CreateObject<OpticalAmplifier>();
        const double most = DbToRatio(24);
        NS_TEST_EXPECT_MSG_EQ_TOL(amplifier->GetGain(1e-12) / most, 1, 1e-6, "Weak light");
        // Half of the gain where (G0 / 2 - 1) P / Ps is ln 2, with 15 dBm
        const double half = std::log(2.0) * DbmToWatt(15) / (most / 2 - 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(amplifier->GetGain(half) / (most / 2), 1, 1e-9, "Saturation");
        // Far beyond saturation next to nothing is left of the gain
        NS_TEST_EXPECT_MSG_EQ_TOL(amplifier->GetGain(10), 1, 0.02, "Transparent");
        // Five spans whose loss is the gain: the noise of each is n_sp h f (G - 1), and
        // behind the last amplifier there is as much signal as at the begin
        amplifier->SetAttribute("SaturationPower", DoubleValue(100));
        OpticalSignal signal = MakeSignal(3);
        const double begin = signal.power;
        LinkBudget budget(signal);
        const auto span = MakeLoss("span", 24);
        for (int i = 0; i < 5; ++i)
        {
            budget.Add(*span);
            budget.Add(*amplifier);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetSignal().power / begin, 1, 1e-6, "Power");
        NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetLoss(), 0, 1e-5, "Loss");
        const double noise = 2 * 5 * 5 * 6.62607015e-34 * FREQUENCY * (most - 1) * 12.5e9;
        NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetRows().back().osnr,
                                  10 * std::log10(begin / noise),
                                  1e-5,
                                  "Noise of five amplifiers");
    }

    /// Rebuilds published budgets element by element.
    void TestPublishedBudgets()
    {
        // 100GBASE-LR4: launch of -2.3 + 2.2 dBm OMA, 10 km of 0.43 dB/km, 2 dB of connectors,
        // penalty 2.2 dB, sensitivity -8.6 dBm
        auto fibre = CreateObject<OpticalGuide>();
        fibre->SetAttribute("Length", DoubleValue(10e3));
        fibre->SetAttribute("Attenuation", DoubleValue(0.43e-3));
        LinkBudget lr4(MakeSignal(-0.1));
        lr4.Add(*fibre);
        lr4.Add(*MakeLoss("connector", 0.5), 4);
        NS_TEST_EXPECT_MSG_EQ_TOL(lr4.GetLoss(), 6.3, 0.1, "Channel");
        lr4.Add(*MakeLoss("penalty", 2.2));
        NS_TEST_EXPECT_MSG_EQ_TOL(WattToDbm(lr4.GetSignal().GetModulationAmplitude()),
                                  -8.6,
                                  0.1,
                                  "The sensitivity");
        // Sirius: a laser of 16 dBm for 8 nodes, coupling and modulator 7 dB, grating 6 dB: 2 dB
        // above the sensitivity of -8 dBm
        auto laser = CreateObject<OpticalSource>();
        laser->SetAttribute("Power", DoubleValue(16));
        auto splitter = CreateObject<OpticalSplitter>();
        splitter->SetAttribute("Outputs", UintegerValue(8));
        auto modulator = CreateObject<OpticalModulator>();
        modulator->SetAttribute("Loss", DoubleValue(7));
        LinkBudget sirius(laser->Emit(FREQUENCY));
        sirius.Add(*splitter);
        NS_TEST_EXPECT_MSG_EQ_TOL(WattToDbm(sirius.GetSignal().power), 7, 0.1, "Behind it");
        sirius.Add(*modulator);
        sirius.Add(*MakeLoss("grating", 6));
        NS_TEST_EXPECT_MSG_EQ_TOL(WattToDbm(sirius.GetSignal().power) + 8, 2, 0.1, "Margin");
        std::ostringstream table;
        sirius.Print(table);
        NS_TEST_EXPECT_MSG_EQ(table.str(),
                              "element                         loss dB  power dBm  OSNR dB\n"
                              "source                                       16.00        -\n"
                              "splitter 1:8                       9.03       6.97        -\n"
                              "modulator                          7.00      -0.03        -\n"
                              "grating                            6.00      -6.03        -\n",
                              "Table");
    }

    /// Passes nodes of a ring without amplifiers.
    void TestRingReach()
    {
        // A node costs two couplers, 0.5 dB of waveguide, and two banks of rings
        for (const auto& [lanes, nodes] :
             std::vector<std::pair<uint32_t, uint32_t>>{{80, 3}, {20, 4}})
        {
            auto bank = CreateObject<MicroringBank>();
            bank->SetAttribute("Rings", UintegerValue(lanes));
            auto modulator = CreateObject<OpticalModulator>();
            const auto coupler = CreateObject<PassiveElement>();
            const auto guide = MakeLoss("waveguide", 0.5);
            LinkBudget budget(CreateObject<OpticalSource>()->Emit(FREQUENCY, lanes));
            budget.Add(*modulator);
            budget.Add(*coupler, 2);
            budget.Add(*guide);
            budget.Add(*MakeLoss("drop", 1));
            uint32_t passed = 0;
            while (true)
            {
                const double before = budget.GetLoss();
                budget.Add(*coupler, 2);
                budget.Add(*guide);
                budget.Add(*bank, 2);
                NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetLoss() - before,
                                          (lanes == 80 ? 4.1 : 2.9),
                                          1e-9,
                                          "Loss of a node");
                if (WattToDbm(budget.GetSignal().power) < -12.5)
                {
                    break;
                }
                ++passed;
            }
            NS_TEST_EXPECT_MSG_EQ(passed, nodes, "Nodes with " << lanes << " lanes");
        }
    }

    /// Sums the light of other wavelengths that a micro-ring drops.
    void TestNeighbours()
    {
        // Wavelengths that fill a free spectral range: with the amplitude p of a turn,
        // 1 / |1 - p exp(i x)|^2 is the sum of p^|m| exp(i m x) / (1 - p^2), of which the terms
        // whose m is a multiple of n are left
        const auto ring = CreateObject<MicroringFilter>();
        const uint32_t n = 10;
        const double turn = 0.95 * std::pow(10, -300 * 2 * M_PI * 5e-6 / 20);
        const double whole = std::pow(turn, n);
        NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetCrosstalk(ring->GetFreeSpectralRange() / n, n),
                                  n * (1 - turn) * (1 + whole) / ((1 + turn) * (1 - whole)) - 1,
                                  1e-12,
                                  "Full range");
        // Where the next resonance is far, Lorentzians: with y = width / (2 spacing) the sum over
        // all neighbours is pi y coth(pi y) - 1, that of those beyond the 50th is 2 y^2 / 50.5
        auto narrow = CreateObject<MicroringFilter>();
        narrow->SetAttribute("Radius", DoubleValue(1e-7));
        narrow->SetAttribute("InputCoupling", DoubleValue(1e-3));
        narrow->SetAttribute("DropCoupling", DoubleValue(1e-3));
        const double y = narrow->GetLinewidth() / 200e9;
        NS_TEST_EXPECT_MSG_EQ_TOL(narrow->GetCrosstalk(100e9, 101),
                                  M_PI * y / std::tanh(M_PI * y) - 1 - 2 * y * y / 50.5,
                                  1e-4,
                                  "Lorentzians");
        // At an end of the grid, where other wavelengths are near the next resonance
        const double range = ring->GetFreeSpectralRange();
        NS_TEST_EXPECT_MSG_GT(ring->GetCrosstalk(range / 8, 9), 1, "The next resonance");

        // Nodes that light passes add other wavelengths, as strong as it was at first: the light
        // has lost 2.66 dB for each of two nodes
        const auto link = CreateObject<OpticalLink>();
        const double share = ring->GetCrosstalk(200e9, 8);
        const auto getSignal = [&](uint32_t hops, bool isAmplified) {
            const auto path = OpticalLink::MakeRingPath(hops, 8, 0, isAmplified);
            return link->GetBudget(path, 8).GetSignal();
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(getSignal(1, false).otherCrosstalk, share, 1e-12, "As strong");
        const double three = getSignal(3, false).otherCrosstalk;
        NS_TEST_EXPECT_MSG_EQ_TOL(three, share * std::pow(10, 0.532), 1e-9, "Stronger");
        NS_TEST_EXPECT_MSG_EQ_TOL(OpticalReceiver::GetCrosstalkPenalty(getSignal(3, false)),
                                  -10 * std::log10(1 - three),
                                  1e-12,
                                  "Penalty");
        // Amplifiers make all as strong, and are pumped for a full fibre
        const OpticalSignal amplified = getSignal(16, true);
        NS_TEST_EXPECT_MSG_EQ_TOL(amplified.otherCrosstalk, share, 1e-9, "Amplified");
        NS_TEST_EXPECT_MSG_EQ_TOL(amplified.power / getSignal(1, true).power, 1, 1e-9, "No loss");
        // More light than amplifiers can be pumped for
        auto amplifier = CreateObject<OpticalAmplifier>();
        amplifier->Pump(3, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(amplifier->GetLoss(), -24, 1e-12, "The most gain");

        // A wavelength-selective switch leaks each of 7 others at -40 dB
        LinkBudget budget(CreateObject<OpticalSource>()->Emit(FREQUENCY, 8));
        budget.Add(*OpticalSwitch::Create("wss"));
        NS_TEST_EXPECT_MSG_EQ_TOL(budget.GetSignal().otherCrosstalk, 7e-4, 1e-12, "Switch");
        // Without noise that grows with power, other light of x P takes this from any power
        OpticalSignal signal = MakeSignal(-10);
        const auto receiver = MakeReceiver();
        const auto getLeast = [&](double crosstalk) {
            signal.otherCrosstalk = crosstalk;
            return DbmToWatt(receiver->GetSensitivity(1e-12, OpticalReceiver::NRZ, signal));
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(getLeast(0.3),
                                  getLeast(0) + 0.3 * signal.power,
                                  1e-12,
                                  "Sensitivity");
    }

    /// Joins ports by one or three stages of switches.
    void TestSwitches()
    {
        const auto mems = OpticalSwitch::Create("mems");
        // 136 ports, or a Clos network of 136 edge switches with 68 ports down
        NS_TEST_EXPECT_MSG_EQ(mems->GetStages(136), 1, "One switch");
        NS_TEST_EXPECT_MSG_EQ(mems->GetStages(137), 3, "A Clos network");
        NS_TEST_EXPECT_MSG_EQ(mems->GetStages(136 * 68), 3, "A full Clos network");
        NS_TEST_EXPECT_MSG_EQ(mems->GetStages(136 * 68 + 1), 0, "Too many");
        const auto link = CreateObject<OpticalLink>();
        const auto getLoss = [&](uint32_t ports) {
            return link->GetBudget(OpticalLink::MakeSwitchPath("mems", ports, 0), 1).GetLoss();
        };
        // Modulator 5, waveguide 0.5, two couplers 2, and switches of 2 dB
        NS_TEST_EXPECT_MSG_EQ_TOL(getLoss(64), 9.5, 1e-9, "One stage");
        NS_TEST_EXPECT_MSG_EQ_TOL(getLoss(1024), 13.5, 1e-9, "Three stages");
        NS_TEST_EXPECT_MSG_EQ(FindWrongError([]() { OpticalLink::MakeSwitchPath("wss", 1024, 1); },
                                             {"1024 ports", "three stages", "20 ports"}),
                              "",
                              "Too many ports");
        NS_TEST_EXPECT_MSG_EQ(FindWrongError([]() { OpticalSwitch::Create("prism"); },
                                             {"'prism'", "mems, piezo, wss, awgr, rotor"}),
                              "",
                              "Unknown switch");
        NS_TEST_EXPECT_MSG_EQ(OpticalSwitch::Create("piezo")->CheckTurn(MilliSeconds(10)),
                              "",
                              "As fast");
        NS_TEST_EXPECT_MSG_EQ(OpticalSwitch::Create("rotor")->CheckTurn(NanoSeconds(500)),
                              "A rotor switch turns in 10 us at best, not in 500 ns",
                              "Too fast");
        // A default holds for all kinds, for which only other attributes differ
        Config::SetDefault("ns3::lightpath::OpticalSwitch::Loss", DoubleValue(3));
        NS_TEST_EXPECT_MSG_EQ(OpticalSwitch::Create("piezo")->GetLoss(), 3, "Default");
        NS_TEST_EXPECT_MSG_EQ(OpticalSwitch::Create("piezo")->GetPorts(), 576, "Piezo");
        Config::Reset();
        NS_TEST_EXPECT_MSG_EQ(OpticalSwitch::Create("piezo")->GetLoss(), 1, "Reset");
    }

    /// Loses and gains margin.
    void TestMargin()
    {
        const auto link = CreateObject<OpticalLink>();
        const auto getMargin = [&](uint32_t hops, bool isAmplified) {
            const auto path = OpticalLink::MakeRingPath(hops, 8, 0, isAmplified);
            return link->GetMargin(link->GetBudget(path, 1).GetSignal());
        };
        // A node costs two couplers, a waveguide and 16 rings; noise in proportion to the power
        // changes little
        NS_TEST_EXPECT_MSG_EQ_TOL(getMargin(3, false) - getMargin(4, false), 2.66, 0.01, "A node");
        NS_TEST_EXPECT_MSG_GT(getMargin(16, true), getMargin(8, false), "Amplifiers help");
        const double margin = getMargin(4, false);
        link->SetAttribute("SystemMargin", DoubleValue(3));
        NS_TEST_EXPECT_MSG_EQ_TOL(getMargin(4, false), margin - 3, 1e-9, "Ageing");
        link->SetAttribute("SystemMargin", DoubleValue(0));
        // Sensitivities of -15.51 dBm at 1e-12 and of -18.55 at 2.4e-4 as published, without
        // shot noise and intensity noise
        link->SetAttribute("Code", StringValue("kp4"));
        NS_TEST_EXPECT_MSG_EQ_TOL(getMargin(4, false) - margin, 3.04, 0.2, "Code");
        link->SetAttribute("Code", StringValue("none"));
        link->SetAttribute("Format", EnumValue(OpticalReceiver::PAM4));
        NS_TEST_EXPECT_MSG_EQ_TOL(getMargin(4, false) - margin, -4.77, 0.4, "PAM4");
    }

    /// Loses the predicted share of a million frames.
    void TestFrames()
    {
        const auto link = CreateObject<OpticalLink>();
        auto errors = CreateObject<OpticalErrorModel>();
        NS_TEST_EXPECT_MSG_EQ(errors->AssignStreams(1), 1, "One stream");
        const auto packet = Create<Packet>(1500);
        NS_TEST_EXPECT_MSG_EQ(errors->IsCorrupt(packet), true, "No light");
        for (const auto& [loss, code] :
             std::vector<std::pair<double, std::string>>{{0, "none"}, {0.5, "none"}, {2.1, "kp4"}})
        {
            link->SetAttribute("Code", StringValue(code));
            auto path = OpticalLink::MakeRingPath(9, 8, 2, false);
            path.emplace_back(MakeLoss("bend", loss), 1);
            errors->SetSignal(link, link->GetBudget(path, 1).GetSignal());
            const double rate = errors->GetFrameErrorRate(1500);
            const double frames = 1e6;
            double lost = 0;
            for (double i = 0; i < frames; ++i)
            {
                lost += errors->IsCorrupt(packet) ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(lost,
                                      frames * rate,
                                      3 * std::sqrt(frames * rate * (1 - rate)),
                                      loss << " dB, " << code);
            NS_TEST_EXPECT_MSG_GT(lost, 100, "Some are lost");
            NS_TEST_EXPECT_MSG_LT(lost, frames - 100, "Some arrive");
        }
    }
};

static const SuiteCases g_opticalLinkCases(
    "lightpath-optical-link",
    {{MakeCase("Micro-rings filter as published", &OpticalLinkTests::TestMicroring),
      MakeCase("Amplifiers saturate and add noise", &OpticalLinkTests::TestAmplifier),
      MakeCase("Published link budgets", &OpticalLinkTests::TestPublishedBudgets),
      MakeCase("Reach of a ring without amplifiers", &OpticalLinkTests::TestRingReach),
      MakeCase("Crosstalk of other wavelengths", &OpticalLinkTests::TestNeighbours),
      MakeCase("Switches in stages", &OpticalLinkTests::TestSwitches),
      MakeCase("Margins of lightpaths", &OpticalLinkTests::TestMargin),
      MakeCase("Weak light loses frames", &OpticalLinkTests::TestFrames)}});
