/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most cycles for which a port that is met by all others has bytes that are followed.
constexpr double MOST_ROTOR_CYCLES = 8;

/// The most messages whose time is kept.
constexpr std::size_t MOST_KNOWN_MESSAGES = 1 << 20;

/**
 * @param messages messages
 * @return their hash, by FNV-1a over words
 */
uint64_t
GetHash(const std::vector<RotorTiming::Message>& messages)
{
    uint64_t hash = 14695981039346656037ULL;
    for (const auto& message : messages)
    {
        for (const uint64_t value :
             {uint64_t{message.source} << 32 | message.destination, message.bytes})
        {
            hash = (hash ^ value) * 1099511628211ULL;
        }
    }
    return hash;
}

} // namespace

RotorTimer::RotorTimer(const RotorTiming& timing, Ptr<RotorDiscipline> discipline)
    : m_timing(timing),
      m_n(timing.schedule->GetNPorts()),
      m_discipline(std::move(discipline))
{
    if (timing.isStaggered)
    {
        m_slices.emplace(timing);
    }
}

std::pair<double, double>
RotorTimer::GetTime(const std::vector<RotorTiming::Message>& messages)
{
    const uint64_t hash = GetHash(messages);
    for (const auto& other : m_known[hash])
    {
        if (other.messages == messages)
        {
            return other.time;
        }
    }
    const uint64_t least = m_slices ? m_discipline->GetShortMessage() : 0;
    std::vector<RotorTiming::Message> brief;
    std::vector<RotorTiming::Message> others;
    std::vector<double> sent(m_n, 0);
    for (const auto& message : messages)
    {
        if (message.bytes > 0 && message.source != message.destination)
        {
            (message.bytes < least ? brief : others).push_back(message);
            sent[message.source] += static_cast<double>(message.bytes);
        }
    }
    const RotorTiming::Result first =
        brief.empty() ? RotorTiming::Result() : m_slices->GetTime(brief);
    const RotorTiming::Result second = others.empty() ? RotorTiming::Result() : Follow(others);
    const double rate = m_timing.rate * m_timing.schedule->GetNUplinks() *
                        (1 - m_timing.darkSeconds / m_timing.slotSeconds);
    const double busy =
        std::max(*std::max_element(sent.begin(), sent.end()), (first.bytes + second.bytes) / m_n) /
        rate;
    const double seconds = std::max(first.seconds, second.seconds);
    const double slot = m_timing.rate * (m_timing.slotSeconds - m_timing.darkSeconds);
    // Pairs that have more than a slot's worth leave no room for what others would forward
    const bool isFull = m_discipline->SendsDirect() &&
                        std::any_of(others.begin(), others.end(), [slot](const auto& message) {
                            return static_cast<double>(message.bytes) > slot;
                        });
    const std::pair<double, double> time{seconds, isFull ? seconds : std::min(busy, seconds)};
    m_nKnown += messages.size();
    if (m_nKnown > MOST_KNOWN_MESSAGES)
    {
        m_known.clear();
        m_nKnown = messages.size();
    }
    m_known[hash].push_back({messages, time});
    return time;
}

RotorTiming::Result
RotorTimer::Follow(const std::vector<RotorTiming::Message>& messages)
{
    std::vector<double> sent(m_n, 0);
    for (const auto& message : messages)
    {
        sent[message.source] += static_cast<double>(message.bytes);
    }
    const double cycle = m_timing.rate * (m_timing.slotSeconds - m_timing.darkSeconds) *
                         m_timing.schedule->GetNUplinks() * m_timing.schedule->GetNSlots();
    const double cycles = *std::max_element(sent.begin(), sent.end()) / cycle;
    if (cycles <= MOST_ROTOR_CYCLES)
    {
        return Run(messages);
    }
    RotorTiming::Result results[2];
    for (const uint32_t half : {0, 1})
    {
        std::vector<RotorTiming::Message> parts = messages;
        for (auto& part : parts)
        {
            part.bytes = static_cast<uint64_t>(static_cast<double>(part.bytes) *
                                               (MOST_ROTOR_CYCLES / cycles) / (2 - half));
            part.bytes = std::max<uint64_t>(part.bytes, 1);
        }
        results[half] = Run(parts);
    }
    const double more = 2 * (cycles / MOST_ROTOR_CYCLES - 1);
    return {results[1].seconds + more * (results[1].seconds - results[0].seconds),
            results[1].bytes + more * (results[1].bytes - results[0].bytes)};
}

RotorTiming::Result
RotorTimer::Run(const std::vector<RotorTiming::Message>& messages)
{
    m_discipline->Begin();
    m_queues = RotorQueues(m_n);
    m_windows.assign(std::size_t{m_n} * m_n, Window());
    m_granted.assign(m_windows.size(), {});
    m_pieces.assign(m_windows.size(), {});
    m_arrivals.clear();
    m_left = 0;
    m_last = 0;
    m_sent = 0;
    for (const auto& message : messages)
    {
        const uint64_t bytes = message.bytes + RotorTiming::HEADER_BYTES;
        m_queues.own[message.source][message.destination] += bytes;
        m_left += bytes;
    }
    // Pairs that met at earlier turns still have light
    const uint32_t turns = m_timing.GetNTurns();
    const double gap = m_timing.slotSeconds / turns;
    uint64_t turn = uint64_t{turns} * m_timing.schedule->GetNSlots();
    const double begin = gap * (static_cast<double>(turn) - 0.5) + m_timing.darkSeconds;
    for (uint64_t before = turn - turns; before < turn; ++before)
    {
        Meet(before, begin);
        Send();
    }
    const auto capacity =
        static_cast<uint64_t>(m_timing.rate * (m_timing.slotSeconds - m_timing.darkSeconds) + 0.5);
    for (; m_left > 0; ++turn)
    {
        const double now = gap * static_cast<double>(turn) + m_timing.darkSeconds;
        Settle(now, false);
        Meet(turn, now);
        const auto slot = static_cast<uint32_t>(turn / turns % m_timing.schedule->GetNSlots());
        m_discipline->Decide(slot, m_contacts, capacity, m_queues, m_grants);
        for (const auto& grant : m_grants)
        {
            m_granted[std::size_t{grant.source} * m_n + grant.peer].push_back(grant);
        }
        Send();
    }
    return {m_last - begin, m_sent};
}

