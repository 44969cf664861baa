/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-options.h"
#include "model/base/wire-format.h"
#include "model/control/grid/oddl-control-unit.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-meter.h"

#include "ns3/frame-source.h"
#include "ns3/global-value.h"
#include "ns3/oddl-helper.h"
#include "ns3/optical-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wss-grid-channel.h"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

/**
 * @file
 * @ingroup lightpath
 * Sends flows over a grid of ODDL without a job, which shows the cost of control messages.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options: those of the grid, and all others.
struct Options : FabricOptions
{
    uint32_t nodes{16};    //!< Number of nodes
    uint64_t flows{384};   //!< Number of flows
    std::string flowBytes; //!< Size of a flow, as it was given
    uint32_t bytes{0};     //!< The same in bytes
    bool isRandom{false};  //!< Whether destinations are random, or those of halving-doubling
    std::string json;      //!< Name of the file for JSON
    bool quiet{false};     //!< Print nothing but errors
};

/**
 * @ingroup lightpath
 * @brief Sends one flow of one frame after the other.
 */
class FlowSource : public FrameSource
{
  public:
    /**
     * @param device the device that sends the flows
     * @param columns the columns of the grid
     * @param bytes the size of a flow
     * @param random chooses destinations; null to send in turn to the nodes whose numbers differ
     *        in one bit
     */
    FlowSource(Ptr<OpticalNetDevice> device,
               uint32_t columns,
               uint32_t bytes,
               Ptr<UniformRandomVariable> random)
        : m_device(device),
          m_nodes(static_cast<uint32_t>(device->GetChannel()->GetNDevices())),
          m_columns(columns),
          m_bytes(bytes),
          m_random(random)
    {
        device->SetFrameSource(this);
    }

    /**
     * Send flows.
     *
     * @param flows their number
     */
    void Send(uint64_t flows)
    {
        m_left = flows;
        Next();
    }

    /// Send the next flow, if one is left.
    void Next()
    {
        if (m_left == 0)
        {
            return;
        }
        --m_left;
        m_waits = true;
        m_destination = Choose();
        m_device->NotifyFrames(m_destination);
    }

    Ptr<Packet> NextFrame(uint32_t destination) override
    {
        if (!m_waits || destination != m_destination)
        {
            return nullptr;
        }
        m_waits = false;
        return Create<Packet>(m_bytes - ETHERNET_HEADER_BYTES);
    }

    uint16_t GetProtocolNumber() const override
    {
        return 0x88b5;
    }

    uint64_t GetBacklog(uint32_t destination) const override
    {
        return m_waits && destination == m_destination ? m_bytes : 0;
    }

    bool ReceiveFrame(const Ptr<const Packet>& payload) override
    {
        ++received;
        return true;
    }

    void NotifyLost(uint32_t destination, Ptr<const Packet> payload) override
    {
    }

    uint64_t received{0}; //!< Flows that have come in

  private:
    /**
     * @return where the next flow goes
     */
    uint32_t Choose()
    {
        const uint32_t port = m_device->GetPort();
        if (!m_random)
        {
            m_step = m_step > 1 ? m_step / 2 : m_nodes / 2;
            return port ^ m_step;
        }
        // Another node of the same row or column
        const uint32_t rows = m_nodes / m_columns;
        const uint32_t others = m_columns + rows - 2;
        const uint32_t which = m_random->GetInteger(0, others - 1);
        const uint32_t row = port / m_columns;
        const uint32_t column = port % m_columns;
        return which < m_columns - 1 ? row * m_columns + (column + 1 + which) % m_columns
                                     : (row + 2 + which - m_columns) % rows * m_columns + column;
    }

    Ptr<OpticalNetDevice> m_device;      //!< Sends the flows
    uint32_t m_nodes;                    //!< Nodes
    uint32_t m_columns;                  //!< Columns of the grid
    uint32_t m_bytes;                    //!< Size of a flow
    Ptr<UniformRandomVariable> m_random; //!< Chooses destinations
    uint64_t m_left{0};                  //!< Flows that are left to send
    uint32_t m_step{1};                  //!< Difference of the last destination
    uint32_t m_destination{0};           //!< Where the present flow goes
    bool m_waits{false};                 //!< The present flow waits to be sent
};

/**
 * @return the processor time of this process, seconds
 */
double
GetUserSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec;
}

/// The outcome of flows.
struct FlowResult
{
    uint64_t flows{0};          //!< Flows that have ended
    uint64_t received{0};       //!< Flows that have come in
    uint64_t messages{0};       //!< Control messages
    uint64_t collisions{0};     //!< Collisions of light
    double controlSeconds{0};   //!< Time from request to grant, over all flows
    double simulatedSeconds{0}; //!< Simulated time
    double userSeconds{0};      //!< Processor time
};

/**
 * Send flows.
 *
 * @param options the options
 * @param helper the helper that installs the grid
 * @return the outcome
 */
