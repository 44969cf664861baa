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
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The answer of a CircuitAllocator.
 */
struct CircuitAllocation
{
    CircuitPlan plan; //!< The lightpaths, on lanes of which no two conflict

    /**
     * The smallest ratio, over the demanded pairs, of granted lanes to normalised demand (demand
     * over the largest demand): the t of the max-min objective. Zero if a demanded pair is
     * unserved or nothing is demanded.
     */
    double fairness{0};

    /// The value that the allocator maximises; for max-min allocators, the fairness.
    double objective{0};

    /**
     * A value that the objective of no allocation for this demand can exceed; infinite if none is
     * known. An exact allocator reaches it.
     */
    double bound{std::numeric_limits<double>::infinity()};

    /**
     * @return how far the objective may be from the largest, as a share of the bound: 0 if it is
     *         the largest, 1 if no bound is known or nothing was achieved
     */
    double GetGap() const;

    /**
     * Leave only a part of the plan, and name all pairs that are unserved with it. Fairness and
     * objective remain those of the decision.
     *
     * @param part the part
     * @param demand the demand that the plan is for
     */
    void Reduce(CircuitPlan part, const TrafficMatrix& demand);

    std::vector<PortPair> unserved; //!< The demanded pairs without a lightpath, in ascending order
};

/**
 * @ingroup lightpath
 * @brief Decides which lightpaths a fabric should carry for a given demand.
 *
 * An allocator is plain computation: it knows the limits of its fabric and nothing of simulated
 * time. The same demand always gets the same answer. Each kind of fabric has kinds of its own
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
     * Refuses, by std::invalid_argument, a demand whose size is not the fabric's number of ports.
     *
     * @param demand the bytes to be carried by source and destination port
     * @return the lightpaths to set up for it
     */
    CircuitAllocation Allocate(const TrafficMatrix& demand) const;

    /**
     * @return the number of ports of the fabric
     */
    virtual uint32_t GetNPorts() const = 0;

  protected:
    /**
     * Judge a plan by the lanes that it really grants.
     *
     * @param plan the lightpaths
     * @param demand the bytes to be carried
     * @param bound a value that no fairness can exceed
     * @return the plan with its fairness, which is its objective too, and the demanded pairs that
     *         it leaves out
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
