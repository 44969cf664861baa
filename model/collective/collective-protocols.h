/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_PROTOCOLS_H
#define COLLECTIVE_PROTOCOLS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// A protocol that carries out collective operations on buffers of some sizes.
struct CollectiveProtocol
{
    std::string name;               //!< For reports
    uint64_t wireBytes{1};          //!< Bytes sent, flags included,
    uint64_t dataBytes{1};          //!< for these bytes of data
    double latency{0};              //!< Time to launch it besides CollectiveLatency, seconds
    uint64_t mostBytes{UINT64_MAX}; //!< Size of the largest buffer that it is used for, bytes
};

/**
 * @ingroup lightpath
 * @brief The protocols of the collective operations of a job, of which the size of the buffer
 * selects one.
 *
 * A protocol that sends flags with its data needs no separate synchronisation: it starts sooner,
 * but sends more bytes. In NCCL, LL sends 8 bytes of flags with 8 bytes of data, LL128 sends 8 with
 * 120, and Simple synchronises separately. An operation on S bytes by a protocol with w bytes on
 * the wire for d bytes of data is carried out as one on ceil(S w / d) bytes.
 *
 * Without a table, operations send their data alone and are launched in the CollectiveLatency of
 * the TrainingJob.
 */
class CollectiveProtocols
{
  public:
    CollectiveProtocols() = default;

    /**
     * @param table the protocols by ascending size; std::invalid_argument, with one sentence, if
     *        sizes do not ascend, if the last one is limited, if one sends fewer bytes than it has
     *        data, or more than 2^32 - 1 bytes in one unit, or if a latency is negative
     */
    explicit CollectiveProtocols(std::vector<CollectiveProtocol> table);

    /**
     * @param bytes the size of the buffer in bytes
     * @return the protocol that carries out the operation; without a table, one without a name that
     *         adds nothing
     */
    const CollectiveProtocol& Get(uint64_t bytes) const;

    /**
     * @param bytes the size of the buffer in bytes
     * @return the size of the buffer whose operation sends as many bytes without a protocol
     */
    uint64_t GetWireBytes(uint64_t bytes) const;

    /**
     * @return whether there are none
     */
    bool IsEmpty() const;

    /**
     * @return the same protocols, which take no time to launch
     */
    CollectiveProtocols WithoutLatency() const;

  private:
    std::vector<CollectiveProtocol> m_table; //!< The protocols, by ascending size
};

} // namespace lightpath
} // namespace ns3

#endif /* COLLECTIVE_PROTOCOLS_H */
