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
        uint32_t source{0};      //!< The GPU that sends it
        uint32_t destination{0}; //!< The GPU that gets it
        uint32_t piece{0};       //!< The piece whose result it carries
        uint64_t bytes{0};       //!< Its size, bytes
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
    const std::vector<uint32_t>& GetFirst(uint32_t piece) const;

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

    uint32_t m_gpus;                              //!< Number of GPUs
    std::vector<Hop> m_hops;                      //!< All hops
    std::vector<uint32_t> m_last;                 //!< Last hop by message
    std::vector<std::vector<uint32_t>> m_first;   //!< First hops by piece
    std::vector<std::vector<uint32_t>> m_relayed; //!< Hops that others follow, by destination
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_ROUTES_H */
