/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "training-fixture.h"

#include "ns3/accelerator.h"
#include "ns3/cluster-helper.h"
#include "ns3/collective-schedule.h"
#include "ns3/data-rate.h"
#include "ns3/datacenter-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/hybrid-helper.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/server-preset.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/string.h"
#include "ns3/torus-helper.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param name the name of a fabric, which a transport may follow
 * @return servers of 8 GPUs with 2.4 Tb/s inside, and 1 Tb/s a GPU into the fabric
 */
std::unique_ptr<ServerHelper>
MakeServersOn(const std::string& name)
{
    auto outside = InterconnectHelper::Create(name.substr(0, name.find(':')));
    if (auto* const switches = dynamic_cast<DatacenterHelper*>(outside.get());
        switches && Contains(name, "dctcp"))
    {
        switches->EnableMarking();
    }
    if (auto* const leafSpine = dynamic_cast<LeafSpineHelper*>(outside.get()))
    {
        leafSpine->SetNodesPerLeaf(4);
    }
    if (auto* const fabric = dynamic_cast<FabricHelper*>(outside.get()))
    {
        fabric->DisableFlowControl();
    }
    auto servers = std::make_unique<ServerHelper>(std::move(outside));
    servers->SetServers(8, DataRate("2400Gbps"), MicroSeconds(1));
    servers->SetBandwidth(DataRate("1000Gbps"));
    return servers;
}

/// The names of attachments.
const std::vector<std::pair<std::string, Attach>> ATTACHMENTS = {{"gpu", Attach::GPU},
                                                                 {"rail", Attach::RAIL},
                                                                 {"server", Attach::SERVER}};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the helper of servers, and of their presets.
 */
class ServerHelperTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Presets have the figures of data sheets: GPUs that share a network, its rate both ways in
     * GB/s (twice that in one direction), cards, and Gb/s of a card.
     */
    void TestPresets()
    {
        const std::map<std::string, std::vector<uint32_t>> sheets = {
            {"dgx-v100", {8, 300, 4, 100}},
            {"dgx-a100", {8, 600, 8, 200}},
            {"dgx-h100", {8, 900, 8, 400}},
            {"dgx-h200", {8, 900, 8, 400}},
            {"hgx-b200", {8, 1800, 8, 400}},
            {"gb200-nvl72", {72, 1800, 72, 400}},
            {"hgx-b300", {8, 1800, 8, 800}},
            {"gb300-nvl72", {72, 1800, 72, 800}},
            {"rubin-nvl144", {72, 3600, 72, 1600}},
            {"mi300x", {8, 896, 8, 400}},
            {"mi355x", {8, 2 * 7 * 153 / 2, 8, 400}},
            // Six links of 45 or 100 GB/s are all that a chip has
            {"tpu-v4", {1, 0, 1, 6 * 45 * 8}},
            {"tpu-v7", {1, 0, 1, 6 * 100 * 8}},
        };
        NS_TEST_EXPECT_MSG_EQ(ServerPreset::GetNames().size(), sheets.size(), "all of them");
        for (const auto& [name, sheet] : sheets)
        {
            NS_TEST_ASSERT_MSG_EQ(ServerPreset::CheckName(name), "", name);
            ServerHelper servers(InterconnectHelper::Create("electrical"));
            ServerPreset::Get(name).Configure(servers);
            const FabricLimits limits = FabricDescription::Create(servers)->GetLimits(2 * sheet[0]);
            const ServerLayout& layout = limits.servers.layout;
            NS_TEST_EXPECT_MSG_EQ(layout.gpus, sheet[0], "GPUs of " << name);
            if (sheet[0] > 1)
            {
                NS_TEST_EXPECT_MSG_EQ(limits.servers.bitRate,
                                      sheet[1] * 8e9 / 2,
                                      "rate of " << name);
            }
            NS_TEST_EXPECT_MSG_EQ(layout.GetNCards(), sheet[2], "cards of " << name);
            NS_TEST_EXPECT_MSG_EQ(limits.bitRate, sheet[3] * 1e9, "rate of a card of " << name);
            NS_TEST_EXPECT_MSG_EQ(layout.hasRails, (sheet[0] == sheet[2]), "rails of " << name);
            // Those with which the calibration was made (data/calibration.json)
            NS_TEST_EXPECT_MSG_EQ_TOL(limits.servers.latency, 1.9e-6, 1e-12, "inside " << name);
            NS_TEST_EXPECT_MSG_EQ_TOL(limits.latency, 4e-6, 1e-12, "between " << name);
        }
        EXPECT_PART(ServerPreset::CheckName("dgx-1"), "no server 'dgx-1': the known ones are dgx-");
    }

    /// Networks of switches join all cards, and a leaf has whole servers, or a rail of them.
    void TestLeaves()
    {
        const auto make = [](const std::string& name, const std::string& preset) {
            auto servers = std::make_unique<ServerHelper>(InterconnectHelper::Create(name));
            ServerPreset::Get(preset).Configure(*servers);
            return servers;
        };
        for (const std::string name :
             {"leaf-spine", "leaf-spine-flows", "fat-tree-flows", "dragonfly", "rail-optimised"})
        {
            const ServerLayout layout = make(name, "dgx-h100")->GetLayout(64);
            NS_TEST_EXPECT_MSG_EQ(layout.GetNRails(), 1, name);
            NS_TEST_EXPECT_MSG_EQ(layout.GetNPorts(64), 64, name);
        }
        const auto check = [&](const std::string& name,
                               const std::string& preset,
                               const std::string& component,
                               bool isThere) {
            const std::string refusal = make(name, preset)->CheckComponent(component, 144);
            NS_TEST_EXPECT_MSG_EQ(refusal.empty(), isThere, name << ", " << component);
        };
        check("leaf-spine-flows", "gb200-nvl72", "link:gpu-71:leaf-0", true);
        check("leaf-spine-flows", "gb200-nvl72", "link:gpu-72:leaf-1", true);
        check("leaf-spine-flows", "dgx-h100", "link:gpu-7:leaf-0", true);
        check("leaf-spine-flows", "dgx-h100", "link:gpu-8:leaf-1", true);
        // Two servers of four cards are on a leaf of eight
        check("leaf-spine-flows", "dgx-v100", "link:gpu-7:leaf-0", true);
        check("rail-optimised", "gb200-nvl72", "link:gpu-143:rail-71-leaf-0", true);
        check("rail-optimised", "dgx-h100", "link:gpu-143:rail-7-leaf-0", true);
        check("rail-optimised", "dgx-h100", "switch:spine-17", true);
        check("rail-optimised", "dgx-h100", "switch:spine-18", false);
        const auto rails = make("rail-optimised", "dgx-h100");
        rails->SetAttach(Attach::RAIL);
        EXPECT_PART(rails->Check(64), "one such network for each of 8 rails");
        NS_TEST_EXPECT_MSG_EQ(IsSentence(rails->Check(64)), true, rails->Check(64));
    }

    /// Values that do not fit together are refused in one sentence.
    void TestRefusals()
    {
        const auto refuse = [this](uint32_t n, const std::string& part, auto set) {
            const auto servers = MakeServersOn("sip-ocs");
            set(*servers);
            const std::string sentence = servers->Check(n);
            EXPECT_PART(sentence, part);
            NS_TEST_EXPECT_MSG_EQ(IsSentence(sentence), true, "one sentence: " << sentence);
            EXPECT_PART(GetAbort([&] { servers->Install(NodeContainer(n)); }), part);
        };
        refuse(16, "There are no servers of 0 GPUs", [](auto& it) {
            it.SetServers(0, DataRate("1Gbps"));
        });
        refuse(16, "a rate of 0 bit/s", [](auto& it) { it.SetServers(8, DataRate(0)); });
        refuse(16, "a delay of -1", [](auto& it) {
            it.SetServers(8, DataRate("1Gbps"), Seconds(-1));
        });
        refuse(16,
               "no scale-up network 'star': the known ones are mesh, ring, switch",
               [](auto& it) { it.SetKind("star"); });
        refuse(16, "8 GPUs of a server cannot share 3 cards evenly", [](auto& it) {
            it.SetAttach(Attach::CARDS, 3);
        });
        refuse(16, "4 cards of a server cannot be attached by 'gpu'", [](auto& it) {
            it.SetAttach(Attach::GPU, 4);
        });
        refuse(20, "20 GPUs leave a server of 8 incomplete", [](auto&) {});
        refuse(16, "The links of a mesh cannot sum", [](auto& it) {
            it.SetKind("mesh");
            it.SetReduces(true);
        });
        const auto slow = MakeServersOn("sip-ocs");
        slow->SetBandwidth(DataRate(1));
        NS_TEST_EXPECT_MSG_EQ(slow->Check(16), slow->GetOutside().Check(2), "that of the fabric");
        NS_TEST_EXPECT_MSG_EQ(slow->Check(16).empty(), false, "1 bit/s");
        NS_TEST_EXPECT_MSG_EQ(slow->Check(8), "", "nothing is outside");
        const auto averaging = MakeServersOn("optinc");
        for (const auto& [name, attach] : ATTACHMENTS)
        {
            averaging->SetAttach(attach);
            const std::string sentence = averaging->Check(16);
            NS_TEST_EXPECT_MSG_EQ(sentence.empty(), (name != "gpu"), "OptINC by " << name);
            NS_TEST_EXPECT_MSG_EQ((sentence.empty() || IsSentence(sentence)), true, sentence);
        }
        EXPECT_PART(ServerHelper::CheckOutside(ClusterHelper()), "servers of its own");
        EXPECT_PART(ServerHelper::CheckOutside(*averaging), "servers of its own");
        EXPECT_PART(GetAbort([] { ServerPreset::Get("dgx"); }), "There is no server 'dgx'");
    }

    /**
     * Servers of four GPUs, of which there is one: nothing is installed outside, so that any fabric
     * can be there, also one that does not join a single port.
     *
     * @param name the name of the fabric
     */
    void TestAlone(const std::string& name)
    {
        ServerHelper servers(InterconnectHelper::Create(name));
        servers.SetServers(4, DataRate("8Gbps"), NanoSeconds(100));
        if (auto* const torus = dynamic_cast<TorusHelper*>(&servers.GetOutside()))
        {
            torus->SetTwisted(true);
        }
        NS_TEST_ASSERT_MSG_EQ(servers.Check(4), "", name);
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(servers)->GetLimits(4).servers.bitRate,
                              8e9,
                              "Rate inside");
        NS_TEST_EXPECT_MSG_GT(FabricDescription::Create(servers)->GetLimits(4).bitRate,
                              0,
                              "Rate outside");
        std::vector<RankProgram> programs(4);
        programs[1].AddTask(Message(TaskKind::SEND, 2, 7, 966));
        programs[2].AddTask(Message(TaskKind::RECEIVE, 1, 7, 966));
        const auto devices = servers.Install(NodeContainer(4));
        NS_TEST_EXPECT_MSG_EQ(devices.GetN(), 4, "No port outside");
        TrainingHelper training;
        training.SetServerAttribute("FrameSize", UintegerValue(0));
        const auto job =
            TrainingHelper::GetJob(training.Install(MakePlan(programs), servers, devices));
        Simulator::Run();
        // 34 bytes of headers
        NS_TEST_EXPECT_MSG_EQ_TOL(TrainingReport(job).iterationSeconds.front(),
                                  1.1e-6,
                                  1e-12,
                                  "1000 bytes of 1 ns, and the delay");
        Simulator::Destroy();
    }

    /// Each component of servers has a name, and no other name is accepted.
    void TestComponents()
    {
        const auto servers = MakeServersOn("sip-ring");
        for (const std::string name : {"rail:7", "card:1:7", "scale-up:1", "rail:3:segment:1:cw"})
        {
            NS_TEST_EXPECT_MSG_EQ(servers->CheckComponent(name, 16), "", name);
        }
        const std::map<std::string, std::string> wrong = {
            {"rail:8", "8 must be less than 8"},
            {"card:2:0", "2 must be less than 2"},
            {"scale-up:2", "2 must be less than 2"},
            {"segment:1:cw", "servers have scale-up:SERVER"},
            {"rail:3:segment:2:cw", "2 must be less than 2"},
            {"", "There is no component ''"}};
        for (const auto& [name, part] : wrong)
        {
            EXPECT_PART(servers->CheckComponent(name, 16), part);
        }
        for (const std::string name : {"rail:0", "rail:0:segment:1:cw"})
        {
            EXPECT_PART(servers->CheckComponent(name, 8), "a single server has no fabric");
        }
        servers->SetAttach(Attach::SERVER);
        NS_TEST_EXPECT_MSG_EQ(servers->CheckComponent("segment:1:cw", 16), "", "the only fabric");
        const auto network = MakeServersOn("leaf-spine");
        EXPECT_PART(network->CheckComponent("rail:0:segment:1:cw", 16), "rail:RAIL");
    }

    /**
     * Devices are where the layout says, and are found again; a card has the rate of its GPUs.
     *
     * @param attach how GPUs are attached
     * @param cards the cards of a server; 0 for the usual number
     * @param rails the number of fabrics
     * @param ports the number of ports of each
     * @param gigabits the rate of a port, Gbit/s
     */
    void TestDevices(std::string attach,
                     uint32_t cards,
                     uint32_t rails,
                     uint32_t ports,
                     uint64_t gigabits)
    {
        const auto servers = MakeServersOn("electrical");
        servers->SetAttach(AttachName::Find(attach), cards);
        NodeContainer nodes(24);
        const NetDeviceContainer devices = servers->Install(nodes);
        NS_TEST_ASSERT_MSG_EQ(devices.GetN(), 24 + rails * ports, "devices");
        const ServerDevices all = servers->Split(devices);
        NS_TEST_ASSERT_MSG_EQ(all.inside.GetN(), 24, "a device inside for each");
        NS_TEST_ASSERT_MSG_EQ(all.rails.size(), rails, "fabrics");
        std::set<Ptr<Channel>> channels;
        for (uint32_t place = 0; place < 24; ++place)
        {
            const auto device = all.inside.Get(place);
            NS_TEST_EXPECT_MSG_EQ(device->GetNode(), nodes.Get(place), "node of " << place);
            NS_TEST_EXPECT_MSG_EQ(device->GetChannel()->GetDevice(place % 8), device, "its index");
            channels.insert(device->GetChannel());
        }
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            NS_TEST_ASSERT_MSG_EQ(all.rails[rail].GetN(), ports, "ports of " << rail);
            channels.insert(all.rails[rail].Get(0)->GetChannel());
            for (uint32_t port = 0; port < ports; ++port)
            {
                const uint32_t place = all.layout.GetFirstPlace(rail, port);
                const auto device = all.rails[rail].Get(port);
                NS_TEST_EXPECT_MSG_EQ(device->GetNode(), nodes.Get(place), "node of a card");
                NS_TEST_EXPECT_MSG_EQ(all.layout.GetPort(place), port, "its port");
                NS_TEST_EXPECT_MSG_EQ(all.layout.GetRail(place), rail, "its rail");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(channels.size(), 3 + rails, "fabrics that never meet");
        DataRateValue rate;
        all.rails[0].Get(0)->GetChannel()->GetAttribute("LinkRate", rate);
        NS_TEST_EXPECT_MSG_EQ(rate.Get().GetBitRate(), gigabits * 1000000000, "rate of a card");
        // Addresses of all rails differ
        const Ipv4InterfaceContainer interfaces = servers->AssignAddresses(devices);
        std::set<uint32_t> addresses;
        for (uint32_t i = 0; i < interfaces.GetN(); ++i)
        {
            addresses.insert(interfaces.GetAddress(i).Get());
        }
        NS_TEST_EXPECT_MSG_EQ(addresses.size(), rails * ports, "addresses");
        NetDeviceContainer few;
        few.Add(devices.Get(0));
        few.Add(devices.Get(1));
        few.Add(devices.Get(0));
        EXPECT_PART(GetAbort([&] { servers->Split(few); }), "are not those of servers");
        Simulator::Destroy();
    }

    /**
     * A job runs on servers over any fabric, however they are attached, and takes about the time
     * that is predicted.
     *
     * @param fabric the fabric, which a transport may follow
     * @param attach how GPUs are attached
     */
    void TestJob(std::string fabric, std::string attach)
    {
        const auto servers = MakeServersOn(fabric);
        servers->SetAttach(AttachName::Find(attach));
        PlanningProblem problem;
        // Few packets where there are any
        const bool overSockets = Contains(fabric, "dctcp");
        problem.graph =
            ModelZoo::Create(std::string("gpt2-xl:layers=1,vocabulary=2048") +
                             (overSockets ? ",hidden=200,heads=25,feedForward=800" : ""));
        problem.accelerator = Accelerator::Create("A100");
        problem.gpus = 64;
        problem.globalBatch = 64;
        problem.fabric = FabricDescription::Create(*servers)->GetLimits(64);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(8));
        const TrainingPlan plan = planner->Plan(problem);
        NodeContainer nodes(64);
        const NetDeviceContainer devices = servers->Install(nodes);
        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(2));
        if (overSockets)
        {
            servers->AssignAddresses(devices);
            training.SetTransport("dctcp");
            training.SetTransportAttribute("Window", UintegerValue(4000000));
        }
        const auto applications = training.Install(plan, *servers, devices);
        const auto job = TrainingHelper::GetJob(applications);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(job->IsFinished(), true, "the job ends");
        const TrainingReport report(job);
        // The first iteration waits for circuits
        const double seconds = report.iterationSeconds.back();
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds,
                                  plan.predictedSeconds,
                                  (overSockets ? 0.25 : 0.05) * seconds,
                                  "the prediction");
        NS_TEST_EXPECT_MSG_GT(report.insideBytes, report.bytesSent / 2, "most bytes stay inside");
        Simulator::Destroy();
    }

  private:
    /**
     * @param text a message
     * @return true if it is one sentence
     */
    static bool IsSentence(const std::string& text)
    {
        return !text.empty() &&
               std::isupper(static_cast<unsigned char>(text.front())) +
                       std::isdigit(static_cast<unsigned char>(text.front())) >
                   0 &&
               text.back() != '.' && !Contains(text, ". ") && !Contains(text, "\n");
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of jobs on servers over each fabric, but those that are refused
 */
static std::vector<TestCase*>
MakeServerJobTests()
{
    std::vector<std::tuple<std::string, std::string>> table;
    for (const std::string fabric :
         {"sip-ring", "sip-ocs", "oddl", "optinc", "electrical", "leaf-spine:dctcp"})
    {
        for (const auto& attachment : ATTACHMENTS)
        {
            if (fabric != "optinc" || attachment.second != Attach::GPU)
            {
                table.emplace_back(fabric, attachment.first);
            }
        }
    }
    return MakeCases("A job on servers", &ServerHelperTests::TestJob, table);
}

/// Registers the test cases
static const SuiteCases g_serverHelperCases(
    "lightpath-server-helper",
    {{MakeCase("Presets have the figures of data sheets", &ServerHelperTests::TestPresets),
      MakeCase("Senseless servers are refused", &ServerHelperTests::TestRefusals),
      MakeCase("Leaves have whole servers", &ServerHelperTests::TestLeaves),
      MakeCase("Names of components", &ServerHelperTests::TestComponents)},
     MakeCases("One server",
               &ServerHelperTests::TestAlone,
               {{"electrical"},
                {"mixnet"},
                {"opera"},
                {"optinc"},
                {"photonic-rails"},
                {"rotornet"},
                {"sip-ring"},
                {"sirius"},
                {"topoopt"},
                {"torus"}}),
     MakeCases("Devices of servers",
               &ServerHelperTests::TestDevices,
               {{"gpu", 0, 1, 24, 1000},
                {"rail", 0, 8, 3, 1000},
                {"rail", 4, 4, 3, 2000},
                {"server", 0, 1, 3, 8000},
                {"cards", 2, 1, 6, 4000}}),
     MakeServerJobTests()});
