/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_SHARING_H
#define FLOW_SHARING_H

#include "flow-network.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The links and flows that are shared together, as ProgressiveFilling sees them.
 */
class FlowNetwork::Sharing
{
  public:
    /**
     * @param network the network
     * @param now the time in seconds
     */
    Sharing(FlowNetwork& network, double now)
        : m_network(network),
          m_now(now)
    {
    }

    /**
     * @param link a link
     * @return true if one of its flows is not settled
     */
    bool IsOpen(uint32_t link) const
    {
        const auto& flows = m_network.m_links[link].flows;
        return std::any_of(flows.begin(), flows.end(), [this](auto flow) {
            return !IsSettled(flow);
        });
    }

    /**
     * @param number a link
     * @param last the level at which it was full before
     * @return the level at which it is full now; the same if they differ by rounding alone
     */
    double GetLevel(uint32_t number, double last) const
    {
        const Link& link = m_network.m_links[number];
        const double level = link.open > 0 ? link.left / link.open : last;
        return level > last * (1 + 1e-12) ? level : last;
    }

    /**
     * @param link a link, whose open flows are settled
     * @param level the level of the fair share
     */
    void SettleLink(uint32_t link, double level)
    {
        for (const auto flow : m_network.m_links[link].flows)
        {
            if (!IsSettled(flow))
            {
                SettleFlow(flow, level);
            }
        }
    }

    /**
     * @param flow a flow
     * @return true if it is settled
     */
    bool IsSettled(uint32_t flow) const
    {
        return m_network.m_flows[flow].isSettled;
    }

    /**
     * @param index a flow, which is settled
     * @param level the level of the fair share
     */
    void SettleFlow(uint32_t index, double level)
    {
        Flow& flow = m_network.m_flows[index];
        flow.isSettled = true;
        const double speed = std::min(level * flow.weight, flow.bound);
        for (const auto& use : m_network.GetLinks(flow))
        {
            Link& link = m_network.m_links[use.index];
            link.left = std::max(link.left - speed * use.bytes, 0.0);
            link.open = std::max(link.open - flow.weight * use.bytes, 0.0);
        }
        m_network.Settle(index, speed, m_now);
    }

  private:
    FlowNetwork& m_network; //!< The network
    double m_now;           //!< The time in seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* FLOW_SHARING_H */
