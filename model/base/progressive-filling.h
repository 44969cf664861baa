/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRESSIVE_FILLING_H
#define PROGRESSIVE_FILLING_H

#include <algorithm>
#include <cstddef>
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
        m_links.emplace_back(level, link);
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
        const auto isBefore = [](const Entry& a, const Entry& b) { return a.second < b.second; };
        if (!std::is_sorted(m_links.begin(), m_links.end(), isBefore))
        {
            std::sort(m_links.begin(), m_links.end(), isBefore);
        }
        // Often most links are full at a few levels: passes over all of them are then faster than a
        // queue, and in the same order
        for (uint32_t pass = 0; pass < PASSES && !m_links.empty(); ++pass)
        {
            Pass(network);
        }
        Entries links(std::greater<Entry>(), std::move(m_links));
        m_links.clear();
        while (!links.empty())
        {
            const auto [level, link] = links.top();
            SettleFlows(network, level);
            links.pop();
            if (!network.IsOpen(link))
            {
                continue;
            }
            // Flows settled on other links may have raised the level of this one, which then waits
            // for its turn again
            const Level now = network.GetLevel(link, level);
            if (now > level)
            {
                links.emplace(now, link);
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

    /// Passes over all links before a queue sorts them by level.
    static constexpr uint32_t PASSES = 4;

    /**
     * Settle the bound flows that reach their bounds before a level.
     *
     * @tparam Network the type of the network
     * @param network the network
     * @param level the level
     */
    template <typename Network>
    void SettleFlows(Network& network, Level level)
    {
        while (!m_flows.empty() &&
               (m_flows.top().first <= level || network.IsSettled(m_flows.top().second)))
        {
            if (!network.IsSettled(m_flows.top().second))
            {
                network.SettleFlow(m_flows.top().second, m_flows.top().first);
            }
            m_flows.pop();
        }
    }

    /**
     * Settle the flows of the links that are full at the lowest level.
     *
     * @tparam Network the type of the network
     * @param network the network
     */
    template <typename Network>
    void Pass(Network& network)
    {
        const Level level = std::min_element(m_links.begin(), m_links.end())->first;
        std::size_t nLeft = 0;
        for (std::size_t i = 0; i < m_links.size(); ++i)
        {
            const Entry entry = m_links[i];
            if (entry.first > level)
            {
                m_links[nLeft++] = entry;
                continue;
            }
            SettleFlows(network, level);
            if (!network.IsOpen(entry.second))
            {
                continue;
            }
            const Level now = network.GetLevel(entry.second, level);
            if (now > level)
            {
                m_links[nLeft++] = {now, entry.second};
                continue;
            }
            network.SettleLink(entry.second, level);
        }
        m_links.resize(nLeft);
    }

    std::vector<Entry> m_links; //!< The level at which each link was full when it was last seen
    Entries m_flows;            //!< The level at which each bound flow ends to rise
};

} // namespace lightpath
} // namespace ns3

#endif /* PROGRESSIVE_FILLING_H */
