/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "assignment-solver.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

AssignmentSolver::AssignmentSolver(uint32_t size)
    : m_size(size),
      m_rowPrice(size, 0),
      m_price(size, 0),
      m_column(size, NONE),
      m_row(size, NONE),
      m_length(size),
      m_parent(size)
{
}

int64_t
AssignmentSolver::Solve(const std::vector<int64_t>& weights)
{
    Start(weights);
    for (uint32_t row = 0; row < m_size; ++row)
    {
        if (m_column[row] == NONE)
        {
            Augment(weights, row);
        }
    }
    int64_t worth = 0;
    for (uint32_t row = 0; row < m_size; ++row)
    {
        worth += weights[static_cast<std::size_t>(row) * m_size + m_column[row]];
    }
    return worth;
}

uint32_t
AssignmentSolver::GetColumn(uint32_t row) const
{
    return m_column[row];
}

void
AssignmentSolver::Start(const std::vector<int64_t>& weights)
{
    std::fill(m_price.begin(), m_price.end(), 0);
    std::fill(m_column.begin(), m_column.end(), NONE);
    std::fill(m_row.begin(), m_row.end(), NONE);
    for (uint32_t row = 0; row < m_size; ++row)
    {
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(row) * m_size;
        m_rowPrice[row] = *std::max_element(begin, begin + m_size);
        for (uint32_t column = 0; column < m_size && m_column[row] == NONE; ++column)
        {
            if (m_row[column] == NONE && begin[column] == m_rowPrice[row])
            {
                m_row[column] = row;
                m_column[row] = column;
            }
        }
    }
}

void
AssignmentSolver::Relax(const std::vector<int64_t>& weights, uint32_t row, int64_t length)
{
    const int64_t* weight = weights.data() + static_cast<std::size_t>(row) * m_size;
    const int64_t base = length + m_rowPrice[row];
    for (const uint32_t column : m_unsettled)
    {
        const int64_t longer = base + m_price[column] - weight[column];
        if (longer < m_length[column])
        {
            m_length[column] = longer;
            m_parent[column] = row;
        }
    }
}

void
AssignmentSolver::Augment(const std::vector<int64_t>& weights, uint32_t row)
{
    std::fill(m_length.begin(), m_length.end(), std::numeric_limits<int64_t>::max());
    m_unsettled.resize(m_size);
    std::iota(m_unsettled.begin(), m_unsettled.end(), 0);
    Relax(weights, row, 0);
    std::vector<uint32_t> settled;
    uint32_t end = NONE;
    while (true)
    {
        // Of equal lengths a free column, which ends the path
        const auto nearest =
            std::min_element(m_unsettled.begin(), m_unsettled.end(), [this](auto a, auto b) {
                return m_length[a] != m_length[b] ? m_length[a] < m_length[b]
                                                  : m_row[a] == NONE && m_row[b] != NONE;
            });
        end = *nearest;
        if (m_row[end] == NONE)
        {
            break;
        }
        *nearest = m_unsettled.back();
        m_unsettled.pop_back();
        settled.push_back(end);
        Relax(weights, m_row[end], m_length[end]);
    }
    const int64_t length = m_length[end];
    m_rowPrice[row] -= length;
    for (const uint32_t column : settled)
    {
        m_rowPrice[m_row[column]] -= length - m_length[column];
        m_price[column] += length - m_length[column];
    }
    while (end != NONE)
    {
        const uint32_t parent = m_parent[end];
        const uint32_t before = m_column[parent];
        m_column[parent] = end;
        m_row[end] = parent;
        end = parent == row ? NONE : before;
    }
}

} // namespace lightpath
} // namespace ns3
