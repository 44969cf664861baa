/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_GRAPH_DESCRIPTION_H
#define LINK_GRAPH_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/bill-of-materials.h"
#include "ns3/link-graph-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/topo-opt-helper.h"
#include "ns3/torus-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes a network of links.
 */
class LinkGraphDescription : public DescriptionOf<LinkGraphHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;

    /**
     * @param graph a network
     * @return its switches, with optics in all ports, and a network card at each link of a port
     */
    static BillOfMaterials GetBill(const LinkGraph& graph);

    /**
     * @param fabric the helper of a network of links
     * @param graph a network
     * @return its links and routes, as planners know them; routes that adapt to loads count as all
     *         of the shortest
     */
    static LinkLimits GetLinks(const LinkGraphHelper& fabric, const LinkGraph& graph);

  protected:
    /**
     * @param nNodes the number of nodes
     * @return the limits of a network of links between nodes
     */
    FabricLimits GetDirectLimits(uint32_t nNodes) const;

  private:
    /**
     * @param nNodes the number of nodes
     * @param [in,out] limits the limits, which get the rates of leaves
     */
    void ConfigureLeaves(uint32_t nNodes, FabricLimits& limits) const;
};

/**
 * @ingroup lightpath
 * @brief Describes a torus.
 */
class TorusDescription : public DescriptionOf<TorusHelper, LinkGraphDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes
     * @return the electrical links inside cubes; a transceiver for each link that leaves a cube,
     *         and a port of a circuit switch for each of these
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

/**
 * @ingroup lightpath
 * @brief Describes a network of links that is made for each job (TopoOpt).
 */
class TopoOptDescription : public DescriptionOf<TopoOptHelper, LinkGraphDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes
     * @return a card for each link of a node, and a port of the panel or of the switch
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;

    ApplicationContainer InstallJob(const TrainingHelper& training,
                                    TrainingPlan plan,
                                    const NetDeviceContainer& devices) const override;

    /**
     * @param plan a plan, placed
     * @return the network for its job: the one that was chosen for it or, if none of these links
     *         was, the one with the lowest price for how its groups sum
     */
    LinkGraph GetGraphFor(const TrainingPlan& plan) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_GRAPH_DESCRIPTION_H */
