/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-writer.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

ProgramWriter::ProgramWriter()
    : m_program(std::make_shared<RankProgram>())
{
}

uint32_t
ProgramWriter::GetCovers(const std::vector<uint32_t>& after) const
{
    uint32_t covers = 0;
    std::vector<uint32_t> numbers;
    for (const auto task : after)
    {
        const State& state = m_states[task];
        covers = std::max(covers, state.covers);
        if (state.wait)
        {
            numbers.push_back(state.number);
        }
    }
    // The waits among these tasks count as far as their numbers follow on
    std::sort(numbers.begin(), numbers.end());
    for (const auto number : numbers)
    {
        covers += number == covers ? 1 : 0;
    }
    return covers;
}

bool
ProgramWriter::Heed(const std::vector<uint32_t>& after)
{
    const uint32_t before = m_nHeeded;
    for (const auto task : after)
    {
        State& state = m_states[task];
        if (state.wait && state.number == UINT32_MAX)
        {
            state.number = m_nHeeded++;
        }
    }
    return m_nHeeded > before;
}

uint32_t
ProgramWriter::AddCompute(Pass pass,
                          const std::string& name,
                          double seconds,
                          const std::vector<uint32_t>& after,
                          const RoutedLayer& routed)
{
    // A task with a wait that no other compute task has had cannot be joined
    const bool isHeld = Heed(after);
    const uint32_t covers = GetCovers(after);
    // The open task is the last one. If it and this one come after all waits that any compute task
    // heeds, then all compute tasks before are over when it begins, and this one cannot precede it.
    if (m_isOpen && m_open.pass == pass && m_open.routed == routed && !isHeld &&
        covers == m_nHeeded && m_states.back().covers == m_nHeeded)
    {
        m_open.seconds += seconds;
        m_lastName = name;
        return static_cast<uint32_t>(m_states.size() - 1);
    }
    Close();
    State state;
    state.covers = covers;
    m_states.push_back(state);
    m_isOpen = true;
    m_open.pass = pass;
    m_open.name = name;
    m_open.seconds = seconds;
    m_open.routed = routed;
    m_openAfter = after;
    m_lastName.clear();
    return static_cast<uint32_t>(m_states.size() - 1);
}

uint32_t
ProgramWriter::AddCommunication(Task task, const std::vector<uint32_t>& after)
{
    NS_ASSERT_MSG(task.kind != TaskKind::COMPUTE, "Compute tasks are added by AddCompute()");
    Close();
    State state;
    // Only receives and collectives may take any time
    state.wait = task.kind != TaskKind::SEND;
    for (const auto before : after)
    {
        state.covers = std::max(state.covers, m_states[before].covers);
    }
    m_states.push_back(state);
    Write(std::move(task), after);
    return static_cast<uint32_t>(m_states.size() - 1);
}

void
ProgramWriter::Close()
{
    if (m_isOpen)
    {
        m_isOpen = false;
        if (!m_lastName.empty())
        {
            m_open.name += " .. " + m_lastName;
        }
        Write(m_open, m_openAfter);
    }
}

void
ProgramWriter::Write(Task task, const std::vector<uint32_t>& after)
{
    m_program->AddTask(std::move(task), after);
}

std::shared_ptr<const RankProgram>
ProgramWriter::Finish()
{
    Close();
    m_states.clear();
    m_nHeeded = 0;
    return std::exchange(m_program, std::make_shared<RankProgram>());
}

} // namespace lightpath
} // namespace ns3
