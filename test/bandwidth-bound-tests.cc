/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/collective/algorithm-table.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases that no fabric is faster than its bandwidth.
 */
class BandwidthBoundTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Carries out all operations by all algorithms on a fabric. Each takes at least the bytes of
     * the busiest GPU, and at least those that no algorithm can do without, at the bandwidth of a
     * GPU.
     *
     * @param name the name of the fabric
     * @param ranks the number of GPUs
     */
    void TestBound(const std::string& name, uint32_t ranks)
    {
        const auto fabric = FabricHelper::Create(name);
        fabric->SetBandwidth(DataRate("400Gbps"));
        fabric->DisableFlowControl();
        const bool averages = FabricDescription::Create(*fabric)->GetLimits(ranks).averagedBits > 0;
        using Needs = AlgorithmTable::Needs;
        uint32_t nTried = 0;
        for (const std::string kindName :
             {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "send-recv"})
        {
            const CollectiveKind kind = CollectiveSchedule::GetKind(kindName);
            for (const auto& row : AlgorithmTable::GetRows())
            {
                if (!AlgorithmTable::IsFor(row.value, kind) || row.needs == Needs::SERVERS ||
                    (row.needs == Needs::AVERAGING) != averages)
                {
                    continue;
                }
                Task task;
                task.kind = TaskKind::COLLECTIVE;
                task.collective = kind;
                task.bytes = 7000003;
                const bool hasRings = row.value == CollectiveAlgorithm::MULTI_RING;
                task.options = {1, row.value, hasRings ? 2U : 1U};
                if (!IsServed(*fabric, ranks, task))
                {
                    continue;
                }
                const double least = GetLeastBytes(task, ranks) / 50e9;
                NS_TEST_EXPECT_MSG_GT_OR_EQ(Simulate(*fabric, ranks, task),
                                            least,
                                            kindName << " by " << row.name << " on " << name);
                ++nTried;
            }
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(nTried, (averages ? 1 : 8), "operations on " << name);
    }

  private:
    /**
     * @param fabric the fabric
     * @param ranks the number of GPUs
     * @param task an operation
     * @return whether the fabric has a lightpath for each pair of GPUs that exchange messages
     */
    static bool IsServed(const FabricHelper& fabric, uint32_t ranks, const Task& task)
    {
        const auto schedule =
            CollectiveSchedule::Create(task.collective, ranks, task.bytes, task.options);
        TrafficMatrix demand(ranks);
        std::vector<Transfer> totals;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            schedule->GetTotals(rank, totals);
            for (const auto& total : totals)
            {
                if (total.peer != rank)
                {
                    demand.Add(rank, total.peer, total.bytes);
                }
            }
        }
        const auto allocators = FabricDescription::Create(fabric)->GetLimits(ranks).allocators;
        return std::all_of(allocators.begin(), allocators.end(), [&demand](const auto& allocator) {
            return allocator->Allocate(demand).unserved.empty();
        });
    }

    /**
     * @param task an operation
     * @param ranks the number of GPUs
     * @return the bytes that a GPU has to send or to receive, of one at least
     */
    static double GetLeastBytes(const Task& task, uint32_t ranks)
    {
        const auto schedule =
            CollectiveSchedule::Create(task.collective, ranks, task.bytes, task.options);
        std::vector<uint64_t> sent(ranks, 0);
        std::vector<uint64_t> received(ranks, 0);
        std::vector<Transfer> totals;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            schedule->GetTotals(rank, totals);
            for (const auto& total : totals)
            {
                sent[rank] += total.bytes;
                received[total.peer] += total.bytes;
            }
        }
        const uint64_t most = std::max(*std::max_element(sent.begin(), sent.end()),
                                       *std::max_element(received.begin(), received.end()));
        // Each rank lacks all shares but its own; sums come back, unless the network makes them
        const bool isSummed = task.options.algorithm == CollectiveAlgorithm::IN_NETWORK;
        const double share = static_cast<double>(task.bytes) / ranks;
        const double needed = task.collective == CollectiveKind::SEND_RECV || isSummed
                                  ? static_cast<double>(task.bytes)
                                  : share * (ranks - 1);
        const bool isTwice = task.collective == CollectiveKind::ALL_REDUCE && !isSummed;
        return std::max(static_cast<double>(most), (isTwice ? 2 : 1) * std::floor(needed));
    }

    /**
     * @param fabric the fabric
     * @param ranks the number of GPUs
     * @param task an operation
     * @return its time, seconds
     */
    static double Simulate(const FabricHelper& fabric, uint32_t ranks, const Task& task)
    {
        const auto program = std::make_shared<RankProgram>();
        program->AddTask(task);
        std::vector<uint32_t> members(ranks);
        std::iota(members.begin(), members.end(), 0);
        TrainingPlan plan;
        plan.strategy.dataParallel = ranks;
        plan.programs.assign(ranks, program);
        plan.groups.resize(1);
        plan.groups[0].Add(members);
        NodeContainer nodes(ranks);
        const NetDeviceContainer devices = fabric.Install(nodes);
        TrainingHelper training;
        training.SetTransportAttribute("FrameSize", UintegerValue(0));
        const bool hasCircuits =
            !FabricDescription::Create(fabric)->GetLimits(ranks).allocators.empty();
        const auto applications =
            training.Install(plan,
                             devices,
                             hasCircuits ? fabric.CreateController(devices) : nullptr);
        Simulator::Run();
        const double seconds =
            TrainingReport(TrainingHelper::GetJob(applications), FabricHelper::GetChannel(devices))
                .iterationSeconds.front();
        Simulator::Destroy();
        return seconds;
    }
};

/// Registers the test cases
static const SuiteCases g_bandwidthBoundCases(
    "lightpath-collective",
    {MakeCases("No operation is faster than its bytes at the bandwidth of a GPU",
               &BandwidthBoundTests::TestBound,
               {{"electrical", 8},
                {"electrical", 12},
                {"oddl", 8},
                {"oddl", 12},
                {"oddl", 16},
                {"optinc", 8},
                {"sip-ocs", 8},
                {"sip-ocs", 12},
                {"sip-ring", 8},
                {"sip-ring", 12}})});
