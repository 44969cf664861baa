/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mzi-mesh.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Replaces two rows by combinations of them.
 *
 * @param matrix the factors of both rows in the new upper row, then those in the new lower row
 * @param upper the upper row
 * @param lower the lower row
 * @param size the number of their entries
 */
void
MixRows(const std::array<std::complex<double>, 4>& matrix,
        std::complex<double>* upper,
        std::complex<double>* lower,
        std::size_t size)
{
    // The standard lays a complex number out as two real ones. Multiplying the parts avoids the
    // slow checks for infinity in the product of two complex numbers
    const auto* factors = reinterpret_cast<const double*>(matrix.data());
    auto* a = reinterpret_cast<double*>(upper);
    auto* b = reinterpret_cast<double*>(lower);
    for (std::size_t i = 0; i < 2 * size; i += 2)
    {
        const double ar = a[i];
        const double ai = a[i + 1];
        const double br = b[i];
        const double bi = b[i + 1];
        a[i] = factors[0] * ar - factors[1] * ai + factors[2] * br - factors[3] * bi;
        a[i + 1] = factors[0] * ai + factors[1] * ar + factors[2] * bi + factors[3] * br;
        b[i] = factors[4] * ar - factors[5] * ai + factors[6] * br - factors[7] * bi;
        b[i + 1] = factors[4] * ai + factors[5] * ar + factors[6] * bi + factors[7] * br;
    }
}

/**
 * @param angle how much two modes mix
 * @param phase the phase of the upper input
 * @return the rotation [[e^{i p} cos t, -sin t], [e^{i p} sin t, cos t]]
 */
std::array<std::complex<double>, 4>
MakeRotation(double angle, double phase)
{
    const std::complex<double> input = std::polar(1.0, phase);
    return {input * std::cos(angle), -std::sin(angle), input * std::sin(angle), std::cos(angle)};
}

/**
 * Refuses, by std::invalid_argument, a matrix that is not unitary.
 *
 * @param matrix the matrix
 */
void
CheckUnitary(const ComplexMatrix& matrix)
{
    constexpr double tolerance = 1e-8;
    const std::size_t size = matrix.GetNRows();
    bool isUnitary = size > 0 && matrix.GetNColumns() == size;
    // The rows must be orthonormal
    for (std::size_t i = 0; isUnitary && i < size; ++i)
    {
        for (std::size_t j = 0; isUnitary && j <= i; ++j)
        {
            std::complex<double> product = i == j ? -1 : 0;
            for (std::size_t k = 0; k < size; ++k)
            {
                product += matrix(i, k) * std::conj(matrix(j, k));
            }
            isUnitary = std::abs(product) < tolerance;
        }
    }
    if (!isUnitary)
    {
        throw std::invalid_argument("A mesh of interferometers makes unitary matrices only, and a "
                                    "matrix of " +
                                    std::to_string(size) + " by " +
                                    std::to_string(matrix.GetNColumns()) + " is not one");
    }
}

} // namespace

MziMesh::MziMesh(const ComplexMatrix& unitary, Arrangement arrangement)
{
    Decompose(unitary, arrangement);
}

MziMesh::MziMesh(const RealMatrix& orthogonal, Arrangement arrangement)
{
    ComplexMatrix unitary(orthogonal.GetNRows(), orthogonal.GetNColumns());
    std::copy(orthogonal.GetValues().begin(),
              orthogonal.GetValues().end(),
              unitary.GetValues().begin());
    Decompose(unitary, arrangement);
}

void
MziMesh::Decompose(const ComplexMatrix& unitary, Arrangement arrangement)
{
    CheckUnitary(unitary);
    MakeElements(FindRotations(unitary, arrangement));
    // An element stands one column behind the last element on either of its modes
    std::vector<uint32_t> depths(unitary.GetNRows(), 0);
    for (const MziElement& element : m_elements)
    {
        const uint32_t depth = 1 + std::max(depths[element.mode], depths[element.mode + 1]);
        depths[element.mode] = depth;
        depths[element.mode + 1] = depth;
        m_columns = std::max(m_columns, depth);
    }
}

MziMesh::Rotation
MziMesh::NullFromRight(ComplexMatrix& matrix, std::size_t row, std::size_t column)
{
    const std::complex<double> a = matrix(row, column);
    const std::complex<double> b = matrix(row, column + 1);
    // This angle and phase make the entry vanish
    const Rotation rotation{static_cast<uint32_t>(column),
                            std::atan2(std::abs(a), std::abs(b)),
                            std::arg(a) - std::arg(b)};
    const auto factors = MakeRotation(rotation.angle, rotation.phase);
    for (std::size_t i = 0; i < matrix.GetNRows(); ++i)
    {
        const std::complex<double> left = matrix(i, column);
        const std::complex<double> right = matrix(i, column + 1);
        matrix(i, column) = left * std::conj(factors[0]) + right * std::conj(factors[1]);
        matrix(i, column + 1) = left * std::conj(factors[2]) + right * std::conj(factors[3]);
    }
    return rotation;
}

