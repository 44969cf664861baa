/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_NETWORK_H
#define RDMA_NETWORK_H

#include "rdma-clock.h"
#include "rdma-congestion.h"
#include "rdma-link.h"

#include "ns3/channel.h"
#include "ns3/link-graph.h"
#include "ns3/mac48-address.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaCard;
class RdmaNetDevice;
class RdmaPaths;
class RdmaQueuePair;
class RdmaSkipper;
class RdmaSwitch;

/**
 * @ingroup lightpath
 * @brief A network of cards and switches for RDMA over Ethernet (RoCEv2), packet by packet.
 *
 * Cards (RdmaNetDevice) have the ports of a LinkGraph; its other nodes are switches (RdmaSwitch).
 * Frames are stored and forwarded. The network has a clock of its own (RdmaClock).
 */
class RdmaNetwork : public Channel
{
  public:
    /// How switches choose between shortest paths.
    enum Routing
    {
        ECMP,     //!< A hash of the queue pair
        SPRAY,    //!< One port after the other, for the packets to each destination
        ADAPTIVE, //!< The port whose queue is shortest
    };

    /// Packets that need not be simulated.
    enum Skip
    {
        NONE,  //!< None
        STEADY //!< Those of queue pairs in a steady state
    };

    /// Counts of a network.
    struct Counts
    {
        uint64_t frames{0};        //!< Frames that cards have sent
        uint64_t skipped{0};       //!< Those that were not simulated
        uint64_t resent{0};        //!< Packets that were sent again
        uint64_t drops{0};         //!< Frames for which a switch had no room
        uint64_t marks{0};         //!< Frames that were marked
        uint64_t notifications{0}; //!< Notifications of congestion
        uint64_t pauses{0};        //!< Pauses that switches have sent
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RdmaNetwork();
    ~RdmaNetwork() override;

    /**
     * @param graph a network
     * @param switches makes its switches (RdmaSwitch)
     * @param packet the largest payload of a packet, bytes
     * @return the sentence that refuses a port that has not one link in each direction, or a switch
     *         whose buffer is too small; empty if SetUp() can build the network
     */
    static std::string Check(const LinkGraph& graph,
                             const ObjectFactory& switches,
                             uint32_t packet);

    /**
     * Build the network, which Check() allows.
     *
     * @param graph its ports, switches and links
     * @param switches makes the switches (RdmaSwitch)
     * @param congestion makes the congestion control of a queue pair (RdmaCongestion)
     */
    void SetUp(const LinkGraph& graph,
               const ObjectFactory& switches,
               const ObjectFactory& congestion);

    /**
     * @param device has the next port
     * @return that port
     */
    uint32_t Attach(Ptr<RdmaNetDevice> device);

    /**
     * @param port a port
     * @return its card
     */
    RdmaCard& GetCard(uint32_t port) const
    {
        return *m_cards[port];
    }

    /**
     * @return the switches
     */
    const std::vector<Ptr<RdmaSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /**
     * Mark a component as failed or as repaired, after the delay of messages. An unknown name ends
     * the program with a message that says which there are. What is on a link that fails, or waits
     * for it, is lost; what comes later takes other shortest paths, if there are some.
     *
     * @param component switch:NAME or link:NAME:NAME, with the names of LinkGraph
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * @param callback takes the sentence that says why nothing moves any more. Without one, such a
     *        failure ends the program.
     */
    void AddFailureCallback(std::function<void(const std::string&)> callback)
    {
        m_failureCallbacks.push_back(std::move(callback));
    }

    /**
     * @return the counts so far
     */
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /**
     * @return what has happened so far: events of the network
     */
    uint64_t GetEvents() const
    {
        return m_clock.GetCount();
    }

    /**
     * @return true if a message is on its way
     */
    bool IsMoving() const
    {
        return m_nMoving > 0;
    }

    /**
     * @param stream the number of the first stream of random numbers
     * @return the number of streams that were assigned
     */
    int64_t AssignStreams(int64_t stream);

