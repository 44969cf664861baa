/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-switch.h"

#include "rdma-network.h"
#include "rdma-paths.h"
#include "rdma-skipper.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("RdmaSwitch");

NS_OBJECT_ENSURE_REGISTERED(RdmaSwitch);

TypeId
RdmaSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RdmaSwitch")
            .SetParent<Object>()
            .SetGroupName("Lightpath")
            .AddConstructor<RdmaSwitch>()
            .AddAttribute("Buffer",
                          "Size of the buffer that all ports share, bytes.",
                          UintegerValue(64 << 20),
                          MakeUintegerAccessor(&RdmaSwitch::m_buffer),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Headroom",
                          "Bytes kept free for what arrives at a port by which a class has been "
                          "paused; 0: as many as the rate and the delay of its link need.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaSwitch::m_headroom),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("PauseThreshold",
                          "Bytes that a class of a port may have in the buffer before it is "
                          "paused; 0: by Alpha.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaSwitch::m_threshold),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Alpha",
                          "What a class of a port may have over what is free of the buffer "
                          "(dynamic threshold; 1/8 as in the simulator of HPCC).",
                          DoubleValue(0.125),
                          MakeDoubleAccessor(&RdmaSwitch::m_alpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("LosslessClasses",
                          "Classes with priority flow control, a bit each; 0: none.",
                          UintegerValue(1 << DATA_CLASS),
                          MakeUintegerAccessor(&RdmaSwitch::m_lossless),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("Kmin",
                          "Queue from which packets are marked, bytes; 0: 100 kB for each 25 "
                          "Gbit/s (Li et al. 2019, section 5.1, for DCQCN).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaSwitch::m_least),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Kmax",
                          "Queue from which all packets are marked, bytes; 0: 400 kB for each 25 "
                          "Gbit/s (there).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaSwitch::m_most),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MarkProbability",
                          "Probability of a mark at Kmax (Pmax).",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&RdmaSwitch::m_probability),
                          MakeDoubleChecker<double>(0, 1))
            .AddTraceSource("Pause",
                            "The other end of a link is told to stop a class, or to go on.",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_pauseTrace),
                            "ns3::lightpath::RdmaSwitch::PauseTracedCallback")
            .AddTraceSource("Mark",
                            "A packet is marked: the link that it leaves by, and the queue.",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_markTrace),
                            "ns3::lightpath::RdmaSwitch::QueueTracedCallback")
            .AddTraceSource("Drop",
                            "A frame is lost: the link that it has crossed, and its bytes.",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_dropTrace),
                            "ns3::lightpath::RdmaSwitch::QueueTracedCallback")
            .AddTraceSource("Queue",
                            "A queue of the class of data changes.",
                            MakeTraceSourceAccessor(&RdmaSwitch::m_queueTrace),
                            "ns3::lightpath::RdmaSwitch::QueueTracedCallback");
    return tid;
}

RdmaSwitch::RdmaSwitch()
{
}

uint64_t
RdmaSwitch::GetUsualHeadroom(uint32_t packet, const RdmaLink& link)
{
    const uint32_t frame = packet + ROCE_HEADER_BYTES + TELEMETRY_BYTES;
    const int64_t each = link.GetTime(frame);
    const int64_t until = 2 * link.delay + link.GetTime(PAUSE_BYTES) + each;
    // The first one, and one that has just begun, since short frames move the others
    return 2 * frame + static_cast<uint64_t>(until * frame / each) + 1;
}

uint64_t
RdmaSwitch::Divide(const std::vector<RdmaLink>& links,
                   const std::vector<uint32_t>& in,
                   uint32_t packet)
{
    uint64_t headroom = 0;
    m_headrooms.clear();
    for (const uint32_t link : in)
    {
        m_headrooms.push_back(m_headroom > 0 ? m_headroom : GetUsualHeadroom(packet, links[link]));
        for (uint32_t i = 0; i < N_CLASSES; ++i)
        {
            headroom += (m_lossless >> i & 1) * m_headrooms.back();
        }
    }
    m_sharedSize = m_buffer - headroom;
    return headroom;
}

