/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-sender.h"

namespace ns3
{
namespace lightpath
{

MessageSender::MessageSender(uint64_t turn, FailureCallback failureCallback)
    : m_queue(turn),
      m_failureCallback(failureCallback)
{
}

MessageSender::~MessageSender()
{
}

void
MessageSender::Send(const MessagePiece& message)
{
    m_queue.Push(message);
    SendMore();
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
