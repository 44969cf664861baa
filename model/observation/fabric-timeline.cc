/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-timeline.h"

#include "ns3/circuit-allocator.h"
#include "ns3/circuit-controller.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/lightpath-borrower.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/photonic-channel.h"

#include <optional>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The tracks of the lightpaths from one port.
 */
class FabricTimeline::Port
{
  public:
    /**
     * @param timeline the timeline of the fabric
     * @param device the device at the port
     * @param showsFrames whether frames are shown
     * @param showsRates whether the rates of lightpaths are shown
     */
    Port(FabricTimeline& timeline,
         const Ptr<OpticalNetDevice>& device,
         bool showsFrames,
         bool showsRates)
        : m_timeline(timeline),
          m_port(device->GetPort())
    {
        if (showsFrames)
        {
            m_frame = timeline.m_tracks.GetName("frame");
            m_bytes = timeline.m_tracks.GetName("bytes");
            const LateSinks late;
            device->TraceConnectWithoutContext("FrameBegin",
                                               MakeCallback(&Port::NoteFrameBegin, this));
            device->TraceConnectWithoutContext("FrameEnd", MakeCallback(&Port::NoteFrameEnd, this));
            device->TraceConnectWithoutContext("ComputedFrame",
                                               MakeCallback(&Port::NoteComputed, this));
        }
        if (showsRates)
        {
            // Where lightpaths are lent, their rates stay what they are
            std::optional<LateSinks> late;
            if (DynamicCast<OpticalChannel>(timeline.m_channel))
            {
                late.emplace();
            }
            device->TraceConnectWithoutContext("LightpathRate",
                                               MakeCallback(&Port::NoteRate, this));
        }
    }

    /**
     * Note the rate of a lightpath.
     *
     * @param destination the port that it leads to
     * @param bitRate the rate in bit/s
     */
    void NoteRate(uint32_t destination, uint64_t bitRate)
    {
        auto [entry, isNew] = m_rates.emplace(destination, 0);
        if (isNew)
        {
            entry->second =
                m_timeline.m_tracks.AddCounter(m_timeline.m_process,
                                               "rate of " + GetName(destination) + " (bit/s)");
        }
        m_timeline.m_tracks.SetCounter(entry->second, bitRate);
    }

  private:
    /**
     * @param destination a port
     * @return the name of the lightpath to it
     */
    std::string GetName(uint32_t destination) const
    {
        return std::to_string(m_port) + " to " + std::to_string(destination);
    }

    /**
     * @param destination a port
     * @return the track of frames to it
     */
    uint32_t GetTrack(uint32_t destination)
    {
        auto [entry, isNew] = m_frames.emplace(destination, 0);
        if (isNew)
        {
            entry->second =
                m_timeline.m_tracks.AddThread(m_timeline.m_process, GetName(destination));
        }
        return entry->second;
    }

    /**
     * Note a frame that begins.
     *
     * @param destination the port that it is for
     * @param bytes its size
     */
    void NoteFrameBegin(uint32_t destination, uint64_t bytes)
    {
        m_timeline.m_tracks.Begin(GetTrack(destination),
                                  m_frame,
                                  m_frame,
                                  {{m_bytes, false, bytes}});
    }

    /**
     * Note a frame that has been computed.
     *
     * @param destination the port that it is for
     * @param bytes its size
     * @param begin when it began
     * @param end when it ended; Time::Max() if it has not
     */
    void NoteComputed(uint32_t destination, uint64_t bytes, Time begin, Time end)
    {
        TimelineTracks& tracks = m_timeline.m_tracks;
        const uint32_t track = GetTrack(destination);
        if (end == Time::Max())
        {
            tracks.Begin(track, m_frame, m_frame, {{m_bytes, false, bytes}}, begin);
        }
        else
        {
            tracks.AddSlice(track, begin, end, m_frame, m_frame, {{m_bytes, false, bytes}});
        }
    }

    /**
     * Note a frame that ends.
     *
     * @param destination the port that it is for
     * @param bytes its size
     */
    void NoteFrameEnd(uint32_t destination, uint64_t bytes)
    {
        const auto entry = m_frames.find(destination);
        if (entry != m_frames.end())
        {
            m_timeline.m_tracks.End(entry->second);
        }
    }

    FabricTimeline& m_timeline;                      //!< The timeline of the fabric
    uint32_t m_port;                                 //!< The number of the port
    uint32_t m_frame{0};                             //!< Name and category of frames
    uint32_t m_bytes{0};                             //!< Name of their size
    std::unordered_map<uint32_t, uint32_t> m_frames; //!< Tracks of frames by destination
    std::unordered_map<uint32_t, uint32_t> m_rates;  //!< Counters of rates by destination
};

