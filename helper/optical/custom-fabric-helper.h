/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CUSTOM_FABRIC_HELPER_H
#define CUSTOM_FABRIC_HELPER_H

#include "circuit-fabric-helper.h"

#include <functional>
#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a custom fabric of circuits, given its channel and a function that decides on its
 * circuits.
 *
 * For a fabric with further settings, derive a helper from CircuitFabricHelper, like SipRingHelper.
 */
class CustomFabricHelper : public CircuitFabricHelper
{
  public:
    /// Makes a plan for a demand with one row for each port of the fabric.
    using Decision = std::function<CircuitPlan(const TrafficMatrix&)>;

    /**
     * @param channelType the name of the type of the channel, a child class of OpticalChannel
     * @param bandwidth the rate of each node into the fabric
     * @param decision chooses the lightpaths for a demand; a plan that the channel rejects ends the
     *        program with its message
     */
    CustomFabricHelper(const std::string& channelType, DataRate bandwidth, Decision decision);

    /**
     * Enable schedulers (SetScheduler()).
     *
     * @param planes the sets of circuits that the fabric can carry at once
     */
    void SetPlanes(std::shared_ptr<const CircuitPlanes> planes);
    uint32_t GetDegree() const override;
    uint32_t GetNCircuits() const override;

  private:
    void ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const override;
    void Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const override;
    std::string PrepareScheduler(Ptr<CircuitScheduler> scheduler, uint32_t nNodes) const override;

    Decision m_decision;                           //!< Chooses the lightpaths for a demand
    std::shared_ptr<const CircuitPlanes> m_planes; //!< The fabric as schedulers see it, or null
};

} // namespace lightpath
} // namespace ns3

#endif /* CUSTOM_FABRIC_HELPER_H */
