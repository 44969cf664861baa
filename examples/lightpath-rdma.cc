/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows cards for RDMA over Ethernet without any training: many nodes on a leaf-spine network send
 * to one at the same time, with each of the congestion controls.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-rdma --senders=15"
 * or else by build/lightpath-rdma --senders=15.
 */

#include "ns3/command-line.h"
#include "ns3/rdma-card.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-net-device.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-switch.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint32_t senders = 15;
    uint64_t bytes = 2000000;
    bool pcap = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Send from many nodes to one by RDMA over Ethernet.");
    cmd.AddValue("senders", "Nodes that send", senders);
    cmd.AddValue("bytes", "Bytes that each sends", bytes);
    cmd.AddValue("pcap", "Write what the receiver sees to lightpath-rdma-NAME.pcap", pcap);
    cmd.Parse(argc, argv);
    Time::SetResolution(Time::PS);

    std::cout << "control   last message  longest queue  marks  pauses  lost\n";
    for (const std::string& name : RdmaHelper::GetCongestions())
    {
        NodeContainer nodes(senders + 1);
        RdmaHelper helper(RdmaHelper::MakeGraph("leaf-spine"));
        helper.SetBandwidth(DataRate("100Gbps"));
        helper.SetCongestion(name);
        helper.SetSwitchAttribute("Buffer", UintegerValue(8 << 20));
        const NetDeviceContainer devices = helper.Install(nodes);
        const auto network = RdmaHelper::GetNetwork(devices);

        Time last;
        const auto receiver = DynamicCast<RdmaNetDevice>(devices.Get(senders));
        receiver->SetMessageCallback(
            [&last](uint32_t, uint64_t, uint64_t) { last = Simulator::Now(); });
        uint64_t longest = 0;
        for (const auto& each : network->GetSwitches())
        {
            each->TraceConnectWithoutContext(
                "Queue",
                Callback<void, uint32_t, uint64_t>(
                    [&longest](uint32_t, uint64_t queue) { longest = std::max(longest, queue); }));
        }
        if (pcap)
        {
            helper.EnablePcap("lightpath-rdma-" + name + ".pcap", receiver, true, true);
        }
        for (uint32_t i = 0; i < senders; ++i)
        {
            DynamicCast<RdmaNetDevice>(devices.Get(i))->Post(senders, i, bytes);
        }
        Simulator::Run();
        std::cout << std::left << std::setw(8) << name << std::right << std::fixed
                  << std::setprecision(3) << std::setw(11) << last.GetSeconds() * 1e3 << " ms"
                  << std::setw(12) << static_cast<double>(longest) / 1e3 << " kB" << std::setw(7)
                  << network->GetCounts().marks << std::setw(8) << network->GetCounts().pauses
                  << std::setw(6) << network->GetCounts().drops << "\n";
        Simulator::Destroy();
    }
    return 0;
}
