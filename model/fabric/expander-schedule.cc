/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expander-schedule.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Exchanges for each matching, after which the matchings hardly depend on the first ones.
constexpr uint32_t EXCHANGES = 20;

/// Orders that are tried.
constexpr uint32_t ORDERS = 1000;

} // namespace

ExpanderSchedule::ExpanderSchedule(uint32_t nPorts, uint32_t nUplinks, uint32_t seed)
    : PeriodicSchedule(nPorts, nUplinks, Deal(nPorts, nUplinks)),
      m_matchings(nPorts, Matching(nPorts))
{
    for (uint32_t k = 0; k < nPorts; ++k)
    {
        for (uint32_t port = 0; port < nPorts; ++port)
        {
            m_matchings[k][port] = (k + nPorts - port) % nPorts;
        }
    }
    // The draws of a Mersenne twister are the same everywhere; those of a distribution are not
    std::mt19937 generator(seed);
    const auto draw = [&generator](uint32_t below) {
        return static_cast<uint32_t>(uint64_t{generator()} * below >> 32);
    };
    for (uint32_t i = 0; i < EXCHANGES * nPorts; ++i)
    {
        const uint32_t one = draw(nPorts);
        const uint32_t other = (one + 1 + draw(nPorts - 1)) % nPorts;
        Exchange(m_matchings[one], m_matchings[other], draw(nPorts));
    }
    for (uint32_t order = 0; order < ORDERS; ++order)
    {
        for (uint32_t left = nPorts; left > 1; --left)
        {
            std::swap(m_matchings[left - 1], m_matchings[draw(left)]);
        }
        uint32_t check = 0;
        while (check < nPorts * nUplinks && IsConnected(check / nUplinks, check % nUplinks))
        {
            ++check;
        }
        if (check == nPorts * nUplinks)
        {
            return;
        }
    }
    throw std::invalid_argument("No order of matchings was found in which " +
                                std::to_string(nUplinks - 1) + " uplinks join all " +
                                std::to_string(nPorts) +
                                " ports at all times: give them more uplinks");
}

void
ExpanderSchedule::Exchange(Matching& one, Matching& other, uint32_t port)
{
    // Ports connected with this one, by edges of the one and of the other in turn, on both sides
    std::vector<bool> isFound(one.size(), false);
    std::vector<uint32_t> found{port};
    isFound[port] = true;
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        for (const uint32_t peer : {one[found[i]], other[found[i]]})
        {
            if (!isFound[peer])
            {
                isFound[peer] = true;
                found.push_back(peer);
            }
        }
    }
    for (const uint32_t each : found)
    {
        std::swap(one[each], other[each]);
    }
}

uint32_t
ExpanderSchedule::GetSlot(uint32_t slice, uint32_t uplink) const
{
    // A cycle earlier than its first turn it was in its last slot
    return (slice + GetNPorts() - uplink) / GetNUplinks() % GetNSlots();
}

bool
ExpanderSchedule::IsConnected(uint32_t slice, uint32_t absent) const
{
    std::vector<bool> isFound(GetNPorts(), false);
    std::vector<uint32_t> found{0};
    isFound[0] = true;
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        for (uint32_t uplink = 0; uplink < GetNUplinks(); ++uplink)
        {
            const uint32_t peer = GetPeer(GetSlot(slice, uplink), found[i], uplink);
            if (uplink != absent && !isFound[peer])
            {
                isFound[peer] = true;
                found.push_back(peer);
            }
        }
    }
    return found.size() == GetNPorts();
}

} // namespace lightpath
} // namespace ns3
