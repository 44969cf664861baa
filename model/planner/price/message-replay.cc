/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-replay.h"

#include "grid-carrier.h"
#include "model/base/wire-format.h"
#include "phased-carrier.h"
#include "relay-carrier.h"
#include "turned-carrier.h"

#include "ns3/assert.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

} // namespace

MessageReplay::MessageReplay(const TrainingPlan& plan,
                             const FabricLimits& fabric,
                             const PlanCircuits* circuits,
                             uint32_t iterations,
                             Flow flow,
                             Done done)
    : m_plan(plan),
      m_fabric(fabric),
      m_circuits(circuits),
      m_flow(std::move(flow)),
      m_done(std::move(done)),
      m_tick(1.0 / static_cast<double>(Seconds(1).GetTimeStep()))
{
    const auto arrival = [this](uint64_t number) {
        m_carriedAt = m_carriedAt < 0 ? m_agenda.Now() : m_carriedAt;
        Arrive(static_cast<uint32_t>(number));
    };
    for (uint32_t rail = 0; rail < fabric.servers.layout.GetNRails(); ++rail)
    {
        AddCarrier(rail, iterations, arrival);
    }
}

void
MessageReplay::AddCarrier(uint32_t rail,
                          uint32_t iterations,
                          const MessageCarrier::Arrival& arrival)
{
    const auto rest = [this, rail](const MessageCarrier::Message& message,
                                   const LightpathQueue::Piece& piece) {
        const auto number = static_cast<uint32_t>(piece.tag);
        m_messages[number].left += piece.isRest ? 1 : 0;
        CarryBeside(rail, message, number);
    };
    if (m_fabric.links.carry)
    {
        m_rails.push_back(m_fabric.links.carry(m_agenda, arrival));
    }
    else if (m_fabric.grid.rows > 0)
    {
        m_rails.push_back(std::make_unique<GridCarrier>(m_agenda, m_fabric.grid, arrival));
    }
    else if (m_circuits->AreTurned())
    {
        auto carrier = std::make_unique<TurnedCarrier>(m_agenda,
                                                       m_plan,
                                                       m_fabric,
                                                       rail,
                                                       iterations,
                                                       arrival,
                                                       rest);
        m_turned.push_back(carrier.get());
        m_choices.push_back(&carrier->GetChoice());
        m_rails.push_back(std::move(carrier));
    }
    else if (m_circuits->HasRelays() && !m_circuits->IsPhased() && !m_fabric.beside.network)
    {
        m_rails.push_back(
            std::make_unique<RelayCarrier>(m_agenda, *m_circuits, m_fabric, rail, arrival));
    }
    else if (!m_fabric.isShared || m_circuits->IsPhased() || m_fabric.beside.network)
    {
        auto carrier =
            std::make_unique<PhasedCarrier>(m_agenda, *m_circuits, m_fabric, rail, arrival, rest);
        m_phased.push_back(carrier.get());
        m_choices.push_back(&carrier->GetChoice());
        m_rails.push_back(std::move(carrier));
    }
}

void
MessageReplay::Switch(uint32_t setting)
{
    for (auto* const carrier : m_phased)
    {
        carrier->Switch(setting);
    }
}

void
MessageReplay::Light(uint32_t setting)
{
    for (auto* const carrier : m_phased)
    {
        carrier->Begin(setting);
    }
}

double
MessageReplay::GetNext()
{
    const int64_t next = m_agenda.GetNext();
    return next == INT64_MAX ? std::numeric_limits<double>::infinity()
                             : static_cast<double>(next) * m_tick;
}

bool
MessageReplay::Proceed(double seconds)
{
    const int64_t tick = Agenda::GetTicks(seconds);
    if (m_agenda.GetNext() > tick)
    {
        m_agenda.GoOn(tick);
        return false;
    }
    m_agenda.Happen();
    return true;
}

void
MessageReplay::Send(uint32_t source,
                    uint32_t destination,
                    uint64_t bytes,
                    uint32_t task,
                    uint32_t iteration,
                    uint64_t tag)
{
    Post(bytes, {tag, destination, true, source, Begin(source, task, iteration)});
}

MessageTag
MessageReplay::Begin(uint32_t rank, uint32_t task, uint32_t iteration)
{
    if (m_turned.empty())
    {
        return {};
    }
    for (auto* const carrier : m_turned)
    {
        carrier->GetRequests().Begin(rank, task, iteration);
    }
    const Task& what = m_plan.programs[rank]->GetTasks()[task];
    MessageTag fields;
    fields.iteration = iteration;
    fields.group = what.group;
    fields.isCollective = what.kind == TaskKind::COLLECTIVE;
    fields.operation = what.operation;
    return fields;
}

void
MessageReplay::End(uint32_t rank, uint32_t task, uint32_t iteration)
{
    for (auto* const carrier : m_turned)
    {
        carrier->GetRequests().End(rank, task, iteration);
    }
}

void
MessageReplay::Settle()
{
    for (auto* const carrier : m_turned)
    {
        carrier->Settle();
    }
}

