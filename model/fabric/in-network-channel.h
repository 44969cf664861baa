/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_NETWORK_CHANNEL_H
#define IN_NETWORK_CHANNEL_H

#include "photonic-channel.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/simulator.h"
#include "ns3/slot-table.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class ErrorModel;
class RandomVariableStream;

namespace lightpath
{

class WordAverager;

/**
 * @ingroup lightpath
 * @brief A network that averages the words of all its servers, and returns the average to all of
 * them.
 *
 * It has no buffer: the bursts of all servers must arrive together. A server announces a burst to
 * the slot manager of the network; once all servers have announced theirs, the manager grants a
 * slot. With Ranging each server launches earlier by the delay of its own fibre, so that all bursts
 * arrive at the start of the slot. Bursts that arrive within GuardTime of each other are averaged
 * as they pass; the average leaves after the delay of the averager, and a splitter returns it to
 * all servers. If a burst is missing or late, the slot is spoilt, and all servers repeat it.
 *
 * A slot lasts as long as its bursts plus GuardTime. Slots follow each other in the order in which
 * they become complete. The network carries nothing else: a frame from one server to another ends
 * the program.
 */
class InNetworkChannel : public PhotonicChannel
{
  public:
    /// A server of the network, as the channel calls it.
    class Server
    {
      public:
        virtual ~Server() = default;

        /**
         * Send a burst now.
         *
         * @param burst the burst, with the scales that all servers share
         */
        virtual void Launch(const SlotBurst& burst) = 0;

        /**
         * @return the protocol number of its frames and of the averages
         */
        virtual uint16_t GetProtocolNumber() const = 0;

        /**
         * Announce a burst again after its slot was spoilt.
         *
         * @param burst the burst
         */
        virtual void Repeat(const SlotBurst& burst) = 0;
    };

    /// Why a slot was spoilt.
    enum Fault
    {
        MISSING, //!< A burst did not arrive, or not in time
        APART    //!< The bursts arrived too far from each other
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    InNetworkChannel();
    ~InNetworkChannel() override;

    /**
     * @param port a port
     * @param server the server at this port, or null. The channel does not own it.
     */
    void SetServer(uint32_t port, Server* server);

    /**
     * @param port a port; it may be attached later
     * @param metres the length of its fibre in place of FibreLength
     */
    void SetFibreLength(uint32_t port, double metres);

    /**
     * @param port a port
     * @return the delay of its fibre
     */
    Time GetPortDelay(uint32_t port) const;

    /**
     * @return the rate of a server, the sum of its transceivers
     */
    DataRate GetServerRate() const;

    /**
     * @return the averager of the words; null if no real words are averaged
     */
    Ptr<WordAverager> GetAverager() const;

    /**
     * Announce bursts to the slot manager.
     *
     * @param port the port of the server
     * @param bursts the bursts; the manager is notified after SignallingDelay, and of those that
     *        are not repeated after Delay more
     */
    void Announce(uint32_t port, std::vector<SlotBurst> bursts);

    /**
     * @return the slots whose average was returned
     */
    uint64_t GetNSlots() const
    {
        return m_nSlots;
    }

    /**
     * @return the slots that were spoilt, and repeated
     */
    uint64_t GetNSpoilt() const
    {
        return m_nSpoilt;
    }

    /**
     * @return a clause that names servers that the first slot waits for; empty if none waits
     */
    std::string DescribeWaiting() const
    {
        return m_table.DescribeWaiting();
    }

    /**
     * Fix the random numbers of the errors of ranging, of the averager and of its light.
     *
     * @param stream the number of the first stream
     * @return the number of streams that were assigned
     */
    int64_t AssignStreams(int64_t stream) override;

    std::string GetFabricName() const override
    {
        return "optinc";
    }

    FabricStatistics GetStatistics() const override;
    std::vector<uint32_t> GetReachable(uint32_t source) const override;

    bool IsChanging() const override
    {
        return Simulator::Now() < m_busy;
    }

    void NotifyActive(uint32_t source, uint32_t destination) override;
    void NotifyLost(uint32_t port) override;
    void Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay) override;

    /**
     * TracedCallback signature for a slot that is granted.
     *
     * @param tag the tensor
     * @param block the burst
     * @param start when its bursts begin to arrive
     */
    typedef void (*SlotTracedCallback)(uint64_t tag, uint32_t block, Time start);

