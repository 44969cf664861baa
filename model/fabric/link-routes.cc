/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-routes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param seed the seed of the hash
 * @param source a port
 * @param destination another port
 * @return the hash of the pair
 */
uint64_t
HashPair(uint32_t seed, uint32_t source, uint32_t destination)
{
    return LinkRoutes::Scramble(LinkRoutes::Scramble(seed) ^
                                (uint64_t{source} << 32 | destination));
}

/**
 * @param share a part of a flow
 * @return the part in the units of LinkSharing
 */
uint32_t
GetUnits(double share)
{
    // Each route has a part, however small
    constexpr double least = 1;
    return static_cast<uint32_t>(std::max(std::round(share * LinkSharing::WHOLE), least));
}

} // namespace

LinkRoutes::LinkRoutes(const LinkGraph& graph)
    : m_graph(graph),
      m_out(graph.GetNNodes()),
      m_in(graph.GetNNodes()),
      m_nodeFailed(graph.GetNNodes(), false),
      m_linkFailed(graph.GetLinks().size(), false),
      m_distances(graph.GetNPorts()),
      m_near(graph.GetNNodes(), FAR),
      m_far(graph.GetNNodes(), FAR),
      m_places(graph.GetNNodes())
{
    for (uint32_t link = 0; link < graph.GetLinks().size(); ++link)
    {
        m_out[graph.GetLinks()[link].from].push_back(link);
        m_in[graph.GetLinks()[link].to].push_back(link);
    }
}

void
LinkRoutes::SetFailed(const std::string& component, bool failed)
{
    const auto set = [this](const LinkGraph::Component& some, bool isFailed) {
        for (const uint32_t node : some.nodes)
        {
            m_nodeFailed[node] = isFailed;
        }
        for (const auto& [a, b] : some.links)
        {
            SetLinkFailed(a, b, isFailed);
        }
    };
    const LinkGraph::Component changed = m_graph.FindComponent(component);
    set(changed, failed);
    // A link may pass a circuit switch that still fails
    m_failed.erase(changed.name);
    if (failed)
    {
        m_failed.insert(changed.name);
    }
    for (const auto& other : m_failed)
    {
        set(m_graph.FindComponent(other), true);
    }
    m_distances.assign(m_distances.size(), {});
}

bool
LinkRoutes::HasFailed(uint32_t link) const
{
    const LinkGraph::Link& ends = m_graph.GetLinks()[link];
    return m_linkFailed[link] || m_nodeFailed[ends.from] || m_nodeFailed[ends.to];
}

void
LinkRoutes::SetLinkFailed(uint32_t a, uint32_t b, bool failed)
{
    for (const auto& [from, to] : {std::make_pair(a, b), std::make_pair(b, a)})
    {
        for (const uint32_t link : m_out[from])
        {
            if (m_graph.GetLinks()[link].to == to)
            {
                m_linkFailed[link] = failed;
            }
        }
    }
}

bool
LinkRoutes::HasFailures() const
{
    return !m_failed.empty();
}

const std::vector<uint16_t>&
LinkRoutes::GetDistances(uint32_t destination)
{
    std::vector<uint16_t>& distances = m_distances[destination];
    if (!distances.empty())
    {
        return distances;
    }
    distances.assign(m_graph.GetNNodes(), FAR);
    distances[destination] = 0;
    // Breadth-first search against the direction of the links
    std::vector<uint32_t> nodes{destination};
    for (std::size_t next = 0; next < nodes.size() && !m_nodeFailed[destination]; ++next)
    {
        for (const uint32_t link : m_in[nodes[next]])
        {
            const uint32_t from = m_graph.GetLinks()[link].from;
            if (m_linkFailed[link] || m_nodeFailed[from] || distances[from] != FAR)
            {
                continue;
            }
            distances[from] = distances[nodes[next]] + 1;
            if (from >= m_graph.GetNPorts() || m_graph.PortsForward())
            {
                nodes.push_back(from);
            }
        }
    }
    return distances;
}

