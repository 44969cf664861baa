/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-description.h"

#include "training-helper.h"

namespace ns3
{
namespace lightpath
{

RdmaDescription::RdmaDescription(const RdmaHelper& fabric)
    : DescriptionOf(fabric),
      m_graph(fabric.GetGraph())
{
}

FabricLimits
RdmaDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits = m_graph.GetLimits(nNodes);
    const double share = m_fabric.GetMessageShare();
    limits.bitRate *= share;
    limits.peerBitRate *= share;
    limits.leaf.bitRate *= share;
    for (double& each : limits.links.bitRates)
    {
        each *= share;
    }
    // Each switch takes in a packet before it sends it
    const uint32_t nSwitches = nNodes > 1 ? m_fabric.GetMostLinks(nNodes) - 1 : 0;
    limits.latency +=
        nSwitches *
        m_fabric.GetBandwidth().CalculateBytesTxTime(m_fabric.GetWireBytes()).GetSeconds();
    return limits;
}

BillOfMaterials
RdmaDescription::GetBill(uint32_t nNodes) const
{
    return m_graph.GetBill(nNodes);
}

void
RdmaDescription::ConfigureJob(TrainingHelper& training) const
{
    training.SetTransport("ns3::lightpath::RdmaTransport");
}

} // namespace lightpath
} // namespace ns3
