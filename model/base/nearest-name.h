/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NEAREST_NAME_H
#define NEAREST_NAME_H

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @param a a word
 * @param b another one
 * @return the fewest letters to insert, delete or replace that make one of the other, whether large
 *         or small
 */
inline std::size_t
GetEditDistance(const std::string& a, const std::string& b)
{
    const auto isSame = [](unsigned char one, unsigned char other) {
        return std::tolower(one) == std::tolower(other);
    };
    // Distances of the first letters of a, one more in each turn, to the first letters of b
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            const std::size_t replaced = diagonal + (isSame(a[i], b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

/**
 * @ingroup lightpath
 * @param name a word
 * @param known names
 * @return the first of the nearest ones; empty without any
 */
inline std::string
FindNearest(const std::string& name, const std::vector<std::string>& known)
{
    std::string nearest;
    std::size_t least = SIZE_MAX;
    for (const auto& each : known)
    {
        const std::size_t distance = GetEditDistance(name, each);
        nearest = distance < least ? each : nearest;
        least = std::min(least, distance);
    }
    return nearest;
}

/**
 * @ingroup lightpath
 * @param name a word that is none of the names
 * @param known names
 * @return the end of a sentence that refuses it: all, and the nearest one if it is near
 */
inline std::string
ListKnown(const std::string& name, const std::vector<std::string>& known)
{
    std::string list;
    for (const auto& each : known)
    {
        list += (list.empty() ? "" : ", ") + each;
    }
    const std::string nearest = FindNearest(name, known);
    const bool isNear = GetEditDistance(name, nearest) <= (nearest.size() + 2) / 3;
    return "the known ones are " + (list.empty() ? "none" : list) +
           (isNear ? "; the nearest is " + nearest : "");
}

} // namespace lightpath
} // namespace ns3

#endif /* NEAREST_NAME_H */
