/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_PLANES_H
#define CIRCUIT_PLANES_H

#include "circuit-plan.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The circuits that a fabric can carry, as far as a scheduler must know them: its ports and
 * which circuits fit at once.
 *
 * A plane joins ports by a matching: each port sends on one circuit of it at most, and receives on
 * one. A circuit switch is a plane; so are the tunable lasers, one for each port, in front of a
 * passive router. Circuits of different planes do not get in each other's way. Which matchings a
 * plane carries, and by which lanes, is for the fabric to say; a scheduler may take it that a plane
 * carries all matchings of the pairs that it can join, and asks FindConflict() before it answers.
 */
class CircuitPlanes
{
  public:
    virtual ~CircuitPlanes() = default;

    /**
     * @return the number of ports
     */
    virtual uint32_t GetNPorts() const = 0;

    /**
     * @return the number of planes, at least 1: the circuits that a port can send on at once
     */
    virtual uint32_t GetNPlanes() const = 0;

    /**
     * @param source the port that sends
     * @param destination the port that receives; it may be the same one, which no plane joins
     * @param plane the index of a plane
     * @return the lane of a circuit between them in this plane; none if the plane cannot join them
     */
    virtual std::optional<Lane> FindLane(uint32_t source,
                                         uint32_t destination,
                                         uint32_t plane) const = 0;

    /**
     * @param plan some circuits
     * @return the sentence that names the first conflict for which they cannot be carried at once;
     *         empty if they can
     */
    virtual std::string FindConflict(const CircuitPlan& plan) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_PLANES_H */
