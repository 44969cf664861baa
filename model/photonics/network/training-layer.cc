/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-layer.h"

#include <algorithm>
#include <cmath>
#include <gsl/gsl_cblas.h>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Sets out = scale * left * right + keep * out, of square matrices.
 *
 * @param size the number of rows
 * @param transpose whether the left one is transposed
 * @param scale the factor of the product
 * @param left the left one
 * @param right the right one
 * @param keep the factor of what is there
 * @param out the result
 */
void
Multiply(uint32_t size,
         CBLAS_TRANSPOSE transpose,
         float scale,
         const float* left,
         const float* right,
         float keep,
         float* out)
{
    const auto n = static_cast<int>(size);
    cblas_sgemm(CblasRowMajor,
                transpose,
                CblasNoTrans,
                n,
                n,
                n,
                scale,
                left,
                n,
                right,
                n,
                keep,
                out,
                n);
}

} // namespace

void
AdamMoments::Update(const AdamStep& step,
                    const std::vector<float>& gradients,
                    std::vector<float>& parameters)
{
    constexpr float epsilon = 1e-8F;
    m_means.resize(gradients.size(), 0);
    m_squares.resize(gradients.size(), 0);
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
        // Running means, whose bias towards zero in the first steps the scales correct
        const float gradient = gradients[i];
        m_means[i] += (1 - FIRST_DECAY) * (gradient - m_means[i]);
        m_squares[i] += (1 - SECOND_DECAY) * (gradient * gradient - m_squares[i]);
        parameters[i] -= step.rate * step.firstScale * m_means[i] /
                         (std::sqrt(step.secondScale * m_squares[i]) + epsilon);
    }
}

TrainingLayer::TrainingLayer(uint32_t inputs,
                             uint32_t outputs,
                             NetworkWeights::Form form,
                             Ptr<NormalRandomVariable> normal)
    : m_inputs(inputs),
      m_outputs(outputs),
      m_form(form),
      m_weights(std::size_t{inputs} * outputs),
      m_bias(outputs, 0),
      m_weightGradients(m_weights.size(), 0),
      m_biasGradients(outputs, 0)
{
    if (form == NetworkWeights::BLOCKS)
    {
        DrawBlocks(normal);
        return;
    }
    // Keeps the variance of activations behind a rectifier
    const double deviation = std::sqrt(2.0 / inputs);
    for (float& weight : m_weights)
    {
        weight = static_cast<float>(deviation * normal->GetValue());
    }
}

void
TrainingLayer::DrawBlocks(Ptr<NormalRandomVariable> normal)
{
    m_size = std::min(m_inputs, m_outputs);
    m_blocks = std::max(m_inputs, m_outputs) / m_size;
    if (m_blocks * m_size != std::max(m_inputs, m_outputs))
    {
        throw std::invalid_argument(
            "A layer from " + std::to_string(m_inputs) + " to " + std::to_string(m_outputs) +
            " has no square blocks: one of the sizes must be a multiple of the other");
    }
    m_product.resize(std::size_t{m_size} * m_size);
    m_other.resize(m_product.size());
    m_orthogonal.resize(m_weights.size());
    m_blockGradients.resize(m_weights.size());
    m_diagonal.assign(std::size_t{m_blocks} * m_size,
                      std::sqrt(m_outputs < m_inputs ? 2.0F / m_blocks : 2.0F));
    m_diagonalGradients.resize(m_diagonal.size());
    // Gram and Schmidt, in double precision, row by row
    std::vector<double> rows(m_product.size());
    for (uint32_t block = 0; block < m_blocks; ++block)
    {
        for (uint32_t i = 0; i < m_size; ++i)
        {
            double* row = rows.data() + std::size_t{i} * m_size;
            std::generate_n(row, m_size, [&normal] { return normal->GetValue(); });
            // Twice, against what the first time leaves of rounding
            for (uint32_t other = 0; other < 2 * i; ++other)
            {
                const double* done = rows.data() + std::size_t{other % i} * m_size;
                const double overlap = cblas_ddot(m_size, row, 1, done, 1);
                cblas_daxpy(m_size, -overlap, done, 1, row, 1);
            }
            cblas_dscal(m_size, 1 / cblas_dnrm2(m_size, row, 1), row, 1);
        }
        std::copy(rows.begin(), rows.end(), m_orthogonal.begin() + block * rows.size());
    }
    ComposeWeights();
}

void
TrainingLayer::Forward(std::size_t samples, const float* in, float* out) const
{
    for (std::size_t sample = 0; sample < samples; ++sample)
    {
        std::copy(m_bias.begin(), m_bias.end(), out + sample * m_outputs);
    }
    cblas_sgemm(CblasRowMajor,
                CblasNoTrans,
                CblasTrans,
                samples,
                m_outputs,
                m_inputs,
                1,
                in,
                m_inputs,
                m_weights.data(),
                m_inputs,
                1,
                out,
                m_outputs);
}

