/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-weights.h"

#include "model/base/read-line.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

const std::string FIRST_LINE = "lightpath-network 1"; //!< The first line of each file
constexpr std::size_t MAX_SIZE = 65536;               //!< The most inputs or outputs of a layer
constexpr std::size_t MAX_NUMBERS = 100'000'000;      //!< The most numbers of a network

/**
 * @param path the path of a file
 * @param fault what is wrong with it
 */
[[noreturn]] void
Refuse(const std::string& path, const std::string& fault)
{
    throw std::invalid_argument("The weights of a network cannot be read from '" + path +
                                "': " + fault);
}

/**
 * @param in a file, in the middle of its numbers
 * @param values where the numbers go
 */
void
ReadNumbers(std::istream& in, std::vector<double>& values)
{
    std::vector<unsigned char> bytes(4 * values.size());
    in.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        uint32_t pattern = 0;
        for (int byte = 3; byte >= 0; --byte)
        {
            pattern = pattern << 8 | bytes[4 * i + byte];
        }
        float value;
        std::memcpy(&value, &pattern, sizeof value);
        values[i] = value;
    }
}

/**
 * @param line a line of the head of a file
 * @param network what the line belongs to
 * @return whether the line is understood
 */
bool
TakeLine(const std::string& line, NetworkWeights& network)
{
    std::istringstream in(line);
    std::string keyword;
    in >> keyword;
    if (keyword == "form")
    {
        std::string form;
        in >> form;
        network.form = form == "blocks" ? NetworkWeights::BLOCKS : NetworkWeights::SVD;
        return form == "blocks" || form == "svd";
    }
    if (keyword == "layers")
    {
        std::size_t inputs = 0;
        std::size_t outputs = 0;
        std::size_t numbers = 0;
        in >> inputs;
        while (in >> outputs && std::min(inputs, outputs) > 0 &&
               std::max(inputs, outputs) <= MAX_SIZE &&
               (numbers += (inputs + 1) * outputs) <= MAX_NUMBERS)
        {
            network.layers.push_back(
                {RealMatrix(outputs, inputs), std::vector<double>(outputs, 0)});
            inputs = outputs;
        }
        return in.eof() && !network.layers.empty();
    }
    if (keyword == "servers")
    {
        return static_cast<bool>(in >> network.servers) && network.servers > 0;
    }
    return keyword == "bits" && static_cast<bool>(in >> network.bits) && network.bits > 0;
}

} // namespace

NetworkWeights
NetworkWeights::Read(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string line;
    if (!in)
    {
        Refuse(path, "there is no such file, or it is not for reading");
    }
    if (!ReadLine(in, line, path) || line != FIRST_LINE)
    {
        Refuse(path, "it does not begin with the line '" + FIRST_LINE + "'");
    }
    NetworkWeights network;
    while (ReadLine(in, line, path) && line != "data")
    {
        if (!TakeLine(line, network))
        {
            Refuse(path, "its line '" + line + "' is none of form, servers, bits and layers");
        }
    }
    if (network.servers == 0 || network.bits == 0 || network.layers.empty())
    {
        Refuse(path, "it must say servers, bits and layers before the line 'data'");
    }
    for (NetworkLayer& layer : network.layers)
    {
        ReadNumbers(in, layer.weights.GetValues());
        ReadNumbers(in, layer.bias);
    }
    for (const NetworkLayer& layer : network.layers)
    {
        for (const auto* values : {&layer.weights.GetValues(), &layer.bias})
        {
            if (!std::all_of(values->begin(), values->end(), [](double value) {
                    return std::isfinite(value);
                }))
            {
                Refuse(path, "it has weights that are infinite or no numbers");
            }
        }
    }
    if (!in || in.peek() != std::ifstream::traits_type::eof())
    {
        Refuse(path, "it has more or fewer numbers than its layers");
    }
    return network;
}

} // namespace lightpath
} // namespace ns3
