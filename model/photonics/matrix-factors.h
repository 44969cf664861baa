/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MATRIX_FACTORS_H
#define MATRIX_FACTORS_H

#include "dense-matrix.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Singular value decomposition of a matrix: W = left * diagonal * right, where left and
 * right are orthogonal.
 */
struct SingularFactors
{
    RealMatrix left;           //!< As many rows, and columns, as W has rows
    std::vector<double> sigma; //!< The diagonal: the singular values, the largest first
    RealMatrix right;          //!< As many rows, and columns, as W has columns

    /**
     * @param matrix a matrix
     * @return its factors
     */
    static SingularFactors Find(const RealMatrix& matrix);
};

/**
 * @ingroup lightpath
 * @brief A square matrix as the product of a diagonal matrix and an orthogonal one.
 */
struct DiagonalFactors
{
    std::vector<double> diagonal; //!< A factor for each row
    RealMatrix orthogonal;        //!< The orthogonal matrix

    /**
     * @brief Find the factors. Throws std::invalid_argument for a matrix that is no such product
     * within 32-bit rounding.
     *
     * @param matrix a square matrix
     * @return its factors
     */
    static DiagonalFactors Find(const RealMatrix& matrix);
};

/**
 * @ingroup lightpath
 * @param left a matrix
 * @param right a matrix with as many rows as the left one has columns
 * @return their product
 */
RealMatrix Multiply(const RealMatrix& left, const RealMatrix& right);

/**
 * @ingroup lightpath
 * @param matrix a matrix
 * @return the transpose of the matrix
 */
RealMatrix Transpose(const RealMatrix& matrix);

} // namespace lightpath
} // namespace ns3

#endif /* MATRIX_FACTORS_H */
