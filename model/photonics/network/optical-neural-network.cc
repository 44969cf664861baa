/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-neural-network.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <gsl/gsl_cblas.h>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

OpticalNeuralNetwork::OpticalNeuralNetwork(NetworkWeights weights)
    : m_weights(std::move(weights)),
      m_width(0)
{
    std::size_t inputs = m_weights.layers.empty() ? 0 : GetNInputs();
    bool fits = inputs > 0;
    for (const auto& [matrix, bias] : m_weights.layers)
    {
        fits = fits && matrix.GetNColumns() == inputs && matrix.GetNRows() == bias.size() &&
               !bias.empty();
        inputs = bias.size();
        m_width = std::max(m_width, inputs);
        m_composed.push_back(matrix);
    }
    if (!fits)
    {
        throw std::invalid_argument("Each layer of a network must have as many inputs as the one "
                                    "before has outputs, and a bias for each of its outputs");
    }
}

void
OpticalNeuralNetwork::BuildMeshes(MziMesh::Arrangement arrangement)
{
    m_meshes.clear();
    for (std::size_t i = 0; i < m_composed.size(); ++i)
    {
        m_meshes.emplace_back(m_weights.layers[i].weights, m_weights.form, arrangement);
        m_composed[i] = m_meshes.back().Compose();
    }
}

void
OpticalNeuralNetwork::Realise(const MeshImperfections& imperfections)
{
    NS_ASSERT(!m_meshes.empty());
    for (std::size_t i = 0; i < m_composed.size(); ++i)
    {
        m_composed[i] = m_meshes[i].Realise(imperfections).Compose();
    }
}

void
OpticalNeuralNetwork::Evaluate(std::size_t samples, const double* in, double* out) const
{
    constexpr std::size_t atOnce = 512;
    std::vector<double> fields(atOnce * m_width);
    std::vector<double> passed(atOnce * m_width);
    for (std::size_t begin = 0; begin < samples; begin += atOnce)
    {
        const std::size_t count = std::min(atOnce, samples - begin);
        const double* from = in + begin * GetNInputs();
        for (std::size_t i = 0; i < m_composed.size(); ++i)
        {
            const bool isLast = i + 1 == m_composed.size();
            const std::size_t inputs = m_composed[i].GetNColumns();
            const std::vector<double>& bias = m_weights.layers[i].bias;
            double* to = isLast ? out + begin * bias.size() : passed.data();
            for (std::size_t sample = 0; sample < count; ++sample)
            {
                std::copy(bias.begin(), bias.end(), to + sample * bias.size());
            }
            cblas_dgemm(CblasRowMajor,
                        CblasNoTrans,
                        CblasTrans,
                        static_cast<int>(count),
                        static_cast<int>(bias.size()),
                        static_cast<int>(inputs),
                        1,
                        from,
                        static_cast<int>(inputs),
                        m_composed[i].GetRow(0),
                        static_cast<int>(inputs),
                        1,
                        to,
                        static_cast<int>(bias.size()));
            if (!isLast)
            {
                std::transform(to, to + count * bias.size(), to, [](double field) {
                    return std::max(field, 0.0);
                });
                passed.swap(fields);
                from = fields.data();
            }
        }
    }
}

std::size_t
OpticalNeuralNetwork::GetNInputs() const
{
    return m_weights.layers.front().weights.GetNColumns();
}

std::size_t
OpticalNeuralNetwork::GetNOutputs() const
{
    return m_weights.layers.back().bias.size();
}

std::size_t
OpticalNeuralNetwork::GetNLayerOutputs() const
{
    std::size_t outputs = 0;
    for (const auto& layer : m_weights.layers)
    {
        outputs += layer.bias.size();
    }
    return outputs;
}

uint32_t
OpticalNeuralNetwork::GetNLayers() const
{
    return static_cast<uint32_t>(m_composed.size());
}

uint32_t
OpticalNeuralNetwork::GetNElements() const
{
    uint32_t count = 0;
    for (const OpticalLayer& layer : m_meshes)
    {
        count += layer.GetNElements();
    }
    return count;
}

uint32_t
OpticalNeuralNetwork::GetNColumns() const
{
    uint32_t count = 0;
    for (const OpticalLayer& layer : m_meshes)
    {
        count += layer.GetNColumns();
    }
    return count;
}

double
OpticalNeuralNetwork::GetGainDb(uint32_t layer, const MeshImperfections& imperfections) const
{
    NS_ASSERT(layer < m_meshes.size());
    return m_meshes[layer].GetNColumns() * imperfections.GetMziLossDb() +
           20 * std::log10(m_meshes[layer].GetGain());
}

} // namespace lightpath
} // namespace ns3
