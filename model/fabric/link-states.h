/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_STATES_H
#define LINK_STATES_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @param channel a fabric of circuits
 * @param followsPlan true if the link of a port is up while a lightpath from it carries light, and
 *        through the darkness before the next one; false if it is up while it has a path to any
 *        other port
 * @param [in,out] isUp whether the link of each port is up
 * @return the ports whose link has changed, in ascending order
 */
std::vector<uint32_t> UpdateLinkStates(const OpticalChannel& channel,
                                       bool followsPlan,
                                       std::vector<bool>& isUp);

} // namespace lightpath
} // namespace ns3

#endif /* LINK_STATES_H */
