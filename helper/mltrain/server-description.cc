/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-description.h"

#include "model/training/transport/server-network.h"
#include "training-helper.h"

#include "ns3/circuit-controller.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

ServerDescription::ServerDescription(const ServerHelper& fabric)
    : DescriptionOf(fabric),
      m_outside(FabricDescription::Create(fabric.GetOutside()))
{
}

void
ServerDescription::ConfigureJob(TrainingHelper& training) const
{
    m_outside->ConfigureJob(training);
}

ApplicationContainer
ServerDescription::InstallJob(const TrainingHelper& training,
                              TrainingPlan plan,
                              const NetDeviceContainer& devices) const
{
    const ServerDevices all = m_fabric.Split(devices);
    TrainingHelper configured = training;
    ConfigureJob(configured);
    const ApplicationContainer applications =
        configured.InstallServers(std::move(plan), all, m_fabric.CreateControllers(all));
    for (uint32_t rail = 0; rail < all.rails.size(); ++rail)
    {
        m_outside->FollowJob(applications, all.rails[rail], rail);
    }
    return applications;
}

FabricLimits
ServerDescription::GetLimits(uint32_t nNodes) const
{
    const ServerLayout layout = m_fabric.GetLayout(nNodes);
    const uint32_t ports = layout.GetNPorts(nNodes);
    FabricLimits limits;
    limits.bitRate = static_cast<double>(m_fabric.GetOutside().GetBandwidth().GetBitRate());
    // A single server does without a fabric that cannot join its ports
    if (nNodes > m_fabric.GetServerSize() || m_fabric.GetOutside().Check(ports).empty())
    {
        limits = m_outside->GetLimits(ports);
    }
    // A network of servers is not made for a plan
    limits.linksFor = nullptr;
    limits.servers.layout = layout;
    limits.servers.bitRate = static_cast<double>(m_fabric.GetServerRate().GetBitRate());
    limits.servers.latency = m_fabric.GetServerDelay().GetSeconds();
    limits.servers.isRing = m_fabric.GetKind() == ServerHelper::RING;
    limits.servers.reduces = m_fabric.Reduces();
    UintegerValue parts;
    CreateObject<ServerNetwork>()->GetAttribute("RelayedParts", parts);
    limits.servers.relayedParts = static_cast<uint32_t>(parts.Get());
    limits.servers.pairBitRate =
        m_fabric.GetKind() == ServerHelper::SWITCH ? 0.0 : m_fabric.GetLinkRate().GetBitRate();
    return limits;
}

BillOfMaterials
ServerDescription::GetBill(uint32_t nNodes) const
{
    const ServerLayout layout = m_fabric.GetLayout(nNodes);
    BillOfMaterials bill;
    if (nNodes > m_fabric.GetServerSize())
    {
        bill.Add(m_outside->GetBill(layout.GetNPorts(nNodes)), layout.GetNRails());
    }
    // A link of a switch belongs to one GPU, and one between GPUs to two
    const double share = m_fabric.GetKind() == ServerHelper::SWITCH ? 1 : 0.5;
    bill.AddScaleUpLinks(share * nNodes *
                         static_cast<double>(m_fabric.GetServerRate().GetBitRate()));
    return bill;
}

} // namespace lightpath
} // namespace ns3
