/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/schedule/birkhoff-scheduler.h"
#include "model/control/schedule/eclipse-scheduler.h"
#include "model/control/schedule/solstice-scheduler.h"
#include "schedule-tests.h"

#include <random>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Compares a scheduler with the best schedules of three devices.
 *
 * @tparam T the kind of scheduler
 */
template <typename T>
class BestScheduleTestCase : public TestCase
{
  public:
    /**
     * @param gaps the mean of makespan over shortest makespan, for delays of 0, 1 and 100 ns
     */
    explicit BestScheduleTestCase(const std::vector<double>& gaps)
        : TestCase(T::GetTypeId().GetName() + " is compared with the best schedules"),
          m_gaps(gaps)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<uint32_t> delays{0, 1, 100};
        const ScheduleReplay replay(3, 1);
        for (std::size_t i = 0; i < delays.size(); ++i)
        {
            const BestSchedules best(3, delays[i], 0);
            const auto scheduler = replay.Make<T>(delays[i]);
            std::mt19937 random(31);
            double sum = 0;
            const uint32_t instances = 250;
            for (uint32_t instance = 0; instance < instances; ++instance)
            {
                const uint32_t index = 1 + random() % (best.GetNDemands() - 1);
                const TrafficMatrix demand = best.GetDemand(index);
                const CircuitSchedule schedule = scheduler->Schedule(demand);
                NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, demand), "", "Demand " << index);
                NS_TEST_EXPECT_MSG_EQ(schedule.unserved.GetTotal(), 0, "Demand " << index);
                const int64_t shortest = best.GetMakespan(index);
                NS_TEST_EXPECT_MSG_EQ((schedule.makespan.GetNanoSeconds() >= shortest),
                                      true,
                                      "Demand " << index << " is served in no time");
                NS_TEST_EXPECT_MSG_EQ((schedule.bound.GetNanoSeconds() <= shortest),
                                      true,
                                      "Demand " << index << " has a schedule below the bound");
                if (delays[i] == 100)
                {
                    NS_TEST_EXPECT_MSG_EQ(shortest / 100,
                                          demand.GetDegree(),
                                          "As many slots as a device has peers are enough");
                }
                sum += schedule.makespan.GetDouble() / shortest;
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(sum / instances, m_gaps[i], "Mean gap " << delays[i]);
        }
    }

    std::vector<double> m_gaps; //!< Largest mean of makespan over shortest makespan
};

/**
 * @ingroup lightpath-tests
 * @brief Compares the bytes that Eclipse serves within a horizon with the most possible.
 */
class BestHorizonTestCase : public TestCase
{
  public:
    BestHorizonTestCase()
        : TestCase("Eclipse serves at least half of what can be served within a horizon")
    {
    }

  private:
    void DoRun() override
    {
        const ScheduleReplay replay(3, 1);
        std::mt19937 random(32);
        double sum = 0;
        uint32_t instances = 0;
        for (const uint32_t delay : {1, 2, 4})
        {
            const BestSchedules best(3, delay, 14);
            const auto eclipse = replay.Make<EclipseScheduler>(delay);
            for (uint32_t instance = 0; instance < 150; ++instance)
            {
                const uint32_t index = 1 + random() % (best.GetNDemands() - 1);
                const uint32_t horizon = delay + 1 + random() % (14 - delay);
                eclipse->SetAttribute("Horizon", TimeValue(NanoSeconds(horizon)));
                const TrafficMatrix demand = best.GetDemand(index);
                const CircuitSchedule schedule = eclipse->Schedule(demand);
                NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, demand), "", "Demand " << index);
                NS_TEST_EXPECT_MSG_EQ((schedule.makespan <= NanoSeconds(horizon)),
                                      true,
                                      "Demand " << index);
                const uint64_t served = demand.GetTotal() - schedule.unserved.GetTotal();
                const uint64_t most = best.GetServed(index, horizon);
                NS_TEST_EXPECT_MSG_EQ((served <= most), true, "More than possible " << index);
                NS_TEST_EXPECT_MSG_EQ((2 * served >= most), true, "Too little " << index);
                sum += static_cast<double>(served) / most;
                ++instances;
            }
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sum / instances, 0.9, "Mean of what is served");
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_bestScheduleCases(
    "lightpath-control-schedules",
    {{new BestScheduleTestCase<BirkhoffScheduler>({1, 1.04, 1.17}),
      new BestScheduleTestCase<SolsticeScheduler>({1, 1.04, 1.17}),
      new BestScheduleTestCase<EclipseScheduler>({1.02, 1.09, 1.06}),
      new BestHorizonTestCase}});
