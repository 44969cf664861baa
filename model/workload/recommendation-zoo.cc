/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlrm-model.h"
#include "zoo-entry.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint64_t MOST_TABLES = 4096;           //!< The most tables: each is an operator
constexpr uint64_t MOST_PERCEPTRON_LAYERS = 256; //!< The most layers of a perceptron
constexpr uint64_t MOST_WIDTH = 65536;           //!< The widest rows and layers: costs have 64 bits

/**
 * @param name the name of the model
 * @return the options of a recommendation model, which is trained in single precision by stochastic
 *         gradient descent
 */
ModelOptions
MakeOptions(const std::string& name)
{
    ModelOptions options = ZooEntry::MakeOptions(name, "sgd");
    options.Set("precision", "single");
    options.Declare("columns",
                    "whole",
                    "whether replicas can share out the columns of all tables (--ep)",
                    {"whole", "shared"});
    return options;
}

/**
 * Set what is alike in all recommendation models.
 *
 * @param options the options of a model
 * @param shape its size
 */
void
Complete(const ModelOptions& options, DlrmShape& shape)
{
    shape.name = options.GetModel();
    shape.sharesColumns = options.Get("columns") == "shared";
    shape.training = ZooEntry::GetTrainingOptions(options);
}

/**
 * Get an option that has a limit.
 *
 * @param options the options of a model
 * @param name the name of an option that is a whole number
 * @param most the most that it can be; std::invalid_argument if it is more
 * @return its value
 */
uint64_t
GetLimited(const ModelOptions& options, const std::string& name, uint64_t most)
{
    const uint64_t value = options.GetNumber(name);
    if (value > most)
    {
        throw std::invalid_argument("Option " + name + " of model \"" + options.GetModel() +
                                    "\" cannot be " + options.Get(name) + ": it must be at most " +
                                    std::to_string(most));
    }
    return value;
}

/**
 * The model of MLPerf Training 0.7 and 1.x on the Criteo terabyte set; the tables have the
 * categories that occur at least three times.
 *
 * @return its entry
 */
ZooEntry
MakeMlperf()
{
    ZooEntry entry;
    entry.options = MakeOptions("dlrm");
    entry.description = "DLRM of MLPerf 0.7 and 1.x on Criteo's terabyte";
    entry.build = [](const ModelOptions& options) {
        DlrmShape shape;
        shape.bottom = {512, 256, 128};
        shape.tables = {45833188, 36747, 1572176,  345139, 11,       2209,     11268,  128,     4,
                        975,      15,    48937457, 17246,  11316796, 40094537, 452104, 12607,   105,
                        36,       7414,  20244,    4,      7115,     1442,     63,     29275261};
        shape.top = {1024, 1024, 512, 256, 1};
        Complete(options, shape);
        return DlrmModel::Build(shape);
    };
    return entry;
}

/**
 * The model of MLPerf Training from 3.0 on, whose samples look up several rows of a table, and
 * whose vectors meet in a cross network.
 *
 * @return its entry
 */
ZooEntry
MakeCrossNetwork()
{
    ZooEntry entry;
    entry.options = MakeOptions("dlrm-dcnv2");
    entry.description = "DLRM-DCNv2 of MLPerf from 3.0 on, multi-hot";
    entry.build = [](const ModelOptions& options) {
        DlrmShape shape;
        shape.bottom = {512, 256, 128};
        shape.tables = {40000000, 39060,    17295,    7424,     20265,  3,     7122, 1543, 63,
                        40000000, 3067956,  405282,   10,       2209,   11938, 155,  4,    976,
                        14,       40000000, 40000000, 40000000, 590152, 12973, 108,  36};
        shape.hots = {3, 2, 1, 2, 6, 1, 1,  1,   1,  7,  3, 8, 1,
                      6, 9, 5, 1, 1, 1, 12, 100, 27, 10, 3, 1, 1};
        shape.dotInteraction = false;
        shape.crossLayers = 3;
        shape.crossRank = 512;
        shape.top = {1024, 1024, 512, 256, 1};
        Complete(options, shape);
        return DlrmModel::Build(shape);
    };
    return entry;
}

/**
 * Tables of one size and layers of one size, by default those of the large model of TopoOpt (Wang
 * et al., 2023). The outputs of tables and bottom perceptron are concatenated, since their widths
 * differ.
 *
 * @return its entry
 */
ZooEntry
MakeUniform()
{
    ZooEntry entry;
    entry.options = MakeOptions("dlrm-uniform");
    entry.description = "DLRM with tables of one size, as in TopoOpt";
    ModelOptions& options = entry.options;
    options.Declare("tables", 64, "embedding tables, up to 4096");
    options.Declare("rows", 10000000, "rows of a table");
    options.Declare("width", 128, "elements of a row, up to 65536");
    options.Declare("lookups", 1, "rows of each table that a sample looks up, up to 65536");
    options.Declare("features", 13, "dense features of a sample, up to 65536");
    options.Declare("bottomLayers", 8, "layers of the bottom perceptron, up to 256");
    options.Declare("bottomWidth", 2048, "outputs of each of them, up to 65536");
    options.Declare("topLayers", 16, "layers of the top perceptron before the last, up to 256");
    options.Declare("topWidth", 4096, "outputs of each of them, up to 65536");
    entry.build = [](const ModelOptions& values) {
        DlrmShape shape;
        shape.features = GetLimited(values, "features", MOST_WIDTH);
        shape.bottom.assign(GetLimited(values, "bottomLayers", MOST_PERCEPTRON_LAYERS),
                            GetLimited(values, "bottomWidth", MOST_WIDTH));
        shape.tables.assign(GetLimited(values, "tables", MOST_TABLES), values.GetNumber("rows"));
        shape.width = GetLimited(values, "width", MOST_WIDTH);
        shape.lookups = GetLimited(values, "lookups", MOST_WIDTH);
        shape.dotInteraction = false;
        shape.top.assign(GetLimited(values, "topLayers", MOST_PERCEPTRON_LAYERS),
                         GetLimited(values, "topWidth", MOST_WIDTH));
        shape.top.push_back(1);
        Complete(values, shape);
        return DlrmModel::Build(shape);
    };
    return entry;
}

} // namespace

std::vector<ZooEntry>
ZooEntry::GetRecommendationModels()
{
    return {MakeMlperf(), MakeCrossNetwork(), MakeUniform()};
}

} // namespace lightpath
} // namespace ns3
