/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TABLE_H
#define FABRIC_TABLE_H

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class InterconnectHelper;

/**
 * @ingroup lightpath
 * @brief A kind of interconnect that has a name.
 */
struct FabricEntry
{
    /// Makes a helper.
    using Maker = std::unique_ptr<InterconnectHelper> (*)();

    std::string name;     //!< Name that InterconnectHelper::Create() takes
    bool isFabric{false}; //!< Whether its helper is a FabricHelper
    Maker make{nullptr};  //!< Makes its helper
};

/**
 * @ingroup lightpath
 * @brief The one list of the kinds of interconnect, from which all programs take their names.
 *
 * @return the kinds, in ascending order of their names
 */
const std::vector<FabricEntry>& GetFabricTable();

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_TABLE_H */
