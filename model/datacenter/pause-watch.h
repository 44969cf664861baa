/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_WATCH_H
#define PAUSE_WATCH_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaNetwork;

/**
 * @ingroup lightpath
 * @brief Finds ports of an RdmaNetwork that wait for each other in a circle, since each is paused.
 */
class PauseWatch
{
  public:
    /**
     * @param network the network
     * @param limit the time for which all of them must have been paused
     */
    PauseWatch(RdmaNetwork& network, Time limit);

    /**
     * Look at a port that has been paused, and have it looked at again while it is.
     *
     * @param link the link that it sends on
     * @return the sentence that names a circle, empty without one
     */
    std::string Check(uint32_t link);

  private:
    /**
     * @param link the link of a port that is paused
     * @param trafficClass the class
     * @param since when the pause must have begun, ps
     * @return whether there is a circle behind m_circle and this port, which is m_circle then
     */
    bool FindCircle(uint32_t link, uint8_t trafficClass, int64_t since);

    RdmaNetwork& m_network;         //!< The network
    Time m_limit;                   //!< Time for which ports must have been paused
    std::vector<uint32_t> m_circle; //!< Links of ports, each of which waits for the next
};

} // namespace lightpath
} // namespace ns3

#endif /* PAUSE_WATCH_H */
