/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "datacenter-helper.h"

#include "clos-builder.h"
#include "model/base/wire-format.h"

#include "ns3/abort.h"
#include "ns3/ipv4.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes of the TCP and IPv4 headers of a packet.
constexpr uint32_t SEGMENT_HEADERS = TCP_HEADER_BYTES + IPV4_HEADER_BYTES;

} // namespace

DatacenterHelper::DatacenterHelper()
    : InterconnectHelper(DataRate("100Gbps")),
      m_delay(NanoSeconds(500))
{
}

std::string
DatacenterHelper::Check(uint32_t nNodes) const
{
    constexpr uint16_t least = 576;
    if (GetBandwidth().GetBitRate() == 0)
    {
        return "The bandwidth of a network of switches must not be zero";
    }
    if (m_delay.IsStrictlyNegative())
    {
        return "A link cannot have a delay of " + std::to_string(m_delay.GetSeconds()) +
               " s: it must be 0 or more";
    }
    if (m_mtu < least)
    {
        return "IP packets of at most " + std::to_string(m_mtu) +
               " bytes are too short: " + std::to_string(least) + " is the least";
    }
    if (m_oversubscription == 0)
    {
        return "An oversubscription of 0 would leave no links to nodes: 1 is the least";
    }
    return "";
}

Attach
DatacenterHelper::GetUsualAttach(uint32_t gpus, uint32_t cards) const
{
    return cards < gpus ? Attach::CARDS : Attach::GPU;
}

std::string
DatacenterHelper::CheckCut(uint32_t nNodes) const
{
    return m_delay.IsZero() ? "A network of switches is divided among processes at links with a "
                              "delay, and its links have none: give --linkDelay, or run it in "
                              "one process"
                            : "";
}

void
DatacenterHelper::SetMessageDelay(Time delay)
{
    m_messageDelay = delay;
}

Time
DatacenterHelper::GetMessageDelay() const
{
    return m_messageDelay;
}

void
DatacenterHelper::SetDelay(Time delay)
{
    m_delay = delay;
}

void
DatacenterHelper::SetMtu(uint16_t mtu)
{
    m_mtu = mtu;
}

void
DatacenterHelper::SetCutThrough(uint32_t bytes)
{
    m_cutBytes = bytes;
}

void
DatacenterHelper::SetQueueSize(uint32_t bytes)
{
    m_queueBytes = bytes;
}

void
DatacenterHelper::EnableMarking(uint32_t bytes)
{
    m_marks = true;
    m_markingBytes = bytes;
}

uint32_t
DatacenterHelper::GetMarkingThreshold() const
{
    constexpr double share = 0.2;
    // A longer packet stands for a train of packets of this size
    constexpr uint16_t packet = 9000;
    const double underWay = GetBandwidth().GetBitRate() / 8.0 * GetRoundTrip().GetSeconds();
    return static_cast<uint32_t>(std::max(share * underWay, 10.0 * std::min(m_mtu, packet)));
}

void
DatacenterHelper::SetOversubscription(uint32_t factor)
{
    m_oversubscription = factor;
}

uint32_t
DatacenterHelper::GetOversubscription() const
{
    return m_oversubscription;
}

void
DatacenterHelper::SetHashSeed(uint32_t seed)
{
    m_seed = seed;
}

Time
DatacenterHelper::GetLatency(uint32_t links) const
{
    // Each switch takes in a packet, or its beginning, before it sends it
    const uint32_t first = m_cutBytes > 0 ? std::min<uint32_t>(m_cutBytes, m_mtu) : m_mtu;
    return links * m_delay +
           (links - 1) * GetBandwidth().CalculateBytesTxTime(first + PPP_HEADER_BYTES);
}

double
DatacenterHelper::GetMessageRate() const
{
    return GetBandwidth().GetBitRate() * static_cast<double>(m_mtu - SEGMENT_HEADERS) /
           (m_mtu + PPP_HEADER_BYTES);
}

Time
DatacenterHelper::GetRoundTrip() const
{
    const uint32_t links = GetNLinks();
    return GetLatency(links) + GetBandwidth().CalculateBytesTxTime(m_mtu + PPP_HEADER_BYTES) +
           links *
               (m_delay + GetBandwidth().CalculateBytesTxTime(SEGMENT_HEADERS + PPP_HEADER_BYTES));
}

NetDeviceContainer
DatacenterHelper::Install(const NodeContainer& nodes) const
{
    RequireValid(nodes.GetN());
    ClosLinks links;
    links.delay = m_delay;
    links.mtu = m_mtu;
    links.cutBytes = m_cutBytes > 0 ? m_cutBytes + PPP_HEADER_BYTES : 0;
    links.queueBytes = m_queueBytes;
    links.seed = m_seed;
    if (m_marks)
    {
        links.markingBytes = m_markingBytes > 0 ? m_markingBytes : GetMarkingThreshold();
    }
    ClosBuilder builder(links);
    for (uint32_t host = 0; host < nodes.GetN(); ++host)
    {
        builder.AddHost(nodes.Get(host), host);
    }
    const NetDeviceContainer devices = Build(builder, nodes);
    for (uint32_t host = 0; host < nodes.GetN(); ++host)
    {
        const auto ipv4 = nodes.Get(host)->GetObject<Ipv4>();
        ipv4->AddAddress(ipv4->GetInterfaceForDevice(devices.Get(host)),
                         Ipv4InterfaceAddress(ClosRouting::GetAddress(host), Ipv4Mask::GetOnes()));
    }
    return devices;
}

Ipv4InterfaceContainer
DatacenterHelper::AssignAddresses(const NetDeviceContainer& devices) const
{
    Ipv4InterfaceContainer interfaces;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto ipv4 = (*device)->GetNode()->GetObject<Ipv4>();
        const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(*device) : -1;
        NS_ABORT_MSG_IF(interface < 0,
                        "The device of node " << (*device)->GetNode()->GetId()
                                              << " is not one that the helper of a network of "
                                                 "switches has installed");
        interfaces.Add(ipv4, interface);
    }
    return interfaces;
}

} // namespace lightpath
} // namespace ns3
