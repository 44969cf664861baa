/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_DESCRIPTION_H
#define GRID_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/bill-of-materials.h"
#include "ns3/oddl-helper.h"
#include "ns3/planning-problem.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes a grid of wavelength-selective switches (ODDL).
 */
class GridDescription : public DescriptionOf<OddlHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;
    BillOfMaterials GetBill(uint32_t nNodes) const override;

  private:
    /**
     * @param rows the number of rows
     * @param columns the number of columns
     * @param nNodes the number of nodes
     * @return such a grid, as planners know it
     */
    GridLimits GetGridLimits(uint32_t rows, uint32_t columns, uint32_t nNodes) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_DESCRIPTION_H */
