/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CONTROLLER_FIXTURE_H
#define LIGHTPATH_CONTROLLER_FIXTURE_H

#include "fabric-fixture.h"
#include "model/control/switches/circuit-switch-max-min-allocator.h"

#include "ns3/boolean.h"
#include "ns3/circuit-allocator.h"
#include "ns3/circuit-controller.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <memory>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Gives plans in turn, whatever the demand.
 */
class PlansInTurn : public ns3::lightpath::CircuitAllocator
{
  public:
    /**
     * @param ports the number of ports
     * @param plans the plans
     */
    PlansInTurn(uint32_t ports, std::vector<ns3::lightpath::CircuitPlan> plans)
        : m_ports(ports),
          m_plans(std::move(plans))
    {
    }

    uint32_t GetNPorts() const override
    {
        return m_ports;
    }

    mutable uint32_t calls{0}; //!< How many plans have been given

  private:
    ns3::lightpath::CircuitAllocation DoAllocate(
        const ns3::lightpath::TrafficMatrix& demand) const override
    {
        ns3::lightpath::CircuitAllocation allocation;
        allocation.plan = m_plans[calls++ % m_plans.size()];
        return allocation;
    }

    uint32_t m_ports;                                 //!< Number of ports
    std::vector<ns3::lightpath::CircuitPlan> m_plans; //!< The plans
};

/**
 * @ingroup lightpath-tests
 * @brief Gives one schedule, whatever the demand.
 */
class OneSchedule : public ns3::lightpath::CircuitScheduler
{
  public:
    /**
     * @param slots the slots
     * @param cyclic whether they are repeated
     */
    OneSchedule(std::vector<ns3::lightpath::ScheduleSlot> slots, bool cyclic)
        : m_slots(std::move(slots)),
          m_cyclic(cyclic)
    {
    }

    mutable uint32_t calls{0}; //!< How many times the schedule has been given

  private:
    ns3::lightpath::CircuitSchedule DoSchedule(
        const ns3::lightpath::TrafficMatrix& demand) const override
    {
        ++calls;
        ns3::lightpath::CircuitSchedule schedule;
        schedule.slots = m_slots;
        schedule.cyclic = m_cyclic;
        return schedule;
    }

    std::vector<ns3::lightpath::ScheduleSlot> m_slots; //!< The slots
    bool m_cyclic;                                     //!< They are repeated
};

/**
 * @ingroup lightpath-tests
 * @brief A controller of circuit switches: one byte takes 1 ns on one circuit, light takes no time,
 * and the allocator leaves no circuit to more pairs than ask for one.
 */
class ControllerFixture
{
  public:
    /**
     * @param ports the number of devices
     * @param switches the number of switches
     * @param delay the switching delay
     * @param duplex whether a circuit comes with the one back
     */
    ControllerFixture(uint32_t ports, uint32_t switches, ns3::Time delay, bool duplex = false)
        : channel(MakeChannel(switches, delay, duplex)),
          fabric(channel, ports),
          controller(ns3::CreateObject<ns3::lightpath::CircuitController>())
    {
        const auto allocator = ns3::CreateObject<ns3::lightpath::CircuitSwitchMaxMinAllocator>();
        allocator->SetGeometry(channel->GetGeometry());
        channel->TraceConnectWithoutContext(
            "Geometry",
            ns3::MakeCallback(&ns3::lightpath::CircuitSwitchAllocator::SetGeometry,
                              ns3::Ptr<ns3::lightpath::CircuitSwitchAllocator>(allocator)));
        controller->SetChannel(channel);
        controller->SetAllocator(allocator);
        for (auto* times : {&dark, &light})
        {
            channel->TraceConnectWithoutContext(
                times == &dark ? "Dark" : "Light",
                ns3::Callback<void, const ns3::lightpath::CircuitPlan&>(
                    [times](const ns3::lightpath::CircuitPlan&) {
                        times->push_back(ns3::Simulator::Now());
                    }));
        }
        controller->TraceConnectWithoutContext(
            "Decision",
            ns3::Callback<void,
                          const ns3::lightpath::TrafficMatrix&,
                          const ns3::lightpath::CircuitAllocation&>(
                [this](const ns3::lightpath::TrafficMatrix& demand,
                       const ns3::lightpath::CircuitAllocation&) {
                    decided.push_back(ns3::Simulator::Now());
                    demands.push_back(demand);
                }));
    }