FlowResult
SimulateFlows(const Options& options, const OddlHelper& helper)
{
    Ptr<UniformRandomVariable> random;
    if (options.isRandom)
    {
        random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
    }
    const uint32_t columns = helper.GetGrid(options.nodes).second;
    const double begin = GetUserSeconds();
    NodeContainer hosts;
    hosts.Create(options.nodes);
    const NetDeviceContainer devices = helper.Install(hosts);
    std::vector<std::unique_ptr<FlowSource>> sources;
    FlowResult result;
    const auto units = OddlHelper::GetUnits(devices);
    for (uint32_t node = 0; node < options.nodes; ++node)
    {
        units.Get(node)->TraceConnectWithoutContext(
            "FlowDone",
            Callback<void, const OddlFlow&>([&, node](const OddlFlow& flow) {
                Simulator::ScheduleNow(&FlowSource::Next, sources[node].get());
                ++result.flows;
                result.controlSeconds += TimeStep(flow.granted - flow.requested).GetSeconds();
            }));
        sources.push_back(
            std::make_unique<FlowSource>(DynamicCast<OpticalNetDevice>(devices.Get(node)),
                                         columns,
                                         options.bytes,
                                         random));
        const uint64_t share =
            options.flows / options.nodes + (node < options.flows % options.nodes ? 1 : 0);
        Simulator::Schedule(NanoSeconds(1), &FlowSource::Send, sources.back().get(), share);
    }
    Simulator::Run();
    for (uint32_t node = 0; node < options.nodes; ++node)
    {
        result.messages += DynamicCast<OddlControlUnit>(units.Get(node))->GetNMessages();
        result.received += sources[node]->received;
    }
    result.collisions =
        DynamicCast<WssGridChannel>(FabricHelper::GetChannel(devices))->GetNCollisions();
    result.simulatedSeconds = Simulator::Now().GetSeconds();
    result.userSeconds = GetUserSeconds() - begin;
    Simulator::Destroy();
    return result;
}

/**
 * Send flows, and report.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    const auto fabric = options.MakeFabric("oddl", options.nodes, 1);
    const auto& helper = dynamic_cast<const OddlHelper&>(*fabric);
    const auto [rows, columns] = helper.GetGrid(options.nodes);
    if (rows * columns != options.nodes ||
        (!options.isRandom && ((rows & (rows - 1)) || (columns & (columns - 1)))))
    {
        throw std::invalid_argument("Flows need a grid without gaps, and --pattern=exchange one "
                                    "whose sides are powers of two");
    }
    const FlowResult result = SimulateFlows(options, helper);
    const double each = result.flows > 0 ? 1.0 / static_cast<double>(result.flows) : 0;
    const double messages = static_cast<double>(result.messages) * each;
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        std::cout << result.flows << " flows of " << options.flowBytes << " on " << rows << " x "
                  << columns << " nodes in " << result.simulatedSeconds * 1e3
                  << " ms (not validated): " << messages << " control messages and "
                  << result.controlSeconds * each * 1e6 << " us from request to grant for each, "
                  << result.collisions << " collisions; " << result.userSeconds
                  << " s of processor time" << std::endl;
    }
    if (!options.json.empty())
    {
        WriteJson({{"nodes", options.nodes},
                   {"flows", result.flows},
                   {"received", result.received},
                   {"messagesPerFlow", messages},
                   {"controlSecondsPerFlow", result.controlSeconds * each},
                   {"collisions", result.collisions},
                   {"simulatedSeconds", result.simulatedSeconds},
                   {"userSeconds", result.userSeconds},
                   {"peakMemoryBytes", RunMeter::GetPeakMemoryBytes()}},
                  options.json);
    }
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if it was simulated
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    // As many events wait as there are nodes, and few are removed
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    Options options;
    options.bandwidth = "100Gbps";
    options.circuits.DisableInitialSwitching();
    ProgramOptions cmd("lightpath-oddl",
                       "Send flows over a grid of ODDL, and count its control messages.");
    cmd.BeginGroup("Fabric");
    cmd.AddValue("nodes", "Number of nodes", options.nodes, 2, 1000000);
    cmd.AddAlias("gpus", "nodes");
    cmd.AddValue("bandwidth", "Rate of a node into the fabric, like 100Gbps", options.bandwidth);
    options.AddGrid(cmd);
    cmd.BeginGroup("Flows");
    cmd.AddValue("flows", "Flows over all nodes", options.flows, 1);
    cmd.AddValue("flowBytes",
                 "Size of a flow, from 64 bytes to 1GB",
                 "100kB",
                 [&options](const std::string& text) {
                     const uint64_t bytes = ParseBytes(text);
                     CheckRange("flowBytes", static_cast<int64_t>(bytes), 64, 1000000000);
                     options.flowBytes = text;
                     options.bytes = static_cast<uint32_t>(bytes);
                 });
    cmd.AddValue("pattern",
                 "Destinations of flows: exchange (those of halving-doubling), random (in the same "
                 "row or column)",
                 "exchange",
                 [&options](const std::string& text) {
                     options.isRandom =
                         ParseWord("pattern", text, {{"exchange", ""}, {"random", "1"}}) == "1";
                 });
    cmd.AddOutput(options.json, options.quiet);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
