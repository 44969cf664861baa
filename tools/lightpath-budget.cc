/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/photonics/averager-link.h"
#include "output-files.h"
#include "program-options.h"
#include "text-table.h"

#include "ns3/gnuplot.h"
#include "ns3/optical-link.h"
#include "ns3/optical-switch.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

/**
 * @file
 * @ingroup lightpath
 * Prints the power of light along a path, element by element, and whether the receiver understands
 * it; how far light goes on a ring, and how many servers a network averages for; ports of switches;
 * and curves of error rates.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

using Json = nlohmann::ordered_json; //!< JSON whose members keep their order

/// The most segments of a ring that are tried.
constexpr uint32_t MOST_HOPS = 4096;

/// The values of the options.
struct Options
{
    std::string path{"ring"};    //!< The ring, OptINC, or the kind of switch
    uint32_t nodes{64};          //!< Nodes of the fabric
    uint32_t hops{0};            //!< Segments that a lightpath covers; 0 for half of the ring
    uint32_t lanes{0};           //!< Lanes of a node of a ring; 0 to print a budget
    uint32_t wavelengths{8};     //!< Wavelengths of a fibre
    uint32_t bits{8};            //!< Bits of a word that OptINC averages
    double distance{2};          //!< Length of a segment, or from a node to a switch, m
    bool amplify{false};         //!< Whether nodes amplify the light that passes
    uint64_t frameSize{9000};    //!< Bytes of a frame
    bool reach{false};           //!< Print how far light goes, or for how many servers
    bool ports{false};           //!< Print ports and stages of switches
    bool curve{false};           //!< Print error rates by received power
    std::string format{"table"}; //!< Format of tables and curves
    std::string json;            //!< Name of the file for JSON
    bool quiet{false};           //!< Print nothing but errors
};

/**
 * @param value a number
 * @param digits the digits behind the point
 * @return the number as text
 */
