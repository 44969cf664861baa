/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_DESCRIPTION_H
#define RDMA_DESCRIPTION_H

#include "link-graph-description.h"

#include "ns3/rdma-helper.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes a network for RDMA over Ethernet: planners know it as one of links at flow
 * level, with the rate that headers leave and the time of a packet in each switch.
 */
class RdmaDescription : public DescriptionOf<RdmaHelper>
{
  public:
    /**
     * @param fabric the helper of the network, which must outlive this object
     */
    explicit RdmaDescription(const RdmaHelper& fabric);

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;
    void ConfigureJob(TrainingHelper& training) const override;

  private:
    LinkGraphDescription m_graph; //!< Its switches and links
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_DESCRIPTION_H */
