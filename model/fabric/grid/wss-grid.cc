/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wss-grid.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/nstime.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("WssGrid");

WssGrid::WssGrid(Agenda& agenda)
    : m_agenda(agenda)
{
}

WssGrid::~WssGrid()
{
    Stop();
}

void
WssGrid::Stop()
{
    for (Beam& beam : m_beams)
    {
        if (beam.next)
        {
            beam.next->Cancel();
        }
    }
    m_controllers.clear();
}

void
WssGrid::AddPorts(uint32_t count)
{
    Size size = GetSize();
    if (m_switches[ROW].empty())
    {
        m_switches[ROW].assign(size.rows, {WavelengthMap(size.columns), nullptr});
        m_switches[COLUMN].assign(size.columns, {WavelengthMap(size.rows), nullptr});
    }
    size.ports += count;
    SetSize(size);
    m_beams.resize(GetNTransceivers());
    m_lights.resize(GetNTransceivers());
    m_controllers.resize(size.ports);
}

bool
WssGrid::CanReach(uint32_t source, uint32_t destination, Direction direction, uint32_t index) const
{
    return AreJoined(source, destination, direction, index) &&
           !GetSwitch(source, direction).setting &&
           FindWavelength(source, destination, direction) != WavelengthMap::NONE;
}

bool
WssGrid::CanReach(uint32_t source, uint32_t destination, Direction direction) const
{
    for (uint32_t index = 0; index < GetSize().transceivers; ++index)
    {
        if (CanReach(source, destination, direction, index))
        {
            return true;
        }
    }
    return false;
}

uint32_t
WssGrid::FindOutput(const Transceiver& transmitter, uint32_t wavelength) const
{
    const auto [source, direction, index] = transmitter;
    const uint32_t member =
        GetSwitch(source, direction).map.GetOutput(GetMember(source, direction), wavelength);
    if (member == WavelengthMap::NONE)
    {
        return WavelengthMap::NONE;
    }
    const uint32_t port = GetPortAt(direction, GetGroup(source, direction), member);
    return CanReach(source, port, direction, index) ? GetIndex({port, direction, index})
                                                    : WavelengthMap::NONE;
}

void
WssGrid::Tune(const Transceiver& transmitter, uint32_t wavelength, uint32_t destination)
{
    NS_LOG_FUNCTION(this << transmitter.port << transmitter.direction << transmitter.index
                         << wavelength << destination);
    const uint32_t index = GetIndex(transmitter);
    PutOut(index);
    Beam& beam = m_beams[index];
    NS_LOG_LOGIC("port " << transmitter.port << " tunes a laser to wavelength " << wavelength
                         << " for port " << destination);
    NotifyTuning();
    // The laser stays dark until it is tuned
    beam.wavelength = wavelength;
    beam.destination = destination;
    beam.next =
        m_agenda.At(m_agenda.Now() + GetTimes().tuning, [this, index]() { PutLight(index); });
}

void
WssGrid::PutLight(uint32_t index)
{
    NS_LOG_FUNCTION(this << index);
    Beam& beam = m_beams[index];
    const Transceiver transmitter = GetTransceiver(index);
    beam.isLit = true;
    beam.since = m_agenda.Now();
    beam.output = FindOutput(transmitter, beam.wavelength);
    if (beam.output == WavelengthMap::NONE)
    {
        NS_LOG_LOGIC("light of wavelength " << beam.wavelength << " from port " << transmitter.port
                                            << " leads to no receiver");
        ++m_nLost;
        // The frames of this beam are lost
        m_spoilt.insert({transmitter.port, beam.destination});
        NotifyLightLost(transmitter.port, beam.wavelength);
    }
    else
    {
        auto& beams = m_lights[beam.output].beams;
        beams.push_back(index);
        if (beams.size() > 1)
        {
            Collide(beam.output);
        }
    }
    if (const int64_t lock = GetTimes().lock; lock > 0)
    {
        beam.next = m_agenda.At(m_agenda.Now() + lock, [this, index]() { OpenBeam(index); });
    }
    else
    {
        OpenBeam(index);
    }
}

void
WssGrid::Collide(uint32_t receiver)
{
    const auto& beams = m_lights[receiver].beams;
    // A collision corrupts the frames of all its beams
    for (const uint32_t index : beams)
    {
        m_spoilt.insert({GetTransceiver(index).port, m_beams[index].destination});
    }
    const uint32_t port = GetTransceiver(receiver).port;
    NS_LOG_LOGIC("light of " << beams.size() << " transmitters meets on a receiver of port "
                             << port);
    ++m_nCollisions;
    NotifyCollision(port, GetTransceiver(beams.front()).port, GetTransceiver(beams.back()).port);
}

