/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRESSIVE_FILLING_H
#define PROGRESSIVE_FILLING_H

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Shares links max-min fairly among flows by progressive filling (Bertsekas and Gallager,
 * Data Networks, 1992).
 *
 * All flows rise with one level. The link that is full at the lowest level settles its flows at
 * this level; what they use is taken from all of their links, and the next link follows. A flow may
 * have a level of its own beyond which it does not rise.
 *
 * The network that is filled knows links and flows by their indices and offers
 *
 * - `bool IsOpen(uint32_t link)`: whether the link has a flow that is not settled;
 * - `Level GetLevel(uint32_t link, Level last)`: the level at which an open link is full now, which
 *   was the level `last` before; settling flows never lowers it;
 * - `void SettleLink(uint32_t link, Level level)`: settle the open flows of a link;
 * - `bool IsSettled(uint32_t flow)`, `void SettleFlow(uint32_t flow, Level level)`: the same of one
 *   flow; called for flows that were bound only.
 *
 * @tparam Level the type of levels: bit/s as integers, or as floating-point numbers
 */
template <typename Level>
class ProgressiveFilling
{
  public:
    /**
     * @param link a link
     * @param level the level at which it is full if no flow is settled
     */
    void AddLink(uint32_t link, Level level)
    {
        m_links.emplace(level, link);
    }

    /**
     * @param flow a flow
     * @param level the level beyond which it does not rise
     */
    void Bind(uint32_t flow, Level level)
    {
        m_flows.emplace(level, flow);
    }

    /**
     * Settle all flows.
     *
     * @tparam Network the type of the network
     * @param network the network
     */
    template <typename Network>
    void Run(Network& network)
    {
        while (!m_links.empty())
        {
            const auto [level, link] = m_links.top();
            while (!m_flows.empty() && network.IsSettled(m_flows.top().second))
            {
                m_flows.pop();
            }
            if (!m_flows.empty() && m_flows.top().first <= level)
            {
                // This flow reaches its bound before any link is full
                network.SettleFlow(m_flows.top().second, m_flows.top().first);
                continue;
            }
            m_links.pop();
            if (!network.IsOpen(link))
            {
                continue;
            }
            // Flows settled on other links may have raised the level of this one, which then waits
            // for its turn again
            const Level now = network.GetLevel(link, level);
            if (now > level)
            {
                m_links.emplace(now, link);
                continue;
            }
            network.SettleLink(link, level);
        }
    }

  private:
    /// A level, and the link or flow that it belongs to.
    using Entry = std::pair<Level, uint32_t>;

    /// Entries, the one with the lowest level first, then the one with the lowest index.
    using Entries = std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>>;

    Entries m_links; //!< The level at which each link was full when it was last looked at
    Entries m_flows; //!< The level at which each bound flow ends to rise
};

} // namespace lightpath
} // namespace ns3

#endif /* PROGRESSIVE_FILLING_H */
