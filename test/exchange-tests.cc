/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/plan/exchange/chakra-format.h"
#include "model/plan/exchange/chakra-reader.h"
#include "model/plan/exchange/chakra-writer.h"
#include "model/plan/exchange/communicators.h"
#include "model/plan/exchange/text-workload-reader.h"
#include "model/planner/price/cost-model.h"
#include "planner-tests.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Two layers: one with a sum behind each pass, and one that only computes.
const std::string SUMS = "2\n"
                         "a\t-1 1000 ALLREDUCE 800\t2000 ALLREDUCE 400\t3000 ALLREDUCE 8000 100\t\n"
                         "b -1 500 NONE 0 1500 NONE 0 2500 NONE 0 0";

/// The same with a sum of gradients of weights that is over before the last sum begins.
const std::string SHORT_SUMS = "2\n"
                               "a -1 1000 ALLREDUCE 800 2000 ALLREDUCE 400 3000 ALLREDUCE 800 100\n"
                               "b -1 500 NONE 0 1500 NONE 0 2500 NONE 0 0\n";

/// Tables and layers of a recommendation model: all but the last one are bottom layers.
const std::string TABLES = "3\n"
                           "tables -1 1000 ALLTOALL 4000 200 ALLTOALL 4000 300 NONE 0 0\n"
                           "bottom -1 500 NONE 0 600 NONE 0 700 NONE 0 0\n"
                           "top -1 800 NONE 0 900 NONE 0 1000 NONE 0 0\n";

/// A layer that is there once, and one for each of two microbatches.
const std::string MICROBATCHES = "3\nonce -1 1000 NONE 0 0 NONE 0 0 NONE 0 0\n"
                                 "a -1 500 NONE 0 0 NONE 0 0 NONE 0 0\n"
                                 "a -1 500 NONE 0 0 NONE 0 0 NONE 0 0.00\n";

/// Layers with experts.
const std::string EXPERTS = "2\n"
                            "a -1 1000 ALLGATHER 800 0 NONE 0 3000 ALLREDUCE_DP_EP 8000 0\n"
                            "b -1 500 ALLTOALL_EP 800 0 NONE 0 0 NONE 0 0\n";

/**
 * @ingroup lightpath-tests
 * @brief Workloads that are read, and plans that are written, as text and as streams.
 */
class ExchangeTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The time of a text workload is the one computed by hand, where 1 byte takes 1 ns. With n
     * ranks, the sum of S bytes takes 2 (n-1) S / n ns.
     *
     * @param text the workload
     * @param ranks the number of ranks
     * @param dimensions their dimensions
     * @param nanoseconds the time by hand
     */
    void TestText(std::string text,
                  uint32_t ranks,
                  std::vector<uint32_t> dimensions,
                  double nanoseconds)
    {
        std::istringstream is(text);
        const auto plan = TextWorkloadReader::Read(is, "work.txt", {ranks, dimensions, {}});
        plan.Check();
        const auto problem = MakeToyProblem(OperatorGraph("none"), ranks, 1);
        NS_TEST_ASSERT_MSG_EQ_TOL(CostModel(problem.fabric).Price(plan).seconds * 1e9,
                                  nanoseconds,
                                  1e-3,
                                  "Time of " << text);
    }

    /**
     * Text that is no workload is refused.
     *
     * @param text the text
     * @param ranks the number of ranks
     * @param error a part of the sentence
     */
    void TestTextRefusal(std::string text, uint32_t ranks, std::string error)
    {
        std::istringstream is(text);
        const std::string refused = GetError([&]() {
            TextWorkloadReader::Read(is, "work.txt", {ranks, {}, {}});
        });
        NS_TEST_ASSERT_MSG_NE(refused.find("work.txt: " + error), std::string::npos, refused);
    }

    /**
     * However a batch is cut into parts, they have all of its computation and all of its bytes.
     *
     * @param text the workload
     * @param ranks the number of ranks
     * @param nanoseconds the time that the first rank computes, as the text has it
     * @param bytes the bytes of its operations, as the text has them
     */
    void TestParts(std::string text, uint32_t ranks, double nanoseconds, uint64_t bytes)
    {
        std::istringstream is(text);
        const auto plan = TextWorkloadReader::Read(is, "work.txt", {ranks, {}, {}});
        double seconds = 0;
        uint64_t sum = 0;
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            seconds += task.kind == TaskKind::COMPUTE ? task.seconds : 0;
            sum += task.kind == TaskKind::COLLECTIVE ? task.bytes : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds * 1e9, nanoseconds, 1e-6, "Time of " << text);
        NS_TEST_EXPECT_MSG_EQ(sum, bytes, "Bytes of " << text);
    }

    /// Groups that share ranks get different kinds, and groups of the same ranks one number.
    void TestCommunicators()
    {
        Communicators communicators(4);
        NS_TEST_ASSERT_MSG_EQ(communicators.Add({0, 1}), 0, "First");
        NS_TEST_ASSERT_MSG_EQ(communicators.Add({1, 2}), 1, "Shares rank 1");
        NS_TEST_ASSERT_MSG_EQ(communicators.Add({2, 3}), 2, "Disjoint from the first");
        NS_TEST_ASSERT_MSG_EQ(communicators.Add({0, 1}), 0, "Again");
        NS_TEST_ASSERT_MSG_EQ(communicators.Add({3, 0}, DATA_GROUP), 3, "With a kind");
        std::vector<RankGroups> groups;
        const auto kinds = communicators.Distribute(groups);
        const std::vector<uint32_t> expected{N_GROUP_KINDS,
                                             N_GROUP_KINDS + 1,
                                             N_GROUP_KINDS,
                                             DATA_GROUP};
        NS_TEST_ASSERT_MSG_EQ((kinds == expected), true, "Kinds");
        NS_TEST_ASSERT_MSG_EQ(groups[DATA_GROUP].GetPosition(0), 1, "Order of members");
        NS_TEST_ASSERT_MSG_EQ(GetError([&]() {
                                  communicators.Add({0, 4});
                              }),
                              "names rank 4, but the 4 ranks are counted from 0",
                              "Unknown rank");
        NS_TEST_ASSERT_MSG_EQ(GetError([&]() {
                                  communicators.Add({2, 2});
                              }),
                              "names rank 2 twice",
                              "Twice");
        Communicators star(64);
        for (uint32_t rank = 1; rank < 64; ++rank)
        {
            star.Add({0, rank});
        }
        NS_TEST_ASSERT_MSG_NE(GetError([&]() { star.Distribute(groups); }).find("more than 24"),
                              std::string::npos,
                              "More groups than kinds");
    }

    /**
     * A file of groups that is none is refused.
     *
     * @param text the file, with single quotes in place of double ones
     * @param error a part of the sentence
     */
    void TestGroupsFile(std::string text, std::string error)
    {
        std::replace(text.begin(), text.end(), '\'', '"');
        std::istringstream is(text);
        const std::string refused = GetError([&]() { Communicators::Read(is, "groups.json"); });
        NS_TEST_ASSERT_MSG_NE(refused.find("groups.json " + error), std::string::npos, refused);
    }

    /// A plan with all kinds of tasks comes back as it was, whatever its groups and options are.
    void TestPrograms()
    {
        TrainingPlan plan;
        plan.groups.resize(2);
        plan.groups[0].Add({0, 2});
        plan.groups[0].Add({1, 3});
        plan.groups[1].Add({3, 2, 1, 0});
        plan.circuitWeights = {1, 0.1};
        plan.phaseCircuits = true;
        plan.gridRows = 1;
        plan.gridColumns = 4;
        Task sum = MakeCollective(1, 5, 1001, CollectiveKind::ALL_GATHER);
        sum.options = CollectiveOptions(2, CollectiveAlgorithm::TWO_LEVEL);
        sum.phase = 1;
        Task tokens = MakeCollective(1, 6, 4096, CollectiveKind::ALL_TO_ALL);
        tokens.phase = 1;
        TokenRouting routing;
        routing.isReturn = true;
        routing.loads = {0.1, 1.9, 1, 1};
        tokens.options.algorithm = CollectiveAlgorithm::DIRECT;
        tokens.options.routing = std::make_shared<const TokenRouting>(routing);
        Task ring = MakeCollective(0, 9, 777, CollectiveKind::SEND_RECV);
        ring.phase = 1;
        // A third of a second is no whole number of microseconds
        const std::vector<Task> tasks{MakeCompute(1.0 / 3), sum, tokens, ring, MakeCompute(0)};
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            auto own = tasks;
            const auto kind = rank < 2 ? TaskKind::SEND : TaskKind::RECEIVE;
            own.insert(own.begin() + 1, MakeMessage(kind, rank < 2 ? 1 : 0, 3, 12345));
            plan.programs.push_back(MakeChain(own));
        }
        plan.Check();
        const ChakraWriter writer(plan);
        ChakraReader reader(4);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            std::stringstream trace;
            writer.Write(rank, trace);
            reader.Read(trace, "trace");
        }
        const auto read = reader.Finish();
        read.Check();
        NS_TEST_ASSERT_MSG_EQ((read.circuitWeights == plan.circuitWeights), true, "Weights");
        NS_TEST_ASSERT_MSG_EQ(read.phaseCircuits, true, "Circuits for each phase");
        NS_TEST_ASSERT_MSG_EQ(read.gridRows, 1, "Rows of the grid");
        NS_TEST_ASSERT_MSG_EQ(read.gridColumns, 4, "Columns of the grid");
        NS_TEST_ASSERT_MSG_EQ(read.programs[0], read.programs[1], "Equal programs are shared");
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            CheckProgram(*read.programs[rank], *plan.programs[rank]);
            for (uint32_t kind = 0; kind < 2; ++kind)
            {
                const bool isEqual =
                    read.groups[kind].GetMembers(rank) == plan.groups[kind].GetMembers(rank);
                NS_TEST_ASSERT_MSG_EQ(isEqual, true, "Groups");
            }
        }
    }

    /**
     * What a plan asks of the circuits comes back as it was.
     *
     * @param phases whether it asks for circuits for each phase
     * @param turns whether it asks for circuits that follow operations
     */
    void TestCircuits(bool phases, bool turns)
    {
        TrainingPlan plan;
        plan.groups.resize(1);
        plan.groups[0].Add({0, 1});
        plan.programs.assign(2, MakeChain({MakeCollective(0, 0, 4096)}));
        plan.phaseCircuits = phases;
        plan.turnCircuits = turns;
        ChakraReader reader(2);
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            std::stringstream trace;
            ChakraWriter(plan).Write(rank, trace);
            reader.Read(trace, "trace");
        }
        const auto read = reader.Finish();
        NS_TEST_EXPECT_MSG_EQ(read.phaseCircuits, phases, "For each phase");
        NS_TEST_EXPECT_MSG_EQ(read.turnCircuits, turns, "For each operation");
    }

    /**
     * A stream of any bytes is read or refused by a sentence.
     *
     * @param seed what the bytes follow from
     */
    void TestDamage(uint32_t seed)
    {
        TrainingPlan plan;
        plan.groups.resize(1);
        plan.groups[0].Add({0, 1});
        plan.programs.assign(2, MakeChain({MakeCompute(1e-3), MakeCollective(0, 0, 4096)}));
        std::stringstream trace;
        ChakraWriter(plan).Write(0, trace);
        const std::string whole = trace.str();
        uint32_t nRefused = 0;
        for (std::size_t i = 0; i < whole.size(); ++i)
        {
            // One byte after the other is replaced
            std::string damaged = whole;
            damaged[i] = static_cast<char>(seed + i * 7);
            std::istringstream is(damaged);
            ChakraReader reader(2);
            nRefused += GetError([&]() { reader.Read(is, "trace"); }).empty() ? 0 : 1;
        }
        NS_TEST_ASSERT_MSG_GT(nRefused, whole.size() / 10, "Damage is noticed");
    }

  private:
    /**
     * @param program a program
     * @param expected what it should be
     */
    void CheckProgram(const RankProgram& program, const RankProgram& expected)
    {
        NS_TEST_ASSERT_MSG_EQ(program.GetTasks().size(), expected.GetTasks().size(), "Tasks");
        for (uint32_t i = 0; i < program.GetTasks().size(); ++i)
        {
            const Task& a = program.GetTasks()[i];
            const Task& b = expected.GetTasks()[i];
            NS_TEST_ASSERT_MSG_EQ((a.kind == b.kind && a.pass == b.pass), true, "Kind");
            NS_TEST_ASSERT_MSG_EQ(a.seconds, b.seconds, "Time, to the last bit");
            NS_TEST_ASSERT_MSG_EQ(a.bytes, b.bytes, "Bytes");
            NS_TEST_ASSERT_MSG_EQ(a.phase, b.phase, "Phase");
            const bool isSame = a.kind == TaskKind::COMPUTE ||
                                (a.group == b.group && a.peer == b.peer &&
                                 a.operation == b.operation && a.collective == b.collective);
            NS_TEST_ASSERT_MSG_EQ(isSame, true, "Communication of " << b.name);
            NS_TEST_ASSERT_MSG_EQ((a.options == b.options), true, "Options of " << b.name);
            const bool isLinked = program.GetSuccessors(i) == expected.GetSuccessors(i);
            NS_TEST_ASSERT_MSG_EQ(isLinked, true, "Dependencies of " << b.name);
        }
    }
};

