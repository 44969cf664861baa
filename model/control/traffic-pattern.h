/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_PATTERN_H
#define TRAFFIC_PATTERN_H

#include "traffic-matrix.h"

#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Makes demands of common shapes.
 */
class TrafficPattern
{
  public:
    /**
     * @return the patterns that Create() knows, for help texts
     */
    static std::string GetHelp();

    /**
     * Create a demand. Each pair has 10^6 bytes unless stated otherwise:
     *
     * - "all-to-all": all pairs;
     * - "neighbours": each port to the one after it and to the one before it, around a ring;
     * - "groups:K": all pairs within groups of K ports in a row;
     * - "ring-shift:K": each port to the one K after it, around a ring;
     * - "training:K": groups:K, like tensor parallelism, and 4 x 10^6 bytes from each port to the
     *   one K after it, around a ring, like data parallelism;
     * - "random:S": all pairs with 1 to 10^6 bytes, drawn by a generator with the seed S.
     *
     * @param pattern the pattern; std::invalid_argument if it is unknown, or if K is not a number
     *        that the ports allow: groups divide the ports and hold two at least, and a shift is
     *        from 1 to 1 less than the ports
     * @param ports the number of ports, at least 2
     * @return the demand
     */
    static TrafficMatrix Create(const std::string& pattern, uint32_t ports);
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAFFIC_PATTERN_H */
