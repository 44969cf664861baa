/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_FINDER_H
#define TOPOLOGY_FINDER_H

#include "link-split.h"
#include "summed-demand.h"

#include "ns3/data-rate.h"
#include "ns3/link-graph.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the networks of links between ports that suit a demand (TopologyFinder of Wang et
 * al., "TopoOpt", NSDI 2023).
 *
 * A port has d transmitters and d receivers, each for one link. A LinkSplit splits them:
 *
 * 1. Rings of all ports.
 * 2. Rings of the groups that sum. Each kind of group, in descending order of bytes, has the share
 *    of these links that it has of the bytes of all sums, rounded up, as long as there are links.
 * 3. Matchings of the largest weight, one after the other, whose edges are links both ways. The
 *    weight of a pair is what it sends both ways, divided by one more than the links that it has
 *    from earlier matchings.
 *
 * The strides of rings are those of MultiRingSchedule::GetStrides(), so that a multi-ring sum has a
 * link for each of its messages. Further rings repeat strides.
 *
 * Links between the same two ports become one with the sum of their rates. Ports forward: messages
 * without a link of their own take the fewest links, on a ring the least number of strides that add
 * up to the distance.
 */
class TopologyFinder
{
  public:
    /// The most parts that the links of a port are split into. Of more links, several go together.
    static constexpr uint32_t MOST_PARTS = 8;

    /// A network, and how it came about.
    struct Topology
    {
        LinkSplit split;             //!< How the links of a port are split
        LinkGraph graph;             //!< The network
        std::vector<uint32_t> rings; //!< Rings of each kind of sums of the demand
    };

    /**
     * @param degree the links d from each port, and to it; std::invalid_argument if it is 0
     * @param rate the rate of a link
     * @param delay the delay of a link
     */
    TopologyFinder(uint32_t degree, DataRate rate, Time delay);

    /**
     * Find a network for each split of the links that serves all of the demand: rings of groups if
     * there are sums, matchings if there are other messages. Networks that leave ports apart, and
     * rings of all ports that are those of the only group that sums, are left out. The network of
     * rings of all ports alone comes first, unless it is left out.
     *
     * @param nPorts the number of ports, which may be 1
     * @param demand the demand between them; std::invalid_argument if it names other ports
     * @return the networks, at least one
     */
    std::vector<Topology> FindAll(uint32_t nPorts, const SummedDemand& demand) const;

    /**
     * @param nPorts the number of ports, which may be 1
     * @param demand the demand between them; std::invalid_argument if it names other ports
     * @param split the links for each purpose, d in all; std::invalid_argument for another number
     * @return the network, which may leave ports apart
     */
    Topology Find(uint32_t nPorts, const SummedDemand& demand, const LinkSplit& split) const;

    /**
     * @param nPorts the number of ports
     * @return the network if all links are for rings of all ports
     */
    Topology FindForAll(uint32_t nPorts) const;

  private:
    class Wiring;

    /// Pairs of ports, the lower port first.
    using Matching = std::vector<std::pair<uint32_t, uint32_t>>;

    /**
     * @param others the bytes of messages, by source and destination port
     * @param count the number of matchings wanted
     * @return matchings, one after the other; none without messages
     */
    static std::vector<Matching> FindMatchings(const TrafficMatrix& others, uint32_t count);

    /**
     * @param nPorts the number of ports
     * @param demand the demand between them
     * @param matchings matchings for other messages, of which the first are used
     * @param [in,out] topology the network, which has a split
     * @return true if links lead from each port to each other
     */
    bool Build(uint32_t nPorts,
               const SummedDemand& demand,
               const std::vector<Matching>& matchings,
               Topology& topology) const;

    uint32_t m_degree; //!< Links from each port
    DataRate m_rate;   //!< Rate of a link
    Time m_delay;      //!< Delay of a link
};

} // namespace lightpath
} // namespace ns3

#endif /* TOPOLOGY_FINDER_H */
