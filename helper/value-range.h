/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALUE_RANGE_H
#define VALUE_RANGE_H

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A range of decimal numbers with units, like 9..20, 10..2-4, 64..1024*2 or 1us..10ms*10.
 *
 * The step after the end is added (+), subtracted (-) or a factor (*); without one it is 1 in the
 * direction of the end. A range begins with its first number and never passes its end, which
 * belongs to it only if a step hits it. Both ends have the same unit, or units of one kind (times
 * from fs to s, rates from bps to Tbps, sizes from B to TB): then a value has the unit of the
 * beginning unless it is 1000 or more of it, or less than 1 on the way to a smaller unit. Numbers
 * are decimal and exact, those of a geometric range to 12 digits.
 */
class ValueRange
{
  public:
    /// Most values of a range.
    static constexpr std::size_t MOST_VALUES = 100000;

    /**
     * @param text an item of a list
     * @return true if it is meant as a range: two dots, and no path of a file
     */
    static bool IsRange(const std::string& text);

    /**
     * List the values of a range. What is none, never ends, or has more than MOST_VALUES is refused
     * by std::invalid_argument.
     *
     * @param text the range, without braces
     * @return its values in order
     */
    static std::vector<std::string> Expand(const std::string& text);
};

} // namespace lightpath
} // namespace ns3

#endif /* VALUE_RANGE_H */
