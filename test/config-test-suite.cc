/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/grid/oddl-control-unit.h"
#include "model/fabric/averaging-client.h"
#include "model/photonics/mesh-imperfections.h"
#include "training-fixture.h"

#include "ns3/circuit-controller.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/config.h"
#include "ns3/fabric-description.h"
#include "ns3/in-network-channel.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/oddl-helper.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/pointer.h"
#include "ns3/rdma-helper.h"
#include "ns3/rotor-helper.h"
#include "ns3/sip-ocs-helper.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Paths of channels, up to their type.
const std::string CHANNELS = "/ChannelList/*/$ns3::lightpath::";
/// Path of devices.
const std::string DEVICES = "/NodeList/*/DeviceList/*/$ns3::lightpath::OpticalNetDevice";
/// Path of cards for RDMA.
const std::string RDMA_DEVICES = "/NodeList/*/DeviceList/*/$ns3::lightpath::RdmaNetDevice";
/// Paths of applications, up to their type.
const std::string APPLICATIONS = "/NodeList/*/ApplicationList/*/$ns3::lightpath::";
/// Path of ranks.
const std::string RANK_PATH = APPLICATIONS + "TrainingApplication";

/**
 * @param name the name of a fabric
 * @return its helper, for four nodes
 */
std::unique_ptr<FabricHelper>
CreateFabric(const std::string& name)
{
    auto fabric = FabricHelper::Create(name);
    if (auto* const rotors = dynamic_cast<RotorHelper*>(fabric.get()))
    {
        rotors->SetNUplinks(4);
    }
    return fabric;
}

/**
 * Install a fabric with a controller and a training job.
 *
 * @param fabric the fabric
 * @param transport the type of the transport
 */
void
InstallJob(const FabricHelper& fabric,
           const std::string& transport = "ns3::lightpath::CircuitTransport")
{
    NodeContainer nodes(4);
    const auto devices = fabric.Install(nodes);
    TrainingHelper training;
    training.SetTransport(transport);
    if (transport == "ns3::lightpath::SocketTransport")
    {
        fabric.AssignAddresses(devices);
    }
    RankProgram program;
    program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 100000));
    training.Install(MakePlan(std::vector<RankProgram>(4, program)),
                     devices,
                     fabric.CreateController(devices));
}

/// Install a job on two fabrics.
void
InstallHybridJob()
{
    NodeContainer nodes(2);
    const auto ring = FabricHelper::Create("sip-ring");
    const auto optical = ring->Install(nodes);
    const auto electrical = FabricHelper::Create("electrical")->Install(nodes);
    RankProgram program;
    program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 100000));
    TrainingHelper().InstallHybrid(MakePlan({program, program}),
                                   optical,
                                   electrical,
                                   ring->CreateController(optical));
}

/// Install each fabric with each of its allocators and schedulers, and each transport.
void
InstallAll()
{
    for (const auto& name : FabricHelper::GetNames())
    {
        const auto fabric = CreateFabric(name);
        auto* const circuits = dynamic_cast<CircuitFabricHelper*>(fabric.get());
        if (!circuits)
        {
            InstallJob(*fabric,
                       dynamic_cast<RotorHelper*>(fabric.get())
                           ? "ns3::lightpath::RotorTransport"
                           : "ns3::lightpath::CircuitTransport");
            continue;
        }
        for (const auto& algorithm : circuits->GetAlgorithms())
        {
            circuits->SetAlgorithm(algorithm.name);
            circuits->SetChannelAttribute("PauseMode", StringValue("Partial"));
            circuits->SetChannelAttribute("SwitchingDelay", StringValue("1us"));
            InstallJob(*circuits);
        }
    }
    InstallJob(*FabricHelper::Create("electrical"), "ns3::lightpath::SocketTransport");
    OddlHelper grid;
    grid.SetInitiallySet(false);
    InstallJob(grid);
    for (const std::string averager : {"exact", "constructive", "mesh", "optical"})
    {
        OptIncHelper network;
        network.SetAverager(averager);
        if (averager == "mesh")
        {
            network.SetNetworkAttribute("Imperfections",
                                        PointerValue(CreateObject<MeshImperfections>()));
        }
        InstallJob(network);
    }
    InstallHybridJob();
    RdmaHelper(RdmaHelper::MakeGraph("leaf-spine")).Install(NodeContainer(4));
    SipOcsHelper switches;
    switches.SetConnected(true);
    InstallJob(switches, "ns3::lightpath::RelayTransport");
    OptIncHelper cascade;
    cascade.SetCascade("naive", 2);
    InstallJob(cascade);
}

