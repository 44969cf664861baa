/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/plan/program-writer.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/gradient-sync.h"
#include "model/planner/write/replica-layout.h"
#include "planner-tests.h"

#include "ns3/planning-problem.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the writing of programs.
 */
class ProgramWriterTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Writes small programs in which it is obvious which tasks can be joined.
    void TestProgramWriter()
    {
        ProgramWriter writer;
        const uint32_t a = writer.AddCompute(Pass::FORWARD, "a", 1, {});
        const uint32_t b = writer.AddCompute(Pass::FORWARD, "b", 2, {a});
        NS_TEST_EXPECT_MSG_EQ(a, b, "One task");
        const uint32_t c = writer.AddCompute(Pass::BACKWARD, "c", 4, {b});
        NS_TEST_EXPECT_MSG_NE(b, c, "Another pass");
        writer.AddCommunication(MakeMessage(TaskKind::SEND, 1, 0, 1), {c});
        const uint32_t d = writer.AddCompute(Pass::BACKWARD, "d", 8, {c});
        NS_TEST_EXPECT_MSG_NE(c, d, "A send waits for c");
        const uint32_t receive =
            writer.AddCommunication(MakeMessage(TaskKind::RECEIVE, 1, 1, 1), {});
        const uint32_t e = writer.AddCompute(Pass::BACKWARD, "e", 16, {receive});
        const uint32_t f = writer.AddCompute(Pass::BACKWARD, "f", 32, {e});
        NS_TEST_EXPECT_MSG_EQ(e, f, "Nothing new to wait for");
        const uint32_t g = writer.AddCompute(Pass::BACKWARD, "g", 64, {receive, d});
        NS_TEST_EXPECT_MSG_EQ(f, g, "It waits for the same message");
        const uint32_t h = writer.AddCompute(Pass::BACKWARD, "h", 128, {d});
        NS_TEST_EXPECT_MSG_NE(g, h, "It may run before the message comes in");
        const uint32_t i = writer.AddCompute(Pass::BACKWARD, "i", 256, {receive});
        NS_TEST_EXPECT_MSG_NE(h, i, "What came before may be over already");
        const auto program = writer.Finish();
        NS_TEST_ASSERT_MSG_EQ(program->GetTasks().size(), 8, "Two of nine have joined others");
        NS_TEST_EXPECT_MSG_EQ(program->GetTasks()[a].name, "a .. b", "First and last name");
        NS_TEST_EXPECT_MSG_EQ(program->GetTasks()[c].name, "c", "Its own name");
        NS_TEST_EXPECT_MSG_EQ(program->GetTasks()[e].name, "e .. g", "First and last name");
        NS_TEST_EXPECT_MSG_EQ(program->GetTasks()[e].seconds, 112, "Sum of times");
        NS_TEST_EXPECT_MSG_EQ(program->GetComputeSeconds(), 511, "Sum of times");
        NS_TEST_EXPECT_MSG_EQ(writer.Finish()->GetTasks().size(), 0, "The writer is empty");
    }

    /**
     * Writes random programs of three GPUs twice, with and without joining, and compares the
     * times that they take.
     */
    void TestJoinedProgram()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        std::size_t nApart = 0;
        std::size_t nJoined = 0;
        for (uint32_t round = 0; round < 500; ++round)
        {
            std::vector<Gpu> gpus(GPUS);
            for (uint32_t i = 0; i < 60; ++i)
            {
                AddSomething(gpus, i, random);
            }
            std::vector<std::shared_ptr<const RankProgram>> joined;
            std::vector<std::shared_ptr<const RankProgram>> apart;
            for (auto& gpu : gpus)
            {
                joined.push_back(gpu.writer.Finish());
                apart.push_back(gpu.apart);
                nJoined += joined.back()->GetTasks().size();
                nApart += apart.back()->GetTasks().size();
            }
            FabricLimits fabric;
            fabric.bitRate = 8;
            fabric.latency = 0.3;
            fabric.circuits = random->GetInteger(1, 3);
            const double seconds = GetSeconds(apart, fabric);
            NS_TEST_EXPECT_MSG_EQ_TOL(GetSeconds(joined, fabric), seconds, 1e-9, "Round " << round);
        }
        NS_TEST_EXPECT_MSG_LT(nJoined, 0.85 * nApart, "Many tasks are joined");
    }

    /// Fills buckets of gradients whose completion is obvious.
    void TestGradientSync()
    {
        const auto tasks = Write(4, 20)->GetTasks();
        NS_TEST_ASSERT_MSG_EQ(tasks.size(), 7, "3 computations, 2 sums, 2 updates");
        // The first two gradients, of 15 and 10 bytes, fill a bucket, the third begins another one
        NS_TEST_EXPECT_MSG_EQ(tasks[0].seconds, 3, "The first two computations");
        NS_TEST_EXPECT_MSG_EQ((tasks[1].kind == TaskKind::COLLECTIVE), true, "First sum");
        NS_TEST_EXPECT_MSG_EQ(tasks[1].bytes, 25, "First bucket");
        NS_TEST_EXPECT_MSG_EQ(tasks[1].group, 1, "Over the replicas");
        NS_TEST_EXPECT_MSG_EQ(tasks[2].seconds, 4, "The third computation");
        NS_TEST_EXPECT_MSG_EQ(tasks[3].bytes, 5, "Summed as soon as there are no more");
        NS_TEST_EXPECT_MSG_NE(tasks[3].operation, tasks[1].operation, "Another operation");
        NS_TEST_EXPECT_MSG_EQ(tasks[4].seconds, 8, "A computation without gradients");
        NS_TEST_EXPECT_MSG_EQ((tasks[5].pass == Pass::UPDATE), true, "Updates come last");
        NS_TEST_EXPECT_MSG_EQ(tasks[5].seconds, 30, "Update of the first bucket");
        NS_TEST_EXPECT_MSG_EQ(tasks[6].seconds, 40, "Update of the second bucket");

        const auto program = Write(4, 20);
        NS_TEST_EXPECT_MSG_EQ((program->GetSuccessors(1) == std::vector<uint32_t>{3, 5}),
                              true,
                              "The first sum holds up the second one and its update");
        NS_TEST_EXPECT_MSG_EQ((program->GetSuccessors(3) == std::vector<uint32_t>{6}),
                              true,
                              "The second sum holds up its update");

        NS_TEST_EXPECT_MSG_EQ(Count(*Write(4, 0)), 3, "A bucket for each");
        NS_TEST_EXPECT_MSG_EQ(Count(*Write(4, 1000)), 1, "One bucket");
        const auto alone = Write(1, 20);
        NS_TEST_EXPECT_MSG_EQ(Count(*alone), 0, "Nobody to sum with");
        NS_TEST_EXPECT_MSG_EQ(alone->GetTasks().size(), 2, "All computations, and all updates");
        NS_TEST_EXPECT_MSG_EQ(alone->GetComputeSeconds(), 85, "Nothing is lost");
    }

  private:
    static constexpr uint32_t GPUS = 3; //!< Number of GPUs

    /// A GPU whose program is written twice.
    struct Gpu
    {
        ProgramWriter writer; //!< Writer that joins tasks
        std::shared_ptr<RankProgram> apart{std::make_shared<RankProgram>()}; //!< Nothing joined
        std::vector<uint32_t> joined; //!< Index in the joined program by index in the other one
        std::vector<uint32_t> waits;  //!< Tasks that a compute task may wait for
        std::vector<uint32_t> last;   //!< The last compute task, if there is one
    };

    /**
     * @param programs the programs of the GPUs
     * @param fabric the fabric
     * @return the time that they take, in seconds
     */
    double GetSeconds(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                      const FabricLimits& fabric)
    {
        TrainingPlan plan;
        ReplicaLayout::Apply(programs, 1, plan);
        return CostModel(fabric).Price(plan).seconds;
    }

    /**
     * Add a compute task, a message or a collective.
     *
     * @param gpus the GPUs
     * @param operation the number of the operation
     * @param random a source of random numbers
     */
    void AddSomething(std::vector<Gpu>& gpus, uint32_t operation, Ptr<UniformRandomVariable> random)
    {
        const uint32_t gpu = random->GetInteger(0, GPUS - 1);
        const uint32_t peer = (gpu + random->GetInteger(1, GPUS - 1)) % GPUS;
        const uint64_t bytes = random->GetInteger(1, 20);
        const uint32_t kind = random->GetInteger(0, 9);
        if (kind == 0)
        {
            Add(gpus[gpu], MakeMessage(TaskKind::SEND, peer, operation, bytes), gpus[gpu].last);
            Add(gpus[peer], MakeMessage(TaskKind::RECEIVE, gpu, operation, bytes), {});
        }
        else if (kind == 1)
        {
            for (auto& member : gpus)
            {
                Add(member, MakeCollective(0, operation, bytes), member.last);
            }
        }
        else
        {
            std::vector<uint32_t> after;
            const auto& waits = gpus[gpu].waits;
            for (uint32_t i = 0; i < 2 && !waits.empty(); ++i)
            {
                // Rather one of the latest
                const auto size = static_cast<uint32_t>(waits.size());
                after.push_back(waits[size - 1 - random->GetInteger(0, std::min(size - 1, 3U))]);
            }
            Task task = MakeCompute(random->GetValue(1, 10));
            Add(gpus[gpu], task, after);
        }
    }

    /**
     * @param gpu the GPU to add a task to
     * @param task the task
     * @param after the tasks in the program without joining that it waits for
     */
    void Add(Gpu& gpu, const Task& task, const std::vector<uint32_t>& after)
    {
        const uint32_t index = gpu.apart->AddTask(task);
        std::vector<uint32_t> joinedAfter;
        for (const auto before : after)
        {
            gpu.apart->AddDependency(before, index);
            joinedAfter.push_back(gpu.joined[before]);
        }
        gpu.joined.push_back(
            task.kind == TaskKind::COMPUTE
                ? gpu.writer.AddCompute(task.pass, task.name, task.seconds, joinedAfter)
                : gpu.writer.AddCommunication(task, joinedAfter));
        if (task.kind != TaskKind::SEND)
        {
            gpu.waits.push_back(index);
        }
        if (task.kind == TaskKind::COMPUTE)
        {
            gpu.last = {index};
        }
    }

    /**
     * @param program a program
     * @return the number of its collectives
     */
    static std::size_t Count(const RankProgram& program)
    {
        const auto& tasks = program.GetTasks();
        return std::count_if(tasks.begin(), tasks.end(), [](const Task& task) {
            return task.kind == TaskKind::COLLECTIVE;
        });
    }

    /**
     * @param replicas the number of replicas
     * @param bucketBytes the size of a bucket
     * @return a program with gradients of 15, 10 and 5 bytes
     */
    static std::shared_ptr<const RankProgram> Write(uint32_t replicas, uint64_t bucketBytes)
    {
        ProgramWriter writer;
        GradientSync::Options options;
        options.bucketBytes = bucketBytes;
        options.replicas = replicas;
        GradientSync sync(writer, options, 3);
        const uint32_t first = writer.AddCompute(Pass::BACKWARD, "first", 1, {});
        sync.Add({first}, 15, 10);
        const uint32_t second = writer.AddCompute(Pass::BACKWARD, "second", 2, {first});
        sync.Add({first, second}, 10, 20);
        const uint32_t third = writer.AddCompute(Pass::BACKWARD, "third", 4, {second});
        sync.Add({third}, 5, 40);
        writer.AddCompute(Pass::BACKWARD, "fourth", 8, {third});
        sync.Finish();
        return writer.Finish();
    }
};

/// Registers the test cases
static const SuiteCases g_programWriterCases(
    "lightpath-planner",
    {{MakeCase("Compute tasks are joined where nothing lies between them",
               &ProgramWriterTests::TestProgramWriter),
      MakeCase("Joined tasks take exactly the same time as tasks on their own",
               &ProgramWriterTests::TestJoinedProgram),
      MakeCase("Gradients are summed in buckets and updated last",
               &ProgramWriterTests::TestGradientSync)}});
