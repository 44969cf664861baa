/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slice-timer.h"

#include "slice-routes.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

SliceTimer::SliceTimer(const RotorTiming& timing)
    : m_timing(timing),
      m_slice(timing.slotSeconds / timing.GetNTurns()),
      m_n(timing.schedule->GetNPorts()),
      m_tables(std::size_t{timing.schedule->GetNSlots()} * timing.GetNTurns()),
      m_arriving(std::size_t{m_n} * m_n, 0),
      m_circuits(m_n)
{
}

const SliceTimer::Table&
SliceTimer::GetTable(uint64_t slice)
{
    const auto number = static_cast<uint32_t>(slice % m_tables.size());
    Table& table = m_tables[number];
    if (!table.empty())
    {
        return table;
    }
    const PeriodicSchedule& schedule = *m_timing.schedule;
    const uint32_t uplinks = schedule.GetNUplinks();
    std::vector<std::pair<uint32_t, uint32_t>> circuits;
    for (uint32_t uplink = 0; uplink < uplinks; ++uplink)
    {
        // No message goes onto an uplink that is about to go dark
        if (uplink == (number + 1) % uplinks)
        {
            continue;
        }
        const uint32_t slots = schedule.GetNSlots();
        const uint32_t slot = (number / uplinks + slots - (uplink > number % uplinks)) % slots;
        for (uint32_t port = 0; port < m_n; ++port)
        {
            const uint32_t peer = schedule.GetPeer(slot, port, uplink);
            if (peer != port)
            {
                circuits.emplace_back(port, peer);
            }
        }
    }
    SliceRoutes routes;
    routes.Begin(m_n, circuits);
    table.resize(std::size_t{m_n} * m_n);
    for (uint32_t port = 0; port < m_n; ++port)
    {
        for (uint32_t destination = 0; destination < m_n; ++destination)
        {
            table[std::size_t{port} * m_n + destination] = routes.GetNext(port, destination);
        }
    }
    return table;
}

double
SliceTimer::GetRound(const Table& table) const
{
    std::vector<double> frames(std::size_t{m_n} * m_n, 0);
    for (std::size_t i = 0; i < m_queues.size(); ++i)
    {
        const Queue& queue = m_queues[i];
        if (queue.own > 0 || queue.stored > 0)
        {
            frames[i / m_n * m_n + table[i]] +=
                std::min(queue.own, queue.messages * m_timing.frameBytes) + queue.stored;
        }
    }
    double bytes = 0;
    uint32_t busy = 0;
    for (const double frame : frames)
    {
        bytes += frame;
        busy += frame > 0;
    }
    return bytes / std::max(busy, 1U) / m_timing.rate;
}

RotorTiming::Result
SliceTimer::GetTime(const std::vector<RotorTiming::Message>& messages)
{
    m_queues.assign(std::size_t{m_n} * m_n, Queue());
    m_left = 0;
    m_sent = 0;
    double largest = 0;
    for (const auto& message : messages)
    {
        const auto bytes = static_cast<double>(message.bytes);
        Queue& queue = m_queues[std::size_t{message.source} * m_n + message.destination];
        queue.own += bytes;
        ++queue.messages;
        m_left += bytes;
        largest = std::max(largest, bytes);
    }
    // A round takes no less than a frame
    const double least = std::min(largest, m_timing.frameBytes) / m_timing.rate;
    const double enough = 1e-6 * m_left;
    double now = m_slice / 2;
    const double begin = now;
    uint64_t slice = 0;
    while (m_left > enough)
    {
        const double end = m_slice * static_cast<double>(slice + 1);
        const Table& table = GetTable(slice);
        const double seconds = std::min(std::max(GetRound(table), least), end - now);
        const double part = Send(table, seconds);
        if (m_left <= enough)
        {
            return {now + part * seconds - begin, m_sent};
        }
        now += seconds;
        if (now >= end * (1 - 1e-9))
        {
            now = end;
            ++slice;
        }
    }
    return {now - begin, m_sent};
}

double
SliceTimer::Send(const Table& table, double seconds)
{
    double part = 0;
    for (uint32_t port = 0; port < m_n; ++port)
    {
        const std::size_t first = std::size_t{port} * m_n;
        part = std::max(part, SendFrom(port, &table[first], m_timing.rate * seconds));
    }
    for (std::size_t i = 0; i < m_arriving.size(); ++i)
    {
        m_queues[i].stored += std::exchange(m_arriving[i], 0);
    }
    return part;
}

double
SliceTimer::SendFrom(uint32_t port, const uint32_t* next, double room)
{
    Queue* const queues = &m_queues[std::size_t{port} * m_n];
    std::fill(m_circuits.begin(), m_circuits.end(), Circuit());
    for (uint32_t destination = 0; destination < m_n; ++destination)
    {
        const Queue& queue = queues[destination];
        if (queue.own > 0 || queue.stored > 0)
        {
            Circuit& circuit = m_circuits[next[destination]];
            circuit.own += queue.own;
            circuit.frames += std::min(queue.own, queue.messages * m_timing.frameBytes);
            circuit.stored += queue.stored;
        }
    }
    double most = 0;
    for (uint32_t destination = 0; destination < m_n; ++destination)
    {
        Queue& queue = queues[destination];
        if (queue.own <= 0 && queue.stored <= 0)
        {
            continue;
        }
        const Circuit& circuit = m_circuits[next[destination]];
        const double round = circuit.frames + circuit.stored;
        const double frames = std::min(queue.own, queue.messages * m_timing.frameBytes);
        // More than a round: what is stored is gone, and messages share the rest
        const double scale = std::min(room / round, 1.0);
        const double rest = circuit.own - circuit.frames;
        const double more = room > round && rest > 0 ? std::min((room - round) / rest, 1.0) : 0;
        const double own = scale * frames + more * (queue.own - frames);
        const double stored = scale * queue.stored;
        most = std::max(most, std::min((circuit.own + circuit.stored) / room, 1.0));
        // Rounding must leave no crumbs
        queue.own = own > queue.own * (1 - 1e-12) ? 0 : queue.own - own;
        queue.stored = scale < 1 ? queue.stored - stored : 0;
        m_sent += own + stored;
        const uint32_t hop = next[destination];
        if (hop == destination)
        {
            m_left -= own + stored;
        }
        else
        {
            m_arriving[std::size_t{hop} * m_n + destination] += own + stored;
        }
    }
    return most;
}

} // namespace lightpath
} // namespace ns3
