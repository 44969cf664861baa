/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/base/wire-format.h"
#include "model/planner/price/grid-carrier.h"
#include "model/planner/price/message-replay.h"

#include "ns3/agenda.h"
#include "ns3/collective-schedule.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Messages on a grid against closed forms, at a byte a nanosecond.
 */
class GridCarrierTest : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A message takes the time of its control messages, and that of its bytes on each hop.
    void TestMessages()
    {
        const double frame = (1000 + FRAME_HEADER_BYTES) * 1e-9;
        CheckEnds({{0, 1, 1000}}, {PAUSE + frame + 600e-9});
        // The delay of a card counts at the destination
        CheckEnds({{0, 3, 1000}}, {2 * (PAUSE + frame) + 700e-9});
        CheckEnds({{0, 1, 0}}, {PAUSE + FRAME_HEADER_BYTES * 1e-9 + 600e-9});
        // At the switch of a row and that of a column
        CheckEnds({{0, 1, 1000}, {3, 1, 1000}}, {PAUSE + frame + 600e-9, PAUSE + frame + 600e-9});
    }

    /// A receiver is granted again once its light is out: it takes half of the control messages.
    void TestReceiver()
    {
        const double frame = (1000 + FRAME_HEADER_BYTES) * 1e-9;
        const double first = PAUSE + frame + 100e-9;
        GridLimits grid = MakeGrid();
        grid.rows = 1;
        grid.columns = 4;
        const double more = CONTROL / 2 + TUNING + frame + 100e-9;
        CheckEnds({{0, 2, 1000}, {1, 2, 1000}, {3, 2, 1000}},
                  {first + 500e-9, first + more + 500e-9, first + 2 * more + 500e-9},
                  grid);
        // With two receivers, which their transmitters share
        grid.transceivers = 2;
        CheckEnds({{0, 2, 1000}, {1, 2, 1000}}, {first + 500e-9, first + more + 500e-9}, grid);
    }

    /// Rings in rows, in which nothing waits, step by step.
    void TestEvenRings()
    {
        FabricLimits fabric;
        fabric.isShared = true;
        fabric.grid = MakeGrid();
        const std::vector<uint32_t> first{0, 1};
        const std::vector<uint32_t> second{2, 3};
        for (const auto kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_GATHER})
        {
            CollectiveOptions options;
            options.algorithm = CollectiveAlgorithm::RING;
            const std::shared_ptr<const CollectiveSchedule> schedule =
                CollectiveSchedule::Create(kind, 2, 8000, options);
            const TrainingPlan plan;
            uint32_t nDone = 0;
            const auto done = [&nDone](uint64_t) { ++nDone; };
            MessageReplay replay(plan, fabric, nullptr, 1, nullptr, done);
            for (uint32_t position = 0; position < 2; ++position)
            {
                replay.Join(0, schedule, first, position, 0, 0, 0);
                replay.Join(1, schedule, second, position, 0, 0, 0);
            }
            double end = 0;
            while (nDone < 4)
            {
                end = replay.GetNext();
                NS_TEST_ASSERT_MSG_LT(end, 1, "all members end");
                replay.Proceed(end);
            }
            const double step = PAUSE + (4000 + FRAME_HEADER_BYTES) * 1e-9 + 600e-9;
            NS_TEST_EXPECT_MSG_EQ_TOL(end, schedule->GetNSteps() * step, 1e-12, "rings of two");
        }
    }

    /// Until the arbiter has set the switches, nothing is sent.
    void TestSetting()
    {
        GridLimits grid = MakeGrid();
        grid.isSet = false;
        grid.setting = 1'000'000;
        grid.arbiterTime = 3000;
        const std::vector<double> ends = FindEnds({{0, 1, 1000}}, grid);
        // The request and the order to begin, which are smaller than others, go one way each
        const double begin = 1003e-6 + CONTROL;
        NS_TEST_ASSERT_MSG_EQ(ends.size(), 1, "the message");
        NS_TEST_EXPECT_MSG_EQ_TOL(ends.front(),
                                  begin + PAUSE + (1000 + FRAME_HEADER_BYTES) * 1e-9 + 600e-9,
                                  100e-9 + 16e-9,
                                  "the end");
    }

    /// Of many orders to begin, those beyond 100 that wait for the link of the arbiter are lost:
    /// ports with data ask, and again after intervals that double.
    void TestLostOrders()
    {
        GridLimits grid = MakeGrid();
        grid.rows = 1;
        grid.columns = 128;
        grid.gpus = 128;
        grid.isSet = false;
        grid.setting = 1'000'000;
        grid.arbiterTime = 3000;
        const std::vector<double> ends = FindEnds({{127, 126, 1000}}, grid);
        const double asked = (100 + 100 + 200 + 400 + 800) * 1e-6;
        const double begin = asked + 3e-6 + CONTROL - 100e-9;
        NS_TEST_ASSERT_MSG_EQ(ends.size(), 1, "the message");
        NS_TEST_EXPECT_MSG_EQ_TOL(ends.front(),
                                  begin + PAUSE + (1000 + FRAME_HEADER_BYTES) * 1e-9 + 600e-9,
                                  16e-9,
                                  "the end");
    }

  private:
    static constexpr double CONTROL = 4 * 206e-9 + 2 * 100e-9; //!< A request and its grant, s
    static constexpr double TUNING = 15e-9;                    //!< From a grant to light, s
    static constexpr double PAUSE = CONTROL + TUNING;          //!< Before each flow, s

    /**
     * @return a grid of 2 x 2 with 10 ns to tune, 5 to lock, 100 of fibre and 500 at cards, and 6 +
     *         200 for a control message on a link, 100 for its effect
     */
    static GridLimits MakeGrid()
    {
        GridLimits grid{2, 2, 4, 1, 8e9, 8e9};
        grid.tuning = 10;
        grid.lock = 5;
        grid.delay = 100;
        grid.cardDelay = 500;
        grid.unit.processingTime = 100;
        grid.unit.retryInterval = 100'000;
        grid.unit.maxRetryInterval = 10'000'000;
        grid.unit.expiry = 10'000;
        grid.controlBitRate = 100'000'000'000;
        grid.controlDelay = 200;
        return grid;
    }

    /**
     * Send messages at once.
     *
     * @param messages the messages
     * @param grid the grid
     * @return when they come in, in order, in seconds
     */
    static std::vector<double> FindEnds(const std::vector<MessageCarrier::Message>& messages,
                                        const GridLimits& grid)
    {
        PrivateAgenda agenda;
        std::vector<double> ends;
        GridCarrier carrier(agenda, grid, [&](uint64_t) {
            ends.push_back(1e-9 * static_cast<double>(agenda.Now()));
        });
        for (const auto& message : messages)
        {
            carrier.Send(message, 0);
        }
        while (agenda.GetNext() != INT64_MAX)
        {
            agenda.Happen();
        }
        return ends;
    }

    /**
     * Send messages at once.
     *
     * @param messages the messages
     * @param ends when they come in, in order, in seconds
     * @param grid the grid
     */
    void CheckEnds(const std::vector<MessageCarrier::Message>& messages,
                   const std::vector<double>& ends,
                   const GridLimits& grid = MakeGrid())
    {
        const std::vector<double> found = FindEnds(messages, grid);
        NS_TEST_ASSERT_MSG_EQ(found.size(), ends.size(), "messages that have come in");
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            // Two that use a link for control at once: one waits for the other, 6 ns each
            NS_TEST_EXPECT_MSG_EQ_TOL(found[i], ends[i], 13e-9, "message " << i);
        }
    }
};

/// The cases of the suite.
const SuiteCases g_gridCarrierCases(
    "lightpath-planner",
    {{MakeCase("Messages on a grid", &GridCarrierTest::TestMessages),
      MakeCase("Messages on a grid that wait for a receiver", &GridCarrierTest::TestReceiver),
      MakeCase("Rings on a grid in which nothing waits", &GridCarrierTest::TestEvenRings),
      MakeCase("Messages on a grid whose switches are set first", &GridCarrierTest::TestSetting),
      MakeCase("Messages on a grid whose arbiter loses orders",
               &GridCarrierTest::TestLostOrders)}});

} // namespace
