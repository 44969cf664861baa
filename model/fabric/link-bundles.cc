/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-bundles.h"

#include "link-routes.h"

#include <algorithm>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param a a number
 * @param b another number
 * @param c a third one
 * @return a number that hardly any other three numbers lead to
 */
uint64_t
Mix(uint64_t a, uint64_t b, uint64_t c)
{
    return LinkRoutes::Scramble(LinkRoutes::Scramble(LinkRoutes::Scramble(a) + b) + c);
}

} // namespace

LinkBundles::LinkBundles(const LinkGraph& graph, const LinkRoutes& routes)
    : m_members(graph.GetLinks().size())
{
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < m_members.size(); ++link)
    {
        if (!routes.HasFailed(link))
        {
            links.push_back(link);
        }
    }
    const auto colours = FindColours(graph, links);
    std::unordered_map<uint64_t, uint32_t> last; // looked up only
    for (const uint32_t index : links)
    {
        const LinkGraph::Link& link = graph.GetLinks()[index];
        const uint64_t kind = Mix(colours[link.from], colours[link.to], link.rate.GetBitRate());
        const auto [found, isFirst] = last.try_emplace(kind, index);
        if (!isFirst)
        {
            m_members[index].isFirst = false;
            m_members[found->second].next = index;
            found->second = index;
        }
    }
}

std::vector<uint64_t>
LinkBundles::FindColours(const LinkGraph& graph, const std::vector<uint32_t>& links)
{
    std::vector<uint64_t> colours(graph.GetNNodes(), 0);
    for (uint32_t port = 0; port < graph.GetNPorts(); ++port)
    {
        colours[port] = port + 1;
    }
    // Nodes are told apart by the nodes at the other ends of their links, until that finds no more
    std::size_t before = 0;
    std::size_t count = std::min(graph.GetNPorts() + 1, graph.GetNNodes());
    while (before < count && count < graph.GetNNodes())
    {
        std::vector<uint64_t> next(colours);
        for (const uint32_t index : links)
        {
            const LinkGraph::Link& link = graph.GetLinks()[index];
            next[link.from] += Mix(colours[link.to], link.rate.GetBitRate(), 0);
            next[link.to] += Mix(colours[link.from], link.rate.GetBitRate(), 1);
        }
        std::transform(next.begin(), next.end(), colours.begin(), LinkRoutes::Scramble);
        before = count;
        std::sort(next.begin(), next.end());
        count = std::unique(next.begin(), next.end()) - next.begin();
    }
    return colours;
}

void
LinkBundles::Fold(std::vector<LinkSharing::Use>& uses) const
{
    uses.erase(std::remove_if(uses.begin(),
                              uses.end(),
                              [this](const auto& use) { return !m_members[use.link].isFirst; }),
               uses.end());
}

std::vector<LinkSharing::Use>
LinkBundles::Unfold(const std::vector<LinkSharing::Use>& uses) const
{
    std::vector<LinkSharing::Use> all;
    for (const auto& use : uses)
    {
        for (uint32_t link = use.link; link != UINT32_MAX; link = m_members[link].next)
        {
            all.push_back({link, use.part});
        }
    }
    return all;
}

} // namespace lightpath
} // namespace ns3
