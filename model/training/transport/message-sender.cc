/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-sender.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

MessageSender::MessageSender(FailureCallback failureCallback)
    : m_failureCallback(failureCallback)
{
}

MessageSender::~MessageSender()
{
}

void
MessageSender::Send(const MessagePiece& message)
{
    m_queue.push_back(message);
    m_queuedBytes += message.bytes;
    SendMore();
}

MessagePiece
MessageSender::PopPiece(uint64_t most)
{
    NS_ASSERT_MSG(!m_queue.empty(), "a piece of no message");
    MessagePiece& message = m_queue.front();
    const MessagePiece piece{message.tag, message.size, std::min(message.bytes, most)};
    message.bytes -= piece.bytes;
    m_queuedBytes -= piece.bytes;
    if (message.bytes == 0)
    {
        m_queue.pop_front();
    }
    return piece;
}

const TransportStatistics&
MessageSender::GetStatistics() const
{
    return m_statistics;
}

uint64_t
MessageSender::GetSentBytes() const
{
    return m_sentBytes;
}

void
MessageSender::Fail(const std::string& reason)
{
    if (!m_hasFailed)
    {
        m_hasFailed = true;
        m_failureCallback(reason);
    }
}

} // namespace lightpath
} // namespace ns3
