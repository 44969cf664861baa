/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-pattern.h"

#include <random>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The bytes of a pair
constexpr uint64_t BYTES = 1000000;

/// The most ports of a pattern in which all pairs have bytes.
constexpr uint32_t DENSE_PORTS = 4096;

/**
 * Refuse a number of a pattern that the ports do not allow.
 *
 * @param isRight whether they do
 * @param pattern the pattern
 * @param ports the number of ports
 * @param right the right numbers, in words
 */
void
CheckNumber(bool isRight, const std::string& pattern, uint32_t ports, const std::string& right)
{
    if (!isRight)
    {
        throw std::invalid_argument("The pattern '" + pattern + "' does not suit " +
                                    std::to_string(ports) + " ports: " + right);
    }
}

/**
 * Add all pairs within groups of ports in a row.
 *
 * @param [out] demand the demand
 * @param size the ports of a group
 */
void
AddGroups(TrafficMatrix& demand, uint64_t size)
{
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        const uint32_t first = source - source % size;
        for (uint32_t destination = first; destination < first + size; ++destination)
        {
            if (destination != source)
            {
                demand.Add(source, destination, BYTES);
            }
        }
    }
}

/**
 * Add a pair from each port to the one some ports after it, round a ring.
 *
 * @param [out] demand the demand
 * @param shift the number of ports between the two
 * @param bytes the bytes of a pair
 */
void
AddShift(TrafficMatrix& demand, uint64_t shift, uint64_t bytes)
{
    const uint32_t ports = demand.GetSize();
    for (uint32_t source = 0; source < ports; ++source)
    {
        demand.Add(source, static_cast<uint32_t>((source + shift) % ports), bytes);
    }
}

/**
 * Add all pairs with random bytes.
 *
 * @param [out] demand the demand
 * @param seed the seed of the generator
 */
void
AddRandom(TrafficMatrix& demand, uint64_t seed)
{
    // The generator gives the same numbers on all machines; the distributions of the library may
    // not
    std::mt19937_64 generator(seed);
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (uint32_t destination = 0; destination < demand.GetSize(); ++destination)
        {
            if (destination != source)
            {
                demand.Add(source, destination, 1 + generator() % BYTES);
            }
        }
    }
}

/**
 * @param pattern a pattern
 * @param ports the number of ports
 * @param begin where its number begins
 * @return the number
 */
uint64_t
ReadNumber(const std::string& pattern, uint32_t ports, std::size_t begin)
{
    const std::string digits = pattern.substr(begin);
    const bool isRight = !digits.empty() && digits.size() < 10 &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
    CheckNumber(isRight, pattern, ports, "'" + digits + "' must be a whole number below 10^9");
    return std::stoull(digits);
}

} // namespace

std::string
TrafficPattern::GetHelp()
{
    return "all-to-all, neighbours, groups:K, ring-shift:K, training:K, random:SEED";
}

TrafficMatrix
TrafficPattern::Create(const std::string& pattern, uint32_t ports)
{
    CheckNumber(ports > 1, pattern, ports, "a demand needs 2 at least");
    const bool isDense = pattern == "all-to-all" || pattern.compare(0, 7, "random:") == 0;
    CheckNumber(!isDense || ports <= DENSE_PORTS,
                pattern,
                ports,
                "all pairs have bytes, which is for " + std::to_string(DENSE_PORTS) + " at most");
    TrafficMatrix demand(ports);
    const std::size_t colon = pattern.find(':');
    const std::string kind = pattern.substr(0, colon == std::string::npos ? colon : colon + 1);
    const auto number = [&]() { return ReadNumber(pattern, ports, colon + 1); };
    if (kind == "all-to-all")
    {
        AddGroups(demand, ports);
    }
    else if (kind == "neighbours")
    {
        AddShift(demand, 1, BYTES);
        if (ports > 2)
        {
            AddShift(demand, ports - 1, BYTES);
        }
    }
    else if (kind == "groups:" || kind == "training:")
    {
        const uint64_t size = number();
        CheckNumber(size > 1 && ports % size == 0,
                    pattern,
                    ports,
                    "groups must hold 2 ports at least and divide all ports");
        AddGroups(demand, size);
        if (kind == "training:" && size < ports)
        {
            AddShift(demand, size, 4 * BYTES);
        }
    }
    else if (kind == "ring-shift:")
    {
        const uint64_t shift = number();
        CheckNumber(shift > 0 && shift < ports,
                    pattern,
                    ports,
                    "a shift must be from 1 to " + std::to_string(ports - 1));
        AddShift(demand, shift, BYTES);
    }
    else if (kind == "random:")
    {
        AddRandom(demand, number());
    }
    else
    {
        throw std::invalid_argument("There is no pattern '" + pattern + "': the known ones are " +
                                    GetHelp());
    }
    return demand;
}

} // namespace lightpath
} // namespace ns3
