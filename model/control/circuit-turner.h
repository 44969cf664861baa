/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_TURNER_H
#define CIRCUIT_TURNER_H

#include "model/control/turns/carried-circuits.h"

#include "ns3/circuit-plan.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/event-id.h"
#include "ns3/object.h"

#include <memory>

namespace ns3
{
namespace lightpath
{

class CircuitController;

/**
 * @ingroup lightpath
 * @brief Switches the circuits of a fabric of circuit switches as messages take turns on them.
 *
 * All changes of an instant are made together. The object is aggregated to a controller whose
 * Trigger is Operation, and jobs that share the fabric share it.
 */
class CircuitTurner : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Get the turner of a controller, which sets the PauseMode of the channel to Lane. A fabric
     * without circuit switches, or with duplex ones, ends the program with one sentence.
     *
     * @param controller a controller
     * @return its turner
     */
    static Ptr<CircuitTurner> Get(Ptr<CircuitController> controller);

    /**
     * @return the turns; call NotifyChange() after each change of them
     */
    CircuitTurns& GetTurns()
    {
        return *m_turns;
    }

    /**
     * @return the fabric
     */
    Ptr<CircuitSwitchChannel> GetChannel() const
    {
        return m_channel;
    }

    /// Switch circuits after all that happens at this instant.
    void NotifyChange();

  protected:
    void DoDispose() override;

  private:
    /**
     * @param channel the fabric
     */
    void SetChannel(Ptr<CircuitSwitchChannel> channel);

    /**
     * Note which ports work.
     *
     * @param geometry the switches
     */
    void NotifyGeometry(const CircuitSwitchGeometry& geometry);

    /// Carry the circuits.
    void Apply();

    Ptr<CircuitSwitchChannel> m_channel;        //!< The fabric
    std::unique_ptr<CircuitTurns> m_turns;      //!< The turns
    CircuitPlan m_plan;                         //!< The circuits
    std::unique_ptr<CarriedCircuits> m_carried; //!< Those that planes carry
    EventId m_apply;                            //!< The switching at this instant
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_TURNER_H */
