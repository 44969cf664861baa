/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-carrier.h"

#include "lightpath-queue.h"

#include "ns3/nstime.h"

#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

CircuitCarrier::CircuitCarrier(Agenda& agenda,
                               const PlanCircuits& circuits,
                               uint32_t rail,
                               Arrival arrival)
    : m_agenda(agenda),
      m_circuits(circuits),
      m_rail(rail),
      m_arrival(std::move(arrival))
{
}

CircuitCarrier::Lightpath&
CircuitCarrier::Get(uint32_t source, uint32_t destination)
{
    const auto [found, isNew] = m_lightpaths.try_emplace(uint64_t{source} << 32 | destination);
    Lightpath& lightpath = found->second;
    if (isNew)
    {
        const double rate = m_circuits.GetRate(0, m_rail, source, destination);
        const double delay = m_circuits.GetLatency(m_rail, source, destination);
        lightpath.clock.SetBitRate(static_cast<uint64_t>(std::llround(8 * rate)), m_agenda.Now());
        lightpath.delay = Seconds(delay).GetTimeStep();
    }
    return lightpath;
}

void
CircuitCarrier::Send(const Message& message, uint64_t tag)
{
    Lightpath& lightpath = Get(message.source, message.destination);
    const int64_t now = m_agenda.Now();
    // A pause must not count as time of transmission
    if (lightpath.end < now)
    {
        lightpath.clock.Restart(now);
    }
    lightpath.clock.Append(LightpathQueue::GetFrameBytes(message.bytes), now);
    lightpath.end = lightpath.clock.GetEndTick();
    m_agenda.At(lightpath.end + lightpath.delay, [this, tag]() { m_arrival(tag); });
}

} // namespace lightpath
} // namespace ns3
