/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_TABLE_H
#define CSV_TABLE_H

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A table as comma-separated values (RFC 4180, with line feeds alone).
 */
class CsvTable
{
  public:
    /**
     * @param heads the heads of the columns
     */
    explicit CsvTable(std::vector<std::string> heads);

    /**
     * @param cells a row, with a cell for each column
     */
    void AddRow(std::vector<std::string> cells);

    /**
     * @return the number of rows, without the heads
     */
    std::size_t GetNRows() const;

    /**
     * @param os where to print
     */
    void Print(std::ostream& os) const;

    /**
     * @param number a number
     * @return it with 12 significant digits
     */
    static std::string ToText(double number);

  private:
    std::vector<std::vector<std::string>> m_rows; //!< The rows, that of the heads first
};

} // namespace lightpath
} // namespace ns3

#endif /* CSV_TABLE_H */
