/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-port.h"

#include "model/base/wire-format.h"
#include "rotor-dispatcher.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes of the headers after that of Ethernet.
constexpr uint64_t RELAY_INNER_BYTES = RELAY_FRAME_HEADER_BYTES - ETHERNET_HEADER_BYTES;

/**
 * @param piece a piece
 * @param bytes bytes to take off it, at most its own
 * @return the part with these bytes
 */
RotorPort::Piece
CutPiece(RotorPort::Piece& piece, uint64_t bytes)
{
    RotorPort::Piece part = piece;
    part.bytes = bytes;
    piece.bytes -= bytes;
    return part;
}

} // namespace

RotorPort::RotorPort(RotorDispatcher& dispatcher,
                     uint32_t port,
                     const FrameSizes& sizes,
                     std::function<void(uint32_t)> notify)
    : m_dispatcher(dispatcher),
      m_port(port),
      m_most(sizes.most > 0 ? sizes.most - RELAY_INNER_BYTES : MAX_FRAME_PAYLOAD_BYTES),
      m_mostOfShort((sizes.most > 0 ? sizes.most : sizes.ofShort) - RELAY_INNER_BYTES),
      m_notify(std::move(notify))
{
    m_dispatcher.SetPort(port, this);
}

RotorPort::~RotorPort()
{
    m_dispatcher.SetPort(m_port, nullptr);
}

uint64_t
RotorPort::GetBytesOfFrames(uint64_t bytes) const
{
    // Division is slow, and most pieces take one frame
    const uint64_t frames = bytes > m_most ? (bytes + m_most - 1) / m_most : bytes > 0;
    return bytes + frames * RELAY_FRAME_HEADER_BYTES;
}

void
RotorPort::Enqueue(const Piece& piece)
{
    if (piece.size < m_dispatcher.GetDiscipline().GetShortMessage())
    {
        PushShort(piece);
        return;
    }
    Push(piece, false);
}

void
RotorPort::Push(const Piece& piece, bool isFirst)
{
    const bool isOwn = piece.source == m_port;
    auto& pieces = (isOwn ? m_own : m_stored).Get(piece.destination);
    isFirst ? pieces.push_front(piece) : pieces.push_back(piece);
    m_dispatcher.Note(m_port, piece.destination, isOwn, GetBytesOfFrames(piece.bytes), 0);
    if (GetLeft(piece.destination) > 0)
    {
        m_notify(piece.destination);
    }
}

void
RotorPort::PushShort(const Piece& piece)
{
    const uint32_t next = m_dispatcher.GetNext(m_port, piece.destination);
    if (next == SliceRoutes::NONE)
    {
        Push(piece, true);
        return;
    }
    m_short.Get(next).push_back(piece);
    m_dispatcher.NoteShort(piece.bytes, 0);
    m_notify(next);
}

void
RotorPort::Reroute()
{
    std::vector<Piece> pieces;
    for (const uint32_t next : m_short.GetPorts())
    {
        auto& waiting = *m_short.Find(next);
        pieces.insert(pieces.end(), waiting.begin(), waiting.end());
        waiting.clear();
    }
    for (const Piece& piece : pieces)
    {
        m_dispatcher.NoteShort(0, piece.bytes);
        PushShort(piece);
    }
}

int64_t
RotorPort::GetLeft(uint32_t peer) const
{
    const auto window = m_dispatcher.GetClock().GetWindow(m_port, peer);
    return window ? window->GetLeft(m_dispatcher.GetNow()) : 0;
}

void
RotorPort::Grant(const RotorDiscipline::Grant& grant)
{
    const auto window = m_dispatcher.GetClock().GetWindow(grant.source, grant.peer);
    const int64_t until = window->GetBegin(m_dispatcher.GetNow()) + window->length;
    Granted& granted = m_granted.Get(grant.peer);
    if (granted.until != until)
    {
        granted.grants.clear();
        granted.until = until;
    }
    granted.grants.push_back(grant);
}

void
RotorPort::Meet(uint32_t peer)
{
    const auto waits = [peer](const Queues& queues) {
        const auto* const pieces = queues.Find(peer);
        return pieces && !pieces->empty();
    };
    const Granted* const granted = m_granted.Find(peer);
    if (waits(m_short) || waits(m_stored) ||
        (m_dispatcher.GetDiscipline().SendsDirect() && waits(m_own)) ||
        (granted && granted->until > m_dispatcher.GetNow() && !granted->grants.empty()))
    {
        m_notify(peer);
    }
}

bool
RotorPort::Cut(uint32_t peer, Piece& frame)
{
    const int64_t left = GetLeft(peer);
    const uint64_t room = m_dispatcher.GetClock().GetBytes(left);
    if (room <= RELAY_FRAME_HEADER_BYTES)
    {
        return false;
    }
    if (CutShort(peer, room, frame))
    {
        return true;
    }
    if (!m_dispatcher.GetDiscipline().SendsDirect())
    {
        return CutGranted(peer, left, room, frame) || CutFirst(peer, false, room, frame);
    }
    return CutFirst(peer, false, room, frame) || CutFirst(peer, true, room, frame) ||
           CutGranted(peer, left, room, frame);
}

bool
RotorPort::CutShort(uint32_t peer, uint64_t room, Piece& frame)
{
    auto* const pieces = m_short.Find(peer);
    if (!pieces || pieces->empty())
    {
        return false;
    }
    Piece piece = pieces->front();
    pieces->pop_front();
    frame =
        CutPiece(piece, std::min({piece.bytes, room - RELAY_FRAME_HEADER_BYTES, m_mostOfShort}));
    m_dispatcher.NoteShort(0, frame.bytes);
    if (piece.bytes > 0)
    {
        // Messages take turns, frame by frame
        pieces->push_back(piece);
    }
    return true;
}

bool
RotorPort::CutGranted(uint32_t peer, int64_t left, uint64_t room, Piece& frame)
{
    Granted* const granted = m_granted.Find(peer);
    // Bytes that were not sent in their slot need a new grant
    if (!granted || granted->until != m_dispatcher.GetNow() + left)
    {
        return false;
    }
    bool found = false;
    while (!found && !granted->grants.empty())
    {
        auto& [source, hop, destination, bytes] = granted->grants.front();
        found = CutFirst(destination, true, std::min(room, bytes), frame);
        bytes -= found ? frame.bytes + RELAY_FRAME_HEADER_BYTES : bytes;
        if (bytes == 0)
        {
            granted->grants.pop_front();
        }
    }
    return found;
}

bool
RotorPort::CutFirst(uint32_t destination, bool isOwn, uint64_t room, Piece& frame)
{
    auto* const pieces = (isOwn ? m_own : m_stored).Find(destination);
    if (!pieces || pieces->empty() || room <= RELAY_FRAME_HEADER_BYTES)
    {
        return false;
    }
    Piece& piece = pieces->front();
    const uint64_t before = piece.bytes;
    frame = CutPiece(piece, std::min({before, room - RELAY_FRAME_HEADER_BYTES, m_most}));
    m_dispatcher.Note(m_port,
                      destination,
                      isOwn,
                      GetBytesOfFrames(piece.bytes),
                      GetBytesOfFrames(before));
    if (piece.bytes == 0)
    {
        pieces->pop_front();
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
