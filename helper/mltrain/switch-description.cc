/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-description.h"

#include "helper/optical/link-graph-builder.h"
#include "link-graph-description.h"
#include "training-helper.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace lightpath
{

FabricLimits
CrossbarDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = m_fabric.GetBandwidth().GetBitRate();
    limits.isShared = true;
    limits.latency = m_fabric.GetSetting<TimeValue>("Delay").GetSeconds();
    return limits;
}

BillOfMaterials
CrossbarDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const auto bitRate = static_cast<double>(m_fabric.GetBandwidth().GetBitRate());
    BillOfMaterials bill;
    bill.AddCards(nNodes, bitRate);
    bill.AddSwitch(nNodes, bitRate);
    bill.AddSwitchOptics(nNodes, bitRate);
    return bill;
}

FabricLimits
DatacenterDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = m_fabric.GetMessageRate();
    if (m_fabric.GetOversubscription() > 1)
    {
        limits.peerBitRate = limits.bitRate / m_fabric.GetOversubscription();
    }
    limits.latency = GetLatency(m_fabric.GetNLinks());
    limits.isShared = true;
    return limits;
}

double
DatacenterDescription::GetLatency(uint32_t nLinks) const
{
    return (m_fabric.GetMessageDelay() + m_fabric.GetLatency(nLinks)).GetSeconds();
}

void
DatacenterDescription::ConfigureJob(TrainingHelper& training) const
{
    if (!m_fabric.GetMessageDelay().IsZero())
    {
        training.SetTransportAttribute("MessageDelay", TimeValue(m_fabric.GetMessageDelay()));
    }
}

FabricLimits
LeafSpineDescription::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits = DatacenterDescription::GetLimits(nNodes);
    if (nNodes <= m_fabric.GetNodesPerLeaf())
    {
        limits.latency = GetLatency(2);
        limits.peerBitRate = 0;
    }
    return limits;
}

BillOfMaterials
LeafSpineDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    return LinkGraphDescription::GetBill(
        LinkGraphBuilder(m_fabric.GetBandwidth(), Time())
            .MakeLeaves(nNodes,
                        1,
                        m_fabric.GetNodesPerLeaf(),
                        m_fabric.GetNodesPerLeaf() / m_fabric.GetOversubscription()));
}

FabricLimits
FatTreeDescription::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits = DatacenterDescription::GetLimits(nNodes);
    const uint32_t half = m_fabric.GetNPorts(nNodes) / 2;
    const uint32_t perEdge = half * m_fabric.GetOversubscription();
    if (nNodes <= perEdge)
    {
        limits.latency = GetLatency(2);
        limits.peerBitRate = 0;
    }
    else if (nNodes <= half * perEdge)
    {
        limits.latency = GetLatency(4);
    }
    return limits;
}

BillOfMaterials
FatTreeDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const uint32_t ports = m_fabric.GetNPorts(nNodes);
    return LinkGraphDescription::GetBill(
        LinkGraphBuilder(m_fabric.GetBandwidth(), Time())
            .MakeFatTree(nNodes, ports, ports / 2 * m_fabric.GetOversubscription()));
}

FabricLimits
ClusterDescription::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits = LeafSpineDescription::GetLimits(nNodes);
    limits.servers.layout.gpus = m_fabric.GetServerSize();
    limits.servers.bitRate = limits.bitRate / m_fabric.GetBandwidth().GetBitRate() *
                             static_cast<double>(m_fabric.GetServerRate().GetBitRate());
    limits.servers.latency = (m_fabric.GetMessageDelay() + m_fabric.GetLatency(2)).GetSeconds();
    return limits;
}

BillOfMaterials
ClusterDescription::GetBill(uint32_t nNodes) const
{
    BillOfMaterials bill = LeafSpineDescription::GetBill(nNodes);
    if (m_fabric.GetServerSize() > 1)
    {
        bill.AddScaleUpLinks(static_cast<double>(nNodes) * m_fabric.GetServerRate().GetBitRate());
    }
    return bill;
}

} // namespace lightpath
} // namespace ns3
