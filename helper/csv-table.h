/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_TABLE_H
#define CSV_TABLE_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A table as comma-separated values with the quoting of RFC 4180: a field with a comma, a
 * quote or the end of a line stands in quotes, and quotes in it are doubled. Lines end with a line
 * feed.
 */
class CsvTable
{
  public:
    /**
     * @param columns the names of the columns
     */
    explicit CsvTable(const std::vector<std::string>& columns);

    /**
     * Add a row. One of another length than the columns is refused by std::invalid_argument.
     *
     * @param fields its fields
     */
    void AddRow(const std::vector<std::string>& fields);

    /**
     * @return the number of rows below the names
     */
    std::size_t GetNRows() const;

    /**
     * @param os where to write the names and the rows
     */
    void Print(std::ostream& os) const;

  private:
    std::vector<std::vector<std::string>> m_rows; //!< The names of the columns, then the rows
};

} // namespace lightpath
} // namespace ns3

#endif /* CSV_TABLE_H */
