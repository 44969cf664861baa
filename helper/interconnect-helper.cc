/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interconnect-helper.h"

#include "cluster-helper.h"
#include "fabric-helper.h"
#include "fat-tree-helper.h"
#include "hybrid-helper.h"
#include "leaf-spine-helper.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::vector<std::string>
InterconnectHelper::GetNames()
{
    auto names = FabricHelper::GetNames();
    names.insert(names.end(), {"cluster", "fat-tree", "leaf-spine"});
    std::sort(names.begin(), names.end());
    return names;
}

std::unique_ptr<InterconnectHelper>
InterconnectHelper::Create(const std::string& name)
{
    const std::size_t plus = name.find('+');
    if (plus != std::string::npos)
    {
        const std::string optical = name.substr(0, plus);
        const std::string electrical = name.substr(plus + 1);
        if (optical == "optinc" || electrical == "optinc" ||
            electrical.find('+') != std::string::npos)
        {
            throw std::invalid_argument("'" + name +
                                        "' is no hybrid fabric: that is a fabric which "
                                        "does not average, a plus, and the electrical network "
                                        "beside it, like sip-ring+fat-tree");
        }
        return std::make_unique<HybridHelper>(FabricHelper::Create(optical), Create(electrical));
    }
    if (name == "cluster")
    {
        return std::make_unique<ClusterHelper>();
    }
    if (name == "fat-tree")
    {
        return std::make_unique<FatTreeHelper>();
    }
    if (name == "leaf-spine")
    {
        return std::make_unique<LeafSpineHelper>();
    }
    const auto names = GetNames();
    if (!std::binary_search(names.begin(), names.end(), name))
    {
        std::string known;
        for (const auto& each : names)
        {
            known += (known.empty() ? "" : ", ") + each;
        }
        throw std::invalid_argument("There is no fabric '" + name + "': the known ones are " +
                                    known);
    }
    return FabricHelper::Create(name);
}

InterconnectHelper::~InterconnectHelper()
{
}

} // namespace lightpath
} // namespace ns3
