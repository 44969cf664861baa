/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_CARD_H
#define RDMA_CARD_H

#include "rdma-frame.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaNetDevice;
class RdmaNetwork;
class RdmaQueuePair;

/**
 * @ingroup lightpath
 * @brief The part of a card that faces the network: queue pairs take turns to send, each at its
 * rate and within its window.
 */
class RdmaCard
{
  public:
    /**
     * @param network the network, which outlives the card
     * @param port its port
     * @param link the link that it sends on
     */
    RdmaCard(RdmaNetwork& network, uint32_t port, uint32_t link);
    ~RdmaCard();

    /**
     * @param destination another port
     * @return the queue pair of messages for it, which is made as it is first asked for
     */
    RdmaQueuePair& GetPair(uint32_t destination);

    /**
     * @return the queue pairs that it sends by
     */
    const std::map<uint32_t, std::unique_ptr<RdmaQueuePair>>& GetPairs() const
    {
        return m_pairs;
    }

    /**
     * @param device the device that it is a part of
     */
    void SetDevice(RdmaNetDevice* device)
    {
        m_device = device;
    }

    /**
     * @return the device that it is a part of
     */
    RdmaNetDevice& GetDevice() const
    {
        return *m_device;
    }

    /**
     * @return its port
     */
    uint32_t GetPort() const
    {
        return m_port;
    }

    /**
     * @return the link that it sends on
     */
    uint32_t GetLink() const
    {
        return m_link;
    }

    /**
     * @return whether it may not send packets of messages now
     */
    bool IsPaused() const;

    /**
     * @return the bytes that it has sent
     */
    uint64_t GetSentBytes() const;

    // The functions below are for the network and its queue pairs

    /// Decide what has been sent until now, before a queue pair changes.
    void Prepare();

    /**
     * Note that a queue pair may have something to send.
     *
     * @param pair the queue pair
     */
    void NoteCanSend(RdmaQueuePair& pair);

    /**
     * Note that a queue pair may send sooner than it said.
     *
     * @param pair the queue pair
     */
    void NoteSooner(RdmaQueuePair& pair);

    /**
     * @param [in,out] time when the link is free; when the packet begins
     * @param end the latest time for it, ps
     * @return the next packet of a message; null if none can go
     */
    RdmaFrame* MakeNext(int64_t& time, int64_t end);

    /**
     * @param frame an answer, or a foreign frame, to be sent
     */
    void Send(RdmaFrame* frame);

    /**
     * Take a frame.
     *
     * @param frame the frame
     */
    void Receive(RdmaFrame* frame);

  private:
    /// When a queue pair may go on, and its number, since order must not depend on addresses.
    struct Paced
    {
        int64_t time;        //!< When, ps
        uint32_t number;     //!< Its number
        uint32_t turn;       //!< Its turn; another one if it may go on sooner
        RdmaQueuePair* pair; //!< The queue pair

        /**
         * @param other another one
         * @return whether this one is later
         */
        bool operator>(const Paced& other) const
        {
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    RdmaNetwork& m_network;                                     //!< The network
    uint32_t m_port;                                            //!< Its port
    uint32_t m_link;                                            //!< The link that it sends on
    RdmaNetDevice* m_device{nullptr};                           //!< The device
    std::map<uint32_t, std::unique_ptr<RdmaQueuePair>> m_pairs; //!< By destination
    std::deque<RdmaQueuePair*> m_ready;                         //!< Those whose turn it is
    std::priority_queue<Paced, std::vector<Paced>, std::greater<>> m_paced; //!< Those that wait
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_CARD_H */
