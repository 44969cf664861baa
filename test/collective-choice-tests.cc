/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/base/named-enum.h"
#include "model/base/ring-strides.h"
#include "model/collective/algorithm-table.h"
#include "model/collective/collective-chooser.h"
#include "model/collective/multi-ring-schedule.h"

#include "ns3/collective-schedule.h"

#include <cmath>
#include <numeric>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// All algorithms, in order
const std::vector<std::string> ALGORITHMS{"automatic",
                                          "ring",
                                          "multi-ring",
                                          "halving-doubling",
                                          "double-tree",
                                          "two-level",
                                          "direct",
                                          "pairwise",
                                          "bruck",
                                          "in-network",
                                          "grid",
                                          "line",
                                          "server-rings",
                                          "torus"};

/// All operations
const std::vector<std::string> OPERATIONS{"all-reduce",
                                          "reduce-scatter",
                                          "all-gather",
                                          "all-to-all",
                                          "send-recv"};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the names, the refusals and the choice of algorithms.
 */
class CollectiveChoiceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Algorithms are found by name, and those that do not carry out an operation, or have too
     * many rings or too few servers, are refused.
     */
    void TestAlgorithmName();

    /// The strides of several rings.
    void TestRingStride()
    {
        // The published numbers of strides
        for (const auto& [n, count] : std::vector<std::pair<uint32_t, uint32_t>>{{2, 1},
                                                                                 {8, 4},
                                                                                 {12, 4},
                                                                                 {16, 8},
                                                                                 {32, 16},
                                                                                 {64, 32},
                                                                                 {128, 64}})
        {
            NS_TEST_ASSERT_MSG_EQ(RingStrides::Count(n), count, n << " ranks");
            NS_TEST_ASSERT_MSG_EQ(RingStrides::Choose(n, n).size(), count, "all of them");
        }
        for (uint32_t n = 1; n <= 400; ++n)
        {
            uint32_t count = n == 1 ? 1 : 0;
            for (uint32_t stride = 1; stride < n; ++stride)
            {
                count += std::gcd(stride, n) == 1 ? 1 : 0;
            }
            NS_TEST_ASSERT_MSG_EQ(RingStrides::Count(n), count, n << " ranks");
        }
        using Strides = std::vector<uint32_t>;
        const auto is = [](uint32_t n, uint32_t rings, const Strides& strides) {
            return RingStrides::Choose(n, rings) == strides;
        };
        NS_TEST_ASSERT_MSG_EQ(is(9, 2, {1, 8}), true, "the bidirectional ring");
        NS_TEST_ASSERT_MSG_EQ(is(64, 3, {1, 9, 63}), true, "the square root of 63 is beyond 7");
        for (uint32_t n = 3; n <= 64; ++n)
        {
            const Strides all = RingStrides::Choose(n, n);
            for (uint32_t rings = 2; rings <= all.size(); ++rings)
            {
                const Strides some = RingStrides::Choose(n, rings);
                NS_TEST_ASSERT_MSG_EQ(some.size(), rings, "as many as wanted");
                NS_TEST_ASSERT_MSG_EQ(std::set<uint32_t>(some.begin(), some.end()).size(),
                                      rings,
                                      "all different");
            }
            for (const auto stride : all)
            {
                NS_TEST_ASSERT_MSG_EQ(std::gcd(stride, n), 1, "passes all ranks");
            }
        }
    }

    /**
     * The algorithm that is chosen is the fastest of all that Create() accepts, and changes
     * where the closed forms of two are equal.
     */
    void TestCollectiveChooser()
    {
        for (const uint32_t n : {1, 2, 3, 6, 8, 16, 31})
        {
            for (const uint64_t bytes : {0ULL, 1ULL, 1000ULL, 1000001ULL, 4000000000ULL})
            {
                for (const uint32_t degree : {0, 1, 2, 3, 4, 6, 40})
                {
                    for (const double peerRate : {0.0, 10e9})
                    {
                        Try(n, bytes, {{2e-6, 50e9}, peerRate, degree, false});
                        Try(n, bytes, {{2e-6, 50e9}, peerRate, degree, true});
                    }
                }
            }
        }
        TryBreakEven();
        const std::string error = GetError([]() {
            CollectiveChooser({{0, 1e9}, 0, 2, false}).Choose(CollectiveKind::ALL_TO_ALL, 8, 100);
        });
        EXPECT_PART(error, "with 2 peers");
        const std::string rate = GetError([]() { CollectiveChooser({{0, 0}, 0, 2, false}); });
        EXPECT_PART(rate, "rate above 0");
    }

    /// Both algorithms of two levels are the fastest of all pairs that Create() accepts.
    void TestLevelChooser()
    {
        const CollectiveNetwork inside{{1e-6, 300e9}, 0, 0, true};
        const CollectiveNetwork outside{{9e-6, 25e9}, 0, 0, true};
        for (const auto& operation : {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
        {
            const auto kind = CollectiveSchedule::GetKind(operation);
            for (const uint64_t bytes : {24ULL, 24000ULL, 2400000ULL, 2400000000ULL})
            {
                for (const bool isSummed : {false, true})
                {
                    const auto choice = CollectiveChooser(outside)
                                            .ChooseLevels(kind, 24, bytes, 4, inside, isSummed);
                    const double least =
                        GetLeastOfPairs(kind, bytes, isSummed, inside.link, outside.link);
                    NS_TEST_EXPECT_MSG_EQ_TOL(choice.seconds, least, 1e-8 * least, operation);
                    const double chosen =
                        CollectiveSchedule::Create(kind, 24, bytes, choice.options)
                            ->GetServerSeconds(inside.link, outside.link);
                    NS_TEST_EXPECT_MSG_EQ_TOL(chosen, choice.seconds, 1e-8 * least, operation);
                }
            }
        }
        // With half of the rate to one peer there are two rings across, of 2 peers each
        const auto rings =
            CollectiveChooser({{9e-6, 25e9}, 12.5e9, 2, false})
                .ChooseLevels(CollectiveKind::ALL_REDUCE, 24, 2400000000, 4, inside, false);
        NS_TEST_EXPECT_MSG_EQ(
            (rings.options.across == CollectiveAlgorithm::MULTI_RING && rings.options.rings == 2),
            true,
            "two rings");
    }

  private:
    /// Algorithms have names for reports and for attributes.
    void TryWords();

    /// Impossible rings and servers.
    void TryRefusals();

    /// Impossible levels, and what is taken where there is one level only.
    void TryLevels();

    /// Groups of one rank, and empty buffers, take no time.
    void TryNothing();

    /**
     * @param kind the operation
     * @param ranks the number of ranks
     * @param options the options of the collective
     * @return the refusal; empty if the options are accepted
     */
    static std::string Refuse(const std::string& kind,
                              uint32_t ranks,
                              const CollectiveOptions& options)
    {
        return GetError([&]() {
            CollectiveSchedule::Create(CollectiveSchedule::GetKind(kind), ranks, 100, options);
        });
    }

    /**
     * Compare the choice with all algorithms.
     *
     * @param n the number of ranks
     * @param bytes the size of the buffer
     * @param network the network that carries the messages
     */
    void Try(uint32_t n, uint64_t bytes, const CollectiveNetwork& network)
    {
        for (const auto& operation : OPERATIONS)
        {
            const auto kind = CollectiveSchedule::GetKind(operation);
            double least = INFINITY;
            CollectiveOptions first;
            for (uint32_t number = 1; number < ALGORITHMS.size(); ++number)
            {
                // A network that averages has no choice
                if (static_cast<CollectiveAlgorithm>(number) == CollectiveAlgorithm::IN_NETWORK)
                {
                    continue;
                }
                for (uint32_t rings = 1; rings <= (number == 2 ? 8U : 1U); ++rings)
                {
                    const CollectiveOptions options(1,
                                                    static_cast<CollectiveAlgorithm>(number),
                                                    rings);
                    const double seconds = GetSeconds(kind, n, bytes, options, network);
                    if (seconds < least * (1 - 1e-8) || (std::isinf(least) && !std::isinf(seconds)))
                    {
                        least = seconds;
                        first = options;
                    }
                }
            }
            if (std::isinf(least))
            {
                continue;
            }
            const auto choice = CollectiveChooser(network).Choose(kind, n, bytes);
            NS_TEST_ASSERT_MSG_EQ_TOL(choice.seconds, least, 1e-8 * least, operation << " " << n);
            if (n > 1 && bytes > 0)
            {
                NS_TEST_ASSERT_MSG_EQ((choice.options == first), true, operation << " " << n);
            }
        }
    }

    /**
     * @param kind the operation
     * @param bytes the size of the buffer
     * @param isSummed whether switches sum
     * @param inside the links inside servers
     * @param outside the links between them
     * @return the least time of two levels on 6 servers of 4 ranks
     */
    static double GetLeastOfPairs(CollectiveKind kind,
                                  uint64_t bytes,
                                  bool isSummed,
                                  const LinkCost& inside,
                                  const LinkCost& outside)
    {
        using A = CollectiveAlgorithm;
        double least = INFINITY;
        for (const auto one : AlgorithmTable::GetLevelChoices(kind, false))
        {
            for (const auto other : AlgorithmTable::GetLevelChoices(kind, true))
            {
                if (other == A::IN_NETWORK || other == A::LINE || one == A::LINE ||
                    (one == A::IN_NETWORK && !isSummed))
                {
                    continue;
                }
                const CollectiveOptions options(4, A::TWO_LEVEL, 1, one, other);
                least = std::min(least,
                                 CollectiveSchedule::Create(kind, 24, bytes, options)
                                     ->GetServerSeconds(inside, outside));
            }
        }
        return least;
    }

    /**
     * @param kind the operation
     * @param n the number of ranks
     * @param bytes the size of the buffer
     * @param options how it is carried out
     * @param network the network that carries the messages
     * @return its time; infinite if the algorithm does not apply
     */
    static double GetSeconds(CollectiveKind kind,
                             uint32_t n,
                             uint64_t bytes,
                             const CollectiveOptions& options,
                             const CollectiveNetwork& network)
    {
        try
        {
            const auto schedule = CollectiveSchedule::Create(kind, n, bytes, options);
            const double peers = std::max(schedule->GetNPeers(), 1U);
            if ((network.degree > 0 && schedule->GetNPeers() > network.degree) ||
                options.algorithm == CollectiveAlgorithm::TWO_LEVEL ||
                options.algorithm == CollectiveAlgorithm::SERVER_RINGS ||
                options.algorithm == CollectiveAlgorithm::GRID ||
                options.algorithm == CollectiveAlgorithm::TORUS ||
                options.algorithm == CollectiveAlgorithm::LINE)
            {
                return INFINITY;
            }
            const double rate = network.peerRate > 0
                                    ? std::min(network.link.rate / peers, network.peerRate)
                                    : network.link.rate / peers;
            const double latency = network.link.latency;
            return network.isShared ? schedule->GetSeconds(latency, rate * peers)
                                    : schedule->GetCircuitSeconds({latency, rate});
        }
        catch (const std::invalid_argument&)
        {
            return INFINITY;
        }
    }

    /**
     * With 4 peers, 16 ranks go round a ring in 30 alpha + 30 / 16 S / B, and halve and double in
     * 8 alpha and 4 times these bytes: they are equal at S = alpha B 22 / (90 / 16).
     */
    void TryBreakEven()
    {
        const double alpha = 1e-5;
        const double rate = 1e9;
        const double even = alpha * rate * 22 * 16 / 90;
        const CollectiveChooser chooser({{alpha, rate}, 0, 4, false});
        const auto choose = [&](const CollectiveChooser& from, double bytes) {
            const auto multiple = static_cast<uint64_t>(bytes / 64) * 64;
            const auto choice = from.Choose(CollectiveKind::ALL_REDUCE, 16, multiple);
            return CollectiveSchedule::GetName(choice.options.algorithm);
        };
        NS_TEST_ASSERT_MSG_EQ(choose(chooser, 0.99 * even), "halving-doubling", "below");
        NS_TEST_ASSERT_MSG_EQ(choose(chooser, 1.01 * even), "ring", "above");
        // On a switch the bytes are the same: 2 log2 n alpha is always less than 2 (n - 1) alpha
        const CollectiveChooser shared({{alpha, rate}, 0, 4, true});
        NS_TEST_ASSERT_MSG_EQ(choose(shared, 100 * even), "halving-doubling", "on a switch");
        // With a quarter of the rate to one peer, more rings to different peers are better
        const auto rings = CollectiveChooser({{alpha, rate}, rate / 4, 4, false})
                               .Choose(CollectiveKind::ALL_REDUCE, 16, 64000000);
        NS_TEST_ASSERT_MSG_EQ(CollectiveSchedule::GetName(rings.options.algorithm),
                              "multi-ring",
                              "");
        NS_TEST_ASSERT_MSG_EQ(rings.options.rings, 4, "as many as peers");
    }
};

void
CollectiveChoiceTests::TestAlgorithmName()
{
    const std::string unknown = GetError([]() { CollectiveSchedule::GetAlgorithm("star"); });
    EXPECT_PART(unknown, "\"star\"");
    std::set<std::string> carried;
    for (std::size_t i = 0; i < ALGORITHMS.size(); ++i)
    {
        const auto algorithm = CollectiveSchedule::GetAlgorithm(ALGORITHMS[i]);
        NS_TEST_ASSERT_MSG_EQ(static_cast<std::size_t>(algorithm), i, ALGORITHMS[i]);
        NS_TEST_ASSERT_MSG_EQ(CollectiveSchedule::GetName(algorithm), ALGORITHMS[i], "the name");
        EXPECT_PART(unknown, ALGORITHMS[i]);
        for (const auto& operation : OPERATIONS)
        {
            const std::string error = Refuse(operation, 8, {2, algorithm});
            if (error.empty())
            {
                carried.insert(ALGORITHMS[i] + " " + operation);
                continue;
            }
            EXPECT_PART(error, "algorithm " + ALGORITHMS[i] + " does not carry out " + operation);
        }
    }
    std::set<std::string> expected{"double-tree all-reduce",
                                   "pairwise all-to-all",
                                   "bruck all-to-all",
                                   "line all-to-all",
                                   "two-level all-to-all",
                                   "in-network all-reduce"};
    for (const std::string operation : {"all-reduce", "reduce-scatter", "all-gather"})
    {
        for (const std::string algorithm : {"ring",
                                            "multi-ring",
                                            "halving-doubling",
                                            "two-level",
                                            "grid",
                                            "line",
                                            "server-rings",
                                            "torus"})
        {
            expected.insert(algorithm + " " + operation);
        }
    }
    for (const auto& operation : OPERATIONS)
    {
        expected.insert("automatic " + operation);
        expected.insert("direct " + operation);
    }
    NS_TEST_ASSERT_MSG_EQ((carried == expected), true, "what carries out what");
    const std::string last =
        GetError([]() { CollectiveSchedule::GetName(static_cast<CollectiveAlgorithm>(14)); });
    EXPECT_PART(last, "number 14");

    TryWords();
    TryRefusals();
    TryLevels();
    TryNothing();
}

void
CollectiveChoiceTests::TryWords()
{
    std::set<std::string> words;
    for (const auto& name : ALGORITHMS)
    {
        words.insert(AlgorithmTable::Describe(CollectiveSchedule::GetAlgorithm(name), 3));
    }
    NS_TEST_ASSERT_MSG_EQ(words.size(), ALGORITHMS.size(), "words of its own for each algorithm");
    NS_TEST_ASSERT_MSG_EQ(words.count(""), 1, "none for automatic");
    NS_TEST_ASSERT_MSG_EQ(words.count("3 rings"), 1, "rings are counted");
    NS_TEST_ASSERT_MSG_EQ(words.count("averaging in the network"), 1, "in-network");
    NS_TEST_ASSERT_MSG_EQ(NamedEnum::ListAttributeNames(AlgorithmTable::GetChoices()),
                          "Automatic, Ring, MultiRing, HalvingDoubling, DoubleTree, TwoLevel, "
                          "Direct, Grid, ServerRings",
                          "what a strategy may ask for");
}

void
CollectiveChoiceTests::TryRefusals()
{
    constexpr auto RINGS = CollectiveAlgorithm::MULTI_RING;
    const std::string many = Refuse("all-reduce", 12, {1, RINGS, 5});
    EXPECT_PART(many, "it has 4 strides");
    NS_TEST_ASSERT_MSG_EQ(Refuse("all-reduce", 12, {1, RINGS, 4}), "", "as many as strides");
    const std::string two = Refuse("all-gather", 2, {1, RINGS, 2});
    EXPECT_PART(two, "it has 1 stride ");
    const std::string none = Refuse("all-reduce", 8, {1, RINGS, 0});
    EXPECT_PART(none, "at least 1 ring");
    const std::string other = Refuse("all-reduce", 8, {1, CollectiveAlgorithm::RING, 2});
    EXPECT_PART(other, "belong to multi-ring");
    for (const uint32_t local : {1, 8})
    {
        const std::string flat = Refuse("all-reduce", 8, {local, CollectiveAlgorithm::TWO_LEVEL});
        EXPECT_PART(flat, "several servers");
    }
}

void
CollectiveChoiceTests::TryLevels()
{
    using A = CollectiveAlgorithm;
    const std::string flat = Refuse("all-reduce", 8, {2, A::RING, 1, A::DIRECT});
    EXPECT_PART(flat, "ring cannot have others inside servers");
    const std::string rings = Refuse("all-reduce", 8, {4, A::TWO_LEVEL, 1, A::MULTI_RING});
    EXPECT_PART(rings, "cannot use multi-ring inside servers for all-reduce");
    EXPECT_PART(rings, "ring, halving-doubling, direct, in-network and line");
    const std::string tree =
        Refuse("reduce-scatter", 8, {4, A::TWO_LEVEL, 1, A::RING, A::DOUBLE_TREE});
    EXPECT_PART(tree, "cannot use double-tree across servers for reduce-scatter");
    const std::string line = Refuse("all-to-all", 8, {4, A::TWO_LEVEL, 1, A::LINE});
    EXPECT_PART(line, "it can use direct and pairwise");
    const std::string nested = Refuse("all-gather", 8, {4, A::AUTOMATIC, 1, A::RING, A::TWO_LEVEL});
    EXPECT_PART(nested, "cannot use two-level across servers");
    const std::string many = Refuse("all-reduce", 8, {2, A::TWO_LEVEL, 3, A::RING, A::MULTI_RING});
    EXPECT_PART(many, "A group of 4 ranks cannot have 3 rings");
    const std::string alone = Refuse("all-reduce", 8, {2, A::TWO_LEVEL, 2});
    EXPECT_PART(alone, "two-level cannot have 2 rings");
    CollectiveOptions first(4, A::TWO_LEVEL);
    first.isAcrossFirst = true;
    const std::string mirror = Refuse("all-reduce", 8, first);
    EXPECT_PART(mirror, "Only an all-to-all by the algorithm two-level");
    // AUTOMATIC has the algorithm of the only level that there is
    const auto getSteps = [](CollectiveKind kind, uint32_t local) {
        const CollectiveOptions options(local, A::AUTOMATIC, 1, A::IN_NETWORK, A::HALVING_DOUBLING);
        return CollectiveSchedule::Create(kind, 8, 1000, options)->GetNSteps();
    };
    NS_TEST_EXPECT_MSG_EQ(getSteps(CollectiveKind::ALL_REDUCE, 1), 6, "halving-doubling");
    NS_TEST_EXPECT_MSG_EQ(getSteps(CollectiveKind::ALL_REDUCE, 8), 1, "the switch of the server");
    NS_TEST_EXPECT_MSG_EQ(getSteps(CollectiveKind::ALL_GATHER, 8), 1, "direct messages");
    NS_TEST_EXPECT_MSG_EQ(getSteps(CollectiveKind::ALL_REDUCE, 4),
                          1 + 2 + 1,
                          "one after the other");
    const auto isInside = [](const CollectiveOptions& options, uint32_t step) {
        std::vector<Transfer> sends;
        CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 1000, options)
            ->GetSends(5, step, sends);
        return sends.at(0).peer == 5 && sends.at(0).isInside;
    };
    NS_TEST_EXPECT_MSG_EQ(isInside({8, A::IN_NETWORK}, 0),
                          true,
                          "one server, whose switch averages");
    NS_TEST_EXPECT_MSG_EQ(isInside({1, A::IN_NETWORK}, 0), false, "none");
    NS_TEST_EXPECT_MSG_EQ(isInside({4, A::IN_NETWORK}, 0), false, "all ranks of both servers");
    const CollectiveOptions both(4, A::TWO_LEVEL, 1, A::IN_NETWORK, A::IN_NETWORK);
    NS_TEST_EXPECT_MSG_EQ(isInside(both, 0), true, "the first average");
    NS_TEST_EXPECT_MSG_EQ(isInside(both, 1), false, "the second average");
}

