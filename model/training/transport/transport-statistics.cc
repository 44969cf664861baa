/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transport-statistics.h"

#include "model/training/run/report-format.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>

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
    repeatedBytes += other.repeatedBytes;
    rdmaFrames += other.rdmaFrames;
    rdmaMarks += other.rdmaMarks;
    rdmaPauses += other.rdmaPauses;
    rdmaDrops += other.rdmaDrops;
    rdmaSkipped += other.rdmaSkipped;
    rdmaResent += other.rdmaResent;
    rdmaEvents += other.rdmaEvents;
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

void
TransportStatistics::AddTo(nlohmann::ordered_json& json) const
{
    if (connections > 0)
    {
        json["transport"] = {{"connections", connections},
                             {"handshakeSeconds", ToSeconds(handshake)},
                             {"leastRoundTripSeconds", ToSeconds(leastRoundTrip)},
                             {"roundTripSeconds", GetMeanRoundTrip()},
                             {"packets", packets},
                             {"slowStartBytes", slowStartBytes},
                             {"retransmittedBytes", retransmittedBytes}};
    }
    if (opticalMessages + electricalMessages > 0)
    {
        json["hybrid"] = {{"opticalMessages", opticalMessages},
                          {"opticalBytes", opticalBytes},
                          {"electricalMessages", electricalMessages},
                          {"electricalBytes", electricalBytes}};
    }
    if (messageBytes > 0)
    {
        json["relay"] = {{"messageBytes", messageBytes}, {"forwardedBytes", forwardedBytes}};
    }
    if (repeatedBytes > 0)
    {
        json["repeatedBytes"] = repeatedBytes;
    }
    if (rdmaFrames > 0)
    {
        json["rdma"] = {{"frames", rdmaFrames},
                        {"marks", rdmaMarks},
                        {"pauses", rdmaPauses},
                        {"drops", rdmaDrops},
                        {"resent", rdmaResent},
                        {"skipped", rdmaSkipped},
                        {"events", rdmaEvents}};
    }
}

void
TransportStatistics::Print(std::ostream& os, const std::string& name, uint64_t sentBytes) const
{
    const uint64_t messages = opticalMessages + electricalMessages;
    if (messages > 0)
    {
        const auto percent = [](uint64_t part, uint64_t all) {
            return 100 * static_cast<double>(part) / static_cast<double>(all);
        };
        os << name << ": " << std::setprecision(3) << percent(electricalMessages, messages)
           << " % of the messages with " << percent(electricalBytes, opticalBytes + electricalBytes)
           << " % of the bytes went electrically\n";
    }
    if (messageBytes > 0)
    {
        const double forwarded =
            static_cast<double>(forwardedBytes) / static_cast<double>(messageBytes);
        os << name << ": a byte took " << std::setprecision(3) << 1 + forwarded
           << " lightpaths on average\n";
    }
    if (repeatedBytes > 0)
    {
        os << name << ": " << std::setprecision(4) << repeatedBytes / 1e6 << " MB of "
           << sentBytes / 1e6 << " MB were lost and sent again\n";
    }
    if (rdmaFrames > 0)
    {
        os << name << ": cards sent " << std::setprecision(4) << rdmaFrames / 1e6
           << " million frames";
        if (rdmaSkipped > 0)
        {
            os << " (" << std::setprecision(3)
               << 100 * static_cast<double>(rdmaSkipped) / static_cast<double>(rdmaFrames)
               << " % in a steady state, not simulated)" << std::setprecision(4);
        }
        os << ", and " << rdmaResent << " packets again; switches marked " << rdmaMarks << ", lost "
           << rdmaDrops << " and paused ports " << rdmaPauses << " times; " << rdmaEvents / 1e6
           << " million events\n";
    }
    if (connections == 0)
    {
        return;
    }
    os << name << ": " << connections << " connections";
    if (handshake.IsStrictlyPositive())
    {
        os << ", open after " << FormatSeconds(ToSeconds(handshake)) << " at most";
    }
    os << "; round trip " << FormatSeconds(GetMeanRoundTrip()) << " on average, "
       << FormatSeconds(ToSeconds(leastRoundTrip)) << " at least; " << std::setprecision(4)
       << packets / 1e6 << " million packets with " << sentBytes / 1e9 << " GB, of which "
       << slowStartBytes / 1e6 << " MB in slow start and " << retransmittedBytes / 1e6
       << " MB sent again\n";
}

} // namespace lightpath
} // namespace ns3
