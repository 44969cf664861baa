/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "allocation-report.h"
#include "circuit-options.h"
#include "model/base/nearest-name.h"
#include "model/control/traffic-matrix-reader.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "run-meter.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/traffic-pattern.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

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
    std::string demand;                           //!< Name of the file of the demand, or "-"
    std::string format{"auto"};                   //!< Its format
    double scale{1};                              //!< Bytes of a number of 1
    uint32_t ports{0};                            //!< Number of ports, 0 for that of the file
    std::string pattern;                          //!< Pattern of the demand, in place of a file
    std::string fabric{"sip-ring"};               //!< Name of the fabric
    uint32_t fibres{5};                           //!< Fibres of the ring in each direction
    uint32_t wavelengths{8};                      //!< Wavelengths of a fibre of the ring
    AttributeOptions ring{{GetWavelengthMode()}}; //!< What a lightpath of the ring keeps
    uint32_t switches{20};                        //!< Circuit switches
    std::vector<std::string> fail;                //!< Failed components
    std::string allocator;               //!< Short name of the allocator, empty for the first
    std::vector<std::string> attributes; //!< Its attributes, like Name=Value
    DataRate laneRate;                   //!< Rate of a lane
    std::optional<Time> switchingDelay;  //!< Darkness of a reconfiguration, unless the default
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
 * @return the helper of the fabric
 */
std::unique_ptr<CircuitFabricHelper>
MakeFabric(const Options& options)
{
    const uint64_t rate = options.laneRate.GetBitRate();
    std::unique_ptr<CircuitFabricHelper> fabric;
    if (options.fabric == "sip-ring")
    {
        fabric = std::make_unique<SipRingHelper>();
        fabric->SetChannelAttribute("NFibres", UintegerValue(options.fibres));
        fabric->SetBandwidth(DataRate(rate * 2 * options.fibres * options.wavelengths));
        options.ring.Apply("MrrRingChannel", [&fabric](const auto& name, const auto& value) {
            fabric->SetChannelAttribute(name, value);
        });
    }
    else if (options.fabric == "sip-ocs")
    {
        fabric = std::make_unique<SipOcsHelper>();
        fabric->SetChannelAttribute("NSwitches", UintegerValue(options.switches));
        fabric->SetBandwidth(DataRate(rate * options.switches));
    }
    else
    {
        throw std::invalid_argument("There is no fabric of circuits '" + options.fabric +
                                    "': " + ListKnown(options.fabric, {"sip-ocs", "sip-ring"}));
    }
    fabric->SetWavelengthRate(options.laneRate);
    if (options.switchingDelay)
    {
        fabric->SetChannelAttribute("SwitchingDelay", TimeValue(*options.switchingDelay));
    }
    return fabric;
}

/**
 * @param options the options
 * @return the demand and the fabric
 */
Problem
MakeProblem(const Options& options)
{
    Problem problem;
    problem.fabric = MakeFabric(options);
    const std::string first = problem.fabric->GetAlgorithms().front().name;
    // Bounds are worth more time here than in a simulation
    std::vector<std::string> settings = {"TightenBound=true"};
    settings.insert(settings.end(), options.attributes.begin(), options.attributes.end());
    problem.algorithm = SetAlgorithm(*problem.fabric,
                                     options.allocator.empty() ? first : options.allocator,
                                     settings);
    for (const auto& setting : options.attributes)
    {
        ParseAttribute(TypeId::LookupByName(problem.algorithm.type), setting);
    }
    problem.demand = MakeDemand(options);
    const uint32_t ports = problem.demand.GetSize();
    Require(problem.fabric->Check(ports));
    for (const auto& component : options.fail)
    {
        Require(problem.fabric->CheckComponent(component, ports));
    }
    NodeContainer nodes;
    nodes.Create(ports);
    problem.fabric->DisableFlowControl();
    problem.devices = problem.fabric->Install(nodes);
    problem.channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(problem.devices));
    for (const auto& component : options.fail)
    {
        problem.channel->SetFailed(component, true);
    }
    return problem;
}

/**
 * Decide.
 *
 * @param problem the problem
 * @return the report of the decision
 */
AllocationReport
Decide(const Problem& problem)
{
    if (problem.fabric->HasScheduler())
    {
        const auto scheduler = problem.fabric->CreateScheduler(problem.devices);
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
    const AllocationReport report = Decide(problem);
    if (ProgramOptions::HasTable(options.json, options.quiet))
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
    parsed.AddValue("ports",
                    "Number of ports; 0: that of the file",
                    options.ports,
                    0,
                    TrafficMatrixReader::MAX_PORTS);
    parsed.AddAlias("gpus", "ports");
    parsed.AddValue("pattern",
                    "Demand in place of a file: " + TrafficPattern::GetHelp(),
                    options.pattern);
    parsed.BeginGroup("Fabric");
    parsed.AddValue("fabric", "Fabric: sip-ring, sip-ocs", options.fabric);
    parsed.AddValue("laneRate",
                    "Rate of a lane, for schedules",
                    "25Gbps",
                    [&options](const auto& text) { options.laneRate = ParseRate(text); });
    parsed.AddValue("switchingDelay",
                    "Darkness before a slot of a schedule, like 25us; default by fabric",
                    "",
                    [&options](const auto& text) { options.switchingDelay = ParseTime(text); });
    parsed.AddList("fail",
                   "Failed components, separated by commas, like segment:3:cw or input:0:5",
                   options.fail);
    parsed.BeginGroup("Fabric: ring", {"--fabric=sip-ring"});
    parsed.AddValue("fibres", "Fibres in each direction", options.fibres, 1, 1000);
    parsed.AddValue("wavelengths", "Wavelengths of a fibre", options.wavelengths, 1, 1000);
    options.ring.AddTo(parsed);
    parsed.BeginGroup("Fabric: circuit switches", {"--fabric=sip-ocs"});
    parsed.AddValue("switches", "Circuit switches", options.switches, 1, 1000);
    parsed.BeginGroup("Circuit control");
    parsed.AddValue("allocator",
                    "Allocator or scheduler; sip-ring: " + ListAlgorithms("sip-ring") +
                        "; sip-ocs: " + ListAlgorithms("sip-ocs") + "; default: max-min",
                    options.allocator);
    parsed.AddList("attribute",
                   "Attribute of the allocator, like FillLeftover=false; may be given again",
                   options.attributes);
    parsed.AddOutput(options.json, options.quiet);
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
