/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wait-ledger.h"

#include "wait-log.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace lightpath
{

WaitLedger::WaitLedger(uint32_t ranks, const WaitTrace& trace)
    : m_trace(trace),
      m_ranks(ranks),
      m_incoming(ranks)
{
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_ranks[rank].rank = rank;
    }
}

WaitLedger::~WaitLedger() = default;

void
WaitLedger::Defer(std::unique_ptr<WaitLog> log)
{
    m_log = std::move(log);
}

void
WaitLedger::Begin(uint32_t rank, Time now)
{
    if (m_log)
    {
        m_log->Add({now.GetTimeStep(), 0, 0, rank, 0, WaitLog::BEGIN, 0, false});
    }
    m_ranks[rank].end = now;
}

void
WaitLedger::Compute(uint32_t rank, Time now, Time end)
{
    if (m_log)
    {
        m_log->Add({now.GetTimeStep(), end.GetTimeStep(), 0, rank, 0, WaitLog::COMPUTE, 0, false});
        m_ranks[rank].end = std::max(m_ranks[rank].end, end);
        return;
    }
    Add(m_ranks[rank], now, BUBBLE_WAIT);
    Add(m_ranks[rank], end, COMPUTE);
}

void
WaitLedger::HandOver(uint32_t destination, uint64_t tag, const Wait& wait)
{
    if (m_log)
    {
        m_log->Add({wait.ready.GetTimeStep(),
                    wait.dark.GetTimeStep(),
                    tag,
                    wait.rank,
                    destination,
                    WaitLog::HAND_OVER,
                    0,
                    false});
        return;
    }
    m_incoming[destination].Add(wait.rank, tag, {wait.ready, wait.dark});
}

WaitLedger::Wait
WaitLedger::Take(uint32_t source, uint32_t destination, Time now, uint64_t tag)
{
    if (m_log)
    {
        m_log->Add({now.GetTimeStep(), 0, tag, destination, source, WaitLog::TAKE, 0, false});
        return {};
    }
    const auto message = m_incoming[destination].Take(source, tag);
    if (!message)
    {
        // Nothing is known of it, so that all of the wait is for communication
        return {source, Time(0), Time::Max()};
    }
    return {source, message->ready, message->dark};
}

void
WaitLedger::Join(uint32_t first, uint64_t tag, const Wait& wait)
{
    if (m_log)
    {
        m_log->Add({wait.ready.GetTimeStep(),
                    wait.dark.GetTimeStep(),
                    tag,
                    wait.rank,
                    first,
                    WaitLog::JOIN,
                    0,
                    false});
        return;
    }
    Operation& operation = m_operations[{tag, first}];
    // Of ranks that reach it at the same instant, in whatever order, the lowest one counts
    if (operation.members == 0 || wait.ready > operation.last.ready ||
        (wait.ready == operation.last.ready && wait.rank < operation.last.rank))
    {
        operation.last = wait;
    }
    ++operation.members;
}

WaitLedger::Wait
WaitLedger::Leave(uint32_t rank, Time now, uint32_t first, uint64_t tag)
{
    if (m_log)
    {
        m_log->Add({now.GetTimeStep(), 0, tag, rank, first, WaitLog::LEAVE, 0, false});
        return {};
    }
    const auto operation = m_operations.find({tag, first});
    const Wait last = operation->second.last;
    if (--operation->second.members == 0)
    {
        m_operations.erase(operation);
    }
    return last;
}

void
WaitLedger::Explain(uint32_t rank, Time now, const Wait& wait, Time dark, uint32_t group)
{
    Account& account = m_ranks[rank];
    if (wait.rank != rank)
    {
        Follow(account, m_ranks[wait.rank], wait.ready, group);
    }
    // Bytes that darkness has held up come that much later
    Add(account, std::min(account.end + dark - wait.dark, now), CIRCUIT_WAIT);
    Add(account, now, group);
}

void
WaitLedger::ExplainLater(uint32_t rank, Time now, uint32_t group, bool isInside)
{
    m_log->Add({now.GetTimeStep(),
                0,
                0,
                rank,
                0,
                WaitLog::EXPLAIN,
                static_cast<uint8_t>(group),
                isInside});
    m_ranks[rank].end = now;
}

WaitTimes
WaitLedger::EndIteration(uint32_t rank, Time now)
{
    if (m_log)
    {
        m_log->Add({now.GetTimeStep(), 0, 0, rank, 0, WaitLog::END_ITERATION, 0, false});
        return {};
    }
    return std::exchange(m_ranks[rank].waits, {});
}

WaitTimes
WaitLedger::GetWaitsFor(uint32_t rank, Time from, Time until) const
{
    Account account;
    account.end = from;
    Follow(account, m_ranks[rank], until, BUBBLE_WAIT);
    return account.waits;
}

void
WaitLedger::Add(Account& account, Time end, uint8_t kind) const
{
    if (end <= account.end)
    {
        return;
    }
    if (kind != COMPUTE)
    {
        account.waits[kind] += end - account.end;
        if (account.rank != NOBODY)
        {
            m_trace(account.rank, kind, account.end, end);
        }
    }
    account.end = end;
    auto& activities = account.activities;
    if (!activities.empty() && activities.back().kind == kind)
    {
        activities.back().end = end;
        return;
    }
    if (activities.size() == 2 * LATEST)
    {
        // The first activity also stands for those before it
        activities.erase(activities.begin(), activities.begin() + LATEST);
        activities.front().kind = COMPUTE;
    }
    activities.push_back({end, kind});
}

void
WaitLedger::Follow(Account& account, const Account& other, Time end, uint8_t kind) const
{
    // Mostly it is the latest activity that matters, so the search begins there
    auto activity = other.activities.end();
    while (activity != other.activities.begin() && std::prev(activity)->end > account.end)
    {
        --activity;
    }
    for (; activity != other.activities.end() && account.end < end; ++activity)
    {
        const uint8_t reason = activity->kind == COMPUTE ? uint8_t{BUBBLE_WAIT} : activity->kind;
        Add(account, std::min(activity->end, end), reason);
    }
    Add(account, end, kind);
}

} // namespace lightpath
} // namespace ns3