/**
 * @return all types of the module
 */
std::set<TypeId>
GetTypes()
{
    std::set<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Lightpath")
        {
            types.insert(type);
        }
    }
    return types;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Paths of ns3::Config, and values as ConfigStore writes them.
 */
class ConfigTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A path reaches each trace source of the module.
    void TestTracePath()
    {
        InstallAll();
        Connect<Ptr<const Packet>>(DEVICES,
                                   {"MacTx",
                                    "MacTxDrop",
                                    "MacPromiscRx",
                                    "MacRx",
                                    "PhyTxBegin",
                                    "PhyTxEnd",
                                    "PhyTxDrop",
                                    "PhyRxEnd",
                                    "PhyRxDrop",
                                    "Sniffer",
                                    "PromiscSniffer",
                                    "Forward"});
        Connect<uint64_t, uint64_t>(DEVICES, {"ForwardBytes"});
        Connect<double, double>(DEVICES, {"Backlog", "Rate"});
        Connect<uint32_t>(DEVICES, {"LightpathUp", "LightpathDown"});
        Connect<uint32_t, uint64_t>(DEVICES, {"FrameBegin", "FrameEnd", "LightpathRate"});
        Connect<uint32_t, uint64_t, Time, Time>(DEVICES, {"ComputedFrame"});
        Connect<Ptr<const Packet>>(DEVICES + "/TxQueue", {"Enqueue", "Dequeue", "Drop"});
        Connect<Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time>(
            CHANNELS + "FabricChannel",
            {"TxRxPointToPoint"});
        Connect<const std::vector<uint32_t>&>(CHANNELS + "FabricChannel", {"LinkChange"});
        Connect<>(CHANNELS + "LightpathRoutes", {"Change"});
        ConnectFabrics();
        ConnectControl();
        ConnectRdma();
        Connect<const TaskEvent&>(RANK_PATH,
                                  {"TaskBegin", "TaskEnd", "CollectiveBegin", "CollectiveEnd"});
        Connect<uint32_t, uint32_t, uint64_t, uint64_t>(RANK_PATH,
                                                        {"MessageSent", "MessageReceived"});
        Connect<const ComputedMessage&>(RANK_PATH, {"ComputedMessage"});
        Connect<std::string>(RANK_PATH + "/Job", {"Failed"});
        Connect<>(RANK_PATH + "/Job", {"Finished"});
        Connect<uint32_t>(RANK_PATH + "/Job", {"IterationEnd"});
        Connect<uint32_t, uint32_t>(RANK_PATH + "/Job", {"PhaseBegin"});
        Connect<uint32_t, uint32_t, Time, Time>(RANK_PATH + "/Job", {"Wait"});
        Connect<Time, Time>(RANK_PATH + "/Job", {"IterationTime"});
        Connect<uint32_t, uint64_t, uint64_t>(RANK_PATH + "/Transport", {"Send"});
        Connect<uint32_t>(RANK_PATH + "/Transport/$ns3::lightpath::CircuitTransport",
                          {"SendAgain"});
        // They belong to no node and no channel, but to the program that made them, or to a queue
        // pair
        m_connected.insert("ns3::lightpath::RdmaCongestion::Rate");
        m_connected.insert("ns3::lightpath::RdmaCongestion::Window");
        m_connected.insert("ns3::lightpath::RouteUpdater::Update");
        m_connected.insert("ns3::lightpath::SearchPlanner::Evaluations");
        for (const TypeId& type : GetTypes())
        {
            for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
            {
                const std::string name = type.GetName() + "::" + type.GetTraceSource(i).name;
                NS_TEST_EXPECT_MSG_EQ(m_connected.count(name), 1, name << " has a path");
            }
        }
        Simulator::Destroy();
    }

    /**
     * A path reaches each attribute of the objects of a scenario, and each attribute accepts its
     * own text, so that ConfigStore can save and load it.
     */
    void TestAttributePath()
    {
        InstallAll();
        Visit(DEVICES);
        Visit(DEVICES + "/TxQueue");
        Visit(CHANNELS + "FabricChannel");
        Visit(CHANNELS + "CircuitController");
        Visit(CHANNELS + "CircuitController/Allocator");
        Visit(CHANNELS + "CircuitController/Scheduler");
        Visit(CHANNELS + "RotorDispatcher/Discipline");
        Visit(CHANNELS + "RotorDispatcher");
        Visit(RDMA_DEVICES);
        Visit(CHANNELS + "RdmaNetwork");
        Visit(CHANNELS + "RdmaNetwork/Switches/*");
        const std::string averager = CHANNELS + "InNetworkChannel/Averager";
        for (const std::string below : {"",
                                        "/Averager",
                                        "/Averager/Imperfections",
                                        "/$ns3::lightpath::CascadeAverager/First",
                                        "/$ns3::lightpath::CascadeAverager/Second"})
        {
            Visit(averager + below);
        }
        Visit(APPLICATIONS + "OddlControlUnit");
        Visit(APPLICATIONS + "OddlArbiter");
        Visit(RANK_PATH);
        Visit(RANK_PATH + "/Job");
        Visit(RANK_PATH + "/Transport");
        Visit(RANK_PATH + "/Transport/$ns3::lightpath::InNetworkTransport/Client");
        Visit(RANK_PATH + "/Transport/$ns3::lightpath::HybridTransport/Optical");
        Visit(RANK_PATH + "/Transport/$ns3::lightpath::HybridTransport/Electrical");
        CheckTypes();
        Simulator::Destroy();
    }

    /// The channel of a fabric is the first of all channels, whatever its helper has been asked.
    void TestFirstChannel()
    {
        for (const auto& name : FabricHelper::GetNames())
        {
            const auto fabric = CreateFabric(name);
            fabric->SetBandwidth(DataRate("1000Gbps"));
            FabricDescription::Create(*fabric)->GetLimits(4);
            InstallJob(*fabric);
            const auto matches = Config::LookupMatches("/ChannelList/0");
            NS_TEST_ASSERT_MSG_EQ(matches.GetN(), 1, name);
            NS_TEST_EXPECT_MSG_EQ(bool(DynamicCast<FabricChannel>(matches.Get(0))), true, name);
            const auto all = Config::LookupMatches(CHANNELS + "FabricChannel");
            NS_TEST_EXPECT_MSG_EQ(all.GetN(), 1, "fabrics of " << name);
            Simulator::Destroy();
        }
    }

    /**
     * The default of each attribute of the module can be read from its own text.
     */
    void TestDefaultText()
    {
        uint32_t attributes = 0;
        for (const TypeId& type : GetTypes())
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const auto attribute = type.GetAttribute(i);
                if (DynamicCast<const PointerChecker>(attribute.checker) ||
                    !attribute.accessor->HasSetter())
                {
                    continue;
                }
                const std::string name = type.GetName() + "::" + attribute.name;
                // A default that is given as text is rounded to the resolution of Time
                const auto initial =
                    attribute.checker->CreateValidValue(*attribute.originalInitialValue);
                const std::string text = initial->SerializeToString(attribute.checker);
                const auto value = attribute.checker->CreateValidValue(StringValue(text));
                NS_TEST_ASSERT_MSG_EQ(bool(value), true, name << " = " << text);
                NS_TEST_EXPECT_MSG_EQ(value->SerializeToString(attribute.checker), text, name);
                ++attributes;
            }
        }
        NS_TEST_EXPECT_MSG_GT(attributes, 100, "attributes");
    }

  private:
    /**
     * Connect to trace sources by path.
     *
     * @tparam Args the types that the sources report
     * @param path the path of their object
     * @param names the names of the sources
     */
    template <typename... Args>
    void Connect(const std::string& path, const std::vector<std::string>& names)
    {
        for (const auto& name : names)
        {
            const Callback<void, Args...> sink([](Args...) {});
            NS_TEST_EXPECT_MSG_EQ(Config::ConnectWithoutContextFailSafe(path + "/" + name, sink),
                                  true,
                                  path << "/" << name);
            const auto matches = Config::LookupMatches(path);
            for (std::size_t i = 0; i < matches.GetN(); ++i)
            {
                TypeId type = matches.Get(i)->GetInstanceTypeId();
                for (; type != Object::GetTypeId(); type = type.GetParent())
                {
                    m_connected.insert(type.GetName() + "::" + name);
                }
            }
        }
    }

    /// Connect to the trace sources that only some of the fabrics have.
    void ConnectFabrics()
    {
        Connect<const CircuitPlan&>(CHANNELS + "OpticalChannel", {"Dark", "Light"});
        Connect<const std::string&, bool>(CHANNELS + "OpticalChannel", {"Fault"});
        Connect<const RingGeometry&>(CHANNELS + "MrrRingChannel", {"Geometry"});
        Connect<const CircuitSwitchGeometry&>(CHANNELS + "CircuitSwitchChannel", {"Geometry"});
        Connect<const std::string&, bool>(CHANNELS + "WssGridChannel", {"Fault"});
        Connect<uint32_t, uint32_t, uint32_t>(CHANNELS + "WssGridChannel", {"RxCollision"});
        Connect<uint32_t, uint32_t>(CHANNELS + "WssGridChannel", {"LightLost"});
        Connect<uint64_t, uint32_t, Time>(CHANNELS + "InNetworkChannel", {"SlotGranted"});
        Connect<uint64_t, uint32_t, InNetworkChannel::Fault>(CHANNELS + "InNetworkChannel",
                                                             {"SlotSpoilt"});
    }

    /// Connect to the trace sources of a network for RDMA.
    void ConnectRdma()
    {
        Connect<Ptr<const Packet>>(RDMA_DEVICES, {"PromiscSniffer"});
        const std::string switches = CHANNELS + "RdmaNetwork/Switches/*";
        Connect<uint32_t, uint8_t, bool>(switches, {"Pause"});
        Connect<uint32_t, uint64_t>(switches, {"Mark", "Drop", "Queue"});
    }

    /// Connect to the trace sources of the control of fabrics.
    void ConnectControl()
    {
        Connect<const TrafficMatrix&, const CircuitAllocation&>(CHANNELS + "CircuitController",
                                                                {"Decision"});
        Connect<const TrafficMatrix&, const CircuitSchedule&>(CHANNELS + "CircuitController",
                                                              {"Schedule"});
        const std::string unit = APPLICATIONS + "OddlControlUnit";
        Connect<const OddlHeader&, uint32_t>(unit, {"ControlTx", "ControlRx"});
        Connect<const OddlFlow&>(unit, {"TuneStart", "FlowDone"});
        Connect<uint32_t, const std::string&>(unit, {"Refused"});
        const std::string arbiter = APPLICATIONS + "OddlArbiter";
        Connect<uint32_t>(arbiter, {"Configure", "Go"});
        Connect<uint32_t, const std::string&>(arbiter, {"Refused"});
    }

    /**
     * Read and write all attributes of objects.
     *
     * @param path the path of the objects
     */
    void Visit(const std::string& path)
    {
        const auto matches = Config::LookupMatches(path);
        NS_TEST_EXPECT_MSG_GT(matches.GetN(), 0, "objects at " << path);
        for (std::size_t i = 0; i < matches.GetN(); ++i)
        {
            TypeId type = matches.Get(i)->GetInstanceTypeId();
            for (; type != Object::GetTypeId(); type = type.GetParent())
            {
                VisitAttributes(matches.Get(i), matches.GetMatchedPath(i), type);
            }
        }
    }

    /**
     * Read and write the attributes that a type gives to an object.
     *
     * @param object the object
     * @param path its path
     * @param type its type, or an ancestor of that
     */
    void VisitAttributes(Ptr<Object> object, const std::string& path, const TypeId& type)
    {
        m_visited.insert(type);
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            if ((attribute.flags & TypeId::ATTR_SET) == 0 || !attribute.accessor->HasSetter() ||
                !attribute.accessor->HasGetter() ||
                DynamicCast<const PointerChecker>(attribute.checker))
            {
                continue;
            }
            const std::string where = path + attribute.name;
            StringValue before;
            object->GetAttribute(attribute.name, before);
            NS_TEST_EXPECT_MSG_EQ(before.Get().find_first_of("\"\n"),
                                  std::string::npos,
                                  where << " in one line of a file: " << before.Get());
            NS_TEST_EXPECT_MSG_EQ(Config::SetFailSafe(where, before), true, where);
            StringValue after;
            object->GetAttribute(attribute.name, after);
            NS_TEST_EXPECT_MSG_EQ(after.Get(), before.Get(), where << " as text");
        }
    }

    /// Check that only objects that programs hold themselves are left out.
    void CheckTypes()
    {
        const std::set<std::string> unreachable = {"ns3::lightpath::AveragerLink",
                                                   "ns3::lightpath::BlockQuantiser",
                                                   "ns3::lightpath::Dcqcn",
                                                   "ns3::lightpath::Hpcc",
                                                   "ns3::lightpath::FixedPlanner",
                                                   "ns3::lightpath::InferencePlanner",
                                                   "ns3::lightpath::MegatronPlanner",
                                                   "ns3::lightpath::MicroringBank",
                                                   "ns3::lightpath::NetworkCost",
                                                   "ns3::lightpath::MicroringFilter",
                                                   "ns3::lightpath::NsccWindow",
                                                   "ns3::lightpath::OpticalAmplifier",
                                                   "ns3::lightpath::OpticalGuide",
                                                   "ns3::lightpath::OpticalLink",
                                                   "ns3::lightpath::OpticalModulator",
                                                   "ns3::lightpath::OpticalReceiver",
                                                   "ns3::lightpath::OpticalSource",
                                                   "ns3::lightpath::OpticalMerger",
                                                   "ns3::lightpath::OpticalSplitter",
                                                   "ns3::lightpath::OpticalSwitch",
                                                   "ns3::lightpath::PassiveElement",
                                                   "ns3::lightpath::RouteUpdater",
                                                   "ns3::lightpath::SearchPlanner",
                                                   "ns3::lightpath::ServerNetwork",
                                                   "ns3::lightpath::SipMlPlanner",
                                                   "ns3::lightpath::WavelengthGrid"};
        for (const TypeId& type : GetTypes())
        {
            if (type.GetAttributeN() > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(m_visited.count(type) + unreachable.count(type.GetName()),
                                      1,
                                      type.GetName() << " is visited, or cannot be");
            }
        }
    }

    std::set<std::string> m_connected; //!< The trace sources that were found
    std::set<TypeId> m_visited;        //!< The types of the objects that were found
};

/// Registers the test cases
static const SuiteCases g_configCases(
    "lightpath-config",
    {{MakeCase("Trace sources by path", &ConfigTests::TestTracePath),
      MakeCase("Attributes by path, and as text", &ConfigTests::TestAttributePath),
      MakeCase("Number of a fabric in the list of channels", &ConfigTests::TestFirstChannel),
      MakeCase("Defaults as text", &ConfigTests::TestDefaultText)}});
