/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mixnet-helper.h"

#include "electrical-switch-helper.h"
#include "model/control/switches/region-allocator.h"
#include "sip-ocs-helper.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/optical-switch.h"
#include "ns3/string.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @ingroup lightpath
 * @brief Installs the circuit switch of a region, which joins any two cards.
 *
 * A circuit leads both ways. As many one-way switches as a node has cards carry the same circuits:
 * a bipartite multigraph of that degree always decomposes into as many matchings (Koenig).
 */
class RegionHelper : public SipOcsHelper
{
  public:
    RegionHelper()
    {
        SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(25)));
        SetChannelAttribute("PauseMode", EnumValue(OpticalChannel::PARTIAL_PAUSE));
        SetChannelAttribute("SwitchKind", StringValue("piezo"));
        SetAllocator("ns3::lightpath::SlowestPairAllocator");
    }

    /**
     * @return false, as the circuits of a region follow the all-to-all of experts
     */
    bool CanTurn() const override
    {
        return false;
    }

    std::vector<CircuitAlgorithm> GetAlgorithms() const override
    {
        auto algorithms = SipOcsHelper::GetAlgorithms();
        const auto own =
            std::find_if(algorithms.begin(), algorithms.end(), [](const auto& algorithm) {
                return algorithm.name == "slowest-pair";
            });
        std::rotate(algorithms.begin(), own, own + 1);
        return algorithms;
    }
};

} // namespace

MixNetHelper::MixNetHelper(std::unique_ptr<InterconnectHelper> electrical)
    : HybridHelper(std::make_unique<RegionHelper>(),
                   electrical ? std::move(electrical) : std::make_unique<ElectricalSwitchHelper>())
{
    SetCards(m_optical, m_electrical);
    SetBandwidth(DataRate("2000Gbps"));
}

void
MixNetHelper::SetCards(uint32_t optical, uint32_t electrical)
{
    m_optical = optical;
    m_electrical = electrical;
    dynamic_cast<SipOcsHelper&>(GetOptical()).SetNSwitches(std::max(optical, 1U));
    SetBandwidth(m_bandwidth);
}

Attach
MixNetHelper::GetUsualAttach(uint32_t /* gpus */, uint32_t /* cards */) const
{
    return Attach::SERVER;
}

void
MixNetHelper::SetRegion(uint32_t nodes)
{
    m_region = nodes;
}

void
MixNetHelper::SetFirstWaits(bool waits)
{
    m_firstWaits = waits;
}

DataRate
MixNetHelper::GetOpticalRate(DataRate bandwidth) const
{
    const uint64_t cards = std::max(m_optical + m_electrical, 1U);
    return DataRate(bandwidth.GetBitRate() / cards * m_optical);
}

DataRate
MixNetHelper::GetElectricalRate(DataRate bandwidth) const
{
    const uint64_t cards = std::max(m_optical + m_electrical, 1U);
    return DataRate(bandwidth.GetBitRate() / cards * m_electrical);
}

void
MixNetHelper::SetBandwidth(DataRate bandwidth)
{
    m_bandwidth = bandwidth;
    GetOptical().SetBandwidth(GetOpticalRate(bandwidth));
    GetElectrical().SetBandwidth(GetElectricalRate(bandwidth));
}

DataRate
MixNetHelper::GetBandwidth() const
{
    return m_bandwidth;
}

uint32_t
MixNetHelper::GetRegionSize(uint32_t nNodes, uint32_t first) const
{
    return std::min(m_region, nNodes - first);
}

std::string
MixNetHelper::Check(uint32_t nNodes) const
{
    if (m_optical == 0 || m_electrical == 0 || m_region == 0)
    {
        return "There is no MixNet with regions of " + std::to_string(m_region) + " nodes, " +
               std::to_string(m_optical) + " cards of a node on the circuit switch and " +
               std::to_string(m_electrical) + " on the electrical network: give 1 at least of each";
    }
    const std::string refusal = GetOptical().Check(GetRegionSize(nNodes, 0));
    return refusal.empty() ? GetElectrical().Check(nNodes) : refusal;
}

NetDeviceContainer
MixNetHelper::Install(const NodeContainer& nodes) const
{
    RequireValid(nodes.GetN());
    NetDeviceContainer devices;
    for (uint32_t first = 0; first < nodes.GetN(); first += m_region)
    {
        NodeContainer region;
        for (uint32_t i = 0; i < GetRegionSize(nodes.GetN(), first); ++i)
        {
            region.Add(nodes.Get(first + i));
        }
        devices.Add(GetOptical().Install(region));
    }
    devices.Add(GetElectrical().Install(nodes));
    return devices;
}

Ptr<CircuitController>
MixNetHelper::CreateController(const NetDeviceContainer& /* devices */) const
{
    return nullptr;
}

std::vector<Ptr<CircuitController>>
MixNetHelper::CreateControllers(const NetDeviceContainer& devices) const
{
    const NetDeviceContainer optical = GetOpticalDevices(devices);
    std::vector<Ptr<CircuitController>> controllers;
    for (uint32_t first = 0; first < optical.GetN(); first += m_region)
    {
        NetDeviceContainer region;
        for (uint32_t i = 0; i < GetRegionSize(optical.GetN(), first); ++i)
        {
            region.Add(optical.Get(first + i));
        }
        controllers.push_back(region.GetN() > 1 ? GetOptical().CreateController(region) : nullptr);
    }
    return controllers;
}

} // namespace lightpath
} // namespace ns3
