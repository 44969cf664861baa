/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_TABLE_H
#define SLOT_TABLE_H

#include "in-network-header.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The burst of one server for a slot, or the common burst of all servers.
struct SlotBurst
{
    InNetworkHeader header; //!< Describes the words, with their scales
    uint64_t bytes{0};      //!< Size of the frame in bytes, with all headers
};

/**
 * @ingroup lightpath
 * @brief A barrier for each slot: records which servers have announced their burst.
 *
 * The scale of a block is the largest scale that a server announces for it.
 */
class SlotTable
{
  public:
    /// Job, tensor and burst of a slot.
    using Key = std::tuple<uint16_t, uint64_t, uint32_t>;

    /**
     * @param header the header of a burst
     * @return its slot
     */
    static Key GetKey(const InNetworkHeader& header);

    /**
     * @param header the header of a burst
     * @return the name of its slot, as a part of a sentence
     */
    static std::string Describe(const InNetworkHeader& header);

    /**
     * Record the burst of a server. A burst that differs from those of other servers in more than
     * its scales ends the program.
     *
     * @param port the port of the server
     * @param nPorts the number of ports
     * @param [in,out] burst the burst; once all servers have one, the common burst
     * @return true if all servers have announced their bursts, which are then removed
     */
    bool Announce(uint32_t port, uint32_t nPorts, SlotBurst& burst);

    /**
     * @return a clause that names servers that the first slot waits for; empty if there is no slot
     */
    std::string DescribeWaiting() const;

  private:
    /// A slot that some servers have announced.
    struct Slot
    {
        SlotBurst burst;             //!< Their common burst
        std::vector<bool> announced; //!< By port
        uint32_t count{0};           //!< Number of these servers
    };

    std::map<Key, Slot> m_slots; //!< The slots that wait for servers
};

} // namespace lightpath
} // namespace ns3

#endif /* SLOT_TABLE_H */
