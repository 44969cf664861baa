/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

bool
GridQueue::IsEmpty() const
{
    return !(m_cut.bytes > 0) && m_forwarded.empty() && m_own.empty();
}

double
GridQueue::GetBytes() const
{
    return m_bytes;
}

void
GridQueue::Push(const Part& part, bool isForwarded)
{
    (isForwarded ? m_forwarded : m_own).push_back(part);
    m_bytes += part.bytes;
}

GridQueue::Part
GridQueue::Take()
{
    Part frame;
    if (m_cut.bytes > 0)
    {
        frame = std::exchange(m_cut, {});
    }
    else if (!m_forwarded.empty())
    {
        frame = m_forwarded.front();
        m_forwarded.pop_front();
        frame.bytes = frame.all;
    }
    else
    {
        Part& message = m_own.front();
        frame = message;
        frame.bytes = std::min(message.bytes, message.frame);
        frame.all = frame.bytes;
        message.bytes -= frame.bytes;
        // Rounding leaves less than a byte
        if (message.bytes < 0.5)
        {
            m_own.pop_front();
        }
    }
    m_bytes -= frame.bytes;
    return frame;
}

void
GridQueue::PutBack(const Part& frame)
{
    m_cut = frame;
    m_bytes += frame.bytes;
}

bool
GridQueue::Enlist()
{
    return !std::exchange(m_isQueued, true);
}

void
GridQueue::Dismiss()
{
    m_isQueued = false;
}

} // namespace lightpath
} // namespace ns3
