/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRACE_COUNTER_H
#define LIGHTPATH_TRACE_COUNTER_H

#include "ns3/flow-monitor.h"
#include "ns3/net-device-container.h"
#include "ns3/packet.h"

#include <cstdint>
#include <list>
#include <nlohmann/json_fwd.hpp>
#include <string>

/**
 * @ingroup lightpath
 * @brief Counts, by trace sources of net devices, the records that their captures and ascii traces
 * must hold.
 */
class TraceCounter
{
  public:
    TraceCounter() = default;
    TraceCounter(const TraceCounter&) = delete;
    TraceCounter& operator=(const TraceCounter&) = delete;

    /**
     * Count the events of devices.
     *
     * @param prefix the beginning of the names of their captures and ascii traces
     * @param devices the devices, of a fabric or of point-to-point links
     */
    void Watch(const std::string& prefix, const ns3::NetDeviceContainer& devices);

    /**
     * @param monitor the monitor of the flows; the simulation has ended
     * @return the counts of all devices and flows
     */
    nlohmann::ordered_json Report(const ns3::FlowMonitor& monitor) const;

  private:
    /// The counts of one device.
    struct Counts
    {
        std::string capture;  //!< Name of the capture
        std::string ascii;    //!< Name of the ascii trace
        bool isPpp{false};    //!< Frames begin with a header of PPP, not of Ethernet
        uint64_t sent{0};     //!< Frames that began to be sent
        uint64_t received{0}; //!< Frames received whole
        uint64_t bytes{0};    //!< Bytes of both
        uint64_t ipv4{0};     //!< Those of both that hold IPv4
        uint64_t tcp{0};      //!< Those that hold TCP
        uint64_t udp{0};      //!< Those that hold UDP
        uint64_t relayed{0};  //!< Frames received to be forwarded
        uint64_t corrupt{0};  //!< Frames received corrupt
        uint64_t taken{0};    //!< Packets for the node
        uint64_t enqueued{0}; //!< Packets that entered the queue
        uint64_t dequeued{0}; //!< Packets that left it
        uint64_t dropped{0};  //!< Packets that the queue dropped
    };

    /**
     * Count a frame that is in the capture.
     *
     * @param counts where
     * @param frames the number of such frames
     * @param frame the frame
     */
    static void CountFrame(Counts* counts, uint64_t* frames, ns3::Ptr<const ns3::Packet> frame);

    /**
     * Count an event that is in the ascii trace.
     *
     * @param events the number of such events
     * @param packet the packet that it is about
     */
    static void CountEvent(uint64_t* events, ns3::Ptr<const ns3::Packet> packet);

    /**
     * @param monitor the monitor of the flows
     * @return the sums over all flows, with the reasons of losses
     */
    nlohmann::ordered_json ReportFlows(const ns3::FlowMonitor& monitor) const;

    std::list<Counts> m_counts; //!< By device
};

#endif /* LIGHTPATH_TRACE_COUNTER_H */
