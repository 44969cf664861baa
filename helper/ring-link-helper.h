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
 * @brief Installs a ring of micro-ring resonators in the place of a link: a program that joins two
 * nodes by a PointToPointHelper may have this one instead, and nothing else changed.
 *
 * There is a circuit from each node to each other one from the beginning, without any controller;
 * CreateController() makes one that changes them. Of the rate of a node (DataRate), two nodes have
 * all for each other, and each of n nodes has an equal part for each other one. The time that light
 * takes is the Delay, and the ring itself, without length at first, adds none.
 *
 * There is one fibre in each direction, with the fewest wavelengths that join all pairs.
 */
class RingLinkHelper : public SipRingHelper
{
  public:
    /**
     * A link of 100 Gb/s without delay.
     */
    RingLinkHelper();
    ~RingLinkHelper() override;

    /**
     * @param bandwidth the rate of a node, any multiple of 2 bit/s
     */
    void SetBandwidth(DataRate bandwidth) override;

  private:
    void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const override;
    void ConfigureAttached(Ptr<FabricChannel> channel) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LINK_HELPER_H */
