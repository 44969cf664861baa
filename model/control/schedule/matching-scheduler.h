/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MATCHING_SCHEDULER_H
#define MATCHING_SCHEDULER_H

#include "service-time-matrix.h"

#include "ns3/circuit-scheduler.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Serves a demand by one matching after the other: all planes are set alike.
 *
 * The schedules of the literature are for one switch. Planes that are set alike act as one whose
 * rate is that of all their lanes together. A pair has a lane in each plane that can join it, so
 * that a failure in a plane lengthens the service times of the pairs concerned; pairs that no plane
 * can join are left out. Service times are whole time steps, rounded up once for each pair, and all
 * arithmetic on them is exact. The plan of a slot leaves out circuits whose pair has been served.
 *
 * The bound: a port meets at most one peer at a time, so the slots last at least as long as the
 * service times of any one port add up to, and there are at least as many slots as any one port has
 * peers, each after a switching delay. It holds for all sequences of matchings with full darkness
 * between them, but not for planes that are set differently.
 *
 * A child class implements FindMatchings().
 */
class MatchingScheduler : public CircuitScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @return the number of planes that can join the two
     */
    uint32_t GetNLanes(uint32_t source, uint32_t destination) const;

  private:
    /**
     * @param times the service times
     * @return the matchings in their order, which may contain pairs without service time
     */
    virtual std::vector<TimedMatching> FindMatchings(const ServiceTimeMatrix& times) const = 0;

    CircuitSchedule DoSchedule(const TrafficMatrix& demand) const override;

    /**
     * Refuses, by std::invalid_argument, times whose sum would overflow 64 bits.
     *
     * @param demand the bytes to be carried
     * @return the service times of the pairs that a plane can join
     */
    ServiceTimeMatrix GetServiceTimes(const TrafficMatrix& demand) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* MATCHING_SCHEDULER_H */
