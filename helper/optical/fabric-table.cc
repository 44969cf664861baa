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
#include "link-graph-helper.h"
#include "mixnet-helper.h"
#include "oddl-helper.h"
#include "opt-inc-helper.h"
#include "photonic-rails-helper.h"
#include "rotor-helper.h"
#include "sip-ocs-helper.h"
#include "sip-ring-helper.h"
#include "topo-opt-helper.h"
#include "torus-helper.h"

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
 * @return the entry of this interconnect
 */
template <typename Helper>
FabricEntry
MakeEntry(const std::string& name)
{
    return {name,
            std::is_base_of_v<FabricHelper, Helper>,
            []() -> std::unique_ptr<InterconnectHelper> { return std::make_unique<Helper>(); }};
}

/**
 * @tparam kind a kind of network of links
 * @param name its name
 * @return the entry of this interconnect
 */
template <LinkGraphHelper::Kind kind>
FabricEntry
MakeGraphEntry(const std::string& name)
{
    return {name, true, []() -> std::unique_ptr<InterconnectHelper> {
                return std::make_unique<LinkGraphHelper>(kind);
            }};
}

/**
 * @tparam kind a kind of fabric with a periodic schedule
 * @param name its name
 * @return the entry of this interconnect
 */
template <RotorHelper::Kind kind>
FabricEntry
MakeRotorEntry(const std::string& name)
{
    return {name, true, []() -> std::unique_ptr<InterconnectHelper> {
                return std::make_unique<RotorHelper>(kind);
            }};
}

} // namespace

const std::vector<FabricEntry>&
GetFabricTable()
{
    static const std::vector<FabricEntry> table = {
        MakeEntry<ClusterHelper>("cluster"),
        MakeGraphEntry<LinkGraphHelper::DRAGONFLY>("dragonfly"),
        MakeEntry<ElectricalSwitchHelper>("electrical"),
        MakeEntry<FatTreeHelper>("fat-tree"),
        MakeGraphEntry<LinkGraphHelper::FAT_TREE>("fat-tree-flows"),
        MakeEntry<LeafSpineHelper>("leaf-spine"),
        MakeGraphEntry<LinkGraphHelper::LEAF_SPINE>("leaf-spine-flows"),
        MakeGraphEntry<LinkGraphHelper::CUSTOM>("link-graph"),
        MakeEntry<MixNetHelper>("mixnet"),
        MakeEntry<OddlHelper>("oddl"),
        MakeRotorEntry<RotorHelper::OPERA>("opera"),
        MakeEntry<OptIncHelper>("optinc"),
        MakeEntry<PhotonicRailsHelper>("photonic-rails"),
        MakeGraphEntry<LinkGraphHelper::RAIL_ONLY>("rail-only"),
        MakeGraphEntry<LinkGraphHelper::RAIL_OPTIMISED>("rail-optimised"),
        MakeRotorEntry<RotorHelper::ROTORNET>("rotornet"),
        MakeEntry<SipOcsHelper>("sip-ocs"),
        MakeEntry<SipRingHelper>("sip-ring"),
        MakeRotorEntry<RotorHelper::SIRIUS>("sirius"),
        MakeEntry<TopoOptHelper>("topoopt"),
        MakeEntry<TorusHelper>("torus"),
    };
    return table;
}

} // namespace lightpath
} // namespace ns3
