/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-switch.h"

#include "model/base/nearest-name.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(OpticalSwitch);

namespace
{

/// Published values of a kind of switch.
struct SwitchKind
{
    const char* kind;     //!< Its name in options
    const char* name;     //!< Its name in tables
    double loss;          //!< Insertion loss, dB
    uint32_t ports;       //!< Ports of the largest one
    double crosstalk;     //!< Crosstalk of a port, dB
    uint32_t interferers; //!< Ports that leak in
    bool isSelective;     //!< Separates wavelengths
    double seconds;       //!< Least time to turn
};

/// The kinds of switches.
constexpr std::array<SwitchKind, 5> KINDS{{
    {"mems", "MEMS switch", 2, 136, -50, 1, false, 1.2e-3},
    {"piezo", "piezo switch", 1, 576, -50, 1, false, 10e-3},
    {"wss", "wavelength-selective switch", 6.5, 20, -40, 1, true, 10e-3},
    {"awgr", "arrayed waveguide grating", 6, 15, -30, 14, true, 0},
    {"rotor", "rotor switch", 3, 128, -50, 1, false, 10e-6},
}};

/**
 * @param time a time
 * @return it in the largest unit of which it is 1 at least, up to milliseconds
 */
std::string
ToText(Time time)
{
    const double seconds = time.GetSeconds();
    std::ostringstream text;
    if (seconds >= 1e-3)
    {
        text << seconds * 1e3 << " ms";
    }
    else if (seconds >= 1e-6)
    {
        text << seconds * 1e6 << " us";
    }
    else
    {
        text << seconds * 1e9 << " ns";
    }
    return text.str();
}

/**
 * @param [in,out] factory makes a switch
 * @param name the name of an attribute
 * @param value the value that it gets, unless its default has been set
 */
void
SetUnlessDefaultIsSet(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation attribute;
    factory.GetTypeId().LookupAttributeByName(name, &attribute);
    if (attribute.initialValue == attribute.originalInitialValue)
    {
        factory.Set(name, value);
    }
}

} // namespace

TypeId
OpticalSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalSwitch")
            .SetParent<OpticalElement>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalSwitch>()
            .AddAttribute("Name",
                          "Name in tables.",
                          StringValue("MEMS switch"),
                          MakeStringAccessor(&OpticalSwitch::m_name),
                          MakeStringChecker())
            .AddAttribute("Loss",
                          "Insertion loss in dB.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&OpticalSwitch::m_loss),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Ports",
                          "Number of ports of the largest switch of its kind.",
                          UintegerValue(136),
                          MakeUintegerAccessor(&OpticalSwitch::m_ports),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("Channels",
                          "Number of wavelengths that it can route: 96 of 50 GHz in the C band "
                          "(ITU-T G.694.1).",
                          UintegerValue(96),
                          MakeUintegerAccessor(&OpticalSwitch::m_channels),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Crosstalk",
                          "Light of another port over that of this one in dB.",
                          DoubleValue(-50),
                          MakeDoubleAccessor(&OpticalSwitch::m_crosstalk),
                          MakeDoubleChecker<double>(-1000, 0))
            .AddAttribute("Interferers",
                          "Number of ports whose light of the same wavelength leaks in.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OpticalSwitch::m_interferers),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Selective",
                          "It separates the wavelengths of a fibre, each of which leaks with "
                          "Crosstalk.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OpticalSwitch::m_isSelective),
                          MakeBooleanChecker())
            .AddAttribute("SwitchingTime",
                          "The least time in which a switch of its kind turns.",
                          TimeValue(MicroSeconds(1200)),
                          MakeTimeAccessor(&OpticalSwitch::m_switchingTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

std::vector<std::string>
OpticalSwitch::GetKinds()
{
    std::vector<std::string> kinds;
    for (const auto& each : KINDS)
    {
        kinds.emplace_back(each.kind);
    }
    return kinds;
}

Ptr<OpticalSwitch>
OpticalSwitch::Create(const std::string& kind)
{
    for (const auto& each : KINDS)
    {
        if (kind == each.kind)
        {
            ObjectFactory factory(OpticalSwitch::GetTypeId().GetName());
            SetUnlessDefaultIsSet(factory, "Name", StringValue(each.name));
            SetUnlessDefaultIsSet(factory, "Loss", DoubleValue(each.loss));
            SetUnlessDefaultIsSet(factory, "Ports", UintegerValue(each.ports));
            SetUnlessDefaultIsSet(factory, "Crosstalk", DoubleValue(each.crosstalk));
            SetUnlessDefaultIsSet(factory, "Interferers", UintegerValue(each.interferers));
            SetUnlessDefaultIsSet(factory, "Selective", BooleanValue(each.isSelective));
            SetUnlessDefaultIsSet(factory, "SwitchingTime", TimeValue(Seconds(each.seconds)));
            return factory.Create<OpticalSwitch>();
        }
    }
    throw std::invalid_argument("There is no optical switch '" + kind +
                                "': " + ListKnown(kind, GetKinds()));
}

std::string
OpticalSwitch::GetName() const
{
    return m_name;
}

double
OpticalSwitch::GetLoss() const
{
    return m_loss;
}

void
OpticalSwitch::Pass(OpticalSignal& signal) const
{
    OpticalElement::Pass(signal);
    signal.sameCrosstalk += m_interferers * std::sqrt(DbToRatio(m_crosstalk));
    if (m_isSelective)
    {
        signal.Leak((signal.lanes - 1) * DbToRatio(m_crosstalk));
    }
}

uint32_t
OpticalSwitch::GetChannels() const
{
    return m_channels;
}

uint32_t
OpticalSwitch::GetPorts() const
{
    return m_ports;
}

std::string
OpticalSwitch::CheckTurn(Time time) const
{
    if (time >= m_switchingTime)
    {
        return "";
    }
    return "A " + m_name + " turns in " + ToText(m_switchingTime) + " at best, not in " +
           ToText(time);
}

uint32_t
OpticalSwitch::GetStages(uint32_t ports) const
{
    if (ports <= m_ports)
    {
        return 1;
    }
    // Rearrangeably non-blocking: an edge switch has half of its ports on either side
    const uint64_t most = uint64_t{m_ports} / 2 * m_ports;
    return ports <= most ? 3 : 0;
}

} // namespace lightpath
} // namespace ns3
