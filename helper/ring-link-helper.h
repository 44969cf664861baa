/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LINK_HELPER_H
#define RING_LINK_HELPER_H

#include "sip-ring-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a ring of micro-ring resonators as a drop-in replacement of a PointToPointHelper:
 * a program that joins two nodes by the one can use the other without any other change.
 *
 * There is a circuit from each node to each other one from the beginning, without a controller;
 * CreateController() makes one that changes them. The circuits of a node share its rate (DataRate)
 * equally, so that each of two nodes has the full rate to the other. The propagation delay is the
 * Delay of the channel: the ring has no length by default.
 *
 * There is one fibre in each direction, with the fewest wavelengths that join all pairs. The rate
 * of a node must be a multiple of 2 bit/s.
 */
class RingLinkHelper : public SipRingHelper
{
  public:
    /**
     * A link of 100 Gb/s without delay.
     */
    RingLinkHelper();

  protected:
    DataRate GetWavelengthRate() const override;

  private:
    std::vector<DerivedAttribute> GetDerived() const override;
    void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LINK_HELPER_H */
