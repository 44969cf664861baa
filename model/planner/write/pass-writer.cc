/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pass-writer.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

ProgramWriter&
PassWriter::GetWriter()
{
    return m_writer;
}

void
PassWriter::Begin(bool waits)
{
    // The last tasks of the passes so far, which this pass must follow
    m_fence = waits ? m_ends : std::vector<uint32_t>();
    ++m_nPasses;
}

void
PassWriter::SetKind(Pass pass)
{
    m_pass = pass;
}

void
PassWriter::AddToFence(uint32_t task)
{
    m_fence.push_back(task);
}

const std::vector<uint32_t>&
PassWriter::GetEnds() const
{
    return m_ends;
}

uint32_t
PassWriter::GetNCommunications() const
{
    return m_nCommunications;
}

void
PassWriter::Reach(const std::vector<uint32_t>& tasks)
{
    for (const auto task : tasks)
    {
        m_behind.resize(std::max<std::size_t>(m_behind.size(), task + 1), 0);
    }
    m_computed.resize(m_behind.size());
}

uint32_t
PassWriter::AddCompute(const std::string& name,
                       double seconds,
                       std::vector<uint32_t> after,
                       const RoutedLayer& routed)
{
    Reach(after);
    // A task that follows no other task of its pass waits for the end of the passes before
    if (std::none_of(after.begin(), after.end(), [&](uint32_t task) {
            return m_behind[task] == m_nPasses;
        }))
    {
        after.insert(after.end(), m_fence.begin(), m_fence.end());
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    const auto drop = [&](uint32_t task) {
        m_ends.erase(std::remove(m_ends.begin(), m_ends.end(), task), m_ends.end());
    };
    // The tasks that it waits for, directly or by communication, are no longer the last ones
    for (const auto task : after)
    {
        drop(task);
        std::for_each(m_computed[task].begin(), m_computed[task].end(), drop);
    }
    const uint32_t index = m_writer.AddCompute(m_pass, name, seconds, after, routed);
    m_behind.resize(std::max<std::size_t>(m_behind.size(), index + 1), 0);
    m_computed.resize(m_behind.size());
    m_behind[index] = m_nPasses;
    drop(index);
    m_ends.push_back(index);
    return index;
}

uint32_t
PassWriter::AddCommunication(Task task, const std::vector<uint32_t>& after)
{
    Reach(after);
    ++m_nCommunications;
    const uint32_t index = m_writer.AddCommunication(std::move(task), after);
    m_behind.resize(index + 1, 0);
    m_computed.resize(index + 1);
    // A communication hands on the compute tasks that it waits for
    for (const auto before : after)
    {
        m_behind[index] = std::max(m_behind[index], m_behind[before]);
        // A compute task has no list: it stands for itself
        if (m_computed[before].empty())
        {
            m_computed[index].push_back(before);
        }
        else
        {
            m_computed[index].insert(m_computed[index].end(),
                                     m_computed[before].begin(),
                                     m_computed[before].end());
        }
    }
    return index;
}

} // namespace lightpath
} // namespace ns3
