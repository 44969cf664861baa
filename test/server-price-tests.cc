/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/base/wire-format.h"
#include "model/planner/bound/strategy-bound.h"
#include "model/planner/place/grid-collectives.h"
#include "model/planner/place/port-arrangement.h"
#include "model/planner/place/server-decisions.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/write/replica-layout.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/server-layout.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Rate of a GPU inside its server, bytes/s
constexpr double SERVER_BYTE_RATE = 300e9;

/// Latency of a message there, seconds
constexpr double SERVER_LATENCY = 1e-6;

/// Latency of a message between servers, seconds
constexpr double PORT_LATENCY = 5e-6;

/// Size of a buffer, bytes
constexpr uint64_t BUFFER_BYTES = 80000000;

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Prices of plans on servers over every kind of fabric, against closed forms.
 */
class ServerPriceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Prices collectives and messages on servers of 2 GPUs.
     *
     * @param name the name of the fabric between servers
     * @param attachName how GPUs are attached to it
     */
    void TestServerPrices(const std::string& name, const std::string& attachName)
    {
        const Attach attach = AttachName::Find(attachName);
        // GPUs that share a port, and so a lightpath or the link of a switch
        const double sharers = attach == Attach::SERVER ? 2 : 1;
        const ServerLayout layout = ServerLayout::Create(attach, 2);
        m_fabric = MakeFabric(name, layout, 8);
        const double rate = GetRingRate(name, layout.GetNPorts(8));
        const auto inside = [](double bytes) {
            return SERVER_LATENCY + (bytes + FRAME_HEADER_BYTES) / SERVER_BYTE_RATE;
        };
        const auto outside = [&](double bytes) {
            return PORT_LATENCY + sharers * (bytes + FRAME_HEADER_BYTES) / rate;
        };
        // Tensor parallelism inside: 2 (g - 1) steps of S / g
        Expect({MakeChain({MakeCollective(0, 0, BUFFER_BYTES)})},
               2,
               4,
               2 * inside(BUFFER_BYTES / 2.0));
        // Replicas of one index on 4 servers: 2 (p - 1) steps of S / p
        Expect({MakeChain({MakeCollective(1, 0, BUFFER_BYTES)})},
               2,
               4,
               6 * outside(BUFFER_BYTES / 4.0));
        // Two levels: a reduce-scatter inside, rings of both indices across, an all-gather inside
        Task task = MakeCollective(1, 0, BUFFER_BYTES);
        task.options.local = 2;
        Expect({MakeChain({task})},
               1,
               8,
               2 * inside(BUFFER_BYTES / 2.0) + 6 * outside(BUFFER_BYTES / 8.0));
        if (name == "sip-ring")
        {
            // Stages are opposite to each other, where a ring gives them another rate
            return;
        }
        // Two stages on two servers each, there and back: both GPUs of a part send at a time
        const auto first = MakeChain({Address(MakeMessage(TaskKind::SEND, 1, 0, BUFFER_BYTES)),
                                      Address(MakeMessage(TaskKind::RECEIVE, 1, 0, BUFFER_BYTES))});
        const auto second = MakeChain({Address(MakeMessage(TaskKind::RECEIVE, 0, 0, BUFFER_BYTES)),
                                       Address(MakeMessage(TaskKind::SEND, 0, 0, BUFFER_BYTES))});
        Expect({first, second}, 2, 2, 2 * outside(BUFFER_BYTES));
    }

    /// Prices an all-to-all that crosses rails, or shares cards.
    void TestCrossedRails()
    {
        const double chunk = BUFFER_BYTES / 4.0 + FRAME_HEADER_BYTES;
        for (const auto& name : {"sip-ocs", "electrical"})
        {
            const Task task = MakeCollective(1, 0, BUFFER_BYTES, CollectiveKind::ALL_TO_ALL);
            const auto program = MakeChain({task});
            ServerLayout layout = ServerLayout::Create(Attach::RAIL, 2);
            // Each rail carries what both GPUs of a server have for its GPU in the other one
            m_fabric = MakeFabric(name, layout, 4);
            const double rate = GetRingRate(name, 2);
            Expect({program}, 1, 4, SERVER_LATENCY + PORT_LATENCY + 2 * chunk / rate);
            // The one card carries all
            m_fabric = MakeFabric(name, ServerLayout::Create(Attach::SERVER, 2), 4);
            Expect({program}, 1, 4, PORT_LATENCY + 4 * chunk / rate);
            // On a port of its own, a GPU has half of its rate for each of two others
            m_fabric = MakeFabric(name, ServerLayout::Create(Attach::GPU, 2), 4);
            Expect({program}, 1, 4, PORT_LATENCY + 2 * chunk / rate);
            layout.crossesRails = false;
            m_fabric = MakeFabric(name, layout, 4);
            const auto price = [&]() { Price({program}, 1, 4); };
            NS_TEST_EXPECT_MSG_EQ(FindWrongError(price, {"GPU 0 on rail 0", "GPU 3"}), "", name);
        }
    }

    /// Prices collectives on meshes and rings of links inside a server.
    void TestLinkedServers()
    {
        m_fabric = MakeFabric("electrical", ServerLayout::Create(Attach::RAIL, 4), 8);
        m_fabric.servers.pairBitRate = 8e11;
        const double part = BUFFER_BYTES / 4.0 + FRAME_HEADER_BYTES;
        // A ring takes one link of each GPU; a direct exchange all three of a mesh
        Expect({MakeChain({MakeCollective(0, 0, BUFFER_BYTES)})},
               4,
               2,
               6 * (SERVER_LATENCY + part / 100e9));
        const auto exchange =
            MakeChain({MakeCollective(0, 0, BUFFER_BYTES, CollectiveKind::ALL_TO_ALL)});
        Expect({exchange}, 4, 2, SERVER_LATENCY + part / 100e9);
        // On a ring of links the GPU opposite is two links away: those clockwise carry its
        // messages and those of both of the neighbours
        m_fabric.servers.isRing = true;
        Expect({exchange}, 4, 2, 2 * SERVER_LATENCY + 3 * part / 100e9);
    }

    /// Compares arrangements in servers with all that there are, for random traffic.
    void TestServerArrangement()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(29);
        for (const auto& name : AttachName::GetAll())
        {
            for (uint32_t i = 0; i < 6; ++i)
            {
                const uint32_t n = 6;
                FabricLimits fabric;
                fabric.bitRate = 1e9;
                fabric.servers.bitRate = 4e9;
                fabric.isRing = i % 2 == 1;
                fabric.servers.layout = ServerLayout::Create(name.value, 2 + i / 2 % 2);
                TrafficMatrix traffic(n);
                for (uint32_t pairs = 2 * n; pairs > 0; --pairs)
                {
                    const uint32_t source = random->GetInteger(0, n - 1);
                    const uint32_t other = (source + random->GetInteger(1, n - 1)) % n;
                    traffic.Add(source, other, 4 * random->GetInteger(1, 100));
                }
                std::vector<uint32_t> places(n);
                std::iota(places.begin(), places.end(), 0);
                double least = std::numeric_limits<double>::infinity();
                do
                {
                    least = std::min(least, GetMost(traffic, places, fabric));
                } while (std::next_permutation(places.begin(), places.end()));
                PortArrangement arrangement(traffic, fabric);
                const double most = arrangement.Improve(1'000'000).most / 2.0;
                NS_TEST_EXPECT_MSG_EQ(most, least, name.name << ", problem " << i);
                NS_TEST_EXPECT_MSG_EQ(GetMost(traffic, arrangement.GetPorts(), fabric),
                                      least,
                                      "What it says");
            }
        }
    }

    /// Lets a planner place a plan on servers, and prices all placements that there are.
    void TestBestPlacement()
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(3));
        planner->SetAttribute("PipelineParallel", UintegerValue(1));
        for (const auto& name : {"sip-ocs", "electrical"})
        {
            for (const Attach attach : {Attach::GPU, Attach::RAIL, Attach::SERVER})
            {
                PlanningProblem problem = MakeStageProblem(
                    "gpt2-xl:layers=2,hidden=768,heads=6,feedForward=3072,vocabulary=3072",
                    6,
                    12);
                problem.fabric = MakeFabric(name, ServerLayout::Create(attach, 3), 6);
                const TrainingPlan best = planner->Plan(problem);
                std::vector<uint32_t> places(6);
                std::iota(places.begin(), places.end(), 0);
                double least = std::numeric_limits<double>::infinity();
                do
                {
                    TrainingPlan plan = best;
                    plan.placement = Placement(places);
                    GridCollectives::Choose(problem.fabric, plan);
                    least = std::min(least, TryPrice(problem.fabric, plan));
                } while (std::next_permutation(places.begin(), places.end()));
                NS_TEST_EXPECT_MSG_LT_OR_EQ(best.predictedSeconds,
                                            1.001 * least,
                                            name << ", attach " << static_cast<int>(attach));
                NS_TEST_EXPECT_MSG_LT_OR_EQ(StrategyBound(problem).GetSeconds(best.strategy),
                                            least,
                                            "A bound");
            }
        }
    }

    /// Refuses plans whose sums an averaging fabric cannot carry, and says what servers decide.
    void TestServerRefusals()
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=2,hidden=256,heads=8,feedForward=1024,vocabulary=1024",
                             8,
                             16);
        for (const Attach attach : {Attach::RAIL, Attach::SERVER, Attach::GPU})
        {
            const ServerLayout layout = ServerLayout::Create(attach, 2);
            problem.fabric = MakeFabric("optinc", layout, 8);
            TrainingPlan plan;
            const auto make = [&]() { plan = planner->TryPlan(problem); };
            if (attach == Attach::GPU)
            {
                NS_TEST_EXPECT_MSG_EQ(FindWrongError(make, {"all of its 8 ports"}), "", "Refused");
                continue;
            }
            make();
            const auto decisions = ServerDecisions::Find(problem, plan);
            NS_TEST_EXPECT_MSG_EQ(ServerDecisions::Describe(decisions, plan.predictedSeconds),
                                  "tensor parallelism stays inside: refused across",
                                  "Decided");
        }
    }

    /// Switches inside servers sum, and the network between servers averages what they have summed.
    void TestServerAverages()
    {
        for (const Attach attach : {Attach::RAIL, Attach::SERVER})
        {
            m_fabric = MakeFabric("optinc", ServerLayout::Create(attach, 2), 8);
            m_fabric.servers.reduces = true;
            Task task = MakeCollective(1, 0, BUFFER_BYTES);
            task.options.local = 2;
            task.options.algorithm = CollectiveAlgorithm::TWO_LEVEL;
            task.options.inside = CollectiveAlgorithm::IN_NETWORK;
            task.options.across = CollectiveAlgorithm::IN_NETWORK;
            // The whole buffer to the switch and back, an average of each half, which GPUs that
            // share a port send at a time, and an all-gather inside
            const double sharers = attach == Attach::SERVER ? 2 : 1;
            Expect({MakeChain({task})},
                   1,
                   8,
                   2 * SERVER_LATENCY + PORT_LATENCY +
                       (1.5 * BUFFER_BYTES + 2 * FRAME_HEADER_BYTES) / SERVER_BYTE_RATE +
                       8 * sharers * (BUFFER_BYTES / 2.0 + FRAME_HEADER_BYTES) / m_fabric.bitRate);
        }
    }

    /// Searches plans on servers, and compares them with those of the rule of Megatron-LM.
    void TestServerSearch()
    {
        for (const auto& name : {"sip-ocs", "sip-ring", "electrical"})
        {
            for (const Attach attach : {Attach::RAIL, Attach::SERVER})
            {
                PlanningProblem problem = MakeStageProblem(
                    "gpt2-xl:layers=4,hidden=1024,heads=8,feedForward=4096,vocabulary=1024",
                    16,
                    32);
                problem.fabric = MakeFabric(name, ServerLayout::Create(attach, 4), 16);
                const auto planner = Planner::Create("search");
                planner->SetAttribute("MaxEvaluations", UintegerValue(60));
                const TrainingPlan plan = planner->Plan(problem);
                const double megatron = Planner::Create("megatron")->Plan(problem).predictedSeconds;
                NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.predictedSeconds, megatron, name);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.lowerBoundSeconds, plan.predictedSeconds, name);
            }
        }
    }

    /// Says what it would cost to have tensor parallelism across servers.
    void TestServerDecision()
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(4));
        PlanningProblem problem = MakeStageProblem(
            "gpt2-xl:layers=4,hidden=1024,heads=8,feedForward=4096,vocabulary=1024",
            16,
            32);
        problem.fabric = MakeFabric("electrical", ServerLayout::Create(Attach::RAIL, 4), 16);
        problem.fabric.bitRate = 100e9;
        const TrainingPlan plan = planner->Plan(problem);
        const auto decisions = ServerDecisions::Find(problem, plan);
        NS_TEST_ASSERT_MSG_EQ(decisions.size(), 2, "Both axes can be moved");
        problem.placement = "dp,tp,pp";
        const double across = planner->Plan(problem).predictedSeconds;
        NS_TEST_EXPECT_MSG_EQ_TOL(decisions[0].seconds, across, 1e-9 * across, "As if so placed");
        NS_TEST_EXPECT_MSG_GT(across, 1.05 * plan.predictedSeconds, "Slower");
        const std::string text = ServerDecisions::Describe(
            {{"tensor parallelism", true, 1.12}, {"data parallelism", false, 1}},
            1);
        NS_TEST_EXPECT_MSG_EQ(text,
                              "tensor parallelism stays inside: 12 % slower across; "
                              "data parallelism goes across: as fast inside",
                              "In words");
    }

  private:
    /**
     * @param traffic the bytes by source and destination rank
     * @param places the place of each rank
     * @param fabric the fabric, with a quarter of the rate inside
     * @return the most bytes on a link, those inside servers counted as a quarter
     */
    static double GetMost(const TrafficMatrix& traffic,
                          const std::vector<uint32_t>& places,
                          const FabricLimits& fabric)
    {
        const ServerLayout& layout = fabric.servers.layout;
        TrafficMatrix moved(traffic.GetSize());
        for (uint32_t source = 0; source < traffic.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : traffic.GetRow(source))
            {
                moved.Add(places[source], places[destination], bytes);
            }
        }
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, double> loads;
        const TrafficMatrix inside = layout.GetInsideTraffic(moved);
        for (uint32_t source = 0; source < inside.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : inside.GetRow(source))
            {
                loads[{0, 0, source}] += bytes / 4.0;
                loads[{1, 0, destination}] += bytes / 4.0;
            }
        }
        for (uint32_t rail = 0; rail < layout.GetNRails(); ++rail)
        {
            const TrafficMatrix ports = layout.GetRailTraffic(moved, rail);
            const uint32_t n = ports.GetSize();
            for (uint32_t source = 0; source < n; ++source)
            {
                for (const auto& [destination, bytes] : ports.GetRow(source))
                {
                    const uint32_t hops = (destination + n - source) % n;
                    const double share = 2 * hops == n ? 0.5 : 1;
                    for (uint32_t i = 0; fabric.isRing && i < n; ++i)
                    {
                        // Segment i of the way clockwise, or of the rest of the ring
                        const bool isOnWay = (i + n - source) % n < hops;
                        const bool isTaken = isOnWay ? 2 * hops <= n : 2 * hops >= n;
                        loads[{isOnWay ? 2 : 3, rail, i}] += isTaken ? share * bytes : 0;
                    }
                    if (!fabric.isRing)
                    {
                        loads[{2, rail, source}] += bytes;
                        loads[{3, rail, destination}] += bytes;
                    }
                }
            }
        }
        double most = 0;
        for (const auto& [link, bytes] : loads)
        {
            most = std::max(most, bytes);
        }
        return most;
    }

    /**
     * @param fabric a fabric
     * @param plan a plan
     * @return its price; infinite if the fabric refuses it
     */
    static double TryPrice(const FabricLimits& fabric, const TrainingPlan& plan)
    {
        try
        {
            return CostModel(fabric).Price(plan).seconds;
        }
        catch (const std::invalid_argument&)
        {
            return std::numeric_limits<double>::infinity();
        }
    }

    /**
     * @param task a message
     * @return the message between stages
     */
    static Task Address(Task task)
    {
        task.group = PIPELINE_GROUP;
        return task;
    }

    /**
     * @param name the name of a fabric
     * @param layout the servers
     * @param gpus the number of GPUs
     * @return its limits, with the same latency for all paths
     */
    static FabricLimits MakeFabric(const std::string& name,
                                   const ServerLayout& layout,
                                   uint32_t gpus)
    {
        const auto helper = FabricHelper::Create(name);
        FabricLimits fabric = FabricDescription::Create(*helper)->GetLimits(layout.GetNPorts(gpus));
        fabric.latency = PORT_LATENCY;
        fabric.pathLatency = nullptr;
        fabric.servers.layout = layout;
        fabric.servers.bitRate = 8 * SERVER_BYTE_RATE;
        fabric.servers.latency = SERVER_LATENCY;
        return fabric;
    }

    /**
     * @param name the name of a fabric
     * @param ports the number of its ports
     * @return the rate of a port to the next one if it has no other peer, bytes/s
     */
    static double GetRingRate(const std::string& name, uint32_t ports)
    {
        const FabricLimits fabric =
            FabricDescription::Create(*FabricHelper::Create(name))->GetLimits(ports);
        if (fabric.allocators.empty())
        {
            return fabric.bitRate / 8;
        }
        TrafficMatrix traffic(ports);
        for (uint32_t port = 0; port < ports; ++port)
        {
            traffic.Add(port, (port + 1) % ports, 1 << 20);
        }
        const auto lanes = fabric.allocators.front()->Allocate(traffic).plan.GetLanes(0, 1).size();
        return static_cast<double>(lanes) * fabric.laneRate / 8;
    }

    /**
     * @param programs the programs of the stages
     * @param tensor the number of GPUs of a stage of a replica
     * @param replicas the number of replicas
     * @param isQuick whether the price is a quick one
     * @return the time that they take
     */
    double Price(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                 uint32_t tensor,
                 uint32_t replicas,
                 bool isQuick = false) const
    {
        TrainingPlan plan;
        plan.strategy.tensorParallel = tensor;
        plan.strategy.dataParallel = replicas;
        plan.strategy.pipelineParallel = programs.size();
        ReplicaLayout::ApplyStages(programs, plan);
        const CostModel model(m_fabric);
        return (isQuick ? model.Estimate(plan) : model.Price(plan)).seconds;
    }

    /**
     * @param programs the programs of the stages
     * @param tensor the number of GPUs of a stage of a replica
     * @param replicas the number of replicas
     * @param seconds the time that they take
     */
    void Expect(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                uint32_t tensor,
                uint32_t replicas,
                double seconds)
    {
        const auto what = std::to_string(tensor) + " GPUs, " + std::to_string(replicas) +
                          " replicas, " + std::to_string(programs.size()) + " stages";
        NS_TEST_EXPECT_MSG_EQ_TOL(Price(programs, tensor, replicas, true),
                                  seconds,
                                  1e-9 * seconds,
                                  what << ", quick");
        // Messages that are followed end at ticks, of which there is one a step. On a port that
        // GPUs share, they go one after the other, and those of the first go on sooner
        const double price = Price(programs, tensor, replicas);
        const double most = seconds + MOST_STEPS * TimeStep(1).GetSeconds();
        const ServerLayout& layout = m_fabric.servers.layout;
        const auto ranks = static_cast<uint32_t>(tensor * replicas * programs.size());
        NS_TEST_EXPECT_MSG_LT_OR_EQ(price, most, what);
        if (layout.GetNPorts(ranks) * layout.GetNRails() == ranks)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(price, seconds * (1 - 1e-9) - SERVER_LATENCY, what);
        }
    }

    static constexpr double MOST_STEPS = 14; //!< Most steps, one after the other

    FabricLimits m_fabric; //!< The fabric
};

