/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-table.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

SlotTable::Key
SlotTable::GetKey(const InNetworkHeader& header)
{
    return {header.job, header.tag, header.block};
}

std::string
SlotTable::Describe(const InNetworkHeader& header)
{
    return "the slot of burst " + std::to_string(header.block) + " of tensor " +
           std::to_string(header.tag);
}

bool
SlotTable::Announce(uint32_t port, uint32_t nPorts, SlotBurst& burst)
{
    const Key key = GetKey(burst.header);
    Slot& slot = m_slots[key];
    if (slot.count == 0)
    {
        // The first announcement opens the slot
        slot.burst = burst;
        slot.announced.resize(nPorts);
    }
    InNetworkHeader& common = slot.burst.header;
    const InNetworkHeader& header = burst.header;
    NS_ABORT_MSG_IF(slot.burst.bytes != burst.bytes || common.bits != header.bits ||
                        common.scales.size() != header.scales.size(),
                    "For " << Describe(header) << " server " << port << " has " << burst.bytes
                           << " bytes of words of " << +header.bits << " bits with "
                           << header.scales.size() << " scales, where others have "
                           << slot.burst.bytes << " bytes, " << +common.bits << " bits and "
                           << common.scales.size()
                           << " scales: all servers must send the same tensors");
    NS_ABORT_MSG_IF(slot.announced[port],
                    "Server " << port << " has two bursts for " << Describe(header)
                              << ": a tensor under way needs a tag of its own");
    slot.announced[port] = true;
    ++slot.count;
    // The largest scale fits the words of all servers
    std::transform(header.scales.begin(),
                   header.scales.end(),
                   common.scales.begin(),
                   common.scales.begin(),
                   [](uint8_t own, uint8_t other) { return std::max(own, other); });
    common.sequence = std::max(common.sequence, header.sequence);
    if (slot.count < nPorts)
    {
        return false;
    }
    // All servers are ready: hand out the common burst
    burst = std::move(slot.burst);
    m_slots.erase(key);
    return true;
}

std::string
SlotTable::DescribeWaiting() const
{
    if (m_slots.empty())
    {
        return "";
    }
    const Slot& slot = m_slots.begin()->second;
    std::string servers;
    uint32_t named = 0;
    // Three servers are enough to find the fault
    for (uint32_t port = 0; port < slot.announced.size() && named < 3; ++port)
    {
        if (!slot.announced[port])
        {
            servers += (named++ > 0 ? ", " : "") + std::to_string(port);
        }
    }
    const auto missing = static_cast<uint32_t>(slot.announced.size()) - slot.count;
    return Describe(slot.burst.header) + " waits for " +
           (missing == 1 ? "server " + servers
                         : std::to_string(missing) + " servers, such as " + servers);
}

} // namespace lightpath
} // namespace ns3
