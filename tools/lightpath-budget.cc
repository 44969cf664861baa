/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-files.h"
#include "program-options.h"
#include "text-table.h"

#include "ns3/optical-link.h"
#include "ns3/optical-switch.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>

/**
 * @file
 * @ingroup lightpath
 * Prints the power of light along a path, element by element, and whether the receiver understands
 * it; how far light goes on a ring; and curves of error rates.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The most segments of a ring that are tried.
constexpr uint32_t MOST_HOPS = 4096;

/// The values of the options.
struct Options
{
    std::string path{"ring"};    //!< The ring, or the kind of switch
    uint32_t nodes{64};          //!< Nodes of the fabric
    uint32_t hops{0};            //!< Segments that a lightpath covers; 0 for half of the ring
    uint32_t wavelengths{8};     //!< Wavelengths of a fibre
    double distance{2};          //!< Length of a segment, or from a node to a switch, m
    bool amplify{false};         //!< Whether nodes amplify the light that passes
    uint64_t frameSize{9000};    //!< Bytes of a frame
    bool reach{false};           //!< Print how far light goes on a ring
    bool curve{false};           //!< Print error rates by received power
    std::string format{"table"}; //!< Format of the tables of --reach and --curve
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
        const auto path =
            OpticalLink::MakeRingPath(hops, wavelengths, options.distance, isAmplified);
        const LinkBudget budget = link.GetBudget(path, wavelengths);
        (link.GetMargin(budget.GetSignal()) >= 0 ? low : high) = hops;
    }
    return low;
}

/**
 * Print the reach of a ring by the wavelengths of a fibre.
 *
 * @param link the link
 * @param options the options of the ring
 */
void
PrintReach(const OpticalLink& link, const Options& options)
{
    std::vector<std::vector<std::string>> lines{
        {"wavelengths of a fibre", "hops", "hops with amplifiers"}};
    for (const uint32_t wavelengths : {1, 2, 4, 8, 16, 20, 40, 80})
    {
        lines.push_back({std::to_string(wavelengths),
                         std::to_string(FindReach(link, options, wavelengths, false)),
                         std::to_string(FindReach(link, options, wavelengths, true))});
    }
    TextTable(lines).Print(std::cout, options.format);
}

/**
 * Print error rates by received power, without noise of amplifiers.
 *
 * @param link the link
 * @param options the options
 */
void
PrintCurve(const OpticalLink& link, const Options& options)
{
    OpticalSignal signal =
        link.GetBudget(OpticalLink::MakeRingPath(1, 1, options.distance, false), 1).GetSignal();
    std::vector<std::vector<std::string>> lines{{"power dBm", "bits", "frames"}};
    for (double power = -24; power <= -4; power += 0.5)
    {
        signal.power = DbmToWatt(power);
        const double rate = link.GetBitErrorRate(signal);
        lines.push_back({ToText(power, 1),
                         ToText(rate),
                         ToText(link.GetCode().GetFrameErrorRate(rate, options.frameSize))});
    }
    TextTable(lines).Print(std::cout, options.format);
}

/**
 * Print the budget of a path, and the quality of the data.
 *
 * @param link the link
 * @param options the options
 */
void
PrintBudget(const OpticalLink& link, const Options& options)
{
    const bool isRing = options.path == "ring";
    const uint32_t hops = options.hops > 0 ? options.hops : std::max(options.nodes / 2, 1U);
    const auto path =
        isRing ? OpticalLink::MakeRingPath(hops,
                                           options.wavelengths,
                                           options.distance,
                                           options.amplify)
               : OpticalLink::MakeSwitchPath(options.path, options.nodes, options.distance);
    const LinkBudget budget = link.GetBudget(path, options.wavelengths);
    budget.Print(std::cout);
    const OpticalSignal& signal = budget.GetSignal();
    const double rate = link.GetBitErrorRate(signal);
    const double margin = link.GetMargin(signal);
    std::cout << "\nerror rate of bits " << ToText(rate) << ", of frames of " << options.frameSize
              << " bytes " << ToText(link.GetCode().GetFrameErrorRate(rate, options.frameSize))
              << "\n";
    if (margin >= 0)
    {
        std::cout << "The lightpath can exist, with a margin of " << ToText(margin, 2) << " dB\n";
    }
    else if (std::isinf(margin))
    {
        std::cout << "The lightpath cannot exist: noise or crosstalk is too high for any power\n";
    }
    else
    {
        std::cout << "The lightpath cannot exist: " << ToText(-margin, 2) << " dB are missing\n";
    }
    if (isRing && margin < 0)
    {
        const auto describe = [&](bool isAmplified) {
            return std::to_string(FindReach(link, options, options.wavelengths, isAmplified));
        };
        std::cout << "Light covers " << describe(false) << " hops at most, with amplifiers "
                  << describe(true) << "\n";
    }
}

/**
 * Carry out what the options ask for.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    TextTable::CheckFormat(options.format);
    if (options.hops > MOST_HOPS)
    {
        throw std::invalid_argument("--hops=" + std::to_string(options.hops) + " is above " +
                                    std::to_string(MOST_HOPS));
    }
    const auto link = CreateObject<OpticalLink>();
    if (options.reach)
    {
        PrintReach(*link, options);
    }
    else if (options.curve)
    {
        PrintCurve(*link, options);
    }
    else
    {
        PrintBudget(*link, options);
    }
    CheckOutput();
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
                 "ring, or the kind of switch: mems, piezo, wss, awgr, rotor",
                 options.path);
    cmd.AddValue("nodes", "Nodes of the fabric", options.nodes, 2, 1000000);
    cmd.AddValue("hops", "Segments that a lightpath covers; 0: half of the ring", options.hops, 0);
    cmd.AddValue("wavelengths", "Wavelengths of a fibre", options.wavelengths, 1, 10000);
    cmd.AddValue("distance", "Fibre between neighbours, or to a switch, m", options.distance);
    cmd.AddValue("amplify", "Nodes of a ring amplify the light that passes", options.amplify);
    cmd.AddValue("frameSize", "Bytes of a frame", options.frameSize, 1);
    cmd.AddValue("reach", "Print how far light goes on a ring", options.reach);
    cmd.AddValue("curve", "Print error rates by received power", options.curve);
    cmd.AddValue("format", "table, rst or csv, of --reach and --curve", options.format);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
