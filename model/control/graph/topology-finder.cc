/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-finder.h"

#include "model/base/ring-strides.h"
#include "model/control/graph-solvers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param nPorts the number of ports
 * @return all ports
 */
std::vector<uint32_t>
ListPorts(uint32_t nPorts)
{
    std::vector<uint32_t> ports(nPorts);
    std::iota(ports.begin(), ports.end(), 0);
    return ports;
}

/**
 * Refuse, by std::invalid_argument, a demand that names other ports.
 *
 * @param nPorts the number of ports
 * @param demand the demand
 */
void
CheckDemand(uint32_t nPorts, const SummedDemand& demand)
{
    for (const auto& sums : demand.sums)
    {
        std::vector<bool> isMember(nPorts, false);
        for (const auto& group : sums.groups)
        {
            for (const auto port : group)
            {
                if (port >= nPorts || isMember[port])
                {
                    throw std::invalid_argument(
                        "Port " + std::to_string(port) +
                        (port >= nPorts
                             ? " sums, but the network has " + std::to_string(nPorts) + " ports"
                             : " is in two groups that sum alike, and can be in one"));
                }
                isMember[port] = true;
            }
        }
    }
    if (demand.others.GetSize() != nPorts)
    {
        throw std::invalid_argument("A demand of " + std::to_string(demand.others.GetSize()) +
                                    " ports is none of a network of " + std::to_string(nPorts));
    }
}

} // namespace

/**
 * @ingroup lightpath
 * @brief The links that a network has so far.
 */
class TopologyFinder::Wiring
{
  public:
    /**
     * @param nPorts the number of ports
     */
    explicit Wiring(uint32_t nPorts)
        : m_roots(ListPorts(nPorts))
    {
    }

    /**
     * Add the links of rings.
     *
     * @param members their ports
     * @param rings the number of rings
     */
    void AddRings(const std::vector<uint32_t>& members, uint32_t rings)
    {
        const auto size = static_cast<uint32_t>(members.size());
        const auto strides = RingStrides::Choose(size, rings);
        for (uint32_t ring = 0; size > 1 && ring < rings; ++ring)
        {
            for (uint32_t i = 0; i < size; ++i)
            {
                AddLink(members[i], members[(i + strides[ring % strides.size()]) % size]);
            }
        }
    }

    /**
     * @param from a port
     * @param to another port
     */
    void AddLink(uint32_t from, uint32_t to)
    {
        ++m_links[{from, to}];
        m_roots[FindRoot(from)] = FindRoot(to);
    }

