/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-network.h"

#include "model/base/lightpath-compatibility.h"
#include "model/fabric/link-routes.h"
#include "pause-watch.h"
#include "rdma-card.h"
#include "rdma-net-device.h"
#include "rdma-paths.h"
#include "rdma-queue-pair.h"
#include "rdma-skipper.h"
#include "rdma-switch.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/object-vector.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNetwork);

TypeId
RdmaNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RdmaNetwork")
            .SetParent<Channel>()
            .SetGroupName("Lightpath")
            .AddConstructor<RdmaNetwork>()
            .AddAttribute("Routing",
                          "How switches choose paths; others than ecmp imply SelectiveRepeat.",
                          EnumValue(ECMP),
                          MakeEnumAccessorFor<Routing>(0, &RdmaNetwork::m_routing),
                          MakeEnumChecker(ECMP, "ecmp", SPRAY, "spray", ADAPTIVE, "adaptive"))
            .AddAttribute("Switches",
                          "The switches, in the order of their nodes in the graph.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&RdmaNetwork::m_switches),
                          MakeObjectVectorChecker<RdmaSwitch>())
            .AddAttribute("HashSeed",
                          "Decides on the paths that hashes choose.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaNetwork::m_seed),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("PacketSize",
                          "Largest payload of a packet, bytes (the MTU of InfiniBand).",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RdmaNetwork::m_packet),
                          MakeUintegerChecker<uint32_t>(64, 65000))
            .AddAttribute("SelectiveRepeat",
                          "Senders repeat lost packets, and do not go back to the first of them.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaNetwork::m_isSelective),
                          MakeBooleanChecker())
            .AddAttribute("ReorderLimit",
                          "Packets that overtake one before it counts as lost (SelectiveRepeat).",
                          UintegerValue(256),
                          MakeUintegerAccessor(&RdmaNetwork::m_reorderLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Timeout",
                          "Time without progress after which a queue pair sends again.",
                          TimeValue(NanoSeconds(4096 << 10)),
                          MakeTimeAccessor(&RdmaNetwork::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Retries",
                          "How often in a row a queue pair does so before it fails (retry count).",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaNetwork::m_retries),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MessageDelay",
                          "Time of a message in software and card before its first packet.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaNetwork::m_messageDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Skip",
                          "Packets that need not be simulated: none, or those of queue pairs in a "
                          "steady state (RdmaSkipper).",
                          EnumValue(NONE),
                          MakeEnumAccessorFor<Skip>(0, &RdmaNetwork::m_skip),
                          MakeEnumChecker(NONE, "none", STEADY, "steady"))
            .AddAttribute("DeadlockTime",
                          "Time for which all ports of a circle must have been paused to count "
                          "as a deadlock.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RdmaNetwork::m_deadlockTime),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

RdmaNetwork::RdmaNetwork()
    : m_clock(*this)
{
}

RdmaNetwork::~RdmaNetwork()
{
}

void
RdmaNetwork::DoDispose()
{
    m_clock.Stop();
    m_entering.clear();
    m_failureCallbacks.clear();
    m_devices.clear();
    m_switches.clear();
    Channel::DoDispose();
}

std::string
RdmaNetwork::Check(const LinkGraph& graph, const ObjectFactory& switches, uint32_t packet)
{
    const RdmaPaths paths(graph, 0);
    const auto links = paths.MakeLinks();
    for (const RdmaLink& link : links)
    {
        if (link.reverse == RdmaLink::NONE)
        {
            return "The link from " + graph.GetName(link.fromNode) + " to " +
                   graph.GetName(link.toNode) +
                   " leads one way, and pauses need a way back: add a link there";
        }
    }
    for (uint32_t port = 0; port < graph.GetNPorts(); ++port)
    {
        if (const auto n = paths.GetOut(port).size(); n != 1)
        {
            return "Port " + std::to_string(port) + " has " + std::to_string(n) +
                   " links, and a card for RDMA needs one: choose a network like leaf-spine";
        }
    }
    const auto any = switches.Create<RdmaSwitch>();
    for (uint32_t node = graph.GetNPorts(); node < graph.GetNNodes(); ++node)
    {
        const uint64_t headroom = any->Divide(links, paths.GetIn(node), packet);
        if (headroom >= any->GetBuffer())
        {
            return "The " + std::to_string(paths.GetIn(node).size()) + " ports of " +
                   graph.GetName(node) + " need a headroom of " + std::to_string(headroom) +
                   " bytes, and its buffer has " + std::to_string(any->GetBuffer()) +
                   ": give it a larger buffer, or links with less delay";
        }
    }
    return "";
}

void
RdmaNetwork::SetUp(const LinkGraph& graph,
                   const ObjectFactory& switches,
                   const ObjectFactory& congestion)
{
    m_paths = std::make_unique<RdmaPaths>(graph, m_seed);
    m_congestion = congestion;
    m_clock.SetLookAhead(m_messageDelay);
    m_links = m_paths->MakeLinks();
    if (m_skip == STEADY && m_routing == ECMP)
    {
        m_skipper = std::make_unique<RdmaSkipper>(*this);
    }
    for (uint32_t port = 0; port < graph.GetNPorts(); ++port)
    {
        const uint32_t link = m_paths->GetOut(port).front();
        m_cards.push_back(std::make_unique<RdmaCard>(*this, port, link));
        m_links[link].fromCard = m_cards.back().get();
        m_links[m_links[link].reverse].toCard = m_cards.back().get();
    }
    for (uint32_t node = graph.GetNPorts(); node < graph.GetNNodes(); ++node)
    {
        const auto made = switches.Create<RdmaSwitch>();
        for (const uint32_t link : m_paths->GetOut(node))
        {
            m_links[link].from = PeekPointer(made);
        }
        for (const uint32_t link : m_paths->GetIn(node))
        {
            m_links[link].to = PeekPointer(made);
        }
        made->SetUp(*this, node);
        m_switches.push_back(made);
    }
}

uint32_t
RdmaNetwork::Attach(Ptr<RdmaNetDevice> device)
{
    const auto port = static_cast<uint32_t>(m_devices.size());
    m_devices.push_back(device);
    m_cards[port]->SetDevice(PeekPointer(device));
    return port;
}

std::size_t
RdmaNetwork::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
RdmaNetwork::GetDevice(std::size_t i) const
{
    return m_devices[i];
}

void
RdmaNetwork::SetFailed(const std::string& component, bool failed)
{
    const std::string refusal = m_paths->GetGraph().CheckComponent(component);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    EnterLater([this, component, failed] {
        m_paths->SetFailed(component, failed);
        UpdateFailures();
    });
}

void
RdmaNetwork::UpdateFailures()
{
    if (m_skipper)
    {
        // Paths of queue pairs may be others from now on
        m_skipper->Stop();
    }
    for (uint32_t i = 0; i < m_links.size(); ++i)
    {
        RdmaLink& link = m_links[i];
        if (link.hasFailed == m_paths->HasFailed(i))
        {
            continue;
        }
        Advance(i);
        link.hasFailed = !link.hasFailed;
        // A port sends to a link that has failed as to any other; the other end has not told it of
        // pauses meanwhile
        link.paused = link.hasFailed || !link.to ? 0 : link.to->GetPaused(link.port);
        Advance(i);
        WakeInTime(i);
    }
}

int64_t
RdmaNetwork::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (const auto& each : m_switches)
    {
        next += each->AssignStreams(next);
    }
    return next - stream;
}

std::string
RdmaNetwork::Describe(uint32_t link) const
{
    return "from " + m_paths->GetGraph().GetName(m_links[link].fromNode) + " to " +
           m_paths->GetGraph().GetName(m_links[link].toNode);
}

void
RdmaNetwork::Release(RdmaFrame* frame)
{
    if (frame->telemetry)
    {
        m_telemetry.Put(frame->telemetry);
    }
    m_frames.Put(frame);
}

Ptr<RdmaCongestion>
RdmaNetwork::MakeCongestion() const
{
    const auto made = m_congestion.Create<RdmaCongestion>();
    made->SetWatch(m_isWatched);
    return made;
}

void
RdmaNetwork::EnterLater(std::function<void()> enter)
{
    m_entering.push_back(std::move(enter));
    m_clock.At(RdmaClock::GetOutside() + m_messageDelay.GetPicoSeconds(), RdmaClock::ENTER, 0);
}

void
RdmaNetwork::Happen(RdmaClock::Kind kind, uint32_t index)
{
    switch (kind)
    {
    case RdmaClock::ARRIVE:
        Arrive(index);
        return;
    case RdmaClock::WAKE:
        m_links[index].wakeAt = 0;
        Advance(index);
        return;
    case RdmaClock::ENTER: {
        const auto enter = std::move(m_entering.front());
        m_entering.pop_front();
        enter();
        return;
    }
    case RdmaClock::EXPIRE:
        m_pairs[index]->Expire();
        return;
    case RdmaClock::CHECK:
        if (const auto sentence = FindDeadlock(*this, index, m_deadlockTime); !sentence.empty())
        {
            Fail(sentence);
        }
        return;
    }
}

void
RdmaNetwork::Arrive(uint32_t index)
{
    RdmaLink& link = m_links[index];
    Advance(index);
    RdmaFrame* const frame = link.flight.Pop();
    if (link.flight.head)
    {
        m_clock.At(link.flight.head->arrival, RdmaClock::ARRIVE, index);
    }
    if (link.to)
    {
        link.to->Receive(index, frame);
    }
    else if (!link.hasFailed)
    {
        link.toCard->Receive(frame);
    }
    else
    {
        ++m_counts.drops;
        Release(frame);
    }
}

void
RdmaNetwork::Enqueue(uint32_t index, RdmaFrame* frame)
{
    RdmaLink& link = m_links[index];
    Advance(index);
    link.queues[frame->trafficClass].Push(frame);
    link.waiting |= 1 << frame->trafficClass;
    Advance(index);
    WakeInTime(index);
}

void
RdmaNetwork::WakeAt(uint32_t index, int64_t time)
{
    RdmaLink& link = m_links[index];
    if (link.wakeAt == 0 || link.wakeAt > time)
    {
        link.wakeAt = time;
        m_clock.At(time, RdmaClock::WAKE, index);
    }
}

RdmaFrame*
RdmaNetwork::Pick(RdmaLink& link, int64_t& time)
{
    const auto able = static_cast<uint8_t>(link.waiting & ~link.paused);
    if (link.fromCard && able >> (DATA_CLASS + 1) == 0 && !link.IsPaused(DATA_CLASS))
    {
        if (RdmaFrame* const frame =
                link.fromCard->MakeNext(time, able != 0 ? time : m_clock.GetNow()))
        {
            return frame;
        }
    }
    if (able == 0)
    {
        return nullptr;
    }
    uint32_t trafficClass = N_CLASSES - 1;
    while ((able >> trafficClass & 1) == 0)
    {
        --trafficClass;
    }
    RdmaFrameList& queue = link.queues[trafficClass];
    RdmaFrame* const frame = queue.Pop();
    if (!queue.head)
    {
        link.waiting &= ~(1 << trafficClass);
    }
    return frame;
}

void
RdmaNetwork::Advance(uint32_t index)
{
    RdmaLink& link = m_links[index];
    const int64_t now = m_clock.GetNow();
    while (link.freeAt <= now)
    {
        int64_t time = link.freeAt;
        RdmaFrame* const frame = Pick(link, time);
        if (!frame)
        {
            link.freeAt = now;
            return;
        }
        Begin(index, frame, time);
    }
}

void
RdmaNetwork::Begin(uint32_t index, RdmaFrame* frame, int64_t time)
{
    RdmaLink& link = m_links[index];
    link.freeAt = time + link.GetTime(frame->bytes);
    frame->arrival = link.freeAt + link.delay;
    link.sentBytes += frame->bytes + ETHERNET_GAP_BYTES;
    ++link.nFrames;
    if (!link.flight.head)
    {
        m_clock.At(frame->arrival, RdmaClock::ARRIVE, index);
    }
    link.flight.Push(frame);
    // A switch may answer, so that this function is called for the next frame
    if (link.from)
    {
        link.from->NoteLeaves(index, *frame, time);
    }
    else
    {
        ++m_counts.frames;
        link.fromCard->GetDevice().Sniff(*frame);
    }
    WakeInTime(index);
}

void
RdmaNetwork::WakeInTime(uint32_t index)
{
    const RdmaLink& link = m_links[index];
    if (*m_isWatched ? link.waiting != 0 || link.fromCard
                     : link.waiting != 0 && link.from && link.from->IsPausing())
    {
        WakeAt(index, std::max(link.freeAt, m_clock.GetNow()));
    }
}

void
RdmaNetwork::Pause(uint32_t index, const RdmaFrame& frame)
{
    RdmaLink& link = m_links[index];
    Advance(index);
    const int64_t now = m_clock.GetNow();
    for (uint32_t i = 0; i < N_CLASSES; ++i)
    {
        if ((frame.classes >> i & 1) != 0 && frame.pauses && !link.IsPaused(i))
        {
            link.pausedSince[i] = now;
        }
    }
    if (!frame.pauses)
    {
        link.paused &= ~frame.classes;
        Advance(index);
        return;
    }
    link.paused |= frame.classes;
    if (m_skipper)
    {
        m_skipper->Wake(index);
    }
    if (!link.isWatched)
    {
        link.isWatched = true;
        m_clock.At(now + m_deadlockTime.GetPicoSeconds(), RdmaClock::CHECK, index);
    }
}

void
RdmaNetwork::Fail(const std::string& sentence)
{
    NS_ABORT_MSG_IF(m_failureCallbacks.empty(), sentence);
    m_clock.Stop();
    for (const auto& callback : m_failureCallbacks)
    {
        callback(sentence);
    }
}

} // namespace lightpath
} // namespace ns3
