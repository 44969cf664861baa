/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-options.h"

#include "option-values.h"
#include "protocol-option.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/cluster-helper.h"
#include "ns3/config.h"
#include "ns3/fabric-description.h"
#include "ns3/hybrid-helper.h"
#include "ns3/mixnet-helper.h"
#include "ns3/object-factory.h"
#include "ns3/oddl-helper.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/rdma-helper.h"
#include "ns3/server-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The fabric whose rails nothing but servers joins.
const std::string RAIL_ONLY = "rail-only";

/// The rate of the cards beside an optical fabric, also in programs without the option.
const std::string CARDS = "200Gbps";

/// The options that set one attribute of ODDL.
const std::vector<AttributeOption> GRID = {
    {"tuningTime", "WssGridChannel::TuningTime", "10.5ns", "Time to tune a laser"},
    {"lockTime", "WssGridChannel::LockTime", "0s", "Time in which a receiver locks, like 100ns"},
    {"rowShare",
     "WssGridChannel::RowShare",
     "0.5",
     "Share of the bandwidth at the switch of the row"},
    {"lookAhead",
     "OddlControlUnit::LookAhead",
     "0s",
     "Time before the end of a flow at which the next one is requested"},
    {"grantPolicy", "OddlControlUnit::GrantPolicy", "fcfs", "Flow that a receiver takes next"},
    {"relayPolicy",
     "OddlControlUnit::RelayPolicy",
     "x-first",
     "Corner that forwards between rows and columns"},
};

/// The options that set one attribute of the transport of hybrid fabrics.
const std::vector<AttributeOption> HYBRID = {
    {"smallMessage",
     "HybridTransport::SmallMessage",
     "0",
     "Largest message that goes electrically, bytes; 0: none"},
    {"bulkMessage",
     "HybridTransport::BulkMessage",
     "0",
     "Smallest message that waits for a lightpath however long, bytes; 0: none"},
    {"waitLimit",
     "HybridTransport::WaitLimit",
     "0s",
     "Time that messages wait for a lightpath before they go electrically"},
};

/**
 * @brief A fabric that brings servers with it, unless options say otherwise.
 */
struct OwnServers
{
    std::string fabric;   //!< Its name
    uint64_t gigabits{0}; //!< Rate of a GPU inside a server, Gb/s
    bool areNeeded{true}; //!< Whether nothing but servers joins its parts
};

/**
 * @param name the name of a fabric, which a transport may follow
 * @return the servers that it brings with it; null for none
 */
