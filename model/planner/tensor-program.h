/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TENSOR_PROGRAM_H
#define TENSOR_PROGRAM_H

#include "gradient-map.h"
#include "gradient-sync.h"
#include "program-writer.h"

#include "ns3/accelerator.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the program of a GPU that shares the operators of a replica with the others of its
 * tensor-parallel group (groups of kind 0), as each operator states it by its TensorSplit.
 *
 * An all-reduce sums the output of a ROW operator before anything reads it. In the backward pass an
 * all-reduce sums the gradient of the input of a COLUMN operator; COLUMN operators with the same
 * predecessors share it where no other operator reads the gradient of one before that of all is
 * there. The operators are computed in topological order, the updates last (GradientSync).
 */
class TensorProgram
{
  public:
    /**
     * @param graph the model; it must outlive this object
     * @param accelerator the GPUs; they must outlive this object
     * @param samples the number of samples of a replica
     * @param tensorParallel the number of GPUs of a replica
     */
    TensorProgram(const OperatorGraph& graph,
                  const Accelerator& accelerator,
                  uint64_t samples,
                  uint32_t tensorParallel);

    /**
     * @param replicas the number of replicas
     * @param bucketBytes the size in bytes at which a bucket of gradients is complete
     * @return the program of each GPU
     */
    std::shared_ptr<const RankProgram> Write(uint32_t replicas, uint64_t bucketBytes);

    /**
     * The memory of each GPU: parameters with gradients and optimiser state, a share of those of
     * split operators, and what the forward pass keeps for the backward pass. A COLUMN operator
     * keeps its whole input, ROW and SHARDED operators a share.
     *
     * @return the memory in bytes
     */
    uint64_t GetMemoryBytes() const;

  private:
    /**
     * Find out which operators make gradients that are to be summed over the group.
     */
    void FindInputGradients();

    /**
     * @param members operators that make gradients of the input of COLUMN operators with the same
     *        predecessors, in ascending order
     * @return true if nothing but the members themselves reads them before the last one has run
     */
    bool CanShare(const std::vector<uint32_t>& members) const;

    /**
     * @param op an operator
     * @return the share of it that each GPU takes
     */
    double GetShare(const Operator& op) const;

    /**
     * @param op an operator
     * @param bytes a number of bytes
     * @return the share of each GPU, rounded up
     */
    uint64_t GetShare(const Operator& op, uint64_t bytes) const;

    /**
     * Write an operator of the forward or backward pass.
     *
     * @param op its index
     */
    void WriteOperator(uint32_t op);

    /**
     * Write an all-reduce over the group.
     *
     * @param op the operator that it is for
     * @param bytes the size of the buffer per sample, in bytes
     * @param after the tasks that it waits for
     * @return the index of its task
     */
    uint32_t WriteSum(const Operator& op, uint64_t bytes, const std::vector<uint32_t>& after);

    const OperatorGraph& m_graph;                //!< The model
    const Accelerator& m_accelerator;            //!< The GPUs
    uint64_t m_samples;                          //!< Samples of a replica
    uint32_t m_tensorParallel;                   //!< GPUs of a replica
    GradientMap m_gradients;                     //!< The gradients of the graph
    ProgramWriter m_writer;                      //!< The writer of the program
    std::vector<uint32_t> m_computes;            //!< The task that computes each operator
    std::vector<uint32_t> m_results;             //!< The task after which its result can be read
    uint32_t m_nSums{0};                         //!< Number of all-reduces over the group
    std::vector<std::vector<uint32_t>> m_summed; //!< The operators whose results are summed
                                                 //!< together, by each of them
};

} // namespace lightpath
} // namespace ns3

#endif /* TENSOR_PROGRAM_H */
