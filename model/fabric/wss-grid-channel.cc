/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wss-grid-channel.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("WssGridChannel");

NS_OBJECT_ENSURE_REGISTERED(WssGridChannel);

TypeId
WssGridChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::WssGridChannel")
            .SetParent<PhotonicChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<WssGridChannel>()
            .AddAttribute(
                "Rows",
                "The number of rows. It can be set until devices are attached.",
                UintegerValue(2),
                MakeUintegerAccessor(&WssGridChannel::SetCount<&WssGridGeometry::Size::rows>,
                                     &WssGridChannel::GetNRows),
                MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute(
                "Columns",
                "The number of columns. It can be set until devices are attached.",
                UintegerValue(2),
                MakeUintegerAccessor(&WssGridChannel::SetCount<&WssGridGeometry::Size::columns>,
                                     &WssGridChannel::GetNColumns),
                MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("Transceivers",
                          "The number of transceivers of a port at the switch of its row, and at "
                          "that of its column. It can be set until devices are attached.",
                          UintegerValue(1),
                          MakeUintegerAccessor(
                              &WssGridChannel::SetCount<&WssGridGeometry::Size::transceivers>,
                              &WssGridChannel::GetNTransceivers),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("LaneRate",
                          "The rate of a transceiver, on average over both switches of a port.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&WssGridChannel::m_laneRate),
                          MakeDataRateChecker())
            .AddAttribute("RowShare",
                          "The share of the rate of a port at the switch of its row; the rest is "
                          "at that of its column.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&WssGridChannel::m_rowShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("TuningTime",
                          "The time in which a laser is tuned, for which it is dark.",
                          // Read when a channel is made, so that the resolution of Time is known
                          StringValue("10.5ns"),
                          MakeTimeAccessor(&WssGridChannel::m_tuningTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LockTime",
                          "The time from light to data, in which a receiver locks to the clock.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WssGridChannel::m_lockTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SettingTime",
                          "The time to configure a switch, during which it is dark.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&WssGridChannel::m_settingTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FibreLength",
                          "The fibre from a port to a switch, in metres.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&WssGridChannel::m_fibreLength),
                          MakeDoubleChecker<double>(0, 1e7))
            .AddAttribute("Delay",
                          "The delay at a destination, not at a corner, beyond that of fibres.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WssGridChannel::m_cardDelay),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("RxCollision",
                            "Two beams meet on a receiver.",
                            MakeTraceSourceAccessor(&WssGridChannel::m_collisionTrace),
                            "ns3::lightpath::WssGridChannel::CollisionTracedCallback")
            .AddTraceSource("LightLost",
                            "Light on an unrouted wavelength is lost.",
                            MakeTraceSourceAccessor(&WssGridChannel::m_lightLostTrace),
                            "ns3::lightpath::WssGridChannel::LightLostTracedCallback");
    return tid;
}

void
WssGridChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (Beam& beam : m_beams)
    {
        beam.next.Cancel();
    }
    m_controllers.clear();
    PhotonicChannel::DoDispose();
}

std::optional<LightFault>
WssGridChannel::FindChannelFault(uint32_t nPorts) const
{
    const auto ports = std::max(GetNRows(), GetNColumns());
    return LightFault::FindInBands(GetTransceiverRate(), ports, *OpticalSwitch::Create("wss"));
}

void
WssGridChannel::DoAdd(uint32_t port)
{
    auto size = m_geometry.GetSize();
    NS_ABORT_MSG_IF(port >= uint64_t{size.rows} * size.columns,
                    "A grid of " << size.rows << " rows and " << size.columns
                                 << " columns has no place for one more than " << port
                                 << " devices: it needs more rows or columns");
    if (m_switches[ROW].empty())
    {
        m_switches[ROW].assign(size.rows, {WavelengthMap(size.columns), EventId()});
        m_switches[COLUMN].assign(size.columns, {WavelengthMap(size.rows), EventId()});
        // Light passes one fibre to the switch and one from it
        m_delay = 2 * GetFibreDelay(m_fibreLength);
    }
    size.ports = port + 1;
    m_geometry.SetSize(size);
    m_beams.resize(m_geometry.GetNTransceivers());
    m_lights.resize(m_geometry.GetNTransceivers());
    m_controllers.push_back(nullptr);
}

const WssGridChannel::Switch&
WssGridChannel::GetSwitch(uint32_t port, Direction direction) const
{
    return m_switches[direction][GetGroup(port, direction)];
}

bool
WssGridChannel::IsForwarded(uint32_t source, uint32_t destination) const
{
    // Ports without a common row or column have no switch in common
    return GetGroup(source, ROW) != GetGroup(destination, ROW) &&
           GetGroup(source, COLUMN) != GetGroup(destination, COLUMN);
}

bool
WssGridChannel::CanReach(uint32_t source,
                         uint32_t destination,
                         Direction direction,
                         uint32_t index) const
{
    return m_geometry.AreJoined(source, destination, direction, index) &&
           GetSwitch(source, direction).setting.IsExpired() &&
           FindWavelength(source, destination, direction) != WavelengthMap::NONE;
}

bool
WssGridChannel::CanReach(uint32_t source, uint32_t destination, Direction direction) const
{
    for (uint32_t index = 0; index < GetNTransceivers(); ++index)
    {
        if (CanReach(source, destination, direction, index))
        {
            return true;
        }
    }
    return false;
}

uint32_t
WssGridChannel::FindOutput(const Transceiver& transmitter, uint32_t wavelength) const
{
    const uint32_t member =
        GetSwitch(transmitter.port, transmitter.direction)
            .map.GetOutput(GetMember(transmitter.port, transmitter.direction), wavelength);
    if (member == WavelengthMap::NONE)
    {
        return WavelengthMap::NONE;
    }
    const uint32_t port =
        GetPortAt(transmitter.direction, GetGroup(transmitter.port, transmitter.direction), member);
    return CanReach(transmitter.port, port, transmitter.direction, transmitter.index)
               ? m_geometry.GetIndex({port, transmitter.direction, transmitter.index})
               : WavelengthMap::NONE;
}

void
WssGridChannel::Tune(const Transceiver& transmitter, uint32_t wavelength, uint32_t destination)
{
    NS_LOG_FUNCTION(this << transmitter.port << transmitter.direction << transmitter.index
                         << wavelength << destination);
    const uint32_t index = m_geometry.GetIndex(transmitter);
    PutOut(index);
    Beam& beam = m_beams[index];
    NS_LOG_LOGIC("port " << transmitter.port << " tunes a laser to wavelength " << wavelength
                         << " for port " << destination);
    NoteLight();
    // The laser stays dark until it is tuned
    beam.isTuning = true;
    beam.wavelength = wavelength;
    beam.destination = destination;
    beam.next = Simulator::Schedule(m_tuningTime, &WssGridChannel::PutLight, this, index);
}

void
WssGridChannel::PutLight(uint32_t index)
{
    NS_LOG_FUNCTION(this << index);
    Beam& beam = m_beams[index];
    const Transceiver transmitter = m_geometry.GetTransceiver(index);
    beam.isTuning = false;
    beam.isLit = true;
    beam.since = Simulator::Now();
    beam.output = FindOutput(transmitter, beam.wavelength);
    if (beam.output == WavelengthMap::NONE)
    {
        NS_LOG_LOGIC("light of wavelength " << beam.wavelength << " from port " << transmitter.port
                                            << " leads to no receiver");
        ++m_nLost;
        // The frames of this beam are lost
        m_spoilt.insert({transmitter.port, beam.destination});
        m_lightLostTrace(transmitter.port, beam.wavelength);
    }
    else
    {
        auto& beams = m_lights[beam.output].beams;
        beams.push_back(index);
        if (beams.size() > 1)
        {
            Collide(beam.output);
        }
        // The port at the end of the beam forwards frames for other ports
        SetNextHop(transmitter.port, beam.destination, m_geometry.GetTransceiver(beam.output).port);
    }
    if (m_lockTime.IsStrictlyPositive())
    {
        beam.next = Simulator::Schedule(m_lockTime, &WssGridChannel::OpenBeam, this, index);
    }
    else
    {
        OpenBeam(index);
    }
}

DataRate
WssGridChannel::GetLaneRate(Direction direction) const
{
    // LaneRate is the average of both directions
    const double share = direction == ROW ? m_rowShare : 1 - m_rowShare;
    return DataRate(static_cast<uint64_t>(
        std::llround(2 * share * static_cast<double>(m_laneRate.GetBitRate()))));
}

void
WssGridChannel::Collide(uint32_t receiver)
{
    const auto& beams = m_lights[receiver].beams;
    // A collision corrupts the frames of all its beams
    for (const uint32_t index : beams)
    {
        m_spoilt.insert({m_geometry.GetTransceiver(index).port, m_beams[index].destination});
    }
    NS_LOG_LOGIC("light of " << beams.size() << " transmitters meets on a receiver of port "
                             << m_geometry.GetTransceiver(receiver).port);
    ++m_nCollisions;
    m_collisionTrace(m_geometry.GetTransceiver(receiver).port,
                     m_geometry.GetTransceiver(beams.front()).port,
                     m_geometry.GetTransceiver(beams.back()).port);
}

void
WssGridChannel::OpenBeam(uint32_t index)
{
    NS_LOG_FUNCTION(this << index);
    const uint32_t destination = m_beams[index].destination;
    const auto device = GetPort(m_geometry.GetTransceiver(index).port);
    const uint64_t rate = GetLaneRate(m_geometry.GetTransceiver(index).direction).GetBitRate();
    const uint32_t hop = GetNextHop(device->GetPort(), destination);
    SetErrors({device->GetPort(), hop}, {Lane()});
    device->SetRate(destination, rate, hop == destination ? m_delay + m_cardDelay : m_delay);
    device->TraceLightpath(destination, true);
}

void
WssGridChannel::Release(const Transceiver& transmitter)
{
    NS_LOG_FUNCTION(this << transmitter.port << transmitter.direction << transmitter.index);
    PutOut(m_geometry.GetIndex(transmitter));
}

void
WssGridChannel::PutOut(uint32_t index)
{
    Beam& beam = m_beams[index];
    // Bits flow once the light is on and LockTime has passed
    const bool wasOpen = beam.isLit && beam.next.IsExpired();
    beam.next.Cancel();
    beam.isTuning = false;
    if (!beam.isLit)
    {
        return;
    }
    beam.isLit = false;
    const uint32_t port = m_geometry.GetTransceiver(index).port;
    const uint32_t output = std::exchange(beam.output, WavelengthMap::NONE);
    if (output != WavelengthMap::NONE)
    {
        // The last light reaches the receiver after the propagation delay
        Light& light = m_lights[output];
        light.beams.erase(std::find(light.beams.begin(), light.beams.end(), index));
        light.last = port;
        light.darkAt = Simulator::Now() + m_delay;
        const auto receiver = GetPort(m_geometry.GetTransceiver(output).port);
        Simulator::ScheduleWithContext(receiver->GetNodeId(),
                                       m_delay,
                                       &WssGridChannel::TellDark,
                                       this,
                                       output,
                                       port);
    }
    if (wasOpen)
    {
        const auto device = GetPort(port);
        device->SetRate(beam.destination, 0, m_delay);
        device->TraceLightpath(beam.destination, false);
    }
}

void
WssGridChannel::TellDark(uint32_t receiver, uint32_t source)
{
    const Transceiver which = m_geometry.GetTransceiver(receiver);
    if (which.port < m_controllers.size() && m_controllers[which.port])
    {
        m_controllers[which.port]->NotifyDark(which.direction, which.index, source);
    }
}

bool
WssGridChannel::IsLitBy(const Transceiver& receiver, uint32_t source) const
{
    const Light& light = m_lights[m_geometry.GetIndex(receiver)];
    const Time now = Simulator::Now();
    // The beam is off, but its last light has not arrived yet
    if (light.last == source && light.darkAt > now)
    {
        return true;
    }
    return std::any_of(light.beams.begin(), light.beams.end(), [&](uint32_t index) {
        return m_geometry.GetTransceiver(index).port == source &&
               m_beams[index].since + m_delay <= now;
    });
}

bool
WssGridChannel::IsSpoilt(const Beam& beam) const
{
    return beam.isLit &&
           (beam.output == WavelengthMap::NONE || m_lights[beam.output].beams.size() > 1);
}

void
WssGridChannel::Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay)
{
    if (m_spoilt.empty() || m_spoilt.erase({source, destination}) == 0)
    {
        FabricChannel::Deliver(std::move(frame), source, destination, delay);
    }
    else
    {
        bool isLost = false;
        const uint32_t first = m_geometry.GetIndex({source, ROW, 0});
        for (uint32_t index = first; index < first + DIRECTIONS * GetNTransceivers(); ++index)
        {
            const Beam& beam = m_beams[index];
            if (beam.destination == destination && IsSpoilt(beam))
            {
                // The beam still spoils its next frame
                m_spoilt.insert({source, destination});
                isLost = beam.output == WavelengthMap::NONE;
            }
        }
        const auto device = GetPort(isLost ? source : GetNextHop(source, destination));
        Simulator::ScheduleWithContext(device->GetNodeId(),
                                       delay,
                                       &OpticalNetDevice::Drop,
                                       PeekPointer(device),
                                       std::move(frame),
                                       destination,
                                       isLost ? OpticalNetDevice::LOST : OpticalNetDevice::CORRUPT);
    }
    if (m_controllers[source])
    {
        m_controllers[source]->NotifySent(destination);
    }
}

void
WssGridChannel::Configure(Direction direction, uint32_t group, const WavelengthMap& map)
{
    NS_LOG_FUNCTION(this << direction << group);
    Switch& which = m_switches[direction].at(group);
    NS_ABORT_MSG_IF(map.GetSize() != which.map.GetSize(),
                    "A switch of " << which.map.GetSize() << " members cannot have a map of "
                                   << map.GetSize());
    NS_LOG_LOGIC("the switch of " << (direction == ROW ? "row " : "column ") << group
                                  << " is being set, in " << m_settingTime.As(Time::US));
    // A new setting replaces one in progress
    m_nSetting += which.setting.IsExpired() ? 1 : 0;
    which.setting.Cancel();
    which.setting =
        Simulator::Schedule(m_settingTime, &WssGridChannel::EndSetting, this, &which, map);
    ApplyChange();
}

void
WssGridChannel::EndSetting(Switch* which, WavelengthMap map)
{
    NS_LOG_FUNCTION(this);
    which->map = std::move(map);
    --m_nSetting;
    ApplyChange();
}

void
WssGridChannel::ApplyChange()
{
    // Put out beams that lead elsewhere, or nowhere, after the change
    for (uint32_t index = 0; index < m_beams.size(); ++index)
    {
        const Beam& beam = m_beams[index];
        if (beam.isLit && beam.output != WavelengthMap::NONE &&
            FindOutput(m_geometry.GetTransceiver(index), beam.wavelength) != beam.output)
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

std::string
WssGridChannel::DoSetFailed(const std::string& component, bool failed)
{
    return m_geometry.TrySetFailed(component, failed);
}

FabricPlant
WssGridChannel::GetPlant() const
{
    const uint64_t pairs = uint64_t{DIRECTIONS} * GetNTransceivers() * GetNDevices();
    return {2 * pairs, pairs};
}

void
WssGridChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    ++m_nActive;
    if (m_controllers[source])
    {
        m_controllers[source]->NotifyActive(destination);
    }
}

void
WssGridChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
    --m_nActive;
    if (m_controllers[source])
    {
        m_controllers[source]->NotifyIdle(destination);
    }
}

} // namespace lightpath
} // namespace ns3
