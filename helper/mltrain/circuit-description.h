/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_DESCRIPTION_H
#define CIRCUIT_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/planning-problem.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes a fabric of circuits.
 */
class CircuitDescription : public DescriptionOf<CircuitFabricHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;

  private:
    /**
     * Tell a planner what limits lightpaths besides their number; nothing in the base class.
     *
     * @param [in,out] limits the limits, in which the rate of a node and the least latency are set
     * @param nNodes the number of nodes
     */
    virtual void ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const
    {
    }
};

/**
 * @ingroup lightpath
 * @brief Describes parallel circuit switches.
 */
class SwitchedCircuitDescription : public DescriptionOf<SipOcsHelper, CircuitDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

/**
 * @ingroup lightpath
 * @brief Describes a ring of micro-rings.
 */
class RingDescription : public DescriptionOf<SipRingHelper, CircuitDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    /**
     * @param nNodes the number of nodes
     * @return the components of the ring, with amplifiers if the channel has them
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;

  private:
    void ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_DESCRIPTION_H */
