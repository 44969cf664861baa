/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMULATOR_AGENDA_H
#define SIMULATOR_AGENDA_H

#include "agenda.h"

#include "ns3/simulator.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The agenda of the simulation: the events of ns-3. All objects are alike.
 */
class SimulatorAgenda : public Agenda
{
  public:
    /**
     * @return one that all can share
     */
    static SimulatorAgenda& Get()
    {
        static SimulatorAgenda agenda;
        return agenda;
    }

    int64_t Now() const override
    {
        return Simulator::Now().GetTimeStep();
    }

    void Add(int64_t tick, const Ptr<EventImpl>& event, uint32_t node = SAME_NODE) override
    {
        const Time delay = TimeStep(tick) - Simulator::Now();
        if (node == SAME_NODE)
        {
            Simulator::Schedule(delay, event);
            return;
        }
        // The simulator gives this reference up after the event
        event->Ref();
        Simulator::ScheduleWithContext(node, delay, PeekPointer(event));
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* SIMULATOR_AGENDA_H */
