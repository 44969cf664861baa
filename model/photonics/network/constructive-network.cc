/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "constructive-network.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A number that is linear in the inputs of a layer.
using Row = std::pair<std::vector<double>, double>;

constexpr uint32_t STEPS = 3; //!< The thresholds of a digit

/**
 * @param rows the outputs of a layer
 * @return the layer
 */
NetworkLayer
MakeLayer(const std::vector<Row>& rows)
{
    NetworkLayer layer{RealMatrix(rows.size(), rows.front().first.size()), {}};
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        std::copy(rows[i].first.begin(), rows[i].first.end(), layer.weights.GetRow(i));
        layer.bias.push_back(rows[i].second);
    }
    return layer;
}

} // namespace

NetworkWeights
MakeConstructiveNetwork(uint32_t servers, uint32_t bits)
{
    const uint32_t digits = bits / 2;
    const double g = 1 / (2.0 * servers);
    // Digits are found from the highest on, by thresholds: the difference of two rectifiers g apart
    // rises from 0 to g at a threshold. What is left to divide, and the digits that are known, in
    // the outputs of the layer before
    Row rest{std::vector<double>(digits), 0.5};
    for (uint32_t digit = 0; digit < digits; ++digit)
    {
        rest.first[digit] = static_cast<double>(1U << (2 * digit));
    }
    std::vector<Row> known;
    NetworkWeights network{NetworkWeights::SVD, servers, bits, {}};
    for (uint32_t digit = digits; digit-- > 0;)
    {
        const auto power = static_cast<double>(1U << (2 * digit));
        std::vector<Row> rows;
        for (uint32_t step = 1; step <= STEPS; ++step)
        {
            rows.emplace_back(rest.first, rest.second - step * power + g);
            rows.emplace_back(rest.first, rest.second - step * power);
        }
        rows.push_back(rest);
        rows.insert(rows.end(), known.begin(), known.end());
        network.layers.push_back(MakeLayer(rows));
        // The digits that were known stand behind the steps and the rest
        std::vector<Row> passed;
        for (std::size_t i = 2 * STEPS; i < rows.size(); ++i)
        {
            passed.emplace_back(std::vector<double>(rows.size(), 0), 0);
            passed.back().first[i] = 1;
        }
        rest = passed.front();
        known.assign(passed.begin() + 1, passed.end());
        known.emplace_back(std::vector<double>(rows.size(), 0), 0);
        for (uint32_t step = 0; step < STEPS; ++step)
        {
            // A threshold that is reached adds 1 to the digit and takes its power from the rest
            known.back().first[2 * step] = 1 / g;
            known.back().first[2 * step + 1] = -1 / g;
            rest.first[2 * step] = -power / g;
            rest.first[2 * step + 1] = power / g;
        }
    }
    // The least significant digit is the last that became known
    network.layers.push_back(MakeLayer({known.rbegin(), known.rend()}));
    return network;
}

} // namespace lightpath
} // namespace ns3