    // Channel
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    // The functions below are for the parts of the network

    /**
     * @param port a port
     * @param before the address that its device had
     * @param address the address that it has from now on
     */
    void NoteAddress(uint32_t port, Mac48Address before, Mac48Address address)
    {
        m_ports.erase(before);
        m_ports[address] = port;
    }

    /**
     * @param address an address
     * @return the port whose device has it; the number of ports if there is none
     */
    uint32_t FindPort(Mac48Address address) const
    {
        const auto found = m_ports.find(address);
        return found == m_ports.end() ? static_cast<uint32_t>(m_devices.size()) : found->second;
    }

    /**
     * @param kind what happens
     * @param index to which link or queue pair
     */
    void Happen(RdmaClock::Kind kind, uint32_t index);

    /**
     * @return its clock
     */
    RdmaClock& GetClock()
    {
        return m_clock;
    }

    /**
     * @return its counts
     */
    Counts& Count()
    {
        return m_counts;
    }

    /**
     * @return its links
     */
    std::vector<RdmaLink>& GetLinks()
    {
        return m_links;
    }

    /**
     * @param link the number of a link
     * @return "from NODE to NODE"
     */
    std::string Describe(uint32_t link) const;

    /**
     * @return a new frame
     */
    RdmaFrame* MakeFrame()
    {
        return m_frames.Get();
    }

    /**
     * @param frame a frame that is nowhere any more
     */
    void Release(RdmaFrame* frame);

    /**
     * @return new telemetry for a frame
     */
    RdmaTelemetry* MakeTelemetry()
    {
        return m_telemetry.Get();
    }

    /**
     * Put a frame in the queue of a port.
     *
     * @param link the link that the port sends on
     * @param frame the frame
     */
    void Enqueue(uint32_t link, RdmaFrame* frame);

    /**
     * Decide what a port has sent until now.
     *
     * @param link the link that it sends on
     */
    void Advance(uint32_t link);

    /**
     * Look at a link later.
     *
     * @param link the link
     * @param time when, ps
     */
    void WakeAt(uint32_t link, int64_t time);

    /**
     * Stop or release classes of a port.
     *
     * @param link the link that it sends on
     * @param frame the frame that asks for it
     */
    void Pause(uint32_t link, const RdmaFrame& frame);

    /**
     * @return how switches choose between shortest paths
     */
    Routing GetRouting() const
    {
        return m_routing;
    }

    /**
     * @return its links and paths
     */
    RdmaPaths& GetPaths()
    {
        return *m_paths;
    }

    /**
     * @return what decides on packets that are not simulated; null if all are
     */
    RdmaSkipper* GetSkipper() const
    {
        return m_skipper.get();
    }

    /**
     * @return becomes true once a trace source of the network has a sink
     */
    const std::shared_ptr<bool>& GetWatch() const
    {
        return m_isWatched;
    }

    /**
     * Have a message or a packet enter after the delay of messages.
     *
     * @param enter lets it enter
     */
    void EnterLater(std::function<void()> enter);

    /**
     * @param pair a new queue pair
     * @return its number
     */
    uint32_t AddPair(RdmaQueuePair* pair)
    {
        m_pairs.push_back(pair);
        return static_cast<uint32_t>(m_pairs.size() - 1);
    }

    /**
     * @return a new congestion control
     */
    Ptr<RdmaCongestion> MakeCongestion() const;

    /**
     * @return the largest payload of a packet, bytes
     */
    uint32_t GetPacketSize() const
    {
        return m_packet;
    }

    /**
     * @return the time without progress after which a queue pair sends again, ps
     */
    int64_t GetTimeout() const
    {
        return m_timeout.GetPicoSeconds();
    }

    /**
     * @return whether receivers keep packets that are out of order
     */
    bool IsSelective() const
    {
        return m_isSelective || m_routing != ECMP;
    }

    /**
     * @return how often in a row a queue pair sends again without progress
     */
    uint32_t GetRetries() const
    {
        return m_retries;
    }

