/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_CHOOSER_H
#define LINK_CHOOSER_H

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses the network of a plan, where the network is made for a plan
 * (FabricLimits::linksFor).
 *
 * It prices the plan on each network that can be made for it, and takes the one with the lowest
 * price, the first of several. Once the time to plan is up, it prices no further ones.
 */
class LinkChooser
{
  public:
    /**
     * @param fabric the fabric
     * @param [in,out] plan the plan, placed, which gets the split of the links
     * @param choosesSums whether to choose for each network how groups sum (GridCollectives)
     * @return the links of the network
     */
    static LinkLimits Choose(const FabricLimits& fabric,
                             TrainingPlan& plan,
                             bool choosesSums = true);
};

} // namespace lightpath
} // namespace ns3

#endif /* LINK_CHOOSER_H */
