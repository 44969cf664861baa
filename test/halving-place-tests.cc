/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/place/halving-places.h"
#include "planner-job.h"

#include "ns3/data-rate.h"
#include "ns3/fixed-planner.h"
#include "ns3/interconnect-helper.h"
#include "ns3/server-helper.h"
#include "ns3/server-layout.h"
#include "ns3/string.h"

#include <memory>
#include <numeric>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of places in servers for halving and doubling.
 */
class HalvingPlaceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares prices with simulations, and the chosen places with the linear ones.
     *
     * @param name the name of the fabric between servers
     * @param attach how GPUs are attached to it
     * @param tolerance the share by which a price may be wrong
     */
    void TestPrices(const std::string& name, const std::string& attach, double tolerance)
    {
        for (const uint32_t local : {2, 4, 8})
        {
            ServerHelper fabric(InterconnectHelper::Create(name));
            fabric.SetServers(local, DataRate("2400Gbps"), Time(0));
            fabric.SetAttach(AttachName::Find(attach));
            fabric.SetBandwidth(DataRate("200Gbps"));
            PlanningProblem problem = MakeProblem("bert-large:layers=2", "A100", 32, 64, fabric);
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("DataAlgorithm", StringValue("HalvingDoubling"));
            const TrainingPlan chosen = planner->TryPlan(problem);
            const double seconds = RunPlan(fabric, chosen).iterationSeconds.back();
            const std::string what = name + " " + attach + " " + std::to_string(local);
            NS_TEST_EXPECT_MSG_EQ_TOL(chosen.predictedSeconds, seconds, tolerance * seconds, what);
            problem.placement = "linear";
            const double linear =
                RunPlan(fabric, planner->TryPlan(problem)).iterationSeconds.back();
            NS_TEST_EXPECT_MSG_LT(seconds, 0.9 * linear, what);
        }
    }

    /// Tells places apart in which some ranks alone leave their servers.
    void TestAlike()
    {
        const ServerLayout layout = ServerLayout::Create(Attach::RAIL, 4);
        TrainingPlan plan;
        plan.programs.resize(16, std::make_shared<RankProgram>());
        plan.groups.resize(DATA_GROUP + 1);
        std::vector<uint32_t> members(16);
        std::iota(members.begin(), members.end(), 0);
        plan.groups[DATA_GROUP].Add(members);
        const auto areAlike = [&] { return HalvingPlaces::AreAlike(layout, plan, {DATA_GROUP}); };
        NS_TEST_EXPECT_MSG_EQ(areAlike(), true, "Linear");
        plan.placement = HalvingPlaces::Deal(layout, 16);
        NS_TEST_EXPECT_MSG_EQ(plan.placement.GetPort(5), 5, "Second of the second server");
        NS_TEST_EXPECT_MSG_EQ(plan.placement.GetPort(4), 1, "Second of the first server");
        NS_TEST_EXPECT_MSG_EQ(areAlike(), true, "Dealt out");
        std::swap(members[3], members[4]);
        plan.placement = Placement(members, "exchanged");
        NS_TEST_EXPECT_MSG_EQ(areAlike(), false, "Two of them exchanged");
        // Within a server, cards of other rails are reached when others reach theirs
        std::iota(members.begin(), members.end(), 0);
        std::swap(members[0], members[1]);
        plan.placement = Placement(members, "exchanged");
        NS_TEST_EXPECT_MSG_EQ(areAlike(), false, "Two rails exchanged");
    }
};

/// Registers the test cases
static const SuiteCases g_halvingPlaceCases(
    "lightpath-planner",
    {{MakeCase("Places in servers for halving and doubling are told apart",
               &HalvingPlaceTests::TestAlike)},
     MakeCases("Halving and doubling in servers has its price",
               &HalvingPlaceTests::TestPrices,
               {{"electrical", "gpu", 0.005},
                {"electrical", "rail", 0.005},
                {"electrical", "server", 0.07},
                {"leaf-spine-flows", "gpu", 0.005},
                {"leaf-spine-flows", "server", 0.07}})});
