/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PIECE_MESSAGES_H
#define PIECE_MESSAGES_H

#include "operator-pieces.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The messages between the pieces of operators that are on different GPUs.
 *
 * A message takes a result of a piece to a GPU on which other pieces read it. It goes there once,
 * however many of them do. As a piece may read all pieces of an operator, the messages to it are
 * kept as bundles: of each piece in a row of pieces one.
 */
class PieceMessages
{
  public:
    /// Stands for no message, read or bundle.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Messages from successive pieces of one operator to one GPU, with successive indices.
    struct Bundle
    {
        OperatorPieces::Range pieces; //!< The pieces that are read
        uint32_t destination{0};      //!< The GPU that reads them
        uint32_t first{0};            //!< Index of the message of the first piece
        uint32_t read{0};             //!< The read that needs it first
        uint32_t next{NONE};          //!< The bundle before with the same result and destination
    };

    /**
     * @param pieces the pieces; they must outlive this object
     * @param gpus the number of GPUs
     */
    PieceMessages(const OperatorPieces& pieces, uint32_t gpus);

    /**
     * @param from the index of an operator that is read
     * @param to the index of the operator that reads it
     * @return the number of the read among those of all operators
     */
    uint32_t GetRead(uint32_t from, uint32_t to) const;

    /**
     * Add the messages of a read to a GPU that does not get them yet, in new bundles. Refused by
     * std::invalid_argument if there are more messages than operation numbers.
     *
     * @param read the number of the read
     * @param range the pieces that are read
     * @param destination the GPU that reads them
     * @param gpus the GPU of each piece
     */
    void Add(uint32_t read,
             const OperatorPieces::Range& range,
             uint32_t destination,
             const std::vector<uint32_t>& gpus);

    /**
     * @param read the number of a read
     * @param piece the number of a piece that it reads
     * @param destination the GPU that reads it
     * @return the index of the message with what is read, or else of the message with the whole
     *         result; NONE if there is neither
     */
    uint32_t Find(uint32_t read, uint32_t piece, uint32_t destination) const;

    /**
     * @return the bundles of all messages, in the order in which they are first needed
     */
    const std::vector<Bundle>& GetBundles() const;

    /**
     * @return the number of messages
     */
    uint32_t GetCount() const;

    /**
     * @param bundle a bundle
     * @param piece the number of one of its pieces
     * @return the size of its message, bytes
     */
    uint64_t GetBytes(const Bundle& bundle, uint32_t piece) const;

    /**
     * @param bundle a bundle
     * @return the number of the result that its messages carry, in the order of the operators that
     *         are read: the same content and part of it
     */
    uint32_t GetResult(const Bundle& bundle) const;

  private:
    /// The part of an operator's result that another operator reads.
    struct Read
    {
        uint32_t from{0};   //!< The operator that is read
        uint32_t to{0};     //!< The operator that reads it
        uint32_t result{0}; //!< The number of the content and the part of it
        uint32_t whole{0};  //!< The number of all of the content; NONE if nothing reads all of it
    };

    /**
     * @param result the number of a result
     * @param piece the number of a piece
     * @param destination a GPU
     * @return the bundle that takes the result of the piece there; NONE if there is none
     */
    uint32_t FindBundle(uint32_t result, uint32_t piece, uint32_t destination) const;

    /**
     * @param read the number of a read
     * @param piece the number of a piece that it reads
     * @param destination the GPU that reads it
     * @return the bundle with what is read or else with the whole result; NONE if there is neither
     */
    uint32_t FindBundle(const Read& read, uint32_t piece, uint32_t destination) const;

    const OperatorPieces& m_pieces;     //!< The pieces
    uint32_t m_gpus;                    //!< Number of GPUs
    std::vector<Read> m_reads;          //!< All reads, by the operator that reads
    std::vector<uint32_t> m_firstReads; //!< Number of the first read, by the operator that reads
    std::vector<Bundle> m_bundles;      //!< The messages
    uint32_t m_count{0};                //!< Their number
    /// The last bundle by result and destination; none for a result without messages
    std::vector<std::vector<uint32_t>> m_last;
};

} // namespace lightpath
} // namespace ns3

#endif /* PIECE_MESSAGES_H */
