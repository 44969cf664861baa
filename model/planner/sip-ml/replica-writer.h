/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPLICA_WRITER_H
#define REPLICA_WRITER_H

#include "model/plan/program-writer.h"
#include "model/planner/write/gradient-sync.h"
#include "operator-pieces.h"
#include "piece-placement.h"
#include "piece-routes.h"

#include "ns3/gradient-map.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the programs of the GPUs of one replica whose operators are split into placed
 * pieces.
 *
 * Each GPU computes its pieces in the order in which they were placed. The result of a piece is
 * sent once to each other GPU that reads it, as soon as the piece has ended, on the ways of
 * PieceRoutes: GPUs pass it on as soon as they have it whole. Gradients are summed over the
 * replicas, and parameters updated, on the GPU on which they are completed (GradientSync).
 */
class ReplicaWriter
{
  public:
    /**
     * @param pieces the pieces; they must outlive this object
     * @param gradients the gradients of their graph; they must outlive this object
     * @param placement the placement of the pieces; it must outlive this object
     * @param limits the limits of the placement
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     * @param route the ways of results to the GPUs that read them: DIRECT, LINE or MULTI_RING
     * @param sum what sums gradients (GradientSync::Options::sum)
     */
    ReplicaWriter(const OperatorPieces& pieces,
                  const GradientMap& gradients,
                  const PiecePlacement& placement,
                  const PiecePlacement::Limits& limits,
                  uint64_t bucketBytes,
                  CollectiveAlgorithm route = CollectiveAlgorithm::DIRECT,
                  CollectiveKind sum = CollectiveKind::ALL_REDUCE);

    /**
     * @return the program of each GPU of a replica
     */
    std::vector<std::shared_ptr<const RankProgram>> Write();

  private:
    /// A piece of an operator.
    struct Piece
    {
        uint32_t op{0};    //!< The index of the operator
        uint32_t index{0}; //!< The index of the piece among those of the operator
    };

    /**
     * @param gpu a GPU
     * @param pieces the pieces on it, in the order in which they were placed
     * @return the program of the GPU
     */
    std::shared_ptr<const RankProgram> WriteProgram(uint32_t gpu, const std::vector<Piece>& pieces);

    /**
     * Pass on the gradients that a piece completes, and the updates that follow.
     *
     * @param piece the piece
     * @param task the task that completes them
     * @param [in,out] sync the writer of their sums over the replicas
     */
    void AddGradients(const Piece& piece, uint32_t task, GradientSync& sync) const;

    /**
     * Write the tasks that a piece waits for, unless they exist already.
     *
     * @param piece the piece
     * @param gpu the GPU that it is on
     * @param [in,out] writer the writer of the program of the GPU
     * @param [out] inputs the indices of the tasks; overwritten
     */
    void WriteInputs(const Piece& piece,
                     uint32_t gpu,
                     ProgramWriter& writer,
                     std::vector<uint32_t>& inputs);

    /**
     * Write the receive of a hop, and the send of the hop that goes on, unless they are there
     * already.
     *
     * @param hop the hop
     * @param source the operator whose result it carries
     * @param [in,out] writer the writer of the program of its destination
     */
    void WriteReceive(uint32_t hop, const Operator& source, ProgramWriter& writer);

    /**
     * @param kind SEND or RECEIVE
     * @param hop a hop
     * @param source the operator whose result it carries
     * @return its task at one of its ends
     */
    Task MakeTask(TaskKind kind, uint32_t hop, const Operator& source) const;

    /**
     * @param piece a piece
     * @return its name
     */
    std::string GetName(const Piece& piece) const;

    const OperatorPieces& m_pieces;    //!< The pieces
    const GradientMap& m_gradients;    //!< The gradients of their graph
    const PiecePlacement& m_placement; //!< Where the pieces are
    PiecePlacement::Limits m_limits;   //!< The limits of the placement
    uint64_t m_bucketBytes;            //!< Size at which a bucket of gradients is complete, bytes
    PieceRoutes m_routes;              //!< The ways of results to the GPUs that read them
    CollectiveKind m_sum;              //!< What sums them
    std::vector<uint32_t> m_tasks;     //!< Compute task by piece
    std::vector<uint32_t> m_receives;  //!< Receive by hop; UINT32_MAX if not written yet
};

} // namespace lightpath
} // namespace ns3

#endif /* REPLICA_WRITER_H */