FabricTimeline::FabricTimeline(TimelineTracks& tracks,
                               Ptr<FabricChannel> channel,
                               const std::string& name,
                               const std::set<uint32_t>& nodes,
                               const TimelineSettings& settings)
    : m_tracks(tracks),
      m_channel(channel),
      m_process(tracks.AddProcess(name)),
      m_events(tracks.AddThread(m_process, "switching and faults")),
      m_counts((settings.details.value_or(0) & TimelineSettings::COUNTERS) != 0)
{
    // Where flows share links, each frame changes rates, so that they belong to the frames
    const bool showsFrames = (settings.details.value_or(0) & TimelineSettings::FRAMES) != 0;
    const bool hasLightpaths = DynamicCast<PhotonicChannel>(channel) != nullptr;
    const bool showsRates = m_counts && (showsFrames || hasLightpaths);
    for (std::size_t port = 0; port < channel->GetNDevices(); ++port)
    {
        const auto device = channel->GetPort(static_cast<uint32_t>(port));
        const bool isShown = nodes.count(device->GetNodeId()) > 0;
        m_ports.push_back(
            std::make_unique<Port>(*this, device, isShown && showsFrames, isShown && showsRates));
    }
    channel->TraceConnectWithoutContext("Fault", MakeCallback(&FabricTimeline::NoteFault, this));
    channel->TraceConnectWithoutContext("LinkChange",
                                        MakeCallback(&FabricTimeline::NoteLinks, this));
    const auto circuits = DynamicCast<OpticalChannel>(channel);
    if (circuits)
    {
        ConnectCircuits(circuits);
    }
}

FabricTimeline::~FabricTimeline() = default;

void
FabricTimeline::ConnectCircuits(const Ptr<OpticalChannel>& channel)
{
    m_circuits = PeekPointer(channel);
    channel->TraceConnectWithoutContext("Dark", MakeCallback(&FabricTimeline::NoteDark, this));
    channel->TraceConnectWithoutContext("Light", MakeCallback(&FabricTimeline::NoteLight, this));
    if (m_counts)
    {
        m_lanes = m_tracks.AddCounter(m_process, "lanes in use");
        CountLanes();
        for (const auto& [pair, lanes] : channel->GetLive().GetLightpaths())
        {
            m_ports.at(pair.first)
                ->NoteRate(pair.second, lanes.size() * channel->GetLaneRate().GetBitRate());
        }
    }
    const auto controller = channel->GetObject<CircuitController>();
    if (controller)
    {
        controller->TraceConnectWithoutContext("Decision",
                                               MakeCallback(&FabricTimeline::NoteDecision, this));
        controller->TraceConnectWithoutContext("Schedule",
                                               MakeCallback(&FabricTimeline::NoteSchedule, this));
    }
}

void
FabricTimeline::CountLanes()
{
    if (m_counts && m_circuits)
    {
        m_tracks.SetCounter(m_lanes, m_circuits->GetLive().GetNLanes());
    }
}

void
FabricTimeline::NoteDark(const CircuitPlan& plan)
{
    // Darkness may be prolonged before it ends
    m_tracks.End(m_events);
    m_tracks.Begin(m_events,
                   m_tracks.GetName("darkness"),
                   m_tracks.GetName("circuits"),
                   {{m_tracks.GetName("lightpaths"), false, plan.GetLightpaths().size()}});
    CountLanes();
}

void
FabricTimeline::NoteLight(const CircuitPlan& plan)
{
    m_tracks.End(m_events);
    CountLanes();
}

void
FabricTimeline::NoteFault(const std::string& component, bool failed)
{
    m_tracks.AddInstant(m_events,
                        m_tracks.GetName(component + (failed ? " fails" : " works again")),
                        m_tracks.GetName("fault"));
    CountLanes();
}

void
FabricTimeline::NoteLinks(const std::vector<uint32_t>& ports)
{
    for (const uint32_t port : ports)
    {
        const std::string state = m_channel->IsLinkUp(port) ? " up" : " down";
        m_tracks.AddInstant(m_events,
                            m_tracks.GetName("link of port " + std::to_string(port) + state),
                            m_tracks.GetName("link"));
    }
}

void
FabricTimeline::NoteDecision(const TrafficMatrix& demand, const CircuitAllocation& allocation)
{
    m_tracks.AddInstant(
        m_events,
        m_tracks.GetName("decision"),
        m_tracks.GetName("circuits"),
        {{m_tracks.GetName("bytes"), false, demand.GetTotal()},
         {m_tracks.GetName("lightpaths"), false, allocation.plan.GetLightpaths().size()},
         {m_tracks.GetName("lanes"), false, allocation.plan.GetNLanes()},
         {m_tracks.GetName("unserved pairs"), false, allocation.unserved.size()}});
}

void
FabricTimeline::NoteSchedule(const TrafficMatrix& demand, const CircuitSchedule& schedule)
{
    m_tracks.AddInstant(m_events,
                        m_tracks.GetName("schedule"),
                        m_tracks.GetName("circuits"),
                        {{m_tracks.GetName("bytes"), false, demand.GetTotal()},
                         {m_tracks.GetName("slots"), false, schedule.slots.size()}});
}

} // namespace lightpath
} // namespace ns3
