/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wait-ledger.h"

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

void
WaitLedger::Begin(uint32_t rank, Time now)
{
    m_ranks[rank].end = now;
}

void
WaitLedger::Compute(uint32_t rank, Time now, Time end)
{
    Add(m_ranks[rank], now, BUBBLE_WAIT);
    Add(m_ranks[rank], end, COMPUTE);
}

void
WaitLedger::HandOver(uint32_t destination, uint64_t tag, const Wait& wait)
{
    Incoming& incoming = m_incoming[destination];
    uint32_t place = incoming.waits.size();
    if (incoming.vacated.empty())
    {
        incoming.waits.push_back(wait);
    }
    else
    {
        place = incoming.vacated.back();
        incoming.vacated.pop_back();
        incoming.waits[place] = wait;
    }
    incoming.places.Add(wait.rank, tag, place);
}

WaitLedger::Wait
WaitLedger::Take(uint32_t source, uint32_t destination, uint64_t tag)
{
    Incoming& incoming = m_incoming[destination];
    const uint32_t place = incoming.places.Take(source, tag);
    if (place == MessageTable::NONE)
    {
        // Nothing is known of it, so that all of the wait is for communication
        return {source, Time(0), Time::Max()};
    }
    incoming.vacated.push_back(place);
    return incoming.waits[place];
}

void
WaitLedger::Join(uint32_t first, uint64_t tag, const Wait& wait)
{
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
WaitLedger::Leave(uint32_t first, uint64_t tag)
{
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
    // What darkness has held up comes that much later
    Add(account, std::min(account.end + dark - wait.dark, now), CIRCUIT_WAIT);
    Add(account, now, group);
}

WaitTimes
WaitLedger::EndIteration(uint32_t rank)
{
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