void
CollectiveChoiceTests::TryNothing()
{
    for (const auto& name : ALGORITHMS)
    {
        const auto algorithm = CollectiveSchedule::GetAlgorithm(name);
        if (Refuse("all-reduce", 1, {1, algorithm}).empty())
        {
            const auto alone =
                CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 1, 5, {1, algorithm});
            NS_TEST_ASSERT_MSG_EQ(alone->GetNSteps(), 0, name << " of one rank");
            NS_TEST_ASSERT_MSG_EQ(alone->GetCircuitSeconds({1, 1}), 0, name << " of one rank");
        }
        const bool needsServers = name == "two-level" || name == "server-rings";
        if (!needsServers && Refuse("all-reduce", 8, {1, algorithm}).empty())
        {
            const auto empty =
                CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 0, {1, algorithm});
            NS_TEST_ASSERT_MSG_EQ(empty->GetNSteps(), 0, name << " of no bytes");
            NS_TEST_ASSERT_MSG_EQ(empty->GetSeconds(1, 1), 0, name << " of no bytes");
            NS_TEST_ASSERT_MSG_EQ(empty->GetCircuitSeconds({1, 1}), 0, name << " of no bytes");
        }
    }
}

/// Registers the test cases
static const SuiteCases g_collectiveChoiceCases(
    "lightpath-collective",
    {{MakeCase("Algorithms are found by name; senseless ones are refused",
               &CollectiveChoiceTests::TestAlgorithmName),
      MakeCase("Strides pass all ranks and are spread geometrically",
               &CollectiveChoiceTests::TestRingStride),
      MakeCase("The fastest algorithm is chosen", &CollectiveChoiceTests::TestCollectiveChooser),
      MakeCase("The fastest algorithms of two levels are chosen",
               &CollectiveChoiceTests::TestLevelChooser)}});
