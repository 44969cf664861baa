/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AVERAGER_DESCRIPTION_H
#define AVERAGER_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/bill-of-materials.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/planning-problem.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes an optical network that averages gradients (OptINC).
 */
class AveragerDescription : public DescriptionOf<OptIncHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of servers
     * @return the components of the network; those of the constructive network for the averager
     *         "exact", which is ideal
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;
};

} // namespace lightpath
} // namespace ns3

#endif /* AVERAGER_DESCRIPTION_H */
