/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAIT_LOG_H
#define WAIT_LOG_H

#include "rank-result.h"
#include "wait-ledger.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class ByteArchive;

/**
 * @ingroup lightpath
 * @brief What a WaitLedger is told, kept until all of it is known.
 *
 * A wait follows from what other ranks do, which a process knows of its own ranks only. So each
 * process keeps a log, and one of them gives all of the logs to a ledger, in the order of time and
 * of ranks at one instant.
 */
class WaitLog
{
  public:
    /// Calls of a WaitLedger.
    enum Kind : uint8_t
    {
        BEGIN,
        COMPUTE,
        HAND_OVER,
        TAKE,
        JOIN,
        LEAVE,
        EXPLAIN,
        END_ITERATION
    };

    /// A call.
    struct Entry
    {
        int64_t now;    //!< When it was called, ticks
        int64_t time;   //!< The end of a computation, or a dark time, ticks
        uint64_t tag;   //!< The tag of a message or an operation
        uint32_t rank;  //!< The rank that called
        uint32_t other; //!< The other rank, or the first member of a group
        uint8_t kind;   //!< Its Kind
        uint8_t group;  //!< The kind of group
        bool isInside;  //!< Whether messages in the group stay inside a server
    };

    /**
     * @param entry a call, not earlier than the last one
     */
    void Add(const Entry& entry)
    {
        m_entries.push_back(entry);
    }

    /**
     * Write or read the calls; what is read follows those that are there.
     *
     * @param [in,out] archive where to
     */
    void Pass(ByteArchive& archive);

    /**
     * Give the calls to a ledger.
     *
     * @param [in,out] ledger the ledger
     * @param [in,out] results the results of all ranks, whose records get their waits
     */
    void Settle(WaitLedger& ledger, std::vector<RankResult>& results);

  private:
    std::vector<Entry> m_entries; //!< The calls
};

} // namespace lightpath
} // namespace ns3

#endif /* WAIT_LOG_H */
