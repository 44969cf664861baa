/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_MATRIX_READER_H
#define TRAFFIC_MATRIX_READER_H

#include "traffic-matrix.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reads a demand from text of comma-separated values.
 *
 * The text is a matrix, whose row i holds the numbers that port i has for each port, or a list of
 * lines "source,destination,number", of which those of one pair add up. A list may begin with the
 * header "src,dst,bytes". Blank lines and comments, from a '#' to the end of its line, are ignored
 * (ns-3's CsvReader).
 *
 * Numbers are decimal, like 12, 0.5 or 1e9. Each times the scale must be a whole number of bytes,
 * within the rounding of a double; whole numbers are exact where the scale is 1. All bytes together
 * must not exceed 2^63.
 */
class TrafficMatrixReader
{
  public:
    /// How the demand is written.
    enum Format
    {
        AUTO,   //!< As the text looks; see Read()
        MATRIX, //!< A row of numbers for each port
        LIST,   //!< A line for each pair
    };

    /// The most ports of a demand.
    static constexpr uint32_t MAX_PORTS = 16384;

    /**
     * @param name "auto", "matrix" or "list"
     * @return the format; std::invalid_argument if it is none of these
     */
    static Format GetFormat(const std::string& name);

    /**
     * @param format how the demand is written; as the text looks at first
     */
    void SetFormat(Format format);

    /**
     * @param scale the bytes of a number of 1; 1 at first. std::invalid_argument unless it is
     *        finite and above 0.
     */
    void SetScale(double scale);

    /**
     * @param ports the number of ports, which a matrix must have and whose indices a list must keep
     *        to; 0, as at first, for that of the text: the rows of a matrix, or 1 more than the
     *        largest index of a list
     */
    void SetNPorts(uint32_t ports);

    /**
     * Read a demand. A fault of the text is refused by std::invalid_argument, with its line.
     *
     * With AUTO it is a list if it begins with a header or if all lines have three fields. Three
     * lines of three fields without a header are a matrix if the diagonal is zero, a list if not.
     *
     * @param input the text
     * @param name the name of the text in sentences, like that of its file
     * @return the demand
     */
    TrafficMatrix Read(std::istream& input, const std::string& name) const;

  private:
    /// A line with values.
    struct Line
    {
        uint64_t number{0};              //!< Its number within the text, from 1
        std::vector<std::string> fields; //!< The values, without spaces around them
    };

    /// A text.
    struct Text
    {
        std::string name;        //!< Its name in sentences
        bool hasHeader{false};   //!< Whether it begins with the header of a list
        std::vector<Line> lines; //!< The lines with values, without the header
    };

    /**
     * @param input the text
     * @param name the name of the text in sentences
     * @return its values; std::invalid_argument if there are none
     */
    static Text Split(std::istream& input, const std::string& name);

    /**
     * @param text the text
     * @return true if it is a list
     */
    bool IsList(const Text& text) const;

    /**
     * @param text the text of a matrix, which is refused if it is not square
     * @return the number of ports
     */
    uint32_t CountMatrixPorts(const Text& text) const;

    /**
     * @param text the text of a list, which is refused if a line is not that of a pair
     * @return the number of ports
     */
    uint32_t CountListPorts(const Text& text) const;

    /**
     * @param field a number
     * @param where the name of the text and the line, for sentences
     * @return the bytes that it stands for
     */
    uint64_t GetBytes(const std::string& field, const std::string& where) const;

    /**
     * @param field the index of a port
     * @param where the name of the text and the line, for sentences
     * @return the index
     */
    uint32_t GetPort(const std::string& field, const std::string& where) const;

    Format m_format{AUTO}; //!< How the demand is written
    double m_scale{1};     //!< Bytes of a number of 1
    uint32_t m_ports{0};   //!< Number of ports, 0 for that of the text
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAFFIC_MATRIX_READER_H */
