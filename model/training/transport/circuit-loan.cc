/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"
#include "message-header.h"
#include "model/base/wire-format.h"
#include "model/fabric/frame-streams.h"
#include "model/training/run/job-ports.h"

#include "ns3/message-tag.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * The messages of a CircuitTransport on lightpaths that its device has lent.
 */

namespace ns3
{
namespace lightpath
{

void
CircuitTransport::SetPorts(std::shared_ptr<const JobPorts> ports)
{
    m_ports = std::move(ports);
}

uint32_t
CircuitTransport::GetPort(uint32_t rank) const
{
    return m_ports ? m_ports->GetPort(rank) : rank;
}

uint32_t
CircuitTransport::GetRank(uint32_t port) const
{
    return m_ports ? m_ports->GetRank(port) : port;
}

void
CircuitTransport::Release()
{
    if (m_device && !m_isReleased)
    {
        m_darkTime = m_device->GetDarkClock().Get();
        m_device->SettleLent();
        m_device->SetFrameSource(nullptr);
        m_isReleased = true;
    }
}

CircuitTransport*
CircuitTransport::FindCircuit(uint32_t /* rank */, uint64_t /* bytes */)
{
    return this;
}

uint64_t
CircuitTransport::GetUntracedFrame(uint32_t port, uint64_t bytes) const
{
    return IsLogged() || LooksAtMessages() || bytes > GetMaxPayload(port, {0, bytes, bytes})
               ? 0
               : bytes + FRAME_HEADER_BYTES;
}

SourceFrame
CircuitTransport::MakeFrame(uint64_t tag, uint64_t bytes) const
{
    return {&CircuitTransport::MakePayload,
            m_device->GetPort(),
            static_cast<uint32_t>(bytes + MessageHeader::SIZE),
            tag,
            bytes,
            PROTOCOL_NUMBER,
            0};
}

void
CircuitTransport::CountLent(uint64_t bytes)
{
    CountSent(bytes);
}

void
CircuitTransport::NoteLent(uint32_t port, Time wait)
{
    m_outgoing.Get(port);
    NoteMessage(wait);
}

void
CircuitTransport::SetComputed(bool isComputed)
{
    m_isComputed = isComputed;
    if (isComputed && !m_streams && m_channel)
    {
        m_streams = m_channel->GetStreams();
    }
}

void
CircuitTransport::NoteEvent(Time delay) const
{
    if (m_streams)
    {
        m_streams->NoteEvent((Simulator::Now() + delay).GetTimeStep());
    }
}

uint64_t
CircuitTransport::GetComputed() const
{
    return m_streams ? m_streams->GetArrived(m_device->GetPort()) : 0;
}

uint32_t
CircuitTransport::BorrowStream(uint32_t port)
{
    if (!m_isComputed || !m_streams || IsLogged())
    {
        return FrameStreams::NONE;
    }
    const uint32_t stream = m_streams->Borrow(*m_device, port, MakeFrame(0, 1));
    if (stream != FrameStreams::NONE)
    {
        m_outgoing.Get(port);
        NoteSend();
    }
    return stream;
}

bool
CircuitTransport::SendComputed(uint32_t port, uint64_t tag, uint64_t bytes)
{
    if (!m_streams || bytes > GetMaxPayload(port, {tag, bytes, bytes}))
    {
        return false;
    }
    const uint32_t stream = BorrowStream(port);
    if (stream == FrameStreams::NONE)
    {
        return false;
    }
    m_streams->Send(stream,
                    {tag, static_cast<uint32_t>(bytes + FRAME_HEADER_BYTES), FrameStreams::NONE});
    return true;
}

void
CircuitTransport::TakeOver(uint32_t port, uint64_t tag, uint64_t bytes)
{
    Outgoing& outgoing = m_outgoing.Get(port);
    outgoing.messages.push_back({tag, bytes, bytes});
    outgoing.bytes += bytes + FRAME_HEADER_BYTES;
}

} // namespace lightpath
} // namespace ns3
