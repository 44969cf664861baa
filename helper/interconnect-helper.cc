/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interconnect-helper.h"

#include "fabric-helper.h"
#include "fabric-table.h"
#include "hybrid-helper.h"
#include "refusal.h"
#include "training-helper.h"

#include "ns3/abort.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

std::vector<std::string>
InterconnectHelper::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetFabricTable())
    {
        names.push_back(entry.name);
    }
    return names;
}

std::string
InterconnectHelper::CheckName(const std::string& name)
{
    const std::size_t plus = name.find('+');
    if (plus != std::string::npos)
    {
        const std::string optical = name.substr(0, plus);
        const std::string electrical = name.substr(plus + 1);
        if (electrical.find('+') != std::string::npos)
        {
            return "'" + name + "' is not a hybrid fabric: name two parts, like sip-ring+fat-tree";
        }
        const std::string refusal = FabricHelper::CheckName(optical);
        const std::string other = CheckName(electrical);
        if (!refusal.empty() || !other.empty())
        {
            return refusal.empty() ? other : refusal;
        }
        return HybridHelper::CheckParts(*FabricHelper::Create(optical), *Create(electrical));
    }
    return CheckKnown("fabric", name, GetNames());
}

std::unique_ptr<InterconnectHelper>
InterconnectHelper::Create(const std::string& name)
{
    const std::string refusal = CheckName(name);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    const std::size_t plus = name.find('+');
    if (plus != std::string::npos)
    {
        return std::make_unique<HybridHelper>(FabricHelper::Create(name.substr(0, plus)),
                                              Create(name.substr(plus + 1)));
    }
    const auto& table = GetFabricTable();
    return std::find_if(table.begin(),
                        table.end(),
                        [&name](const auto& entry) { return entry.name == name; })
        ->make();
}

ApplicationContainer
InterconnectHelper::InstallJob(const TrainingHelper& training,
                               TrainingPlan plan,
                               const NetDeviceContainer& devices) const
{
    const auto controller = devices.GetN() > 1 ? CreateController(devices) : nullptr;
    return training.Install(std::move(plan), devices, controller);
}

BillOfMaterials
InterconnectHelper::GetBill(uint32_t /* nNodes */) const
{
    throw std::invalid_argument("The components of this interconnect are not known: its helper has "
                                "to override GetBill()");
}

void
InterconnectHelper::RequireValid(uint32_t nNodes) const
{
    const std::string refusal = Check(nNodes);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

} // namespace lightpath
} // namespace ns3