void
TrainingLayer::Backward(std::size_t samples,
                        const float* in,
                        const float* outGradients,
                        float* inGradients)
{
    cblas_sgemm(CblasRowMajor,
                CblasTrans,
                CblasNoTrans,
                m_outputs,
                m_inputs,
                samples,
                1,
                outGradients,
                m_outputs,
                in,
                m_inputs,
                0,
                m_weightGradients.data(),
                m_inputs);
    std::fill(m_biasGradients.begin(), m_biasGradients.end(), 0);
    for (std::size_t sample = 0; sample < samples; ++sample)
    {
        for (uint32_t output = 0; output < m_outputs; ++output)
        {
            m_biasGradients[output] += outGradients[sample * m_outputs + output];
        }
    }
    if (inGradients)
    {
        cblas_sgemm(CblasRowMajor,
                    CblasNoTrans,
                    CblasNoTrans,
                    samples,
                    m_inputs,
                    m_outputs,
                    1,
                    outGradients,
                    m_outputs,
                    m_weights.data(),
                    m_inputs,
                    0,
                    inGradients,
                    m_inputs);
    }
}

void
TrainingLayer::Update(const AdamStep& step)
{
    m_biasMoments.Update(step, m_biasGradients, m_bias);
    if (m_form == NetworkWeights::SVD)
    {
        m_weightMoments.Update(step, m_weightGradients, m_weights);
        return;
    }
    // Blocks move along the orthogonal matrices: the gradient is projected to a tangent, and the
    // step along it is brought back to an orthogonal matrix
    ComposeGradients();
    for (uint32_t block = 0; block < m_blocks; ++block)
    {
        Project(block);
    }
    m_weightMoments.Update(step, m_blockGradients, m_orthogonal);
    m_diagonalMoments.Update(step, m_diagonalGradients, m_diagonal);
    for (uint32_t block = 0; block < m_blocks; ++block)
    {
        // Each pass squares the error, so that two suffice for single precision
        Retract(block);
        Retract(block);
    }
    ComposeWeights();
}

std::size_t
TrainingLayer::GetOffset(uint32_t block, uint32_t row) const
{
    return m_outputs > m_inputs ? (std::size_t{block} * m_size + row) * m_inputs
                                : std::size_t{row} * m_inputs + block * m_size;
}

void
TrainingLayer::ComposeWeights()
{
    const float* from = m_orthogonal.data();
    for (uint32_t block = 0; block < m_blocks; ++block)
    {
        for (uint32_t row = 0; row < m_size; ++row, from += m_size)
        {
            const float factor = m_diagonal[block * m_size + row];
            float* to = m_weights.data() + GetOffset(block, row);
            for (uint32_t column = 0; column < m_size; ++column)
            {
                to[column] = factor * from[column];
            }
        }
    }
}

void
TrainingLayer::ComposeGradients()
{
    std::size_t at = 0;
    for (uint32_t block = 0; block < m_blocks; ++block)
    {
        for (uint32_t row = 0; row < m_size; ++row, at += m_size)
        {
            // A weight is its diagonal entry times its entry of the orthogonal matrix
            const float factor = m_diagonal[block * m_size + row];
            const float* gradient = m_weightGradients.data() + GetOffset(block, row);
            float sum = 0;
            for (uint32_t column = 0; column < m_size; ++column)
            {
                sum += gradient[column] * m_orthogonal[at + column];
                m_blockGradients[at + column] = factor * gradient[column];
            }
            m_diagonalGradients[block * m_size + row] = sum;
        }
    }
}

void
TrainingLayer::Project(uint32_t block)
{
    const float* orthogonal = m_orthogonal.data() + block * m_product.size();
    float* gradient = m_blockGradients.data() + block * m_product.size();
    // The tangent of G at Q is G - Q (Q^T G + G^T Q) / 2
    Multiply(m_size, CblasTrans, 1, orthogonal, gradient, 0, m_product.data());
    for (uint32_t row = 0; row < m_size; ++row)
    {
        for (uint32_t column = 0; column < m_size; ++column)
        {
            m_other[row * m_size + column] =
                (m_product[row * m_size + column] + m_product[column * m_size + row]) / 2;
        }
    }
    Multiply(m_size, CblasNoTrans, -1, orthogonal, m_other.data(), 1, gradient);
}

void
TrainingLayer::Retract(uint32_t block)
{
    float* orthogonal = m_orthogonal.data() + block * m_product.size();
    // Newton and Schulz: Q (3 - Q^T Q) / 2 is closer to an orthogonal matrix than Q
    std::copy_n(orthogonal, m_product.size(), m_other.begin());
    Multiply(m_size, CblasTrans, 1, orthogonal, orthogonal, 0, m_product.data());
    Multiply(m_size, CblasNoTrans, -0.5F, m_other.data(), m_product.data(), 1.5F, orthogonal);
}

uint32_t
TrainingLayer::GetNInputs() const
{
    return m_inputs;
}

uint32_t
TrainingLayer::GetNOutputs() const
{
    return m_outputs;
}

NetworkLayer
TrainingLayer::GetLayer() const
{
    NetworkLayer layer{RealMatrix(m_outputs, m_inputs), {m_bias.begin(), m_bias.end()}};
    std::copy(m_weights.begin(), m_weights.end(), layer.weights.GetValues().begin());
    return layer;
}

const std::vector<float>&
TrainingLayer::GetWeightGradients() const
{
    return m_weightGradients;
}

} // namespace lightpath
} // namespace ns3
