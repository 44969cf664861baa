/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-table.h"

#include "ns3/assert.h"

#include <iomanip>
#include <sstream>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param text a text
 * @return it as a cell, in quotes if necessary
 */
std::string
ToCell(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string cell = "\"";
    for (const char sign : text)
    {
        cell += sign == '"' ? std::string("\"\"") : std::string(1, sign);
    }
    return cell + '"';
}

} // namespace

CsvTable::CsvTable(std::vector<std::string> heads)
    : m_rows{std::move(heads)}
{
}

void
CsvTable::AddRow(std::vector<std::string> cells)
{
    NS_ASSERT_MSG(cells.size() == m_rows.front().size(), "A row has a cell for each column");
    m_rows.push_back(std::move(cells));
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
        for (const auto& cell : row)
        {
            os << (&cell == &row.front() ? "" : ",") << ToCell(cell);
        }
        os << "\n";
    }
}

std::string
CsvTable::ToText(double number)
{
    std::ostringstream text;
    text << std::setprecision(12) << number;
    return text.str();
}

} // namespace lightpath
} // namespace ns3
