/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_FINDER_H
#define TOPOLOGY_FINDER_H

#include "summed-demand.h"

#include "ns3/data-rate.h"
#include "ns3/link-graph.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the network of links between ports that suits a demand (TopologyFinder of Wang et
 * al., "TopoOpt", NSDI 2023).
 *
 * A port has d transmitters and d receivers, each for one link. They are split in proportion to the
 * bytes of sums and of other messages, with d_A = max(1, ceil(d sums / (sums + others))) for sums:
 *
 * 1. Each kind of group that sums, in descending order of bytes, has ceil(d_A bytes / sums) rings,
 *    as long as there are links. Their strides are those of MultiRingSchedule::GetStrides(), so
 *    that a multi-ring sum has a link for each of its messages. Further rings repeat strides.
 * 2. The other d - d_A links come from matchings of the largest weight, one after the other, whose
 *    edges are links both ways. The weight of a pair is what it sends both ways, divided by one
 *    more than the links that it has from earlier matchings.
 *
 * If this leaves ports apart, a ring of all ports takes the first link, and the demand the other
 * d - 1. Links between the same two ports become one with the sum of their rates. Ports forward:
 * messages without a link of their own take the fewest links, on a ring the least number of strides
 * that add up to the distance.
 */
class TopologyFinder
{
  public:
    /// A network, and how it came about.
    struct Topology
    {
        LinkGraph graph;              //!< The network
        std::vector<uint32_t> rings;  //!< Rings of each kind of sums of the demand
        uint32_t matchings{0};        //!< Matchings for other messages
        bool hasCommonRing{false};    //!< Whether one link of each port is for a ring of all
        std::vector<uint32_t> degree; //!< Links from each port
    };

    /**
     * @param degree the links d from each port, and to it; std::invalid_argument if it is 0
     * @param rate the rate of a link
     * @param delay the delay of a link
     */
    TopologyFinder(uint32_t degree, DataRate rate, Time delay);

    /**
     * @param nPorts the number of ports, which may be 1
     * @param demand the demand between them; std::invalid_argument if it names other ports
     * @return the network
     */
    Topology Find(uint32_t nPorts, const SummedDemand& demand) const;

    /**
     * @param nPorts the number of ports
     * @return the network if all ports sum together, and send nothing else
     */
    Topology FindForAll(uint32_t nPorts) const;

    /**
     * @param sums the bytes of sums
     * @param others the bytes of other messages
     * @return the links d_A of a port that are for sums
     */
    uint32_t GetSumDegree(double sums, double others) const;

  private:
    class Wiring;

    /**
     * @param nPorts the number of ports
     * @param demand the demand between them
     * @param hasCommonRing whether a ring of all ports takes the first links
     * @param [out] topology the network
     * @return true if links lead from each port to each other
     */
    bool Build(uint32_t nPorts,
               const SummedDemand& demand,
               bool hasCommonRing,
               Topology& topology) const;

    /**
     * Add rings and matchings.
     *
     * @param demand the demand
     * @param [in,out] wiring the links so far
     * @param [out] topology the network, which gets its numbers of rings and matchings
     */
    void Serve(const SummedDemand& demand, Wiring& wiring, Topology& topology) const;

    uint32_t m_degree; //!< Links from each port
    DataRate m_rate;   //!< Rate of a link
    Time m_delay;      //!< Delay of a link
};

} // namespace lightpath
} // namespace ns3

#endif /* TOPOLOGY_FINDER_H */
