/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-matrix-reader.h"

#include "model/base/nearest-name.h"

#include "ns3/csv-reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most bytes of a demand
constexpr uint64_t MOST_BYTES = uint64_t{1} << 63;

/**
 * @param name the name of a text
 * @param line the number of a line
 * @return the place, as sentences begin
 */
std::string
GetPlace(const std::string& name, uint64_t line)
{
    return name + ", line " + std::to_string(line);
}

/**
 * @param text a text
 * @return true if it consists of digits
 */
bool
IsWhole(const std::string& text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/**
 * @param text a text
 * @return the whole number that it begins with, or the limit of bytes and 1 if it is larger
 */
uint64_t
ReadWhole(const std::string& text)
{
    // Left alone by a number out of range
    uint64_t value = MOST_BYTES + 1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::min(value, MOST_BYTES + 1);
}

/**
 * @param text a decimal number
 * @param [out] value the number; infinite if it is too large for a double
 * @return true if the text is such a number
 */
bool
ReadDecimal(const std::string& text, double& value)
{
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos)
    {
        return false;
    }
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    stream >> value;
    if (stream.fail() && std::abs(value) == std::numeric_limits<double>::max())
    {
        value = std::copysign(std::numeric_limits<double>::infinity(), value);
        return true;
    }
    return !stream.fail() && stream.peek() == std::istringstream::traits_type::eof();
}

/**
 * @param fields the fields of a line
 * @return true if they are the header of a list
 */
bool
IsHeader(std::vector<std::string> fields)
{
    for (std::string& field : fields)
    {
        std::transform(field.begin(), field.end(), field.begin(), [](unsigned char letter) {
            return static_cast<char>(std::tolower(letter));
        });
    }
    return fields == std::vector<std::string>{"src", "dst", "bytes"};
}

/**
 * Add to the bytes of a pair.
 *
 * @param [in,out] demand the demand
 * @param [in,out] total its bytes
 * @param pair source and destination
 * @param bytes the bytes
 * @param where the name of the text and the line, for sentences
 */
void
Add(TrafficMatrix& demand,
    uint64_t& total,
    std::pair<uint32_t, uint32_t> pair,
    uint64_t bytes,
    const std::string& where)
{
    if (bytes == 0)
    {
        return;
    }
    if (pair.first == pair.second)
    {
        throw std::invalid_argument(where + ": port " + std::to_string(pair.first) +
                                    " has bytes for itself; source and destination must be "
                                    "different ports, and the diagonal of a matrix zero");
    }
    if (bytes > MOST_BYTES - total)
    {
        throw std::invalid_argument(where + ": the bytes of all pairs must not exceed 2^63");
    }
    total += bytes;
    demand.Add(pair.first, pair.second, bytes);
}

} // namespace

TrafficMatrixReader::Format
TrafficMatrixReader::GetFormat(const std::string& name)
{
    const std::array<const char*, 3> names{"auto", "matrix", "list"};
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end())
    {
        return static_cast<Format>(found - names.begin());
    }
    throw std::invalid_argument("There is no format '" + name +
                                "': " + ListKnown(name, {"auto", "matrix", "list"}));
}

void
TrafficMatrixReader::SetFormat(Format format)
{
    m_format = format;
}

void
TrafficMatrixReader::SetScale(double scale)
{
    if (!std::isfinite(scale) || scale <= 0)
    {
        throw std::invalid_argument("The scale of a demand must be a finite number above 0");
    }
    m_scale = scale;
}

void
TrafficMatrixReader::SetNPorts(uint32_t ports)
{
    if (ports == 1 || ports > MAX_PORTS)
    {
        throw std::invalid_argument("A demand cannot have " + std::to_string(ports) +
                                    " ports: it needs 2 at least and " + std::to_string(MAX_PORTS) +
                                    " at most");
    }
    m_ports = ports;
}

TrafficMatrix
TrafficMatrixReader::Read(std::istream& input, const std::string& name) const
{
    const Text text = Split(input, name);
    const bool isList = IsList(text);
    TrafficMatrix demand(isList ? CountListPorts(text) : CountMatrixPorts(text));
    uint64_t total = 0;
    for (uint32_t row = 0; row < text.lines.size(); ++row)
    {
        const auto& [number, fields] = text.lines[row];
        const std::string where = GetPlace(name, number);
        if (isList)
        {
            const uint32_t source = GetPort(fields[0], where);
            Add(demand,
                total,
                {source, GetPort(fields[1], where)},
                GetBytes(fields[2], where),
                where);
            continue;
        }
        for (uint32_t column = 0; column < fields.size(); ++column)
        {
            Add(demand, total, {row, column}, GetBytes(fields[column], where), where);
        }
    }
    return demand;
}

TrafficMatrixReader::Text
TrafficMatrixReader::Split(std::istream& input, const std::string& name)
{
    Text text;
    text.name = name;
    CsvReader reader(input);
    while (reader.FetchNextRow())
    {
        if (reader.IsBlankRow() || reader.ColumnCount() == 0)
        {
            continue;
        }
        Line line;
        line.number = reader.RowNumber();
        line.fields.resize(reader.ColumnCount());
        for (std::size_t column = 0; column < line.fields.size(); ++column)
        {
            std::string& field = line.fields[column];
            reader.GetValue(column, field);
            field.erase(field.find_last_not_of(" \t\r") + 1);
            // Sentences show control characters, which no number has, as question marks
            const auto isControl = [](unsigned char letter) { return letter < ' '; };
            std::replace_if(field.begin(), field.end(), isControl, '?');
        }
        // Some programs begin a text in UTF-8 with a mark
        if (line.number == 1 && line.fields[0].compare(0, 3, "\xef\xbb\xbf") == 0)
        {
            line.fields[0].erase(0, 3);
        }
        const bool isBlank = line.fields.size() == 1 && line.fields[0].empty();
        if (!text.hasHeader && text.lines.empty() && IsHeader(line.fields))
        {
            text.hasHeader = true;
        }
        else if (!isBlank)
        {
            text.lines.push_back(line);
        }
    }
    if (input.bad())
    {
        throw std::invalid_argument(name + " cannot be read");
    }
    if (text.lines.empty())
    {
        throw std::invalid_argument(name + " is empty: a demand is a matrix of numbers, or lines "
                                           "source,destination,bytes");
    }
    return text;
}

