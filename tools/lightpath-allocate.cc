/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "allocation-report.h"
#include "circuit-options.h"
#include "model/control/traffic-matrix-reader.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-meter.h"

#include "ns3/boolean.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-pattern.h"

#include <algorithm>
#include <nlohmann/json.hpp>

/**
 * @file
 * @ingroup lightpath
 * Decides which lightpaths a fabric should carry for a demand, and says how good the decision is.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options.
struct Options
{
    std::string demand;                       //!< Name of the file of the demand, or "-"
    std::string format{"auto"};               //!< Its format
    double scale{1};                          //!< Bytes of a number of 1
    int64_t ports{0};                         //!< Number of ports, 0 for that of the file
    std::string pattern;                      //!< Pattern of the demand, in place of a file
    std::string fabric{"sip-ring"};           //!< Name of the fabric
    int64_t fibres{5};                        //!< Fibres of the ring in each direction
    int64_t wavelengths{8};                   //!< Wavelengths of a fibre of the ring
    std::string wavelengthMode{"continuity"}; //!< What a lightpath of the ring keeps
    std::string maxDistance;                  //!< Most segments of a lightpath, empty for any
    std::string routing;                 //!< Routing of the ring's allocator, empty for its own
    int64_t switches{0};                 //!< Circuit switches, 0 for 20
    std::string switchPorts;             //!< Ports of each of them, empty for all
    bool duplex{false};                  //!< Make each circuit with the one back
    std::string fail;                    //!< Failed components, separated by commas
    std::string allocator;               //!< Short name of the allocator, empty for the first
    std::vector<std::string> attributes; //!< Its attributes, like Name=Value
    std::string laneRate{"25Gbps"};      //!< Rate of a lane
    std::string switchingDelay;          //!< Darkness of a reconfiguration, empty for default
    std::string json;                    //!< Name of the file for JSON
    bool quiet{false};                   //!< Print nothing but errors
};

/// A demand, and a fabric that is to carry it.
struct Problem
{
    TrafficMatrix demand;                        //!< The demand
    std::unique_ptr<CircuitFabricHelper> fabric; //!< Installed the fabric
    CircuitAlgorithm algorithm;                  //!< The allocator or scheduler
    NetDeviceContainer devices;                  //!< The devices of the fabric
    Ptr<OpticalChannel> channel;                 //!< The fabric
};

/**
 * @param options the options
 * @return the demand
 */
TrafficMatrix
MakeDemand(const Options& options)
{
    CheckRange("ports", options.ports, 0, TrafficMatrixReader::MAX_PORTS);
    if (options.demand.empty() == options.pattern.empty())
    {
        throw std::invalid_argument("One of --demand=FILE and --pattern=NAME must be given: a file "
                                    "or one of " +
                                    TrafficPattern::GetHelp());
    }
    if (!options.pattern.empty())
    {
        CheckRange("ports", options.ports, 2, TrafficMatrixReader::MAX_PORTS);
        return TrafficPattern::Create(options.pattern, options.ports);
    }
    TrafficMatrixReader reader;
    reader.SetFormat(TrafficMatrixReader::GetFormat(options.format));
    reader.SetScale(options.scale);
    reader.SetNPorts(options.ports);
    if (options.demand == "-")
    {
        return reader.Read(std::cin, "standard input");
    }
    std::ifstream file(options.demand);
    if (!file)
    {
        throw std::invalid_argument("The file '" + options.demand + "' cannot be read");
    }
    return reader.Read(file, options.demand);
}

/**
 * @param options the options
 * @return the helper of a ring
 */
std::unique_ptr<CircuitFabricHelper>
MakeRing(const Options& options)
{
    CheckRange("fibres", options.fibres, 1, 1000);
    CheckRange("wavelengths", options.wavelengths, 1, 1000);
    auto ring = std::make_unique<SipRingHelper>();
    const DataRate rate = ParseRate(options.laneRate);
    ring->SetWavelengthRate(rate);
    ring->SetNFibres(options.fibres);
    ring->SetWavelengthMode(ParseWavelengthMode(options.wavelengthMode));
    ring->SetBandwidth(DataRate(rate.GetBitRate() * 2 * options.fibres * options.wavelengths));
    return ring;
}

/**
 * @param options the options
 * @return the helper of circuit switches
 */
