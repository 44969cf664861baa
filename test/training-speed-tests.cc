/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/training/run/report-format.h"
#include "training-fixture.h"

#include "ns3/convergence.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Ranks of a data-parallel job.
constexpr uint32_t RANKS = 4;

/// Time of its all-reduce of 4000 bytes over a ring of circuits: 2 (n - 1) (S / n + headers) ns.
constexpr int64_t ALL_REDUCE_NS = 2 * (RANKS - 1) * (1000 + HEADERS);

/**
 * @ingroup lightpath-tests
 * @brief A data-parallel job: on each rank 4 us and 6 us of computation, then an all-reduce over a
 * ring of circuits.
 *
 * A step of the all-reduce waits for the one before on the neighbour, and there are more steps than
 * ranks, so that all ranks end ALL_REDUCE_NS after the slowest has computed.
 *
 * @return the job
 */
TrainingRun
MakeDataParallel()
{
    RankProgram program;
    program.AddTask(Compute(4e-6));
    program.AddTask(Compute(6e-6));
    program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 4000));
    program.AddDependency(0, 1);
    program.AddDependency(1, 2);
    TrainingRun run(MakePlan(std::vector<RankProgram>(RANKS, program)), 1);
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        run.circuits.AddLane(rank, (rank + 1) % RANKS, {0, 0});
    }
    return run;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of ranks that differ in speed.
 */
class TrainingSpeedTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * One slow rank delays all ranks of a data-parallel job, one fast rank none.
     *
     * @param speed the speed of rank 2
     * @param computeNs the time that it computes for in ns
     */
    void TestSlowRank(double speed, int64_t computeNs)
    {
        TrainingRun run = MakeDataParallel();
        run.Install(0, 3);
        run.applications.Get(2)->SetAttribute("SpeedFactor", DoubleValue(speed));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run.job->IsFinished(), true, "the job ends");
        const Time iteration = NanoSeconds(std::max<int64_t>(10000, computeNs) + ALL_REDUCE_NS);
        for (uint32_t i = 0; i < 3; ++i)
        {
            for (uint32_t rank = 0; rank < RANKS; ++rank)
            {
                const auto record = run.GetRecord(rank, i);
                NS_TEST_EXPECT_MSG_EQ(record.end, iteration * (i + 1), "all ranks wait");
                NS_TEST_EXPECT_MSG_EQ(record.compute,
                                      NanoSeconds(rank == 2 ? computeNs : 10000),
                                      "computation of rank " << rank);
            }
        }
        TrainingReport report(run.job, run.channel);
        report.fabric = "switches";
        const auto json = report.GetJson();
        NS_TEST_EXPECT_MSG_EQ(json.at("speedFactors").size(), 1, "one rank");
        NS_TEST_EXPECT_MSG_EQ(json.at("speedFactors").at("2").get<double>(), speed, "its speed");
        NS_TEST_EXPECT_MSG_EQ(json.count("computeNoise"), 0, "no noise");
        std::ostringstream table;
        TrainingReport::PrintTable(table, {report});
        EXPECT_PART(table.str(), "switches: speed of rank 2: ");
        Simulator::Destroy();
    }

    /// Draws of a known sequence give known times.
    void TestKnownNoise()
    {
        // A sequence of its own for each rank, 1, 2, 3, 1...; rank 1 has twice the speed
        TrainingRun own = MakeDataParallel();
        own.helper.SetApplicationAttribute(
            "ComputeNoise",
            StringValue("ns3::SequentialRandomVariable[Min=1|Max=4]"));
        own.Install(0, 4);
        own.applications.Get(1)->SetAttribute("SpeedFactor", DoubleValue(2));
        Simulator::Run();
        CheckEnds(own, {10, 20, 30, 10});
        NS_TEST_EXPECT_MSG_EQ(own.GetRecord(1, 2).compute, MicroSeconds(15), "30 us at speed 2");
        NS_TEST_EXPECT_MSG_EQ(own.GetRecord(1, 2).noise, 3, "the draw itself");
        const auto json = TrainingReport(own.job, own.channel).GetJson();
        NS_TEST_EXPECT_MSG_EQ(json.at("computeNoise").at("least").get<double>(), 1, "least draw");
        NS_TEST_EXPECT_MSG_EQ(json.at("computeNoise").at("most").get<double>(), 3, "largest draw");
        NS_TEST_EXPECT_MSG_EQ(json.at("computeNoise").at("variable").get<std::string>(),
                              "ns3::SequentialRandomVariable",
                              "the variable");
        Simulator::Destroy();

        // One sequence for all ranks: one draw for each rank and iteration
        TrainingRun shared = MakeDataParallel();
        const auto sequence = CreateObject<DeterministicRandomVariable>();
        std::vector<double> draws = {1, 2, 3, 4, 1, 1, 5, 1, 0.5, 0.25, 0.5, 0.5};
        sequence->SetValueArray(draws.data(), draws.size());
        shared.helper.SetApplicationAttribute("ComputeNoise", PointerValue(sequence));
        shared.Run(0, 3);
        CheckEnds(shared, {40, 50, 5});
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(shared.GetRecord(rank).compute,
                                  MicroSeconds(10 * (rank + 1)),
                                  "the first draws, in the order of the ranks");
        }
        Simulator::Destroy();
    }

    /// Noise is a function of RngRun and of the streams.
    void TestReproducibleNoise()
    {
        const uint64_t run = RngSeedManager::GetRun();
        const auto first = Draw(1, 100);
        NS_TEST_EXPECT_MSG_EQ((Draw(1, 100) == first), true, "the same run");
        NS_TEST_EXPECT_MSG_EQ((Draw(2, 100) == first), false, "another run");
        const auto next = Draw(1, 101);
        NS_TEST_EXPECT_MSG_EQ((next == first), false, "other streams");
        RngSeedManager::SetRun(run);
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            for (uint32_t i = 0; i < 2; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(first.at(rank).at(i), 1, 0.1, "within the bounds");
            }
            NS_TEST_EXPECT_MSG_NE(first.at(rank).at(0), first.at(rank).at(1), "two draws");
            if (rank > 0)
            {
                NS_TEST_EXPECT_MSG_EQ((first.at(rank) == next.at(rank - 1)),
                                      true,
                                      "rank " << rank << " has the stream after that of the last");
            }
        }
        TrainingRun plain = MakeDataParallel();
        plain.Install();
        NS_TEST_EXPECT_MSG_EQ(plain.job->AssignStreams(7), 0, "nothing is random");
        plain.applications.Get(3)->SetAttribute(
            "ComputeNoise",
            StringValue("ns3::UniformRandomVariable[Min=1|Max=2]"));
        NS_TEST_EXPECT_MSG_EQ(plain.job->AssignStreams(7), 1, "one rank is");
        PointerValue noise;
        plain.applications.Get(3)->GetAttribute("ComputeNoise", noise);
        NS_TEST_EXPECT_MSG_EQ(noise.Get<RandomVariableStream>()->GetStream(), 7, "its stream");
        Simulator::Destroy();
    }

    /// Speeds and draws that are no positive numbers are refused.
    void TestSpeedMisuse()
    {
        for (const std::string draw : {"0", "-0.5", "inf"})
        {
            TrainingRun run = MakeDataParallel();
            run.Install();
            const auto constant = CreateObject<DeterministicRandomVariable>();
            std::vector<double> draws = {std::stod(draw)};
            constant->SetValueArray(draws.data(), draws.size());
            run.applications.Get(1)->SetAttribute("ComputeNoise", PointerValue(constant));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), false, "the job fails");
            EXPECT_PART(run.failure,
                        "Rank 1 drew " + draw +
                            " from its ComputeNoise, a ns3::DeterministicRandomVariable");
            Simulator::Destroy();
        }
        RankProgram endless;
        endless.AddTask(Compute(1e10));
        TrainingRun beyond(MakePlan({endless}), 1);
        beyond.Install();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(beyond.job->IsFinished(), false, "the job fails");
        EXPECT_PART(beyond.failure, "of rank 0 takes 1e+10 s");
        Simulator::Destroy();
        TrainingRun run = MakeDataParallel();
        run.Install();
        for (const double speed : {0.0, -1.0})
        {
            NS_TEST_EXPECT_MSG_EQ(
                run.applications.Get(0)->SetAttributeFailSafe("SpeedFactor", DoubleValue(speed)),
                false,
                "a speed of " << speed);
        }
        Simulator::Destroy();
    }

    /**
     * The first darkness counts once, however many iterations are simulated.
     *
     * @param iterations the number of iterations
     * @param darkUs the time that the circuits need to be set up, in us
     */
    void TestDarkOnce(uint32_t iterations, int64_t darkUs)
    {
        TrainingRun run = MakeDataParallel();
        run.channel->SetAttribute("InitialSwitching", BooleanValue(true));
        run.channel->SetAttribute("SwitchingDelay", TimeValue(MicroSeconds(darkUs)));
        run.Run(0, iterations);
        TrainingReport report(run.job, run.channel);
        Simulator::Destroy();
        report.toTarget = Convergence::Create("resnet50").Get(8192);
        // The ranks compute for 10 us while it is dark
        const double dark = std::max<int64_t>(darkUs - 10, 0) * 1e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSecondsToTarget(),
                                  dark + 6569 * (10e-6 + ALL_REDUCE_NS * 1e-9),
                                  1e-9,
                                  "once");
    }

    /**
     * Times have four digits and a unit that leave room between the columns of a table.
     *
     * @param seconds a time
     * @param text the expected text
     */
    void TestFormat(double seconds, const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ(FormatSeconds(seconds), text, "the unit");
    }

    /// A report gives the time of training to the target.
    void TestTimeToTarget()
    {
        TrainingRun run = MakeDataParallel();
        run.Run();
        TrainingReport report(run.job, run.channel);
        Simulator::Destroy();
        report.fabric = "switches";
        report.iterationSeconds = {1.0, 0.111, 0.113};
        NS_TEST_EXPECT_MSG_EQ(report.GetSecondsToTarget(), 0, "no target");
        NS_TEST_EXPECT_MSG_EQ(report.GetJson().count("toTarget"), 0, "no target");
        NS_TEST_EXPECT_MSG_EQ(Contains(Print(report), " to "), false, Print(report));
        // A first iteration of 1 s and 6568 of 0.112 s
        report.toTarget = Convergence::Create("resnet50").Get(8192);
        NS_TEST_EXPECT_MSG_EQ_TOL(report.GetSecondsToTarget(),
                                  736.616,
                                  1e-9,
                                  "1 s + 6568 x 0.112 s");
        auto json = report.GetJson().at("toTarget");
        NS_TEST_EXPECT_MSG_EQ(json.at("iterations").get<int>(), 6569, "iterations");
        NS_TEST_EXPECT_MSG_EQ(json.at("samples").get<int>(), 53809014, "images");
        NS_TEST_EXPECT_MSG_EQ(json.at("amount").get<double>(), 42, "epochs");
        NS_TEST_EXPECT_MSG_EQ_TOL(json.at("seconds").get<double>(), 736.616, 1e-9, "seconds");
        NS_TEST_EXPECT_MSG_EQ(json.at("extrapolated").get<bool>(), false, "within the range");
        const std::string known =
            "\nswitches: to 75.9 % top-1: 6569 iterations, 12.3 min (interpolated)\n";
        EXPECT_PART(Print(report), known);
        report.toTarget = Convergence::Create("resnet50").Get(256);
        NS_TEST_EXPECT_MSG_EQ(report.GetJson().at("toTarget").at("extrapolated").get<bool>(),
                              true,
                              "below the range");
        EXPECT_PART(Print(report), "(extrapolated)");
        report.toTarget = Convergence::Create("dlrm").Get(55296);
        json = report.GetJson().at("toTarget");
        NS_TEST_EXPECT_MSG_EQ(json.count("iterations") + json.count("seconds"), 0, "not known");
        NS_TEST_EXPECT_MSG_EQ(json.at("amount").get<double>(), 1.902, "epochs");
        EXPECT_PART(Print(report), "to 0.8025 AUC: 1.902 epochs of a length");
    }

  private:
    /**
     * Check when the iterations of all ranks end.
     *
     * @param run the job
     * @param slowest the computation of the slowest rank in us, by iteration
     */
    void CheckEnds(const TrainingRun& run, const std::vector<int64_t>& slowest)
    {
        NS_TEST_ASSERT_MSG_EQ(run.job->IsFinished(), true, "the job ends");
        Time end;
        for (uint32_t i = 0; i < slowest.size(); ++i)
        {
            end += MicroSeconds(slowest[i]) + NanoSeconds(ALL_REDUCE_NS);
            for (uint32_t rank = 0; rank < RANKS; ++rank)
            {
                NS_TEST_EXPECT_MSG_EQ(run.GetRecord(rank, i).end, end, "iteration " << i);
            }
        }
    }

    /**
     * @param run the RngRun
     * @param stream the first stream
     * @return the draws by rank and iteration
     */
    std::vector<std::vector<double>> Draw(uint64_t run, int64_t stream)
    {
        RngSeedManager::SetRun(run);
        TrainingRun job = MakeDataParallel();
        job.helper.SetApplicationAttribute(
            "ComputeNoise",
            StringValue("ns3::NormalRandomVariable[Mean=1|Variance=0.0025|Bound=0.1]"));
        job.Install(0, 2);
        NS_TEST_EXPECT_MSG_EQ(TrainingHelper::AssignStreams(job.applications, stream),
                              RANKS,
                              "one stream a rank");
        Simulator::Run();
        std::vector<std::vector<double>> draws(RANKS);
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto record = job.GetRecord(rank, i);
                draws[rank].push_back(record.noise);
                NS_TEST_EXPECT_MSG_EQ_TOL(record.compute.GetDouble(),
                                          MicroSeconds(10).GetDouble() * record.noise,
                                          2,
                                          "two tasks, each to the tick");
            }
        }
        Simulator::Destroy();
        return draws;
    }

    /**
     * @param report a report
     * @return the report as a table
     */
    static std::string Print(const TrainingReport& report)
    {
        std::ostringstream table;
        TrainingReport::PrintTable(table, {report});
        return table.str();
    }
};

