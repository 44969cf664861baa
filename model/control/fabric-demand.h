/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_DEMAND_H
#define FABRIC_DEMAND_H

#include "traffic-ledger.h"
#include "traffic-matrix.h"

#include "ns3/ptr.h"

#include <memory>
#include <string>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief The demands that a controller may decide for: the planned one, that of a phase, the bytes
 * that wait in the devices of a fabric, and with them those that operations will still hand over.
 */
class FabricDemand
{
  public:
    /**
     * Look at the bytes under way: those that wait in the devices, with the headers of their
     * frames, and those of the ledger, if there is one.
     *
     * @param last a demand, which is returned if it equals the backlog: to compare is cheaper than
     *        to build
     * @return the bytes under way
     */
    const TrafficMatrix& ReadUnderway(const TrafficMatrix& last);

    /**
     * @param demand a demand
     * @return true if operations are part of it, as it was read last
     */
    bool HasOperations(const TrafficMatrix& demand) const
    {
        return ledger && demand == m_underway;
    }

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
    std::shared_ptr<TrafficLedger> ledger; //!< What operations will still hand over, or null

  private:
    /**
     * @param demand a demand of the size of the fabric
     * @return true if these are the bytes that wait in the devices
     */
    bool IsBacklog(const TrafficMatrix& demand) const;

    TrafficMatrix m_underway; //!< The bytes under way as they were read last
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_DEMAND_H */