void
WssGrid::OpenBeam(uint32_t index)
{
    NS_LOG_FUNCTION(this << index);
    Beam& beam = m_beams[index];
    beam.isOpen = true;
    const Transceiver transmitter = GetTransceiver(index);
    const bool isLost = beam.output == WavelengthMap::NONE;
    NotifyOpen(transmitter.port,
               beam.destination,
               isLost ? WavelengthMap::NONE : GetTransceiver(beam.output).port,
               transmitter.direction);
}

void
WssGrid::Release(const Transceiver& transmitter)
{
    NS_LOG_FUNCTION(this << transmitter.port << transmitter.direction << transmitter.index);
    PutOut(GetIndex(transmitter));
}

void
WssGrid::PutOut(uint32_t index)
{
    Beam& beam = m_beams[index];
    if (beam.next)
    {
        beam.next->Cancel();
        beam.next = nullptr;
    }
    const bool wasOpen = std::exchange(beam.isOpen, false);
    if (!std::exchange(beam.isLit, false))
    {
        return;
    }
    const uint32_t port = GetTransceiver(index).port;
    const uint32_t output = std::exchange(beam.output, WavelengthMap::NONE);
    if (output != WavelengthMap::NONE)
    {
        // The last light reaches the receiver after the propagation delay
        Light& light = m_lights[output];
        light.beams.erase(std::find(light.beams.begin(), light.beams.end(), index));
        light.last = port;
        light.darkAt = m_agenda.Now() + GetTimes().delay;
        m_agenda.At(
            light.darkAt,
            [this, output, port]() { TellDark(output, port); },
            GetNodeOf(GetTransceiver(output).port));
    }
    if (wasOpen)
    {
        NotifyClosed(port, beam.destination);
    }
}

void
WssGrid::TellDark(uint32_t receiver, uint32_t source)
{
    const Transceiver which = GetTransceiver(receiver);
    if (which.port < m_controllers.size() && m_controllers[which.port])
    {
        m_controllers[which.port]->NotifyDark(which.direction, which.index, source);
    }
}

bool
WssGrid::IsLitBy(const Transceiver& receiver, uint32_t source) const
{
    const Light& light = m_lights[GetIndex(receiver)];
    const int64_t now = m_agenda.Now();
    // The beam is off, but its last light has not arrived yet
    if (light.last == source && light.darkAt > now)
    {
        return true;
    }
    return std::any_of(light.beams.begin(), light.beams.end(), [&](uint32_t index) {
        return GetTransceiver(index).port == source &&
               m_beams[index].since + GetTimes().delay <= now;
    });
}

bool
WssGrid::IsSpoilt(uint32_t source, uint32_t destination, bool& isLost)
{
    if (m_spoilt.empty() || m_spoilt.erase({source, destination}) == 0)
    {
        return false;
    }
    isLost = false;
    const uint32_t first = GetIndex({source, ROW, 0});
    for (uint32_t index = first; index < first + DIRECTIONS * GetSize().transceivers; ++index)
    {
        const Beam& beam = m_beams[index];
        const bool isDark = beam.output == WavelengthMap::NONE;
        if (beam.destination == destination && beam.isLit &&
            (isDark || m_lights[beam.output].beams.size() > 1))
        {
            // The beam still spoils its next frame
            m_spoilt.insert({source, destination});
            isLost = isDark;
        }
    }
    return true;
}

void
WssGrid::Configure(Direction direction, uint32_t group, const WavelengthMap& map)
{
    NS_LOG_FUNCTION(this << direction << group);
    Switch& which = m_switches[direction].at(group);
    NS_ABORT_MSG_IF(map.GetSize() != which.map.GetSize(),
                    "A switch of " << which.map.GetSize() << " members cannot have a map of "
                                   << map.GetSize());
    const int64_t setting = GetTimes().setting;
    NS_LOG_LOGIC("the switch of " << (direction == ROW ? "row " : "column ") << group
                                  << " is being set, in " << TimeStep(setting).As(Time::US));
    // A new setting replaces one in progress
    if (which.setting)
    {
        which.setting->Cancel();
    }
    else
    {
        ++m_nSetting;
    }
    which.setting = m_agenda.At(m_agenda.Now() + setting, [this, &which, map]() {
        which.map = map;
        which.setting = nullptr;
        --m_nSetting;
        ApplyChange();
    });
    ApplyChange();
}

void
WssGrid::ApplyChange()
{
    // Put out beams that lead elsewhere, or nowhere, after the change
    for (uint32_t index = 0; index < m_beams.size(); ++index)
    {
        const Beam& beam = m_beams[index];
        if (beam.isLit && beam.output != WavelengthMap::NONE &&
            FindOutput(GetTransceiver(index), beam.wavelength) != beam.output)
        {
            PutOut(index);
        }
    }
    for (Controller* const controller : m_controllers)
    {
        if (controller)
        {
            controller->NotifyChange();
        }
    }
}

} // namespace lightpath
} // namespace ns3
