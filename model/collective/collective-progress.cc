/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-progress.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

CollectiveProgress::CollectiveProgress(uint32_t task,
                                       uint64_t tag,
                                       uint32_t position,
                                       const std::vector<uint32_t>& members,
                                       std::shared_ptr<const CollectiveSchedule> schedule,
                                       Messages early)
    : m_task(task),
      m_tag(tag),
      m_position(position),
      m_members(&members),
      m_schedule(std::move(schedule)),
      m_ahead(std::move(early))
{
}

CollectiveProgress::CollectiveProgress(uint32_t task,
                                       uint64_t tag,
                                       uint32_t position,
                                       const std::vector<uint32_t>& members,
                                       std::shared_ptr<const CollectiveSchedule> schedule,
                                       uint32_t step,
                                       Messages ahead)
    : m_task(task),
      m_tag(tag),
      m_position(position),
      m_members(&members),
      m_schedule(std::move(schedule)),
      m_ahead(std::move(ahead)),
      m_step(step),
      m_expected(m_schedule->GetNPeers())
{
    TakeAhead();
}

uint32_t
CollectiveProgress::GetTask() const
{
    return m_task;
}

bool
CollectiveProgress::Begin(Sender& messages, std::vector<Transfer>& transfers)
{
    if (m_schedule->GetNSteps() == 0)
    {
        return true;
    }
    EnterStep(messages, transfers);
    return Advance(messages, transfers);
}

bool
CollectiveProgress::Receive(uint32_t step, Sender& messages, std::vector<Transfer>& transfers)
{
    // A peer that is ahead sends messages of later steps, which count when this rank gets there
    if (step != m_step)
    {
        ++m_ahead[step];
        return false;
    }
    ++m_received;
    return Advance(messages, transfers);
}

void
CollectiveProgress::EnterStep(Sender& messages, std::vector<Transfer>& transfers)
{
    m_schedule->GetSends(m_position, m_step, transfers);
    for (const auto& transfer : transfers)
    {
        if (transfer.peer == m_position)
        {
            messages.Average(m_tag + m_step, transfer.bytes, transfer.isInside);
            continue;
        }
        messages.Transmit((*m_members)[transfer.peer], m_tag + m_step, transfer.bytes);
    }
    m_schedule->GetReceives(m_position, m_step, transfers);
    m_expected = transfers.size();
    m_received = 0;
    TakeAhead();
}

void
CollectiveProgress::TakeAhead()
{
    // Messages of this step that have overtaken those of earlier steps count now
    if (!m_ahead.empty() && m_ahead.begin()->first == m_step)
    {
        m_received = m_ahead.begin()->second;
        m_ahead.erase(m_ahead.begin());
    }
}

bool
CollectiveProgress::Advance(Sender& messages, std::vector<Transfer>& transfers)
{
    // Several steps may be complete at once, by messages that came early
    while (m_received >= m_expected)
    {
        ++m_step;
        if (m_step == m_schedule->GetNSteps())
        {
            return true;
        }
        EnterStep(messages, transfers);
    }
    return false;
}

std::string
CollectiveProgress::DescribeWaiting(const std::string& name) const
{
    std::vector<Transfer> receives;
    m_schedule->GetReceives(m_position, m_step, receives);
    if (receives.front().peer == m_position)
    {
        return "'" + name + "' for the average from the network" +
               (receives.front().isInside ? " inside the server" : "");
    }
    return "step " + std::to_string(m_step + 1) + " of " + std::to_string(m_schedule->GetNSteps()) +
           " of '" + name + "' for a message from rank " +
           std::to_string((*m_members)[receives.front().peer]) +
           (receives.size() > 1 ? " or another" : "");
}

} // namespace lightpath
} // namespace ns3
