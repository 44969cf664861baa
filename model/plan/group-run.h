/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_RUN_H
#define GROUP_RUN_H

#include "strategy.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Groups of ranks of a stage whose members do the same, in a plan whose ranks are numbered
 * as by ReplicaLayout.
 */
struct GroupRun
{
    uint32_t stride; //!< Ranks from one member to the next
    uint32_t size;   //!< Members

    /**
     * @param strategy the degrees of parallelism
     * @param kind a kind of groups whose members do the same
     * @return the groups of this kind
     */
    static GroupRun Get(const Strategy& strategy, uint32_t kind);

    /**
     * @param kind a kind of group
     * @return whether all members of a group of this kind do the same
     */
    static bool IsSymmetric(uint32_t kind);

    /**
     * @param strategy the degrees of parallelism
     * @param kind a kind of group
     * @return whether groups of this kind have ranks of two stages, as many from either end of the
     *         pipeline, which have the same parts of the layers and do the same
     */
    static bool IsMirrored(const Strategy& strategy, std::size_t kind);
};

} // namespace lightpath
} // namespace ns3

#endif /* GROUP_RUN_H */
