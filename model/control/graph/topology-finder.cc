/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-finder.h"

#include "model/collective/multi-ring-schedule.h"
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
     * @param degree the links from each port
     */
    Wiring(uint32_t nPorts, uint32_t degree)
        : m_left(nPorts, degree),
          m_roots(nPorts)
    {
        std::iota(m_roots.begin(), m_roots.end(), 0);
    }

    /**
     * Add the links of a ring.
     *
     * @param members its ports
     * @param stride the distance from a member to the next one
     */
    void AddRing(const std::vector<uint32_t>& members, uint32_t stride)
    {
        const std::size_t size = members.size();
        for (std::size_t i = 0; size > 1 && i < size; ++i)
        {
            AddLink(members[i], members[(i + stride) % size]);
        }
    }

    /**
     * @param from a port
     * @param to another port
     */
    void AddLink(uint32_t from, uint32_t to)
    {
        --m_left.at(from);
        ++m_links[{from, to}];
        m_roots[FindRoot(from)] = FindRoot(to);
    }

    /**
     * Add a matching of the largest weight.
     *
     * @param weights what each pair of ports sends, the lower port first
     * @return whether there is an edge
     */
    bool AddMatching(const std::map<std::pair<uint32_t, uint32_t>, double>& weights)
    {
        const auto nPorts = static_cast<uint32_t>(m_roots.size());
        // The solver counts in whole numbers, of limited size
        const double most = std::ldexp(1, 58) / nPorts;
        double largest = 0;
        for (const auto& [pair, weight] : weights)
        {
            largest = std::max(largest, weight);
        }
        std::vector<WeightedEdge> edges;
        for (const auto& [pair, weight] : weights)
        {
            const double share = weight / (1 + m_matched[pair]) / largest;
            edges.push_back({pair.first, pair.second, std::llround(share * most)});
        }
        const auto chosen = FindMaxWeightMatching(nPorts, edges);
        for (const auto index : chosen)
        {
            const auto& edge = edges[index];
            ++m_matched[{edge.first, edge.second}];
            AddLink(edge.first, edge.second);
            AddLink(edge.second, edge.first);
        }
        return !chosen.empty();
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
     * @param degree the links from each port
     * @param rate the rate of a link
     * @param delay the delay of a link
     * @param [out] topology the network, which gets its links
     */
    void Finish(uint32_t degree, DataRate rate, Time delay, Topology& topology) const
    {
        topology.graph = LinkGraph(static_cast<uint32_t>(m_left.size()));
        topology.graph.SetPortsForward(true);
        for (const auto& [ends, count] : m_links)
        {
            topology.graph.AddLink(ends.first,
                                   ends.second,
                                   DataRate(count * rate.GetBitRate()),
                                   delay);
        }
        for (const auto left : m_left)
        {
            topology.degree.push_back(degree - left);
        }
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

    std::vector<uint32_t> m_left;  //!< Links that each port has left
    std::vector<uint32_t> m_roots; //!< Of each port, one that it is joined with
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_links;   //!< Links by their ends
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_matched; //!< Links of matchings by pair
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

uint32_t
TopologyFinder::GetSumDegree(double sums, double others) const
{
    if (!(others > 0))
    {
        return m_degree;
    }
    // One value above a whole number by rounding alone counts as that number
    constexpr double rounding = 1e-9;
    const double share = m_degree * (sums / (sums + others));
    return std::max<uint32_t>(static_cast<uint32_t>(std::ceil(share - rounding)), 1);
}

TopologyFinder::Topology
TopologyFinder::FindForAll(uint32_t nPorts) const
{
    SummedDemand demand;
    demand.sums.emplace_back();
    demand.sums.front().bytes = 1;
    demand.sums.front().groups = {ListPorts(nPorts)};
    demand.others = TrafficMatrix(nPorts);
    return Find(nPorts, demand);
}

TopologyFinder::Topology
TopologyFinder::Find(uint32_t nPorts, const SummedDemand& demand) const
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
    Topology topology;
    if (!Build(nPorts, demand, false, topology))
    {
        Build(nPorts, demand, true, topology);
    }
    return topology;
}

bool
TopologyFinder::Build(uint32_t nPorts,
                      const SummedDemand& demand,
                      bool hasCommonRing,
                      Topology& topology) const
{
    topology = Topology();
    topology.hasCommonRing = hasCommonRing;
    topology.rings.assign(demand.sums.size(), 0);
    Wiring wiring(nPorts, m_degree);
    if (hasCommonRing)
    {
        wiring.AddRing(ListPorts(nPorts), 1);
    }
    if (!hasCommonRing || m_degree > 1)
    {
        TopologyFinder(m_degree - (hasCommonRing ? 1 : 0), m_rate, m_delay)
            .Serve(demand, wiring, topology);
    }
    wiring.Finish(m_degree, m_rate, m_delay, topology);
    return wiring.IsJoined();
}

void
TopologyFinder::Serve(const SummedDemand& demand, Wiring& wiring, Topology& topology) const
{
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
    const uint32_t sumDegree = GetSumDegree(all, static_cast<double>(demand.others.GetTotal()));
    uint32_t left = sumDegree;
    for (const auto kind : order)
    {
        const auto& sums = demand.sums[kind];
        constexpr double rounding = 1e-9;
        const double share = std::ceil(sumDegree * (sums.bytes / all) - rounding);
        const uint32_t rings = std::min(left, static_cast<uint32_t>(share));
        left -= rings;
        topology.rings[kind] = rings;
        for (const auto& group : sums.groups)
        {
            const auto strides =
                MultiRingSchedule::GetStrides(static_cast<uint32_t>(group.size()), rings);
            for (uint32_t ring = 0; ring < rings; ++ring)
            {
                wiring.AddRing(group, strides[ring % strides.size()]);
            }
        }
    }
    std::map<std::pair<uint32_t, uint32_t>, double> weights;
    for (uint32_t source = 0; source < demand.others.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.others.GetRow(source))
        {
            weights[std::minmax(source, destination)] += static_cast<double>(bytes);
        }
    }
    // Links that no sum has taken serve other messages
    const uint32_t matchings = all > 0 ? m_degree - sumDegree : m_degree;
    while (topology.matchings < matchings && !weights.empty() && wiring.AddMatching(weights))
    {
        ++topology.matchings;
    }
}

} // namespace lightpath
} // namespace ns3
