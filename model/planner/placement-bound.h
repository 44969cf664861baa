/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLACEMENT_BOUND_H
#define PLACEMENT_BOUND_H

#include "gradient-map.h"
#include "operator-pieces.h"
#include "piece-placement.h"
#include "planner.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A lower bound on what the IterationEstimator finds for placed pieces, much faster to get.
 *
 * A piece cannot begin before the longest chain of pieces and messages that leads to it is over. If
 * the fabric gives a GPU one channel only, a message also waits for those of the pieces before its
 * own in the chain. The bound is the longest of such a chain with what must follow it, and of the
 * earliest begin of some pieces of one GPU with the time that it takes to compute all of them, for
 * the last pieces of each GPU in any number.
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
     * Put the messages of a piece on its channel.
     *
     * @param piece the number of the piece
     * @param seconds when the first one can begin, in seconds
     */
    void Send(uint32_t piece, double seconds);

    const OperatorPieces& m_pieces;    //!< The pieces
    const GradientMap& m_gradients;    //!< The gradients of their graph
    const PiecePlacement& m_placement; //!< Where the pieces are
    uint32_t m_replicas;               //!< Number of replicas
    double m_latency;                  //!< Time that a message takes besides its bytes, seconds
    double m_rate;                     //!< Rate of a GPU into the fabric, bytes/s
    bool m_hasOneChannel;              //!< Whether all messages of a GPU share one channel
    std::vector<double> m_tails;       //!< Shortest time behind a piece, by operator, seconds
    std::vector<double> m_end;         //!< Earliest end by piece, seconds
    std::vector<double>
        m_channelFree;             //!< When the messages up to those of a piece are out, seconds
    std::vector<double> m_arrival; //!< Earliest arrival by message, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* PLACEMENT_BOUND_H */
