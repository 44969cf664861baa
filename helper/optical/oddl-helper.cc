/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-helper.h"

#include "model/control/grid/oddl-arbiter.h"
#include "model/control/grid/oddl-control-unit.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/node.h"
#include "ns3/oddl-header.h"
#include "ns3/optical-net-device.h"
#include "ns3/optical-switch.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wss-grid-channel.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param node a node
 * @return the control unit on it; null if there is none
 */
Ptr<OddlControlUnit>
FindUnit(Ptr<Node> node)
{
    for (uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        if (const auto unit = DynamicCast<OddlControlUnit>(node->GetApplication(i)))
        {
            return unit;
        }
    }
    return nullptr;
}

} // namespace

OddlHelper::OddlHelper()
    : FabricHelper("ns3::lightpath::WssGridChannel", DataRate(0))
{
    SetBandwidth(DataRate(uint64_t{2} * GetCountSetting("Transceivers") *
                          GetSetting<DataRateValue>("LaneRate").GetBitRate()));
    m_unitFactory.SetTypeId("ns3::lightpath::OddlControlUnit");
}

void
OddlHelper::SetGrid(uint32_t rows, uint32_t columns)
{
    const auto set = [this](const std::string& name, uint32_t count) {
        if (count > 0)
        {
            SetChannelAttribute(name, UintegerValue(count));
        }
        else
        {
            ResetSetting(name);
        }
    };
    set("Rows", rows);
    set("Columns", columns);
}

void
OddlHelper::SetBringUp(const BringUp& steps)
{
    SetChannelAttribute("TuningTime", TimeValue(steps.laserTuning));
    SetChannelAttribute("LockTime", TimeValue(steps.GetReceiverTime()));
}

void
OddlHelper::SetTransceivers(uint32_t transceivers)
{
    SetChannelAttribute("Transceivers", UintegerValue(transceivers));
}

void
OddlHelper::SetUnitAttribute(const std::string& name, const AttributeValue& value)
{
    m_unitFactory.Set(name, value);
}

void
OddlHelper::SetControlNetwork(const OddlControlNetwork& network)
{
    m_network = network;
}

void
OddlHelper::SetControlAddresses(const std::vector<Ipv4Address>& addresses)
{
    m_addresses = addresses;
}

void
OddlHelper::SetInitiallySet(bool isSet)
{
    m_isSet = isSet;
}

void
OddlHelper::SetArbiterAddress(Ipv4Address address)
{
    m_arbiter = address;
}

std::pair<uint32_t, uint32_t>
OddlHelper::GetGrid(uint32_t nNodes) const
{
    uint32_t rows = HasSetting("Rows") ? GetCountSetting("Rows") : 0;
    uint32_t columns = HasSetting("Columns") ? GetCountSetting("Columns") : 0;
    if (rows == 0 && columns == 0)
    {
        for (uint32_t divisor = 1; uint64_t{divisor} * divisor <= nNodes; ++divisor)
        {
            rows = nNodes % divisor == 0 ? divisor : rows;
        }
    }
    if (columns == 0)
    {
        columns = (nNodes + rows - 1) / std::max(rows, 1U);
    }
    if (rows == 0)
    {
        rows = (nNodes + columns - 1) / columns;
    }
    return {rows, columns};
}

std::string
OddlHelper::Check(uint32_t nNodes) const
{
    const uint64_t bitRate = GetBandwidth().GetBitRate();
    const uint64_t transceivers = uint64_t{2} * GetCountSetting("Transceivers");
    if (bitRate == 0 || bitRate % transceivers != 0)
    {
        return "A bandwidth of " + std::to_string(bitRate) + " bit/s is not " +
               std::to_string(transceivers) +
               " transceivers, those at both switches of a node, of one rate above 0";
    }
    const auto [rows, columns] = GetGrid(nNodes);
    if (uint64_t{rows} * columns < nNodes)
    {
        return "A grid of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
               " columns has no place for " + std::to_string(nNodes) + " nodes";
    }
    if (!IsUsable(rows, columns))
    {
        const bool hasColumns = GetRowShare(rows, columns) == 0;
        return std::string("A RowShare of ") + (hasColumns ? "0" : "1") +
               " leaves no bandwidth at the switches of the " + (hasColumns ? "rows" : "columns") +
               ", which a grid of " + std::to_string(rows) + " rows and " +
               std::to_string(columns) + " columns needs";
    }
    return CheckLight(nNodes);
}

