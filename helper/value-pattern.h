/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALUE_PATTERN_H
#define VALUE_PATTERN_H

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A text that stands for several by lists and ranges in braces, as in a shell.
 *
 * A group {a,b,c} stands for each of its items in turn, of which one may be a ValueRange, hold
 * groups itself, or be empty if it is not the only one. What stands before and after a group goes
 * with each item; of several groups all combinations are meant, those of the first changing
 * slowest.
 */
class ValuePattern
{
  public:
    /// Most texts that one may stand for.
    static constexpr std::size_t MOST_VALUES = 1000000;

    /**
     * List what a text stands for. Braces that do not match, empty groups, ranges that are none and
     * more than MOST_VALUES are refused by std::invalid_argument.
     *
     * @param text the text
     * @return the texts in order; of a text without braces, itself
     */
    static std::vector<std::string> Expand(const std::string& text);
};

} // namespace lightpath
} // namespace ns3

#endif /* VALUE_PATTERN_H */
