/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CONTROL_TEST_CASES_H
#define LIGHTPATH_CONTROL_TEST_CASES_H

#include "ns3/test.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param size the number of ports
 * @param shifts the distance that each port sends over, and the bytes
 * @return the demand of each port i for the ports i + shift (mod size)
 */
inline ns3::lightpath::TrafficMatrix
MakeShifts(uint32_t size, const std::vector<std::pair<uint32_t, uint64_t>>& shifts)
{
    ns3::lightpath::TrafficMatrix demand(size);
    for (uint32_t source = 0; source < size; ++source)
    {
        for (const auto& [shift, bytes] : shifts)
        {
            demand.Add(source, (source + shift) % size, bytes);
        }
    }
    return demand;
}

/**
 * @ingroup lightpath-tests
 * @param size the number of ports
 * @return the same demand for all pairs
 */
inline ns3::lightpath::TrafficMatrix
MakeAllToAll(uint32_t size)
{
    ns3::lightpath::TrafficMatrix demand(size);
    for (uint32_t source = 0; source < size; ++source)
    {
        for (uint32_t destination = 0; destination < size; ++destination)
        {
            if (source != destination)
            {
                demand.Add(source, destination, 1);
            }
        }
    }
    return demand;
}

/**
 * @ingroup lightpath-tests
 * @param random the source of random numbers
 * @param size the number of ports
 * @param entries the number of times that bytes are added to a pair
 * @param most the most bytes that are added at once
 * @return the demand
 */
inline ns3::lightpath::TrafficMatrix
MakeRandom(std::mt19937& random, uint32_t size, uint32_t entries, uint32_t most)
{
    ns3::lightpath::TrafficMatrix demand(size);
    for (uint32_t entry = 0; entry < entries; ++entry)
    {
        const uint32_t source = random() % size;
        const uint32_t destination = (source + 1 + random() % (size - 1)) % size;
        demand.Add(source, destination, 1 + random() % most);
    }
    return demand;
}

#endif /* LIGHTPATH_CONTROL_TEST_CASES_H */