    /**
     * @return true if links lead from each port to each other; links come in rings and pairs, so
     *         that direction does not matter
     */
    bool IsJoined()
    {
        const uint32_t root = m_roots.empty() ? 0 : FindRoot(0);
        for (uint32_t port = 0; port < m_roots.size(); ++port)
        {
            if (FindRoot(port) != root)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * @param rate the rate of a link
     * @param delay the delay of a link
     * @return the network
     */
    LinkGraph Finish(DataRate rate, Time delay) const
    {
        LinkGraph graph(static_cast<uint32_t>(m_roots.size()));
        graph.SetPortsForward(true);
        for (const auto& [ends, count] : m_links)
        {
            graph.AddLink(ends.first, ends.second, DataRate(count * rate.GetBitRate()), delay);
        }
        return graph;
    }

  private:
    /**
     * @param port a port
     * @return the port that stands for all that it is joined with
     */
    uint32_t FindRoot(uint32_t port)
    {
        while (m_roots[port] != port)
        {
            m_roots[port] = m_roots[m_roots[port]];
            port = m_roots[port];
        }
        return port;
    }

    std::vector<uint32_t> m_roots; //!< Of each port, one that it is joined with
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_links; //!< Links by their ends
};

TopologyFinder::TopologyFinder(uint32_t degree, DataRate rate, Time delay)
    : m_degree(degree),
      m_rate(rate),
      m_delay(delay)
{
    if (degree == 0)
    {
        throw std::invalid_argument("A network needs at least 1 link from each port, not 0");
    }
}

std::vector<TopologyFinder::Topology>
TopologyFinder::FindAll(uint32_t nPorts, const SummedDemand& demand) const
{
    CheckDemand(nPorts, demand);
    const auto matchings = FindMatchings(demand.others, m_degree);
    bool hasSums = false;
    bool isOneGroup = true;
    const auto all = ListPorts(nPorts);
    for (const auto& sums : demand.sums)
    {
        hasSums = hasSums || sums.bytes > 0;
        isOneGroup = isOneGroup && (!(sums.bytes > 0) || sums.groups.front() == all);
    }
    const uint32_t parts = std::min(m_degree, MOST_PARTS);
    const auto getLinks = [&](uint32_t part) { return part * m_degree / parts; };
    std::vector<Topology> topologies;
    for (uint32_t first = parts + 1; first-- > 0;)
    {
        for (uint32_t second = parts + 1; second-- > first;)
        {
            Topology topology;
            topology.split.common = getLinks(first);
            topology.split.sums = getLinks(second) - getLinks(first);
            topology.split.others = m_degree - getLinks(second);
            const auto& split = topology.split;
            if ((split.common > 0 && hasSums && isOneGroup) || (split.sums > 0 && !hasSums) ||
                (split.others > 0 && matchings.empty()))
            {
                continue;
            }
            if (Build(nPorts, demand, matchings, topology))
            {
                topologies.push_back(std::move(topology));
            }
        }
    }
    return topologies;
}

TopologyFinder::Topology
TopologyFinder::Find(uint32_t nPorts, const SummedDemand& demand, const LinkSplit& split) const
{
    CheckDemand(nPorts, demand);
    if (split.GetTotal() != m_degree)
    {
        throw std::invalid_argument("A split of " + std::to_string(split.GetTotal()) +
                                    " links is none of a port that has " +
                                    std::to_string(m_degree));
    }
    Topology topology;
    topology.split = split;
    Build(nPorts, demand, FindMatchings(demand.others, split.others), topology);
    return topology;
}

TopologyFinder::Topology
TopologyFinder::FindForAll(uint32_t nPorts) const
{
    return Find(nPorts, {{}, TrafficMatrix(nPorts)}, {m_degree, 0, 0});
}

std::vector<TopologyFinder::Matching>
TopologyFinder::FindMatchings(const TrafficMatrix& others, uint32_t count)
{
    std::map<std::pair<uint32_t, uint32_t>, double> weights;
    for (uint32_t source = 0; source < others.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : others.GetRow(source))
        {
            weights[std::minmax(source, destination)] += static_cast<double>(bytes);
        }
    }
    double largest = 0;
    for (const auto& [pair, weight] : weights)
    {
        largest = std::max(largest, weight);
    }
    // The solver counts in whole numbers, of limited size
    const double most = std::ldexp(1, 58) / others.GetSize();
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> matched;
    std::vector<Matching> matchings;
    while (largest > 0 && matchings.size() < count)
    {
        std::vector<WeightedEdge> edges;
        for (const auto& [pair, weight] : weights)
        {
            const double share = weight / (1 + matched[pair]) / largest;
            edges.push_back({pair.first, pair.second, std::llround(share * most)});
        }
        matchings.emplace_back();
        for (const auto index : FindMaxWeightMatching(others.GetSize(), edges))
        {
            matchings.back().emplace_back(edges[index].first, edges[index].second);
            ++matched[matchings.back().back()];
        }
    }
    return matchings;
}

bool
TopologyFinder::Build(uint32_t nPorts,
                      const SummedDemand& demand,
                      const std::vector<Matching>& matchings,
                      Topology& topology) const
{
    Wiring wiring(nPorts);
    wiring.AddRings(ListPorts(nPorts), topology.split.common);
    double all = 0;
    std::vector<uint32_t> order;
    for (uint32_t kind = 0; kind < demand.sums.size(); ++kind)
    {
        all += demand.sums[kind].bytes;
        if (demand.sums[kind].bytes > 0)
        {
            order.push_back(kind);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&demand](uint32_t a, uint32_t b) {
        return demand.sums[a].bytes > demand.sums[b].bytes;
    });
    topology.rings.assign(demand.sums.size(), 0);
    uint32_t left = topology.split.sums;
    for (const auto kind : order)
    {
        const auto& sums = demand.sums[kind];
        // One value above a whole number by rounding alone counts as that number
        constexpr double rounding = 1e-9;
        const double share = std::ceil(topology.split.sums * (sums.bytes / all) - rounding);
        const uint32_t rings = std::min(left, static_cast<uint32_t>(share));
        left -= rings;
        topology.rings[kind] = rings;
        for (const auto& group : sums.groups)
        {
            wiring.AddRings(group, rings);
        }
    }
    for (uint32_t i = 0; i < std::min<std::size_t>(topology.split.others, matchings.size()); ++i)
    {
        for (const auto& [first, second] : matchings[i])
        {
            wiring.AddLink(first, second);
            wiring.AddLink(second, first);
        }
    }
    topology.graph = wiring.Finish(m_rate, m_delay);
    return wiring.IsJoined();
}

} // namespace lightpath
} // namespace ns3
