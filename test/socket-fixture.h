/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SOCKET_FIXTURE_H
#define LIGHTPATH_SOCKET_FIXTURE_H

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/socket-transport.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Two ranks at the ends of a link of ns-3, with a transport over sockets each.
 */
class SocketPair
{
  public:
    /// A message: sender, tag, size.
    using Message = std::tuple<uint32_t, uint64_t, uint64_t>;

    /**
     * @param rate the rate of the link
     * @param delay its delay
     */
    explicit SocketPair(const std::string& rate = "100Gbps", const std::string& delay = "500ns")
    {
        nodes.Create(2);
        ns3::PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", ns3::StringValue(rate));
        link.SetDeviceAttribute("Mtu", ns3::UintegerValue(9000));
        link.SetChannelAttribute("Delay", ns3::StringValue(delay));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", ns3::StringValue("1000000p"));
        link.DisableFlowControl();
        devices = link.Install(nodes);
        ns3::InternetStackHelper().Install(nodes);
        interfaces = ns3::Ipv4AddressHelper("10.1.0.0", "255.255.0.0").Assign(devices);
        factory.SetTypeId("ns3::lightpath::SocketTransport");
    }

    /// Forget all of the simulation.
    ~SocketPair()
    {
        for (const auto& transport : transports)
        {
            transport->Dispose();
        }
        transports.clear();
        ns3::Simulator::Destroy();
    }

    SocketPair(const SocketPair&) = delete;
    SocketPair& operator=(const SocketPair&) = delete;

    /**
     * Lose packets that a node receives.
     *
     * @param node the node
     * @param share the share of packets that are lost
     * @return the error model that loses them
     */
    ns3::Ptr<ns3::RateErrorModel> Lose(uint32_t node, double share)
    {
        const auto errors = ns3::CreateObject<ns3::RateErrorModel>();
        errors->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(share);
        errors->AssignStreams(node);
        devices.Get(node)->SetAttribute("ReceiveErrorModel", ns3::PointerValue(errors));
        return errors;
    }

    /**
     * Make the transports, with the attributes that the factory has.
     *
     * @param listening how many of the ranks listen
     */
    void Install(uint32_t listening = 2)
    {
        const auto addresses = std::make_shared<std::vector<ns3::Address>>();
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            addresses->push_back(ns3::InetSocketAddress(interfaces.GetAddress(rank), 50000));
        }
        for (uint32_t rank = 0; rank < listening; ++rank)
        {
            const auto transport = factory.Create<ns3::lightpath::SocketTransport>();
            transport->SetUp(nodes.Get(rank), rank, addresses);
            transport->SetReceiveCallback(ns3::lightpath::Transport::ReceiveCallback(
                [this, rank](uint32_t source, uint64_t tag, uint64_t bytes) {
                    received[rank].emplace_back(source, tag, bytes);
                    times.push_back(ns3::Simulator::Now());
                }));
            transport->SetFailureCallback(ns3::lightpath::Transport::FailureCallback(
                [this](const std::string& sentence) { failures.push_back(sentence); }));
            transports.push_back(transport);
        }
    }

    ns3::NodeContainer nodes;                                          //!< The nodes
    ns3::NetDeviceContainer devices;                                   //!< The devices of the link
    ns3::Ipv4InterfaceContainer interfaces;                            //!< Their interfaces
    ns3::ObjectFactory factory;                                        //!< Makes the transports
    std::vector<ns3::Ptr<ns3::lightpath::SocketTransport>> transports; //!< One a rank
    std::vector<Message> received[2];  //!< What each rank has received, in order
    std::vector<ns3::Time> times;      //!< When messages were received
    std::vector<std::string> failures; //!< Why transports failed
};

#endif /* LIGHTPATH_SOCKET_FIXTURE_H */
