/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wss-grid-channel.h"

#include "model/base/simulator-agenda.h"

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

WssGridChannel::WssGridChannel()
    : WssGrid(SimulatorAgenda::Get())
{
    NS_LOG_FUNCTION(this);
}

void
WssGridChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Stop();
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
    const auto size = GetSize();
    NS_ABORT_MSG_IF(port >= uint64_t{size.rows} * size.columns,
                    "A grid of " << size.rows << " rows and " << size.columns
                                 << " columns has no place for one more than " << port
                                 << " devices: it needs more rows or columns");
    // Light passes one fibre to the switch and one from it
    m_delay = port == 0 ? 2 * GetFibreDelay(m_fibreLength) : m_delay;
    AddPorts(1);
}

WssGrid::Times
WssGridChannel::GetTimes() const
{
    return {m_tuningTime.GetTimeStep(),
            m_lockTime.GetTimeStep(),
            m_settingTime.GetTimeStep(),
            m_delay.GetTimeStep()};
}

uint64_t
WssGridChannel::GetLaneBitRate(Direction direction) const
{
    return GetLaneRate(direction).GetBitRate();
}

uint32_t
WssGridChannel::GetNodeOf(uint32_t port) const
{
    return GetPort(port)->GetNodeId();
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
WssGridChannel::NotifyOpen(uint32_t port, uint32_t destination, uint32_t hop, Direction direction)
{
    NS_LOG_FUNCTION(this << port << destination << hop << direction);
    if (hop != WavelengthMap::NONE)
    {
        // The port at the end of the beam forwards frames for other ports
        SetNextHop(port, destination, hop);
    }
    const uint32_t next = GetNextHop(port, destination);
    SetErrors({port, next}, {Lane()});
    const auto device = GetPort(port);
    device->SetRate(destination,
                    GetLaneBitRate(direction),
                    next == destination ? m_delay + m_cardDelay : m_delay);
    device->TraceLightpath(destination, true);
}

void
WssGridChannel::NotifyClosed(uint32_t port, uint32_t destination)
{
    const auto device = GetPort(port);
    device->SetRate(destination, 0, m_delay);
    device->TraceLightpath(destination, false);
}

void
WssGridChannel::Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay)
{
    bool isLost = false;
    if (!IsSpoilt(source, destination, isLost))
    {
        FabricChannel::Deliver(std::move(frame), source, destination, delay);
    }
    else
    {
        const auto device = GetPort(isLost ? source : GetNextHop(source, destination));
        Simulator::ScheduleWithContext(device->GetNodeId(),
                                       delay,
                                       &OpticalNetDevice::Drop,
                                       PeekPointer(device),
                                       std::move(frame),
                                       destination,
                                       isLost ? OpticalNetDevice::LOST : OpticalNetDevice::CORRUPT);
    }
    if (GetController(source))
    {
        GetController(source)->NotifySent(destination);
    }
}

std::string
WssGridChannel::DoSetFailed(const std::string& component, bool failed)
{
    return TrySetFailed(component, failed);
}

FabricPlant
WssGridChannel::GetPlant() const
{
    const uint64_t pairs = uint64_t{DIRECTIONS} * GetSize().transceivers * GetNDevices();
    return {2 * pairs, pairs};
}

void
WssGridChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    ++m_nActive;
    if (GetController(source))
    {
        GetController(source)->NotifyActive(destination);
    }
}

void
WssGridChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
    --m_nActive;
    if (GetController(source))
    {
        GetController(source)->NotifyIdle(destination);
    }
}

} // namespace lightpath
} // namespace ns3
