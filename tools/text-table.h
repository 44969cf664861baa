/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TEXT_TABLE_H
#define LIGHTPATH_TEXT_TABLE_H

#include "model/base/nearest-name.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Lines of texts, printed as a table for people, for the documentation or for other
 * programs.
 */
class TextTable
{
  public:
    /**
     * Refuse, by std::invalid_argument, an unknown format.
     *
     * @param format the name of a format
     */
    static void CheckFormat(const std::string& format)
    {
        if (format != "table" && format != "rst" && format != "csv")
        {
            throw std::invalid_argument("There is no format '" + format + "': " +
                                        ns3::lightpath::ListKnown(format, {"table", "rst", "csv"}));
        }
    }

    /**
     * @param lines the lines; the first one has the heads of the columns, and the first column is
     *        aligned to the left. A line may end early, with a sentence across the other columns
     */
    explicit TextTable(std::vector<std::vector<std::string>> lines)
        : m_lines(std::move(lines))
    {
    }

    /**
     * Print the table.
     *
     * @param os where to print
     * @param format table, rst or csv
     */
    void Print(std::ostream& os, const std::string& format) const
    {
        std::vector<std::size_t> widths(m_lines.front().size());
        const bool isTable = format == "table";
        for (const auto& line : m_lines)
        {
            const bool isWhole = line.size() == widths.size();
            for (std::size_t column = 0; column < (isTable && !isWhole ? 1 : line.size()); ++column)
            {
                widths[column] = std::max(widths[column], line[column].size());
            }
        }
        std::string rule;
        for (const auto width : widths)
        {
            rule += (rule.empty() ? "" : "  ") + std::string(width, '=');
        }
        const bool isRst = format == "rst";
        os << (isRst ? rule + "\n" : "");
        for (auto line : m_lines)
        {
            if (!isTable)
            {
                line.resize(widths.size());
            }
            const auto text = format == "csv" ? Join(line) : Align(line, widths);
            os << text << "\n" << (line == m_lines.front() && isRst ? rule + "\n" : "");
        }
        os << (isRst ? rule + "\n" : "");
    }

    /**
     * @return the lines below the heads, each as an object with the heads as names. A head that
     *         occurs again gets the one before it in front. Texts of numbers become numbers
     */
    nlohmann::ordered_json GetRows() const
    {
        auto rows = nlohmann::ordered_json::array();
        const auto& heads = m_lines.front();
        for (auto line = m_lines.begin() + 1; line != m_lines.end(); ++line)
        {
            auto row = nlohmann::ordered_json::object();
            for (std::size_t column = 0; column < line->size(); ++column)
            {
                const bool isAgain = row.contains(heads[column]);
                row[(isAgain ? heads[column - 1] + ", " : "") + heads[column]] =
                    GetValue((*line)[column]);
            }
            rows.push_back(row);
        }
        return rows;
    }

  private:
    /**
     * @param text a text
     * @return the number that it is, or the text
     */
    static nlohmann::ordered_json GetValue(const std::string& text)
    {
        std::istringstream words(text);
        double number = 0;
        const bool isNumber = words >> number && words.peek() == std::char_traits<char>::eof();
        return isNumber ? nlohmann::ordered_json(number) : nlohmann::ordered_json(text);
    }

    /**
     * @param line texts without quotes
     * @return them with commas between
     */
    static std::string Join(const std::vector<std::string>& line)
    {
        std::string joined;
        for (const auto& text : line)
        {
            const bool isQuoted = text.find(',') != std::string::npos;
            joined += (&text == &line.front() ? "" : ",") + (isQuoted ? '"' + text + '"' : text);
        }
        return joined;
    }

    /**
     * @param line texts
     * @param widths the widths of the columns
     * @return the texts below each other
     */
    static std::string Align(const std::vector<std::string>& line,
                             const std::vector<std::size_t>& widths)
    {
        std::ostringstream aligned;
        for (std::size_t column = 0; column < line.size(); ++column)
        {
            aligned << (column > 0 ? "  " : "") << (column > 0 ? std::right : std::left)
                    << std::setw(static_cast<int>(widths[column])) << line[column];
        }
        return aligned.str();
    }

    std::vector<std::vector<std::string>> m_lines; //!< The lines
};

#endif /* LIGHTPATH_TEXT_TABLE_H */
