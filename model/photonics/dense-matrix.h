/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DENSE_MATRIX_H
#define DENSE_MATRIX_H

#include <complex>
#include <cstddef>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A matrix, row by row.
 *
 * @tparam T the type of its entries
 */
template <typename T>
class DenseMatrix
{
  public:
    /**
     * @brief Make a matrix of zeros.
     *
     * @param rows the number of rows
     * @param columns the number of columns
     */
    explicit DenseMatrix(std::size_t rows = 0, std::size_t columns = 0)
        : m_rows(rows),
          m_columns(columns),
          m_values(rows * columns)
    {
    }

    /**
     * @param size the number of rows, and of columns
     * @return the identity matrix
     */
    static DenseMatrix MakeIdentity(std::size_t size)
    {
        DenseMatrix identity(size, size);
        for (std::size_t i = 0; i < size; ++i)
        {
            identity(i, i) = 1;
        }
        return identity;
    }

    /**
     * @return the number of rows
     */
    std::size_t GetNRows() const
    {
        return m_rows;
    }

    /**
     * @return the number of columns
     */
    std::size_t GetNColumns() const
    {
        return m_columns;
    }

    /**
     * @param row the index of a row
     * @param column the index of a column
     * @return the entry
     */
    T& operator()(std::size_t row, std::size_t column)
    {
        return m_values[row * m_columns + column];
    }

    /**
     * @param row the index of a row
     * @param column the index of a column
     * @return the entry
     */
    const T& operator()(std::size_t row, std::size_t column) const
    {
        return m_values[row * m_columns + column];
    }

    /**
     * @param row the index of a row
     * @return its first entry
     */
    T* GetRow(std::size_t row)
    {
        return m_values.data() + row * m_columns;
    }

    /**
     * @param row the index of a row
     * @return its first entry
     */
    const T* GetRow(std::size_t row) const
    {
        return m_values.data() + row * m_columns;
    }

    /**
     * @return all entries, row by row
     */
    std::vector<T>& GetValues()
    {
        return m_values;
    }

    /**
     * @return all entries, row by row
     */
    const std::vector<T>& GetValues() const
    {
        return m_values;
    }

  private:
    std::size_t m_rows;      //!< The number of rows
    std::size_t m_columns;   //!< The number of columns
    std::vector<T> m_values; //!< All entries, row by row
};

/// A matrix of real numbers.
using RealMatrix = DenseMatrix<double>;

/// A matrix of complex numbers.
using ComplexMatrix = DenseMatrix<std::complex<double>>;

} // namespace lightpath
} // namespace ns3

#endif /* DENSE_MATRIX_H */
