/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_FRAME_H
#define RDMA_FRAME_H

#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaQueuePair;

/// Bytes that a frame takes on a link besides its own: preamble, and the least gap to the next one.
constexpr uint32_t ETHERNET_GAP_BYTES = 20;

/// Bytes of a frame of RoCEv2 besides its payload: Ethernet 14 and 4, IPv4 20, UDP 8, BTH 12 and
/// the invariant check 4.
constexpr uint32_t ROCE_HEADER_BYTES = 62;

/// Bytes of an acknowledgement: the same, and AETH 4.
constexpr uint32_t ROCE_ACK_BYTES = ROCE_HEADER_BYTES + 4;

/// Bytes of a notification of congestion: the same, and 16 that are reserved.
constexpr uint32_t ROCE_CNP_BYTES = ROCE_HEADER_BYTES + 16;

/// Bytes of a frame that pauses classes, the least of Ethernet.
constexpr uint32_t PAUSE_BYTES = 64;

/// Bytes of in-band telemetry in a frame: 8 for each of five hops, and 2 (Li et al. 2019).
constexpr uint32_t TELEMETRY_BYTES = 42;

/// Classes of priority on a link; a higher one goes first.
constexpr uint32_t N_CLASSES = 8;

/// The class of packets of messages.
constexpr uint8_t DATA_CLASS = 3;

/// The class of acknowledgements and notifications.
constexpr uint8_t ANSWER_CLASS = 6;

/// The class of frames that pause others.
constexpr uint8_t PAUSE_CLASS = 7;

/**
 * @ingroup lightpath
 * @brief What the ports on the way of a frame have written into it, for Hpcc.
 */
struct RdmaTelemetry
{
    /// Telemetry of one port, written as the frame left its queue.
    struct Hop
    {
        int64_t time{0};        //!< Time, ps
        uint64_t sentBytes{0};  //!< Bytes that it had sent, with gaps
        uint64_t queueBytes{0}; //!< Bytes that waited behind the frame
        double bitRate{0};      //!< Its rate, bit/s
    };

    /// The most hops: two levels of switches above those of a leaf.
    static constexpr uint32_t MOST_HOPS = 6;

    uint32_t nHops{0};               //!< Ports that wrote
    std::array<Hop, MOST_HOPS> hops; //!< What they wrote
};

/**
 * @ingroup lightpath
 * @brief A frame on its way through an RdmaNetwork, which becomes a Packet where somebody looks.
 */
struct RdmaFrame
{
    /// The kinds of frames.
    enum Kind : uint8_t
    {
        DATA,   //!< A packet of a message
        ACK,    //!< An acknowledgement
        NACK,   //!< Tells that a packet is missing
        CNP,    //!< Notification of congestion
        PAUSE,  //!< Priority flow control
        FOREIGN //!< A packet of another protocol
    };

    RdmaFrame* next{nullptr};          //!< The next one in the list that it is in
    int64_t arrival{0};                //!< When it has crossed the link that it is on, ps
    uint32_t bytes{0};                 //!< Its size, from the Ethernet header to the check, bytes
    uint32_t destination{0};           //!< The port of the network that it is for
    uint32_t entropy{0};               //!< Decides on its path, with the seed of each switch
    uint32_t ingress{0};               //!< The link by which it came to a switch
    Kind kind{DATA};                   //!< What it is
    uint8_t trafficClass{0};           //!< Its class
    bool isMarked{false};              //!< ECN: it met congestion, or tells of it
    bool asksForAck{false};            //!< The receiver shall acknowledge
    bool pauses{false};                //!< It stops classes; otherwise it lets them go on
    uint8_t classes{0};                //!< The classes that it stops, a bit each
    RdmaQueuePair* pair{nullptr};      //!< The queue pair
    uint64_t number{0};                //!< Number of the packet; the next expected, in an answer
    uint64_t answered{0};              //!< Number of the packet that is answered
    int64_t sentAt{0};                 //!< When the packet was sent, or the one answered, ps
    RdmaTelemetry* telemetry{nullptr}; //!< What ports have written, or null
    Ptr<Packet> packet;                //!< Content of a foreign frame
};

/**
 * @ingroup lightpath
 * @brief Objects that are used again.
 *
 * @tparam T their type
 */
template <typename T>
class RdmaPool
{
  public:
    /**
     * @return an object as new
     */
    T* Get()
    {
        if (m_free.empty())
        {
            m_blocks.push_back(std::make_unique<std::array<T, BLOCK>>());
            for (T& each : *m_blocks.back())
            {
                m_free.push_back(&each);
            }
        }
        T* const object = m_free.back();
        m_free.pop_back();
        *object = T();
        return object;
    }

    /**
     * @param object an object that Get() returned, and that is no longer used
     */
    void Put(T* object)
    {
        m_free.push_back(object);
    }

  private:
    /// Objects that are made at a time.
    static constexpr uint32_t BLOCK = 256;

    std::vector<std::unique_ptr<std::array<T, BLOCK>>> m_blocks; //!< All objects
    std::vector<T*> m_free;                                      //!< Those that are not used
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_FRAME_H */
