/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ARRANGEMENT_H
#define RING_ARRANGEMENT_H

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An arrangement of ranks around a ring, and how it loads the segments.
 *
 * The bytes of a pair load each segment of its shorter arc in their direction; arcs of equal length
 * take half of them each. Of two arrangements the better one has the smaller load on the fullest
 * segment; where these are equal, the smaller sum of squares of all loads, which prefers short arcs
 * and even loads.
 */
class RingArrangement
{
  public:
    /// How good an arrangement is; less is better.
    struct Load
    {
        uint64_t most{0};    //!< On the fullest segment, in units of half a quantum
        uint64_t squares{0}; //!< Sum of the squares of the loads of all segments

        /**
         * @param other the load compared with
         * @return true if this one is better
         */
        bool operator<(const Load& other) const
        {
            return most != other.most ? most < other.most : squares < other.squares;
        }
    };

    /**
     * @param traffic the bytes by source and destination rank; large numbers are rounded up to
     *        quanta that let all sums fit
     */
    explicit RingArrangement(const TrafficMatrix& traffic);

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
     * @param effort the number of changes of the load of a segment after which to stop
     * @return the load
     */
    Load Improve(uint64_t effort);

    /**
     * @param most a load of a segment, as in Load
     * @return it in bytes
     */
    double ToBytes(uint64_t most) const;

    /**
     * @return the port of each rank
     */
    const std::vector<uint32_t>& GetPorts() const;

    /**
     * @return a load of the fullest segment that no arrangement is below: what leaves or enters a
     *         port does so over two segments; of the peers of a rank one at most is opposite to it,
     *         and the bytes of the others load a segment as a whole; peers of a rank are at
     *         distances 1, 1, 2, 2, ... at least
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

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @param quanta the bytes
     * @param adds whether they are added to the loads, not removed
     */
    void Change(uint32_t source, uint32_t destination, uint64_t quanta, bool adds);

    /**
     * @param direction 0 for clockwise, 1 for the other direction
     * @param first the lowest segment
     * @param hops the number of segments
     * @param load what to add to them, or to remove
     * @param adds whether it is added
     */
    void ChangeArc(uint32_t direction, uint32_t first, uint32_t hops, uint64_t load, bool adds);

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

    uint32_t m_n;                           //!< Number of ranks
    std::vector<std::vector<Peer>> m_peers; //!< Peers of each rank
    std::vector<uint32_t> m_ports;          //!< Port of each rank
    std::vector<uint32_t> m_ranks;          //!< Rank of each port
    std::vector<uint64_t> m_loads[2];       //!< Load of each segment by direction
    uint32_t m_shift{0};                    //!< Exponent of two of the bytes of a quantum
    uint64_t m_squares{0};                  //!< Sum of the squares of all loads
    uint64_t m_effort{0};                   //!< Effort so far
    std::mt19937_64 m_random{1};            //!< Where random moves come from
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_ARRANGEMENT_H */
