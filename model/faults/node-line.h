/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_LINE_H
#define NODE_LINE_H

#include "scale-up-domain.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A line of nodes whose transceivers switch light to any of the K next nodes in each
 * direction, as those of InfiniteHBD (Shou et al., SIGCOMM 2025).
 *
 * Up to K - 1 faulty nodes in sequence are skipped; more divide the line. The ends of the line are
 * not joined.
 */
class NodeLine : public ScaleUpDomain
{
  public:
    /**
     * @param reach the distance of the farthest node that a node reaches, K
     */
    explicit NodeLine(uint32_t reach);

    uint32_t CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const override;
    JobDistribution GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const override;

  private:
    uint32_t m_reach; //!< Distance of the farthest node that a node reaches
};

} // namespace lightpath
} // namespace ns3

#endif /* NODE_LINE_H */
