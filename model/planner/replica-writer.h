/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPLICA_WRITER_H
#define REPLICA_WRITER_H

#include "gradient-map.h"
#include "gradient-sync.h"
#include "operator-pieces.h"
#include "piece-placement.h"
#include "program-writer.h"

#include <cstdint>
#include <memory>
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
 * Each GPU computes its pieces in the order in which they were placed. What a piece has made is
 * sent once to each other GPU that reads it, as soon as the piece has ended. Gradients are summed
 * over the replicas, and parameters updated, on the GPU on which they are completed (GradientSync).
 */
class ReplicaWriter
{
  public:
    /**
     * @param pieces the pieces; they must outlive this object
     * @param gradients the gradients of their graph; they must outlive this object
     * @param placement where the pieces are; it must outlive this object
     * @param gpus the number of GPUs of a replica
     * @param replicas the number of replicas
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     */
    ReplicaWriter(const OperatorPieces& pieces,
                  const GradientMap& gradients,
                  const PiecePlacement& placement,
                  uint32_t gpus,
                  uint32_t replicas,
                  uint64_t bucketBytes);

    /**
     * @return the program of each GPU of a replica; to be called once
     */
    std::vector<std::shared_ptr<const RankProgram>> Write();

  private:
    /**
     * Write the tasks of a piece: what it waits for, its computation, and its messages.
     *
     * @param op the index of its operator
     * @param index its index among the pieces of the operator
     */
    void WritePiece(uint32_t op, uint32_t index);

    /**
     * Get the tasks that a piece waits for; receives are written unless they are there already.
     *
     * @param op the index of its operator
     * @param index its index among the pieces of the operator
     * @return the indices of the tasks in the program of its GPU
     */
    std::vector<uint32_t> GetInputs(uint32_t op, uint32_t index);

    /**
     * Write the messages of a piece.
     *
     * @param op the index of its operator
     * @param piece its number
     */
    void WriteSends(uint32_t op, uint32_t piece);

    const OperatorPieces& m_pieces;       //!< The pieces
    const GradientMap& m_gradients;       //!< The gradients of their graph
    const PiecePlacement& m_placement;    //!< Where the pieces are
    std::vector<ProgramWriter> m_writers; //!< Writer of each GPU
    std::vector<GradientSync> m_syncs;    //!< Gradients of each GPU
    std::vector<uint32_t> m_tasks;        //!< Compute task by piece
    std::vector<uint32_t> m_receives;     //!< Receive by message; UINT32_MAX if not written yet
};

} // namespace lightpath
} // namespace ns3

#endif /* REPLICA_WRITER_H */
