/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-statistics.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

void
TransportStatistics::Add(const TransportStatistics& other)
{
    connections += other.connections;
    handshake = std::max(handshake, other.handshake);
    packets += other.packets;
    retransmittedBytes += other.retransmittedBytes;
    slowStartBytes += other.slowStartBytes;
    if (other.roundTrips > 0)
    {
        leastRoundTrip =
            roundTrips > 0 ? std::min(leastRoundTrip, other.leastRoundTrip) : other.leastRoundTrip;
    }
    roundTrips += other.roundTrips;
    roundTripSeconds += other.roundTripSeconds;
    opticalMessages += other.opticalMessages;
    opticalBytes += other.opticalBytes;
    electricalMessages += other.electricalMessages;
    electricalBytes += other.electricalBytes;
    messageBytes += other.messageBytes;
    forwardedBytes += other.forwardedBytes;
}

void
TransportStatistics::AddRoundTrip(Time time)
{
    leastRoundTrip = roundTrips > 0 ? std::min(leastRoundTrip, time) : time;
    ++roundTrips;
    roundTripSeconds += time.GetSeconds();
}

double
TransportStatistics::GetMeanRoundTrip() const
{
    return roundTrips > 0 ? roundTripSeconds / static_cast<double>(roundTrips) : 0;
}

} // namespace lightpath
} // namespace ns3
