/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_ARRANGEMENT_H
#define PORT_ARRANGEMENT_H

#include "model/planner/price/grid-ways.h"

#include "ns3/planning-problem.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An arrangement of ranks on the ports of a fabric, and how it loads the links.
 *
 * On a ring the links are the segments. The bytes of a pair load each segment of its shorter arc in
 * their direction; arcs of equal length take half of them each. On a grid, a port has a link to its
 * row and one to its column in each direction; a pair that shares neither loads those of its
 * corner, too. Elsewhere a port has links to all others. Where ranks stand in servers, these are
 * the links of the ports that GPUs share, on each rail, and each GPU has links inside its server,
 * which messages to another rail take as well. Bytes on links of different rates count in
 * proportion to the time that they take.
 *
 * Of two arrangements the better one has fewer segments of lightpaths beyond the reach of the ring;
 * where these are equal, the smaller load on the fullest link; then the smaller sum of squares of
 * all loads, which prefers short arcs and even loads; then the shorter longest lightpath; then the
 * smaller sum of squares of the lengths of all of them.
 */
class PortArrangement
{
  public:
    /// How good an arrangement is; less is better.
    struct Load
    {
        uint64_t beyond{0};  //!< Segments of lightpaths beyond the reach, over all pairs
        uint64_t most{0};    //!< On the fullest link, in units of half a quantum
        uint64_t squares{0}; //!< Sum of the squares of the loads of all links
        uint32_t longest{0}; //!< Segments of the longest lightpath; 0 off a ring
        uint64_t lengths{0}; //!< Sum of the squares of the segments of all lightpaths

        /**
         * @param other the load compared with
         * @return true if this one is better
         */
        bool operator<(const Load& other) const
        {
            const auto tie = [](const Load& l) {
                return std::tie(l.beyond, l.most, l.squares, l.longest, l.lengths);
            };
            return tie(*this) < tie(other);
        }
    };

    /**
     * @param traffic the bytes by source and destination rank; large numbers are rounded up to
     *        quanta that let all sums fit
     * @param fabric the fabric, which must outlive this object
     */
    PortArrangement(const TrafficMatrix& traffic, const FabricLimits& fabric);

    /**
     * Put the ranks on ports.
     *
     * @param ports the port of each rank; empty for the port with its number
     * @return the load
     */
    Load Set(std::vector<uint32_t> ports);

    /**
     * Exchange ranks as long as that makes the load smaller, again and again from arrangements that
     * are disturbed at random. The best arrangement found is set, which may be that of the
     * beginning.
     *
     * @param effort the number of changes of the load of a link after which to stop
     * @return the load
     */
    Load Improve(uint64_t effort);

    /**
     * @param most a load of a link, as in Load
     * @return it in bytes
     */
    double ToBytes(uint64_t most) const;

    /**
     * @return the port of each rank
     */
    const std::vector<uint32_t>& GetPorts() const;

    /**
     * @return a load of the fullest segment of a ring that no arrangement is below; 0 on another
     *         fabric, and with servers. What leaves or enters a port does so over two segments; of
     * the peers of a rank one at most is opposite to it, and the bytes of the others load a segment
     * as a whole; peers of a rank are at distances 1, 1, 2, 2, ... at least
     */
    uint64_t GetBound() const;

  private:
    /// The bytes between a rank and another one, in quanta.
    struct Peer
    {
        uint32_t rank{0}; //!< The other one
        uint64_t to{0};   //!< Sent to it
        uint64_t from{0}; //!< Received from it
    };

    /// Successive links that a pair loads alike.
    struct Arc
    {
        uint32_t direction{0}; //!< 0 for clockwise or into the fabric, 1 for the other direction
        uint32_t first{0};     //!< The lowest segment, or link of a port
        uint32_t hops{0};      //!< The number of links
        uint64_t load{0};      //!< The load of each of them
    };

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @param quanta the bytes
     * @return the links that they load, as m_arcs
     */
    const std::vector<Arc>& FindArcs(uint32_t source, uint32_t destination, uint64_t quanta);

    /**
     * Append the links of a fabric between its ports.
     *
     * @param first the number of the first link of the fabric
     * @param ports the number of its ports
     * @param source the port that sends
     * @param destination the port that receives
     * @param quanta the bytes
     */
    void AddArcs(uint32_t first,
                 uint32_t ports,
                 uint32_t source,
                 uint32_t destination,
                 uint64_t quanta);

    /**
     * @param ports the number of ports of a fabric
     * @return the number of its links in a direction
     */
    uint32_t CountLinks(uint32_t ports) const;

    /**
     * Count a lightpath of the length of m_distance, if there is one, or no longer count it.
     *
     * @param adds whether it is counted
     */
    void CountPath(bool adds);

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @param quanta the bytes
     * @param adds whether they are added to the loads, not removed
     */
    void Change(uint32_t source, uint32_t destination, uint64_t quanta, bool adds);

    /**
     * Add all traffic of two ranks to the loads, or remove it.
     *
     * @param a a rank
     * @param b another one
     * @param adds whether it is added
     */
    void ChangeRanks(uint32_t a, uint32_t b, bool adds);

    /**
     * Let two ranks change places, in the loads as well.
     *
     * @param a a rank
     * @param b another one
     */
    void Exchange(uint32_t a, uint32_t b);

    /**
     * Exchange ranks until that has not helped for long.
     *
     * @param [in,out] load the load
     * @param effort the effort at which to stop
     */
    void Descend(Load& load, uint64_t effort);

    /**
     * @param a a rank
     * @return another rank, which may be near one of its peers
     */
    uint32_t DrawPartner(uint32_t a);

    /**
     * @return the load
     */
    Load Measure() const;

    /**
     * @param below a number above 0
     * @return a random number below it
     */
    uint32_t Draw(uint32_t below);

    const FabricLimits& m_fabric;           //!< The fabric
    GridWays m_grid;                        //!< The ways through its grid, if it has one
    double m_shares[2];                     //!< Time of a byte by side, relative to the slowest
    double m_insideShare{1};                //!< Time of a byte inside a server, relative to it
    uint32_t m_n;                           //!< Number of ranks
    std::vector<std::vector<Peer>> m_peers; //!< Peers of each rank
    std::vector<uint32_t> m_ports;          //!< Port of each rank
    std::vector<uint32_t> m_ranks;          //!< Rank of each port
    std::vector<uint64_t> m_loads[2];       //!< Load of each link by direction
    std::vector<Arc> m_arcs;                //!< The links of a pair
    uint32_t m_distance{0};                 //!< Segments of its lightpath on a ring; 0 without one
    std::vector<uint32_t> m_paths;          //!< Number of lightpaths by their segments
    uint64_t m_beyond{0};                   //!< Segments beyond the reach of all of them
    uint32_t m_shift{0};                    //!< Exponent of two of the bytes of a quantum
    uint64_t m_squares{0};                  //!< Sum of the squares of all loads
    uint64_t m_effort{0};                   //!< Effort so far
    std::mt19937_64 m_random{1};            //!< Where random moves come from
};

} // namespace lightpath
} // namespace ns3

#endif /* PORT_ARRANGEMENT_H */
