/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CACHE_TRANSFER_H
#define CACHE_TRANSFER_H

#include "pass-writer.h"

#include "ns3/operator-graph.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the messages by which GPUs that prefill prompts hand over their cache to GPUs that
 * generate tokens: keys and values of a layer as soon as they are computed, while attention and
 * later layers are, and the first token of each sequence at last.
 *
 * The messages are those of PIPELINE_GROUP, of which all GPUs form one group.
 */
class CacheTransfer
{
  public:
    /// The sequences that a GPU hands over to another GPU, or receives from it.
    struct Link
    {
        uint32_t peer;      //!< The other GPU
        uint64_t sequences; //!< Number of sequences
    };

    static constexpr uint64_t TOKEN_BYTES{4}; //!< Bytes of a token

    /**
     * @param kind SEND for the GPUs that prefill, RECEIVE for the others
     * @param prefill the graph of the prefill
     * @param links the messages of each layer
     * @param shares the messages that hand over the cache of a sequence and layer, in equal shares
     */
    CacheTransfer(TaskKind kind,
                  const OperatorGraph& prefill,
                  std::vector<Link> links,
                  uint32_t shares);

    /**
     * Write the messages that come before an operator: those of its keys and values to send, or all
     * receives before the first operator.
     *
     * @param op the operator
     * @param writer the writer of the program
     * @param [in,out] after the tasks that the operator waits for
     */
    void AddTo(const Operator& op, PassWriter& writer, std::vector<uint32_t>& after);

    /**
     * Write the last messages to send, once all has been computed.
     *
     * @param writer the writer of the program
     */
    void Finish(PassWriter& writer);

  private:
    /**
     * Write the next message over each link.
     *
     * @param writer the writer of the program
     * @param after the tasks that they wait for
     * @return their indices
     */
    std::vector<uint32_t> Write(PassWriter& writer, const std::vector<uint32_t>& after);

    TaskKind m_kind;                  //!< Kind of the messages
    std::vector<uint64_t> m_bytes;    //!< Bytes of the cache of a sequence, by layer
    std::vector<Link> m_links;        //!< The messages of each layer
    uint32_t m_shares;                //!< Messages for the cache of a sequence and layer
    uint32_t m_next{0};               //!< Layers whose messages have been written
    std::vector<uint32_t> m_received; //!< The receives
};

} // namespace lightpath
} // namespace ns3

#endif /* CACHE_TRANSFER_H */
