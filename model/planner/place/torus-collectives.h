/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TORUS_COLLECTIVES_H
#define TORUS_COLLECTIVES_H

#include "ns3/planning-problem.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds the axes along which a group sums in a network where neighbours have links.
 */
class TorusCollectives
{
  public:
    /**
     * @param links the network
     * @param ports the ports of the members of a group, in the order of their positions
     * @return axes of which each two successive ranks have a link of their own, as many of the
     *         first ranks as possible on the first one; no places but one if there are none
     */
    static RankAxes Find(const LinkLimits& links, const std::vector<uint32_t>& ports);
};

} // namespace lightpath
} // namespace ns3

#endif /* TORUS_COLLECTIVES_H */
