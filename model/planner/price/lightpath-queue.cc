/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lightpath-queue.h"

#include "model/base/wire-format.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

LightpathQueue::LightpathQueue(Agenda& agenda, const MessageCarrier::Arrival& arrival)
    : m_agenda(agenda),
      m_arrival(arrival)
{
}

uint64_t
LightpathQueue::GetFrameBytes(uint64_t bytes)
{
    constexpr uint64_t most = MAX_FRAME_PAYLOAD_BYTES;
    return bytes + std::max<uint64_t>((bytes + most - 1) / most, 1) * FRAME_HEADER_BYTES;
}

void
LightpathQueue::SetRate(uint64_t bitRate, int64_t delay)
{
    const int64_t now = m_agenda.Now();
    m_bitRate = bitRate;
    // The bits sent so far arrive after the old delay
    m_delay = bitRate > 0 ? delay : m_delay;
    m_clock.SetBitRate(bitRate, now);
    if (!m_isSending)
    {
        Resume();
        return;
    }
    m_end->Cancel();
    // A message ends in darkness only after its last bit
    if (bitRate > 0 || m_clock.GetUnsentBytes(now) == 0)
    {
        m_end = m_agenda.At(std::max(m_clock.GetEndTick(), now), [this]() { End(); });
    }
}

void
LightpathQueue::Send(uint64_t bytes, uint64_t tag)
{
    m_waiting.push_back({bytes, tag, bytes});
    Resume();
}

void
LightpathQueue::Resume()
{
    if (m_isSending || m_bitRate == 0 || m_waiting.empty())
    {
        return;
    }
    const int64_t now = m_agenda.Now();
    // A pause must not count as time of transmission
    if (m_idleSince != now)
    {
        m_clock.Restart(now);
    }
    m_sent = m_waiting.front();
    m_waiting.pop_front();
    m_clock.Append(GetFrameBytes(m_sent.bytes), now);
    m_isSending = true;
    m_end = m_agenda.At(m_clock.GetEndTick(), [this]() { End(); });
}

void
LightpathQueue::End()
{
    const int64_t now = m_agenda.Now();
    m_isSending = false;
    m_idleSince = now;
    m_agenda.At(now + m_delay, [this, tag = m_sent.tag]() { m_arrival(tag); });
    Resume();
}

std::vector<LightpathQueue::Piece>
LightpathQueue::Withdraw(uint64_t bulk)
{
    const int64_t now = m_agenda.Now();
    const auto stays = [bulk](const Piece& piece) { return bulk > 0 && piece.size >= bulk; };
    std::vector<Piece> pieces;
    const uint64_t unsent = m_isSending && !stays(m_sent) ? m_clock.GetUnsentBytes(now) : 0;
    if (unsent > 0)
    {
        // The bytes behind the headers of the frames begun arrive
        constexpr uint64_t frame = MAX_FRAME_PAYLOAD_BYTES + FRAME_HEADER_BYTES;
        const uint64_t sent = GetFrameBytes(m_sent.bytes) - unsent;
        const uint64_t headers = (sent + frame - 1) / frame * FRAME_HEADER_BYTES;
        const uint64_t arriving = sent > headers ? sent - headers : 0;
        m_isSending = false;
        pieces.push_back({m_sent.bytes - arriving, m_sent.tag, m_sent.size, arriving > 0});
        if (arriving > 0)
        {
            m_agenda.At(now + m_delay, [this, tag = m_sent.tag]() { m_arrival(tag); });
        }
    }
    std::deque<Piece> others;
    for (const Piece& piece : m_waiting)
    {
        if (stays(piece))
        {
            others.push_back(piece);
        }
        else
        {
            pieces.push_back(piece);
        }
    }
    m_waiting.swap(others);
    return pieces;
}

} // namespace lightpath
} // namespace ns3
