/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "averager-description.h"

#include "model/collective/block-quantiser.h"
#include "model/photonics/network/network-averager.h"

#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"
#include "ns3/word-averager.h"

namespace ns3
{
namespace lightpath
{

FabricLimits
AveragerDescription::GetLimits(uint32_t nNodes) const
{
    const Time signalling = m_fabric.GetSetting<TimeValue>("SignallingDelay");
    const Time fibre = GetFibreDelay(m_fabric.GetSetting<DoubleValue>("FibreLength"));
    const auto quantiser = CreateObject<BlockQuantiser>();
    quantiser->SetAttribute("Bits", UintegerValue(m_fabric.GetBits()));
    quantiser->SetAttribute("BlockSize", UintegerValue(m_fabric.GetBlockSize()));
    FabricLimits limits;
    limits.bitRate = m_fabric.GetBandwidth().GetBitRate();
    limits.isShared = true;
    limits.latency = (m_fabric.GetSetting<TimeValue>("Delay") + 2 * (signalling + fibre) +
                      m_fabric.MakeAverager(nNodes)->GetDelay())
                         .GetSeconds();
    limits.averagedBits = quantiser->GetBitsOfNumber();
    return limits;
}

BillOfMaterials
AveragerDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const uint32_t transceivers = m_fabric.GetTransceivers();
    // Transceivers send as many words at a time as an averager has networks, of interferometers
    // with two phase shifters each. An amplifier makes up for the loss of each output of a layer.
    // An averager receives, and sends through its networks, at the rate of a GPU
    const uint32_t words = transceivers / (m_fabric.GetBits() / 2);
    BillOfMaterials bill;
    double ends = nNodes;
    const auto addAveragers = [&](uint32_t nInputs, double averagers) {
        const auto averager = m_fabric.MakeIdealNetwork(nInputs);
        const OpticalNeuralNetwork& network = averager->GetNetwork();
        bill.Add("phase-shifter", 2.0 * network.GetNElements() * words * averagers);
        bill.Add("optical-amplifier", 1.0 * network.GetNLayerOutputs() * words * averagers);
        ends += averagers;
    };
    if (const uint32_t group = m_fabric.GetGroupSize(); group == 0)
    {
        addAveragers(nNodes, 1);
    }
    else
    {
        addAveragers(group, nNodes / group);
        addAveragers(nNodes / group, 1);
    }
    bill.AddTransceivers("laser", transceivers * ends, ends * m_fabric.GetBandwidth().GetBitRate());
    return bill;
}

} // namespace lightpath
} // namespace ns3
