/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-carrier.h"

#include "model/base/wire-format.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes of the headers of a frame after that of Ethernet.
constexpr uint32_t INNER_HEADER_BYTES = RELAY_FRAME_HEADER_BYTES - ETHERNET_HEADER_BYTES;

} // namespace

RelayCarrier::RelayCarrier(Agenda& agenda,
                           const PlanCircuits& circuits,
                           const FabricLimits& fabric,
                           uint32_t rail,
                           Arrival arrival)
    : m_agenda(agenda),
      m_circuits(circuits),
      m_rail(rail),
      m_most(std::clamp(fabric.relayFrameBytes,
                        uint64_t{INNER_HEADER_BYTES + 1},
                        INNER_HEADER_BYTES + MAX_FRAME_PAYLOAD_BYTES) -
             INNER_HEADER_BYTES),
      m_arrival(std::move(arrival))
{
}

void
RelayCarrier::Send(const Message& message, uint64_t tag)
{
    // Parts of a message have one tag
    m_left[m_nMessages] = {message.bytes, tag};
    Enqueue(message.source, message.destination, {message.bytes, m_nMessages++});
}

void
RelayCarrier::Enqueue(uint32_t port, uint32_t destination, const Piece& piece)
{
    Waiting& waiting = m_waiting[{port, destination}];
    if (!waiting.isKnown)
    {
        waiting.next = m_circuits.GetHops(m_rail, port, destination).front();
        waiting.isKnown = true;
    }
    waiting.pieces.push_back(piece);
    if (waiting.hasTurn)
    {
        return;
    }
    const Pair ends{port, waiting.next};
    const auto [found, isNew] = m_lightpaths.try_emplace(ends);
    Lightpath& lightpath = found->second;
    if (isNew)
    {
        const double rate = m_circuits.GetRate(0, m_rail, ends.first, ends.second);
        const double delay = m_circuits.GetLatency(m_rail, ends.first, ends.second);
        lightpath.clock.SetBitRate(static_cast<uint64_t>(std::llround(8 * rate)), m_agenda.Now());
        lightpath.delay = Agenda::GetTicks(delay);
    }
    if (lightpath.nFrames > 1)
    {
        Part(ends, lightpath);
    }
    waiting.hasTurn = true;
    lightpath.turns.push_back(destination);
    if (!lightpath.isSending)
    {
        // A pause must not count as time of transmission
        if (lightpath.idleSince != m_agenda.Now())
        {
            lightpath.clock.Restart(m_agenda.Now());
        }
        Begin(ends, lightpath);
    }
}

void
RelayCarrier::Begin(const Pair& ends, Lightpath& lightpath)
{
    if (lightpath.turns.empty())
    {
        lightpath.idleSince = m_agenda.Now();
        return;
    }
    const uint32_t destination = lightpath.turns.front();
    lightpath.turns.pop_front();
    Waiting& waiting = m_waiting[{ends.first, destination}];
    Piece& piece = waiting.pieces.front();
    // Nobody looks at the frames of a message that is alone on its only lightpath
    const bool isAlone = lightpath.turns.empty() && destination == ends.second;
    const uint64_t bytes = isAlone ? piece.bytes : std::min(piece.bytes, m_most);
    lightpath.nFrames = std::max((bytes + m_most - 1) / m_most, uint64_t{1});
    lightpath.frame = {destination, {bytes, piece.number}};
    piece.bytes -= bytes;
    if (piece.bytes == 0)
    {
        waiting.pieces.pop_front();
    }
    // The destination of a train has its turn until the train is over or parted
    waiting.hasTurn = lightpath.nFrames > 1 || !waiting.pieces.empty();
    if (waiting.hasTurn && lightpath.nFrames == 1)
    {
        lightpath.turns.push_back(destination);
    }
    lightpath.isSending = true;
    lightpath.clock.Append(bytes + lightpath.nFrames * RELAY_FRAME_HEADER_BYTES, m_agenda.Now());
    lightpath.end = m_agenda.At(lightpath.clock.GetEndTick(), [this, ends]() { End(ends); });
}

void
RelayCarrier::Part(const Pair& ends, Lightpath& lightpath)
{
    const auto getWork = [](uint64_t bytes) {
        return TransmissionClock::Work(bytes + RELAY_FRAME_HEADER_BYTES) * 8 *
               Seconds(1).GetTimeStep();
    };
    const uint64_t nBefore = lightpath.nFrames - 1;
    const uint64_t lastBytes = lightpath.frame.piece.bytes - nBefore * m_most;
    const TransmissionClock::Work full = getWork(m_most);
    const TransmissionClock::Work left = lightpath.clock.GetWork(m_agenda.Now());
    // Frames behind the one that is being sent
    const TransmissionClock::Work others = left - getWork(lastBytes);
    const uint64_t nBehind =
        others > 0 ? static_cast<uint64_t>((others + full - 1) / full) : uint64_t{0};
    const uint64_t bytesBehind = nBehind > 0 ? lastBytes + (nBehind - 1) * m_most : 0;
    Waiting& waiting = m_waiting[{ends.first, ends.second}];
    if (nBehind > 0)
    {
        waiting.pieces.push_front({bytesBehind, lightpath.frame.piece.number});
        lightpath.frame.piece.bytes -= bytesBehind;
        lightpath.clock.Resume(others - static_cast<int64_t>(nBehind - 1) * full, m_agenda.Now());
        lightpath.end->Cancel();
        lightpath.end = m_agenda.At(lightpath.clock.GetEndTick(), [this, ends]() { End(ends); });
    }
    lightpath.nFrames = 1;
    waiting.hasTurn = !waiting.pieces.empty();
    if (waiting.hasTurn)
    {
        lightpath.turns.push_back(ends.second);
    }
}

void
RelayCarrier::End(const Pair& ends)
{
    Lightpath& lightpath = m_lightpaths.at(ends);
    lightpath.isSending = false;
    if (std::exchange(lightpath.nFrames, 1) > 1)
    {
        Waiting& waiting = m_waiting[{ends.first, ends.second}];
        waiting.hasTurn = !waiting.pieces.empty();
        if (waiting.hasTurn)
        {
            lightpath.turns.push_back(ends.second);
        }
    }
    const Frame frame = lightpath.frame;
    const int64_t end = m_agenda.Now() + lightpath.delay;
    m_agenda.At(end, [this, port = ends.second, frame]() { Take(port, frame); });
    Begin(ends, lightpath);
}

void
RelayCarrier::Take(uint32_t port, const Frame& frame)
{
    if (port != frame.destination)
    {
        Enqueue(port, frame.destination, frame.piece);
        return;
    }
    const auto found = m_left.find(frame.piece.number);
    auto& [left, tag] = found->second;
    left -= frame.piece.bytes;
    if (left == 0)
    {
        const uint64_t arrived = tag;
        m_left.erase(found);
        m_arrival(arrived);
    }
}

} // namespace lightpath
} // namespace ns3
