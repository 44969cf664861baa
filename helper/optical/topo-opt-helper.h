/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPO_OPT_HELPER_H
#define TOPO_OPT_HELPER_H

#include "link-graph-helper.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs TopoOpt: links between nodes alone, set once for a job, and nodes that forward
 * (Wang et al., "TopoOpt", NSDI 2023).
 *
 * A node has d links, each with the d-th part of its rate. They are set for the plan of a job:
 * rings of all nodes, rings along which groups of ranks sum, links between pairs that send other
 * messages, or some of each (TopologyFinder), whichever has the lowest price. Planners alternate
 * between plans and networks. Without a job, or between
 * servers, all nodes are on the d rings of one group.
 *
 * A patch panel sets the links before the job begins; an optical switch at its beginning, with a
 * delay (SetSwitchingDelay()).
 */
class TopoOptHelper : public LinkGraphHelper
{
  public:
    TopoOptHelper();

    /**
     * @param degree the links d of a node; 4 at first
     */
    void SetDegree(uint32_t degree);

    /**
     * @return the links d of a node
     */
    uint32_t GetDegree() const;

    /**
     * @param delay the time from the beginning of a job during which its links are dark; 0 at
     *        first, for a patch panel
     */
    void SetSwitchingDelay(Time delay);

    /**
     * @param nNodes the number of nodes
     * @return the network without a job
     */
    LinkGraph GetGraph(uint32_t nNodes) const override;

    std::string Check(uint32_t nNodes) const override;
    std::string CheckComponent(const std::string& component, uint32_t nNodes) const override;

    /**
     * @return the rate of a link
     */
    DataRate GetLinkRate() const;

    /**
     * @return the darkness at the beginning of a job
     */
    Time GetSwitchingDelay() const
    {
        return m_switchingDelay;
    }

  private:
    uint32_t m_degree{4};  //!< Links of a node
    Time m_switchingDelay; //!< Darkness at the beginning of a job
};

} // namespace lightpath
} // namespace ns3

#endif /* TOPO_OPT_HELPER_H */