const OwnServers*
FindOwnServers(const std::string& name)
{
    static const std::vector<OwnServers> all = {{"cluster", 2400, false},
                                                {MixNetOptions::NAME, 7200, true},
                                                {"photonic-rails", 3600, false},
                                                {RAIL_ONLY, 7200, true}};
    const std::string fabric = name.substr(0, name.find(':'));
    const auto found = std::find_if(all.begin(), all.end(), [&fabric](const auto& each) {
        return each.fabric == fabric;
    });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

FabricOptions::FabricOptions()
    : m_grid(GRID),
      m_nicBandwidth(ParseRate(CARDS)),
      m_hybrid(HYBRID)
{
}

void
FabricOptions::AddTo(ProgramOptions& options)
{
    AddServers(options);
    AddLight(options);
    circuits.AddTo(options);
    AddGrid(options);
    options.BeginGroup("Fabric: OptINC", {"optinc"});
    options.AddValue("averageBits",
                     "Bits of a word that the network averages",
                     m_averageBits,
                     2,
                     16);
    options.AddValue("averageBlock", "Gradients that share a scale", m_averageBlock, 1, 1000000);
    options.AddValue("averager",
                     "What averages: constructive, exact, mesh, optical, trained",
                     m_averager);
    options.AddValue("cascade", "Two levels of networks: none, naive, fraction", m_cascade);
    options.AddValue("cascadeGroup",
                     "GPUs of a group of the first level",
                     m_cascadeGroup,
                     1,
                     1000000);
    options.BeginGroup("Fabric: hybrids, like sip-ring+fat-tree",
                       {"a hybrid fabric like sip-ring+fat-tree"});
    options.AddValue("nicBandwidth",
                     "Rate of one GPU into the electrical network",
                     CARDS,
                     [this](const std::string& text) { m_nicBandwidth = ParseRate(text); });
    options.BeginGroup("Fabric: hybrids, like sip-ring+fat-tree",
                       {"a hybrid fabric like sip-ring+fat-tree", MixNetOptions::NAME});
    m_hybrid.AddTo(options);
    m_mixnet.AddTo(options);
    m_topoOpt.AddTo(options);
    rotors.AddTo(options);
    torus.AddTo(options);
    transport.AddTo(options);
    AddMessages(options);
}

void
FabricOptions::AddLight(ProgramOptions& options)
{
    options.BeginGroup("Fabric: light",
                       {"mixnet",
                        "oddl",
                        "opera",
                        "optinc",
                        "photonic-rails",
                        "rotornet",
                        "sip-ocs",
                        "sip-ring",
                        "sirius"});
    options.AddValue("physicalLayer",
                     "Influence of the light: none, report (a line on the longest lightpath), "
                     "budget (none whose light does not arrive), errors (frames are lost)",
                     "report",
                     [this](const std::string& text) {
                         losesFrames = text == "errors";
                         const auto value = ParseWord("physicalLayer",
                                                      text,
                                                      {{"none", "None"},
                                                       {"report", "Report"},
                                                       {"budget", "Budget"},
                                                       {"errors", "Errors"}});
                         Config::SetDefault("ns3::lightpath::PhotonicChannel::PhysicalLayer",
                                            StringValue(value));
                     });
}

void
FabricOptions::AddGrid(ProgramOptions& options)
{
    options.BeginGroup("Fabric: ODDL", {"oddl"});
    options.AddValue("rows", "Rows of the grid; 0: as square as the GPUs allow", m_rows, 0, 65536);
    options.AddValue("columns",
                     "Columns of the grid; 0: as square as the GPUs allow",
                     m_columns,
                     0,
                     65536);
    options.AddValue("transceivers", "Transceivers of a GPU at each switch", m_transceivers, 1, 64);
    m_grid.AddTo(options);
}

void
FabricOptions::AddServers(ProgramOptions& options)
{
    options.AddValue("bandwidth",
                     "Rate of one GPU into the fabric; default: 2Tbps, or that of --server",
                     bandwidth);
    options.BeginGroup("Fabric: cards");
    options.AddValue("delay",
                     "Delay of a message besides its bytes and its path, like 5us; default: that "
                     "of --server, or 0s",
                     "",
                     [this](const std::string& text) { m_delay = ParseTime(text); });
    servers.AddTo(options);
}

FabricLimits
FabricOptions::GetLimits(const std::string& name, int64_t gpus, bool isFirst) const
{
    const auto fabric = MakeFabric(name, gpus, servers.GetGpus());
    FabricLimits limits = FabricDescription::Create(*fabric)->GetLimits(gpus);
    const auto* const both = dynamic_cast<const ServerHelper*>(fabric.get());
    if (limits.turnCircuits &&
        transport.GetFor(name).UsesSockets(both ? both->GetOutside() : *fabric))
    {
        throw std::invalid_argument("Circuits follow operations on " + name +
                                    ", and acknowledgements belong to none: leave out the "
                                    "transport, or give --trigger=phase");
    }
    if (transport.GetFor(name).UsesRelays())
    {
        UintegerValue frame;
        ObjectFactory factory;
        factory.SetTypeId("ns3::lightpath::RelayTransport");
        factory.Create()->GetAttribute("RelayFrameSize", frame);
        limits.indirectBitRate = limits.laneRate;
        limits.relayFrameBytes = m_frameSize > 0 ? m_frameSize : frame.Get();
    }
    if (limits.beside.network)
    {
        limits.beside.smallBytes = std::stoull(m_hybrid.GetText("smallMessage"));
        limits.beside.bulkBytes = std::stoull(m_hybrid.GetText("bulkMessage"));
        limits.beside.waitSeconds = Time(m_hybrid.GetText("waitLimit")).GetSeconds();
    }
    if (!isFirst && circuits.ServesInTurn())
    {
        // Later decisions can serve the pairs that one decision cannot
        limits.allocators.clear();
    }
    limits.collectiveLatency = GetLaunch().GetSeconds();
    return limits;
}

std::string
FabricOptions::GetBandwidth() const
{
    const uint64_t ofPreset = servers.GetBandwidth().GetBitRate();
    return !bandwidth.empty() ? bandwidth
           : ofPreset > 0     ? std::to_string(ofPreset / 1000000000) + "Gbps"
                              : "2Tbps";
}

Time
FabricOptions::GetLaunch() const
{
    return m_launch ? *m_launch : servers.GetLaunch();
}

std::set<std::string>
FabricOptions::GetOwners(const std::vector<std::string>& names) const
{
    auto owners = transport.GetOwners(names);
    if (servers.GetGpus() > 1)
    {
        owners.insert(ServerOptions::OWNER);
    }
    return owners;
}

void
FabricOptions::SetUsualServers(const std::vector<std::string>& names)
{
    const auto found = std::find_if(names.begin(), names.end(), FindOwnServers);
    if (found == names.end())
    {
        return;
    }
    const OwnServers& own = *FindOwnServers(*found);
    constexpr uint32_t usual = 8;
    const uint32_t rails = own.fabric == RAIL_ONLY ? transport.GetRails() : 0;
    const bool isUsual = !servers.AreGiven() || servers.GetRate() == DataRate(0);
    servers.SetUsual(rails > 0 ? rails : usual, DataRate(own.gigabits * 1000000000));
    if (isUsual && servers.GetGpus() > 1)
    {
        m_serversOf = own.fabric;
        m_mayLackServers = !own.areNeeded;
    }
}

nlohmann::ordered_json
FabricOptions::GetUsualServers() const
{
    return {{"gpus", servers.GetGpus()},
            {"rateBps", servers.GetRate().GetBitRate()},
            {"defaultOf", m_serversOf}};
}

std::string
FabricOptions::DescribeServers(std::size_t nFabrics) const
{
    if (servers.GetGpus() == 1)
    {
        return "";
    }
    std::string text = "servers of " + std::to_string(servers.GetGpus()) + " GPUs with " +
                       std::to_string(servers.GetRate().GetBitRate() / 1000000000) + "Gbps inside";
    if (HasUsualServers())
    {
        text += ", the default of " + m_serversOf + (nFabrics > 1 ? ", for all fabrics" : "") +
                (m_mayLackServers ? ": --serverGpus=1 for none"
                                  : ": --serverGpus and --serverRate for others");
    }
    return text;
}

void
FabricOptions::AddMessages(ProgramOptions& options)
{
    options.BeginGroup("Transport");
    options.AddValue("frameSize",
                     "Bytes of a frame, or burst: each message is one frame",
                     "burst",
                     [this](const std::string& text) { m_frameSize = ParseFrameSize(text); });
    options.AddValue("collectiveLatency",
                     "Time to launch a collective, like 10us; default: that of --server, or 0s",
                     "",
                     [this](const std::string& text) { m_launch = ParseTime(text); });
    options.AddValue("protocols",
                     "Protocols of collectives by size, as NAME:WIRE/DATA:LATENCY:LARGEST, like "
                     "LL128:128/120:2us:16MiB,Simple:1:9us; default: data alone",
                     "",
                     [this](const std::string& text) { protocols = ParseProtocols(text); });
}

void
FabricOptions::Check(const std::vector<std::string>& names, int64_t gpus) const
{
    const auto fabrics = TransportOptions::GetFabrics(names);
    transport.Check(names);
    const std::string small = m_hybrid.GetText("smallMessage");
    const std::string bulk = m_hybrid.GetText("bulkMessage");
    if (m_hybrid.IsChanged("bulkMessage") && std::stoull(bulk) <= std::stoull(small))
    {
        throw std::invalid_argument("--bulkMessage=" + bulk +
                                    " must be more than --smallMessage=" + small + ", or 0");
    }
    if (!protocols.IsEmpty() && std::count(fabrics.begin(), fabrics.end(), "optinc") > 0)
    {
        throw std::invalid_argument("optinc averages gradients without flags between them: leave "
                                    "out --protocols, or choose another fabric");
    }
    const bool hasCards = std::any_of(names.begin(), names.end(), [this](const auto& name) {
        return dynamic_cast<RdmaHelper*>(transport.MakeFabric(name).get()) != nullptr;
    });
    circuits.Check(fabrics, gpus, servers.GetGpus() > 1 || hasCards);
}

std::unique_ptr<InterconnectHelper>
FabricOptions::MakeFabric(const std::string& name, int64_t gpus, uint32_t perServer) const
{
    auto fabric = transport.MakeFabric(name);
    m_mixnet.Configure(*fabric);
    const OwnServers* const own = FindOwnServers(name);
    if (own && own->areNeeded && servers.GetGpus() == 1 && transport.GetRails() != 1)
    {
        throw std::invalid_argument(own->fabric + " joins GPUs by way of their servers: " +
                                    (servers.AreGiven() ? "leave out --serverGpus=1, or " : "") +
                                    "choose another fabric, like electrical");
    }
    const DataRate rate = ParseRate(GetBandwidth());
    if (auto* const cluster = dynamic_cast<ClusterHelper*>(fabric.get()))
    {
        servers.CheckCluster();
        const DataRate inside = servers.GetRate();
        cluster->SetServers(perServer, inside > DataRate(0) ? inside : cluster->GetServerRate());
    }
    else if (perServer > 1 || servers.GetGpus() > 1)
    {
        auto both = servers.MakeServers(std::move(fabric), perServer, rate);
        Require(both->CheckServers(static_cast<uint32_t>(gpus)));
        const ServerLayout layout = both->GetLayout(static_cast<uint32_t>(gpus));
        ConfigureParts(name,
                       both->GetOutside().GetBandwidth(),
                       DataRate(layout.portGpus * m_nicBandwidth.GetBitRate()),
                       layout.GetNPorts(static_cast<uint32_t>(gpus)),
                       both->GetOutside());
        Require(both->Check(static_cast<uint32_t>(gpus)));
        circuits.CheckFaults(*both, gpus);
        return both;
    }
    ConfigureParts(name, rate, m_nicBandwidth, gpus, *fabric);
    Require(fabric->Check(static_cast<uint32_t>(gpus)));
    circuits.CheckFaults(*fabric, gpus);
    return fabric;
}

std::unique_ptr<InterconnectHelper>
FabricOptions::MakeFolded(const std::string& name,
                          int64_t gpus,
                          uint32_t perServer,
                          const std::vector<uint32_t>& ofWhole) const
{
    const auto whole = MakeFabric(name, gpus, servers.GetGpus());
    const auto* const all = dynamic_cast<const ServerHelper*>(whole.get());
    const auto nodes = static_cast<uint32_t>(gpus);
    if (all && all->GetLayout(nodes).hasRails &&
        ofWhole.size() / perServer == all->GetLayout(nodes).GetNServers(nodes))
    {
        // A few rails, with all ports
        return MakeFabric(name, static_cast<int64_t>(ofWhole.size()), perServer);
    }
    auto folded = MakeFabric(name, gpus, perServer);
    const auto* const few = dynamic_cast<const ServerHelper*>(folded.get());
    const auto* const ofAll =
        dynamic_cast<const FabricHelper*>(all ? &all->GetOutside() : whole.get());
    auto* const ofFew = dynamic_cast<FabricHelper*>(few ? &few->GetOutside() : folded.get());
    if (ofAll && ofFew)
    {
        ofFew->StandForAll(*ofAll, all ? all->GetLayout(nodes).GetNPorts(nodes) : nodes, ofWhole);
    }
    return folded;
}

double
FabricOptions::GetRails(const std::string& name,
                        int64_t gpus,
                        const InterconnectHelper& folded) const
{
    const auto count = [](const InterconnectHelper& fabric, uint32_t nodes) -> double {
        const auto* const all = dynamic_cast<const ServerHelper*>(&fabric);
        return all ? all->GetLayout(nodes).GetNRails() : 1;
    };
    const auto* const few = dynamic_cast<const ServerHelper*>(&folded);
    const auto whole = MakeFabric(name, gpus, servers.GetGpus());
    return count(*whole, static_cast<uint32_t>(gpus)) /
           count(folded, few ? few->GetServerSize() : 1);
}

void
FabricOptions::ConfigureParts(const std::string& name,
                              const DataRate& rate,
                              const DataRate& cardRate,
                              int64_t ports,
                              InterconnectHelper& fabric) const
{
    const TransportOptions carrier = transport.GetFor(name);
    const auto* const mixnet = dynamic_cast<const MixNetHelper*>(&fabric);
    if (mixnet)
    {
        Configure(carrier.GetFor("optical:circuit"),
                  mixnet->GetOpticalRate(rate),
                  std::min<int64_t>(ports, mixnet->GetRegion()),
                  mixnet->GetOptical());
        Configure(carrier, mixnet->GetElectricalRate(rate), ports, mixnet->GetElectrical());
    }
    else if (const auto* const both = dynamic_cast<const HybridHelper*>(&fabric))
    {
        Configure(carrier.GetFor("optical:circuit"), rate, ports, both->GetOptical());
        Configure(carrier, cardRate, ports, both->GetElectrical());
    }
    else
    {
        Configure(carrier, rate, ports, fabric);
    }
}

bool
FabricOptions::Configure(const std::string& name,
                         const InterconnectHelper& fabric,
                         uint32_t nNodes,
                         TrainingHelper& training) const
{
    const TransportOptions carrier = transport.GetFor(name);
    const auto* const both = dynamic_cast<const ServerHelper*>(&fabric);
    const InterconnectHelper& outside = both ? both->GetOutside() : fabric;
    const auto* const hybrid = dynamic_cast<const HybridHelper*>(&outside);
    const InterconnectHelper& network = hybrid ? hybrid->GetElectrical() : outside;
    const uint32_t ports = both ? both->GetLayout(nNodes).GetNPorts(nNodes) : nNodes;
    training.SetServerAttribute("FrameSize", UintegerValue(m_frameSize));
    training.SetHybridAttribute("FrameSize", UintegerValue(m_frameSize));
    m_hybrid.Apply("HybridTransport", [&training](const auto& attribute, const auto& value) {
        training.SetHybridAttribute(attribute, value);
    });
    carrier.Configure(training, network, ports, m_frameSize);
    return carrier.UsesSockets(network);
}

void
FabricOptions::SetDefaultGrid(uint32_t rows, uint32_t columns)
{
    if (m_rows == 0 && m_columns == 0)
    {
        m_rows = rows;
        m_columns = columns;
    }
}

void
FabricOptions::Configure(const TransportOptions& carrier,
                         const DataRate& rate,
                         int64_t ports,
                         InterconnectHelper& fabric) const
{
    fabric.SetBandwidth(rate);
    if (auto* const channel = dynamic_cast<FabricHelper*>(&fabric))
    {
        channel->DisableFlowControl();
    }
    carrier.Configure(fabric, m_frameSize);
    m_topoOpt.Configure(fabric);
    rotors.Configure(fabric, ports);
    torus.Configure(fabric);
    const Time delay = m_delay ? *m_delay : servers.GetMessageDelay();
    if (m_delay || !delay.IsZero())
    {
        fabric.SetMessageDelay(delay);
    }
    if (auto* const optInc = dynamic_cast<OptIncHelper*>(&fabric))
    {
        optInc->SetBits(m_averageBits);
        optInc->SetBlockSize(m_averageBlock);
        optInc->SetAverager(m_averager);
        optInc->SetCascade(m_cascade, m_cascadeGroup);
    }
    if (auto* const oddl = dynamic_cast<OddlHelper*>(&fabric))
    {
        oddl->SetGrid(m_rows, m_columns);
        oddl->SetTransceivers(m_transceivers);
        oddl->SetInitiallySet(!circuits.HasInitialSwitching());
        // Not left to the attribute, whose default was rounded to a nanosecond before the
        // resolution of time was set
        oddl->SetChannelAttribute("TuningTime", TimeValue(ParseTime(m_grid.GetText("tuningTime"))));
        circuits.ConfigureBringUp(*oddl);
        m_grid.Apply("WssGridChannel", [oddl](const auto& name, const auto& value) {
            oddl->SetChannelAttribute(name, value);
        });
        m_grid.Apply("OddlControlUnit", [oddl](const auto& name, const auto& value) {
            oddl->SetUnitAttribute(name, value);
        });
        Require(oddl->Check(static_cast<uint32_t>(ports)));
    }
    if (auto* const withCircuits = dynamic_cast<CircuitFabricHelper*>(&fabric))
    {
        circuits.Configure(*withCircuits, ports);
    }
}
