/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cache-transfer.h"

#include "ns3/rank-groups.h"

#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

CacheTransfer::CacheTransfer(TaskKind kind,
                             const OperatorGraph& prefill,
                             std::vector<Link> links,
                             uint32_t shares)
    : m_kind(kind),
      m_links(std::move(links)),
      m_shares(shares)
{
    for (const auto& op : prefill.GetOperators())
    {
        if (op.contextBytes > 0)
        {
            m_bytes.push_back(op.contextBytes);
        }
    }
}

void
CacheTransfer::AddTo(const Operator& op, PassWriter& writer, std::vector<uint32_t>& after)
{
    if (m_kind == TaskKind::SEND && op.contextBytes > 0)
    {
        Write(writer, after);
    }
    if (m_kind == TaskKind::RECEIVE && after.empty())
    {
        // All other operators follow those that read none
        while (m_next <= m_bytes.size())
        {
            const auto more = Write(writer, {});
            m_received.insert(m_received.end(), more.begin(), more.end());
        }
        after = m_received;
    }
}

void
CacheTransfer::Finish(PassWriter& writer)
{
    if (m_kind == TaskKind::SEND)
    {
        Write(writer, writer.GetEnds());
    }
}

std::vector<uint32_t>
CacheTransfer::Write(PassWriter& writer, const std::vector<uint32_t>& after)
{
    const bool isToken = m_next == m_bytes.size();
    Task task;
    task.kind = m_kind;
    task.name = isToken ? "first-token" : "layer" + std::to_string(m_next + 1) + ".keys-values";
    task.group = PIPELINE_GROUP;
    task.operation = m_next++;
    std::vector<uint32_t> written;
    for (const auto& link : m_links)
    {
        task.peer = link.peer;
        task.bytes = isToken ? TOKEN_BYTES * link.sequences
                             : (m_bytes[task.operation] * link.sequences + m_shares - 1) / m_shares;
        written.push_back(writer.AddCommunication(task, after));
    }
    return written;
}

} // namespace lightpath
} // namespace ns3
