/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows two training jobs beside the flows of ns-3's own dctcp-example, which dctcp-network.h has:
 * on its hosts and links, through its marking queues.
 *
 * Run it by ./ns3 run lightpath-dctcp-jobs in a tree of ns-3, or else by
 * build/lightpath-dctcp-jobs.
 */

#include "dctcp-network.h"

#include "ns3/core-module.h"
#include "ns3/lightpath-module.h"

#include <iostream>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * Install a job whose ranks compute for 10 ms and sum 1 MB up, three times.
 *
 * @param network the network
 * @param places the group of each rank, and its host in it
 * @return the applications
 */
ApplicationContainer
InstallJob(const DctcpNetwork& network,
           const std::vector<std::pair<DctcpNetwork::Group, uint32_t>>& places)
{
    Task compute;
    compute.name = "compute";
    compute.seconds = 0.01;
    Task sum;
    sum.kind = TaskKind::COLLECTIVE;
    sum.name = "sum";
    sum.collective = CollectiveKind::ALL_REDUCE;
    sum.options.algorithm = CollectiveAlgorithm::RING;
    sum.bytes = 1000000;
    const auto program = std::make_shared<RankProgram>();
    program->AddTask(sum, {program->AddTask(compute)});
    TrainingPlan plan;
    std::vector<uint32_t> ranks;
    NodeContainer nodes;
    Ipv4InterfaceContainer interfaces;
    for (const auto& [group, host] : places)
    {
        ranks.push_back(plan.programs.size());
        plan.programs.push_back(program);
        nodes.Add(network.hosts[group].Get(host));
        interfaces.Add(network.interfaces[group].Get(host));
    }
    plan.groups.resize(1);
    plan.groups[0].Add(ranks);
    TrainingHelper training;
    training.SetTransport("dctcp");
    training.SetJobAttribute("Iterations", UintegerValue(3));
    return training.Install(plan, nodes, interfaces);
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    bool flows = true;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run two training jobs beside the flows of dctcp-example.");
    cmd.AddValue("flows", "Let the forty flows send", flows);
    cmd.Parse(argc, argv);

    using Group = DctcpNetwork;
    DctcpNetwork network;
    if (flows)
    {
        network.AddFlows(Group::S1, Group::R1);
        network.AddFlows(Group::S2, Group::R2);
        network.AddFlows(Group::S3, Group::R1);
    }

    // One job among the hosts at T2, one across both switches
    const auto near = InstallJob(network, {{Group::S3, 0}, {Group::S3, 1}, {Group::R2, 0}});
    const auto far = InstallJob(network, {{Group::S1, 0}, {Group::R2, 1}, {Group::S2, 0}});
    ApplicationContainer both(near);
    both.Add(far);
    TrainingHelper::StopWhenFinished(both);
    Simulator::Run();
    std::vector<TrainingReport> reports;
    for (const auto& [name, job] : {std::make_pair("at T2", near), std::make_pair("across", far)})
    {
        reports.emplace_back(TrainingHelper::GetJob(job), nullptr);
        reports.back().fabric = name;
    }
    TrainingReport::PrintTable(std::cout, reports);
    for (const auto group : {Group::S1, Group::S2, Group::S3})
    {
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < network.sinks[group].GetN(); ++i)
        {
            bytes += DynamicCast<PacketSink>(network.sinks[group].Get(i))->GetTotalRx();
        }
        std::cout << "Flows of S" << group + 1 << ": "
                  << 8 * bytes / 1e6 / Simulator::Now().GetSeconds() << " Mb/s" << std::endl;
    }
    Simulator::Destroy();
    return 0;
}
