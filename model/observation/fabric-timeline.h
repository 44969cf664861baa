/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TIMELINE_H
#define FABRIC_TIMELINE_H

#include "timeline-settings.h"
#include "timeline-tracks.h"

#include "ns3/circuit-plan.h"
#include "ns3/fabric-channel.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CircuitController;
class OpticalChannel;
class TrafficMatrix;
struct CircuitAllocation;
struct CircuitSchedule;

/**
 * @ingroup lightpath
 * @brief Puts the lightpaths of a fabric, what they carry, and how they are switched on a timeline.
 *
 * The fabric is a process. It has a track for the darkness of circuits that are switched, with
 * decisions of the controller, faults and links that go up or down; a track for each lightpath with
 * the frames on it; and counters of the rate of each lightpath and of the lanes in use.
 */
class FabricTimeline
{
  public:
    /**
     * Connect to the trace sources of a fabric, of its devices and of its controller.
     *
     * @param tracks takes the timeline, and outlives the simulation
     * @param channel the fabric
     * @param name the name of the fabric
     * @param nodes the nodes whose lightpaths are shown
     * @param settings the details that are shown
     */
    FabricTimeline(TimelineTracks& tracks,
                   Ptr<FabricChannel> channel,
                   const std::string& name,
                   const std::set<uint32_t>& nodes,
                   const TimelineSettings& settings);

    ~FabricTimeline();

    FabricTimeline(const FabricTimeline&) = delete;
    FabricTimeline& operator=(const FabricTimeline&) = delete;

  private:
    class Port;

    /**
     * Connect to the trace sources of circuits and of their controller.
     *
     * @param channel the circuits
     */
    void ConnectCircuits(const Ptr<OpticalChannel>& channel);

    /**
     * Note the beginning of darkness.
     *
     * @param plan the plan that is switched to
     */
    void NoteDark(const CircuitPlan& plan);

    /**
     * Note the end of darkness.
     *
     * @param plan the plan that has light
     */
    void NoteLight(const CircuitPlan& plan);

    /**
     * Note a fault or a repair.
     *
     * @param component the component
     * @param failed whether it has failed
     */
    void NoteFault(const std::string& component, bool failed);

    /**
     * Note links that go up or down.
     *
     * @param ports their ports
     */
    void NoteLinks(const std::vector<uint32_t>& ports);

    /**
     * Note a decision of the allocator.
     *
     * @param demand the demand
     * @param allocation the circuits
     */
    void NoteDecision(const TrafficMatrix& demand, const CircuitAllocation& allocation);

    /**
     * Note a decision of the scheduler.
     *
     * @param demand the demand
     * @param schedule the sequence of circuits
     */
    void NoteSchedule(const TrafficMatrix& demand, const CircuitSchedule& schedule);

    /// Note how many lanes carry light.
    void CountLanes();

    TimelineTracks& m_tracks;                   //!< Takes the timeline
    Ptr<FabricChannel> m_channel;               //!< The fabric
    OpticalChannel* m_circuits{nullptr};        //!< The fabric, if it has circuits
    uint32_t m_process;                         //!< Its process
    uint32_t m_events;                          //!< Track of darkness, decisions and faults
    uint32_t m_lanes{0};                        //!< Counter of the lanes in use
    bool m_counts;                              //!< Counters are shown
    std::vector<std::unique_ptr<Port>> m_ports; //!< The ports that are shown
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_TIMELINE_H */
