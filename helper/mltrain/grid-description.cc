/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-description.h"

#include "model/control/grid/oddl-arbiter.h"

#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/nstime.h"
#include "ns3/oddl-header.h"
#include "ns3/optical-switch.h"
#include "ns3/photonic-channel.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace lightpath
{

GridLimits
GridDescription::GetGridLimits(uint32_t rows, uint32_t columns, uint32_t nNodes) const
{
    const auto bitRate = static_cast<double>(m_fabric.GetBandwidth().GetBitRate());
    const double share = m_fabric.GetRowShare(rows, columns);
    const Time tuning =
        m_fabric.GetSetting<TimeValue>("TuningTime") + m_fabric.GetSetting<TimeValue>("LockTime");
    const Time delay = 2 * GetFibreDelay(m_fabric.GetSetting<DoubleValue>("FibreLength"));
    GridLimits limits;
    limits.rows = rows;
    limits.columns = columns;
    limits.gpus = nNodes;
    limits.transceivers = m_fabric.GetCountSetting("Transceivers");
    limits.rowBitRate = bitRate * share / limits.transceivers;
    limits.columnBitRate = bitRate * (1 - share) / limits.transceivers;
    limits.controlSeconds = m_fabric.GetControlTime().GetSeconds();
    OddlHeader request;
    request.kind = OddlHeader::REQUEST;
    limits.controlGap =
        m_fabric.GetControlNetwork().GetGap(request.GetSerializedSize()).GetSeconds();
    limits.tuningSeconds = tuning.GetSeconds();
    limits.delay = delay.GetSeconds();
    limits.cardSeconds = m_fabric.GetSetting<TimeValue>("Delay").GetSeconds();
    limits.isColumnFirst = m_fabric.GetRelayPolicy() == "YFirst";
    limits.diverts = m_fabric.GetRelayPolicy() == "LeastLoaded";
    // Units wait longer where control messages take longer
    limits.expirySeconds = std::max(m_fabric.GetUnitTime("ReservationExpiry"),
                                    2 * m_fabric.GetControlTime() + tuning + delay)
                               .GetSeconds();
    if (!m_fabric.IsInitiallySet())
    {
        request.kind = OddlHeader::JOB_REQUEST;
        request.nPorts = nNodes;
        OddlHeader go;
        go.kind = OddlHeader::JOB_GO;
        TimeValue processing;
        CreateObject<OddlArbiter>()->GetAttribute("ProcessingTime", processing);
        const Time begin = m_fabric.GetControlNetwork().GetDelay(request.GetSerializedSize()) +
                           processing.Get() + m_fabric.GetSetting<TimeValue>("SettingTime") +
                           m_fabric.GetControlNetwork().GetDelay(go.GetSerializedSize()) +
                           m_fabric.GetUnitTime("ProcessingTime");
        limits.beginSeconds = begin.GetSeconds();
        limits.beginGapSeconds =
            m_fabric.GetControlNetwork().GetGap(go.GetSerializedSize()).GetSeconds();
    }
    return limits;
}

FabricLimits
GridDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = m_fabric.GetBandwidth().GetBitRate();
    // Flows take turns at the full rate: together they take as long as with fairly shared rates
    limits.isShared = true;
    limits.latency = m_fabric.GetFlowTime().GetSeconds();
    const auto [rows, columns] = m_fabric.GetGrid(nNodes);
    limits.grid = GetGridLimits(rows, columns, nNodes);
    if (m_fabric.GetRelayPolicy() == "Forbid")
    {
        limits.pathRefusal = [columns = columns](uint32_t a, uint32_t b) {
            const bool areApart = a / columns != b / columns && a % columns != b % columns;
            return areApart
                       ? "GPU " + std::to_string(a) + " would send to GPU " + std::to_string(b) +
                             ", but they share no row and no column of the grid, and its "
                             "RelayPolicy is Forbid"
                       : std::string();
        };
    }
    else if (!m_fabric.HasSetting("Rows") && !m_fabric.HasSetting("Columns"))
    {
        // Turned, the grid needs no larger switches
        limits.grids = {limits.grid};
        if (m_fabric.IsUsable(columns, rows))
        {
            limits.grids.push_back(GetGridLimits(columns, rows, nNodes));
        }
    }
    return limits;
}

BillOfMaterials
GridDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    const double transceivers = m_fabric.GetCountSetting("Transceivers");
    const auto [rows, columns] = m_fabric.GetGrid(nNodes);
    const auto element = OpticalSwitch::Create("wss");
    BillOfMaterials bill;
    // Each node has its transceivers at the switch of its row and at that of its column, with a
    // laser for each wavelength
    const auto channel = DynamicCast<PhotonicChannel>(m_fabric.MakeChannel(nNodes));
    bill.AddTransceivers("tunable-laser",
                         2 * transceivers * nNodes * channel->GetFibreWavelengths(),
                         static_cast<double>(nNodes) * m_fabric.GetBandwidth().GetBitRate());
    for (const uint32_t ports : {columns, rows})
    {
        const double switches = static_cast<double>(nNodes) / ports;
        bill.AddOpticalSwitch("wavelength-switch-port", *element, ports, transceivers * switches);
    }
    return bill;
}

} // namespace lightpath
} // namespace ns3
