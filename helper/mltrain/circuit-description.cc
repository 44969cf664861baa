/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-description.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/boolean.h"
#include "ns3/circuit-controller.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fibre-delay.h"
#include "ns3/nstime.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-switch.h"
#include "ns3/ring-allocator.h"
#include "ns3/string.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

FabricLimits
CircuitDescription::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = m_fabric.GetBandwidth().GetBitRate();
    limits.degree = m_fabric.GetDegree();
    limits.circuits = m_fabric.GetNCircuits();
    DataRateValue laneRate;
    m_fabric.GetChannelAttribute("LaneRate", laneRate);
    limits.laneRate = static_cast<double>(laneRate.Get().GetBitRate());
    limits.switchingSeconds = m_fabric.GetReconfigurationTime().GetSeconds();
    limits.latency = m_fabric.GetPathDelay().GetSeconds();
    ConfigurePaths(limits, nNodes);
    TimeValue delay;
    m_fabric.GetChannelAttribute("Delay", delay);
    const double beyond = delay.Get().GetSeconds();
    limits.latency += beyond;
    if (limits.pathLatency && beyond > 0)
    {
        limits.pathLatency = [ofPath = limits.pathLatency, beyond](uint32_t source,
                                                                   uint32_t destination,
                                                                   const std::vector<Lane>& lanes) {
            return ofPath(source, destination, lanes) + beyond;
        };
    }
    const auto controller = m_fabric.MakeController();
    TimeValue decision;
    controller->GetAttribute("DecisionTime", decision);
    limits.decisionSeconds = decision.Get().GetSeconds();
    const bool isDark = m_fabric.GetSetting<BooleanValue>("InitialSwitching");
    limits.initialSeconds = isDark ? limits.decisionSeconds + limits.switchingSeconds : 0;
    EnumValue pause(OpticalChannel::GLOBAL_PAUSE);
    m_fabric.GetChannelAttribute("PauseMode", pause);
    limits.keepsLightpaths = pause.Get() != OpticalChannel::GLOBAL_PAUSE;
    limits.canTurn = m_fabric.CanTurn() && controller->GetTrigger() == CircuitController::ONCE &&
                     !m_fabric.HasScheduler();
    limits.canSwitch =
        controller->GetTrigger() == CircuitController::ONCE && !m_fabric.HasScheduler();
    limits.phaseCircuits = controller->GetTrigger() == CircuitController::PHASE &&
                           controller->GetDemandSource() != CircuitController::PLANNED_DEMAND &&
                           !m_fabric.HasScheduler();
    if (controller->GetTrigger() == CircuitController::OPERATION)
    {
        limits.TurnCircuits();
        return limits;
    }
    limits.decidesAgain = !limits.canSwitch && !limits.phaseCircuits;
    // Another slot of a schedule serves the demand that one slot leaves
    if (nNodes > 1 && !m_fabric.HasScheduler())
    {
        limits.allocators.push_back(m_fabric.MakeAllocator(nNodes));
    }
    return limits;
}

BillOfMaterials
SwitchedCircuitDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    BillOfMaterials bill;
    const double bitRate = static_cast<double>(nNodes) * m_fabric.GetBandwidth().GetBitRate();
    const double lanes = bitRate / m_fabric.GetWavelengthRate().GetBitRate();
    bill.AddTransceivers("laser", lanes, bitRate);
    // One adds light, one drops it
    bill.Add("micro-ring", 2 * lanes);
    const auto geometry = m_fabric.GetGeometry(std::max(nNodes, 2U));
    StringValue kind;
    m_fabric.GetSetting("SwitchKind", kind);
    const auto element = OpticalSwitch::Create(kind.Get());
    for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
    {
        bill.AddOpticalSwitch("circuit-switch-port", *element, geometry.GetNPorts(i));
    }
    return bill;
}

void
RingDescription::ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const
{
    const double segment = m_fabric.GetSetting<DoubleValue>("NodeDistance");
    // Where no wavelength is used twice, all places are alike
    limits.isRing =
        nNodes > 1 && m_fabric.GetGeometry(nNodes).GetWavelengthMode() != RingGeometry::EXCLUSIVE;
    if (nNodes < 2)
    {
        return;
    }
    const auto allocator = DynamicCast<RingAllocator>(m_fabric.MakeAllocator(nNodes));
    limits.reach = allocator->GetGeometry().GetReach();
    limits.obstacle = [allocator,
                       channel = m_fabric.MakeLightChannel(nNodes, PhotonicChannel::BUDGET)](
                          uint32_t source,
                          uint32_t destination) {
        const std::string obstacle = allocator->GetObstacle(source, destination);
        if (obstacle.empty() || !channel)
        {
            return obstacle;
        }
        const auto& geometry = allocator->GetGeometry();
        const uint32_t hops =
            std::min(geometry.GetHops(source, destination, RingDirection::CLOCKWISE),
                     geometry.GetHops(source, destination, RingDirection::COUNTERCLOCKWISE));
        const std::string light = channel->CheckLight(hops, geometry.GetNNodes());
        return light.empty() ? obstacle : light;
    };
    // A direction carries half of the rate on each segment. The rest of the rate of a pair goes the
    // long way round: neighbours that all do so share the capacity of the other direction, over
    // n - 1 segments each
    limits.peerBitRate = limits.bitRate / 2 * nNodes / (nNodes - 1);
    limits.pathLatency =
        [geometry = m_fabric.GetGeometry(nNodes),
         segment](uint32_t source, uint32_t destination, const std::vector<Lane>& lanes) {
            uint32_t hops = 0;
            for (const auto& lane : lanes)
            {
                const auto direction = geometry.GetDirection(lane.fibre);
                hops = std::max(hops, geometry.GetHops(source, destination, direction));
            }
            return GetFibreDelay(hops * segment).GetSeconds();
        };
}

BillOfMaterials
RingDescription::GetBill(uint32_t nNodes) const
{
    RequireValid(nNodes);
    BillOfMaterials bill;
    const double lanes = static_cast<double>(nNodes) * m_fabric.GetNCircuits();
    bill.AddTransceivers("laser", lanes, lanes * m_fabric.GetWavelengthRate().GetBitRate());
    // One adds light, one drops it
    bill.Add("micro-ring", 2 * lanes);
    if (m_fabric.GetSetting<BooleanValue>("Amplifiers"))
    {
        bill.Add("optical-amplifier", 2.0 * m_fabric.GetNFibres() * nNodes);
    }
    return bill;
}

} // namespace lightpath
} // namespace ns3
