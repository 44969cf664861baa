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
 * @brief Which devices of a fabric of circuits have a link that is up.
 */
class LinkStates
{
  public:
    /**
     * Bring up the links of ports that have a lit lightpath, and take down the links of ports
     * without a lightpath in the plan. Initially all are down.
     *
     * @param channel the fabric
     * @return the ports whose link has changed, in ascending order
     */
    std::vector<uint32_t> FollowPlan(const OpticalChannel& channel);

    /**
     * Bring up the links of ports that could have a lightpath, and take down all other links.
     * Initially all are up.
     *
     * @param channel the fabric
     * @return the ports whose link has changed, in ascending order
     */
    std::vector<uint32_t> FollowPaths(const OpticalChannel& channel);

    /**
     * @param port a port
     * @param atFirst the initial state of links
     * @return true if its link is up
     */
    bool IsUp(uint32_t port, bool atFirst) const;

  private:
    /**
     * @param port a port
     * @param isUp whether its link is up now
     * @param [in,out] changed the port is appended if its state changes
     */
    void Set(uint32_t port, bool isUp, std::vector<uint32_t>& changed);

    std::vector<bool> m_isUp; //!< The state by port
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_STATES_H */
