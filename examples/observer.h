/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OBSERVER_H
#define LIGHTPATH_OBSERVER_H

#include "ns3/fabric-helper.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"

#include <cstdint>
#include <list>
#include <nlohmann/json.hpp>
#include <string>

/**
 * @ingroup lightpath
 * @brief Has all that ns-3 observes of net devices written to files, and counts by trace sources
 * what these files must hold.
 */
class Observer
{
  public:
    /**
     * @param prefix what the names of the files begin with
     */
    explicit Observer(const std::string& prefix);

    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

    /**
     * Capture the frames of devices, and write ascii traces.
     *
     * @param fabric what installed the devices
     * @param devices the devices
     */
    void Watch(ns3::lightpath::FabricHelper& fabric, const ns3::NetDeviceContainer& devices);

    /**
     * Capture the frames of the point-to-point devices of nodes, and write ascii traces.
     *
     * @param nodes the nodes
     */
    void WatchPointToPoint(const ns3::NodeContainer& nodes);

    /**
     * Watch the flows between nodes, which have addresses and queue discs already.
     *
     * @param nodes the nodes
     */
    void WatchFlows(const ns3::NodeContainer& nodes);

    /**
     * Write what FlowMonitor knows to a file, once the simulation has ended.
     *
     * @return the counts of all devices and flows
     */
    nlohmann::ordered_json Report();

  private:
    /// What the trace sources of one device have reported.
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
     * Count what a device reports.
     *
     * @param device the device
     * @param isPpp whether its frames begin with a header of PPP
     */
    void Count(ns3::Ptr<ns3::NetDevice> device, bool isPpp);

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
     * @return the sums over all flows, with the reasons of what is lost
     */
    nlohmann::ordered_json ReportFlows() const;

    std::string m_prefix;                     //!< What names of files begin with
    std::list<Counts> m_counts;               //!< By device
    ns3::FlowMonitorHelper m_flowHelper;      //!< Installs the monitor
    ns3::Ptr<ns3::FlowMonitor> m_flowMonitor; //!< Watches flows
};

#endif /* LIGHTPATH_OBSERVER_H */
