/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/schedule/heavy-scheduler.h"
#include "model/control/schedule/matching-slicer.h"
#include "model/control/schedule/spectra-solver.h"
#include "turning-run.h"

#include "ns3/accelerator.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/circuit-switch-geometry.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/object-factory.h"
#include "ns3/operator-graph.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of one demand over parallel switches, and of few heavy matchings.
 */
class SpectraTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks that all send the same to all: each switch has as many matchings, as the bound says.
    void TestUniform()
    {
        constexpr int64_t load = 1000;
        for (const uint32_t n : {5U, 9U, 13U})
        {
            ServiceTimeMatrix times(n);
            for (uint32_t source = 0; source < n; ++source)
            {
                for (uint32_t other = 1; other < n; ++other)
                {
                    times.Add(source, (source + other) % n, load);
                }
            }
            for (const int64_t delay : {0, 10, 5000})
            {
                for (const uint32_t switches : {1U, 2U, 4U})
                {
                    const auto schedule = SpectraSolver::Solve(times, switches, delay);
                    const int64_t expected = (n - 1) / switches * (load + delay);
                    NS_TEST_EXPECT_MSG_EQ(SpectraSolver::GetTime(schedule, delay),
                                          expected,
                                          n << " ports, " << switches << " switches");
                    NS_TEST_EXPECT_MSG_EQ(SpectraSolver::GetBound(times, switches, delay),
                                          expected,
                                          "The bound is met");
                }
            }
        }
    }

    /// Checks random demands: all is served, no sooner than the bound and little
    /// later.
    void TestRandom()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(45);
        double sum = 0;
        double most = 0;
        constexpr uint32_t rounds = 300;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const ServiceTimeMatrix times = Draw(random);
            const uint32_t switches = random->GetInteger(1, 6);
            const int64_t delay = 1 << random->GetInteger(0, 14);
            const auto schedule = SpectraSolver::Solve(times, switches, delay);
            ServiceTimeMatrix left = times;
            for (const auto& matchings : schedule)
            {
                for (const auto& matching : matchings)
                {
                    for (uint32_t source = 0; source < times.GetSize(); ++source)
                    {
                        left.Serve(source, matching.peers[source], matching.steps);
                    }
                }
            }
            NS_TEST_ASSERT_MSG_EQ(left.GetMaxLineSum(), 0, "All is served, round " << round);
            const int64_t time = SpectraSolver::GetTime(schedule, delay);
            const int64_t bound = SpectraSolver::GetBound(times, switches, delay);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(time, bound, "Round " << round);
            sum += static_cast<double>(time) / bound;
            most = std::max(most, static_cast<double>(time) / bound);
        }
        // The gap, which is printed if it grows
        NS_TEST_EXPECT_MSG_LT(sum / rounds, MEAN_GAP, "Mean time over the bound");
        NS_TEST_EXPECT_MSG_LT(most, MOST_GAP, "Largest time over the bound");
    }

    /**
     * Checks a demand of experts whose loads differ (Zipf, 0.5) on 32 ports and four switches with
     * a delay of half a message: against switches that are all set alike, and against the bound.
     */
    void TestExperts()
    {
        constexpr uint32_t n = 32;
        constexpr uint32_t switches = 4;
        constexpr int64_t delay = 10000;
        ServiceTimeMatrix times(n);
        for (uint32_t source = 0; source < n; ++source)
        {
            for (uint32_t destination = 0; destination < n; ++destination)
            {
                const double load = 2 * delay * std::pow(1.0 + destination * 7 % n, -0.5);
                times.Add(source, destination, source == destination ? 0 : std::lround(load));
            }
        }
        const auto getAlike = [](const std::vector<TimedMatching>& matchings) {
            double time = 0;
            for (const auto& matching : matchings)
            {
                time += delay + static_cast<double>(matching.steps) / switches;
            }
            return time;
        };
        std::vector<TimedMatching> slices;
        MatchingSlicer slicer(times);
        slicer.SetThreshold(1);
        while (auto slice = slicer.Slice())
        {
            slices.push_back(*slice);
        }
        const auto schedule = SpectraSolver::Solve(times, switches, delay);
        const auto time = static_cast<double>(SpectraSolver::GetTime(schedule, delay));
        const auto heavy = HeavyScheduler::Decompose(times);
        NS_TEST_EXPECT_MSG_EQ_TOL(getAlike(heavy) / time, GAIN, 0.01, "Switches set alike");
        NS_TEST_EXPECT_MSG_GT(getAlike(slices), getAlike(heavy), "Birkhoff turns too often");
        NS_TEST_EXPECT_MSG_LT(time / SpectraSolver::GetBound(times, switches, delay),
                              1.05,
                              "Bound");
        NS_TEST_EXPECT_MSG_EQ(heavy.size(), n - 1, "As many as a port has peers");
        NS_TEST_EXPECT_MSG_EQ(slices.size(), 930, "Batches in pieces");
    }

    /// Checks that few matchings serve each pair in one piece, where a Birkhoff decomposition cuts
    /// it.
    void TestHeavy()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(46);
        std::size_t few = 0;
        std::size_t many = 0;
        for (uint32_t round = 0; round < 200; ++round)
        {
            const ServiceTimeMatrix times = Draw(random);
            const auto matchings = HeavyScheduler::Decompose(times);
            NS_TEST_ASSERT_MSG_EQ(matchings.size(), times.GetDegree(), "As few as there can be");
            ServiceTimeMatrix left = times;
            for (const auto& matching : matchings)
            {
                for (uint32_t source = 0; source < times.GetSize(); ++source)
                {
                    const uint32_t peer = matching.peers[source];
                    const int64_t steps = left.Get(source, peer);
                    NS_TEST_ASSERT_MSG_EQ(left.Serve(source, peer, matching.steps),
                                          steps,
                                          "In one piece");
                }
            }
            NS_TEST_ASSERT_MSG_EQ(left.GetMaxLineSum(), 0, "All is served");
            few += matchings.size();
            MatchingSlicer slicer(times);
            slicer.SetThreshold(1);
            while (slicer.Slice())
            {
                ++many;
            }
        }
        NS_TEST_EXPECT_MSG_GT(many, 2 * few, "Birkhoff takes more");
    }

  private:
    static constexpr double MEAN_GAP = 1.15; //!< Mean of the time over the bound
    static constexpr double GAIN = 1.94;     //!< Of switches that turn on their own
    static constexpr double MOST_GAP = 1.6;  //!< The same, at most

    /**
     * @param random draws
     * @return a demand of up to 12 ports, with few heavy pairs and many light ones
     */
    static ServiceTimeMatrix Draw(Ptr<UniformRandomVariable> random)
    {
        const uint32_t n = random->GetInteger(2, 12);
        ServiceTimeMatrix times(n);
        times.Add(0, 1, random->GetInteger(1, 1000));
        for (uint32_t source = 0; source < n; ++source)
        {
            for (uint32_t destination = 0; destination < n; ++destination)
            {
                if (source != destination && random->GetInteger(0, 2) > 0)
                {
                    const bool isHeavy = random->GetInteger(0, 4) == 0;
                    times.Add(source, destination, random->GetInteger(1, isHeavy ? 10000 : 1000));
                }
            }
        }
        return times;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The experts of a layer compute on what each matching brings them, while the next ones
 * send: dispatch, compute, combine (arXiv 2605.26845, abstract).
 *
 * A layer of Mixtral with an expert on each of 16 H100, whose loads differ by Zipf's law, on one
 * circuit switch. A batch takes the time of the roofline: each loads the parameters of its expert.
 */
class ExpertBatchTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Checks what heavy matchings take, by an ideal switch on which all is sent at once, with a
     * batch for each pair or for all that an expert gets, whichever is faster; and what a Birkhoff
     * decomposition takes, which cuts batches into pieces, by heavy matchings.
     *
     * @param tokens tokens of each GPU
     * @param delay the time to turn, us
     * @param few the time with heavy matchings by that with the switch
     * @param many the time with a Birkhoff decomposition by that with heavy matchings
     */
    void TestLayer(uint32_t tokens, uint32_t delay, double few, double many)
    {
        const Rows rows = Draw(tokens);
        std::map<std::string, double> times;
        for (const std::string name : {"Heavy", "Birkhoff", "Solstice", "Eclipse"})
        {
            const auto fabric = MakeTurningSwitches(1, MicroSeconds(delay));
            fabric->SetBandwidth(DataRate("400Gbps"));
            fabric->SetWavelengthRate(DataRate("400Gbps"));
            times[name] = Run(*fabric, rows, Cut(name, rows, MicroSeconds(delay)), false);
        }
        ElectricalSwitchHelper ideal;
        ideal.SetBandwidth(DataRate("400Gbps"));
        ideal.SetChannelAttribute("Delay", TimeValue(Time(0)));
        const double least =
            std::min(Run(ideal, rows, {rows}, true), Run(ideal, rows, {rows}, false));
        NS_TEST_EXPECT_MSG_EQ_TOL(times.at("Heavy") / least, few, 0.01 * few, "Ideal switch");
        NS_TEST_EXPECT_MSG_EQ_TOL(times.at("Birkhoff") / times.at("Heavy"),
                                  many,
                                  0.01 * many,
                                  "Pieces cost time");
        // No schedule is faster than the busiest expert
        uint32_t most = 0;
        for (uint32_t expert = 0; expert < GPUS; ++expert)
        {
            uint32_t sum = 0;
            for (uint32_t source = 0; source < GPUS; ++source)
            {
                sum += rows[source][expert];
            }
            most = std::max(most, sum);
        }
        for (const auto& [name, time] : times)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(time, times.at("Heavy"), name << " is no faster");
            NS_TEST_EXPECT_MSG_GT(time, GetSeconds(most), name << " computes all");
        }
    }

  private:
    static constexpr uint32_t GPUS = 16;            //!< GPUs, and experts
    static constexpr uint32_t TOP = 2;              //!< Experts of a token
    static constexpr uint64_t ROW_BYTES = 2 * 4096; //!< Bytes of a token

    /// Tokens by source and destination.
    using Rows = std::vector<std::vector<uint32_t>>;

    /**
     * @param tokens tokens of each GPU
     * @return how many of them go where: experts differ by Zipf's law (0.5), and GPUs in part
     */
    static Rows Draw(uint32_t tokens)
    {
        Rows rows(GPUS, std::vector<uint32_t>(GPUS));
        for (uint32_t source = 0; source < GPUS; ++source)
        {
            std::vector<double> shares(GPUS);
            double sum = 0;
            for (uint32_t expert = 0; expert < GPUS; ++expert)
            {
                const double own = 1 + 0.5 * ((source * 5 + expert * 3) % 7) / 6;
                shares[expert] = own * std::pow(1.0 + expert * 7 % GPUS, -0.5);
                sum += shares[expert];
            }
            for (uint32_t expert = 0; expert < GPUS; ++expert)
            {
                rows[source][expert] =
                    static_cast<uint32_t>(std::lround(tokens * TOP * shares[expert] / sum));
            }
        }
        return rows;
    }

    /**
     * @param name the name of a scheduler
     * @param rows the tokens
     * @param delay the time to turn
     * @return the tokens that each of its matchings serves
     */
    static std::vector<Rows> Cut(const std::string& name, const Rows& rows, Time delay)
    {
        TrafficMatrix demand(GPUS);
        for (uint32_t source = 0; source < GPUS; ++source)
        {
            for (uint32_t other = 0; other < GPUS; ++other)
            {
                if (other != source)
                {
                    demand.Add(source, other, ROW_BYTES * rows[source][other]);
                }
            }
        }
        const DataRate rate("400Gbps");
        ObjectFactory factory("ns3::lightpath::" + name + "Scheduler");
        const auto scheduler = factory.Create<CircuitScheduler>();
        scheduler->SetPlanes(std::make_shared<CircuitSwitchGeometry>(GPUS, 1));
        scheduler->SetTiming(rate, delay);
        Rows left = rows;
        std::vector<Rows> rounds;
        std::vector<std::vector<double>> due(GPUS, std::vector<double>(GPUS));
        for (const auto& slot : scheduler->Schedule(demand).slots)
        {
            Rows round(GPUS, std::vector<uint32_t>(GPUS));
            const double most =
                slot.duration.GetSeconds() * static_cast<double>(rate.GetBitRate()) / 8 / ROW_BYTES;
            for (uint32_t source = 0; source < GPUS; ++source)
            {
                for (uint32_t other = 0; other < GPUS; ++other)
                {
                    if (slot.plan.GetLanes(source, other).empty())
                    {
                        continue;
                    }
                    // Whole tokens; the rest of a piece goes with the next one
                    due[source][other] += most;
                    const auto whole = static_cast<uint32_t>(due[source][other] + 1e-6);
                    round[source][other] = std::min(left[source][other], whole);
                    due[source][other] -= round[source][other];
                    left[source][other] -= round[source][other];
                }
            }
            rounds.push_back(std::move(round));
        }
        return rounds;
    }

    /**
     * @param rows tokens of an expert
     * @return the time of their products, seconds
     */
    static double GetSeconds(uint32_t rows)
    {
        static const OperatorGraph graph = ModelZoo::Create("mixtral-8x7b:layers=1,experts=16");
        static const Accelerator gpu = Accelerator::Create("H100");
        constexpr double sample = 4096 * TOP;
        double seconds = 0;
        for (const auto& op : graph.GetOperators())
        {
            if (op.pass == Pass::FORWARD && op.experts > 0)
            {
                seconds += gpu.GetSeconds(op, rows / sample * GPUS, 1.0 / GPUS);
            }
        }
        return seconds;
    }

    /// The tasks of all ranks.
    struct Layer
    {
        /**
         * @param kind SEND or RECEIVE
         * @param rank a rank
         * @param peer the rank that it sends to, or receives from
         * @param operation joins the two
         * @param rows tokens of the message; without any there is none
         * @param after what it waits for
         */
        void Add(TaskKind kind,
                 uint32_t rank,
                 uint32_t peer,
                 uint32_t operation,
                 uint32_t rows,
                 const std::vector<uint32_t>& after = {})
        {
            if (rank != peer && rows > 0)
            {
                const Task task = Message(kind, peer, operation, ROW_BYTES * rows);
                last[rank] = programs[rank].AddTask(task, after);
            }
        }

        std::vector<RankProgram> programs{GPUS};                  //!< The programs
        std::vector<uint32_t> last = std::vector<uint32_t>(GPUS); //!< The last task of each
    };

    /**
     * @param fabric the fabric
     * @param rows all tokens
     * @param rounds those that are sent in turn
     * @param isWhole whether an expert computes on all tokens at once, when all are there
     * @return the time of the layer, seconds
     */
    static double Run(const InterconnectHelper& fabric,
                      const Rows& rows,
                      const std::vector<Rows>& rounds,
                      bool isWhole)
    {
        Layer layer;
        const auto forAll = [](const auto& act) {
            for (uint32_t expert = 0; expert < GPUS; ++expert)
            {
                for (uint32_t source = 0; source < GPUS; ++source)
                {
                    act(source, expert);
                }
            }
        };
        const auto nRounds = static_cast<uint32_t>(rounds.size());
        for (uint32_t round = 0; round < nRounds; ++round)
        {
            forAll([&](uint32_t source, uint32_t expert) {
                layer.Add(TaskKind::SEND, source, expert, 2 * round, rounds[round][source][expert]);
            });
        }
        std::vector<std::vector<uint32_t>> came(GPUS);
        std::vector<uint32_t> sums(GPUS);
        for (uint32_t expert = 0; expert < GPUS; ++expert)
        {
            sums[expert] = rows[expert][expert];
            if (!isWhole)
            {
                layer.programs[expert].AddTask(Compute(GetSeconds(sums[expert])));
            }
        }
        for (uint32_t round = 0; round < nRounds; ++round)
        {
            forAll([&](uint32_t source, uint32_t expert) {
                const uint32_t count = source == expert ? 0 : rounds[round][source][expert];
                if (count == 0)
                {
                    return;
                }
                layer.Add(TaskKind::RECEIVE, expert, source, 2 * round, count);
                came[expert].push_back(layer.last[expert]);
                sums[expert] += count;
                if (!isWhole)
                {
                    const uint32_t batch =
                        layer.programs[expert].AddTask(Compute(GetSeconds(count)),
                                                       {came[expert].back()});
                    layer.Add(TaskKind::SEND, expert, source, 2 * round + 1, count, {batch});
                }
            });
        }
        std::vector<uint32_t> batches(GPUS);
        for (uint32_t expert = 0; expert < GPUS && isWhole; ++expert)
        {
            batches[expert] =
                layer.programs[expert].AddTask(Compute(GetSeconds(sums[expert])), came[expert]);
        }
        for (uint32_t round = 0; round < nRounds; ++round)
        {
            forAll([&](uint32_t source, uint32_t expert) {
                const uint32_t count = rounds[round][source][expert];
                if (isWhole)
                {
                    layer.Add(TaskKind::SEND,
                              expert,
                              source,
                              2 * round + 1,
                              count,
                              {batches[expert]});
                }
                layer.Add(TaskKind::RECEIVE, source, expert, 2 * round + 1, count);
            });
        }
        std::vector<uint32_t> members(GPUS);
        std::iota(members.begin(), members.end(), 0);
        auto plan = MakeGroupedPlan({{members}}, layer.programs);
        plan.turnCircuits = dynamic_cast<const ElectricalSwitchHelper*>(&fabric) == nullptr;
        const TurningRun run(fabric, plan, 1, false);
        return run.failure.empty() ? run.end.GetSeconds() : 0;
    }
};

/// Registers the test cases
static const SuiteCases g_spectraCases(
    "lightpath-turn-methods",
    {{MakeCase("Spectra: all to all", &SpectraTests::TestUniform),
      MakeCase("Spectra: random demands", &SpectraTests::TestRandom),
      MakeCase("Spectra: experts", &SpectraTests::TestExperts),
      MakeCase("Heavy matchings: random demands", &SpectraTests::TestHeavy)},
     MakeCases("Expert batches: tokens, delay (us), heavy by ideal, Birkhoff by heavy",
               &ExpertBatchTests::TestLayer,
               {{8192, 10, 0.893, 2.04}, {2048, 10, 0.948, 4.26}, {8192, 1000, 1.47, 8.29}})});
