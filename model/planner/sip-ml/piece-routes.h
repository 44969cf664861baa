/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_ROUTES_H
#define PIECE_ROUTES_H

#include "piece-placement.h"

#include "ns3/collective-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The ways that the results of pieces take to the GPUs of a replica that read them.
 *
 * - DIRECT: each reader gets a message of its own. On a ring, several of these pass the same
 *   segment.
 * - LINE: a result goes from neighbour to neighbour, both ways, as far as somebody reads it, as in
 *   the all-gather of LineSchedule. Each segment carries it once.
 * - MULTI_RING: the same on a ring that GPU 0 closes behind the last GPU, to each reader on the
 *   shorter way. To the GPU opposite to theirs results go one way and the other in turn.
 */
class PieceRoutes
{
  public:
    /// Stands for no hop.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// A message from a GPU to the next one on the way.
    struct Hop
    {
        uint64_t bytes{0};       //!< Its size, bytes
        uint32_t source{0};      //!< The GPU that sends it
        uint32_t destination{0}; //!< The GPU that gets it
        uint32_t piece{0};       //!< The piece whose result it carries
        uint32_t next{NONE};     //!< The hop that goes on with it
    };

    /**
     * @param placement where the pieces are
     * @param gpus the number of GPUs of a replica
     * @param route DIRECT, LINE or MULTI_RING
     */
    PieceRoutes(const PiecePlacement& placement, uint32_t gpus, CollectiveAlgorithm route);

    /**
     * @return all hops
     */
    const std::vector<Hop>& GetHops() const;

    /**
     * @param piece the number of a piece
     * @return the first hops of its results, in the order in which they are needed
     */
    std::vector<uint32_t> GetFirst(uint32_t piece) const;

    /**
     * @param message the index of a message of the placement
     * @return the last hop to its destination
     */
    uint32_t GetLast(uint32_t message) const;

    /**
     * @param gpu a GPU
     * @return the hops to it that others follow
     */
    const std::vector<uint32_t>& GetRelayed(uint32_t gpu) const;

  private:
    /// A message of a result to a GPU that reads it.
    struct Reader
    {
        /**
         * @param other another message
         * @return true if this one comes first: by piece, result and index
         */
        bool operator<(const Reader& other) const;

        uint32_t piece;       //!< The piece
        uint32_t result;      //!< The number of the result (PieceMessages::GetResult())
        uint32_t message;     //!< The index of the message
        uint32_t destination; //!< The GPU
        uint64_t bytes;       //!< Its size, bytes
    };

    /**
     * Lead a result to its readers, both ways round.
     *
     * @param source the GPU that it is on
     * @param begin the first one of its messages
     * @param end the end of its messages
     * @param route LINE or MULTI_RING
     */
    void AddChains(uint32_t source,
                   std::vector<Reader>::const_iterator begin,
                   std::vector<Reader>::const_iterator end,
                   CollectiveAlgorithm route);

    /**
     * Lead a result one way round, from neighbour to neighbour.
     *
     * @param piece the piece
     * @param source the GPU that it is on
     * @param step the distance from a GPU to its neighbour, modulo the number of GPUs
     * @param messages the messages that carry it, by distance; NONE where nobody reads it
     * @param bytes its size, bytes
     */
    void AddChain(uint32_t piece,
                  uint32_t source,
                  uint32_t step,
                  const std::vector<uint32_t>& messages,
                  uint64_t bytes);

    /**
     * @param hop a hop to add
     * @return its index
     */
    uint32_t AddHop(const Hop& hop);

    /**
     * Sort the first hops of results by the pieces that these are of.
     *
     * @param placement where the pieces are
     */
    void SortFirst(const PiecePlacement& placement);

    uint32_t m_gpus;                //!< Number of GPUs
    std::vector<Hop> m_hops;        //!< All hops
    std::vector<uint32_t> m_last;   //!< Last hop by message; none if each has one hop: its own
    std::vector<uint32_t> m_first;  //!< First hops, by piece
    std::vector<uint32_t> m_begins; //!< Number of first hops of lower pieces, by piece
    /// Hops that others follow, by destination; none if no others do
    std::vector<std::vector<uint32_t>> m_relayed;
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_ROUTES_H */