void
MessageReplay::Post(uint64_t bytes, Message message)
{
    const uint32_t source = message.source;
    const auto number = static_cast<uint32_t>(m_messages.size());
    const ServerLayout& layout = m_fabric.servers.layout;
    message.partBytes = bytes;
    message.leftBytes = bytes;
    if (layout.AreInside(source, message.rank))
    {
        m_messages.push_back(message);
        m_flow(source, message.rank, static_cast<double>(bytes), number);
        return;
    }
    const uint32_t relay = layout.GetWay(source, message.rank).relay;
    if (relay == source)
    {
        m_messages.push_back(message);
        Carry(source, number);
        return;
    }
    // A message that takes several networks would be late as a whole
    message.relay = relay;
    message.partBytes = std::max(bytes / m_fabric.servers.relayedParts + 1, FORWARDED_PART_BYTES);
    message.left = static_cast<uint32_t>((bytes - 1) / message.partBytes + 1);
    m_messages.push_back(message);
    for (uint64_t left = bytes; left > 0;)
    {
        const uint64_t part = std::min(left, message.partBytes);
        m_flow(source, relay, static_cast<double>(part), number);
        left -= part;
    }
}

void
MessageReplay::Carry(uint32_t source, uint32_t number)
{
    Message& message = m_messages[number];
    const uint64_t bytes = std::min(message.partBytes, message.leftBytes);
    message.leftBytes -= bytes;
    const ServerLayout::Way way = m_fabric.servers.layout.GetWay(source, message.rank);
    m_sentAt = m_sentAt < 0 ? m_agenda.Now() : m_sentAt;
    const MessageCarrier::Message part{way.from, way.to, bytes};
    const bool isBeside = !m_choices.empty() && !m_choices[way.rail]->TakesCircuits(part);
    if (m_rails.empty() || isBeside)
    {
        CarryBeside(way.rail, part, number);
        return;
    }
    m_rails[way.rail]->Send(part, number);
}

void
MessageReplay::CarryBeside(uint32_t rail, const MessageCarrier::Message& message, uint32_t number)
{
    // GPUs that share a port share its transmitters, too
    const ServerLayout& layout = m_fabric.servers.layout;
    m_flow(layout.GetFirstPlace(rail, message.source),
           layout.GetFirstPlace(rail, message.destination),
           static_cast<double>(message.bytes),
           number);
}

void
MessageReplay::ArriveInside(uint32_t number)
{
    const Message message = m_messages[number];
    if (message.nSummed > 0)
    {
        // The sum goes to all once the switch has the data of the last one
        const std::pair<uint64_t, uint32_t> key{message.tag,
                                                m_fabric.servers.layout.GetServer(message.rank)};
        auto& summed = m_sums[key];
        summed.push_back(number);
        if (summed.size() == message.nSummed)
        {
            const auto all = std::move(summed);
            m_sums.erase(key);
            std::for_each(all.begin(), all.end(), [this](uint32_t each) { Arrive(each); });
        }
        return;
    }
    const uint32_t relay = message.relay;
    relay != UINT32_MAX ? Carry(relay, number) : Arrive(number);
}

void
MessageReplay::Join(uint64_t key,
                    const std::shared_ptr<const CollectiveSchedule>& schedule,
                    const std::vector<uint32_t>& members,
                    uint32_t position,
                    uint32_t task,
                    uint32_t iteration,
                    uint64_t tag)
{
    const uint32_t rank = members[position];
    const uint64_t number = m_numbers.emplace(key, m_numbers.size()).first->second;
    Part& part = m_parts[{number, rank}];
    part.tag = tag;
    part.members = &members;
    part.fields = Begin(rank, task, iteration);
    part.progress
        .emplace(0, number << STEP_BITS, position, members, schedule, std::move(part.early));
    m_rank = rank;
    if (part.progress->Begin(*this, m_transfers))
    {
        m_parts.erase({number, rank});
        m_done(tag);
    }
}

void
MessageReplay::Transmit(uint32_t peer, uint64_t tag, uint64_t bytes)
{
    MessageTag fields = m_parts.at({tag >> STEP_BITS, m_rank}).fields;
    fields.step = static_cast<uint32_t>(tag & ((uint64_t{1} << STEP_BITS) - 1));
    Post(bytes, {tag, peer, false, m_rank, fields});
}

void
MessageReplay::Average(uint64_t tag, uint64_t bytes, bool isInside)
{
    NS_ASSERT_MSG(isInside, "a fabric that carries messages averages none");
    const auto& members = *m_parts.at({tag >> STEP_BITS, m_rank}).members;
    const ServerLayout& layout = m_fabric.servers.layout;
    const uint32_t server = layout.GetServer(m_rank);
    Message message{tag, m_rank, false, m_rank};
    message.nSummed = static_cast<uint32_t>(
        std::count_if(members.begin(), members.end(), [&layout, server](uint32_t rank) {
            return layout.GetServer(rank) == server;
        }));
    const auto number = static_cast<uint32_t>(m_messages.size());
    m_messages.push_back(message);
    m_flow(m_rank, m_rank, static_cast<double>(bytes), number);
}

void
MessageReplay::Arrive(uint32_t number)
{
    if (--m_messages[number].left > 0)
    {
        return;
    }
    const Message message = m_messages[number];
    for (auto* const carrier : m_turned)
    {
        carrier->GetRequests().Arrive(message.rank, message.source, message.fields);
    }
    if (message.isAlone)
    {
        m_done(message.tag);
        return;
    }
    const auto step = static_cast<uint32_t>(message.tag & ((uint64_t{1} << STEP_BITS) - 1));
    const auto found = m_parts.try_emplace({message.tag >> STEP_BITS, message.rank}).first;
    Part& part = found->second;
    if (!part.progress)
    {
        ++part.early[step];
        return;
    }
    m_rank = message.rank;
    if (part.progress->Receive(step, *this, m_transfers))
    {
        const uint64_t tag = part.tag;
        m_parts.erase(found);
        m_done(tag);
    }
}

} // namespace lightpath
} // namespace ns3
