/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_PLANES_H
#define CIRCUIT_PLANES_H

#include "ns3/circuit-plan.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The circuits that a fabric can carry, for schedulers: its ports, and which circuits fit at
 * the same time.
 *
 * A plane joins ports by a matching: each port sends and receives on at most one circuit of a
 * plane. A circuit switch is a plane; so is a set of tunable lasers, one for each port, in front of
 * a passive router. Circuits of different planes never conflict. A scheduler assumes that a plane
 * carries all matchings of the pairs that it can join, and calls FindConflict() before it returns a
 * schedule.
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
     * @return the number of planes, at least 1: the number of circuits that a port can send on at
     *         the same time
     */
    virtual uint32_t GetNPlanes() const = 0;

    /**
     * @param source the port that sends
     * @param destination the port that receives; if it is the source, no plane joins them
     * @param plane the index of a plane
     * @return the lane of a circuit between them in this plane; empty if the plane cannot join them
     */
    virtual std::optional<Lane> FindLane(uint32_t source,
                                         uint32_t destination,
                                         uint32_t plane) const = 0;

    /**
     * @param plan some circuits
     * @return a message that names the first conflict; empty if the fabric can carry all of them at
     *         once
     */
    virtual std::string FindConflict(const CircuitPlan& plan) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_PLANES_H */
