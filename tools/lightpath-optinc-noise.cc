/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averager-meter.h"
#include "option-values.h"
#include "output-files.h"
#include "program-options.h"
#include "text-table.h"

#include <cmath>
#include <iomanip>
#include <unistd.h>

/**
 * @file
 * @ingroup lightpath
 * Measures how often networks of 4 servers have a wrong average of words of 8 bits, by what real
 * interferometers and detectors differ from those that were computed.
 */

using namespace ns3;

namespace
{

/// An imperfection, and how large it is.
struct Case
{
    std::string name;      //!< What people call it
    std::string attribute; //!< The attribute of MeshImperfections
    double value;          //!< The value of it
    bool isRandom;         //!< Whether realisations differ
};

/**
 * @return the imperfections of meshes
 */
std::vector<Case>
MakeCases()
{
    std::vector<Case> cases;
    const auto add = [&cases](const std::string& name,
                              const std::string& attribute,
                              const std::vector<std::string>& values,
                              bool isRandom) {
        for (const std::string& value : values)
        {
            cases.push_back({name + " " + value, attribute, std::stod(value), isRandom});
        }
    };
    add("phase rad",
        "PhaseNoiseRad",
        {"1e-5", "1e-4", "1e-3", "2e-3", "3e-3", "5e-3", "1e-2"},
        true);
    add("coupler rad", "CouplerErrorRad", {"1e-3", "3e-3", "1e-2"}, true);
    add("phase bits", "PhaseBits", {"8", "10", "12"}, false);
    add("loss dB", "MziLossDb", {"1e-3", "1e-2", "1e-1"}, false);
    return cases;
}

/**
 * @param value a number
 * @param digits how many of its digits count
 * @return the number
 */
std::string
Format(double value, int digits)
{
    std::ostringstream text;
    text << std::setprecision(digits) << value;
    return text.str();
}

/**
 * @param rate how often something is wrong
 * @return the share and its standard error
 */
std::string
Format(const AveragerMeter::Rate& rate)
{
    return Format(rate.mean, 3) + (rate.error > 0 ? " +- " + Format(rate.error, 1) : "");
}

/**
 * Says on a terminal what is being measured.
 *
 * @param text what, or nothing for the end
 */
void
Report(const std::string& text)
{
    if (isatty(STDERR_FILENO))
    {
        std::cerr << "\r\033[K" << text << std::flush;
    }
}

/// Lines of a table.
using Lines = std::vector<std::vector<std::string>>;

/**
 * Adds the errors by imperfections of meshes, as a column.
 *
 * @param name the name of the network
 * @param meter what measures it
 * @param lines the table
 */
void
AddMeshColumn(const std::string& name, AveragerMeter& meter, Lines& lines)
{
    lines[0].push_back(name);
    lines[1].push_back(std::to_string(meter.GetNElements()));
    lines[2].push_back(std::to_string(meter.GetNColumns()));
    std::size_t line = 3;
    for (const Case& each : MakeCases())
    {
        Report(name + ", " + each.name);
        lines[line++].push_back(
            Format(meter.MeasureMesh(each.attribute, each.value, each.isRandom)));
    }
}

/**
 * Adds the errors by noise of detectors, as lines.
 *
 * @param name the name of the network
 * @param meter what measures it
 * @param lines the table
 * @return whether the errors are within three standard errors of their closed forms
 */
bool
AddNoiseLines(const std::string& name, AveragerMeter& meter, Lines& lines)
{
    bool isRight = true;
    for (const double sigma : {0.1, 0.15, 0.2})
    {
        Report(name + ", output " + Format(sigma, 2));
        const auto all = meter.MeasureNoise(sigma, false);
        const auto predicted = meter.PredictNoise(sigma);
        const auto equal = meter.MeasureNoise(sigma, true);
        const auto closed = meter.PredictEqual(sigma);
        isRight = isRight && std::abs(all.mean - predicted.mean) <= 3 * predicted.error;
        // Only this network's outputs are on the levels
        isRight = isRight && (name != "constructive" ||
                              std::abs(equal.mean - closed.mean) <= 3 * closed.error);
        lines.push_back({name,
                         Format(sigma, 2),
                         Format(all),
                         Format(predicted.mean, 3),
                         Format(equal),
                         Format(closed.mean, 3)});
    }
    return isRight;
}

} // namespace

/**
 * Measures the errors of networks, as the options say.
 *
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0 if all went well
 */
int
main(int argc, char* argv[])
{
    std::string networks = "svd,blocks,constructive";
    std::string format = "table";
    int64_t draws = 20;
    std::string json;
    bool quiet = false;
    bool check = false;
    ProgramOptions cmd(
        "lightpath-optinc-noise",
        "Measure the errors of networks on imperfect meshes, and with noise of detectors.");
    cmd.AddValue("networks", "svd, blocks (trained) or constructive, between commas", networks);
    cmd.AddValue("draws",
                 "Realisations of a mesh, and times that words meet noise",
                 draws,
                 1,
                 100000);
    cmd.AddValue("format", "table; csv; or rst for the manual", format);
    cmd.AddValue("check", "Fail if noise of detectors has other errors than closed forms", check);
    cmd.AddOutput(json, quiet);
    return cmd.Run(argc, argv, [&] {
        TextTable::CheckFormat(format);
        Lines mesh = {{"word errors"}, {"interferometers"}, {"columns"}};
        for (const Case& each : MakeCases())
        {
            mesh.push_back({each.name});
        }
        Lines noise = {
            {"network", "sigma", "all inputs", "closed form", "equal words", "closed form"}};
        bool isRight = true;
        for (const std::string& name : SplitList(networks))
        {
            ParseWord("networks", name, {{"svd", ""}, {"blocks", ""}, {"constructive", ""}});
            AveragerMeter meter(name, static_cast<uint32_t>(draws));
            AddMeshColumn(name, meter, mesh);
            isRight = AddNoiseLines(name, meter, noise) && isRight;
        }
        Report("");
        if (ProgramOptions::HasTable(json, quiet))
        {
            TextTable(mesh).Print(std::cout, format);
            std::cout << "\n";
            TextTable(noise).Print(std::cout, format);
        }
        if (!json.empty())
        {
            const nlohmann::ordered_json result = {{"mesh", TextTable(mesh).GetRows()},
                                                   {"noise", TextTable(noise).GetRows()}};
            WriteJson(result, json);
        }
        if (check && !isRight)
        {
            throw std::invalid_argument("Noise of detectors has other errors than closed forms");
        }
    });
}
