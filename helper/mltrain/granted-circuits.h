/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRANTED_CIRCUITS_H
#define GRANTED_CIRCUITS_H

#include "ns3/circuit-allocator.h"
#include "ns3/circuit-plan.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitFabricHelper;

/**
 * @ingroup lightpath
 * @brief The circuits that jobs get on a fabric whose controller decides once for the sum of their
 * demands.
 *
 * They stay as they are until the jobs or the fabric change. A job hence does not feel the others,
 * but by the circuits that they leave it.
 */
class GrantedCircuits
{
  public:
    /// A job: its bytes by source and destination rank, and the port of each rank.
    struct Demand
    {
        const TrafficMatrix* traffic;       //!< The bytes
        const std::vector<uint32_t>* ports; //!< The ports
    };

    /**
     * @param fabric installs the fabric
     * @param ports the number of its ports, at least 2
     */
    GrantedCircuits(const CircuitFabricHelper& fabric, uint32_t ports);

    /**
     * Throws std::invalid_argument for a component that the fabric does not have.
     *
     * @param component the name of a component
     * @param failed true if it has failed, false if it works again
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @param jobs jobs without common ports
     * @return the circuits of each
     */
    std::vector<CircuitPlan> Decide(const std::vector<Demand>& jobs) const;

    /**
     * @param job a job
     * @param circuits its circuits
     * @return true if each pair with bytes has a circuit
     */
    static bool IsServed(const Demand& job, const CircuitPlan& circuits);

    /**
     * Describe circuits by the number of lanes and the delay between ranks: all that the time of a
     * job depends on.
     *
     * @param job a job
     * @param circuits its circuits
     * @return the description
     */
    std::string Describe(const Demand& job, const CircuitPlan& circuits) const;

  private:
    uint32_t m_ports;                  //!< The number of ports
    Ptr<CircuitAllocator> m_allocator; //!< Chooses the circuits
    /// Latency of a message on lanes from one port to another, s; empty if all have the same
    std::function<double(uint32_t, uint32_t, const std::vector<Lane>&)> m_latency;
};

} // namespace lightpath
} // namespace ns3

#endif /* GRANTED_CIRCUITS_H */
