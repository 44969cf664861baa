/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLACEMENT_BOUND_H
#define PLACEMENT_BOUND_H

#include "operator-pieces.h"
#include "piece-placement.h"

#include "ns3/gradient-map.h"
#include "ns3/planner.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A lower bound on the time of one iteration of placed pieces on its own, that is, with all
 * GPUs beginning at the same time, much faster to get than by CostModel.
 *
 * A piece cannot begin before the longest chain of pieces and messages that leads to it is over. A
 * message has no more than the whole rate of its GPU. The bound is the longest of such a chain with
 * what must follow it, and of the earliest begin of some pieces of one GPU with the time that it
 * takes to compute all of them, for the last pieces of each GPU in any number.
 */
class PlacementBound
{
  public:
    /**
     * @param pieces the pieces; they must outlive this object
     * @param gradients the gradients of their graph; they must outlive this object
     * @param placement where the pieces are; it must outlive this object
     * @param replicas the number of replicas
     * @param fabric the fabric
     */
    PlacementBound(const OperatorPieces& pieces,
                   const GradientMap& gradients,
                   const PiecePlacement& placement,
                   uint32_t replicas,
                   const FabricLimits& fabric);

    /**
     * @return the bound in seconds
     */
    double GetSeconds();

  private:
    /**
     * Find, for each operator, the shortest time from the end of a piece of it to the end of the
     * iteration.
     */
    void FindTails();

    /**
     * @return the bound that follows from the earliest begin and the time of the last pieces of
     * each GPU, in seconds
     */
    double GetBusySeconds() const;

    /**
     * Follow the longest chain to the end of a piece, and to the ends of its messages.
     *
     * @param op the index of its operator
     * @param index its index among the pieces of the operator
     * @return the end of the piece, in seconds
     */
    double Follow(uint32_t op, uint32_t index);

    /**
     * Send the messages of a piece.
     *
     * @param piece the number of the piece
     */
    void Send(uint32_t piece);

    const OperatorPieces& m_pieces;    //!< The pieces
    const GradientMap& m_gradients;    //!< The gradients of their graph
    const PiecePlacement& m_placement; //!< Where the pieces are
    uint32_t m_replicas;               //!< Number of replicas
    double m_latency;                  //!< Least time of a message besides its bytes, s
    double m_rate;                     //!< Largest rate of a GPU, bytes/s
    std::vector<double> m_tails;       //!< Shortest time behind a piece, by operator, seconds
    std::vector<double> m_end;         //!< Earliest end by piece, seconds
    std::vector<double> m_arrival;     //!< Earliest arrival by message, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* PLACEMENT_BOUND_H */
