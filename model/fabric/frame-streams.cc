/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-streams.h"

#include "model/base/wire-format.h"

#include "ns3/frame-source.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

FrameStreams::FrameStreams(SharedLinkChannel& channel)
    : m_channel(channel),
      m_queue(*this),
      m_unit(Work(8) * Seconds(1).GetTimeStep())
{
}

FrameStreams::~FrameStreams() = default;

uint32_t
FrameStreams::Borrow(OpticalNetDevice& device, uint32_t destination, const SourceFrame& model)
{
    SharedLinkChannel::PairFlow& flow = m_channel.GetFlow(device.GetPort(), destination);
    if (flow.isLent)
    {
        // The messages that it carries go first, perhaps on a stream
        device.Recall(destination);
    }
    if (flow.streams)
    {
        return flow.stream;
    }
    OpticalNetDevice& receiver = *PeekPointer(m_channel.GetPort(destination));
    if (receiver.LooksAtFrames() || device.TracesComputed() || !m_channel.CanStream(flow))
    {
        return NONE;
    }
    if (flow.stream == NONE)
    {
        flow.stream = m_nStreams++;
        if (flow.stream % BLOCK == 0)
        {
            m_blocks.push_back(std::make_unique<std::array<Stream, BLOCK>>());
        }
        Get(flow.stream).flow = &flow;
        Get(flow.stream).receiver = &receiver;
        m_arrived.resize(std::max<std::size_t>(m_arrived.size(), destination + 1));
    }
    Work carry = 0;
    if (!device.LendShared(destination, *this, flow.stream, flow.delay, carry))
    {
        return NONE;
    }
    Stream& stream = Get(flow.stream);
    const int64_t now = Simulator::Now().GetTimeStep();
    flow.streams = this;
    stream.model = model;
    stream.delay = flow.delay.GetTimeStep();
    stream.work = -carry;
    stream.since = now;
    stream.rate = 0;
    stream.most = flow.GetMost();
    stream.idleSince = carry > 0 ? now : -1;
    stream.isBorrowed = true;
    return flow.stream;
}

void
FrameStreams::Send(uint32_t number, const Frame& frame)
{
    Stream& stream = Get(number);
    stream.frames.Push(frame);
    if (stream.isActive)
    {
        return;
    }
    stream.isActive = true;
    // With a rate, it has had no frames for no time, and has not left its links
    stream.rate == 0 ? m_channel.Begin(*stream.flow) : m_channel.GoOn();
    Resume(number, stream, GetNow());
}

void
FrameStreams::Advance(Stream& stream, int64_t now)
{
    stream.work -= Work(stream.rate) * (now - stream.since);
    stream.since = now;
}

void
FrameStreams::SetRate(uint32_t number, uint64_t bitRate)
{
    Stream& stream = Get(number);
    if (stream.rate == bitRate)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    Advance(stream, now);
    stream.rate = bitRate;
    if (!stream.isSending)
    {
        Resume(number, stream, now);
        return;
    }
    ++stream.stamp;
    // A frame ends in darkness only after its last bit
    if (bitRate > 0 || stream.work <= 0)
    {
        ScheduleEnd(number, stream);
    }
}

void
FrameStreams::Resume(uint32_t number, Stream& stream, int64_t now)
{
    if (!stream.isActive || stream.isSending || stream.rate == 0)
    {
        return;
    }
    // A pause must not count as time of transmission
    if (now != stream.idleSince)
    {
        stream.work = 0;
        stream.since = now;
    }
    BeginFrame(number, stream, now);
}

void
FrameStreams::BeginFrame(uint32_t number, Stream& stream, int64_t now)
{
    const Frame& frame = stream.frames.Get(stream.nPropagating);
    Advance(stream, now);
    stream.work += m_unit * frame.bytes;
    stream.begin = now;
    stream.isSending = true;
    const bool isFirst = stream.begun == 0;
    stream.begun += frame.bytes;
    if (isFirst)
    {
        // The source may want to know when
        Settle(number);
    }
    ScheduleEnd(number, stream);
}

void
FrameStreams::ScheduleEnd(uint32_t number, Stream& stream)
{
    ++stream.stamp;
    stream.stamp += stream.stamp == ARRIVAL ? 1 : 0;
    int64_t end = stream.since;
    if (stream.work > 0)
    {
        // Division of 64-bit numbers is much faster
        const Work ticks = stream.work >> 64 == 0
                               ? Work((static_cast<uint64_t>(stream.work) - 1) / stream.rate)
                               : (stream.work - 1) / stream.rate;
        NS_ABORT_MSG_IF(ticks > INT64_MAX / 2,
                        "A frame at " << stream.rate
                                      << " bit/s would end beyond the time that can be simulated: "
                                      << "use a higher rate, smaller frames or a coarser time "
                                      << "resolution");
        end += static_cast<int64_t>(ticks) + 1;
    }
    m_queue.Push(end, {number, stream.stamp});
}

void
FrameStreams::Happen(const InstantQueue::Entry& entry, int64_t now)
{
    Stream& stream = Get(entry.subject);
    m_now = now;
    if (entry.stamp == ARRIVAL)
    {
        Arrive(stream);
    }
    else if (stream.stamp == entry.stamp)
    {
        EndFrame(entry.subject, stream, now);
    }
    m_now = -1;
}