    /**
     * @param ports the number of devices
     * @param stride the distance from a device to the one that it sends to
     * @param switches the switches that carry the circuits
     * @return circuits from each device to the one at this distance
     */
    static ns3::lightpath::CircuitPlan GetShift(uint32_t ports,
                                                uint32_t stride,
                                                const std::vector<uint32_t>& switches)
    {
        ns3::lightpath::CircuitPlan plan;
        for (uint32_t port = 0; port < ports; ++port)
        {
            for (const uint32_t circuitSwitch : switches)
            {
                plan.AddLane(port, (port + stride) % ports, {circuitSwitch, 0});
            }
        }
        return plan;
    }

    /**
     * @param ports the number of devices
     * @param strides the distances from a device to those that it sends to
     * @param bytes the bytes for each of them
     * @return the demand
     */
    static ns3::lightpath::TrafficMatrix GetDemand(uint32_t ports,
                                                   const std::vector<uint32_t>& strides,
                                                   uint64_t bytes)
    {
        ns3::lightpath::TrafficMatrix demand(ports);
        for (uint32_t port = 0; port < ports; ++port)
        {
            for (const uint32_t stride : strides)
            {
                demand.Add(port, (port + stride) % ports, bytes);
            }
        }
        return demand;
    }

    /**
     * Send frames for a demand now.
     *
     * @param demand the demand, in multiples of the size
     * @param size the size of a frame
     */
    void Send(const ns3::lightpath::TrafficMatrix& demand, uint32_t size)
    {
        for (uint32_t source = 0; source < demand.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                fabric.sources[source]->Send(destination, size, bytes / size);
            }
        }
    }

    /**
     * @return the number of frames that have been received
     */
    std::size_t GetNReceived() const
    {
        std::size_t frames = 0;
        for (const auto& times : fabric.received)
        {
            frames += times.size();
        }
        return frames;
    }

    /**
     * @return when the last frame was received
     */
    ns3::Time GetLastReceived() const
    {
        ns3::Time last;
        for (const auto& times : fabric.received)
        {
            last = times.empty() ? last : std::max(last, times.back());
        }
        return last;
    }

    ns3::Ptr<ns3::lightpath::CircuitSwitchChannel> channel; //!< The switches
    FabricFixture fabric;                                   //!< The devices
    ns3::Ptr<ns3::lightpath::CircuitController> controller; //!< The controller
    std::vector<ns3::Time> dark;                            //!< When circuits went dark
    std::vector<ns3::Time> light;                           //!< When they carried light
    std::vector<ns3::Time> decided;                         //!< When decisions had been made
    std::vector<ns3::lightpath::TrafficMatrix> demands;     //!< What they were for

  private:
    /**
     * @param switches the number of switches
     * @param delay the switching delay
     * @param duplex whether a circuit comes with the one back
     * @return the switches
     */
    static ns3::Ptr<ns3::lightpath::CircuitSwitchChannel> MakeChannel(uint32_t switches,
                                                                      ns3::Time delay,
                                                                      bool duplex)
    {
        const auto channel = ns3::CreateObject<ns3::lightpath::CircuitSwitchChannel>();
        channel->SetAttribute("NSwitches", ns3::UintegerValue(switches));
        channel->SetAttribute("Duplex", ns3::BooleanValue(duplex));
        channel->SetAttribute("LaneRate", ns3::StringValue("8Gbps"));
        channel->SetAttribute("FibreLength", ns3::DoubleValue(0));
        channel->SetAttribute("SwitchingDelay", ns3::TimeValue(delay));
        return channel;
    }
};

#endif /* LIGHTPATH_CONTROLLER_FIXTURE_H */
