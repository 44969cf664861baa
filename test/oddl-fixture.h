/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ODDL_FIXTURE_H
#define LIGHTPATH_ODDL_FIXTURE_H

#include "model/control/grid/oddl-control-unit.h"
#include "numbered-frames.h"

#include "ns3/node-container.h"
#include "ns3/oddl-helper.h"
#include "ns3/optical-net-device.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/wss-grid-channel.h"

#include <map>
#include <memory>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Sends numbered frames by a device and notes the frames that it receives.
 */
class OddlFrames : public scripts::NumberedFrames
{
  public:
    /**
     * @param device the device
     */
    explicit OddlFrames(ns3::Ptr<ns3::lightpath::OpticalNetDevice> device)
        : m_device(device)
    {
        m_device->SetFrameSource(this);
    }

    /**
     * Send a frame now.
     *
     * @param destination the port that it is for
     * @param number its number
     * @param bytes its size without the header of 14 bytes
     */
    void Send(uint32_t destination, uint32_t number, uint32_t bytes)
    {
        waiting[destination].emplace_back(number, bytes);
        m_device->NotifyFrames(destination);
    }

    bool ReceiveFrame(const ns3::Ptr<const ns3::Packet>& payload) override
    {
        received.emplace_back(scripts::ReadPacket(payload).first, ns3::Simulator::Now());
        return true;
    }

    void NotifyLost(uint32_t destination, ns3::Ptr<const ns3::Packet> payload) override
    {
        const auto frame = scripts::ReadPacket(payload);
        ++lost;
        ns3::Simulator::Schedule(repeatDelay,
                                 &OddlFrames::Send,
                                 this,
                                 destination,
                                 frame.first,
                                 frame.second);
    }

    /// Numbers of the received frames, and the times.
    std::vector<std::pair<uint32_t, ns3::Time>> received;
    uint32_t lost{0}; //!< Frames that were lost, and sent again

    /// The time after which lost frames are sent again.
    ns3::Time repeatDelay{ns3::MicroSeconds(1)};

  private:
    ns3::Ptr<ns3::lightpath::OpticalNetDevice> m_device; //!< Sends the frames
};

/**
 * @ingroup lightpath-tests
 * @brief Nodes on ODDL.
 */
class OddlFixture
{
  public:
    /**
     * @param helper installs ODDL
     * @param ports the number of nodes
     */
    OddlFixture(const ns3::lightpath::OddlHelper& helper, uint32_t ports)
    {
        nodes.Create(ports);
        devices = helper.Install(nodes);
        grid = ns3::DynamicCast<ns3::lightpath::WssGridChannel>(
            ns3::lightpath::FabricHelper::GetChannel(devices));
        const auto applications = ns3::lightpath::OddlHelper::GetUnits(devices);
        for (uint32_t port = 0; port < ports; ++port)
        {
            units.push_back(
                ns3::DynamicCast<ns3::lightpath::OddlControlUnit>(applications.Get(port)));
            frames.push_back(std::make_unique<OddlFrames>(grid->GetPort(port)));
        }
    }

    /**
     * @param port a port
     * @return the device of its node on the control network
     */
    ns3::Ptr<ns3::PointToPointNetDevice> GetControlDevice(uint32_t port) const
    {
        const auto node = nodes.Get(port);
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (const auto device =
                    ns3::DynamicCast<ns3::PointToPointNetDevice>(node->GetDevice(i)))
            {
                return device;
            }
        }
        return nullptr;
    }

    /**
     * @param port a port
     * @return when its first frame came in; a time before all for none
     */
    ns3::Time GetFirst(uint32_t port) const
    {
        return frames[port]->received.empty() ? ns3::Seconds(-1) : frames[port]->received[0].second;
    }

    ns3::NodeContainer nodes;                                     //!< The nodes by port
    ns3::NetDeviceContainer devices;                              //!< Their devices
    ns3::Ptr<ns3::lightpath::WssGridChannel> grid;                //!< The fabric
    std::vector<ns3::Ptr<ns3::lightpath::OddlControlUnit>> units; //!< Their control units
    std::vector<std::unique_ptr<OddlFrames>> frames;              //!< Their frames
};

/**
 * @ingroup lightpath-tests
 * @param rows the number of rows
 * @param columns the number of columns
 * @return ODDL of 8 Gb/s at each switch, 1 byte a nanosecond, with 10 ns to tune, 5 to lock and 100
 *         of fibre
 */
inline std::unique_ptr<ns3::lightpath::OddlHelper>
MakeOddl(uint32_t rows, uint32_t columns)
{
    auto helper = std::make_unique<ns3::lightpath::OddlHelper>();
    // A node of one row or column has one switch
    helper->SetBandwidth(ns3::DataRate(rows > 1 && columns > 1 ? "16Gbps" : "8Gbps"));
    helper->SetGrid(rows, columns);
    helper->DisableFlowControl();
    helper->SetChannelAttribute("TuningTime", ns3::TimeValue(ns3::NanoSeconds(10)));
    helper->SetChannelAttribute("LockTime", ns3::TimeValue(ns3::NanoSeconds(5)));
    helper->SetChannelAttribute("FibreLength", ns3::DoubleValue(50e-9 * 299792458 / 1.468));
    return helper;
}

/**
 * @ingroup lightpath-tests
 * @brief Let control messages be packets, which error models can drop.
 *
 * @param helper installs ODDL
 */
inline void
UsePackets(ns3::lightpath::OddlHelper& helper)
{
    ns3::lightpath::OddlControlNetwork network;
    network.usesUdp = true;
    helper.SetControlNetwork(network);
}

#endif /* LIGHTPATH_ODDL_FIXTURE_H */
