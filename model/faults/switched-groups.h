/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHED_GROUPS_H
#define SWITCHED_GROUPS_H

#include "scale-up-domain.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Groups of consecutive nodes, each around a switch that joins any of its nodes. A job is
 * within a group, of which the last one may be smaller.
 */
class SwitchedGroups : public ScaleUpDomain
{
  public:
    static constexpr uint32_t ALL = UINT32_MAX; //!< One group of all nodes
    static constexpr uint32_t JOB = 0;          //!< Groups of as many nodes as a job needs

    /**
     * @param groupNodes nodes of a group, ALL or JOB
     */
    explicit SwitchedGroups(uint32_t groupNodes);

    uint32_t CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const override;
    JobDistribution GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const override;

  private:
    uint32_t m_groupNodes; //!< Nodes of a group, ALL or JOB
};

} // namespace lightpath
} // namespace ns3

#endif /* SWITCHED_GROUPS_H */
