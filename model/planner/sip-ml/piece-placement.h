/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_PLACEMENT_H
#define PIECE_PLACEMENT_H

#include "earliest-gpu.h"
#include "operator-pieces.h"
#include "piece-messages.h"

#include "ns3/gradient-map.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Places the pieces of operators on the GPUs of one replica so that no GPU has more peers
 * than the fabric gives it circuits.
 *
 * The GPUs stand on a circle. The pieces of forward and backward operators are placed one by one in
 * topological order. A piece may go to any GPU that all GPUs it reads from reach clockwise within
 * the distance limit d: if these GPUs lie between f and l, the shortest stretch that holds them
 * all, then its window is l, l + 1, ..., f + d. A piece that reads nothing may go to any GPU, from
 * GPU 0 on. The GPU in the window that is free first takes the piece if it has room for it; of
 * several, the first one from l on. A piece begins once the pieces that it reads have ended and
 * its GPU is free: the time of communication is not considered.
 *
 * A GPU with all its pieces so placed sends to and receives from at most d others. If no GPU is
 * reachable, the piece goes to the GPU that is free first among those where all GPUs keep to d
 * peers each way, including their present messages.
 *
 * A piece of an update operator runs where the gradients it needs are completed. If each piece
 * holds all parameters, the pieces of one operator on the same GPU share one copy of these, of
 * their gradients and of the state of the optimiser, and update it once. If no GPU has room for a
 * piece, it is placed as if memory were unlimited.
 */
class PiecePlacement
{
  public:
    /// Limits of a placement.
    struct Limits
    {
        uint32_t gpus{1};              //!< Number of GPUs of a replica
        uint32_t replicas{1};          //!< Number of replicas
        uint32_t distance{UINT32_MAX}; //!< Distance limit d
        uint64_t memoryBytes{0};       //!< Memory of a GPU, bytes
        double rate{0};                //!< Rate of a GPU into the fabric, bytes/s
        bool mayRelay{false};          //!< Whether GPUs may pass results on to others
        double averagedRatio{0};       //!< Bytes of a gradient in a fabric that averages it, for
                                       //!< each byte in memory; 0 if it does not
    };

    /**
     * @param pieces the pieces; they must outlive this object
     * @param gradients the gradients of their graph; they must outlive this object
     * @param limits the limits of the placement
     */
    PiecePlacement(const OperatorPieces& pieces,
                   const GradientMap& gradients,
                   const Limits& limits);

    /**
     * Place all pieces. Refused by std::invalid_argument if a piece cannot be placed within the
     * distance limit.
     *
     * @param seconds the time that the iteration must not exceed
     * @return false, with some pieces left, as soon as the computation or the messages of one GPU
     *         alone take longer; true once all pieces are placed
     */
    bool Place(double seconds);

    /**
     * @return the least memory of the fullest GPU, however the pieces are placed, in bytes
     */
    uint64_t GetLeastMemoryBytes() const;

    /**
     * @param piece the number of a piece
     * @return the GPU that it is on
     */
    uint32_t GetGpu(uint32_t piece) const;

    /**
     * @return all messages between the GPUs, in the order in which they are first needed
     */
    const PieceMessages& GetMessages() const;

    /**
     * @return the number of pieces
     */
    uint32_t GetNPieces() const;

    /**
     * @return the memory that the fullest GPU needs, in bytes
     */
    uint64_t GetMemoryBytes() const;

    /**
     * @return the memory that each GPU uses
     */
    std::vector<MemoryUse> GetMemory() const;

  private:
    /// Successive GPUs on the circle.
    struct Window
    {
        uint32_t begin{0}; //!< The first one
        uint32_t count{0}; //!< Their number
    };

    /// A piece that is being placed.
    struct Candidate
    {
        uint32_t op{0};                //!< Its operator
        uint32_t index{0};             //!< Its index among the pieces of the operator
        double ready{0};               //!< When all pieces that it reads have ended, seconds
        uint64_t memoryBytes{0};       //!< Memory that its activations and parameters need
        std::vector<uint32_t> sources; //!< The GPUs that it reads from, in ascending order
        Window window;                 //!< The GPUs that all of them reach
        std::vector<OperatorPieces::Range> ranges; //!< The pieces that it reads, by read operator
    };

    /**
     * @param candidate a piece that has been placed
     * @param gpu the GPU that it is on
     * @return the longest time that one of its GPUs takes for its computation or messages alone
     */
    double GetBound(const Candidate& candidate, uint32_t gpu) const;

    /**
     * Find the sources of a piece, the time at which it can begin, and the memory that it needs.
     *
     * @param [in,out] candidate the piece, of which operator and index are given; the rest is that
     *        of the piece before
     */
    void Inspect(Candidate& candidate) const;

    /**
     * Find the sources of a piece, its window, and the time at which it can begin.
     *
     * @param [in,out] candidate the piece, with the pieces that it reads
     */
    void FindSources(Candidate& candidate) const;

    /**
     * @param candidate a piece
     * @param gpu a GPU
     * @return true if the GPU has the memory that the piece would need there
     */
    bool HasRoom(const Candidate& candidate, uint32_t gpu) const;

    /**
     * @param sources GPUs in ascending order
     * @return the GPUs that all of them reach; none if there is no such GPU
     */
    Window FindWindow(const std::vector<uint32_t>& sources) const;

    /**
     * @param candidate the piece
     * @return the GPU to put it on
     */
    uint32_t ChooseGpu(const Candidate& candidate) const;

    /**
     * @param candidate the piece
     * @param window the GPUs to choose from
     * @return the GPU that is free first among those that keep to the number of peers, preferably
     *         with room; UINT32_MAX if no GPU keeps to it
     */
    uint32_t Search(const Candidate& candidate, const Window& window) const;

    /**
     * @param sources GPUs
     * @param gpu the GPU that they would send to
     * @return true if all of them would keep to the number of peers
     */
    bool KeepsPeers(const std::vector<uint32_t>& sources, uint32_t gpu) const;

    /**
     * Add the messages that a piece needs.
     *
     * @param candidate the piece
     * @param gpu the GPU that it is put on
     */
    void AddMessages(const Candidate& candidate, uint32_t gpu);

    /**
     * Count messages that have been added.
     *
     * @param bundle the messages
     */
    void CountMessages(const PieceMessages::Bundle& bundle);

    /**
     * Put a piece on a GPU.
     *
     * @param candidate the piece
     * @param gpu the GPU
     */
    void Put(const Candidate& candidate, uint32_t gpu);

    const OperatorPieces& m_pieces;     //!< The pieces
    const GradientMap& m_gradients;     //!< The gradients of their graph
    Limits m_limits;                    //!< Its limits
    bool m_isLimited;                   //!< Whether the distance limit excludes any GPU
    bool m_hasStrayed{false};           //!< Whether a piece has been put outside its window
    EarliestGpu m_free;                 //!< When each GPU is free
    std::vector<uint32_t> m_gpu;        //!< GPU by piece
    std::vector<double> m_end;          //!< End by piece, seconds
    PieceMessages m_messages;           //!< The messages
    std::vector<double> m_computing;    //!< Time of computation by GPU, seconds
    std::vector<double> m_messaging;    //!< Time of messages by GPU at the full rate, seconds
    std::vector<uint64_t> m_memory;     //!< Memory needed by GPU, bytes
    std::vector<bool> m_links;          //!< Whether there are messages, by source and destination
    std::vector<uint32_t> m_nSendsTo;   //!< Number of GPUs that each GPU sends to
    std::vector<uint32_t> m_nReadsFrom; //!< Number of GPUs that each GPU reads from
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_PLACEMENT_H */