void
RotorTimer::Meet(uint64_t turn, double since)
{
    const PeriodicSchedule& schedule = *m_timing.schedule;
    const uint32_t turns = m_timing.GetNTurns();
    const double light = m_timing.slotSeconds / turns * static_cast<double>(turn);
    m_contacts.clear();
    for (uint32_t uplink = 0; uplink < schedule.GetNUplinks(); ++uplink)
    {
        if (turns > 1 && uplink != turn % turns)
        {
            continue;
        }
        const auto slot = static_cast<uint32_t>(turn / turns % schedule.GetNSlots());
        for (uint32_t port = 0; port < m_n; ++port)
        {
            const uint32_t peer = schedule.GetPeer(slot, port, uplink);
            if (peer != port)
            {
                GetWindow(port, peer) = {since, light + m_timing.slotSeconds};
                m_contacts.push_back({port, peer});
            }
        }
    }
}

uint64_t
RotorTimer::Pass(const RotorDiscipline::Contact& contact,
                 uint32_t destination,
                 uint64_t bytes,
                 uint64_t most)
{
    Window& window = GetWindow(contact.source, contact.peer);
    const double room =
        std::max(std::floor((window.end - window.free) * m_timing.rate + 1e-3), 0.0);
    const uint64_t passed = std::min({bytes, most, static_cast<uint64_t>(room)});
    if (passed <= RotorTiming::HEADER_BYTES)
    {
        return bytes;
    }
    window.free += static_cast<double>(passed) / m_timing.rate;
    m_sent += static_cast<double>(passed);
    if (contact.peer == destination)
    {
        m_left -= passed;
        m_last = std::max(m_last, window.free);
    }
    else
    {
        m_arrivals.push_back({window.free, contact.peer, destination, passed});
    }
    // The rest of the bytes goes in another frame, with its own headers
    const uint64_t more = passed < bytes ? RotorTiming::HEADER_BYTES : 0;
    m_left += more;
    return bytes - passed + more;
}

void
RotorTimer::SendStored(const RotorDiscipline::Contact& contact)
{
    uint64_t& stored = m_queues.stored[contact.source][contact.peer];
    auto& pieces = m_pieces[std::size_t{contact.source} * m_n + contact.peer];
    uint64_t left = 0;
    while (!pieces.empty() && left == 0)
    {
        left = Pass(contact, contact.peer, pieces.front(), pieces.front());
        stored = stored + left - pieces.front();
        pieces.front() = left;
        if (left == 0)
        {
            pieces.pop_front();
        }
    }
}

void
RotorTimer::Send()
{
    for (const auto& contact : m_contacts)
    {
        const auto [source, peer] = contact;
        auto& row = m_queues.own[source];
        if (m_discipline->SendsDirect())
        {
            SendStored(contact);
            row[peer] = Pass(contact, peer, row[peer], row[peer]);
        }
        // Bytes that find no room need a new grant
        for (const auto& grant : std::exchange(m_granted[std::size_t{source} * m_n + peer], {}))
        {
            uint64_t& own = row[grant.destination];
            own = Pass(contact, grant.destination, own, grant.bytes);
        }
        if (!m_discipline->SendsDirect())
        {
            SendStored(contact);
        }
    }
    Settle(0, true);
}

void
RotorTimer::Store(const Arrival& arrival)
{
    Window& window = GetWindow(arrival.port, arrival.destination);
    uint64_t left = arrival.bytes;
    if (window.end > arrival.seconds)
    {
        window.free = std::max(window.free, arrival.seconds);
        left = Pass({arrival.port, arrival.destination}, arrival.destination, left, left);
    }
    if (left > 0)
    {
        m_queues.stored[arrival.port][arrival.destination] += left;
        m_pieces[std::size_t{arrival.port} * m_n + arrival.destination].push_back(left);
    }
}

void
RotorTimer::Settle(double now, bool areMet)
{
    std::stable_sort(m_arrivals.begin(), m_arrivals.end(), [](const auto& a, const auto& b) {
        return a.seconds < b.seconds;
    });
    m_later.clear();
    for (const Arrival& arrival : m_arrivals)
    {
        const bool isMet = GetWindow(arrival.port, arrival.destination).end > arrival.seconds;
        if (areMet ? isMet : arrival.seconds <= now)
        {
            // The port sends them to their destination, so that m_arrivals does not change
            Store(arrival);
        }
        else
        {
            m_later.push_back(arrival);
        }
    }
    std::swap(m_arrivals, m_later);
}

} // namespace lightpath
} // namespace ns3
