/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_DESCRIPTION_H
#define SWITCH_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/bill-of-materials.h"
#include "ns3/cluster-helper.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/leaf-spine-helper.h"
#include "ns3/planning-problem.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes an ideal electrical switch.
 */
class CrossbarDescription : public DescriptionOf<ElectricalSwitchHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes
     * @return the components of the smallest network of real switches that does not block, either
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

/**
 * @ingroup lightpath
 * @brief Describes a network of packet switches (abstract).
 */
class DatacenterDescription : public DescriptionOf<DatacenterHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    void ConfigureJob(TrainingHelper& training) const override;

  protected:
    /**
     * @param nLinks the links that a message crosses
     * @return the time that it takes besides its own bytes, that of its delay included, s
     */
    double GetLatency(uint32_t nLinks) const;
};

/**
 * @ingroup lightpath
 * @brief Describes leaves and spines.
 */
class LeafSpineDescription : public DescriptionOf<LeafSpineHelper, DatacenterDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

/**
 * @ingroup lightpath
 * @brief Describes a fat tree.
 */
class FatTreeDescription : public DescriptionOf<FatTreeHelper, DatacenterDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

/**
 * @ingroup lightpath
 * @brief Describes leaves and spines whose leaves have whole servers.
 */
class ClusterDescription : public DescriptionOf<ClusterHelper, LeafSpineDescription>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* SWITCH_DESCRIPTION_H */
