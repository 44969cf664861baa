/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interconnect-helper.h"

#include "fabric-helper.h"
#include "fabric-table.h"
#include "hybrid-helper.h"
#include "model/base/count-noun.h"
#include "model/control/rotor/rotor-dispatcher.h"
#include "model/parallel/process-group.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/rdma-network.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
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

int64_t
InterconnectHelper::AssignStreams(const NetDeviceContainer& devices, int64_t stream)
{
    int64_t next = stream;
    std::set<Ptr<Channel>> assigned;
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        const auto network = DynamicCast<RdmaNetwork>((*device)->GetChannel());
        if (network && assigned.insert(network).second)
        {
            next += network->AssignStreams(next);
        }
        const auto channel = DynamicCast<FabricChannel>((*device)->GetChannel());
        if (!channel || !assigned.insert(channel).second)
        {
            continue;
        }
        next += channel->AssignStreams(next);
        if (const auto dispatcher = channel->GetObject<RotorDispatcher>())
        {
            next += dispatcher->AssignStreams(next);
        }
    }
    return next - stream;
}

std::string
InterconnectHelper::CheckCut(uint32_t nNodes) const
{
    return "The simulation of this interconnect cannot be divided among processes: what its parts "
           "do to each other takes no time, so run it in one process";
}

void
InterconnectHelper::Cut(const NodeContainer& nodes) const
{
    const uint32_t processes = ProcessGroup::GetSize();
    if (processes == 1)
    {
        return;
    }
    const std::string refusal = CheckCut(nodes.GetN());
    if (!refusal.empty())
    {
        throw std::invalid_argument(refusal);
    }
    const uint32_t units = (nodes.GetN() + GetCutUnit() - 1) / GetCutUnit();
    if (units < processes)
    {
        throw std::invalid_argument(std::to_string(processes) + " processes cannot share " +
                                    CountNoun(units, GetCutUnit() > 1 ? "server" : "GPU") +
                                    ": each needs one at least, so start fewer processes");
    }
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        nodes.Get(i)->SetAttribute(
            "SystemId",
            UintegerValue(ProcessGroup::GetProcess(i / GetCutUnit(), units)));
    }
}

void
InterconnectHelper::RequireValid(uint32_t nNodes) const
{
    const std::string refusal = Check(nNodes);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

} // namespace lightpath
} // namespace ns3
