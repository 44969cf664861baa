/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PHASED_CARRIER_H
#define PHASED_CARRIER_H

#include "hybrid-choice.h"
#include "lightpath-queue.h"
#include "plan-circuits.h"

#include "ns3/message-carrier.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages over lightpaths that stay, or change with the phases of a plan, without
 * net devices.
 */
class PhasedCarrier : public MessageCarrier
{
  public:
    /**
     * @param agenda the time
     * @param circuits the lightpaths
     * @param fabric the fabric; all must outlive this object
     * @param rail the fabric between servers; 0 without rails
     * @param arrival called for each message that has come in
     * @param rest called for what goes over the network beside the circuits, if there is one, after
     *        it has waited for a lightpath
     */
    PhasedCarrier(Agenda& agenda,
                  const PlanCircuits& circuits,
                  const FabricLimits& fabric,
                  uint32_t rail,
                  Arrival arrival,
                  HybridChoice::Rest rest);

    /**
     * @return what takes lightpaths
     */
    const HybridChoice& GetChoice() const
    {
        return m_choice;
    }

    /**
     * Set the circuits for the first time.
     *
     * @param setting their first setting
     */
    void Begin(uint32_t setting);

    /**
     * Decide on the circuits, in place of a decision under way, and switch those that change.
     *
     * @param setting their new setting
     */
    void Switch(uint32_t setting);

    void Send(const Message& message, uint64_t tag) override;

  private:
    using Ends = HybridChoice::Ends; //!< The ports at the ends of a lightpath

    /**
     * Give a lightpath the rate that it has now.
     *
     * @param ends its ends
     * @param [in,out] queue its messages
     */
    void Light(const Ends& ends, LightpathQueue& queue) const;

    /**
     * Switch the circuits that change.
     *
     * @param setting their new setting
     */
    void Change(uint32_t setting);

    /**
     * Give all lightpaths the rates that they have now.
     */
    void Light();

    /**
     * Give lightpaths that are set the rates that they have while others are dark, and all theirs
     * afterwards.
     *
     * @param ticks the time until then
     */
    void LightAfter(int64_t ticks);

    Agenda& m_agenda;                        //!< The time
    const PlanCircuits& m_circuits;          //!< The lightpaths
    const FabricLimits& m_fabric;            //!< The fabric
    const uint32_t m_rail;                   //!< The fabric between servers
    const int64_t m_dark;                    //!< Time without light when they are switched, ticks
    const int64_t m_decision;                //!< Time of a decision before, ticks
    const Arrival m_arrival;                 //!< Called for each message that has come in
    HybridChoice m_choice;                   //!< What takes them
    uint32_t m_setting{0};                   //!< The setting of the circuits
    std::vector<uint32_t> m_since;           //!< The last one with light, and all since; empty if
                                             //!< none has had any
    bool m_isLit{false};                     //!< Whether they carry light
    Ptr<EventImpl> m_lighting;               //!< When they do next
    Ptr<EventImpl> m_deciding;               //!< The end of a decision
    std::map<Ends, LightpathQueue> m_queues; //!< The messages on each lightpath
};

} // namespace lightpath
} // namespace ns3

#endif /* PHASED_CARRIER_H */
