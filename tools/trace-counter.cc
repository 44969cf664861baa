/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-counter.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-flow-probe.h"
#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/queue.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

using namespace ns3;

void
TraceCounter::Watch(const std::string& prefix, const NetDeviceContainer& devices)
{
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto device = devices.Get(i);
        const std::string name = prefix + "-" + std::to_string(device->GetNode()->GetId()) + "-" +
                                 std::to_string(device->GetIfIndex());
        m_counts.emplace_back();
        Counts& counts = m_counts.back();
        counts.capture = name + ".pcap";
        counts.ascii = name + ".tr";
        counts.isPpp = DynamicCast<PointToPointNetDevice>(device) != nullptr;
        device->TraceConnectWithoutContext(
            "PhyTxBegin",
            MakeBoundCallback(&TraceCounter::CountFrame, &counts, &counts.sent));
        device->TraceConnectWithoutContext(
            "PhyRxEnd",
            MakeBoundCallback(&TraceCounter::CountFrame, &counts, &counts.received));
        device->TraceConnectWithoutContext(
            "PhyRxDrop",
            MakeBoundCallback(&TraceCounter::CountEvent, &counts.corrupt));
        device->TraceConnectWithoutContext(
            "MacRx",
            MakeBoundCallback(&TraceCounter::CountEvent, &counts.taken));
        device->TraceConnectWithoutContext(
            "Forward",
            MakeBoundCallback(&TraceCounter::CountEvent, &counts.relayed));
        PointerValue value;
        device->GetAttribute("TxQueue", value);
        const auto queue = value.Get<Queue<Packet>>();
        queue->TraceConnectWithoutContext(
            "Enqueue",
            MakeBoundCallback(&TraceCounter::CountEvent, &counts.enqueued));
        queue->TraceConnectWithoutContext(
            "Dequeue",
            MakeBoundCallback(&TraceCounter::CountEvent, &counts.dequeued));
        queue->TraceConnectWithoutContext(
            "Drop",
            MakeBoundCallback(&TraceCounter::CountEvent, &counts.dropped));
    }
}

void
TraceCounter::CountFrame(Counts* counts, uint64_t* frames, Ptr<const Packet> frame)
{
    ++*frames;
    counts->bytes += frame->GetSize();
    const auto packet = frame->Copy();
    bool isIpv4 = false;
    if (counts->isPpp)
    {
        PppHeader header;
        packet->RemoveHeader(header);
        constexpr uint16_t ipv4 = 0x21;
        isIpv4 = header.GetProtocol() == ipv4;
    }
    else
    {
        EthernetHeader header(false);
        packet->RemoveHeader(header);
        constexpr uint16_t ipv4 = 0x0800;
        isIpv4 = header.GetLengthType() == ipv4;
    }
    if (!isIpv4)
    {
        return;
    }
    ++counts->ipv4;
    Ipv4Header header;
    packet->PeekHeader(header);
    constexpr uint8_t tcp = 6;
    constexpr uint8_t udp = 17;
    counts->tcp += header.GetProtocol() == tcp;
    counts->udp += header.GetProtocol() == udp;
}

void
TraceCounter::CountEvent(uint64_t* events, Ptr<const Packet> packet)
{
    ++*events;
}

nlohmann::ordered_json
TraceCounter::Report(const FlowMonitor& monitor) const
{
    auto devices = nlohmann::ordered_json::array();
    for (const auto& counts : m_counts)
    {
        devices.push_back({
            {"capture", counts.capture},
            {"frames", counts.sent + counts.received},
            {"bytes", counts.bytes},
            {"ipv4", counts.ipv4},
            {"tcp", counts.tcp},
            {"udp", counts.udp},
            {"forwarded", counts.relayed},
            {"ascii", counts.ascii},
            {"enqueued", counts.enqueued},
            {"dequeued", counts.dequeued},
            {"received", counts.taken},
            {"dropped", counts.dropped + counts.corrupt},
        });
    }
    return {{"devices", devices}, {"flows", ReportFlows(monitor)}};
}

nlohmann::ordered_json
TraceCounter::ReportFlows(const FlowMonitor& monitor) const
{
    static constexpr std::array<const char*, Ipv4FlowProbe::DROP_INVALID_REASON> names = {
        "no route",
        "time to live",
        "checksum",
        "queue",
        "queue disc",
        "interface down",
        "route error",
        "fragment timeout"};
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t lost = 0;
    auto reasons = nlohmann::ordered_json::object();
    const auto add = [&reasons](const char* name, uint64_t packets) {
        if (packets > 0)
        {
            reasons[name] = reasons.value(name, uint64_t{0}) + packets;
        }
    };
    for (const auto& flow : monitor.GetFlowStats())
    {
        sent += flow.second.txPackets;
        received += flow.second.rxPackets;
        lost += flow.second.lostPackets;
        const auto& dropped = flow.second.packetsDropped;
        for (std::size_t i = 0; i < std::min(dropped.size(), names.size()); ++i)
        {
            add(names[i], dropped[i]);
        }
    }
    // FlowMonitor does not know of frames that a net device finds corrupt
    for (const auto& counts : m_counts)
    {
        add("corrupt", counts.corrupt);
    }
    return {{"sent", sent}, {"received", received}, {"lost", lost}, {"reasons", reasons}};
}
