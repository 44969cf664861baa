/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UTILISATION_METER_H
#define UTILISATION_METER_H

#include "time-bins.h"

#include "ns3/circuit-plan.h"
#include "ns3/fabric-channel.h"
#include "ns3/link-graph-channel.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Measures how much of the rate of ports, lightpaths and links is in use over time.
 *
 * The meter listens to PhyTxBegin and PhyTxEnd of devices. A frame counts with all its bytes, when
 * it has been sent, evenly over the time from its begin to its end. A frame that a fabric of links
 * (LinkGraphChannel) carries counts on each link of its route in this time.
 *
 * The meter must live until the simulation is destroyed, or longer.
 */
class UtilisationMeter
{
  public:
    /// The kinds of what is measured.
    enum Kind
    {
        PORT_OUT,  //!< A port of a fabric that sends
        PORT_IN,   //!< A port of a fabric that receives
        LIGHTPATH, //!< A pair of ports that circuits join
        LINK,      //!< A link, or a port of a switch that sends on it
    };

    /// One port, lightpath or link.
    struct Track
    {
        Kind kind{PORT_OUT};     //!< Its kind
        uint32_t network{0};     //!< Index of its network
        std::string name;        //!< Its name
        double bitRate{0};       //!< The largest rate that it has had, bit/s; 0 if it is not known
        uint64_t bytes{0};       //!< Bytes that it has carried
        std::size_t row{0};      //!< Its row of GetBins()
        uint32_t source{0};      //!< The port that sends
        uint32_t destination{0}; //!< The port that receives
    };

    /// A fabric, or the point-to-point links together.
    struct Network
    {
        std::string name;            //!< Its name in reports
        Ptr<FabricChannel> channel;  //!< The fabric; null for point-to-point links
        Ptr<LinkGraphChannel> graph; //!< The same if it is a graph of links, or null
        bool hasCircuits{false};     //!< Whether it is a fabric of circuits
        uint32_t firstPort{0};       //!< The track of port 0 as it sends; all ports follow, then
                                     //!< all ports as they receive
        uint32_t firstLink{0};       //!< The track of the first of its links
        std::unordered_map<uint64_t, uint64_t> bytes; //!< Bytes sent, by source and destination
        std::unordered_map<uint64_t, uint32_t> lightpaths; //!< Their tracks, by both
        uint64_t nUntracked{0}; //!< Lightpaths that came when there were MAX_LIGHTPATHS
    };

    static constexpr uint32_t MAX_LIGHTPATHS = 4096; //!< Most lightpaths of a network with a track

    static constexpr uint32_t N_BINS = 128; //!< Most bins that time is divided into

    UtilisationMeter();

    // Trace sources refer to the meter
    UtilisationMeter(const UtilisationMeter&) = delete;
    UtilisationMeter& operator=(const UtilisationMeter&) = delete;

    /// Measure all fabrics, and all links of PointToPointNetDevice, that there are now.
    void InstallAll();

    /**
     * Measure a fabric.
     *
     * @param channel the fabric, with its devices
     */
    void Install(Ptr<FabricChannel> channel);

    /**
     * Measure the link that a device sends on.
     *
     * @param device a PointToPointNetDevice
     */
    void InstallLink(Ptr<NetDevice> device);

    /**
     * @return the networks that are measured
     */
    const std::deque<Network>& GetNetworks() const;

    /**
     * @return what is measured
     */
    const std::vector<Track>& GetTracks() const;

    /**
     * @return the bytes of each track over time
     */
    const TimeBins& GetBins() const;

    /**
     * @param source a port
     * @param destination another port
     * @return both as a number, as Network has them
     */
    static uint64_t GetKey(uint32_t source, uint32_t destination)
    {
        return uint64_t{source} << 32 | destination;
    }

  private:
    /// A device that is listened to.
    struct Listener
    {
        /**
         * @param packet a frame that begins
         */
        void Begin(Ptr<const Packet> packet);

        /**
         * @param packet a frame that has been sent
         */
        void End(Ptr<const Packet> packet);

        /**
         * @param destination the port that a frame is for that has been computed
         * @param bytes its size
         * @param from when it began
         * @param end when it ended; Time::Max() if it has not
         */
        void AddComputed(uint32_t destination, uint64_t bytes, Time from, Time end);

        /**
         * @param packet a frame
         * @return the port that it is for; any number if it is not for one port
         */
        uint32_t GetDestination(const Packet& packet) const;

        UtilisationMeter* meter{nullptr};          //!< The meter
        uint32_t network{0};                       //!< Index of the network
        uint32_t port{0};                          //!< The port of the device, or its track
        std::unordered_map<uint32_t, Time> begins; //!< Of frames being sent, by destination
    };

    /// Reads the circuits of a fabric as they change.
    struct Watcher
    {
        /**
         * @param plan the lightpaths that carry light
         */
        void Light(const CircuitPlan& plan);

        UtilisationMeter* meter{nullptr}; //!< The meter
        uint32_t network{0};              //!< Index of the fabric
    };

    /**
     * @param track what to measure from now on
     * @return its index
     */
    uint32_t AddTrack(Track track);

    /**
     * Add the links of a fabric that is a graph of links.
     *
     * @param network the index of the fabric
     */
    void AddLinks(uint32_t network);

    /**
     * @param network the index of a fabric
     * @param source the port that sends
     * @param destination the port that receives
     * @return the track of the lightpath; null if there are too many
     */
    Track* GetLightpath(uint32_t network, uint32_t source, uint32_t destination);

    /**
     * Count a frame of a fabric.
     *
     * @param network the index of the fabric
     * @param source the port that has sent it
     * @param destination the port that it is for
     * @param begin when it began
     * @param end when it ended
     * @param bytes its size
     */
    void Count(uint32_t network,
               uint32_t source,
               uint32_t destination,
               Time begin,
               Time end,
               uint64_t bytes);

    /**
     * Count bytes that have been sent.
     *
     * @param track the track
     * @param begin since when they have been sent
     * @param end until when
     * @param bytes their number
     */
    void Add(Track& track, Time begin, Time end, uint64_t bytes);

    TimeBins m_bins;                    //!< Bytes over time
    std::vector<Track> m_tracks;        //!< What is measured
    std::deque<Network> m_networks;     //!< The networks
    std::deque<Listener> m_listeners;   //!< The devices
    std::deque<Watcher> m_watchers;     //!< The fabrics with circuits
    uint32_t m_linkNetwork{UINT32_MAX}; //!< Index of the point-to-point links, if there are any
};

} // namespace lightpath
} // namespace ns3

#endif /* UTILISATION_METER_H */
