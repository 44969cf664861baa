/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_IN_NETWORK_FIXTURE_H
#define LIGHTPATH_IN_NETWORK_FIXTURE_H

#include "fabric-parts.h"
#include "model/fabric/averaging-client.h"

#include "ns3/in-network-channel.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Words that are averaged in place, with the same scale for all.
 */
class WordTensor : public ns3::lightpath::AveragedTensor
{
  public:
    /**
     * @param words the words, which the average replaces
     * @param scale the scale of each block of 100 words; 0 for words without scales
     */
    explicit WordTensor(std::vector<uint16_t>& words, uint8_t scale = 0)
        : m_words(words),
          m_scale(scale)
    {
    }

    uint64_t GetNWords() const override
    {
        return m_words.size();
    }

    uint32_t GetBlockSize() const override
    {
        return m_scale > 0 ? 100 : 0;
    }

    void GetScales(uint64_t first, std::size_t count, uint8_t* scales) const override
    {
        std::fill_n(scales, (count + 99) / 100, m_scale);
    }

    void GetWords(uint64_t first,
                  std::size_t count,
                  const uint8_t* scales,
                  uint16_t* words) override
    {
        NoteScales(count, scales);
        std::copy_n(m_words.begin() + static_cast<std::ptrdiff_t>(first), count, words);
    }

    void SetAverage(uint64_t first,
                    std::size_t count,
                    const uint8_t* scales,
                    const uint16_t* words) override
    {
        NoteScales(count, scales);
        std::copy_n(words, count, m_words.begin() + static_cast<std::ptrdiff_t>(first));
    }

    std::vector<uint8_t> scales; //!< All scales that it has been told

  private:
    /**
     * @param count the number of words
     * @param told their scales
     */
    void NoteScales(std::size_t count, const uint8_t* told)
    {
        scales.insert(scales.end(), told, told + (m_scale > 0 ? (count + 99) / 100 : 0));
    }

    std::vector<uint16_t>& m_words; //!< The words
    uint8_t m_scale;                //!< Their scale
};

/**
 * @ingroup lightpath-tests
 * @brief Servers on a network that averages, and the times of their averages.
 */
class InNetworkFixture
{
  public:
    /**
     * @param fabric the network
     * @param servers the number of servers to attach
     * @param burstSize the bytes of a burst, 0 for a whole tensor
     */
    InNetworkFixture(ns3::Ptr<ns3::lightpath::InNetworkChannel> fabric,
                     uint32_t servers,
                     uint64_t burstSize = 0)
        : channel(fabric),
          received(servers)
    {
        for (uint32_t port = 0; port < servers; ++port)
        {
            const auto device = AddDevice(ns3::CreateObject<ns3::Node>(), fabric);
            const auto client = ns3::CreateObject<ns3::lightpath::AveragingClient>();
            client->SetAttribute("BurstSize", ns3::UintegerValue(burstSize));
            client->SetDevice(device);
            client->SetAverageCallback(
                ns3::Callback<void, uint64_t, uint64_t>([this, port](uint64_t tag, uint64_t) {
                    received[port][tag] = ns3::Simulator::Now();
                }));
            devices.push_back(device);
            clients.push_back(client);
        }
        channel->TraceConnectWithoutContext(
            "SlotSpoilt",
            ns3::Callback<void, uint64_t, uint32_t, ns3::lightpath::InNetworkChannel::Fault>(
                [this](uint64_t, uint32_t, ns3::lightpath::InNetworkChannel::Fault fault) {
                    ++faults[fault];
                }));
    }

    ~InNetworkFixture()
    {
        ns3::Simulator::Destroy();
    }

    /**
     * Let all servers send bytes without values at the start.
     *
     * @param tag the tag
     * @param bytes the number of bytes
     */
    void SendAll(uint64_t tag, uint64_t bytes)
    {
        for (const auto& client : clients)
        {
            client->Send(tag, bytes);
        }
    }

    ns3::Ptr<ns3::lightpath::InNetworkChannel> channel;              //!< The network
    std::vector<ns3::Ptr<ns3::lightpath::OpticalNetDevice>> devices; //!< The devices by port
    std::vector<ns3::Ptr<ns3::lightpath::AveragingClient>> clients;  //!< What sends, by port
    std::vector<std::map<uint64_t, ns3::Time>> received; //!< When averages came, by port and tag
    /// Number of slots spoilt, by reason
    std::map<ns3::lightpath::InNetworkChannel::Fault, uint32_t> faults;
};

#endif /* LIGHTPATH_IN_NETWORK_FIXTURE_H */
