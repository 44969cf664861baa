/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "matrix-factors.h"

#include <algorithm>
#include <cmath>
#include <gsl/gsl_cblas.h>
#include <gsl/gsl_linalg.h>
#include <memory>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A GSL matrix, freed with its scope.
using GslMatrix = std::unique_ptr<gsl_matrix, decltype(&gsl_matrix_free)>;

/// A GSL vector, freed with its scope.
using GslVector = std::unique_ptr<gsl_vector, decltype(&gsl_vector_free)>;

/**
 * @param matrix a matrix
 * @return a copy of it
 */
GslMatrix
MakeGslMatrix(const RealMatrix& matrix)
{
    GslMatrix copy(gsl_matrix_alloc(matrix.GetNRows(), matrix.GetNColumns()), gsl_matrix_free);
    for (std::size_t row = 0; row < matrix.GetNRows(); ++row)
    {
        std::copy_n(matrix.GetRow(row), matrix.GetNColumns(), gsl_matrix_ptr(copy.get(), row, 0));
    }
    return copy;
}

/**
 * @param matrix a matrix
 * @return a copy of it
 */
RealMatrix
MakeRealMatrix(const gsl_matrix& matrix)
{
    RealMatrix copy(matrix.size1, matrix.size2);
    for (std::size_t row = 0; row < matrix.size1; ++row)
    {
        std::copy_n(gsl_matrix_const_ptr(&matrix, row, 0), matrix.size2, copy.GetRow(row));
    }
    return copy;
}

/**
 * @param size the size of a vector
 * @return the vector
 */
GslVector
MakeGslVector(std::size_t size)
{
    return {gsl_vector_alloc(size), gsl_vector_free};
}

/**
 * @param columns orthonormal columns, at most as many as rows
 * @return an orthogonal matrix that begins with these columns
 */
RealMatrix
Complete(const RealMatrix& columns)
{
    const std::size_t size = columns.GetNRows();
    const std::size_t given = columns.GetNColumns();
    const GslMatrix factors = MakeGslMatrix(columns);
    const GslVector tau = MakeGslVector(given);
    const GslMatrix q(gsl_matrix_alloc(size, size), gsl_matrix_free);
    const GslMatrix r(gsl_matrix_alloc(size, given), gsl_matrix_free);
    // The QR decomposition yields an orthonormal basis of the whole space
    gsl_linalg_QR_decomp(factors.get(), tau.get());
    gsl_linalg_QR_unpack(factors.get(), tau.get(), q.get(), r.get());
    RealMatrix whole = MakeRealMatrix(*q);
    // Its first columns may differ in sign from the given ones
    for (std::size_t row = 0; row < size; ++row)
    {
        std::copy_n(columns.GetRow(row), given, whole.GetRow(row));
    }
    return whole;
}

} // namespace

SingularFactors
SingularFactors::Find(const RealMatrix& matrix)
{
    if (matrix.GetNRows() < matrix.GetNColumns())
    {
        // GSL needs at least as many rows as columns: decompose the transpose
        SingularFactors factors = Find(Transpose(matrix));
        std::swap(factors.left, factors.right);
        factors.left = Transpose(factors.left);
        factors.right = Transpose(factors.right);
        return factors;
    }
    const std::size_t size = matrix.GetNColumns();
    const GslMatrix left = MakeGslMatrix(matrix);
    const GslMatrix right(gsl_matrix_alloc(size, size), gsl_matrix_free);
    const GslVector sigma = MakeGslVector(size);
    const GslVector work = MakeGslVector(size);
    gsl_linalg_SV_decomp(left.get(), right.get(), sigma.get(), work.get());
    SingularFactors factors;
    factors.sigma.assign(sigma->data, sigma->data + size);
    factors.right = Transpose(MakeRealMatrix(*right));
    factors.left = Complete(MakeRealMatrix(*left));
    return factors;
}

DiagonalFactors
DiagonalFactors::Find(const RealMatrix& matrix)
{
    constexpr double tolerance = 1e-4;
    const std::size_t size = matrix.GetNRows();
    DiagonalFactors factors{std::vector<double>(size), matrix};
    // The length of a row is its diagonal entry, its direction a row of the orthogonal matrix
    for (std::size_t row = 0; row < size; ++row)
    {
        double* values = factors.orthogonal.GetRow(row);
        factors.diagonal[row] = cblas_dnrm2(static_cast<int>(size), values, 1);
        cblas_dscal(static_cast<int>(size), 1 / factors.diagonal[row], values, 1);
    }
    // The rows must now be orthonormal
    RealMatrix product = Multiply(factors.orthogonal, Transpose(factors.orthogonal));
    for (std::size_t i = 0; i < product.GetValues().size(); ++i)
    {
        const double wanted = i % (size + 1) == 0 ? 1 : 0;
        // A row of zeros has no direction: NaN fails this comparison
        if (!(std::abs(product.GetValues()[i] - wanted) < tolerance))
        {
            throw std::invalid_argument("Weights in the form of blocks must be products of a "
                                        "diagonal matrix and an orthogonal one");
        }
    }
    // Each step of the Newton-Schulz iteration doubles the number of correct digits
    for (int i = 0; i < 3; ++i)
    {
        product = Multiply(factors.orthogonal, Transpose(factors.orthogonal));
        const RealMatrix excess = Multiply(product, factors.orthogonal);
        for (std::size_t j = 0; j < size * size; ++j)
        {
            double& value = factors.orthogonal.GetValues()[j];
            value = 1.5 * value - 0.5 * excess.GetValues()[j];
        }
    }
    return factors;
}

RealMatrix
Multiply(const RealMatrix& left, const RealMatrix& right)
{
    RealMatrix product(left.GetNRows(), right.GetNColumns());
    cblas_dgemm(CblasRowMajor,
                CblasNoTrans,
                CblasNoTrans,
                static_cast<int>(left.GetNRows()),
                static_cast<int>(right.GetNColumns()),
                static_cast<int>(left.GetNColumns()),
                1,
                left.GetRow(0),
                static_cast<int>(left.GetNColumns()),
                right.GetRow(0),
                static_cast<int>(right.GetNColumns()),
                0,
                product.GetRow(0),
                static_cast<int>(right.GetNColumns()));
    return product;
}

RealMatrix
Transpose(const RealMatrix& matrix)
{
    RealMatrix transposed(matrix.GetNColumns(), matrix.GetNRows());
    for (std::size_t row = 0; row < matrix.GetNRows(); ++row)
    {
        for (std::size_t column = 0; column < matrix.GetNColumns(); ++column)
        {
            transposed(column, row) = matrix(row, column);
        }
    }
    return transposed;
}

} // namespace lightpath
} // namespace ns3
