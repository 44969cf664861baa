/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-options.h"
#include "model/base/wire-format.h"
#include "model/control/grid/oddl-control-unit.h"
#include "model/fabric/wss-grid-channel.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-meter.h"
#include "training-run.h"

#include "ns3/accelerator.h"
#include "ns3/fixed-planner.h"
#include "ns3/frame-source.h"
#include "ns3/global-value.h"
#include "ns3/model-zoo.h"
#include "ns3/oddl-helper.h"
#include "ns3/optical-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

/**
 * @file
 * @ingroup lightpath
 * The prototype of ODDL: four nodes that train ResNet-50 by halving-doubling at 100 Gb/s, compared
 * with one electrical switch. With --flows, flows without training on a grid of any size, which
 * show the cost of control messages.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options.
struct Options
{
    int64_t nodes{4};                 //!< Number of nodes
    int64_t batch{256};               //!< Samples of a node in an iteration
    int64_t epochs{20};               //!< Epochs of training
    int64_t iterations{4};            //!< Iterations that are simulated
    std::string bandwidth{"100Gbps"}; //!< Rate of a node
    int64_t flows{0};                 //!< Flows in place of training
    std::string flowBytes{"100kB"};   //!< Size of a flow
    std::string pattern{"exchange"};  //!< Destinations of flows
    GridOptions grid;                 //!< How the grid is
    std::string json;                 //!< Name of the file for JSON
    bool quiet{false};                //!< Print nothing but errors
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
 * @param random chooses destinations; null for those of halving-doubling
 * @return the outcome
 */
