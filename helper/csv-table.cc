/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-table.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

CsvTable::CsvTable(const std::vector<std::string>& columns)
    : m_rows{columns}
{
}

void
CsvTable::AddRow(const std::vector<std::string>& fields)
{
    if (fields.size() != m_rows.front().size())
    {
        throw std::invalid_argument("A row of " + std::to_string(fields.size()) +
                                    " fields does not fit a table of " +
                                    std::to_string(m_rows.front().size()) + " columns");
    }
    m_rows.push_back(fields);
}

std::size_t
CsvTable::GetNRows() const
{
    return m_rows.size() - 1;
}

void
CsvTable::Print(std::ostream& os) const
{
    for (const auto& row : m_rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            os << (i > 0 ? "," : "");
            if (row[i].find_first_of(",\"\r\n") == std::string::npos)
            {
                os << row[i];
                continue;
            }
            os << '"';
            for (const char each : row[i])
            {
                os << (each == '"' ? "\"\"" : std::string(1, each));
            }
            os << '"';
        }
        os << "\n";
    }
}

} // namespace lightpath
} // namespace ns3
