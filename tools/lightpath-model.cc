/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/workload/accelerator-file.h"
#include "model/workload/model-summary.h"
#include "model/workload/operator-graph-writer.h"
#include "output-files.h"
#include "program-options.h"

#include "ns3/framework.h"
#include "ns3/model-zoo.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * Lists the models of the zoo, the options of a model, and the layers of a model with their costs,
 * and writes the operators of a model as JSON. Lists accelerators, and the figures of one with
 * their sources.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The values of the options.
struct Options
{
    bool list{false};         //!< Print all models
    std::string show;         //!< Name of the model to print
    bool operators{false};    //!< Print its operators as well
    std::string options;      //!< Name of the model whose options to print
    std::string json;         //!< Name of the file for its operator graph
    bool accelerators{false}; //!< Print all accelerators
    std::string accelerator;  //!< Name of the accelerator whose figures to print
    bool frameworks{false};   //!< Print all frameworks
};

/**
 * Print a line of the list of models.
 *
 * @param name the name of a model
 * @param parameters its number of parameters
 * @param multiplyAdds its multiply-adds of the forward pass, per sample
 * @param sample the meaning of a sample
 * @param description a description of the model
 */
void
PrintModel(const std::string& name,
           const std::string& parameters,
           const std::string& multiplyAdds,
           const std::string& sample,
           const std::string& description)
{
    std::cout << std::left << std::setw(18) << name << std::right << std::setw(12) << parameters
              << std::setw(16) << multiplyAdds << "  " << std::left << std::setw(15) << sample
              << std::right << description << "\n";
}

/// Print a line for each model.
void
ListModels()
{
    PrintModel("model", "parameters", "MAC a sample", "sample", "description");
    for (const auto& name : ModelZoo::GetNames())
    {
        const OperatorGraph graph = ModelZoo::Create(name);
        PrintModel(name,
                   ModelSummary::FormatCount(graph.GetParameters()),
                   ModelSummary::FormatCount(graph.GetForwardMultiplyAdds()),
                   graph.GetSample(),
                   ModelZoo::GetDescription(name));
    }
}

/**
 * Print a line for each option of a model.
 *
 * @param name the name of the model
 */
void
ListOptions(const std::string& name)
{
    const ModelOptions options = ModelZoo::GetOptions(name);
    std::size_t width = 0;
    for (const auto& option : options.GetOptions())
    {
        width = std::max(width, option.name.size() + option.value.size() + 3);
    }
    std::cout << options.GetModel() << ": " << ModelZoo::GetDescription(name) << "\n";
    for (const auto& option : options.GetOptions())
    {
        std::string choices;
        for (const auto& choice : option.choices)
        {
            choices += (choices.empty() ? " (" : ", ") + choice;
        }
        std::cout << "  " << std::left << std::setw(width) << option.name + "=" + option.value
                  << std::right << option.description << choices << (choices.empty() ? "" : ")")
                  << "\n";
    }
}

/**
 * Print the layers of a model, with their costs, and the totals.
 *
 * @param graph the model
 * @param name the name of the model, with or without options
 * @param operators whether to print the operators as well
 */
void
ShowModel(const OperatorGraph& graph, const std::string& name, bool operators)
{
    const ModelSummary summary(graph);
    std::cout << name << ": " << ModelZoo::GetDescription(name) << "\n\n";
    summary.PrintLayers(std::cout);
    if (operators)
    {
        std::cout << "\n";
        summary.PrintOperators(std::cout);
    }
    std::cout << "\n";
    summary.PrintTotals(std::cout);
}

/**
 * @param number a number
 * @return the number with up to six digits
 */
std::string
ToText(double number)
{
    std::ostringstream text;
    text << number;
    return text.str();
}

/**
 * @param peak a peak of matrix products, FLOP/s
 * @return it in TFLOP/s; a hyphen if there is none
 */
std::string
FormatPeak(double peak)
{
    return peak > 0 ? ToText(peak * 1e-12) : "-";
}

/**
 * @param file an accelerator
 * @return where its efficiency of products in half precision comes from
 */
std::string
FindOrigin(const AcceleratorFile& file)
{
    const auto& figures = file.GetFigures();
    const auto found = std::find_if(figures.begin(), figures.end(), [](const auto& figure) {
        return figure.key == "halfMatmulEfficiency";
    });
    const bool isOwn = found->file == file.GetAccelerator().name;
    return found->confidence == "inherited" ? "inherited from " + found->file
           : isOwn                          ? found->confidence
                                            : found->confidence + " as " + found->file;
}

/// Print a line for each accelerator.
void
ListAccelerators()
{
    const std::string title = "accelerator";
    const std::vector<std::string> names = Accelerator::GetNames();
    std::size_t width = title.size();
    for (const auto& name : names)
    {
        width = std::max(width, name.size());
    }
    const auto print = [width](const auto& name,
                               const std::string& half,
                               const std::string& eight,
                               const std::string& four,
                               const auto& memory,
                               const auto& rate,
                               const std::string& efficiency,
                               const auto& description) {
        std::cout << std::left << std::setw(width) << name << std::right << std::setw(8) << half
                  << std::setw(8) << eight << std::setw(8) << four << std::setw(8) << memory
                  << std::setw(8) << rate << "  " << std::left << std::setw(22) << efficiency
                  << description << "\n";
    };
    std::cout << "peaks of dense matrices, TFLOP/s\n";
    print(title, "half", "FP8", "NVFP4", "GiB", "GB/s", "efficiency", "description");
    for (const auto& name : names)
    {
        const AcceleratorFile file(name);
        const Accelerator& gpu = file.GetAccelerator();
        print(name,
              FormatPeak(gpu.GetPeak(Precision::HALF)),
              FormatPeak(gpu.GetPeak(Precision::FP8)),
              FormatPeak(gpu.GetPeak(Precision::NVFP4)),
              gpu.memoryBytes >> 30,
              gpu.memoryBandwidth * 1e-9,
              FindOrigin(file),
              file.GetDescription());
    }
}