std::unique_ptr<CircuitFabricHelper>
MakeSwitches(const Options& options)
{
    CheckRange("switches", options.switches, 0, 1000);
    const auto ports = SplitList(options.switchPorts);
    const int64_t all = ports.empty() ? 20 : static_cast<int64_t>(ports.size());
    const int64_t switches = options.switches == 0 ? all : options.switches;
    auto ocs = std::make_unique<SipOcsHelper>();
    ocs->SetNSwitches(switches);
    ocs->SetDuplex(options.duplex || options.allocator == "duplex");
    if (!ports.empty() && static_cast<int64_t>(ports.size()) != switches)
    {
        throw std::invalid_argument("--switchPorts=" + options.switchPorts + " is of " +
                                    std::to_string(ports.size()) + " switches, but there are " +
                                    std::to_string(switches));
    }
    for (std::size_t index = 0; index < ports.size(); ++index)
    {
        if (ports[index].empty() || ports[index].size() > 7 ||
            ports[index].find_first_not_of("0123456789") != std::string::npos)
        {
            throw std::invalid_argument("'" + ports[index] +
                                        "' of --switchPorts is not a number of ports: write it "
                                        "like 64,64,32");
        }
        ocs->SetNPorts(index, std::stoul(ports[index]));
    }
    const DataRate rate = ParseRate(options.laneRate);
    ocs->SetWavelengthRate(rate);
    ocs->SetBandwidth(DataRate(rate.GetBitRate() * switches));
    return ocs;
}

/**
 * Choose the allocator or scheduler.
 *
 * @param options the options
 * @param [out] problem the problem
 */
void
ChooseAlgorithm(const Options& options, Problem& problem)
{
    const auto algorithms = problem.fabric->GetAlgorithms();
    const std::string own = options.duplex ? "duplex" : algorithms.front().name;
    const std::string name = options.allocator.empty() ? own : options.allocator;
    Require(problem.fabric->CheckAlgorithm(name));
    problem.fabric->SetAlgorithm(name);
    for (const auto& algorithm : algorithms)
    {
        if (algorithm.name == name)
        {
            problem.algorithm = algorithm;
        }
    }
}

/**
 * @param options the options
 * @return the demand and the fabric
 */
Problem
MakeProblem(const Options& options)
{
    CheckWritable(options.json);
    Problem problem;
    if (options.fabric == "sip-ring")
    {
        problem.fabric = MakeRing(options);
    }
    else if (options.fabric == "sip-ocs")
    {
        problem.fabric = MakeSwitches(options);
    }
    else
    {
        throw std::invalid_argument("There is no fabric of circuits '" + options.fabric +
                                    "': the known ones are sip-ocs, sip-ring");
    }
    ChooseAlgorithm(options, problem);
    if (!options.switchingDelay.empty())
    {
        problem.fabric->SetChannelAttribute("SwitchingDelay",
                                            TimeValue(ParseTime(options.switchingDelay)));
    }
    problem.demand = MakeDemand(options);
    const uint32_t ports = problem.demand.GetSize();
    Require(problem.fabric->Check(ports));
    const auto components = SplitList(options.fail);
    for (const auto& component : components)
    {
        Require(problem.fabric->CheckComponent(component, ports));
    }
    NodeContainer nodes;
    nodes.Create(ports);
    problem.fabric->DisableFlowControl();
    problem.devices = problem.fabric->Install(nodes);
    problem.channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(problem.devices));
    for (const auto& component : components)
    {
        problem.channel->SetFailed(component, true);
    }
    return problem;
}

/**
 * Set the attributes of an allocator or scheduler.
 *
 * @param options the options
 * @param object the allocator or scheduler
 */
void
SetAttributes(const Options& options, Ptr<Object> object)
{
    auto settings = options.attributes;
    if (!options.maxDistance.empty())
    {
        settings.push_back("MaxDistance=" + options.maxDistance);
    }
    if (!options.routing.empty())
    {
        settings.push_back("Routing=" + options.routing);
    }
    for (const auto& setting : settings)
    {
        const auto [name, value] = ParseAttribute(object->GetInstanceTypeId(), setting);
        object->SetAttribute(name, StringValue(value));
    }
}

/**
 * Decide.
 *
 * @param options the options
 * @param problem the problem
 * @return the report of the decision
 */
