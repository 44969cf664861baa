/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RING_REDUCER_H
#define LIGHTPATH_RING_REDUCER_H

#include "gradient-reducer.h"
#include "model/collective/block-quantiser.h"

#include "ns3/collective-schedule.h"
#include "ns3/frame-source.h"
#include "ns3/optical-net-device.h"

#include <deque>
#include <map>
#include <memory>
#include <utility>

/**
 * @ingroup lightpath
 * @brief Averages gradients by an all-reduce over a ring of servers, with the real numbers in the
 * packets.
 *
 * Numbers travel as floats of 4 bytes, or as words and scales of a quantiser. Then each server adds
 * its own to what it gets and quantises the sum anew; the sums that are complete go round as their
 * owner has quantised them, so that all servers end with the same.
 */
class RingReducer : public GradientReducer, public ns3::lightpath::FrameSource
{
  public:
    /**
     * @param device the device of the server; its port is the rank
     * @param servers the number of servers
     * @param quantiser turns numbers into words; null for floats
     */
    RingReducer(ns3::Ptr<ns3::lightpath::OpticalNetDevice> device,
                uint32_t servers,
                ns3::Ptr<const ns3::lightpath::BlockQuantiser> quantiser);

    ~RingReducer() override;

    void Average(std::vector<float>& values) override;
    uint64_t GetSentBytes() const override;

    // From FrameSource
    ns3::Ptr<ns3::Packet> NextFrame(uint32_t destination) override;
    uint16_t GetProtocolNumber() const override;
    uint64_t GetBacklog(uint32_t destination) const override;
    bool ReceiveFrame(const ns3::Ptr<const ns3::Packet>& payload) override;
    void NotifyLost(uint32_t destination, ns3::Ptr<const ns3::Packet> payload) override;

  private:
    /// The bytes of a message.
    using Bytes = std::vector<uint8_t>;

    /// Send the message of the present step.
    void EnterStep();

    /// Take the messages that have come in, as far as they are those of the next steps.
    void Advance();

    /**
     * @param block the part of the gradient that a message holds
     * @return its numbers as bytes
     */
    Bytes Encode(const ns3::lightpath::Block& block);

    /**
     * @param bytes the bytes of a message
     * @param count the number of its numbers
     * @return the numbers
     */
    std::vector<float> Decode(const Bytes& bytes, std::size_t count) const;

    /**
     * @param rank the rank that sends
     * @param step the step
     * @return the part of the gradient that its message holds
     */
    ns3::lightpath::Block GetBlock(uint32_t rank, uint32_t step) const;

    ns3::Ptr<ns3::lightpath::OpticalNetDevice> m_device;                  //!< Sends and receives
    uint32_t m_servers;                                                   //!< Number of servers
    ns3::Ptr<const ns3::lightpath::BlockQuantiser> m_quantiser;           //!< Makes words, or null
    std::shared_ptr<const ns3::lightpath::CollectiveSchedule> m_schedule; //!< Of numbers
    std::vector<float>* m_values{nullptr};                                //!< The gradient
    uint32_t m_round{0};                                                  //!< Averages begun
    uint32_t m_step{0};                                                   //!< The present step
    std::deque<std::pair<uint64_t, Bytes>> m_waiting; //!< To be sent, with their tags
    std::map<uint64_t, Bytes> m_arrived;              //!< By tag
    std::map<uint64_t, Bytes> m_complete;             //!< Complete sums, by place
    uint64_t m_sentBytes{0};                          //!< With all headers
};

#endif /* LIGHTPATH_RING_REDUCER_H */