FlowResult
SimulateFlows(const Options& options, const OddlHelper& helper, Ptr<UniformRandomVariable> random)
{
    const auto nodes = static_cast<uint32_t>(options.nodes);
    const uint32_t columns = helper.GetGrid(nodes).second;
    const double begin = GetUserSeconds();
    NodeContainer hosts;
    hosts.Create(nodes);
    const NetDeviceContainer devices = helper.Install(hosts);
    std::vector<std::unique_ptr<FlowSource>> sources;
    FlowResult result;
    const auto units = OddlHelper::GetUnits(devices);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        units[node]->TraceConnectWithoutContext(
            "FlowDone",
            Callback<void, const OddlFlow&>([&, node](const OddlFlow& flow) {
                Simulator::ScheduleNow(&FlowSource::Next, sources[node].get());
                ++result.flows;
                result.controlSeconds += (flow.granted - flow.requested).GetSeconds();
            }));
        sources.push_back(
            std::make_unique<FlowSource>(DynamicCast<OpticalNetDevice>(devices.Get(node)),
                                         columns,
                                         static_cast<uint32_t>(ParseBytes(options.flowBytes)),
                                         random));
        const int64_t share =
            options.flows / options.nodes + (node < options.flows % options.nodes ? 1 : 0);
        Simulator::Schedule(NanoSeconds(1),
                            &FlowSource::Send,
                            sources.back().get(),
                            static_cast<uint64_t>(share));
    }
    Simulator::Run();
    for (uint32_t node = 0; node < nodes; ++node)
    {
        result.messages += units[node]->GetNMessages();
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
 * Send flows without training, and report.
 *
 * @param options the options
 */
void
RunFlows(const Options& options)
{
    OddlHelper helper;
    helper.SetBandwidth(ParseRate(options.bandwidth));
    helper.DisableFlowControl();
    options.grid.Configure(helper, true, options.nodes);
    const bool isRandom =
        ParseWord("pattern", options.pattern, {{"exchange", ""}, {"random", "1"}}) == "1";
    const auto nodes = static_cast<uint32_t>(options.nodes);
    const auto [rows, columns] = helper.GetGrid(nodes);
    if (rows * columns != nodes ||
        (!isRandom && ((rows & (rows - 1)) || (columns & (columns - 1)))))
    {
        throw std::invalid_argument("--flows needs a grid without gaps, and --pattern=exchange one "
                                    "whose sides are powers of two");
    }
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const FlowResult result = SimulateFlows(options, helper, isRandom ? random : nullptr);
    const double each = result.flows > 0 ? 1.0 / static_cast<double>(result.flows) : 0;
    const double messages = static_cast<double>(result.messages) * each;
    if (!options.quiet)
    {
        std::cout << result.flows << " flows of " << options.flowBytes << " on " << rows << " x "
                  << columns << " nodes in " << result.simulatedSeconds * 1e3 << " ms: " << messages
                  << " control messages and " << result.controlSeconds * each * 1e6
                  << " us from request to grant for each, " << result.collisions << " collisions; "
                  << result.userSeconds << " s of processor time" << std::endl;
    }
    if (!options.json.empty())
    {
        WriteJson({{"nodes", nodes},
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

/**
 * Train on one fabric.
 *
 * @param options the options
 * @param fabric the fabric
 * @return the report
 */
TrainingReport
Train(const Options& options, FabricHelper& fabric)
{
    fabric.SetBandwidth(ParseRate(options.bandwidth));
    fabric.DisableFlowControl();
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("resnet50");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = static_cast<uint32_t>(options.nodes);
    problem.globalBatch = static_cast<uint64_t>(options.nodes * options.batch);
    problem.fabric = fabric.GetLimits(problem.gpus);
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataAlgorithm", StringValue("HalvingDoubling"));
    TrainingRun run(fabric, problem.gpus);
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(options.iterations));
    run.Install(training, planner->TryPlan(problem));
    return run.Run();
}

/**
 * Train on ODDL and on an electrical switch.
 *
 * @param options the options
 */
void
RunPrototype(const Options& options)
{
    // Images of ImageNet, and the minutes that the paper reports for four nodes with an Ascend 910
    // each
    constexpr double images = 1281167;
    constexpr double publishedSwitch = 97.3;
    constexpr double publishedOddl = 97.8;
    OddlHelper oddl;
    options.grid.Configure(oddl, true, options.nodes);
    const auto electrical = FabricHelper::Create("electrical");
    const double seconds[] = {Train(options, *electrical).GetSteadySeconds(),
                              Train(options, oddl).GetSteadySeconds()};
    const double iterations =
        std::ceil(images / static_cast<double>(options.nodes * options.batch)) *
        static_cast<double>(options.epochs);
    const double minutes[] = {iterations * seconds[0] / 60, iterations * seconds[1] / 60};
    const double difference = minutes[1] / minutes[0] - 1;
    if (!options.quiet)
    {
        std::cout << "resnet50 on " << options.nodes << " x A100, " << options.batch
                  << " images each, " << options.bandwidth << " a node, " << options.epochs
                  << " epochs of " << iterations / static_cast<double>(options.epochs)
                  << " iterations\n"
                  << std::fixed << std::setprecision(3) << "electrical switch: " << seconds[0] * 1e3
                  << " ms an iteration, " << minutes[0] << " min; published " << publishedSwitch
                  << " min on Ascend 910\noddl: " << seconds[1] * 1e3 << " ms an iteration, "
                  << minutes[1] << " min; published " << publishedOddl << " min\noddl takes "
                  << 100 * difference << " % more; published "
                  << 100 * (publishedOddl / publishedSwitch - 1)
                  << " %\ncompute model: " << publishedSwitch / minutes[0]
                  << " times as fast as the accelerator of the publication\n";
    }
    if (!options.json.empty())
    {
        WriteJson({{"electricalSeconds", seconds[0]},
                   {"oddlSeconds", seconds[1]},
                   {"electricalMinutes", minutes[0]},
                   {"oddlMinutes", minutes[1]},
                   {"difference", difference}},
                  options.json);
    }
}

/**
 * Send flows or train.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    CheckRange("nodes", options.nodes, 2, 1000000);
    CheckRange("batch", options.batch, 1, 1000000);
    CheckRange("epochs", options.epochs, 1, 1000000);
    CheckRange("iterations", options.iterations, 2, 1000000);
    CheckRange("flows", options.flows, 0, INT64_MAX);
    if (ParseBytes(options.flowBytes) > 1000000000 || ParseBytes(options.flowBytes) < 64)
    {
        throw std::invalid_argument("--flowBytes=" + options.flowBytes + " must be from 64 to 1GB");
    }
    options.grid.Check();
    ParseRate(options.bandwidth);
    CheckWritable(options.json);
    options.flows > 0 ? RunFlows(options) : RunPrototype(options);
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
    ProgramOptions cmd(
        "lightpath-oddl",
        "Train ResNet-50 on the prototype of ODDL and on an electrical switch, or send flows "
        "over a grid of any size.");
    cmd.BeginGroup("Fabric");
    cmd.AddValue("nodes", "Number of nodes", options.nodes);
    cmd.AddValue("bandwidth", "Rate of a node into the fabric, like 100Gbps", options.bandwidth);
    options.grid.AddTo(cmd);
    cmd.BeginGroup("Training");
    cmd.AddValue("batch", "Images of a node in an iteration", options.batch);
    cmd.AddValue("epochs", "Epochs of training", options.epochs);
    cmd.AddValue("iterations", "Iterations that are simulated, 2 at least", options.iterations);
    cmd.BeginGroup("Flows");
    cmd.AddValue("flows", "Flows over all nodes, in place of training", options.flows);
    cmd.AddValue("flowBytes", "Size of a flow, like 100kB", options.flowBytes);
    cmd.AddValue("pattern",
                 "Destinations of flows: exchange (those of halving-doubling), random (in the same "
                 "row or column)",
                 options.pattern);
    cmd.BeginGroup("Output");
    cmd.AddValue("json", "File for the results as JSON; - for standard output", options.json);
    cmd.AddValue("quiet", "Print nothing but errors", options.quiet);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
