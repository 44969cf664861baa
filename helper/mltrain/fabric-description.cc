/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-description.h"

#include "averager-description.h"
#include "circuit-description.h"
#include "grid-description.h"
#include "hybrid-description.h"
#include "link-graph-description.h"
#include "rdma-description.h"
#include "rotor-description.h"
#include "server-description.h"
#include "switch-description.h"
#include "training-helper.h"

#include "ns3/abort.h"
#include "ns3/circuit-controller.h"
#include "ns3/custom-fabric-helper.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/topo-opt-helper.h"
#include "ns3/torus-helper.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @tparam Helper a class of helpers
 * @tparam Description the class that describes what they install
 * @param fabric the helper of an interconnect
 * @return its description; null if the helper is of another class
 */
template <typename Helper, typename Description>
std::unique_ptr<FabricDescription>
Describe(const InterconnectHelper& fabric)
{
    const auto* const helper = dynamic_cast<const Helper*>(&fabric);
    return helper ? std::make_unique<Description>(*helper) : nullptr;
}

/**
 * @return the families, a class after those that are derived from it
 */
std::vector<FabricDescription::Maker>&
GetMakers()
{
    static std::vector<FabricDescription::Maker> makers{
        &Describe<CircuitFabricHelper, CircuitDescription>,
        &Describe<SipOcsHelper, SwitchedCircuitDescription>,
        &Describe<SipRingHelper, RingDescription>,
        &Describe<ElectricalSwitchHelper, CrossbarDescription>,
        &Describe<OddlHelper, GridDescription>,
        &Describe<OptIncHelper, AveragerDescription>,
        &Describe<RotorHelper, RotorDescription>,
        &Describe<LinkGraphHelper, LinkGraphDescription>,
        &Describe<TorusHelper, TorusDescription>,
        &Describe<TopoOptHelper, TopoOptDescription>,
        &Describe<LeafSpineHelper, LeafSpineDescription>,
        &Describe<ClusterHelper, ClusterDescription>,
        &Describe<FatTreeHelper, FatTreeDescription>,
        &Describe<RdmaHelper, RdmaDescription>,
        &Describe<HybridHelper, HybridDescription>,
        &Describe<MixNetHelper, MixNetDescription>,
        &Describe<ServerHelper, ServerDescription>,
    };
    return makers;
}

} // namespace

std::unique_ptr<FabricDescription>
FabricDescription::Create(const InterconnectHelper& fabric)
{
    const auto& makers = GetMakers();
    for (auto maker = makers.rbegin(); maker != makers.rend(); ++maker)
    {
        if (auto description = (*maker)(fabric))
        {
            return description;
        }
    }
    NS_ABORT_MSG("No training job can be installed on this interconnect: no FabricDescription of "
                 "its helper is registered");
}

void
FabricDescription::Register(Maker maker)
{
    GetMakers().push_back(maker);
}

BillOfMaterials
FabricDescription::GetBill(uint32_t /* nNodes */) const
{
    throw std::invalid_argument("The components of this interconnect are not known: its "
                                "FabricDescription has to override GetBill()");
}

ApplicationContainer
FabricDescription::InstallJob(const TrainingHelper& training,
                              TrainingPlan plan,
                              const NetDeviceContainer& devices) const
{
    const auto controller = devices.GetN() > 1 ? m_interconnect.CreateController(devices) : nullptr;
    TrainingHelper configured = training;
    ConfigureJob(configured);
    return configured.Install(std::move(plan), devices, controller);
}

} // namespace lightpath
} // namespace ns3
