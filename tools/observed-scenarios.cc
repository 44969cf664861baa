/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "observed-scenarios.h"

#include "ns3/accelerator.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/circuit-controller.h"
#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/fixed-planner.h"
#include "ns3/inet-socket-address.h"
#include "ns3/model-zoo.h"
#include "ns3/oddl-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint16_t PORT = 9; //!< Where applications receive

/**
 * @param fabric the helper that installs devices
 * @param nNodes the number of nodes
 * @param end when nothing moves any more
 * @return new nodes on the fabric, without addresses and applications
 */
Scenario
Install(std::unique_ptr<FabricHelper> fabric, uint32_t nNodes, Time end)
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8948));
    Scenario scenario;
    scenario.nodes.Create(nNodes);
    scenario.devices = fabric->Install(scenario.nodes);
    scenario.fabric = std::move(fabric);
    scenario.end = end;
    return scenario;
}

} // namespace

Scenario
MakeCircuit()
{
    auto ring = std::make_unique<SipRingHelper>();
    ring->SetBandwidth(DataRate("500Gbps"));
    ring->SetQueueAttribute("MaxSize", StringValue("200p"));
    ring->DisableFlowControl();
    Scenario scenario = Install(std::move(ring), 2, MilliSeconds(10));
    const auto interfaces = scenario.fabric->AssignAddresses(scenario.devices);
    const auto errors = CreateObject<RateErrorModel>();
    errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate(0.02);
    scenario.devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));

    const InetSocketAddress sink(interfaces.GetAddress(1), PORT);
    PacketSinkHelper("ns3::UdpSocketFactory", sink).Install(scenario.nodes.Get(1));
    OnOffHelper source("ns3::UdpSocketFactory", sink);
    source.SetConstantRate(DataRate("600Gbps"), 1400);
    source.SetAttribute("MaxBytes", UintegerValue(7000000));
    source.Install(scenario.nodes.Get(0));
    TrafficMatrix demand(2);
    demand.Add(0, 1, 1);
    const auto controller = scenario.fabric->CreateController(scenario.devices);
    Simulator::ScheduleNow(&CircuitController::Start, controller, demand);
    return scenario;
}

Scenario
MakeRing(uint32_t nNodes, uint64_t bytes, uint32_t turns)
{
    Config::SetDefault("ns3::FqCoDelQueueDisc::MaxSize", StringValue("10p"));
    auto ring = std::make_unique<SipRingHelper>();
    ring->SetBandwidth(DataRate("500Gbps"));
    ring->SetChannelAttribute("SwitchingDelay", StringValue("20us"));
    ring->SetQueueAttribute("MaxSize", StringValue("10p"));
    Scenario scenario = Install(std::move(ring), nNodes, Seconds(5));
    const auto interfaces = scenario.fabric->AssignAddresses(scenario.devices);

    TrafficMatrix demands[2] = {TrafficMatrix(nNodes), TrafficMatrix(nNodes)};
    TrafficMatrix both(nNodes);
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        for (uint32_t turn = 0; turn < 2; ++turn)
        {
            const uint32_t peer = (node + (turn == 0 ? 1 : nNodes / 2)) % nNodes;
            for (TrafficMatrix* demand : {&demands[turn], &both})
            {
                demand->Add(node, peer, 100);
                demand->Add(peer, node, 1);
            }
            BulkSendHelper source("ns3::TcpSocketFactory",
                                  InetSocketAddress(interfaces.GetAddress(peer), PORT));
            source.SetAttribute("MaxBytes", UintegerValue(bytes));
            source.Install(scenario.nodes.Get(node));
        }
        PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT))
            .Install(scenario.nodes.Get(node));
    }
    const auto controller = scenario.fabric->CreateController(scenario.devices);
    for (uint32_t turn = 0; turn <= turns; ++turn)
    {
        Simulator::Schedule(turn * MicroSeconds(200),
                            &CircuitController::Start,
                            controller,
                            turn < turns ? demands[turn % 2] : both);
    }
    return scenario;
}

Scenario
MakeTraining()
{
    auto grid = std::make_unique<OddlHelper>();
    grid->SetBandwidth(DataRate("400Gbps"));
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("transformer:layers=1,hidden=64,heads=4,vocabulary=1000");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = 4;
    problem.globalBatch = 4;
    problem.fabric = grid->GetLimits(problem.gpus);
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(problem.gpus));

    Scenario scenario = Install(std::move(grid), problem.gpus, Seconds(1));
    scenario.fabric->AssignAddresses(scenario.devices);
    TrainingHelper training;
    training.SetTransport("ns3::lightpath::SocketTransport");
    training.Install(planner->Plan(problem), scenario.devices, nullptr);
    return scenario;
}

Scenario
MakeScenario(const std::string& name)
{
    if (name == "circuit")
    {
        return MakeCircuit();
    }
    if (name == "ring")
    {
        return MakeRing(4, 5000000, 100);
    }
    if (name == "training")
    {
        return MakeTraining();
    }
    throw std::invalid_argument("There is no scenario '" + name +
                                "': the known ones are circuit, ring, training");
}