/// A text workload with its time by hand.
struct TextCase
{
    std::string name;                 //!< Name of the case
    std::string text;                 //!< The workload
    uint32_t ranks;                   //!< Number of ranks
    std::vector<uint32_t> dimensions; //!< Their dimensions
    double nanoseconds;               //!< Time by hand
};

/**
 * @ingroup lightpath-tests
 * @param table text workloads
 * @return the test cases
 */
std::vector<TestCase*>
MakeNamedCases(const std::vector<TextCase>& table)
{
    std::vector<TestCase*> cases;
    for (const auto& row : table)
    {
        cases.push_back(
            new MethodCase<ExchangeTests>("Text, " + row.name, [row](ExchangeTests& test) {
                test.TestText(row.text, row.ranks, row.dimensions, row.nanoseconds);
            }));
    }
    return cases;
}

/**
 * @ingroup lightpath-tests
 * @param table text, a number of ranks, and a part of the sentence that refuses it
 * @return the test cases
 */
std::vector<TestCase*>
MakeRefusals(const std::vector<std::tuple<std::string, uint32_t, std::string>>& table)
{
    std::vector<TestCase*> cases;
    for (const auto& row : table)
    {
        cases.push_back(new MethodCase<ExchangeTests>(
            "Text refused, " + std::get<2>(row),
            [row](ExchangeTests& test) {
                std::apply(
                    [&test](const auto&... arguments) { test.TestTextRefusal(arguments...); },
                    row);
            }));
    }
    return cases;
}

} // namespace

