/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ASSIGNMENT_SOLVER_H
#define ASSIGNMENT_SOLVER_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the matching of largest weight in a dense bipartite graph.
 *
 * Each row takes its heaviest column, if that is free; the other rows get a column along shortest
 * augmenting paths with prices of the nodes (the Hungarian method as of Jonker and
 * Volgenant, 1987).
 */
class AssignmentSolver
{
  public:
    /**
     * @param size the number of rows, and of columns
     */
    explicit AssignmentSolver(uint32_t size);

    /**
     * @param weights the weight of each pair, row by row; none negative, all together below 2^62
     * @return the worth of the best matching
     */
    int64_t Solve(const std::vector<int64_t>& weights);

    /**
     * @param row a row
     * @return the column that the last matching gives it; the pair may be worth nothing
     */
    uint32_t GetColumn(uint32_t row) const;

  private:
    /// Marks a row or a column without partner.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * Price each row at its largest weight, and match it to that column if it is free.
     *
     * @param weights the weight of each pair
     */
    void Start(const std::vector<int64_t>& weights);

    /**
     * Give a row a column, along the path on which this costs least.
     *
     * @param weights the weight of each pair
     * @param row a row without a column
     */
    void Augment(const std::vector<int64_t>& weights, uint32_t row);

    /**
     * Look along the pairs of a row for shorter paths to the columns that are not settled.
     *
     * @param weights the weight of each pair
     * @param row the row
     * @param length the length of the path to it
     */
    void Relax(const std::vector<int64_t>& weights, uint32_t row, int64_t length);

    uint32_t m_size;                   //!< Number of rows
    std::vector<int64_t> m_rowPrice;   //!< Price of each row
    std::vector<int64_t> m_price;      //!< Price of each column
    std::vector<uint32_t> m_column;    //!< Partner of each row
    std::vector<uint32_t> m_row;       //!< Partner of each column
    std::vector<int64_t> m_length;     //!< Length of the shortest path to each column
    std::vector<uint32_t> m_parent;    //!< The row before each column on that path
    std::vector<uint32_t> m_unsettled; //!< The columns whose length is not final
};

} // namespace lightpath
} // namespace ns3

#endif /* ASSIGNMENT_SOLVER_H */