bool
LinkRoutes::Meet(uint32_t source, uint32_t destination)
{
    for (Front* front : {&m_forward, &m_backward})
    {
        for (const uint32_t node : front->nodes)
        {
            m_near[node] = FAR;
            m_far[node] = FAR;
        }
        *front = Front();
    }
    if (m_nodeFailed[source] || m_nodeFailed[destination])
    {
        return false;
    }
    m_forward.Begin(source, m_out[source].size());
    m_far[source] = 0;
    m_backward.Begin(destination, m_in[destination].size());
    m_near[destination] = 0;
    // The side with fewer links to look at goes on, until a whole level of it has been reached
    for (bool hasMet = source == destination; !hasMet;)
    {
        const bool isForward = m_forward.nLinks <= m_backward.nLinks;
        hasMet = Advance(isForward, source, destination);
        if ((isForward ? m_forward : m_backward).IsAtEnd())
        {
            return hasMet;
        }
    }
    // The nodes on the way to where both sides met, from there to the source
    const auto levels = static_cast<uint32_t>(m_forward.levels.size());
    for (uint32_t level = levels; level-- > 1;)
    {
        const uint32_t end = m_forward.levels[level];
        for (uint32_t i = m_forward.levels[level - 1]; i < end; ++i)
        {
            const uint32_t node = m_forward.nodes[i];
            const auto distance =
                static_cast<uint16_t>(m_backward.levels.size() - 1 + levels - level);
            for (const uint32_t link : m_out[node])
            {
                const uint32_t to = m_graph.GetLinks()[link].to;
                if (!m_linkFailed[link] && m_near[to] == distance - 1 && m_near[node] == FAR)
                {
                    m_near[node] = distance;
                }
            }
        }
    }
    return true;
}

bool
LinkRoutes::Advance(bool isForward, uint32_t source, uint32_t destination)
{
    Front& front = isForward ? m_forward : m_backward;
    auto& own = isForward ? m_far : m_near;
    const auto& other = isForward ? m_near : m_far;
    const auto& links = isForward ? m_out : m_in;
    const auto distance = static_cast<uint16_t>(front.levels.size());
    const auto end = static_cast<uint32_t>(front.nodes.size());
    bool hasMet = false;
    front.nLinks = 0;
    for (uint32_t i = front.levels.back(); i < end; ++i)
    {
        for (const uint32_t link : links[front.nodes[i]])
        {
            const auto& ends = m_graph.GetLinks()[link];
            const uint32_t node = isForward ? ends.to : ends.from;
            const bool leadsOn = node >= m_graph.GetNPorts() || m_graph.PortsForward() ||
                                 node == source || node == destination;
            if (m_linkFailed[link] || m_nodeFailed[node] || own[node] != FAR || !leadsOn)
            {
                continue;
            }
            own[node] = distance;
            hasMet = hasMet || other[node] != FAR;
            front.nodes.push_back(node);
            front.nLinks += links[node].size();
        }
    }
    front.levels.push_back(end);
    return hasMet;
}

const std::vector<uint32_t>&
LinkRoutes::GetNear(uint32_t node)
{
    const uint16_t distance = m_near[node];
    const auto& levels = m_backward.levels;
    const bool isKnown = distance > 0 && distance < levels.size();
    const uint32_t first = isKnown ? levels[distance - 1] : 0;
    const uint32_t last = isKnown ? levels[distance] : 0;
    std::size_t nLinks = 0;
    for (uint32_t i = first; i < last && nLinks < m_out[node].size(); ++i)
    {
        nLinks += m_in[m_backward.nodes[i]].size();
    }
    if (!isKnown || nLinks >= m_out[node].size())
    {
        return GetNext(node, m_near);
    }
    // A switch has more links than its neighbours that are nearer
    m_next.clear();
    for (uint32_t i = first; i < last; ++i)
    {
        for (const uint32_t link : m_in[m_backward.nodes[i]])
        {
            if (m_graph.GetLinks()[link].from == node && !m_linkFailed[link])
            {
                m_next.push_back(link);
            }
        }
    }
    std::sort(m_next.begin(), m_next.end());
    return m_next;
}

const std::vector<uint32_t>&
LinkRoutes::GetNext(uint32_t node, const std::vector<uint16_t>& distances)
{
    m_next.clear();
    for (const uint32_t link : m_out[node])
    {
        const uint32_t to = m_graph.GetLinks()[link].to;
        const bool forwards =
            to >= m_graph.GetNPorts() || m_graph.PortsForward() || distances[to] == 0;
        if (!m_linkFailed[link] && forwards && distances[to] != FAR &&
            distances[to] + 1 == distances[node])
        {
            m_next.push_back(link);
        }
    }
    return m_next;
}

bool
LinkRoutes::HasPath(uint32_t source, uint32_t destination)
{
    return Meet(source, destination);
}

