/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hybrid-description.h"

#include "job-control.h"
#include "model/control/switches/region-allocator.h"
#include "model/training/run/exchange-control.h"
#include "model/training/transport/hybrid-transport.h"
#include "training-helper.h"

#include "ns3/circuit-controller.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/optical-switch.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

HybridDescription::HybridDescription(const HybridHelper& fabric)
    : DescriptionOf(fabric),
      m_optical(FabricDescription::Create(fabric.GetOptical())),
      m_electrical(FabricDescription::Create(fabric.GetElectrical()))
{
}

void
HybridDescription::ConfigureJob(TrainingHelper& training) const
{
    m_electrical->ConfigureJob(training);
}

ApplicationContainer
HybridDescription::InstallJob(const TrainingHelper& training,
                              TrainingPlan plan,
                              const NetDeviceContainer& devices) const
{
    const auto controller = plan.programs.size() > 1 ? m_fabric.CreateController(devices) : nullptr;
    TrainingHelper configured = training;
    ConfigureJob(configured);
    return configured.InstallHybrid(std::move(plan),
                                    HybridHelper::GetOpticalDevices(devices),
                                    HybridHelper::GetElectricalDevices(devices),
                                    controller);
}

FabricLimits
HybridDescription::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits = m_optical->GetLimits(nNodes);
    if (limits.laneRate > 0)
    {
        limits.beside.network =
            std::make_shared<const FabricLimits>(m_electrical->GetLimits(nNodes));
        limits.indirectBitRate = limits.beside.network->bitRate;
        // Scripts set the defaults of the attributes
        const auto transport = CreateObject<HybridTransport>();
        UintegerValue bytes;
        transport->GetAttribute("SmallMessage", bytes);
        limits.beside.smallBytes = bytes.Get();
        transport->GetAttribute("BulkMessage", bytes);
        limits.beside.bulkBytes = bytes.Get();
        TimeValue wait;
        transport->GetAttribute("WaitLimit", wait);
        limits.beside.waitSeconds = wait.Get().GetSeconds();
    }
    return limits;
}

BillOfMaterials
HybridDescription::GetBill(uint32_t nNodes) const
{
    BillOfMaterials bill = m_optical->GetBill(nNodes);
    bill.Add(m_electrical->GetBill(nNodes));
    return bill;
}

ApplicationContainer
MixNetDescription::InstallJob(const TrainingHelper& training,
                              TrainingPlan plan,
                              const NetDeviceContainer& devices) const
{
    const ApplicationContainer applications =
        HybridDescription::InstallJob(training, std::move(plan), devices);
    FollowJob(applications, devices, 0);
    return applications;
}

void
MixNetDescription::FollowJob(const ApplicationContainer& applications,
                             const NetDeviceContainer& devices,
                             uint32_t rail) const
{
    uint32_t first = 0;
    for (const auto& controller : m_fabric.CreateControllers(devices))
    {
        const uint32_t ports = m_fabric.GetRegionSize(devices.GetN() / 2, first);
        if (controller)
        {
            JobControl::FollowRegion(TrainingHelper::GetJob(applications),
                                     controller,
                                     {rail, first, ports},
                                     m_fabric.FirstWaits());
        }
        first += ports;
    }
}

FabricLimits
MixNetDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits = HybridDescription::GetLimits(nNodes);
    // Circuits follow the all-to-all of experts, whatever the plan asks for
    limits.canSwitch = false;
    limits.followsExchanges = true;
    std::vector<Ptr<const CircuitAllocator>> regions;
    uint32_t alone = 0;
    for (uint32_t first = 0; first < nNodes; first += m_fabric.GetRegion())
    {
        const uint32_t ports = m_fabric.GetRegionSize(nNodes, first);
        const auto allocators = GetOptical().GetLimits(ports).allocators;
        regions.insert(regions.end(), allocators.begin(), allocators.end());
        // The circuit switch of one node joins nothing
        alone += ports == 1 ? 1 : 0;
    }
    if (regions.size() > 1 || alone > 0)
    {
        limits.allocators = {CreateObject<RegionAllocator>(std::move(regions), alone)};
    }
    limits.exchangeSeconds = limits.switchingSeconds;
    limits.regionPorts = m_fabric.GetRegion();
    return limits;
}

BillOfMaterials
MixNetDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const FabricHelper& optical = m_fabric.GetOptical();
    StringValue kind;
    optical.GetChannelAttribute("SwitchKind", kind);
    const auto element = OpticalSwitch::Create(kind.Get());
    BillOfMaterials bill;
    for (uint32_t first = 0; first < nNodes; first += m_fabric.GetRegion())
    {
        // Cards with a pluggable transceiver each, and the ports of the switch of the region
        const uint32_t nodes = m_fabric.GetRegionSize(nNodes, first);
        const uint32_t cards = nodes * m_fabric.GetOpticalCards();
        bill.AddCards(cards,
                      nodes * static_cast<double>(optical.GetBandwidth().GetBitRate()) / cards);
        bill.AddOpticalSwitch("circuit-switch-port", *element, cards);
    }
    // Each card has a port of the electrical network
    InterconnectHelper& network = m_fabric.GetElectrical();
    const uint32_t cards = m_fabric.GetElectricalCards();
    const DataRate rate = network.GetBandwidth();
    network.SetBandwidth(DataRate(rate.GetBitRate() / cards));
    bill.Add(FabricDescription::Create(network)->GetBill(nNodes * cards));
    network.SetBandwidth(rate);
    return bill;
}

} // namespace lightpath
} // namespace ns3
