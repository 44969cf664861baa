/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-result.h"

#include "model/base/byte-archive.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{
namespace lightpath
{

Time
RankResult::GetDarkTime(const Time& end) const
{
    Time sum;
    for (std::size_t i = 0; i < darkChanges.size() && darkChanges[i] < end; i += 2)
    {
        sum +=
            (i + 1 < darkChanges.size() ? std::min(darkChanges[i + 1], end) : end) - darkChanges[i];
    }
    return sum;
}

void
RankResult::Pass(ByteArchive& archive)
{
    archive.PassSize(records);
    for (IterationRecord& record : records)
    {
        archive.Pass(record.begin);
        archive.Pass(record.end);
        archive.Pass(record.compute);
        archive.Pass(record.noise);
    }
    archive.Pass(sentBytes);
    archive.Pass(insideBytes);
    archive.Pass(setUpTime);
    for (Time* const time : {&statistics.handshake, &statistics.leastRoundTrip})
    {
        archive.Pass(*time);
    }
    for (uint64_t* const count : {&statistics.connections,
                                  &statistics.packets,
                                  &statistics.retransmittedBytes,
                                  &statistics.slowStartBytes,
                                  &statistics.roundTrips,
                                  &statistics.opticalMessages,
                                  &statistics.opticalBytes,
                                  &statistics.electricalMessages,
                                  &statistics.electricalBytes,
                                  &statistics.messageBytes,
                                  &statistics.forwardedBytes,
                                  &statistics.repeatedBytes})
    {
        archive.Pass(*count);
    }
    archive.Pass(statistics.roundTripSeconds);
    archive.PassSize(darkChanges);
    for (Time& change : darkChanges)
    {
        archive.Pass(change);
    }
}

} // namespace lightpath
} // namespace ns3
