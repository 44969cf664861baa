/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPERATOR_PIECES_H
#define OPERATOR_PIECES_H

#include "ns3/accelerator.h"
#include "ns3/gradient-map.h"
#include "ns3/operator-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// The content of a message between two pieces.
enum class PieceContent : uint8_t
{
    OUTPUT,   //!< The result of the piece
    SAVED,    //!< The activations that a forward piece kept for its backward operator
    GRADIENT, //!< Gradients of parameters that another operator adds to its own
};

/**
 * @ingroup lightpath
 * @brief The operators of a graph, split into pieces that can run on different GPUs.
 *
 * An operator that takes the time t is split into S = min(K, 2^floor(log2(max(1, t / tau)))) equal
 * pieces, where K is the number of GPUs and tau the time quantum. Each piece has an S-th of the
 * arithmetic, of the activations and of the parameters of the operator. An update operator has as
 * many pieces as the last of the operators that make its gradients. The pieces are numbered in the
 * order of their operators.
 *
 * Piece i of c reads the pieces of an operator of a pieces whose part of the result overlaps with
 * its own part: those from floor(i a / c) to ceil((i + 1) a / c) - 1. The pieces of a matrix
 * product or convolution, each of which computes a share of the output from the whole input, read
 * all pieces. If operators are split by their parameters, each piece of any operator reads all
 * pieces of each result.
 *
 * A reader may need a part of a result only. Of an input gradient it needs the part that belongs to
 * one of the operators that the forward operator reads; of an output it needs no more than it has
 * input bytes. An output counts as cut into parts, one for each reader, if its backward operator
 * gets a gradient from each of several readers; otherwise all readers read the same.
 */
class OperatorPieces
{
  public:
    /// The quantity that the pieces of an operator share out.
    enum SplitMode
    {
        ATTRIBUTE, //!< Its result: pieces read the parts that overlap with their own
        PARAMETER, //!< Its parameters: each piece reads all pieces of each result
        OVERLAP,   //!< Its result: pieces read overlapping parts only, even for products
    };

    /// Stands for the whole result of an operator.
    static constexpr uint32_t WHOLE = UINT32_MAX;

    /// A range of successive pieces of an operator.
    struct Range
    {
        uint32_t begin{0}; //!< Number of the first one
        uint32_t end{0};   //!< Number of the first one that is not among them
    };

    /**
     * @param graph the graph; it must outlive this object
     * @param gradients its gradients
     * @param accelerator the GPUs
     * @param samples the number of samples of the batch
     * @param gpus the number K of GPUs
     * @param quantum the time quantum tau in seconds; 0 to split each operator into K pieces
     * @param replicas the number of replicas, each of which applies the sparse gradients of all
     * @param split the quantity that the pieces of an operator share out
     */
    OperatorPieces(const OperatorGraph& graph,
                   const GradientMap& gradients,
                   const Accelerator& accelerator,
                   uint64_t samples,
                   uint32_t gpus,
                   double quantum,
                   uint32_t replicas = 1,
                   SplitMode split = ATTRIBUTE);

    /**
     * @return the graph
     */
    const OperatorGraph& GetGraph() const;

    /**
     * @return the number of pieces of all operators
     */
    uint32_t GetNPieces() const;

    /**
     * @param piece the number of a piece
     * @return the index of its operator
     */
    uint32_t GetOperator(uint32_t piece) const;

    /**
     * @param op the index of an operator
     * @return its pieces
     */
    Range GetPieces(uint32_t op) const;

    /**
     * @param op the index of an operator
     * @return the time of each of its pieces, in seconds
     */
    double GetSeconds(uint32_t op) const;

    /**
     * @param op the index of an operator
     * @return the indices of the operators that its pieces read, in ascending order: its
     *         predecessors in the graph and, if it completes the gradients of an update operator,
     *         the other operators that make them
     */
    const std::vector<uint32_t>& GetReads(uint32_t op) const;