double
OddlHelper::GetRowShare(uint32_t rows, uint32_t columns) const
{
    // A switch of one node carries nothing
    if (!HasSetting("RowShare") && (rows == 1 || columns == 1))
    {
        return rows == 1 ? 1 : 0;
    }
    return GetSetting<DoubleValue>("RowShare");
}

bool
OddlHelper::IsUsable(uint32_t rows, uint32_t columns) const
{
    const double share = GetRowShare(rows, columns);
    return (columns == 1 || share > 0) && (rows == 1 || share < 1);
}

std::vector<FabricHelper::DerivedAttribute>
OddlHelper::GetDerived() const
{
    const uint64_t bitRate = GetBandwidth().GetBitRate();
    return {{"LaneRate",
             "the bandwidth of a node and Transceivers",
             ns3::Create<DataRateValue>(DataRate(bitRate / 2 / GetCountSetting("Transceivers")))}};
}

void
OddlHelper::ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const
{
    const auto [rows, columns] = GetGrid(nNodes);
    factory.Set("Rows", UintegerValue(rows));
    factory.Set("Columns", UintegerValue(columns));
    factory.Set("RowShare", DoubleValue(GetRowShare(rows, columns)));
}

void
OddlHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    const auto grid = DynamicCast<WssGridChannel>(channel);
    const auto ports = static_cast<uint32_t>(grid->GetNDevices());
    NodeContainer nodes;
    for (uint32_t port = 0; port < ports; ++port)
    {
        nodes.Add(grid->GetPort(port)->GetNode());
    }
    NS_ABORT_MSG_IF(!m_addresses.empty() && m_addresses.size() != ports,
                    "There are " << m_addresses.size() << " control addresses for " << ports
                                 << " nodes: give one a node");
    const bool isOwn = m_addresses.empty();
    Ptr<Node> arbiter;
    if (isOwn && !m_isSet)
    {
        arbiter = CreateObject<Node>();
        nodes.Add(arbiter);
    }
    std::vector<Ipv4Address> addresses = m_addresses;
    addresses.push_back(m_arbiter);
    const std::shared_ptr<ControlNetwork> network =
        isOwn ? m_network.Install(nodes, ports) : m_network.Connect(addresses, ports);
    const auto all = std::make_shared<std::vector<uint32_t>>(ports);
    std::iota(all->begin(), all->end(), 0);
    for (uint32_t port = 0; port < ports; ++port)
    {
        const auto unit = m_unitFactory.Create<OddlControlUnit>();
        unit->SetUp(grid->GetPort(port), network);
        if (!m_isSet)
        {
            unit->SetJob(1, all);
        }
        nodes.Get(port)->AddApplication(unit);
    }
    if (arbiter)
    {
        const auto application = CreateObject<OddlArbiter>();
        application->SetUp(grid, network);
        arbiter->AddApplication(application);
    }
}

ApplicationContainer
OddlHelper::GetUnits(const NetDeviceContainer& devices)
{
    ApplicationContainer units;
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto unit = FindUnit(devices.Get(i)->GetNode());
        NS_ABORT_MSG_UNLESS(unit, "The node of device " << i << " has no control unit of ODDL");
        units.Add(unit);
    }
    return units;
}

std::string
OddlHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    const auto [rows, columns] = GetGrid(nNodes);
    return WssGridGeometry({rows, columns, GetCountSetting("Transceivers"), nNodes})
        .TrySetFailed(component, true);
}

Time
OddlHelper::GetControlTime() const
{
    OddlHeader message;
    message.kind = OddlHeader::REQUEST;
    return 2 * (m_network.GetDelay(message.GetSerializedSize()) +
                TimeStep(GetUnitSettings().processingTime));
}

OddlSettings
OddlHelper::GetUnitSettings() const
{
    return m_unitFactory.Create<OddlControlUnit>()->GetSettings();
}

Time
OddlHelper::GetFlowTime() const
{
    return GetControlTime() + GetSetting<TimeValue>("TuningTime") +
           GetSetting<TimeValue>("LockTime") +
           2 * GetFibreDelay(GetSetting<DoubleValue>("FibreLength")) +
           GetSetting<TimeValue>("Delay");
}

} // namespace lightpath
} // namespace ns3