    /**
     * TracedCallback signature for a slot that is spoilt.
     *
     * @param tag the tensor
     * @param block the burst
     * @param fault why
     */
    typedef void (*SpoiltTracedCallback)(uint64_t tag, uint32_t block, Fault fault);

  protected:
    void DoDispose() override;
    void DoAdd(uint32_t port) override;

  private:
    /// A function of Server that takes a burst.
    using Order = void (Server::*)(const SlotBurst&);

    /// A slot that has been granted.
    struct Slot
    {
        std::shared_ptr<const SlotBurst> burst; //!< The burst of all servers
        std::vector<Ptr<Packet>> frames;        //!< The bursts that have arrived, by port
        uint32_t arrived{0};                    //!< Bursts that have arrived
        Time first;                             //!< When the first had
        EventId deadline;                       //!< When all must have
    };

    /**
     * Handle announcements at the slot manager.
     *
     * @param port the port of the server that announces them
     * @param bursts the bursts
     */
    void Hear(uint32_t port, const std::shared_ptr<const std::vector<SlotBurst>>& bursts);

    /**
     * Grant a slot.
     *
     * @param burst the burst, which all servers have announced
     */
    void Grant(SlotBurst burst);

    /**
     * @param nPorts a number of ports
     * @return the longest delay of their fibres
     */
    Time GetFarthest(uint32_t nPorts) const;

    /**
     * Handle a burst that has arrived at the averager.
     *
     * @param port the port that it comes from
     * @param frame the burst
     */
    void Arrive(uint32_t port, Ptr<Packet> frame);

    /**
     * Return the average of a slot.
     *
     * @param slot the slot, whose bursts have all arrived
     */
    void Answer(const Slot& slot);

    /**
     * @param slot a slot with real words
     * @return the packet with their average
     */
    Ptr<Packet> Average(const Slot& slot);

    /**
     * Reject numbers of servers or transceivers that do not suit the averager.
     */
    void CheckAverager() const;

    /**
     * Let all servers repeat a spoilt slot.
     *
     * @param key the slot
     * @param fault why
     */
    void Spoil(SlotTable::Key key, Fault fault);

    /**
     * Notify a server later, if it still exists then.
     *
     * @param port the port of the server
     * @param delay the time until then
     * @param order the function to call
     * @param burst the argument of the function
     */
    void Tell(uint32_t port,
              Time delay,
              Order order,
              const std::shared_ptr<const SlotBurst>& burst);

    /**
     * Note that the network is busy.
     *
     * @param delay for how long from now
     */
    void NoteBusy(Time delay);

    Ptr<WordAverager> m_averager;             //!< Averager of the words
    uint32_t m_transceivers;                  //!< Transceivers of a server
    DataRate m_laneRate;                      //!< Rate of a transceiver
    double m_fibreLength;                     //!< Fibre of a port, in metres
    Time m_signallingDelay;                   //!< Between a server and the slot manager
    Time m_guardTime;                         //!< Largest distance in time of the bursts of a slot
    bool m_ranging;                           //!< Servers launch earlier by their delay
    uint32_t m_mostRepeats;                   //!< Times that a slot may be spoilt
    Time m_delay;                             //!< From a tensor to its announcement
    Ptr<RandomVariableStream> m_rangingError; //!< Errors of launches in nanoseconds, or null
    Ptr<ErrorModel> m_burstErrorModel;        //!< Decides which bursts get lost, or null

    std::map<uint32_t, double> m_lengths;  //!< Fibres of other lengths, in metres, by port
    std::vector<Server*> m_servers;        //!< The servers, by port
    SlotTable m_table;                     //!< The slots that wait for servers
    std::map<SlotTable::Key, Slot> m_open; //!< The slots that have been granted
    Time m_free;                           //!< When the next slot can start
    Time m_busy;                           //!< When the network is idle again
    uint64_t m_nSlots{0};                  //!< Slots whose average was returned
    uint64_t m_nSpoilt{0};                 //!< Slots that were spoilt
    std::vector<uint8_t> m_bytes;          //!< Room for the bytes of words
    /// Buffers for the words of each server and for their average
    std::vector<std::vector<uint16_t>> m_words;

    TracedCallback<uint64_t, uint32_t, Time> m_slotTrace;    //!< A slot is granted
    TracedCallback<uint64_t, uint32_t, Fault> m_spoiltTrace; //!< A slot is spoilt
};

} // namespace lightpath
} // namespace ns3

#endif /* IN_NETWORK_CHANNEL_H */
