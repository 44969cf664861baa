/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phased-carrier.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

PhasedCarrier::PhasedCarrier(Agenda& agenda,
                             const PlanCircuits& circuits,
                             const FabricLimits& fabric,
                             uint32_t rail,
                             Arrival arrival,
                             HybridChoice::Rest rest)
    : m_agenda(agenda),
      m_circuits(circuits),
      m_fabric(fabric),
      m_rail(rail),
      m_dark(Agenda::GetTicks(fabric.switchingSeconds)),
      m_decision(Agenda::GetTicks(fabric.decisionSeconds)),
      m_arrival(std::move(arrival)),
      m_choice(
          agenda,
          fabric,
          [this](const HybridChoice::Ends& ends) {
              return m_circuits.GetBitRate(m_setting, m_rail, ends.first, ends.second) > 0;
          },
          std::move(rest))
{
    Begin(0);
}

void
PhasedCarrier::Light(const Ends& ends, LightpathQueue& queue) const
{
    const auto [source, destination] = ends;
    const double delay = m_circuits.GetLatency(m_setting, m_rail, source, destination);
    uint64_t bitRate = 0;
    if (m_isLit || (m_fabric.keepsLightpaths && !m_since.empty()))
    {
        bitRate = m_circuits.GetKeptBitRate(m_since, m_rail, source, destination);
    }
    queue.SetRate(bitRate, Agenda::GetTicks(delay));
}

void
PhasedCarrier::Begin(uint32_t setting)
{
    m_setting = setting;
    LightAfter(Agenda::GetTicks(m_fabric.initialSeconds));
}

void
PhasedCarrier::Switch(uint32_t setting)
{
    if (m_deciding)
    {
        m_deciding->Cancel();
    }
    if (m_decision == 0)
    {
        Change(setting);
        return;
    }
    m_deciding = m_agenda.At(m_agenda.Now() + m_decision, [this, setting]() { Change(setting); });
}

void
PhasedCarrier::Change(uint32_t setting)
{
    // The circuits of other rails may be switched alone
    const bool isSame = m_circuits.AreSame(m_setting, setting, m_rail);
    m_setting = setting;
    if (isSame)
    {
        return;
    }
    m_isLit = false;
    if (!m_since.empty())
    {
        m_since.push_back(setting);
    }
    LightAfter(m_dark);
}

void
PhasedCarrier::LightAfter(int64_t ticks)
{
    if (m_lighting)
    {
        m_lighting->Cancel();
    }
    const auto light = [this]() {
        m_isLit = true;
        m_since = {m_setting};
        Light();
    };
    if (ticks == 0)
    {
        light();
        return;
    }
    m_lighting = m_agenda.At(m_agenda.Now() + ticks, light);
    Light();
}

void
PhasedCarrier::Light()
{
    for (auto& [ends, queue] : m_queues)
    {
        const bool wasLit = queue.GetRate() > 0;
        Light(ends, queue);
        // Light that goes out, or that comes for others, tells a message that none is to come
        if ((wasLit || m_isLit) && queue.IsBusy())
        {
            m_choice.Wait(ends, queue);
        }
    }
}

void
PhasedCarrier::Send(const Message& message, uint64_t tag)
{
    const Ends ends{message.source, message.destination};
    const auto [found, isNew] = m_queues.try_emplace(ends, m_agenda, m_arrival);
    if (isNew)
    {
        Light(ends, found->second);
    }
    found->second.Send(message.bytes, tag);
    m_choice.NotifySent(message, found->second);
}

} // namespace lightpath
} // namespace ns3