std::string
ToText(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/**
 * @param rate an error rate
 * @return the rate with three digits
 */
std::string
ToText(double rate)
{
    std::ostringstream text;
    text << std::setprecision(3) << rate;
    return text.str();
}

/**
 * @param margin the margin of a lightpath, dB
 * @return the end of a sentence about it
 */
std::string
DescribeMargin(double margin)
{
    if (margin >= 0)
    {
        return "can exist, with a margin of " + ToText(margin, 2) + " dB";
    }
    return std::isinf(margin)
               ? "cannot exist: noise or crosstalk is too high for any power, or no light is left"
               : "cannot exist: " + ToText(-margin, 2) + " dB are missing";
}

/**
 * @param link the link
 * @param options the options of the ring
 * @param hops the segments that a lightpath covers
 * @param wavelengths the wavelengths of a fibre
 * @param isAmplified whether nodes amplify the light that passes
 * @return the margin of the lightpath, dB
 */
double
GetRingMargin(const OpticalLink& link,
              const Options& options,
              uint32_t hops,
              uint32_t wavelengths,
              bool isAmplified)
{
    const auto path = OpticalLink::MakeRingPath(hops, wavelengths, options.distance, isAmplified);
    return link.GetMargin(link.GetBudget(path, wavelengths).GetSignal());
}

/**
 * @param link the link
 * @param options the options of the ring
 * @param wavelengths the wavelengths of a fibre
 * @param isAmplified whether nodes amplify the light that passes
 * @return the most segments that a lightpath can cover, up to MOST_HOPS
 */
uint32_t
FindReach(const OpticalLink& link, const Options& options, uint32_t wavelengths, bool isAmplified)
{
    // The margin falls with each segment
    uint32_t low = 0;
    uint32_t high = MOST_HOPS + 1;
    while (high - low > 1)
    {
        const uint32_t hops = (low + high) / 2;
        (GetRingMargin(link, options, hops, wavelengths, isAmplified) >= 0 ? low : high) = hops;
    }
    return low;
}

/**
 * @param value a number
 * @return it in JSON: null where it is infinite
 */
Json
MakeNumber(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

/**
 * Print a table.
 *
 * @param lines its lines
 * @param options the options
 * @param os where to print
 * @return its rows
 */
Json
PrintRows(const std::vector<std::vector<std::string>>& lines,
          const Options& options,
          std::ostream& os)
{
    const TextTable table(lines);
    table.Print(os, options.format);
    return {{"rows", table.GetRows()}};
}

/**
 * Print the reach of a ring by the wavelengths of a fibre.
 *
 * @param link the link
 * @param options the options of the ring
 * @param os where to print
 * @return the numbers
 */
Json
PrintReach(const OpticalLink& link, const Options& options, std::ostream& os)
{
    std::vector<std::vector<std::string>> lines{
        {"wavelengths of a fibre", "hops", "hops with amplifiers"}};
    for (const uint32_t wavelengths : {1, 2, 4, 8, 16, 20, 40, 80})
    {
        lines.push_back({std::to_string(wavelengths),
                         std::to_string(FindReach(link, options, wavelengths, false)),
                         std::to_string(FindReach(link, options, wavelengths, true))});
    }
    return PrintRows(lines, options, os);
}

/**
 * Print how many hops light covers on a ring.
 *
 * @param link the link
 * @param options the options of the ring
 * @param os where to print
 * @return the numbers
 */
Json
PrintHops(const OpticalLink& link, const Options& options, std::ostream& os)
{
    const uint32_t hops = FindReach(link, options, options.wavelengths, false);
    const uint32_t amplified = FindReach(link, options, options.wavelengths, true);
    os << "Light covers " << hops << " hops at most, with amplifiers " << amplified << "\n";
    return {{"mostHops", hops}, {"mostHopsWithAmplifiers", amplified}};
}

/**
 * Print whether a ring with lightpaths between any two nodes can exist.
 *
 * @param link the link
 * @param options the options of the ring
 * @param os where to print
 * @return the numbers
 */
Json
PrintRing(const OpticalLink& link, const Options& options, std::ostream& os)
{
    const uint32_t ofFibres = 2 * options.wavelengths;
    if (options.lanes % ofFibres != 0)
    {
        throw std::invalid_argument("--lanes=" + std::to_string(options.lanes) +
                                    " is no multiple of " + std::to_string(ofFibres) +
                                    ", the lanes of a fibre in each direction");
    }
    const uint32_t hops = options.nodes / 2;
    const double margin = GetRingMargin(link, options, hops, options.wavelengths, false);
    const double amplified = GetRingMargin(link, options, hops, options.wavelengths, true);
    os << "SiP-Ring of " << options.nodes << " nodes with " << options.lanes << " lanes, "
       << options.lanes / ofFibres << " fibres of " << options.wavelengths
       << " wavelengths in each direction, needs lightpaths of " << hops
       << " hops:\nwithout amplifiers it " << DescribeMargin(margin) << "; with amplifiers it "
       << DescribeMargin(amplified) << "\n";
    Json json{{"hops", hops},
              {"marginDb", MakeNumber(margin)},
              {"marginDbWithAmplifiers", MakeNumber(amplified)}};
    json.update(PrintHops(link, options, os));
    return json;
}

/**
 * Print the ports of switches, and the stages that join all nodes.
 *
 * @param link the link
 * @param options the options
 * @param os where to print
 * @return the numbers
 */
Json
PrintPorts(const OpticalLink& link, const Options& options, std::ostream& os)
{
    std::vector<std::vector<std::string>> lines{{"switch", "ports", "stages", "margin dB"}};
    for (const auto& kind : OpticalSwitch::GetKinds())
    {
        const auto element = OpticalSwitch::Create(kind);
        const uint32_t stages = element->GetStages(options.nodes);
        std::string margin = "-";
        if (stages > 0)
        {
            const auto path = OpticalLink::MakeSwitchPath(kind, options.nodes, options.distance);
            const LinkBudget budget = link.GetBudget(path, options.wavelengths);
            const double decibels = link.GetMargin(budget.GetSignal());
            margin = std::isfinite(decibels) ? ToText(decibels, 2) : "none";
        }
        lines.push_back({element->GetName(),
                         std::to_string(element->GetPorts()),
                         stages > 0 ? std::to_string(stages) : "too many ports",
                         margin});
    }
    return PrintRows(lines, options, os);
}

/**
 * Print how often a network averages wrongly, by the number of servers.
 *
 * @param link the light
 * @param options the options
 * @param os where to print
 * @return the numbers
 */
Json
PrintAverageReach(const AveragerLink& link, const Options& options, std::ostream& os)
{
    std::vector<std::vector<std::string>> lines{{"servers", "means", "digits", "averages"}};
    for (const uint32_t servers : {2, 4, 6, 8, 10, 12, 14, 16, 24, 32, 48, 64})
    {
        lines.push_back({std::to_string(servers),
                         ToText(link.GetMeanErrorRate(servers)),
                         ToText(link.GetReturnErrorRate(servers)),
                         ToText(link.GetWordErrorRate(servers, options.bits))});
    }
    return PrintRows(lines, options, os);
}

/**
 * Print the budgets of a network that averages, and how often it does so wrongly.
 *
 * @param link the light
 * @param options the options
 * @param os where to print
 * @return the numbers
 */
Json
PrintAverager(const AveragerLink& link, const Options& options, std::ostream& os)
{
    const uint32_t servers = options.nodes;
    if (servers > 1024)
    {
        throw std::invalid_argument("--nodes=" + std::to_string(servers) +
                                    " is above the 1024 servers of a network that averages");
    }
    os << "From a server to the averager\n";
    link.GetMergeBudget(servers).Print(os);
    os << "\nFrom the averager to a server\n";
    link.GetReturnBudget(servers).Print(os);
    const uint32_t most = link.GetMostServers(options.bits);
    os << "\nerror rate of means of digits " << ToText(link.GetMeanErrorRate(servers))
       << ", of digits at a server " << ToText(link.GetReturnErrorRate(servers)) << ", of averages "
       << ToText(link.GetWordErrorRate(servers, options.bits)) << "\nThe network can"
       << (servers > most ? "not" : "") << " average for " << servers << " servers: it can for "
       << most << " at most\n";
    return {{"servers", servers},
            {"mostServers", most},
            {"errorRateOfMeans", link.GetMeanErrorRate(servers)},
            {"errorRateOfDigits", link.GetReturnErrorRate(servers)},
            {"errorRateOfAverages", link.GetWordErrorRate(servers, options.bits)}};
}

/**
 * Print error rates by received power, without noise of amplifiers.
 *
 * @param link the link
 * @param options the options
 * @param os where to print
 * @return the numbers
 */
Json
PrintCurve(const OpticalLink& link, const Options& options, std::ostream& os)
{
    OpticalSignal signal =
        link.GetBudget(OpticalLink::MakeRingPath(1, 1, options.distance, false), 1).GetSignal();
    std::vector<std::vector<std::string>> lines{{"power dBm", "bits", "frames"}};
    Gnuplot2dDataset bits("bits");
    Gnuplot2dDataset frames("frames of " + std::to_string(options.frameSize) + " bytes");
    for (double power = -24; power <= -4; power += 0.5)
    {
        signal.power = DbmToWatt(power);
        const double rate = link.GetBitErrorRate(signal);
        const double frameRate = link.GetCode().GetFrameErrorRate(rate, options.frameSize);
        lines.push_back({ToText(power, 1), ToText(rate), ToText(frameRate)});
        bits.Add(power, rate);
        frames.Add(power, frameRate);
    }
    if (options.format != "gnuplot")
    {
        return PrintRows(lines, options, os);
    }
    Gnuplot plot("error-rates.svg", "Errors by received power");
    plot.SetTerminal("svg");
    plot.SetLegend("average power in dBm", "error rate");
    plot.AppendExtra("set logscale y\nset format y '%g'\nset yrange [1e-15:1]");
    plot.AddDataset(bits);
    plot.AddDataset(frames);
    plot.GenerateOutput(os);
    return {{"rows", TextTable(lines).GetRows()}};
}

/**
 * Print the budget of a path, and the quality of the data.
 *
 * @param link the link
 * @param options the options
 * @param os where to print
 * @return the numbers
 */
Json
PrintBudget(const OpticalLink& link, const Options& options, std::ostream& os)
{
    const bool isRing = options.path == "ring";
    const uint32_t hops = options.hops > 0 ? options.hops : std::max(options.nodes / 2, 1U);
    if (isRing && hops >= options.nodes)
    {
        throw std::invalid_argument("--hops=" + std::to_string(hops) + " is no path of a ring of " +
                                    std::to_string(options.nodes) + " nodes: at most " +
                                    std::to_string(options.nodes - 1) +
                                    " lead from a node to another");
    }
    const auto path =
        isRing ? OpticalLink::MakeRingPath(hops,
                                           options.wavelengths,
                                           options.distance,
                                           options.amplify)
               : OpticalLink::MakeSwitchPath(options.path, options.nodes, options.distance);
    const LinkBudget budget = link.GetBudget(path, options.wavelengths);
    budget.Print(os);
    const OpticalSignal& signal = budget.GetSignal();
    const double rate = link.GetBitErrorRate(signal);
    const double margin = link.GetMargin(signal);
    const double frameRate = link.GetCode().GetFrameErrorRate(rate, options.frameSize);
    os << "\nerror rate of bits " << ToText(rate) << ", of frames of " << options.frameSize
       << " bytes " << ToText(frameRate) << "\n";
    os << "The lightpath " << DescribeMargin(margin) << "\n";
    if (isRing && margin < 0)
    {
        PrintHops(link, options, os);
    }
    return {{"lossDb", budget.GetLoss()},
            {"marginDb", MakeNumber(margin)},
            {"bitErrorRate", rate},
            {"frameErrorRate", frameRate}};
}

/**
 * Carry out what the options ask for.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    if (!options.curve || options.format != "gnuplot")
    {
        TextTable::CheckFormat(options.format);
    }
    if (options.hops > MOST_HOPS)
    {
        throw std::invalid_argument("--hops=" + std::to_string(options.hops) + " is above " +
                                    std::to_string(MOST_HOPS));
    }
    if (options.distance < 0)
    {
        throw std::invalid_argument("--distance is a length, 0 m or more");
    }
    const bool isRing = options.path == "ring";
    if (!isRing && (options.hops > 0 || options.amplify || options.lanes > 0 ||
                    (options.reach && options.path != "optinc")))
    {
        throw std::invalid_argument(
            "--hops, --amplify, --lanes and --reach belong to the path ring, "
            "not to " +
            options.path);
    }
    if (options.reach + options.curve + options.ports + (options.lanes > 0) > 1)
    {
        throw std::invalid_argument("Give one of --reach, --curve, --ports and --lanes");
    }
    const auto link = CreateObject<OpticalLink>();
    if (options.bits % 2 != 0)
    {
        throw std::invalid_argument("--bits=" + std::to_string(options.bits) +
                                    " is odd: a symbol carries two bits");
    }
    const bool isAverager = options.path == "optinc";
    std::ostringstream text;
    const auto json = options.reach && isAverager
                          ? PrintAverageReach(*CreateObject<AveragerLink>(), options, text)
                      : options.reach     ? PrintReach(*link, options, text)
                      : options.curve     ? PrintCurve(*link, options, text)
                      : options.ports     ? PrintPorts(*link, options, text)
                      : options.lanes > 0 ? PrintRing(*link, options, text)
                      : isAverager ? PrintAverager(*CreateObject<AveragerLink>(), options, text)
                                   : PrintBudget(*link, options, text);
    if (ProgramOptions::HasTable(options.json, options.quiet))
    {
        std::cout << text.str();
    }
    if (!options.json.empty())
    {
        WriteJson(json, options.json);
    }
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if all was printed
 */
int
main(int argc, char* argv[])
{
    Options options;
    ProgramOptions cmd("lightpath-budget",
                       "Print the power of light along a path, and whether it arrives.");
    cmd.AddValue("path",
                 "ring, optinc, or the kind of switch: mems, piezo, wss, awgr, rotor",
                 options.path);
    cmd.AddValue("nodes", "Nodes of the fabric", options.nodes, 2, 1000000);
    cmd.AddAlias("gpus", "nodes");
    cmd.AddValue("hops", "Segments that a lightpath covers; 0: half of the ring", options.hops, 0);
    cmd.AddValue("lanes",
                 "Say whether a ring with these lanes can exist",
                 options.lanes,
                 0,
                 1000000);
    cmd.AddValue("wavelengths", "Wavelengths of a fibre", options.wavelengths, 1, 10000);
    cmd.AddValue("bits", "Bits of a word that OptINC averages", options.bits, 2, 16);
    cmd.AddValue("distance", "Fibre between neighbours, or to a switch, m", options.distance);
    cmd.AddValue("amplify", "Nodes of a ring amplify the light that passes", options.amplify);
    cmd.AddValue("frameSize", "Bytes of a frame", options.frameSize, 1);
    cmd.AddValue("reach", "Print how far light goes, or errors by servers", options.reach);
    cmd.AddValue("ports", "Print ports and stages of switches for the nodes", options.ports);
    cmd.AddValue("curve", "Print error rates by received power", options.curve);
    cmd.AddValue("format", "table, rst or csv; --curve: or gnuplot", options.format);
    cmd.AddOutput(options.json, options.quiet);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
