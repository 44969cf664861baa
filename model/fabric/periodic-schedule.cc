/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "periodic-schedule.h"

#include "model/base/count-noun.h"

#include <cstddef>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The slot of a pair that never meets.
constexpr uint32_t NEVER = UINT32_MAX;

} // namespace

PeriodicSchedule::PeriodicSchedule(uint32_t nPorts, uint32_t nUplinks, uint32_t nSlots)
    : m_nPorts(nPorts),
      m_nUplinks(nUplinks),
      m_nSlots(nSlots)
{
    if (nPorts < 2 || nUplinks == 0 || nSlots == 0)
    {
        throw std::invalid_argument("A schedule needs 2 ports, an uplink and a slot at least, and "
                                    "not " +
                                    CountNoun(nPorts, "port") + ", " +
                                    CountNoun(nUplinks, "uplink") + " and " +
                                    CountNoun(nSlots, "slot"));
    }
}

uint32_t
PeriodicSchedule::Deal(uint32_t nMatchings, uint32_t nUplinks)
{
    if (nUplinks == 0 || nMatchings % nUplinks != 0)
    {
        throw std::invalid_argument("The " + CountNoun(nMatchings, "configuration") +
                                    " that join all ports cannot be dealt out evenly to " +
                                    CountNoun(nUplinks, "uplink") +
                                    ": the number of uplinks must divide that of ports");
    }
    return nMatchings / nUplinks;
}

const PeriodicSchedule::Meeting*
PeriodicSchedule::FindMeeting(uint32_t source, uint32_t destination) const
{
    if (m_meetings.empty())
    {
        Tabulate();
    }
    const Meeting& meeting = m_meetings[std::size_t{source} * m_nPorts + destination];
    return meeting.slot == NEVER || source == destination ? nullptr : &meeting;
}

void
PeriodicSchedule::Tabulate() const
{
    std::vector<Meeting> meetings(std::size_t{m_nPorts} * m_nPorts, {0, NEVER});
    for (uint32_t uplink = 0; uplink < m_nUplinks; ++uplink)
    {
        for (uint32_t slot = 0; slot < m_nSlots; ++slot)
        {
            const std::string where =
                " in slot " + std::to_string(slot) + " of uplink " + std::to_string(uplink);
            std::vector<bool> receives(m_nPorts, false);
            for (uint32_t port = 0; port < m_nPorts; ++port)
            {
                const uint32_t peer = GetPeer(slot, port, uplink);
                if (peer >= m_nPorts || receives[peer])
                {
                    throw std::invalid_argument(
                        "Port " + std::to_string(port) + " cannot send to port " +
                        std::to_string(peer) + where +
                        (peer >= m_nPorts ? ": there is no such port"
                                          : ": another port does, but each slot is a permutation"));
                }
                receives[peer] = true;
                Meeting& meeting = meetings[std::size_t{port} * m_nPorts + peer];
                if (peer != port && meeting.slot != NEVER)
                {
                    throw std::invalid_argument("Port " + std::to_string(port) + " meets port " +
                                                std::to_string(peer) + where +
                                                " for the second time: pairs meet once in a cycle");
                }
                meeting = {uplink, slot};
            }
        }
    }
    m_meetings.swap(meetings);
}

} // namespace lightpath
} // namespace ns3
