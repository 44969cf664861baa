/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hybrid-helper.h"

#include "circuit-fabric-helper.h"
#include "datacenter-helper.h"
#include "fabric-helper.h"
#include "oddl-helper.h"
#include "opt-inc-helper.h"
#include "rotor-helper.h"

#include "ns3/abort.h"

#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param devices devices that HybridHelper::Install() returned
 * @param first the index of the first of them
 * @return half of them
 */
NetDeviceContainer
GetHalf(const NetDeviceContainer& devices, uint32_t first)
{
    NS_ABORT_MSG_IF(devices.GetN() % 2 != 0,
                    "There are " << devices.GetN() << " devices of a hybrid interconnect: each "
                                 << "node must have one of either kind");
    NetDeviceContainer half;
    for (uint32_t i = 0; i < devices.GetN() / 2; ++i)
    {
        half.Add(devices.Get(first + i));
    }
    return half;
}

} // namespace

HybridHelper::HybridHelper(std::unique_ptr<FabricHelper> optical,
                           std::unique_ptr<InterconnectHelper> electrical)
    : m_optical(std::move(optical)),
      m_electrical(std::move(electrical))
{
    const std::string refusal = CheckParts(*m_optical, *m_electrical);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

std::string
HybridHelper::CheckParts(const FabricHelper& optical, const InterconnectHelper& electrical)
{
    if (dynamic_cast<const OptIncHelper*>(&optical) ||
        dynamic_cast<const OptIncHelper*>(&electrical))
    {
        return "A network that averages carries no other messages, so that it is no part of a "
               "hybrid fabric: choose two that carry messages, like sip-ring+fat-tree";
    }
    if (dynamic_cast<const CircuitFabricHelper*>(&electrical) ||
        dynamic_cast<const RotorHelper*>(&electrical))
    {
        return "The network beside the optical fabric of a hybrid one has to reach all nodes at "
               "any time, which circuits do not: choose one of switches, like electrical or "
               "leaf-spine";
    }
    if (dynamic_cast<const OddlHelper*>(&optical) &&
        dynamic_cast<const DatacenterHelper*>(&electrical))
    {
        return "ODDL has an IP network for its control, and a network of switches beside it needs "
               "nodes without any: choose the fabric electrical";
    }
    return "";
}

HybridHelper::~HybridHelper()
{
}

FabricHelper&
HybridHelper::GetOptical() const
{
    return *m_optical;
}

InterconnectHelper&
HybridHelper::GetElectrical() const
{
    return *m_electrical;
}

NetDeviceContainer
HybridHelper::GetOpticalDevices(const NetDeviceContainer& devices)
{
    return GetHalf(devices, 0);
}

NetDeviceContainer
HybridHelper::GetElectricalDevices(const NetDeviceContainer& devices)
{
    return GetHalf(devices, devices.GetN() / 2);
}

std::string
HybridHelper::Check(uint32_t nNodes) const
{
    const std::string refusal = m_optical->Check(nNodes);
    return refusal.empty() ? m_electrical->Check(nNodes) : refusal;
}

void
HybridHelper::SetBandwidth(DataRate bandwidth)
{
    m_optical->SetBandwidth(bandwidth);
}

DataRate
HybridHelper::GetBandwidth() const
{
    return m_optical->GetBandwidth();
}

void
HybridHelper::SetMessageDelay(Time delay)
{
    m_optical->SetMessageDelay(delay);
    m_electrical->SetMessageDelay(delay);
}

NetDeviceContainer
HybridHelper::Install(const NodeContainer& nodes) const
{
    NetDeviceContainer devices = m_optical->Install(nodes);
    devices.Add(m_electrical->Install(nodes));
    return devices;
}

Ipv4InterfaceContainer
HybridHelper::AssignAddresses(const NetDeviceContainer& devices) const
{
    return m_electrical->AssignAddresses(GetElectricalDevices(devices));
}

Ptr<CircuitController>
HybridHelper::CreateController(const NetDeviceContainer& devices) const
{
    return m_optical->CreateController(GetOpticalDevices(devices));
}

} // namespace lightpath
} // namespace ns3
