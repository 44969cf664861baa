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

namespace ns3
{
namespace lightpath
{

class RdmaNetwork;

/**
 * Look for ports that wait for each other in a circle, since each is paused, and have this one
 * looked at again while it is.
 *
 * @ingroup lightpath
 * @param network the network
 * @param link the link that a port sends on that has been paused
 * @param limit the time for which all of them must have been paused
 * @return the sentence that names a circle, empty without one
 */
std::string FindDeadlock(RdmaNetwork& network, uint32_t link, Time limit);

} // namespace lightpath
} // namespace ns3

#endif /* PAUSE_WATCH_H */
