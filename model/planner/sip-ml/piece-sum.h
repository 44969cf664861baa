/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_SUM_H
#define PIECE_SUM_H

#include "model/plan/program-writer.h"
#include "operator-pieces.h"
#include "piece-placement.h"

#include "ns3/collective-schedule.h"
#include "ns3/gradient-map.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the sums of gradients over those GPUs of a replica that hold pieces of the same
 * operator, each with all its parameters.
 *
 * The GPUs that hold pieces of an operator, in ascending order, form a ring, over which their
 * gradients are summed by a ring all-reduce (Patarasuk and Yuan, 2009): with k GPUs, each sends
 * 2 (k - 1) messages of a k-th of the bytes, each but the first one after the receipt of the one
 * before. Sparse gradients are gathered by the first k - 1 such steps.
 *
 * If a GPU of the ring is further from the next one, clockwise, than the distance limit, or there
 * are more than MOST of them, all GPUs of the replica carry out the ring as a collective instead,
 * to which the others add nothing: each GPU then sends to the next one, which all distance limits
 * allow, and more than MOST of them send hardly more bytes than they have to: the share
 * (n - 1) / n hardly grows with n. So no GPU ever sends out of its clockwise window.
 *
 * The collectives of a replica are carried out one after the other, in the order of the operators.
 */
class PieceSum
{
  public:
    /// Largest number of GPUs that form a ring of their own.
    static constexpr std::size_t MOST = 16;

    /// How far the program of a GPU has come.
    struct Position
    {
        /**
         * @param number the GPU
         */
        explicit Position(uint32_t number);

        uint32_t gpu;               //!< The GPU
        std::size_t next{0};        //!< The next sum that it has to do with, or a later one
        uint32_t nCollectives{0};   //!< Number of its collectives
        std::vector<uint32_t> last; //!< The task of its last collective, if any
    };

    /**
     * @param pieces the pieces; they must outlive this object
     * @param gradients the gradients of their graph
     * @param placement where the pieces are
     * @param limits the limits of the placement
     */
    PieceSum(const OperatorPieces& pieces,
             const GradientMap& gradients,
             const PiecePlacement& placement,
             const PiecePlacement::Limits& limits);

    /**
     * @return true if there is anything to sum
     */
    bool HasAny() const;

    /**
     * Let a GPU take part in the collectives of the operators on other GPUs.
     *
     * @param op only those of operators before this one
     * @param [in,out] position how far the program has come
     * @param [in,out] writer the writer of the program
     */
    void Relay(uint32_t op, Position& position, ProgramWriter& writer) const;

    /**
     * Sum the gradients that the pieces of an operator on a GPU have made.
     *
     * @param op the operator
     * @param made the tasks of these pieces
     * @param [in,out] position how far the program has come
     * @param [in,out] writer the writer of the program
     * @return the tasks that complete the gradients
     */
    std::vector<uint32_t> Write(uint32_t op,
                                const std::vector<uint32_t>& made,
                                Position& position,
                                ProgramWriter& writer) const;

  private:
    /// A sum over the GPUs that hold the pieces of an operator.
    struct Sum
    {
        uint32_t op{0};             //!< The operator
        std::vector<uint32_t> gpus; //!< The GPUs, in ascending order
        bool isRing{true};          //!< Whether these form a ring of their own
        uint64_t denseBytes{0};     //!< Bytes of the gradients to be summed
        uint64_t sparseBytes{0};    //!< Bytes of the rows to be gathered, of all GPUs
        uint32_t operation{0};      //!< Number of the first message from one GPU to the next
    };

    /**
     * @param sum a sum
     * @param made the tasks that it waits for on this GPU
     * @param [in,out] position how far the program has come
     * @param [in,out] writer the writer of the program
     * @return the tasks that complete it on this GPU
     */
    std::vector<uint32_t> WriteCollectives(const Sum& sum,
                                           std::vector<uint32_t> made,
                                           Position& position,
                                           ProgramWriter& writer) const;

    /**
     * @param sum a sum
     * @param made the tasks that it waits for on this GPU
     * @param gpu the GPU, one of its ring
     * @param [in,out] writer the writer of the program
     * @return the tasks that complete it on this GPU
     */
    std::vector<uint32_t> WriteRing(const Sum& sum,
                                    const std::vector<uint32_t>& made,
                                    uint32_t gpu,
                                    ProgramWriter& writer) const;

    const OperatorPieces& m_pieces; //!< The pieces
    std::vector<Sum> m_sums;        //!< The sums, in the order of their operators
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_SUM_H */
