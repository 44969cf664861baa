/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-channel.h"

#include "model/base/count-noun.h"
#include "model/base/lightpath-compatibility.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/optical-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("PhotonicChannel");

NS_OBJECT_ENSURE_REGISTERED(PhotonicChannel);

TypeId
PhotonicChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::PhotonicChannel")
            .SetParent<FabricChannel>()
            .SetGroupName("Lightpath")
            .AddAttribute(
                "PhysicalLayer",
                "The influence of the light: none (None), none but for a report (Report), "
                "lightpaths whose light does not arrive are refused (Budget), or frames "
                "are lost as often as the light is too weak (Errors).",
                EnumValue(PhotonicChannel::NONE),
                MakeEnumAccessorFor<PhysicalLayer>(0, &PhotonicChannel::m_physicalLayer),
                MakeEnumChecker(PhotonicChannel::NONE,
                                "None",
                                PhotonicChannel::REPORT,
                                "Report",
                                PhotonicChannel::BUDGET,
                                "Budget",
                                PhotonicChannel::ERRORS,
                                "Errors"))
            .AddAttribute("LightPorts",
                          "The ports of the fabric that light passes, where a few devices stand "
                          "for more of them; 0 for those of the devices.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PhotonicChannel::m_lightPorts),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

uint32_t
PhotonicChannel::GetNLightPorts() const
{
    return std::max(m_lightPorts, static_cast<uint32_t>(GetNDevices()));
}

PhotonicChannel::PhysicalLayer
PhotonicChannel::GetPhysicalLayer() const
{
    return m_physicalLayer;
}

OpticalPath
PhotonicChannel::MakePath(uint32_t hops, uint32_t nPorts) const
{
    return {};
}

uint32_t
PhotonicChannel::GetFibreWavelengths() const
{
    return 1;
}

LinkBudget
PhotonicChannel::GetBudget(uint32_t hops, uint32_t nPorts) const
{
    const auto link = CreateObject<OpticalLink>();
    return link->GetBudget(MakePath(hops, nPorts), GetFibreWavelengths());
}

double
PhotonicChannel::GetMargin(uint32_t hops, uint32_t nPorts) const
{
    return CreateObject<OpticalLink>()->GetMargin(GetBudget(hops, nPorts).GetSignal());
}

std::optional<LightFault>
PhotonicChannel::FindChannelFault(uint32_t nPorts) const
{
    return std::nullopt;
}

std::string
PhotonicChannel::CheckTurns() const
{
    return "";
}

bool
PhotonicChannel::HasTurned() const
{
    return false;
}

std::optional<LightFault>
PhotonicChannel::FindFault(uint32_t hops, uint32_t nPorts) const
{
    try
    {
        if (MakePath(std::max(hops, 1U), nPorts).empty())
        {
            return std::nullopt;
        }
    }
    catch (const std::invalid_argument& error)
    {
        return LightFault{"switch ports", error.what(), "fewer GPUs"};
    }
    const uint64_t takes = CreateObject<OpticalLink>()->GetRate().GetBitRate();
    const uint64_t carries = GetWavelengthRate().GetBitRate();
    std::ostringstream sentence;
    std::ostringstream remedy;
    if (carries > takes)
    {
        sentence << "A wavelength carries " << carries / 1e9 << " Gb/s, but a receiver takes "
                 << takes / 1e9 << " Gb/s";
        remedy << (carries + takes - 1) / takes << " wavelengths of " << takes / 1e9
               << " Gb/s in place of one";
        return LightFault{"receiver rate", sentence.str(), remedy.str()};
    }
    const auto fault = FindChannelFault(nPorts);
    const double margin = fault || hops == 0 ? 0 : GetMargin(hops, nPorts);
    if (margin >= 0)
    {
        return fault;
    }
    const uint32_t reach = GetReach(nPorts);
    if (reach > 0)
    {
        remedy << "lightpaths of at most " << CountNoun(reach, "segment");
    }
    if (std::isinf(margin))
    {
        return LightFault{"noise",
                          "Noise or crosstalk is too high for any power of light",
                          remedy.str()};
    }
    sentence << std::fixed << std::setprecision(2) << -margin << " dB of light are missing";
    if (reach > 0)
    {
        sentence << " over " << hops << " segments";
    }
    return LightFault{"light margin", sentence.str(), remedy.str()};
}

std::string
PhotonicChannel::CheckLight(uint32_t hops, uint32_t nPorts) const
{
    const auto fault = FindFault(hops, nPorts);
    return fault ? fault->sentence : "";
}

std::optional<bool>
PhotonicChannel::IsFeasible() const
{
    if (const auto report = GetLightReport())
    {
        return !report->fault;
    }
    return m_physicalLayer != NONE && m_hops == 0 ? std::optional<bool>(true) : std::nullopt;
}

uint32_t
PhotonicChannel::GetReach(uint32_t nPorts) const
{
    // The margin falls with each segment
    uint32_t low = 0;
    uint32_t high = nPorts;
    while (high - low > 1)
    {
        const uint32_t hops = (low + high) / 2;
        (GetMargin(hops, nPorts) >= 0 ? low : high) = hops;
    }
    return low;
}

DataRate
PhotonicChannel::GetWavelengthRate() const
{
    return CreateObject<OpticalLink>()->GetRate();
}

uint32_t
PhotonicChannel::GetHops(uint32_t source, uint32_t destination, Lane lane) const
{
    return 1;
}

uint32_t
PhotonicChannel::GetMostHops(PortPair ports, const std::vector<Lane>& lanes) const
{
    uint32_t most = 0;
    for (const Lane& lane : lanes)
    {
        most = std::max(most, GetHops(ports.first, ports.second, lane));
    }
    return most;
}

std::string
PhotonicChannel::CheckBudget(const CircuitPlan& plan) const
{
    if (m_physicalLayer != BUDGET)
    {
        return "";
    }
    const uint32_t nPorts = GetNLightPorts();
    std::vector<char> arrives(nPorts + 1, 0);
    for (const auto& [ports, lanes] : plan.GetLightpaths())
    {
        const uint32_t hops = GetMostHops(ports, lanes);
        if (arrives[hops])
        {
            continue;
        }
        const std::string refusal = CheckLight(hops, nPorts);
        if (!refusal.empty())
        {
            return "The lightpath from port " + std::to_string(ports.first) + " to port " +
                   std::to_string(ports.second) + " cannot exist: " + refusal;
        }
        arrives[hops] = 1;
    }
    return "";
}

void
PhotonicChannel::NoteLight(const CircuitPlan& plan)
{
    if (m_physicalLayer == NONE)
    {
        return;
    }
    for (const auto& [ports, lanes] : plan.GetLightpaths())
    {
        const uint32_t hops = GetMostHops(ports, lanes);
        if (hops > m_hops)
        {
            m_hops = hops;
            m_longest = ports;
        }
    }
}

void
PhotonicChannel::NoteLight()
{
    m_hops = 1;
}

void
PhotonicChannel::SetErrors(PortPair ports, const std::vector<Lane>& lanes) const
{
    if (m_physicalLayer != ERRORS || lanes.empty())
    {
        return;
    }
    std::vector<uint32_t> hops;
    for (const auto& lane : lanes)
    {
        hops.push_back(GetHops(ports.first, ports.second, lane));
    }
    GetPort(ports.first)->SetPathErrors(ports.second, GetErrors(std::move(hops)));
}

Ptr<OpticalErrorModel>
PhotonicChannel::GetErrors(std::vector<uint32_t> hops) const
{
    const uint32_t nPorts = GetNLightPorts();
    std::sort(hops.begin(), hops.end());
    const auto [known, isNew] = m_errors.emplace(hops, nullptr);
    if (isNew && !MakePath(1, nPorts).empty())
    {
        const auto link = CreateObject<OpticalLink>();
        double sum = 0;
        for (const uint32_t each : hops)
        {
            sum += link->GetBitErrorRate(GetBudget(each, nPorts).GetSignal());
        }
        known->second = CreateObject<OpticalErrorModel>();
        if (m_errorStream >= 0)
        {
            // In the order in which light comes up
            known->second->AssignStreams(m_errorStream++);
        }
        known->second->SetBitErrorRate(link, sum / static_cast<double>(hops.size()));
    }
    return known->second;
}

int64_t
PhotonicChannel::AssignStreams(int64_t stream)
{
    constexpr int64_t kept = 1 << 20;
    if (m_physicalLayer != ERRORS)
    {
        return 0;
    }
    m_errorStream = stream;
    for (const auto& [hops, errors] : m_errors)
    {
        m_errorStream += errors ? errors->AssignStreams(m_errorStream) : 0;
    }
    return kept;
}

void
PhotonicChannel::SetLightReport(const LightReport& report)
{
    m_report = report;
}

std::optional<LightReport>
PhotonicChannel::GetLightReport() const
{
    if (m_physicalLayer != NONE && m_report)
    {
        return m_report;
    }
    if (m_physicalLayer == NONE || m_hops == 0)
    {
        return std::nullopt;
    }
    const uint32_t nPorts = GetNLightPorts();
    LightReport report;
    report.hops = m_hops;
    report.ports = m_longest;
    report.fault = FindFault(m_hops, nPorts);
    report.margin = -std::numeric_limits<double>::infinity();
    if (FindFault(0, nPorts))
    {
        return report;
    }
    const OpticalPath path = MakePath(m_hops, nPorts);
    if (path.empty())
    {
        return std::nullopt;
    }
    for (const auto& [element, count] : path)
    {
        report.amplifiers += DynamicCast<OpticalAmplifier>(element) ? count : 0;
        report.stages += DynamicCast<OpticalSwitch>(element) ? count : 0;
    }
    report.margin = GetMargin(m_hops, nPorts);
    report.turns = HasTurned() ? CheckTurns() : "";
    return report;
}

} // namespace lightpath
} // namespace ns3