void
RdmaSwitch::SetUp(RdmaNetwork& network, uint32_t node)
{
    m_network = &network;
    m_random = CreateObject<UniformRandomVariable>();
    m_pauseTrace.SetWatch(network.GetWatch());
    m_markTrace.SetWatch(network.GetWatch());
    m_dropTrace.SetWatch(network.GetWatch());
    m_queueTrace.SetWatch(network.GetWatch());
    const RdmaPaths& paths = network.GetPaths();
    m_node = node;
    m_name = paths.GetGraph().GetName(node);
    m_out = paths.GetOut(node);
    m_entries.resize(paths.GetIn(node).size() * N_CLASSES);
    Divide(network.GetLinks(), paths.GetIn(node), network.GetPacketSize());
}

int64_t
RdmaSwitch::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint64_t
RdmaSwitch::GetShare() const
{
    return m_threshold > 0
               ? m_threshold
               : static_cast<uint64_t>(m_alpha * static_cast<double>(m_sharedSize - m_shared));
}

uint32_t
RdmaSwitch::ChooseLink(const RdmaFrame& frame)
{
    RdmaPaths& paths = m_network->GetPaths();
    const auto& links = paths.GetNext(m_node, frame.destination);
    if (links.size() == 1)
    {
        return links.front();
    }
    if (links.empty())
    {
        return RdmaLink::NONE;
    }
    const auto n = static_cast<uint32_t>(links.size());
    const bool isSprayed = m_network->GetRouting() == RdmaNetwork::SPRAY;
    const uint32_t first = isSprayed && frame.kind == RdmaFrame::DATA
                               ? paths.TakeTurn(m_node, frame.destination, n)
                               : paths.Hash(frame.entropy, m_node, n);
    if (m_network->GetRouting() != RdmaNetwork::ADAPTIVE)
    {
        // Answers take turns of their own, so that packets have all links
        return links[(first + (isSprayed ? frame.answered : 0)) % n];
    }
    uint32_t best = links[first];
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < n; ++i)
    {
        const uint32_t index = links[(first + i) % n];
        m_network->Advance(index);
        const RdmaLink& link = m_network->GetLinks()[index];
        const uint64_t bytes = link.queues[frame.trafficClass].bytes +
                               (link.IsPaused(frame.trafficClass) ? UINT32_MAX : 0);
        if (bytes < least)
        {
            least = bytes;
            best = index;
        }
    }
    return best;
}

bool
RdmaSwitch::Fits(const Entry& entry, const RdmaFrame& frame, const RdmaLink& out) const
{
    const bool isLossless = (m_lossless >> frame.trafficClass & 1) != 0;
    const uint64_t before = isLossless ? entry.shared : out.queues[frame.trafficClass].bytes;
    return before + frame.bytes <= GetShare() && m_shared + frame.bytes <= m_sharedSize;
}

bool
RdmaSwitch::Admit(uint32_t index, const RdmaFrame& frame, uint32_t out)
{
    const RdmaLink& in = m_network->GetLinks()[index];
    const RdmaLink& to = m_network->GetLinks()[out];
    Entry& entry = m_entries[in.port * N_CLASSES + frame.trafficClass];
    if (entry.headroom == 0 && !Fits(entry, frame, to))
    {
        // Some may have left that nobody has asked for yet
        for (const uint32_t each : m_out)
        {
            m_network->Advance(each);
        }
    }
    if (entry.headroom == 0 && Fits(entry, frame, to))
    {
        entry.shared += frame.bytes;
        m_shared += frame.bytes;
        return true;
    }
    if ((m_lossless >> frame.trafficClass & 1) == 0)
    {
        return false;
    }
    const bool hasRoom = entry.headroom + frame.bytes <= m_headrooms[in.port];
    if (hasRoom)
    {
        entry.headroom += frame.bytes;
    }
    if (!entry.isPaused)
    {
        entry.isPaused = true;
        ++m_nPausing;
        Tell(index, frame.trafficClass, true);
        // From now on, what leaves has to be known at its time
        for (const uint32_t each : m_out)
        {
            m_network->Advance(each);
            if (m_network->GetLinks()[each].waiting != 0)
            {
                m_network->WakeAt(each, m_network->GetLinks()[each].freeAt);
            }
        }
    }
    return hasRoom;
}

uint8_t
RdmaSwitch::GetPaused(uint32_t port) const
{
    uint8_t paused = 0;
    for (uint32_t i = 0; i < N_CLASSES; ++i)
    {
        paused |= m_entries[port * N_CLASSES + i].isPaused ? 1 << i : 0;
    }
    return paused;
}