    /**
     * @param from the index of an operator that is read
     * @param to the index of the operator that reads it
     * @param piece the index of a piece among those of the latter, counted from 0
     * @return the pieces that it reads
     */
    Range GetSources(uint32_t from, uint32_t to, uint32_t piece) const;

    /**
     * @param from the index of an operator that is read
     * @param to the index of the operator that reads it
     * @return the content that it reads
     */
    PieceContent GetContent(uint32_t from, uint32_t to) const;

    /**
     * @param from the index of an operator that is read
     * @param to the index of the operator that reads it
     * @return the part of the result that it reads: operators with the same number read the same
     *         part; WHOLE for all of it
     */
    uint32_t GetPart(uint32_t from, uint32_t to) const;

    /**
     * @param from the index of an operator that is read
     * @param to the index of the operator that reads it
     * @param piece the index of a piece among those of the former, counted from 0
     * @return the bytes that are read of it, at least 1 so that there is a message to wait for
     */
    uint64_t GetReadBytes(uint32_t from, uint32_t to, uint32_t piece) const;

    /**
     * Share a number of bytes out over the pieces of an operator.
     *
     * @param op the index of the operator
     * @param bytes the bytes of all pieces together
     * @param piece the index of one of them, counted from 0
     * @return its bytes
     */
    uint64_t GetShare(uint32_t op, uint64_t bytes, uint32_t piece) const;

    /**
     * @param op the index of an operator
     * @return the bytes that its pieces together keep for the backward pass
     */
    uint64_t GetSavedBytes(uint32_t op) const;

    /**
     * @param update the index of an update operator
     * @return the bytes of its gradients: of all parameters or, if they are sparse, of the rows
     *         that the samples of all replicas look up, with their indices
     */
    uint64_t GetGradientBytes(uint32_t update) const;

    /**
     * @param update the index of an update operator
     * @return the bytes of the parameters, of their gradients and of the state of the optimiser
     */
    uint64_t GetStateBytes(uint32_t update) const;

  private:
    /// How an operator reads the result of another one.
    struct Read
    {
        uint64_t bytes{0};    //!< The bytes of all pieces
        uint32_t part{WHOLE}; //!< The part of the result
    };

    /**
     * Record the reads of each operator.
     *
     * @param gradients the gradients of the graph
     */
    void FindReads(const GradientMap& gradients);

    /**
     * Find the outputs that are cut into parts.
     */
    void FindCut();

    /**
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return the details of the read
     */
    Read MakeRead(uint32_t from, uint32_t to) const;

    /**
     * @param from the index of a forward operator
     * @param to the index of a forward operator that reads it
     * @return the most bytes that it reads for a sample
     */
    uint64_t GetForwardBytes(uint32_t from, uint32_t to) const;

    /**
     * @param from the index of a backward operator
     * @param to the index of a backward operator that reads it
     * @return the most bytes that it reads for a sample
     */
    uint64_t GetBackwardBytes(uint32_t from, uint32_t to) const;

    /**
     * @param from the index of an operator that is read
     * @param to the index of the operator that reads it
     * @return the details of the read
     */
    const Read& GetRead(uint32_t from, uint32_t to) const;

    const OperatorGraph& m_graph;   //!< The graph
    uint64_t m_samples;             //!< Samples of the batch
    uint32_t m_replicas;            //!< Number of replicas
    SplitMode m_split;              //!< The quantity that pieces share out
    std::vector<uint64_t> m_sparse; //!< Bytes of a sparse gradient for a sample, by update operator
    std::vector<std::vector<uint32_t>> m_reads; //!< Operators read, by operator
    std::vector<std::vector<Read>> m_details;   //!< How these are read
    std::vector<bool> m_isCut; //!< Whether the readers of an output have parts of it, by operator
    std::vector<uint32_t> m_first; //!< Number of the first piece by operator, and of all pieces
    std::vector<double> m_seconds; //!< Time of a piece by operator, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* OPERATOR_PIECES_H */
