/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOLSTICE_SCHEDULER_H
#define SOLSTICE_SCHEDULER_H

#include "matching-scheduler.h"

#include "ns3/data-rate.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Serves a demand by few long configurations (Solstice: Liu et al., Scheduling techniques
 * for hybrid circuit/packet networks, CoNEXT 2015).
 *
 * The service times are stuffed to equal line sums. A permutation is taken whose pairs all have at
 * least a threshold, a power of two, and lasts as long as its smallest pair (BigSlice); where there
 * is none, the threshold is halved. So each configuration lasts at least half as long as any other
 * that could have been taken. The configurations are put in order, longest first.
 *
 * Solstice leaves the small rest to a packet switch. Without one, further configurations serve it
 * (attribute ServeRest). Otherwise the configurations end as soon as a packet switch, with a port
 * of PacketRate for each device, could have carried the rest of each device during their time; the
 * rest is reported as unserved.
 */
class SolsticeScheduler : public MatchingScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    std::vector<TimedMatching> FindMatchings(const ServiceTimeMatrix& times) const override;

    bool m_serveRest{true}; //!< Whether configurations serve the rest too
    DataRate m_packetRate;  //!< Rate of a device's port of the packet switch
};

} // namespace lightpath
} // namespace ns3

#endif /* SOLSTICE_SCHEDULER_H */
