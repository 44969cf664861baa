/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_SETTINGS_H
#define CHAKRA_SETTINGS_H

#include "ns3/accelerator.h"
#include "ns3/collective-schedule.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How Chakra traces are to be understood.
 */
struct ChakraSettings
{
    /// Times of computation that is given by its size, and of accesses to memory; without one, only
    /// recorded times are known
    std::optional<Accelerator> accelerator;

    bool isComputed{false}; //!< Compute such times also where others were recorded
    std::map<std::string, std::vector<uint32_t>> groups; //!< Groups of ranks that traces name
    std::vector<uint32_t> dimensions; //!< Sizes of the dimensions of ranks, the innermost first
    CollectiveAlgorithm algorithm{
        CollectiveAlgorithm::AUTOMATIC}; //!< Of all-reduce, reduce-scatter and all-gather
};

} // namespace lightpath
} // namespace ns3

#endif /* CHAKRA_SETTINGS_H */
