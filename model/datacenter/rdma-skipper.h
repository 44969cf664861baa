/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_SKIPPER_H
#define RDMA_SKIPPER_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaNetwork;
class RdmaQueuePair;

/**
 * @ingroup lightpath
 * @brief Knows which packets of an RdmaNetwork need not be simulated, since their queue pair is in
 * a steady state.
 *
 * A queue pair is steady while its rate stays, the rates of all queue pairs with messages on each
 * link of its path together do not exceed that of the link, and no port there is paused or has a
 * queue. Then each packet takes as long as the one before, and none is marked. The queue pair
 * leaves packets out, and sends the next one when it would have sent it. A queue pair that begins
 * on one of these links, a rate that rises, a notification, a mark or a pause ends this state: what
 * has not been sent until then goes in packets again.
 */
class RdmaSkipper
{
  public:
    /**
     * @param network the network, which outlives this object
     */
    explicit RdmaSkipper(RdmaNetwork& network);

    /**
     * Note the rate of a queue pair.
     *
     * @param pair the queue pair
     * @param rate its rate, bit/s; 0 once it has no messages
     */
    void SetRate(RdmaQueuePair& pair, double rate);

    /**
     * @param pair a queue pair
     * @return whether its path allows all that is sent on it, without queues
     */
    bool IsCalm(const RdmaQueuePair& pair) const;

    /**
     * Count packets as sent.
     *
     * @param pair their queue pair
     * @param packets how many
     * @param bytes the size of each, bytes
     */
    void Count(const RdmaQueuePair& pair, uint64_t packets, uint32_t bytes);

    /**
     * End the steady state of all queue pairs on a link.
     *
     * @param link the link that they take
     */
    void Wake(uint32_t link);

    /// Leave out no packets from now on.
    void Stop();

  private:
    /// A queue pair.
    struct Flow
    {
        RdmaQueuePair* pair{nullptr}; //!< The queue pair, null before its first message
        int64_t rate{0};              //!< Its rate, bit/s; 0 without messages
        std::vector<uint32_t> links;  //!< Its path
    };

    RdmaNetwork& m_network;                     //!< The network
    bool m_isOn{true};                          //!< Packets may be left out
    std::vector<Flow> m_flows;                  //!< Queue pairs by number
    std::vector<int64_t> m_loads;               //!< Sum of the rates on each link, bit/s
    std::vector<std::vector<uint32_t>> m_users; //!< Numbers of queue pairs with messages, by link
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_SKIPPER_H */
