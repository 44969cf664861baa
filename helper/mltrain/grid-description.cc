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
#include "ns3/optical-switch.h"
#include "ns3/photonic-channel.h"

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
    const auto getTicks = [this](const std::string& name) {
        return m_fabric.GetSetting<TimeValue>(name).GetTimeStep();
    };
    GridLimits limits;
    limits.rows = rows;
    limits.columns = columns;
    limits.gpus = nNodes;
    limits.transceivers = m_fabric.GetCountSetting("Transceivers");
    limits.rowBitRate = bitRate * share / limits.transceivers;
    limits.columnBitRate = bitRate * (1 - share) / limits.transceivers;
    limits.tuning = getTicks("TuningTime");
    limits.lock = getTicks("LockTime");
    limits.delay = 2 * GetFibreDelay(m_fabric.GetSetting<DoubleValue>("FibreLength")).GetTimeStep();
    limits.cardDelay = getTicks("Delay");
    limits.unit = m_fabric.GetUnitSettings();
    limits.controlBitRate = m_fabric.GetControlNetwork().rate.GetBitRate();
    limits.controlDelay = m_fabric.GetControlNetwork().GetLinkDelay().GetTimeStep();
    limits.isSet = m_fabric.IsInitiallySet();
    limits.setting = getTicks("SettingTime");
    TimeValue processing;
    CreateObject<OddlArbiter>()->GetAttribute("ProcessingTime", processing);
    limits.arbiterTime = processing.Get().GetTimeStep();
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
    if (limits.grid.unit.relayPolicy == OddlSettings::FORBID)
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
