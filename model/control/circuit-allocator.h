/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_ALLOCATOR_H
#define CIRCUIT_ALLOCATOR_H

#include "traffic-matrix.h"

#include "ns3/circuit-plan.h"
#include "ns3/object.h"

#include <limits>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The result of a CircuitAllocator.
 */
struct CircuitAllocation
{
    CircuitPlan plan; //!< The lightpaths, which do not conflict

    /**
     * The smallest ratio, over the demanded pairs, of granted lanes to normalised demand (demand
     * over the largest demand): the t of the max-min objective. Zero if a demanded pair is
     * unserved or nothing is demanded.
     */
    double fairness{0};

    /// The value that the allocator maximises; for max-min allocators, the fairness.
    double objective{0};

    /**
     * An upper bound on the objective of any allocation for this demand; infinite if none is known.
     * An exact allocator reaches it.
     */
    double bound{std::numeric_limits<double>::infinity()};

    /**
     * @return the gap between objective and bound, as a share of the bound: 0 for an optimum, 1 if
     *         no bound is known or the objective is 0
     */
    double GetGap() const;

    /**
     * Put another plan in place of the plan, and list all pairs that it leaves unserved. Fairness
     * and objective remain those of the decision.
     *
     * @param other the plan
     * @param demand the demand that it is for
     */
    void Replace(CircuitPlan other, const TrafficMatrix& demand);

    std::vector<PortPair> unserved; //!< The demanded pairs without a lightpath, in ascending order
};

/**
 * @ingroup lightpath
 * @brief Computes the lightpaths of a fabric for a demand.
 *
 * An allocator is plain computation: it knows the limits of its fabric but no simulated time. The
 * same demand always gets the same result. Each kind of fabric has its own base class
 * (RingAllocator, CircuitSwitchAllocator); a child class of these implements DoAllocate() and may
 * assume that the demand has the right size.
 */
class CircuitAllocator : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Throws std::invalid_argument for a demand whose size is not the fabric's number of ports.
     *
     * @param demand the bytes to be carried by source and destination port
     * @return the lightpaths to set up for it
     */
    CircuitAllocation Allocate(const TrafficMatrix& demand) const;

    /**
     * @return the number of ports of the fabric
     */
    virtual uint32_t GetNPorts() const = 0;

    /**
     * @param source a port
     * @param destination another port
     * @return why this pair never gets a lightpath, whatever the demand; empty if it can get one,
     * as in the base class
     */
    virtual std::string GetObstacle(uint32_t source, uint32_t destination) const;

  protected:
    /**
     * Compute the fairness of a plan from the lanes that it grants.
     *
     * @param plan the lightpaths
     * @param demand the bytes to be carried
     * @param bound an upper bound on the fairness
     * @return the plan with its fairness, which is also its objective, and the unserved pairs
     */
    static CircuitAllocation Assess(CircuitPlan plan, const TrafficMatrix& demand, double bound);

  private:
    /**
     * @param demand the bytes to be carried, of GetNPorts() ports
     * @return the lightpaths to set up for it
     */
    virtual CircuitAllocation DoAllocate(const TrafficMatrix& demand) const = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_ALLOCATOR_H */