/// Registers the test cases
static const SuiteCases g_serverPriceCases(
    "lightpath-planner-servers",
    {{MakeCase("Servers on lightpaths", &ServerPriceTests::TestServerPrices, "sip-ocs", "rail"),
      MakeCase("Servers on lightpaths", &ServerPriceTests::TestServerPrices, "sip-ocs", "gpu"),
      MakeCase("Servers on lightpaths", &ServerPriceTests::TestServerPrices, "sip-ocs", "server"),
      MakeCase("Servers on a ring", &ServerPriceTests::TestServerPrices, "sip-ring", "rail"),
      MakeCase("Servers on a ring", &ServerPriceTests::TestServerPrices, "sip-ring", "server"),
      MakeCase("Servers at a switch", &ServerPriceTests::TestServerPrices, "electrical", "rail"),
      MakeCase("Servers at a switch", &ServerPriceTests::TestServerPrices, "electrical", "gpu"),
      MakeCase("Servers at a switch", &ServerPriceTests::TestServerPrices, "electrical", "server"),
      MakeCase("Messages cross rails inside servers", &ServerPriceTests::TestCrossedRails),
      MakeCase("Links in place of a switch inside", &ServerPriceTests::TestLinkedServers),
      MakeCase("Exchanges find the best of a few ranks in servers",
               &ServerPriceTests::TestServerArrangement),
      MakeCase("No placement in servers has a lower price", &ServerPriceTests::TestBestPlacement),
      MakeCase("A search finds nothing worse than Megatron's rule in servers",
               &ServerPriceTests::TestServerSearch),
      MakeCase("Servers decide where tensor parallelism goes",
               &ServerPriceTests::TestServerDecision),
      MakeCase("Fabrics that average refuse other groups than theirs",
               &ServerPriceTests::TestServerRefusals),
      MakeCase("A sum inside servers comes before the average between them",
               &ServerPriceTests::TestServerAverages)}});
