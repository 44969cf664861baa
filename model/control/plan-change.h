/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_CHANGE_H
#define PLAN_CHANGE_H

#include "ns3/callback.h"
#include "ns3/circuit-plan.h"
#include "ns3/event-id.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief Switches a channel to a plan, all circuits at once or fibre by fibre, and reports when all
 * circuits carry light.
 *
 * Fibre by fibre, fibres take over the lanes of the new plan in ascending order, each when the
 * light of the one before is there. A step that changes nothing takes no time. Where the fibres of
 * a fabric are not independent, so that it cannot carry a plan on the way, the step is taken
 * together with the next one. Lanes that a failure breaks on the way are left out.
 */
class PlanChange
{
  public:
    PlanChange() = default;
    ~PlanChange();

    PlanChange(const PlanChange&) = delete;
    PlanChange& operator=(const PlanChange&) = delete;

    /**
     * @param channel the channel, or null
     */
    void SetChannel(Ptr<OpticalChannel> channel);

    /**
     * @param callback called when all circuits carry light
     */
    void SetCallback(Callback<void> callback);

    /**
     * Begin to switch, in place of a change that is under way. The callback is called at once if
     * nothing becomes dark.
     *
     * @param plan the plan
     * @param fibreByFibre whether the circuits of one fibre are switched after those of another;
     *        the first plan of a channel is switched to at once
     */
    void Begin(const CircuitPlan& plan, bool fibreByFibre);

    /**
     * Take no further step; the present one goes on.
     */
    void Stop();

    /**
     * @return how many times the last change has switched circuits
     */
    uint32_t GetNSteps() const;

    /**
     * @return true if no other caller has switched circuits since the last change
     */
    bool Stands() const;

  private:
    /// Take the next steps, until light is waited for.
    void Proceed();

    /**
     * @return the lanes of the target on the fibres that have had their turn, and the present lanes
     *         on all other fibres
     */
    CircuitPlan Mix() const;

    /**
     * Note that circuits carry light.
     *
     * @param plan the circuits
     */
    void NotifyLight(const CircuitPlan& plan);

    Ptr<OpticalChannel> m_channel;  //!< The channel
    Callback<void> m_callback;      //!< Hears that all circuits carry light
    CircuitPlan m_target;           //!< The plan switched to
    std::vector<uint32_t> m_fibres; //!< The fibres that have not had their turn, the first one last
    uint32_t m_nSteps{0};           //!< The times that the last change has switched circuits
    uint32_t m_nReconfigurations{0}; //!< Those of the channel since its beginning, after a step
    bool m_waiting{false};           //!< Light is waited for
    EventId m_light;                 //!< The step after the light
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_CHANGE_H */