    /**
     * Report that nothing goes on.
     *
     * @param sentence says why
     */
    void Fail(const std::string& sentence);

    /**
     * @return packets by which one may be late before it counts as lost
     */
    uint32_t GetReorderLimit() const
    {
        return m_reorderLimit;
    }

    /**
     * @param change messages that start to move, or -1 for one that has arrived
     */
    void CountMoving(int32_t change)
    {
        m_nMoving += change;
    }

    /**
     * Drop the next frame for which a test asks.
     *
     * @param isLost tells whether a frame is lost as it arrives at a switch; null for none
     */
    void SetLoss(std::function<bool(const RdmaFrame&)> isLost)
    {
        m_isLost = std::move(isLost);
    }

    /**
     * @param frame a frame that arrives at a switch
     * @return whether it is lost
     */
    bool IsLost(const RdmaFrame& frame) const
    {
        return m_isLost && m_isLost(frame);
    }

  protected:
    void DoDispose() override;

  private:
    /**
     * Take the first frame from a link.
     *
     * @param link the link
     */
    void Arrive(uint32_t link);

    /**
     * @param link a link that is free
     * @param [in,out] time when it is free; when the frame begins
     * @return the frame that it sends next, null for none
     */
    RdmaFrame* Pick(RdmaLink& link, int64_t& time);

    /**
     * @param link a link
     * @param frame the frame that it sends next
     * @param time when
     */
    void Begin(uint32_t link, RdmaFrame* frame, int64_t time);

    /**
     * Lose or carry what crosses each link, as components have failed.
     */
    void UpdateFailures();

    /**
     * Look at a link as soon as it is free, if somebody must see what leaves at its time.
     *
     * @param link the link
     */
    void WakeInTime(uint32_t link);

    RdmaClock m_clock;          //!< The clock
    Routing m_routing;          //!< How switches choose paths
    Skip m_skip;                //!< Packets that need not be simulated
    uint32_t m_seed;            //!< Decides on paths
    uint32_t m_packet;          //!< Largest payload of a packet, bytes
    bool m_isSelective;         //!< Receivers keep packets that are out of order
    uint32_t m_reorderLimit;    //!< Packets by which one may be late
    Time m_timeout;             //!< Time without progress until a queue pair sends again
    uint32_t m_retries;         //!< How often in a row it does
    Time m_messageDelay;        //!< Time of a message before its first packet
    Time m_deadlockTime;        //!< Time of pauses after which a circle of them is a deadlock
    ObjectFactory m_congestion; //!< Makes congestion controls

    std::unique_ptr<RdmaPaths> m_paths;     //!< Its links and paths
    std::unique_ptr<RdmaSkipper> m_skipper; //!< Decides on packets that are not simulated
    std::shared_ptr<bool> m_isWatched{std::make_shared<bool>(false)}; //!< A trace has a sink
    std::vector<RdmaLink> m_links;                                    //!< Its links
    std::vector<std::unique_ptr<RdmaCard>> m_cards;                   //!< Its cards
    std::vector<Ptr<RdmaSwitch>> m_switches;                          //!< Its switches
    std::vector<Ptr<RdmaNetDevice>> m_devices;                        //!< Devices by port
    std::map<Mac48Address, uint32_t> m_ports;     //!< Ports by the addresses of devices
    std::vector<RdmaQueuePair*> m_pairs;          //!< Queue pairs by number
    std::deque<std::function<void()>> m_entering; //!< What enters
    std::vector<std::function<void(const std::string&)>> m_failureCallbacks; //!< Take failures
    std::function<bool(const RdmaFrame&)> m_isLost; //!< Tells which frames are lost
    RdmaPool<RdmaFrame> m_frames;                   //!< Frames
    RdmaPool<RdmaTelemetry> m_telemetry;            //!< Their telemetry
    Counts m_counts;                                //!< Counts
    int64_t m_nMoving{0};                           //!< Messages on their way
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_NETWORK_H */
