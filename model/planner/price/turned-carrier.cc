/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turned-carrier.h"

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
                             Arrival arrival,
                             HybridChoice::Rest rest)
    : m_agenda(agenda),
      m_plan(plan),
      m_fabric(fabric),
      m_rail(rail),
      m_arrival(std::move(arrival)),
      m_dark(Agenda::GetTicks(fabric.switchingSeconds)),
      m_delay(Agenda::GetTicks(fabric.latency)),
      m_planeRate(static_cast<uint64_t>(std::llround(fabric.laneRate))),
      m_nPorts(fabric.servers.layout.GetNPorts(static_cast<uint32_t>(plan.programs.size()))),
      m_turns(m_nPorts, fabric.circuits),
      m_carried(m_nPorts, fabric.circuits),
      m_choice(
          agenda,
          fabric,
          [this](const HybridChoice::Ends& ends) {
              const auto found = m_nCircuits.find(ends);
              return found != m_nCircuits.end() && found->second > 0;
          },
          std::move(rest)),
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
    for (const auto& [plane, source, destination] : come)
    {
        ++m_nCircuits[{source, destination}];
    }
    for (const auto& [plane, source, destination] : gone)
    {
        --m_nCircuits[{source, destination}];
    }
    for (const auto& [plane, source, destination] : gone)
    {
        const auto dark = m_lighting.find({plane, source});
        const bool isDark = dark != m_lighting.end();
        if (isDark)
        {
            dark->second->Cancel();
            m_lighting.erase(dark);
        }
        LightpathQueue& lightpath = Get(source, destination);
        if (!isDark)
        {
            lightpath.SetRate(lightpath.GetRate() - m_planeRate, m_delay);
        }
        if (lightpath.IsBusy())
        {
            m_choice.Wait({source, destination}, lightpath);
        }
    }
    for (const auto& [plane, source, destination] : come)
    {
        const std::pair<uint32_t, uint32_t> key{plane, source};
        LightpathQueue& lightpath = Get(source, destination);
        m_lighting[key] = m_agenda.At(m_agenda.Now() + m_dark, [this, key, &lightpath]() {
            m_lighting.erase(key);
            lightpath.SetRate(lightpath.GetRate() + m_planeRate, m_delay);
        });
    }
}

LightpathQueue&
TurnedCarrier::Get(uint32_t source, uint32_t destination)
{
    return m_lightpaths.try_emplace({source, destination}, m_agenda, m_arrival).first->second;
}

void
TurnedCarrier::Send(const Message& message, uint64_t tag)
{
    LightpathQueue& lightpath = Get(message.source, message.destination);
    lightpath.Send(message.bytes, tag);
    m_choice.NotifySent(message, lightpath);
}

} // namespace lightpath
} // namespace ns3