/// Registers the test cases
static const SuiteCases g_exchangeCases(
    "lightpath-exchange",
    {MakeNamedCases(
         {{"data", "DATA\n" + SUMS, 4, {}, 20600},
          {"model", "MODEL\n" + SUMS, 4, {}, 12400},
          {"data and model", "HYBRID_DATA_MODEL\n" + SHORT_SUMS, 8, {4, 2}, 12300},
          {"model and data", "HYBRID_MODEL_DATA\n" + SHORT_SUMS, 8, {4, 2}, 11700},
          {"transformer",
           "HYBRID_TRANSFORMER model_parallel_NPU_group: 4\n" + SHORT_SUMS,
           8,
           {},
           12300},
          {"recomputation",
           "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 checkpoints: 1 0 "
           "checkpoint_initiates: 1 1\n" +
               SHORT_SUMS,
           8,
           {},
           14500},
          {"DLRM", "HYBRID_DLRM 1\n" + TABLES, 4, {}, 10200},
          {"DLRM, enhanced",
           "HYBRID_DLRM_ENHANCED DLRM_LAST_BOTTOM_LAYER: 1\n" + TABLES,
           4,
           {2, 2},
           10200},
          {"customised",
           "HYBRID_CUSTOMIZED\n2\n"
           "a -1 1000 ALLREDUCE 800 2000 ALLREDUCE 400 3000 ALLREDUCE 8000 100 MODEL\n"
           "b -1 500 NONE 0 1500 NONE 0 2500 NONE 0 0 DATA\n",
           4,
           {},
           12400},
          {"micro", "MICRO\n" + SUMS, 4, {}, 12000},
          {"inference", "DISTRIBUTED_INFERENCE\n" + SUMS, 4, {}, 2700},
          {"SimAI, experts",
           "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 1 vpp: 1 ga: 1 "
           "all_gpus: 8 checkpoints: 0 checkpoint_initiates: 0\n" +
               EXPERTS,
           8,
           {},
           13300},
          {"SimAI, stages",
           "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 2 vpp: 1 ga: 2 "
           "all_gpus: 2 checkpoints: 0 checkpoint_initiates: 0 pp_comm 100\n"
           "1\na -1 1000 NONE 0 2000 NONE 0 4000 NONE 0 0\n",
           2,
           {},
           10700},
          // The first stage sends at 1.5 and 2 us, the second one computes from 1.6 us to 2.6 us
          // and sends two messages back
          {"SimAI, listed microbatches",
           "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp: 2 vpp: 1 ga: 2 pp_comm: 100.0\n" +
               MICROBATCHES,
           2,
           {},
           2800},
          // Messages of a third to the next rank, three in a row
          {"broadcast", "MODEL\n1\na -1 1000 BROADCAST 3000 0 NONE 0 0 NONE 0 0\n", 4, {}, 4000},
          {"reduction", "MODEL\n1\na -1 1000 REDUCE 3000 0 NONE 0 0 NONE 0 0\n", 4, {}, 4000},
          // The first rank receives from three, or sends a quarter to each
          {"gather", "MODEL\n1\na -1 1000 GATHER 800 0 NONE 0 0 NONE 0 0\n", 4, {}, 3400},
          {"scatter", "MODEL\n1\na -1 1000 SCATTER 800 0 NONE 0 0 NONE 0 0\n", 4, {}, 1600},
          {"barrier", "MODEL\n1\na -1 1000 BARRIER 0 0 NONE 0 0 NONE 0 0\n", 4, {}, 1006}}),
     MakeRefusals(
         {{"", 4, "line 1 is empty"},
          {"HYBRID\n" + SUMS, 4, "line 1 has the unknown policy 'HYBRID'"},
          {"HYBRID_TRANSFORMER\n" + SUMS, 4, "line 1 lacks model_parallel_NPU_group"},
          {"DATA colour: 3\n" + SUMS, 4, "line 1 has the unknown option 'colour'"},
          {"DATA pp: 2\n" + SUMS, 4, "line 1 has 2 stages without pp_comm"},
          {"DATA\nx\n", 4, "line 2 has 'x' for the number of layers"},
          {"DATA\n0\n", 4, "line 2 states 0 layers"},
          {"DATA\n1" + SUMS.substr(1), 4, "line 2 states 1 layers, but there are more"},
          {"DATA\n99999999999999999999\n", 4, "line 2 has '99999999999999999999'"},
          {"DATA\n4000000000" + SUMS.substr(1), 4, "layer 2 is missing"},
          {"DATA\n1\na -1 -5 NONE 0", 4, "layer 0 has '-5' for the time of the forward"},
          {"DATA\n1\na -1 5 GATHERS 0", 4, "layer 0 has the communication 'GATHERS'"},
          {"DATA\n1\na -1 5.5 NONE 0", 4, "layer 0 has '5.5' for the time of the forward"},
          {"DATA\n1\na -1 .0 NONE 0", 4, "layer 0 has '.0' for the time of the forward"},
          {"{\"schema\": \"1\"}\n", 4, "line 1 this is the JSON form of Chakra"},
          {"HYBRID_DLRM 3\n" + TABLES, 4, "the last bottom layer is layer 3, but the 3 layers"},
          {std::string(20'000'000, ' '), 4, "line 1 the file has a line of more than 16777216"},
          {"DATA\n1\na -1 5 NONE", 4, "layer 0 has nothing for the size of the forward"},
          {"DATA\n" + SUMS, 0, "the file does not tell the number of ranks"},
          {"HYBRID_DATA_MODEL\n" + SUMS, 4, "the policies HYBRID_DATA_MODEL and"},
          {"HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n" + SUMS,
           4,
           "4 ranks cannot form groups of 3"},
          {"DATA all_gpus: 8\n" + SUMS, 4, "the file, the dimensions and the number"},
          {"DATA checkpoints: 1 7\n" + SUMS, 4, "the checkpoints name layer 7"},
          {"DATA pp: 2 ga: 1000000 pp_comm 1\n" + SUMS, 4, "2 layers, recomputed ones included"}}),
     MakeCases("File of groups refused",
               &ExchangeTests::TestGroupsFile,
               {{"{", "is no JSON"},
                {"[]", "is no object of JSON"},
                {"{'1': []}", "gives group '1' no list of ranks"},
                {"{'1': [-1]}", "gives group '1' a member that is not a rank"}}),
     // Thirds of 1001 bytes are no whole ones; half a layer is a slice of two
     MakeCases("Parts of a batch",
               &ExchangeTests::TestParts,
               {{"HYBRID_TRANSFORMER model_parallel_NPU_group: 2 pp: 2 vpp: 1 ga: 3 pp_comm: 1\n1\n"
                 "a -1 1000 ALLREDUCE 1001 2000 ALLREDUCE 400 3000 NONE 0 0\n",
                 4,
                 6000.0,
                 1401},
                {"HYBRID_TRANSFORMER model_parallel_NPU_group: 1 pp: 2 vpp: 2 ga: 2 pp_comm: 1\n" +
                     MICROBATCHES,
                 2,
                 2000.0,
                 0}}),
     MakeCases("Circuits of a plan",
               &ExchangeTests::TestCircuits,
               {{false, false}, {true, false}, {false, true}}),
     {MakeCase("Groups and kinds", &ExchangeTests::TestCommunicators),
      MakeCase("Plan written and read", &ExchangeTests::TestPrograms),
      MakeCase("Damaged traces", &ExchangeTests::TestDamage, 1U),
      MakeCase("Damaged traces", &ExchangeTests::TestDamage, 128U)}});
