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

/// A burst that a server has for a slot, or that all servers have agreed on.
struct SlotBurst
{
    InNetworkHeader header; //!< What the words are, with the scales
    uint64_t bytes{0};      //!< Size of the frame in bytes, with all headers
};

/**
 * @ingroup lightpath
 * @brief Which servers have announced their part of which slot: a barrier for each slot.
 *
 * The scale of a block is the largest of those that the servers announce for it.
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
     * Note that a server has a burst. One that differs from those of the others in more than the
     * values of its scales ends the program.
     *
     * @param port the port of the server
     * @param nPorts the number of ports
     * @param [in,out] burst the burst; once all servers have one, what they have agreed on
     * @return true if all servers have one, which are then forgotten
     */
    bool Announce(uint32_t port, uint32_t nPorts, SlotBurst& burst);

    /**
     * @return what the first slot waits for, as a clause; empty if there is none
     */
    std::string DescribeWaiting() const;

  private:
    /// A slot that some servers have announced.
    struct Slot
    {
        SlotBurst burst;             //!< What these have in common
        std::vector<bool> announced; //!< By port
        uint32_t count{0};           //!< How many have
    };

    std::map<Key, Slot> m_slots; //!< The slots that wait for servers
};

} // namespace lightpath
} // namespace ns3

#endif /* SLOT_TABLE_H */
