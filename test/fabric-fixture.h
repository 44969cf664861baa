/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FABRIC_FIXTURE_H
#define LIGHTPATH_FABRIC_FIXTURE_H

#include "fabric-parts.h"

#include "ns3/fabric-channel.h"
#include "ns3/frame-source.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <map>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Sends frames of given sizes; the sizes include the 14 bytes of the Ethernet header.
 */
class SizedFrames : public ns3::lightpath::FrameSource
{
  public:
    /// Size of the Ethernet header in bytes.
    static constexpr uint32_t HEADER = 14;

    /**
     * @param device the device that sends the frames
     */
    explicit SizedFrames(ns3::Ptr<ns3::lightpath::OpticalNetDevice> device)
        : m_device(device)
    {
        m_device->SetFrameSource(this);
    }

    /**
     * Send frames now.
     *
     * @param destination the port that they are for
     * @param size the size of one frame in bytes
     * @param count the number of frames
     */
    void Send(uint32_t destination, uint32_t size, uint32_t count = 1)
    {
        m_waiting[destination] = {size, count};
        m_device->NotifyFrames(destination);
    }

    ns3::Ptr<ns3::Packet> NextFrame(uint32_t destination) override
    {
        auto& waiting = m_waiting[destination];
        if (waiting.second == 0)
        {
            return nullptr;
        }
        --waiting.second;
        return ns3::Create<ns3::Packet>(waiting.first - HEADER);
    }

    uint16_t GetProtocolNumber() const override
    {
        return 0x88b5;
    }

    uint64_t GetBacklog(uint32_t destination) const override
    {
        const auto found = m_waiting.find(destination);
        return found == m_waiting.end() ? 0 : uint64_t{found->second.first} * found->second.second;
    }

    void NotifyLost(uint32_t destination, ns3::Ptr<const ns3::Packet> payload) override
    {
        lost.emplace_back(destination, payload->GetSize());
    }

    /// Port and payload size of each frame that was lost.
    std::vector<std::pair<uint32_t, uint32_t>> lost;

  private:
    ns3::Ptr<ns3::lightpath::OpticalNetDevice> m_device;         //!< Sends the frames
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> m_waiting; //!< Size and number by port
};

/**
 * @ingroup lightpath-tests
 * @brief Devices on one fabric, and the times at which they received frames.
 */
class FabricFixture
{
  public:
    /**
     * @param fabric the fabric
     * @param ports the number of devices to attach
     */
    FabricFixture(ns3::Ptr<ns3::lightpath::FabricChannel> fabric, uint32_t ports)
        : received(ports)
    {
        for (uint32_t port = 0; port < ports; ++port)
        {
            const auto device = AddDevice(ns3::CreateObject<ns3::Node>(), fabric);
            device->TraceConnectWithoutContext("PhyRxEnd",
                                               ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(
                                                   [this, port](ns3::Ptr<const ns3::Packet>) {
                                                       received[port].push_back(
                                                           ns3::Simulator::Now());
                                                   }));
            devices.push_back(device);
            sources.push_back(std::make_unique<SizedFrames>(device));
        }
    }

    /// End the simulation.
    ~FabricFixture()
    {
        ns3::Simulator::Destroy();
    }

    // Sinks of traces refer to it
    FabricFixture(const FabricFixture&) = delete;
    FabricFixture& operator=(const FabricFixture&) = delete;

    std::vector<ns3::Ptr<ns3::lightpath::OpticalNetDevice>> devices; //!< The devices by port
    std::vector<std::unique_ptr<SizedFrames>> sources;               //!< Their frames by port
    std::vector<std::vector<ns3::Time>> received; //!< When frames came in, by port
};

#endif /* LIGHTPATH_FABRIC_FIXTURE_H */
