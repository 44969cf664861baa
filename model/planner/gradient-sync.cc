/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-sync.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

GradientSync::GradientSync(ProgramWriter& writer,
                           uint32_t replicas,
                           uint64_t bucketBytes,
                           std::size_t calls)
    : m_writer(writer),
      m_replicas(replicas),
      m_bucketBytes(bucketBytes),
      m_callsLeft(calls)
{
}

void
GradientSync::SetPhase(uint32_t phase)
{
    m_phase = phase;
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
    NS_ASSERT_MSG(m_callsLeft > 0, "More gradients than announced");
    --m_callsLeft;
    if (m_bytes >= m_bucketBytes || m_callsLeft == 0)
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
        task.phase = m_phase;
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
    NS_ASSERT_MSG(m_callsLeft == 0, "Fewer gradients than announced");
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