bool
TrafficMatrixReader::IsList(const Text& text) const
{
    if (m_format != AUTO || text.hasHeader)
    {
        return m_format != MATRIX;
    }
    for (const Line& line : text.lines)
    {
        if (line.fields.size() != 3)
        {
            return false;
        }
    }
    if (text.lines.size() != 3)
    {
        return true;
    }
    for (std::size_t port = 0; port < 3; ++port)
    {
        double value = 0;
        if (ReadDecimal(text.lines[port].fields[port], value) && value != 0)
        {
            return true;
        }
    }
    return false;
}

uint32_t
TrafficMatrixReader::CountMatrixPorts(const Text& text) const
{
    const std::size_t rows = text.lines.size();
    if (text.hasHeader)
    {
        throw std::invalid_argument(text.name + " begins with the header of a list, which a "
                                                "matrix does not have");
    }
    const std::size_t columns = text.lines.front().fields.size();
    for (const Line& line : text.lines)
    {
        if (line.fields.size() != columns)
        {
            throw std::invalid_argument(GetPlace(text.name, line.number) + ": the row has " +
                                        std::to_string(line.fields.size()) +
                                        " fields, but the first one has " +
                                        std::to_string(columns) + "; all must have as many");
        }
    }
    if (rows != columns)
    {
        throw std::invalid_argument(GetPlace(text.name, text.lines.back().number) +
                                    ": a matrix of " + std::to_string(rows) + " rows and " +
                                    std::to_string(columns) +
                                    " columns is not square: it needs a row and a column for each "
                                    "port");
    }
    if (rows < 2 || rows > MAX_PORTS)
    {
        throw std::invalid_argument(text.name + " has " + std::to_string(rows) +
                                    " ports: a demand needs 2 at least and " +
                                    std::to_string(MAX_PORTS) + " at most");
    }
    if (m_ports > 0 && rows != m_ports)
    {
        throw std::invalid_argument(text.name + " has " + std::to_string(rows) +
                                    " ports, but must have " + std::to_string(m_ports));
    }
    return rows;
}

uint32_t
TrafficMatrixReader::CountListPorts(const Text& text) const
{
    uint32_t ports = m_ports;
    for (const Line& line : text.lines)
    {
        const std::string where = GetPlace(text.name, line.number);
        if (line.fields.size() != 3)
        {
            throw std::invalid_argument(where + " has " + std::to_string(line.fields.size()) +
                                        " fields, but a line of a list has three: "
                                        "source,destination,bytes");
        }
        for (const std::string& field : {line.fields[0], line.fields[1]})
        {
            const uint32_t port = GetPort(field, where);
            ports = std::max(ports, port + 1);
        }
    }
    if (ports < 2)
    {
        throw std::invalid_argument(text.name + " names port 0 only: a demand needs 2 ports at "
                                                "least");
    }
    return ports;
}

uint64_t
TrafficMatrixReader::GetBytes(const std::string& field, const std::string& where) const
{
    const std::string sentence = where + ": '" + field + "' ";
    if (IsWhole(field) && m_scale == 1)
    {
        const uint64_t bytes = ReadWhole(field);
        if (bytes > MOST_BYTES)
        {
            throw std::invalid_argument(sentence + "is more than 2^63 bytes");
        }
        return bytes;
    }
    double value = 0;
    if (!ReadDecimal(field, value))
    {
        throw std::invalid_argument(sentence + "is not a number: write it like 12, 0.5 or 1e9");
    }
    if (value < 0)
    {
        throw std::invalid_argument(sentence + "is negative: bytes must not be less than 0");
    }
    const double bytes = value * m_scale;
    if (bytes > static_cast<double>(MOST_BYTES))
    {
        throw std::invalid_argument(sentence + "is more than 2^63 bytes");
    }
    // Of the number, of the scale and of their product
    const double rounding = 3 * std::numeric_limits<double>::epsilon() * bytes;
    if (std::abs(bytes - std::round(bytes)) > rounding)
    {
        std::ostringstream rest;
        rest << "times the scale of " << m_scale << " is not a whole number of bytes";
        throw std::invalid_argument(sentence + rest.str());
    }
    return static_cast<uint64_t>(std::round(bytes));
}

uint32_t
TrafficMatrixReader::GetPort(const std::string& field, const std::string& where) const
{
    if (!IsWhole(field))
    {
        throw std::invalid_argument(where + ": '" + field +
                                    "' is not the index of a port, which is a whole number from 0");
    }
    const uint64_t most = (m_ports > 0 ? m_ports : MAX_PORTS) - 1;
    const uint64_t port = ReadWhole(field);
    if (port > most)
    {
        throw std::invalid_argument(where + ": the index " + field +
                                    " is out of range: ports are counted from 0 to " +
                                    std::to_string(most));
    }
    return static_cast<uint32_t>(port);
}

} // namespace lightpath
} // namespace ns3
