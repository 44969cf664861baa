/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/base/wire-format.h"
#include "model/planner/build/replica-layout.h"
#include "model/planner/price/cost-model.h"
#include "planner-tests.h"

#include "ns3/fabric-helper.h"
#include "ns3/server-layout.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Rate of a GPU inside its server, bytes/s
constexpr double INSIDE_RATE = 300e9;

/// Latency of a message there, seconds
constexpr double INSIDE_LATENCY = 1e-6;

/// Latency of a message between servers, seconds
constexpr double LATENCY = 5e-6;

/// Size of a buffer, bytes
constexpr uint64_t BYTES = 80000000;

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
            return INSIDE_LATENCY + (bytes + FRAME_HEADER_BYTES) / INSIDE_RATE;
        };
        const auto outside = [&](double bytes) {
            return LATENCY + sharers * (bytes + FRAME_HEADER_BYTES) / rate;
        };
        // Tensor parallelism inside: 2 (g - 1) steps of S / g
        Expect({MakeChain({MakeCollective(0, 0, BYTES)})}, 2, 4, 2 * inside(BYTES / 2.0));
        // Replicas of one index on 4 servers: 2 (p - 1) steps of S / p
        Expect({MakeChain({MakeCollective(1, 0, BYTES)})}, 2, 4, 6 * outside(BYTES / 4.0));
        // Two levels: a reduce-scatter inside, rings of both indices across, an all-gather inside
        Task task = MakeCollective(1, 0, BYTES);
        task.options.local = 2;
        Expect({MakeChain({task})}, 1, 8, 2 * inside(BYTES / 2.0) + 6 * outside(BYTES / 8.0));
        // Two stages on two servers each: both GPUs of a part send at the same time
        Task send = MakeMessage(TaskKind::SEND, 1, 0, BYTES);
        Task receive = MakeMessage(TaskKind::RECEIVE, 0, 0, BYTES);
        send.group = receive.group = 2;
        Expect({MakeChain({send}), MakeChain({receive})}, 2, 2, outside(BYTES));
    }

    /// Prices an all-to-all that crosses rails, or shares cards.
    void TestCrossedRails()
    {
        const double chunk = BYTES / 4.0 + FRAME_HEADER_BYTES;
        for (const auto& name : {"sip-ocs", "electrical"})
        {
            const Task task = MakeCollective(1, 0, BYTES, CollectiveKind::ALL_TO_ALL);
            const auto program = MakeChain({task});
            ServerLayout layout = ServerLayout::Create(Attach::RAIL, 2);
            // Each rail carries what both GPUs of a server have for its GPU in the other one
            m_fabric = MakeFabric(name, layout, 4);
            const double rate = GetRingRate(name, 2);
            Expect({program}, 1, 4, INSIDE_LATENCY + LATENCY + 2 * chunk / rate);
            // The one card carries all
            m_fabric = MakeFabric(name, ServerLayout::Create(Attach::SERVER, 2), 4);
            Expect({program}, 1, 4, LATENCY + 4 * chunk / rate);
            // On a port of its own, a GPU has half of its rate for each of two others
            m_fabric = MakeFabric(name, ServerLayout::Create(Attach::GPU, 2), 4);
            Expect({program}, 1, 4, LATENCY + 2 * chunk / rate);
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
        const double part = BYTES / 4.0 + FRAME_HEADER_BYTES;
        // A ring takes one link of each GPU; a direct exchange all three of a mesh
        Expect({MakeChain({MakeCollective(0, 0, BYTES)})},
               4,
               2,
               6 * (INSIDE_LATENCY + part / 100e9));
        const auto exchange = MakeChain({MakeCollective(0, 0, BYTES, CollectiveKind::ALL_TO_ALL)});
        Expect({exchange}, 4, 2, INSIDE_LATENCY + part / 100e9);
        // On a ring of links the GPU opposite is two links away: those clockwise carry its
        // messages and those of both of the neighbours
        m_fabric.servers.isRing = true;
        Expect({exchange}, 4, 2, 2 * INSIDE_LATENCY + 3 * part / 100e9);
    }

  private:
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
        FabricLimits fabric = helper->GetLimits(layout.GetNPorts(gpus));
        fabric.latency = LATENCY;
        fabric.pathLatency = nullptr;
        fabric.servers.layout = layout;
        fabric.servers.bitRate = 8 * INSIDE_RATE;
        fabric.servers.latency = INSIDE_LATENCY;
        return fabric;
    }

    /**
     * @param name the name of a fabric
     * @param ports the number of its ports
     * @return the rate of a port to the next one if it has no other peer, bytes/s
     */
    static double GetRingRate(const std::string& name, uint32_t ports)
    {
        const FabricLimits fabric = FabricHelper::Create(name)->GetLimits(ports);
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
     * @return the time that they take
     */
    double Price(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                 uint32_t tensor,
                 uint32_t replicas) const
    {
        TrainingPlan plan;
        plan.strategy.tensorParallel = tensor;
        plan.strategy.dataParallel = replicas;
        plan.strategy.pipelineParallel = programs.size();
        ReplicaLayout::ApplyStages(programs, plan);
        return CostModel(m_fabric).Price(plan).seconds;
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
        NS_TEST_EXPECT_MSG_EQ_TOL(Price(programs, tensor, replicas),
                                  seconds,
                                  1e-9 * seconds,
                                  tensor << " GPUs, " << replicas << " replicas, "
                                         << programs.size() << " stages");
    }

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
      MakeCase("Links in place of a switch inside", &ServerPriceTests::TestLinkedServers)}});