MziMesh::Rotation
MziMesh::NullFromLeft(ComplexMatrix& matrix, std::size_t row, std::size_t column)
{
    const std::complex<double> a = matrix(row - 1, column);
    const std::complex<double> b = matrix(row, column);
    // This angle and phase make the entry vanish
    const Rotation rotation{static_cast<uint32_t>(row - 1),
                            std::atan2(std::abs(b), std::abs(a)),
                            std::arg(-b) - std::arg(a)};
    MixRows(MakeRotation(rotation.angle, rotation.phase),
            matrix.GetRow(row - 1),
            matrix.GetRow(row),
            matrix.GetNColumns());
    return rotation;
}

std::vector<MziMesh::Rotation>
MziMesh::FindRotations(ComplexMatrix matrix, Arrangement arrangement)
{
    const std::size_t size = matrix.GetNRows();
    // Rotations on the input side of the output phases, and on their output side
    std::vector<Rotation> first;
    std::vector<Rotation> last;
    // Reck: clear the rows below the diagonal, from the last row up
    for (std::size_t row = size; arrangement == RECK && row-- > 1;)
    {
        for (std::size_t column = 0; column < row; ++column)
        {
            first.push_back(NullFromRight(matrix, row, column));
        }
    }
    // Clements: clear the subdiagonals from the lower left corner, by turns from right and from
    // left
    for (std::size_t i = 1; arrangement == CLEMENTS && i < size; ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            if (i % 2 == 1)
            {
                first.push_back(NullFromRight(matrix, size - 1 - j, i - 1 - j));
            }
            else
            {
                last.push_back(NullFromLeft(matrix, size + j - i, j));
            }
        }
    }
    m_outputPhases.resize(size);
    for (std::size_t mode = 0; mode < size; ++mode)
    {
        m_outputPhases[mode] = std::arg(matrix(mode, mode));
    }
    // Rotations from the left are inverse and follow the phases: swap both by T^-1 D = D' T'
    for (auto inverse = last.rbegin(); inverse != last.rend(); ++inverse)
    {
        double& upper = m_outputPhases[inverse->mode];
        double& lower = m_outputPhases[inverse->mode + 1];
        first.push_back({inverse->mode, inverse->angle, upper - lower + M_PI});
        upper = lower - inverse->phase + M_PI;
    }
    return first;
}

void
MziMesh::MakeElements(const std::vector<Rotation>& rotations)
{
    // An interferometer also shifts both of its modes by a common phase, which the rotation lacks:
    // later elements compensate for it
    std::vector<double> ahead(m_outputPhases.size(), 0);
    const auto normalise = [](double phase) {
        return phase - 2 * M_PI * std::floor(phase / (2 * M_PI));
    };
    for (const auto& [mode, angle, phase] : rotations)
    {
        double& upper = ahead[mode];
        double& lower = ahead[mode + 1];
        const double inner = M_PI - 2 * angle;
        m_elements.push_back({mode, normalise(inner), normalise(phase - M_PI + upper - lower)});
        lower = normalise(lower + (M_PI - inner) / 2);
        upper = lower;
    }
    for (std::size_t mode = 0; mode < ahead.size(); ++mode)
    {
        m_outputPhases[mode] = normalise(m_outputPhases[mode] + ahead[mode]);
    }
}

MziMesh
MziMesh::Realise(const MeshImperfections& imperfections) const
{
    MziMesh real = *this;
    for (MziElement& element : real.m_elements)
    {
        element = element.Realise(imperfections);
    }
    for (double& phase : real.m_outputPhases)
    {
        phase = imperfections.DrawPhase(phase);
    }
    real.m_relativeAmplitude = imperfections.GetRelativeAmplitude();
    return real;
}

void
MziMesh::Propagate(ComplexMatrix& fields) const
{
    const std::size_t size = fields.GetNColumns();
    for (const MziElement& element : m_elements)
    {
        std::array<std::complex<double>, 4> factors = element.GetMatrix();
        for (std::complex<double>& factor : factors)
        {
            factor *= m_relativeAmplitude;
        }
        MixRows(factors, fields.GetRow(element.mode), fields.GetRow(element.mode + 1), size);
    }
    // The amplifier restores light that passed an element in each column
    const double gain = std::pow(m_relativeAmplitude, -static_cast<double>(m_columns));
    for (std::size_t mode = 0; mode < m_outputPhases.size(); ++mode)
    {
        const std::complex<double> factor = std::polar(gain, m_outputPhases[mode]);
        std::complex<double>* row = fields.GetRow(mode);
        std::transform(row, row + size, row, [factor](auto field) { return factor * field; });
    }
}

ComplexMatrix
MziMesh::Compose() const
{
    ComplexMatrix fields = ComplexMatrix::MakeIdentity(m_outputPhases.size());
    Propagate(fields);
    return fields;
}

uint32_t
MziMesh::GetNModes() const
{
    return static_cast<uint32_t>(m_outputPhases.size());
}

uint32_t
MziMesh::GetNElements() const
{
    return static_cast<uint32_t>(m_elements.size());
}

uint32_t
MziMesh::GetNColumns() const
{
    return m_columns;
}

const std::vector<MziElement>&
MziMesh::GetElements() const
{
    return m_elements;
}

} // namespace lightpath
} // namespace ns3
