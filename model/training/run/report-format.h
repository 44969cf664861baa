/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "ns3/nstime.h"

#include <cstddef>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Convert a time to seconds.
 *
 * @param time a time, a whole number of ticks
 * @return the nearest number to it in seconds
 */
double ToSeconds(Time time);

/**
 * @ingroup lightpath
 * @brief Print a time with four digits and a unit that suits its size.
 *
 * @param seconds the time in seconds
 * @return the text
 */
std::string FormatSeconds(double seconds);

/**
 * @ingroup lightpath
 * @brief Print a long time with three digits, in seconds, minutes, hours or days.
 *
 * @param seconds the time in seconds
 * @return the text
 */
std::string FormatLongTime(double seconds);

/**
 * @ingroup lightpath
 * @param group a kind of group: a GroupKind, or an index behind these
 * @return the kind of parallelism that its communication belongs to, such as "data"; "other" for
 *         an index behind
 */
std::string GetParallelismName(std::size_t group);

} // namespace lightpath
} // namespace ns3

#endif /* REPORT_FORMAT_H */
