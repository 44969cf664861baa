/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERIODIC_SCHEDULE_H
#define PERIODIC_SCHEDULE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which port sends to which, slot by slot, on a fabric that follows a fixed schedule: a
 * function of slot, port and uplink.
 *
 * Each port has several uplinks, which lead to as many rotor switches, or gratings behind tunable
 * lasers. In a slot, the ports send over one uplink by a permutation; a port that sends to itself
 * is idle. After the last slot the schedule begins anew. A pair of ports meets once in this cycle
 * at most, so that its light is a window of each cycle. A child class implements GetPeer().
 */
class PeriodicSchedule
{
  public:
    /// Where in a cycle two ports meet.
    struct Meeting
    {
        uint32_t uplink{0}; //!< The uplink of the sender
        uint32_t slot{0};   //!< The slot of this uplink
    };

    virtual ~PeriodicSchedule() = default;

    /**
     * @param slot a slot of a cycle
     * @param port the port that sends
     * @param uplink the uplink that it sends over
     * @return the port that receives; the port itself if it is idle
     */
    virtual uint32_t GetPeer(uint32_t slot, uint32_t port, uint32_t uplink) const = 0;

    /**
     * @return the number of ports
     */
    uint32_t GetNPorts() const
    {
        return m_nPorts;
    }

    /**
     * @return the uplinks of a port
     */
    uint32_t GetNUplinks() const
    {
        return m_nUplinks;
    }

    /**
     * @return the slots of a cycle
     */
    uint32_t GetNSlots() const
    {
        return m_nSlots;
    }

    /**
     * Throws std::invalid_argument if the schedule joins no permutation of the ports in some slot,
     * or a pair more than once in a cycle.
     *
     * @param source the port that sends
     * @param destination the port that receives
     * @return where they meet; null if they never do
     */
    const Meeting* FindMeeting(uint32_t source, uint32_t destination) const;

  protected:
    /**
     * Throws std::invalid_argument for fewer than 2 ports, and without uplinks or slots.
     *
     * @param nPorts the number of ports
     * @param nUplinks the uplinks of a port
     * @param nSlots the slots of a cycle
     */
    PeriodicSchedule(uint32_t nPorts, uint32_t nUplinks, uint32_t nSlots);

    /**
     * Throws std::invalid_argument if the permutations cannot be dealt out.
     *
     * @param nMatchings permutations that join all pairs
     * @param nUplinks uplinks that each take an equal part of them
     * @return the permutations of an uplink: the slots of a cycle
     */
    static uint32_t Deal(uint32_t nMatchings, uint32_t nUplinks);

  private:
    /// Look up all meetings.
    void Tabulate() const;

    uint32_t m_nPorts;                       //!< Number of ports
    uint32_t m_nUplinks;                     //!< Uplinks of a port
    uint32_t m_nSlots;                       //!< Slots of a cycle
    mutable std::vector<Meeting> m_meetings; //!< Where pairs meet, once it has been asked for
};

} // namespace lightpath
} // namespace ns3

#endif /* PERIODIC_SCHEDULE_H */