void
RdmaSwitch::Tell(uint32_t index, uint8_t trafficClass, bool pauses)
{
    RdmaFrame* const frame = m_network->MakeFrame();
    frame->kind = RdmaFrame::PAUSE;
    frame->bytes = PAUSE_BYTES;
    frame->trafficClass = PAUSE_CLASS;
    frame->classes = static_cast<uint8_t>(1 << trafficClass);
    frame->pauses = pauses;
    m_network->Count().pauses += pauses ? 1 : 0;
    m_pauseTrace(index, trafficClass, pauses);
    m_network->Enqueue(m_network->GetLinks()[index].reverse, frame);
}

void
RdmaSwitch::Mark(RdmaFrame& frame, const RdmaFrameList& queue, const RdmaLink& out, uint32_t link)
{
    // Per 25 Gbit/s
    const double scale = out.bitRate / 25e9;
    const double least = m_least > 0 ? static_cast<double>(m_least) : 1e5 * scale;
    const double most = std::max(m_most > 0 ? static_cast<double>(m_most) : 4e5 * scale, least);
    const auto bytes = static_cast<double>(queue.bytes);
    if (bytes > most ||
        (bytes > least && m_random->GetValue() * (most - least) < m_probability * (bytes - least)))
    {
        frame.isMarked = true;
        ++m_network->Count().marks;
        m_markTrace(link, queue.bytes);
        if (m_network->GetSkipper())
        {
            m_network->GetSkipper()->Wake(link);
        }
    }
}

void
RdmaSwitch::Receive(uint32_t index, RdmaFrame* frame)
{
    const RdmaLink& in = m_network->GetLinks()[index];
    if (frame->kind == RdmaFrame::PAUSE && !in.hasFailed)
    {
        m_network->Pause(in.reverse, *frame);
        m_network->Release(frame);
        return;
    }
    const uint32_t out = in.hasFailed ? RdmaLink::NONE : ChooseLink(*frame);
    if (out == RdmaLink::NONE || m_network->IsLost(*frame) || !Admit(index, *frame, out))
    {
        NS_LOG_LOGIC(m_name << " has no room or no link for a frame of " << frame->bytes
                            << " bytes");
        ++m_network->Count().drops;
        m_dropTrace(index, frame->bytes);
        m_network->Release(frame);
        return;
    }
    frame->ingress = index;
    if (frame->kind == RdmaFrame::DATA)
    {
        m_network->Advance(out);
        const RdmaLink& link = m_network->GetLinks()[out];
        Mark(*frame, link.queues[frame->trafficClass], link, out);
        m_queueTrace(out, link.queues[frame->trafficClass].bytes + frame->bytes);
    }
    m_network->Enqueue(out, frame);
}

void
RdmaSwitch::NoteLeaves(uint32_t index, RdmaFrame& frame, int64_t time)
{
    if (frame.kind == RdmaFrame::PAUSE)
    {
        return;
    }
    const RdmaLink& out = m_network->GetLinks()[index];
    if (frame.kind == RdmaFrame::DATA)
    {
        m_queueTrace(index, out.queues[frame.trafficClass].bytes);
    }
    if (frame.telemetry && frame.kind == RdmaFrame::DATA &&
        frame.telemetry->nHops < RdmaTelemetry::MOST_HOPS)
    {
        frame.telemetry->hops[frame.telemetry->nHops++] = {time,
                                                           out.sentBytes,
                                                           out.queues[frame.trafficClass].bytes,
                                                           out.bitRate};
    }
    Entry& entry =
        m_entries[m_network->GetLinks()[frame.ingress].port * N_CLASSES + frame.trafficClass];
    const uint64_t ofHeadroom = std::min<uint64_t>(entry.headroom, frame.bytes);
    entry.headroom -= ofHeadroom;
    entry.shared -= frame.bytes - ofHeadroom;
    m_shared -= frame.bytes - ofHeadroom;
    // Room for two more
    const uint64_t frames = 2 * (m_network->GetPacketSize() + ROCE_HEADER_BYTES);
    if (entry.isPaused && entry.headroom == 0 &&
        (entry.shared == 0 || entry.shared + frames <= GetShare()))
    {
        entry.isPaused = false;
        --m_nPausing;
        Tell(frame.ingress, frame.trafficClass, false);
    }
}

} // namespace lightpath
} // namespace ns3
