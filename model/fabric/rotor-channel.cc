/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-channel.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/log.h"
#include "ns3/optical-link.h"
#include "ns3/optical-net-device.h"
#include "ns3/optical-switch.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("RotorChannel");

NS_OBJECT_ENSURE_REGISTERED(RotorChannel);

TypeId
RotorChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RotorChannel")
            .SetParent<PhotonicChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<RotorChannel>()
            .AddAttribute("UplinkRate",
                          "The rate of an uplink of a device.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&RotorChannel::m_uplinkRate),
                          MakeDataRateChecker())
            .AddAttribute("SlotTime",
                          "The time that an uplink keeps a configuration, of which the first "
                          "DarkTime is dark.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RotorChannel::m_slotTime),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("DarkTime",
                          "The time for which an uplink is dark while it turns to another "
                          "configuration.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&RotorChannel::m_darkTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Stagger",
                          "Whether uplinks turn one after the other instead of at the same time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RotorChannel::m_stagger),
                          MakeBooleanChecker())
            .AddAttribute("FibreLength",
                          "The fibre between a device and a switch, in metres.",
                          DoubleValue(20),
                          MakeDoubleAccessor(&RotorChannel::m_fibreLength),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Delay",
                          "The propagation delay beyond that of the fibres.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RotorChannel::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MessageDelay",
                          "The time of what RotorTransport has brought to its destination until "
                          "the rank there has it, as cards and software take it; ports that "
                          "forward have none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RotorChannel::m_messageDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SwitchKind",
                          "The kind of optical switch: rotor, awgr, mems, piezo or wss.",
                          StringValue("rotor"),
                          MakeStringAccessor(&RotorChannel::m_kind),
                          MakeStringChecker())
            .AddAttribute("SwitchPorts",
                          "The ports that a switch joins; 0 for those of all devices.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RotorChannel::m_switchPorts),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("WavelengthRate",
                          "The rate of a wavelength, of which as many as make up the rate of an "
                          "uplink share its fibre.",
                          DataRateValue(DataRate("25Gbps")),
                          MakeDataRateAccessor(&RotorChannel::m_wavelength),
                          MakeDataRateChecker())
            .AddAttribute("FabricName",
                          "The name of the fabric in reports.",
                          StringValue("rotor"),
                          MakeStringAccessor(&RotorChannel::m_name),
                          MakeStringChecker());
    return tid;
}

RotorChannel::RotorChannel()
{
    NS_LOG_FUNCTION(this);
}

RotorChannel::~RotorChannel()
{
    NS_LOG_FUNCTION(this);
}

void
RotorChannel::SetSchedule(std::shared_ptr<const PeriodicSchedule> schedule)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(schedule && schedule->GetNPorts() == GetNDevices(),
                        "A schedule for " << (schedule ? schedule->GetNPorts() : 0)
                                          << " ports does not fit a fabric of " << GetNDevices()
                                          << " devices");
    NS_ABORT_MSG_UNLESS(m_darkTime < m_slotTime,
                        "A DarkTime of " << m_darkTime.As(Time::US) << " leaves no light in a "
                                         << "SlotTime of " << m_slotTime.As(Time::US)
                                         << ": it must be shorter");
    try
    {
        schedule->FindMeeting(0, 1);
    }
    catch (const std::invalid_argument& refusal)
    {
        NS_ABORT_MSG(refusal.what());
    }
    m_clock = {std::move(schedule),
               m_uplinkRate.GetBitRate(),
               m_slotTime.GetTimeStep(),
               m_darkTime.GetTimeStep(),
               m_stagger};
}

const RotorClock&
RotorChannel::GetClock() const
{
    NS_ABORT_MSG_UNLESS(m_clock.schedule, "A RotorChannel needs a schedule: call SetSchedule()");
    return m_clock;
}

void
RotorChannel::NotifyActive(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    // The rate never changes again: the windows of the pair are known for good
    if (const auto window = GetClock().GetWindow(source, destination))
    {
        const Time delay = m_delay + GetFibreDelay(2 * m_fibreLength);
        SetErrors({source, destination}, {Lane()});
        if (GetPort(source)->SetRate(destination, m_clock.bitRate, delay, *window) == 0)
        {
            NoteLight();
        }
    }
}

std::vector<uint32_t>
RotorChannel::GetReachable(uint32_t source) const
{
    std::vector<uint32_t> ports;
    for (const uint32_t port : PhotonicChannel::GetReachable(source))
    {
        if (GetClock().schedule->FindMeeting(source, port))
        {
            ports.push_back(port);
        }
    }
    return ports;
}

std::string
RotorChannel::GetFabricName() const
{
    return m_name;
}

FabricStatistics
RotorChannel::GetStatistics() const
{
    FabricStatistics statistics;
    const int64_t now = Simulator::Now().GetTimeStep();
    const uint32_t uplinks = GetClock().schedule->GetNUplinks();
    for (uint32_t uplink = 0; uplink < (m_stagger ? uplinks : 1); ++uplink)
    {
        const int64_t since = now - m_clock.GetOffset(uplink);
        statistics.nReconfigurations +=
            since < 0 ? 0 : static_cast<uint32_t>(since / m_slotTime.GetTimeStep()) + 1;
    }
    statistics.nLightpaths = uint64_t{uplinks} * GetNDevices();
    return statistics;
}

FabricPlant
RotorChannel::GetPlant() const
{
    const uint64_t ports = uint64_t{GetClock().schedule->GetNUplinks()} * GetNDevices();
    return {2 * ports, ports};
}

OpticalPath
RotorChannel::MakePath(uint32_t hops, uint32_t nPorts) const
{
    return OpticalLink::MakeSwitchPath(m_kind,
                                       m_switchPorts > 0 ? m_switchPorts : nPorts,
                                       m_fibreLength);
}

std::string
RotorChannel::CheckTurns() const
{
    return OpticalSwitch::Create(m_kind)->CheckTurn(m_darkTime);
}

bool
RotorChannel::HasTurned() const
{
    return true;
}

DataRate
RotorChannel::GetWavelengthRate() const
{
    return m_wavelength;
}

} // namespace lightpath
} // namespace ns3