AllocationReport
Decide(const Options& options, const Problem& problem)
{
    if (problem.fabric->HasScheduler())
    {
        const auto scheduler = problem.fabric->CreateScheduler(problem.devices);
        SetAttributes(options, scheduler);
        const RunMeter meter;
        const CircuitSchedule schedule = scheduler->Schedule(problem.demand);
        const double seconds = meter.GetWallSeconds();
        return AllocationReport(problem.channel,
                                problem.demand,
                                problem.algorithm,
                                schedule,
                                seconds);
    }
    const auto allocator = problem.fabric->CreateAllocator(problem.devices);
    allocator->SetAttributeFailSafe("TightenBound", BooleanValue(true));
    SetAttributes(options, allocator);
    const RunMeter meter;
    const CircuitAllocation allocation = allocator->Allocate(problem.demand);
    const double seconds = meter.GetWallSeconds();
    return AllocationReport(problem.channel,
                            problem.demand,
                            problem.algorithm,
                            allocation,
                            seconds);
}

/**
 * Decide and report.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    const Problem problem = MakeProblem(options);
    const AllocationReport report = Decide(options, problem);
    if (!options.quiet)
    {
        report.PrintTable(std::cout);
    }
    if (!options.json.empty())
    {
        nlohmann::ordered_json json = {{"fabric", options.fabric}};
        json.update(report.GetJson());
        WriteJson(json, options.json);
    }
    Simulator::Destroy();
}

/**
 * Add the options of the demand, the fabric and the allocator.
 *
 * @param [out] parsed the options of the program
 * @param [out] options the options
 */
void
AddOptions(ProgramOptions& parsed, Options& options)
{
    parsed.BeginGroup("Demand");
    parsed.AddValue("demand",
                    "File with the demand: a matrix in CSV or lines src,dst,bytes; - for standard "
                    "input",
                    options.demand);
    parsed.AddValue("format", "Format of that file: auto, matrix, list", options.format);
    parsed.AddValue("scale", "Bytes of a number of 1 in that file", options.scale);
    parsed.AddValue("ports", "Number of ports; 0: that of the file", options.ports);
    parsed.AddValue("pattern",
                    "Demand in place of a file: " + TrafficPattern::GetHelp(),
                    options.pattern);
    parsed.BeginGroup("Fabric");
    parsed.AddValue("fabric", "Fabric: sip-ring, sip-ocs", options.fabric);
    parsed.AddValue("laneRate", "Rate of a lane, for schedules", options.laneRate);
    parsed.AddValue("switchingDelay",
                    "Darkness before a slot of a schedule, like 25us; default by fabric",
                    options.switchingDelay);
    parsed.AddValue("fail",
                    "Failed components, separated by commas, like segment:3:cw or input:0:5",
                    options.fail);
    parsed.BeginGroup("Fabric: ring", {"--fabric=sip-ring"});
    parsed.AddValue("fibres", "Fibres in each direction", options.fibres);
    parsed.AddValue("wavelengths", "Wavelengths of a fibre", options.wavelengths);
    parsed.AddValue("wavelengthMode",
                    "What a lightpath keeps: continuity (its wavelength), load-only",
                    options.wavelengthMode);
    parsed.AddValue("maxDistance", "Most segments of a lightpath", options.maxDistance);
    parsed.AddValue("routing", "Routing of the allocator: Split, Shorter", options.routing);
    parsed.BeginGroup("Fabric: circuit switches", {"--fabric=sip-ocs"});
    parsed.AddValue("switches", "Circuit switches; 0: 20", options.switches);
    parsed.AddValue("switchPorts",
                    "Ports of each switch, separated by commas; default: all",
                    options.switchPorts);
    parsed.AddValue("duplex", "Make each circuit with the one back", options.duplex);
    parsed.BeginGroup("Circuit control");
    parsed.AddValue("allocator",
                    "Allocator or scheduler; sip-ring: " + ListAlgorithms("sip-ring") +
                        "; sip-ocs: " + ListAlgorithms("sip-ocs") + "; default: max-min, or duplex",
                    options.allocator);
    parsed.AddList("attribute",
                   "Attribute of the allocator, like FillLeftover=false; may be given again",
                   options.attributes);
    parsed.BeginGroup("Output");
    parsed.AddValue("json", "File for the results as JSON; - for standard output", options.json);
    parsed.AddValue("quiet", "Print nothing but errors", options.quiet);
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if a decision was made that the fabric can carry
 */
int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    Options options;
    ProgramOptions parsed("lightpath-allocate",
                          "Decide which lightpaths a fabric should carry for a demand.");
    AddOptions(parsed, options);
    return parsed.Run(argc, argv, [&] {
        parsed.CheckOwners({"--fabric=" + options.fabric});
        Run(options);
    });
}
