/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-queue.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

MessageQueue::MessageQueue(uint64_t turn)
    : m_turn(turn)
{
}

void
MessageQueue::Push(const MessagePiece& message)
{
    m_bytes += message.bytes;
    // The entry of a tag exists while a message with this tag takes turns
    if (m_turn > 0)
    {
        const auto entry = m_later.emplace(message.tag, std::deque<MessagePiece>());
        if (!entry.second)
        {
            entry.first->second.push_back(message);
            return;
        }
    }
    m_messages.push_back(message);
}

MessagePiece
MessageQueue::Pop(uint64_t most)
{
    NS_ASSERT_MSG(!m_messages.empty(), "there is a message");
    MessagePiece& message = m_messages.front();
    MessagePiece piece{message.tag, message.size, std::min(message.bytes, most)};
    if (m_turn > 0)
    {
        piece.bytes = std::min(piece.bytes, m_turn - m_used);
        m_used += piece.bytes;
    }
    message.bytes -= piece.bytes;
    m_bytes -= piece.bytes;
    if (message.bytes == 0)
    {
        EndFirst();
    }
    // The turn is over: the message goes behind the others
    else if (m_turn > 0 && m_used == m_turn)
    {
        m_messages.push_back(message);
        m_messages.pop_front();
        m_used = 0;
    }
    return piece;
}

void
MessageQueue::EndFirst()
{
    m_used = 0;
    const auto later = m_later.find(m_messages.front().tag);
    m_messages.pop_front();
    if (later == m_later.end())
    {
        return;
    }
    if (later->second.empty())
    {
        m_later.erase(later);
        return;
    }
    // The next message of the tag takes its place, at the end of the round
    m_messages.push_back(later->second.front());
    later->second.pop_front();
}

bool
MessageQueue::IsEmpty() const
{
    return m_messages.empty();
}

uint64_t
MessageQueue::GetBytes() const
{
    return m_bytes;
}

} // namespace lightpath
} // namespace ns3
