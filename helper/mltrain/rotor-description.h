/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_DESCRIPTION_H
#define ROTOR_DESCRIPTION_H

#include "fabric-description.h"

#include "ns3/bill-of-materials.h"
#include "ns3/periodic-schedule.h"
#include "ns3/planning-problem.h"
#include "ns3/rotor-helper.h"

#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Describes a fabric whose circuits follow a periodic schedule.
 */
class RotorDescription : public DescriptionOf<RotorHelper>
{
  public:
    using DescriptionOf::DescriptionOf;

    FabricLimits GetLimits(uint32_t nNodes) const override;

    /**
     * @param nNodes the number of nodes
     * @return a card for each uplink, and the ports of the switches, at the price of other circuit
     *         switches; std::invalid_argument for Sirius, whose parts have no known price
     */
    BillOfMaterials GetBill(uint32_t nNodes) const override;

  private:
    /**
     * Tell a planner the rates of pairs that wait for their own slots.
     *
     * @param schedule the schedule
     * @param rate the mean rate of a pair, bit/s
     * @param [in,out] limits the limits
     */
    static void SetPairs(std::shared_ptr<const PeriodicSchedule> schedule,
                         double rate,
                         FabricLimits& limits);

    /**
     * Let a planner follow messages.
     *
     * @param clock when there is light
     * @param [in,out] limits the limits
     */
    void SetCarrier(const RotorClock& clock, FabricLimits& limits) const;

    /**
     * @param schedule a schedule whose uplinks turn one after the other
     * @return the mean number of hops between two nodes over the circuits of its first slice
     */
    static double GetMeanHops(const PeriodicSchedule& schedule);
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_DESCRIPTION_H */
