/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_RESULT_H
#define RANK_RESULT_H

#include "training-application.h"

#include "ns3/nstime.h"
#include "ns3/transport-statistics.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class ByteArchive;

/**
 * @ingroup lightpath
 * @brief What a report needs to know of a rank.
 */
struct RankResult
{
    std::vector<IterationRecord> records; //!< The iterations that have ended
    uint64_t sentBytes{0};                //!< Bytes that it has sent, with headers
    uint64_t insideBytes{0};              //!< Those of them over the scale-up network of its server
    Time setUpTime;                       //!< Transport::GetSetUpTime()
    TransportStatistics statistics;       //!< Counts of its transport

    /// When it began to have frames, but no light for any of them, and when that was over, by turns
    std::vector<Time> darkChanges;

    /**
     * @param end a time
     * @return its Transport::GetDarkTime() then
     */
    Time GetDarkTime(const Time& end) const;

    /**
     * Write or read the result.
     *
     * @param [in,out] archive where to
     */
    void Pass(ByteArchive& archive);
};

} // namespace lightpath
} // namespace ns3

#endif /* RANK_RESULT_H */
