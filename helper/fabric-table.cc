/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-table.h"

#include "cluster-helper.h"
#include "electrical-switch-helper.h"
#include "fat-tree-helper.h"
#include "leaf-spine-helper.h"
#include "oddl-helper.h"
#include "opt-inc-helper.h"
#include "sip-ocs-helper.h"
#include "sip-ring-helper.h"

#include <type_traits>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @tparam Helper a kind of helper
 * @param name the name of the interconnect that it installs
 * @param summary the interconnect in one line
 * @return the entry of this interconnect
 */
template <typename Helper>
FabricEntry
MakeEntry(const std::string& name, const std::string& summary)
{
    return {name,
            summary,
            std::is_base_of_v<FabricHelper, Helper>,
            []() -> std::unique_ptr<InterconnectHelper> { return std::make_unique<Helper>(); }};
}

} // namespace

const std::vector<FabricEntry>&
GetFabricTable()
{
    static const std::vector<FabricEntry> table = {
        MakeEntry<ClusterHelper>("cluster", "servers with a network card per GPU, on a leaf-spine"),
        MakeEntry<ElectricalSwitchHelper>("electrical", "an ideal electrical switch: the baseline"),
        MakeEntry<FatTreeHelper>("fat-tree", "electrical packet switches in a fat tree"),
        MakeEntry<LeafSpineHelper>("leaf-spine", "electrical packet switches in two levels"),
        MakeEntry<OddlHelper>("oddl", "a grid of wavelength-selective switches (ODDL)"),
        MakeEntry<OptIncHelper>("optinc", "an optical network that averages gradients (OptINC)"),
        MakeEntry<SipOcsHelper>("sip-ocs", "parallel optical circuit switches (SiP-OCS)"),
        MakeEntry<SipRingHelper>("sip-ring", "a ring of micro-ring resonators (SiP-Ring)"),
    };
    return table;
}

} // namespace lightpath
} // namespace ns3
