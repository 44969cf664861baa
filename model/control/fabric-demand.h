/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_DEMAND_H
#define FABRIC_DEMAND_H

#include "traffic-matrix.h"

#include "ns3/ptr.h"

#include <string>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief The demands that a controller may decide for: the planned one, that of a phase, and the
 * bytes that wait in the devices of a fabric.
 */
class FabricDemand
{
  public:
    /**
     * Look at the bytes that wait in the devices, with the headers of their frames.
     *
     * @param last a demand, which is returned if it equals the backlog: to compare is cheaper than
     *        to build
     * @return the backlog
     */
    const TrafficMatrix& ReadBacklog(const TrafficMatrix& last);

    /**
     * @return the bytes that wait in the devices, with the headers of their frames
     */
    TrafficMatrix GetBacklog() const;

    /**
     * @param demand a demand
     * @return which of the demands it is and how large, in words
     */
    std::string Describe(const TrafficMatrix& demand) const;

    Ptr<OpticalChannel> channel; //!< The fabric, or null
    TrafficMatrix planned;       //!< The planned demand
    TrafficMatrix phase;         //!< The demand of the phase that has begun last; of size 0 before
                                 //!< the first

  private:
    /**
     * @param demand a demand of the size of the fabric
     * @return true if these are the bytes that wait in the devices
     */
    bool IsBacklog(const TrafficMatrix& demand) const;

    TrafficMatrix m_backlog; //!< The backlog as it was read last
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_DEMAND_H */
