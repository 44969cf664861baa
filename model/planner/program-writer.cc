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

bool
ProgramWriter::HasOnlyKnownWaits(const std::vector<uint32_t>& after) const
{
    return std::none_of(after.begin(), after.end(), [this](uint32_t task) {
        return m_states[task].wait && m_states[task].number == UINT32_MAX;
    });
}

uint32_t
ProgramWriter::Heed(const std::vector<uint32_t>& after)
{
    uint32_t covers = 0;
    std::vector<uint32_t> numbers;
    for (const auto task : after)
    {
        State& state = m_states[task];
        covers = std::max(covers, state.covers);
        if (state.wait)
        {
            if (state.number == UINT32_MAX)
            {
                state.number = m_nHeeded++;
            }
            numbers.push_back(state.number);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    for (const auto number : numbers)
    {
        covers += number == covers ? 1 : 0;
    }
    return covers;
}

uint32_t
ProgramWriter::AddCompute(Pass pass,
                          const std::string& name,
                          double seconds,
                          const std::vector<uint32_t>& after)
{
    // The open task is the last one. If it comes after all waits that any compute task heeds, then
    // all compute tasks before it are over when it begins.
    if (m_isOpen && m_open.pass == pass && m_states.back().covers == m_nHeeded &&
        HasOnlyKnownWaits(after))
    {
        m_open.seconds += seconds;
        m_lastName = name;
        return static_cast<uint32_t>(m_states.size() - 1);
    }
    Close();
    State state;
    state.covers = Heed(after);
    m_states.push_back(state);
    m_isOpen = true;
    m_open.pass = pass;
    m_open.name = name;
    m_open.seconds = seconds;
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
    const uint32_t index = m_program->AddTask(std::move(task));
    for (const auto before : after)
    {
        m_program->AddDependency(before, index);
    }
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