void
FrameStreams::EndFrame(uint32_t number, Stream& stream, int64_t now)
{
    stream.isSending = false;
    ++stream.nPropagating;
    m_queue.Push(now + stream.delay, {number, ARRIVAL});
    if (stream.frames.GetSize() > stream.nPropagating)
    {
        BeginFrame(number, stream, now);
        return;
    }
    Advance(stream, now);
    ++stream.stamp;
    stream.isActive = false;
    stream.idleSince = now;
    // The frame that has ended may lead to the next one at this instant
    const bool mayGoOn = stream.delay == 0 && stream.rate < stream.most;
    mayGoOn ? m_channel.EndLater(*stream.flow) : m_channel.EndFrames(*stream.flow);
}

void
FrameStreams::Arrive(Stream& stream)
{
    const Frame frame = stream.frames.GetFirst();
    stream.frames.Pop();
    --stream.nPropagating;
    if (frame.receiver != NONE)
    {
        const auto& [receiver, position] = m_receivers[frame.receiver];
        if (receiver && receiver->Arrive(position, frame.tag))
        {
            return;
        }
    }
    ++m_arrived[stream.flow->destination];
    FabricFrame arriving{nullptr, Describe(stream, frame), frame.bytes};
    stream.receiver->Receive(arriving);
}

SourceFrame
FrameStreams::Describe(const Stream& stream, const Frame& frame)
{
    SourceFrame described = stream.model;
    const uint64_t headers = described.bytes - described.messageSize;
    described.messageTag = frame.tag;
    described.bytes = frame.bytes - ETHERNET_HEADER_BYTES;
    described.messageSize = described.bytes - headers;
    return described;
}

uint32_t
FrameStreams::AddReceiver(Receiver& receiver, uint32_t position)
{
    m_receivers.emplace_back(&receiver, position);
    return static_cast<uint32_t>(m_receivers.size() - 1);
}

void
FrameStreams::RemoveReceiver(const Receiver& receiver)
{
    for (auto& entry : m_receivers)
    {
        entry.first = entry.first == &receiver ? nullptr : entry.first;
    }
}

void
FrameStreams::GiveBack()
{
    for (uint32_t number = 0; number < m_nStreams; ++number)
    {
        GiveBack(number);
    }
    const Receiver* last = nullptr;
    for (std::size_t i = 0; i < m_receivers.size(); ++i)
    {
        Receiver* const receiver = m_receivers[i].first;
        if (receiver && std::exchange(last, receiver) != receiver)
        {
            receiver->GiveBack();
        }
    }
}

void
FrameStreams::GiveBack(uint32_t number)
{
    Stream& stream = Get(number);
    if (!stream.isBorrowed)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    SharedLinkChannel::PairFlow& flow = *stream.flow;
    OpticalNetDevice& device = *flow.device;
    Settle(number);
    Advance(stream, now);
    const bool isActive = std::exchange(stream.isActive, false);
    const bool isSending = std::exchange(stream.isSending, false);
    // Those that propagate are left to arrive
    std::vector<Frame> frames;
    for (std::size_t i = stream.nPropagating; i < stream.frames.GetSize(); ++i)
    {
        frames.push_back(stream.frames.Get(i));
    }
    stream.frames.RemoveLast(frames.size());
    ++stream.stamp;
    stream.isBorrowed = false;
    stream.rate = 0;
    flow.streams = nullptr;
    const Work carry = !isActive && stream.idleSince == now ? -stream.work : Work(0);
    device.TakeBack(flow.destination, carry);
    for (std::size_t i = isSending ? 1 : 0; i < frames.size(); ++i)
    {
        const SourceFrame frame = Describe(stream, frames[i]);
        device.GetFrameSource()->TakeOver(flow.destination, frame.messageTag, frame.messageSize);
    }
    if (isSending)
    {
        device.ResumeFrame(flow.destination,
                           Describe(stream, frames.front()),
                           stream.work,
                           stream.begin < now);
    }
    else if (isActive)
    {
        device.NotifyFrames(flow.destination);
    }
}

bool
FrameStreams::Release(uint32_t number)
{
    if (Get(number).isActive)
    {
        return false;
    }
    GiveBack(number);
    return true;
}

bool
FrameStreams::IsIdle()
{
    return std::none_of(m_blocks.begin(), m_blocks.end(), [](const auto& block) {
        return std::any_of(block->begin(), block->end(), [](const Stream& stream) {
            return stream.isActive;
        });
    });
}

void
FrameStreams::Report()
{
}

uint64_t
FrameStreams::GetBacklog(uint32_t number)
{
    const Stream& stream = Get(number);
    const Work left =
        stream.work - Work(stream.rate) * (Simulator::Now().GetTimeStep() - stream.since);
    const bool isLeft = stream.isSending && left > 0;
    uint64_t waiting = 0;
    for (std::size_t i = stream.nPropagating + (stream.isSending ? 1 : 0);
         i < stream.frames.GetSize();
         ++i)
    {
        waiting += stream.frames.Get(i).bytes;
    }
    return waiting + (isLeft ? static_cast<uint64_t>((left + m_unit - 1) / m_unit) : 0);
}

void
FrameStreams::Settle(uint32_t number)
{
    Stream& stream = Get(number);
    FrameSource* const source = stream.flow->device->GetFrameSource();
    const uint64_t before = std::exchange(stream.counted, stream.begun);
    if (source && stream.begun > before)
    {
        source->CountLent(stream.begun - before);
    }
}

} // namespace lightpath
} // namespace ns3