std::vector<uint32_t>
LinkRoutes::GetLinks(uint32_t node, uint32_t destination)
{
    const auto& distances = GetDistances(destination);
    return distances[node] == FAR ? std::vector<uint32_t>() : GetNext(node, distances);
}

bool
LinkRoutes::HasLink(uint32_t port) const
{
    return std::any_of(m_out[port].begin(), m_out[port].end(), [this](uint32_t link) {
        return !m_linkFailed[link] && !m_nodeFailed[m_graph.GetLinks()[link].to];
    });
}

Time
LinkRoutes::Hash(uint32_t source, uint32_t destination, uint32_t seed, uint32_t nPaths, Uses& uses)
{
    uses.clear();
    const auto& distances = GetDistances(destination);
    if (distances[source] == FAR)
    {
        return Time(0);
    }
    Time longest;
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t path = 0; path < nPaths; ++path)
    {
        const uint64_t hash = Scramble(HashPair(seed, source, destination) + path);
        Time delay;
        for (uint32_t node = source; node != destination;)
        {
            const auto& next = GetNext(node, distances);
            const uint32_t link = next[Scramble(hash ^ node) % next.size()];
            ++counts[link];
            delay += m_graph.GetLinks()[link].delay;
            node = m_graph.GetLinks()[link].to;
        }
        longest = std::max(longest, delay);
    }
    for (const auto& [link, count] : counts)
    {
        uses.push_back({link, GetUnits(static_cast<double>(count) / nPaths)});
    }
    return longest;
}

template <typename GET_NEXT>
void
LinkRoutes::FindNodes(uint32_t source, GET_NEXT getNext)
{
    m_nodes.assign(1, source);
    m_places[source] = Place();
    // Breadth-first: all links lead one step nearer
    for (std::size_t index = 0; index < m_nodes.size(); ++index)
    {
        for (const uint32_t link : getNext(m_nodes[index]))
        {
            const uint32_t to = m_graph.GetLinks()[link].to;
            if (!m_places[to].isFound)
            {
                m_places[to] = Place();
                m_places[to].isFound = true;
                m_nodes.push_back(to);
            }
        }
    }
    for (const uint32_t node : m_nodes)
    {
        m_places[node].isFound = false;
    }
}

Time
LinkRoutes::Spray(uint32_t source, uint32_t destination, Uses& uses)
{
    uses.clear();
    if (!Meet(source, destination))
    {
        return Time(0);
    }
    FindNodes(source, [this](uint32_t node) -> const auto& { return GetNear(node); });
    const auto& links = m_graph.GetLinks();
    m_places[destination].count = 1;
    for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node)
    {
        for (const uint32_t link : GetNear(*node))
        {
            Place& place = m_places[*node];
            const Place& next = m_places[links[link].to];
            place.count += next.count;
            place.delay = std::max(place.delay, links[link].delay + next.delay);
        }
    }
    m_places[source].part = 1;
    for (const uint32_t node : m_nodes)
    {
        for (const uint32_t link : GetNear(node))
        {
            Place& next = m_places[links[link].to];
            const double part = m_places[node].part * next.count / m_places[node].count;
            next.part += part;
            uses.push_back({link, GetUnits(part)});
        }
    }
    return m_places[source].delay;
}

Time
LinkRoutes::Adapt(uint32_t source,
                  uint32_t destination,
                  uint32_t seed,
                  const LinkSharing& sharing,
                  Uses& uses)
{
    uses.clear();
    const auto& distances = GetDistances(destination);
    if (distances[source] == FAR)
    {
        return Time(0);
    }
    FindNodes(source, [&](uint32_t node) -> const auto& { return GetNext(node, distances); });
    const auto& links = m_graph.GetLinks();
    const uint64_t hash = HashPair(seed, source, destination);
    for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node)
    {
        std::tuple<double, double, uint64_t> best;
        for (const uint32_t link : GetNext(*node, distances))
        {
            const Place& next = m_places[links[link].to];
            const double load = sharing.GetLoad(link);
            const auto value =
                std::make_tuple(std::max(load, next.most), load + next.sum, Scramble(hash ^ link));
            Place& place = m_places[*node];
            if (place.best == NONE || value < best)
            {
                best = value;
                place.best = link;
                place.most = std::get<0>(value);
                place.sum = std::get<1>(value);
                place.delay = links[link].delay + next.delay;
            }
        }
    }
    for (uint32_t node = source; node != destination; node = links[m_places[node].best].to)
    {
        uses.push_back({m_places[node].best});
    }
    return m_places[source].delay;
}

} // namespace lightpath
} // namespace ns3