/**
 * Print a line for each figure of an accelerator.
 *
 * @param name the name of the accelerator, or of its file
 */
void
ShowAccelerator(const std::string& name)
{
    const AcceleratorFile file(name);
    std::cout << file.GetAccelerator().name << ": " << file.GetDescription() << "\n";
    for (const auto& fact : file.GetProvenance())
    {
        std::cout << "  " << fact.key << ": " << fact.text << "\n";
    }
    for (const auto& figure : file.GetFigures())
    {
        const bool isOwn = figure.file == file.GetAccelerator().name;
        std::cout << "  " << std::left << std::setw(28) << figure.key << std::setw(11)
                  << ToText(figure.value) << std::setw(11) << figure.confidence << std::right
                  << (isOwn                              ? ""
                      : figure.confidence == "inherited" ? "from " + figure.file + ", not fitted: "
                                                         : "as " + figure.file + ": ")
                  << figure.source << "\n";
    }
}

/// Print the options of each framework with their sources.
void
ListFrameworks()
{
    for (const auto& name : Framework::GetNames())
    {
        const Framework framework = Framework::Create(name);
        std::cout << name << ": " << framework.GetDescription() << "\n";
        for (const auto& origin : framework.GetOrigins())
        {
            std::cout << "  " << std::left << std::setw(27) << origin.option + "=" + origin.value
                      << std::right << origin.source << "\n";
        }
    }
}

/**
 * Refuse options that do not go together.
 *
 * @param options the options
 */
void
Check(const Options& options)
{
    const bool isModel = options.list || !options.show.empty() || !options.options.empty();
    if (!isModel && !options.accelerators && options.accelerator.empty() && !options.frameworks)
    {
        throw std::invalid_argument("There is nothing to print: ask with --list, --show=MODEL, "
                                    "--options=MODEL, --accelerators, --accelerator=NAME or "
                                    "--frameworks");
    }
    if (options.frameworks && (isModel || options.accelerators || !options.accelerator.empty()))
    {
        throw std::invalid_argument("--frameworks are printed alone: leave out --list, --show, "
                                    "--options, --accelerators and --accelerator");
    }
    if (isModel && (options.accelerators || !options.accelerator.empty()))
    {
        throw std::invalid_argument("--accelerators and --accelerator are printed alone: leave out "
                                    "--list, --show and --options");
    }
    if (options.operators && options.show.empty())
    {
        throw std::invalid_argument("--operators belongs to --show=MODEL");
    }
    if (!options.json.empty() && options.show.empty())
    {
        throw std::invalid_argument("--json belongs to --show=MODEL");
    }
    if (options.json == "-" && (options.list || options.operators || !options.options.empty()))
    {
        throw std::invalid_argument("--json=- prints JSON only: leave out --list, --operators and "
                                    "--options, or give the name of a file");
    }
}

/**
 * Print all that the options ask for.
 *
 * @param options the options
 */
void
Run(const Options& options)
{
    Check(options);
    CheckWritable(options.json);
    if (options.frameworks)
    {
        ListFrameworks();
    }
    if (options.accelerators)
    {
        ListAccelerators();
    }
    if (!options.accelerator.empty())
    {
        std::cout << (options.accelerators ? "\n" : "");
        ShowAccelerator(options.accelerator);
    }
    if (options.list)
    {
        ListModels();
    }
    if (options.list && !options.options.empty())
    {
        std::cout << "\n";
    }
    if (!options.options.empty())
    {
        ListOptions(options.options);
    }
    if (!options.show.empty())
    {
        const OperatorGraph graph = ModelZoo::Create(options.show);
        if (options.json != "-")
        {
            std::cout << (options.list || !options.options.empty() ? "\n" : "");
            ShowModel(graph, options.show, options.operators);
        }
        if (!options.json.empty())
        {
            // It is a model itself, which lightpath-train reads
            WriteFile(options.json,
                      [&graph](std::ostream& os) { OperatorGraphWriter::Write(graph, os); });
        }
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
    ProgramOptions cmd("lightpath-model",
                       "Show the models of the zoo: their sizes, their options and their layers; "
                       "accelerators, and frameworks.");
    cmd.AddValue("list", "List all models", options.list);
    cmd.AddValue("show", "Model to show, like bert-large:sequence=128", options.show);
    cmd.AddValue("operators", "Show the operators of the model as well", options.operators);
    cmd.AddValue("options", "Model whose options to list", options.options);
    cmd.AddValue("accelerators", "List all accelerators", options.accelerators);
    cmd.AddValue("accelerator",
                 "Accelerator, or FILE.json, whose figures to show with their sources",
                 options.accelerator);
    cmd.AddValue("frameworks",
                 "List the training programs of lightpath-train --framework, and what they set",
                 options.frameworks);
    cmd.AddValue("json", "File for the operators as JSON; - for standard output", options.json);
    return cmd.Run(argc, argv, [&] { Run(options); });
}
