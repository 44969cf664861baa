/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "allocation-report.h"
#include "circuit-options.h"
#include "example-support.h"
#include "model/control/traffic-matrix-reader.h"

#include "ns3/boolean.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/command-line.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-pattern.h"

#include <algorithm>

/**
 * @file
 * @ingroup lightpath
 * Decides which lightpaths a fabric should carry for a demand, and says how good the decision is.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// What the command line asks for.
struct Options
{
    std::string demand;                       //!< Name of the file of the demand, or "-"
    std::string format{"auto"};               //!< How it is written
    double scale{1};                          //!< Bytes of a number of 1
    int64_t ports{0};                         //!< Number of ports, 0 for that of the file
    std::string pattern;                      //!< Pattern of the demand, in place of a file
    std::string fabric{"sip-ring"};           //!< Name of the fabric
    int64_t fibres{5};                        //!< Fibres of the ring in each direction
    int64_t wavelengths{8};                   //!< Wavelengths of a fibre of the ring
    std::string wavelengthMode{"continuity"}; //!< What a lightpath of the ring has to itself
    std::string maxDistance;                  //!< Most segments of a lightpath, empty for any
    std::string routing;            //!< Routing of the ring's allocator, empty for its own
    int64_t switches{0};            //!< Circuit switches, 0 for 20
    std::string switchPorts;        //!< Ports of each of them, empty for all
    bool duplex{false};             //!< A circuit comes with the one back
    std::string fail;               //!< Components out of use, separated by commas
    std::string allocator;          //!< Short name of the allocator, empty for the first
    std::string attributes;         //!< Its attributes, Name=Value separated by commas
    std::string laneRate{"25Gbps"}; //!< Rate of a lane
    std::string switchingDelay;     //!< Darkness of a reconfiguration, empty for default
    std::string json;               //!< Name of the file for JSON
    bool quiet{false};              //!< Print nothing but errors
};

/// What is decided on.
struct Problem
{
    TrafficMatrix demand;                        //!< The demand
    std::unique_ptr<CircuitFabricHelper> fabric; //!< What has installed the fabric
    CircuitAlgorithm algorithm;                  //!< What decides
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
 * Refuse an option that the fabric has no use for.
 *
 * @param isGiven whether it was given
 * @param option its name
 * @param fabric the fabric that it is of
 */
void
CheckForeign(bool isGiven, const std::string& option, const std::string& fabric)
{
    if (isGiven)
    {
        throw std::invalid_argument("--" + option + " belongs to --fabric=" + fabric);
    }
}

/**
 * @param options the options
 * @return the helper of a ring
 */
std::unique_ptr<CircuitFabricHelper>
MakeRing(const Options& options)
{
    CheckForeign(options.switches != 0, "switches", "sip-ocs");
    CheckForeign(!options.switchPorts.empty(), "switchPorts", "sip-ocs");
    CheckForeign(options.duplex, "duplex", "sip-ocs");
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
    const Options none;
    CheckForeign(options.fibres != none.fibres, "fibres", "sip-ring");
    CheckForeign(options.wavelengths != none.wavelengths, "wavelengths", "sip-ring");
    CheckForeign(options.wavelengthMode != none.wavelengthMode, "wavelengthMode", "sip-ring");
    CheckForeign(!options.maxDistance.empty(), "maxDistance", "sip-ring");
    CheckForeign(!options.routing.empty(), "routing", "sip-ring");
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
 * Choose what decides.
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
 * @return what is to be decided on
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
    const auto components = SplitList(options.fail);
    for (const auto& component : components)
    {
        problem.fabric->CheckComponent(component, ports);
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
 * Set the attributes of what decides.
 *
 * @param options the options
 * @param object what decides
 */
void
SetAttributes(const Options& options, Ptr<Object> object)
{
    auto settings = SplitList(options.attributes);
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
 * @return what the decision has come to
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
 * Add those options that describe the fabric.
 *
 * @param [out] cmd the command line
 * @param [out] options the options
 */
void
AddFabricOptions(CommandLine& cmd, Options& options)
{
    cmd.AddValue("fabric", "Fabric: sip-ring, sip-ocs", options.fabric);
    cmd.AddValue("fibres", "Fibres of the ring in each direction", options.fibres);
    cmd.AddValue("wavelengths", "Wavelengths of a fibre of the ring", options.wavelengths);
    cmd.AddValue("wavelengthMode",
                 "What a lightpath of the ring keeps: continuity (its wavelength), load-only",
                 options.wavelengthMode);
    cmd.AddValue("switches", "Circuit switches; 0: 20", options.switches);
    cmd.AddValue("switchPorts",
                 "Ports of each switch, separated by commas; default: one for each port",
                 options.switchPorts);
    cmd.AddValue("duplex", "A circuit comes with the one back", options.duplex);
    cmd.AddValue("laneRate", "Rate of a lane, for schedules", options.laneRate);
    cmd.AddValue("switchingDelay",
                 "Darkness before a slot of a schedule, like 25us; default by fabric",
                 options.switchingDelay);
    cmd.AddValue("fail",
                 "Components out of use, separated by commas, like segment:3:cw or input:0:5",
                 options.fail);
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
    CommandLine cmd(__FILE__);
    cmd.Usage("Decide which lightpaths a fabric should carry for a demand.");
    cmd.AddValue("demand",
                 "File with the demand: a matrix in CSV or lines src,dst,bytes; - for standard "
                 "input",
                 options.demand);
    cmd.AddValue("format", "How the demand is written: auto, matrix, list", options.format);
    cmd.AddValue("scale", "Bytes of a number of 1 in the file", options.scale);
    cmd.AddValue("ports", "Number of ports; 0: that of the file", options.ports);
    cmd.AddValue("pattern",
                 "Demand in place of a file: " + TrafficPattern::GetHelp(),
                 options.pattern);
    AddFabricOptions(cmd, options);
    cmd.AddValue("allocator",
                 "Allocator or scheduler; sip-ring: " + ListAlgorithms("sip-ring") +
                     "; sip-ocs: " + ListAlgorithms("sip-ocs") + "; default: max-min, or duplex",
                 options.allocator);
    cmd.AddValue("attribute",
                 "Attributes of the allocator, like FillLeftover=false; may be given again",
                 options.attributes);
    cmd.AddValue("maxDistance", "Most segments of a lightpath of the ring", options.maxDistance);
    cmd.AddValue("routing", "Routing of the ring's allocator: Split, Shorter", options.routing);
    cmd.AddValue("json", "File for the results as JSON; - for standard output", options.json);
    cmd.AddValue("quiet", "Print nothing but errors", options.quiet);
    try
    {
        CheckArguments(argc, argv);
        cmd.Parse(argc, argv);
        options.attributes = JoinAttributes(argc, argv);
        Run(options);
    }
    catch (const std::exception& error)
    {
        std::cerr << "lightpath-allocate: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
