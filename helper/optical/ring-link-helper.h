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
 * @brief Installs a ring of micro-ring resonators as a drop-in replacement of a PointToPointHelper.
 *
 * There is a permanent circuit between any two nodes, without a controller; CreateController()
 * returns one that changes circuits. The circuits of a node share its rate (DataRate) equally; two
 * nodes have the full rate to each other. The propagation delay is the Delay of the channel: the
 * ring has no length by default.
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