/// Registers the test cases
static const SuiteCases g_trainingSpeedCases(
    "lightpath-training",
    {{
         MakeCase("A rank with another speed", &TrainingSpeedTests::TestSlowRank, 0.5, 20000),
         MakeCase("A rank with another speed", &TrainingSpeedTests::TestSlowRank, 0.8, 12500),
         MakeCase("A rank with another speed", &TrainingSpeedTests::TestSlowRank, 2, 5000),
         MakeCase("Noise that is known", &TrainingSpeedTests::TestKnownNoise),
         MakeCase("Noise that can be reproduced", &TrainingSpeedTests::TestReproducibleNoise),
         MakeCase("Speeds and noise that cannot be", &TrainingSpeedTests::TestSpeedMisuse),
         MakeCase("Time to the target", &TrainingSpeedTests::TestTimeToTarget),
     },
     MakeCases("Darkness in the time to the target",
               &TrainingSpeedTests::TestDarkOnce,
               {{1, 0}, {1, 5}, {1, 5000}, {3, 5000}}),
     MakeCases("Times in tables",
               &TrainingSpeedTests::TestFormat,
               {{0, "0"},
                {5e-12, "5.000 ps"},
                {5e-9, "5.000 ns"},
                {0.6789e-6, "678.9 ns"},
                {0.25e-3, "250.0 us"},
                {0.0127, "12.70 ms"},
                {31.25, "31.25 s"}})});
