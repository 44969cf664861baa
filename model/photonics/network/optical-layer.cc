/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-layer.h"

#include "model/photonics/matrix-factors.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

OpticalLayer::OpticalLayer(const RealMatrix& weights,
                           NetworkWeights::Form form,
                           MziMesh::Arrangement arrangement)
    : m_inputs(weights.GetNColumns()),
      m_outputs(weights.GetNRows())
{
    if (form == NetworkWeights::SVD)
    {
        MakeSvd(weights, arrangement);
    }
    else
    {
        MakeBlocks(weights, arrangement);
    }
}

void
OpticalLayer::MakeSvd(const RealMatrix& weights, MziMesh::Arrangement arrangement)
{
    const SingularFactors factors = SingularFactors::Find(weights);
    // Attenuators cannot amplify: the largest singular value becomes the gain of the layer
    m_gain = factors.sigma.front();
    m_blocks.push_back({MziMesh(factors.right, arrangement),
                        MakeAttenuators(factors.sigma),
                        {MziMesh(factors.left, arrangement)}});
}

void
OpticalLayer::MakeBlocks(const RealMatrix& weights, MziMesh::Arrangement arrangement)
{
    const std::size_t size = std::min(m_inputs, m_outputs);
    const std::size_t count = std::max(m_inputs, m_outputs) / size;
    if (count * size != std::max(m_inputs, m_outputs))
    {
        throw std::invalid_argument(
            "Weights of " + std::to_string(m_outputs) + " by " + std::to_string(m_inputs) +
            " have no square blocks: one of the sizes must be a multiple of the other");
    }
    std::vector<DiagonalFactors> blocks;
    for (std::size_t block = 0; block < count; ++block)
    {
        // Blocks stand below each other if there are more outputs, otherwise side by side
        const std::size_t begin = block * size;
        blocks.push_back(DiagonalFactors::Find(
            m_outputs > m_inputs ? Cut(weights, begin, 0, size) : Cut(weights, 0, begin, size)));
        const std::vector<double>& diagonal = blocks.back().diagonal;
        m_gain = std::max(m_gain, *std::max_element(diagonal.begin(), diagonal.end()));
    }
    for (const DiagonalFactors& block : blocks)
    {
        m_blocks.push_back(
            {MziMesh(block.orthogonal, arrangement), MakeAttenuators(block.diagonal), {}});
    }
}

RealMatrix
OpticalLayer::Cut(const RealMatrix& matrix, std::size_t row, std::size_t column, std::size_t size)
{
    RealMatrix block(size, size);
    for (std::size_t i = 0; i < size; ++i)
    {
        std::copy_n(matrix.GetRow(row + i) + column, size, block.GetRow(i));
    }
    return block;
}

std::vector<MziElement>
OpticalLayer::MakeAttenuators(const std::vector<double>& factors) const
{
    std::vector<MziElement> attenuators;
    for (const double factor : factors)
    {
        attenuators.push_back(MziElement::MakeAttenuator(m_gain > 0 ? factor / m_gain : 0));
    }
    return attenuators;
}

OpticalLayer
OpticalLayer::Realise(const MeshImperfections& imperfections) const
{
    OpticalLayer real = *this;
    for (Block& block : real.m_blocks)
    {
        block.mesh = block.mesh.Realise(imperfections);
        for (MziElement& attenuator : block.attenuators)
        {
            attenuator = attenuator.Realise(imperfections);
        }
        for (MziMesh& last : block.last)
        {
            last = last.Realise(imperfections);
        }
    }
    return real;
}

ComplexMatrix
OpticalLayer::Propagate(const Block& block, ComplexMatrix fields)
{
    const std::size_t size = fields.GetNColumns();
    block.mesh.Propagate(fields);
    const std::size_t outputs =
        block.last.empty() ? fields.GetNRows() : block.last.front().GetNModes();
    ComplexMatrix passed(outputs, size);
    for (std::size_t mode = 0; mode < block.attenuators.size(); ++mode)
    {
        const std::complex<double> factor = block.attenuators[mode].GetMatrix().front();
        const std::complex<double>* from = fields.GetRow(mode);
        std::transform(from, from + size, passed.GetRow(mode), [factor](auto field) {
            return factor * field;
        });
    }
    for (const MziMesh& last : block.last)
    {
        last.Propagate(passed);
    }
    return passed;
}

RealMatrix
OpticalLayer::Compose() const
{
    RealMatrix weights(m_outputs, m_inputs);
    for (std::size_t block = 0; block < m_blocks.size(); ++block)
    {
        const std::size_t modes = m_blocks[block].mesh.GetNModes();
        const ComplexMatrix fields = Propagate(m_blocks[block], ComplexMatrix::MakeIdentity(modes));
        // Side by side, or one below the other
        const std::size_t row = m_outputs > m_inputs ? block * modes : 0;
        const std::size_t column = m_outputs > m_inputs ? 0 : block * modes;
        for (std::size_t i = 0; i < fields.GetNRows(); ++i)
        {
            for (std::size_t j = 0; j < modes; ++j)
            {
                weights(row + i, column + j) = m_gain * fields(i, j).real();
            }
        }
    }
    return weights;
}

uint32_t
OpticalLayer::GetNElements() const
{
    uint32_t count = 0;
    for (const Block& block : m_blocks)
    {
        count += block.mesh.GetNElements() + static_cast<uint32_t>(block.attenuators.size());
        for (const MziMesh& last : block.last)
        {
            count += last.GetNElements();
        }
    }
    return count;
}

uint32_t
OpticalLayer::GetNColumns() const
{
    const Block& block = m_blocks.front();
    return block.mesh.GetNColumns() + 1 + (block.last.empty() ? 0 : block.last[0].GetNColumns());
}

double
OpticalLayer::GetGain() const
{
    return m_gain;
}

} // namespace lightpath
} // namespace ns3
