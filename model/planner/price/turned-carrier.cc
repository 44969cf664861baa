/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turned-carrier.h"

#include "model/base/wire-format.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

TurnedCarrier::TurnedCarrier(Agenda& agenda,
                             const TrainingPlan& plan,
                             const FabricLimits& fabric,
                             uint32_t rail,
                             uint32_t iterations,
                             Arrival arrival)
    : m_agenda(agenda),
      m_plan(plan),
      m_fabric(fabric),
      m_rail(rail),
      m_arrival(std::move(arrival)),
      m_dark(std::llround(fabric.switchingSeconds / TimeStep(1).GetSeconds())),
      m_delay(std::llround(fabric.latency / TimeStep(1).GetSeconds())),
      m_nPorts(fabric.servers.layout.GetNPorts(static_cast<uint32_t>(plan.programs.size()))),
      m_turns(m_nPorts, fabric.circuits),
      m_carried(m_nPorts, fabric.circuits),
      m_requests(plan, m_turns, m_nPorts, iterations, *this)
{
}

std::optional<std::pair<uint32_t, uint32_t>>
TurnedCarrier::GetPorts(uint32_t source, uint32_t destination) const
{
    const ServerLayout& layout = m_fabric.servers.layout;
    if (layout.AreInside(source, destination))
    {
        return std::nullopt;
    }
    const auto way = layout.GetWay(source, destination);
    return way.rail == m_rail ? std::make_optional(std::make_pair(way.from, way.to)) : std::nullopt;
}

std::shared_ptr<const CollectiveSchedule>
TurnedCarrier::GetSchedule(const Task& task,
                           uint32_t /* rank */,
                           std::optional<uint32_t> /* iteration */,
                           uint32_t size)
{
    auto& schedule = m_schedules[{task.collective, size, task.bytes, task.options}];
    if (!schedule)
    {
        schedule = CollectiveSchedule::Create(task.collective,
                                              size,
                                              m_plan.protocols.GetWireBytes(task.bytes),
                                              task.options);
    }
    return schedule;
}

double
TurnedCarrier::GetByteRate() const
{
    return m_fabric.laneRate / 8;
}

double
TurnedCarrier::GetDarkSeconds() const
{
    return m_fabric.switchingSeconds;
}

void
TurnedCarrier::NotifyChange()
{
    m_hasChanged = true;
}

void
TurnedCarrier::Settle()
{
    if (!std::exchange(m_hasChanged, false))
    {
        return;
    }
    m_requests.Settle();
    std::vector<CarriedCircuits::Circuit> gone;
    std::vector<CarriedCircuits::Circuit> come;
    m_carried.Update(m_turns, gone, come);
    for (const auto& [plane, source, destination] : gone)
    {
        const auto dark = m_lighting.find({plane, source});
        if (dark != m_lighting.end())
        {
            dark->second->Cancel();
            m_lighting.erase(dark);
            continue;
        }
        Lightpath& lightpath = m_lightpaths[{source, destination}];
        SetPlanes(lightpath, lightpath.planes - 1);
    }
    for (const auto& [plane, source, destination] : come)
    {
        const std::pair<uint32_t, uint32_t> key{plane, source};
        Lightpath& lightpath = m_lightpaths[{source, destination}];
        m_lighting[key] = m_agenda.At(m_agenda.Now() + m_dark, [this, key, &lightpath]() {
            m_lighting.erase(key);
            SetPlanes(lightpath, lightpath.planes + 1);
        });
    }
}

void
TurnedCarrier::Send(const Message& message, uint64_t tag)
{
    Lightpath& lightpath = m_lightpaths[{message.source, message.destination}];
    const uint64_t most = MAX_FRAME_PAYLOAD_BYTES;
    const uint64_t frames = std::max<uint64_t>((message.bytes + most - 1) / most, 1);
    lightpath.waiting.emplace_back(message.bytes + frames * FRAME_HEADER_BYTES, tag);
    Resume(lightpath);
}

void
TurnedCarrier::SetPlanes(Lightpath& lightpath, uint32_t planes)
{
    const int64_t now = m_agenda.Now();
    lightpath.planes = planes;
    lightpath.clock.SetBitRate(static_cast<uint64_t>(std::llround(m_fabric.laneRate)) * planes,
                               now);
    if (!lightpath.isSending)
    {
        Resume(lightpath);
        return;
    }
    lightpath.end->Cancel();
    // A message ends in darkness only after its last bit
    if (planes > 0 || lightpath.clock.GetUnsentBytes(now) == 0)
    {
        lightpath.end = m_agenda.At(std::max(lightpath.clock.GetEndTick(), now),
                                    [this, &lightpath]() { End(lightpath); });
    }
}

void
TurnedCarrier::Resume(Lightpath& lightpath)
{
    if (lightpath.isSending || lightpath.planes == 0 || lightpath.waiting.empty())
    {
        return;
    }
    const int64_t now = m_agenda.Now();
    // A pause must not count as time of transmission
    if (lightpath.idleSince != now)
    {
        lightpath.clock.Restart(now);
    }
    lightpath.clock.Append(lightpath.waiting.front().first, now);
    lightpath.tag = lightpath.waiting.front().second;
    lightpath.waiting.pop_front();
    lightpath.isSending = true;
    lightpath.end =
        m_agenda.At(lightpath.clock.GetEndTick(), [this, &lightpath]() { End(lightpath); });
}

void
TurnedCarrier::End(Lightpath& lightpath)
{
    const int64_t now = m_agenda.Now();
    lightpath.isSending = false;
    lightpath.idleSince = now;
    m_agenda.At(now + m_delay, [this, tag = lightpath.tag]() { m_arrival(tag); });
    Resume(lightpath);
}

} // namespace lightpath
} // namespace ns3
