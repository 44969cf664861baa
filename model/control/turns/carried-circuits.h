/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CARRIED_CIRCUITS_H
#define CARRIED_CIRCUITS_H

#include "circuit-turns.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The circuits that the planes of CircuitTurns carry, of which all that changes at an
 * instant changes together.
 */
class CarriedCircuits
{
  public:
    /// A circuit.
    struct Circuit
    {
        uint32_t plane{0};       //!< The plane
        uint32_t source{0};      //!< The port that sends
        uint32_t destination{0}; //!< The port that receives
    };

    /**
     * @param ports the number of ports
     * @param planes the number of planes
     */
    CarriedCircuits(uint32_t ports, uint32_t planes)
        : m_carried(planes, std::vector<std::optional<uint32_t>>(ports))
    {
    }

    /**
     * Take the changes of the turns. Circuits that go leave their ports to those that come.
     *
     * @param [in,out] turns the turns
     * @param [out] gone the circuits that go, overwritten
     * @param [out] come the circuits that come, overwritten
     */
    void Update(CircuitTurns& turns, std::vector<Circuit>& gone, std::vector<Circuit>& come);

  private:
    std::vector<std::vector<std::optional<uint32_t>>> m_carried; //!< Destination by plane, source
};

} // namespace lightpath
} // namespace ns3

#endif /* CARRIED_CIRCUITS_H */
