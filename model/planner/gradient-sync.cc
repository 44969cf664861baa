/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-sync.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

GradientSync::GradientSync(ProgramWriter& writer, uint32_t replicas, uint64_t bucketBytes)
    : m_writer(writer),
      m_replicas(replicas),
      m_bucketBytes(bucketBytes)
{
}

void
GradientSync::Add(const std::vector<uint32_t>& tasks, uint64_t bytes, double updateSeconds)
{
    for (const auto task : tasks)
    {
        auto& after = m_current.after;
        if (std::find(after.begin(), after.end(), task) == after.end())
        {
            after.push_back(task);
        }
    }
    m_bytes += bytes;
    m_current.seconds += updateSeconds;
    if (m_bytes >= m_bucketBytes)
    {
        CloseBucket();
    }
}

void
GradientSync::CloseBucket()
{
    if (m_replicas > 1 && m_bytes > 0)
    {
        Task task;
        task.kind = TaskKind::COLLECTIVE;
        task.pass = Pass::BACKWARD;
        task.name = "gradients " + std::to_string(m_nReductions);
        task.group = 1;
        task.operation = m_nReductions++;
        task.bytes = m_bytes;
        m_current.after.insert(m_current.after.end(), m_last.begin(), m_last.end());
        m_last.assign(1, m_writer.AddCommunication(task, m_current.after));
        m_current.after = m_last;
    }
    m_updates.push_back(std::move(m_current));
    m_current = Update();
    m_bytes = 0;
}

void
GradientSync::Finish()
{
    if (!m_current.after.empty())
    {
        CloseBucket();
    }
    for (std::size_t i = 0; i < m_updates.size(); ++i)
    {
        m_writer.AddCompute(Pass::UPDATE,
                            "update " + std::to_string(i),
                            m_updates[i].seconds,
                            m_updates[i].after);
    }
    m_updates.clear();
}

} // namespace lightpath
} // namespace ns3
