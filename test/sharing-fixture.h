/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SHARING_FIXTURE_H
#define LIGHTPATH_SHARING_FIXTURE_H

#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/double.h"
#include "ns3/link-graph-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// A job that shares a fabric.
struct SharingJob
{
    TrainingPlan plan;           //!< Its plan
    std::vector<uint32_t> ports; //!< The ports of its ranks
    Time begin;                  //!< When it is installed
    uint32_t nIterations{1};     //!< Its iterations
    double weight{1};            //!< The weight of its demand
};

/// The outcome of a job.
struct SharingOutcome
{
    Time end;              //!< When it ended; zero if it has not
    std::string records;   //!< What its ranks have done in each iteration, from its begin on
    uint64_t sent{0};      //!< Bytes of the messages that its ranks have sent
    uint64_t received{0};  //!< Bytes of those that they have received
    uint64_t forwarded{0}; //!< Messages that were computed
};

/**
 * @ingroup lightpath-tests
 * @brief Draws jobs and runs them on one fabric.
 */
class SharingFixture : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * @param stream the number of the stream of random numbers
     */
    void Seed(int64_t stream)
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(700 + stream);
    }

    /**
     * @param n the number of ranks
     * @return a plan of sums and messages between computations
     */
    TrainingPlan DrawPlan(uint32_t n)
    {
        std::vector<RankProgram> programs(n);
        std::vector<std::vector<uint32_t>> last(n);
        const uint32_t layers = m_random->GetInteger(1, 4);
        const double scale = m_random->GetInteger(0, 1) == 0 ? 1e-6 : 2e-5;
        for (uint32_t layer = 0; layer < layers; ++layer)
        {
            const bool isSum = m_random->GetInteger(0, 2) > 0;
            Task sum = Collective(CollectiveKind::ALL_REDUCE, m_random->GetInteger(n, 90000));
            sum.operation = layer;
            sum.options.algorithm = CollectiveAlgorithm::RING;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                RankProgram& program = programs[rank];
                const uint32_t computed =
                    program.AddTask(Compute(scale * m_random->GetValue(0.1, 2)), last[rank]);
                last[rank] = {computed};
                if (isSum)
                {
                    last[rank].push_back(program.AddTask(sum, {computed}));
                    continue;
                }
                const uint64_t bytes = 1000 * sum.operation + sum.bytes;
                program.AddTask(Message(TaskKind::SEND, (rank + 1) % n, 100 + layer, bytes),
                                {computed});
                last[rank].push_back(program.AddTask(
                    Message(TaskKind::RECEIVE, (rank + n - 1) % n, 100 + layer, bytes),
                    {computed}));
            }
        }
        return MakePlan(programs);
    }

    /**
     * @param ports the ports to choose from
     * @param n the number of ranks
     * @param begin when it begins
     * @return a job on some of the ports
     */
    SharingJob DrawJob(std::vector<uint32_t> ports, uint32_t n, Time begin)
    {
        for (uint32_t i = ports.size(); i > 1; --i)
        {
            std::swap(ports[i - 1], ports[m_random->GetInteger(0, i - 1)]);
        }
        ports.resize(n);
        return {DrawPlan(n), ports, begin, m_random->GetInteger(1, 3)};
    }

    /**
     * @param fabric the name of the fabric
     * @return two jobs that share no link of it
     */
    std::vector<SharingJob> DrawPair(const std::string& fabric)
    {
        std::vector<SharingJob> jobs;
        // On leaves and rings of their own, or on ports with even and odd numbers
        const bool isApart = fabric == "two-leaves";
        for (uint32_t i = 0; i < 2; ++i)
        {
            std::vector<uint32_t> ports;
            for (uint32_t k = 0; k < 4; ++k)
            {
                ports.push_back(isApart ? 4 * i + k : 2 * k + i);
            }
            jobs.push_back(DrawJob(ports,
                                   m_random->GetInteger(2, 4),
                                   NanoSeconds(m_random->GetInteger(0, 40000))));
        }
        return jobs;
    }

    /**
     * Draw jobs of which each takes ports that no other has at its time; ports of jobs that have
     * ended are taken again by jobs that begin a long time later.
     *
     * @param nPorts the number of ports
     * @param most the number of jobs
     * @return the jobs
     */
    std::vector<SharingJob> DrawJobs(uint32_t nPorts, uint32_t most)
    {
        std::vector<SharingJob> jobs;
        for (uint32_t wave = 0; wave < 2; ++wave)
        {
            uint32_t first = 0;
            for (uint32_t i = 0; i < most && first + 2 <= nPorts; ++i)
            {
                const uint32_t n = std::min(m_random->GetInteger(2, 6), nPorts - first);
                std::vector<uint32_t> ports;
                // Each second port, so that the arcs and links of the jobs overlap
                for (uint32_t k = first; k < first + n; ++k)
                {
                    ports.push_back(k * 5 % nPorts);
                }
                first += n;
                jobs.push_back(DrawJob(ports,
                                       n,
                                       MilliSeconds(100 * wave) +
                                           NanoSeconds(m_random->GetInteger(0, 40000))));
            }
        }
        return jobs;
    }

    /**
     * @param name the name of a fabric; two-leaves has two leaves of four ports with one link up,
     *        own in a name gives each half of the ports wavelengths of its own, and sliced each job
     *        a slice
     * @return the helper that installs it
     */
    static std::unique_ptr<InterconnectHelper> MakeFabric(const std::string& name)
    {
        DataRate bandwidth("8Gbps");
        std::unique_ptr<InterconnectHelper> helper;
        if (name == "two-leaves")
        {
            auto leaves = std::make_unique<LinkGraphHelper>(LinkGraphHelper::LEAF_SPINE);
            leaves->SetNodesPerLeaf(4);
            leaves->SetOversubscription(4);
            helper = std::move(leaves);
        }
        else
        {
            helper = InterconnectHelper::Create(
                name.substr(0, std::min(name.find("-own"), name.find("-sliced"))));
        }
        if (auto* const ring = dynamic_cast<SipRingHelper*>(helper.get()))
        {
            ring->SetNFibres(1);
            bandwidth = DataRate("16Gbps"); // of which each direction has half
        }
        if (auto* const circuits = dynamic_cast<CircuitFabricHelper*>(helper.get()))
        {
            circuits->SetWavelengthRate(DataRate("1Gbps"));
            circuits->SetChannelAttribute("SwitchingDelay", StringValue("2us"));
            circuits->SetChannelAttribute("PauseMode", StringValue("Partial"));
            circuits->SetControllerAttribute("Trigger", StringValue("Periodic"));
            circuits->SetControllerAttribute("DecisionInterval", StringValue("15us"));
        }
        helper->SetBandwidth(bandwidth);
        if (name.find("-sliced") != std::string::npos)
        {
            if (auto* const switches = dynamic_cast<SipOcsHelper*>(helper.get()))
            {
                switches->SetNSwitches(8);
            }
            dynamic_cast<CircuitFabricHelper&>(*helper).SetSlices(2);
        }
        return helper;
    }

    /**
     * Light circuits between all ports of even numbers on the lower wavelengths, and between those
     * of odd numbers on the upper ones.
     *
     * @param channel a ring of eight ports with eight wavelengths
     */
    static void LightOwnCircuits(OpticalChannel& channel)
    {
        CircuitPlan plan;
        for (uint32_t half = 0; half < 2; ++half)
        {
            // Clockwise from each port, one wavelength to each distance: an arc of three hops and
            // one of one hop close the circle
            for (uint32_t k = 0; k < 4; ++k)
            {
                const uint32_t source = 2 * k + half;
                plan.AddLane(source, (source + 2) % 8, {0, 4 * half});
                plan.AddLane(source, (source + 4) % 8, {0, 4 * half + 1 + k % 2});
                plan.AddLane(source, (source + 6) % 8, {1, 4 * half});
            }
        }
        channel.Configure(plan);
    }

    /**
     * @param fabric the name of the fabric
     * @param jobs the jobs
     * @param isForward whether FastForward is on
     * @return the outcome of each job
     */
    std::vector<SharingOutcome> Run(const std::string& fabric,
                                    const std::vector<SharingJob>& jobs,
                                    bool isForward)
    {
        const bool isOwn = fabric.find("-own") != std::string::npos;
        const bool isSliced = fabric.find("-sliced") != std::string::npos;
        NodeContainer nodes(isOwn || isSliced || fabric == "two-leaves" ? 8 : 12);
        const auto helper = MakeFabric(fabric);
        std::vector<NetDeviceContainer> slices;
        std::vector<Ptr<CircuitController>> controllers;
        for (uint32_t slice = 0; slice < (isSliced ? 2 : 1); ++slice)
        {
            slices.push_back(helper->Install(nodes));
            controllers.push_back(isOwn ? nullptr : helper->CreateController(slices.back()));
        }
        const auto channel = DynamicCast<FabricChannel>(slices[0].Get(0)->GetChannel());
        if (isOwn)
        {
            LightOwnCircuits(*DynamicCast<OpticalChannel>(channel));
        }
        std::vector<SharingOutcome> outcomes(jobs.size());
        std::vector<Ptr<TrainingJob>> running(jobs.size());
        TrainingHelper training;
        training.SetJobAttribute("FastForward", BooleanValue(isForward));
        training.SetJobAttribute("StallTimeout", StringValue("100ms"));
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            Simulator::Schedule(jobs[i].begin, [&, i] {
                const std::size_t slice = isSliced ? m_firstSlice + i : 0;
                NetDeviceContainer own;
                for (const uint32_t port : jobs[i].ports)
                {
                    own.Add(slices[slice].Get(port));
                }
                training.SetJobAttribute("Weight", DoubleValue(jobs[i].weight));
                training.SetJobAttribute("Iterations", UintegerValue(jobs[i].nIterations));
                const auto ranks = training.Install(jobs[i].plan, own, controllers[slice]);
                running[i] = TrainingHelper::GetJob(ranks);
                Watch(ranks, outcomes[i]);
            });
        }
        DrawFailures(fabric, channel);
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            Record(*running[i], jobs[i].begin, outcomes[i]);
        }
        Simulator::Destroy();
        return outcomes;
    }

    /**
     * Let components fail for a while.
     *
     * @param fabric the name of the fabric
     * @param channel the fabric
     */
    void DrawFailures(const std::string& fabric, Ptr<FabricChannel> channel)
    {
        for (uint32_t i = 0; i < m_nFailures; ++i)
        {
            const std::string port = std::to_string(i + 1);
            const std::string component = fabric == "sip-ring"  ? "segment:" + port + ":cw"
                                          : fabric == "sip-ocs" ? "port:0:" + port
                                                                : "link:gpu-" + port + ":leaf-0";
            const Time at =
                MilliSeconds(100 * (i % 2)) + NanoSeconds(m_random->GetInteger(1, 100000));
            Simulator::Schedule(at, [channel, component] { channel->SetFailed(component, true); });
            Simulator::Schedule(at + MicroSeconds(m_random->GetInteger(1, 50)),
                                [channel, component] { channel->SetFailed(component, false); });
        }
    }

    /**
     * @param ranks the applications of a job
     * @param [out] outcome its outcome, which outlives the job
     */
    void Watch(const ApplicationContainer& ranks, SharingOutcome& outcome) const
    {
        TrainingHelper::GetJob(ranks)->TraceConnectWithoutContext(
            "Finished",
            Callback<void>([&outcome] { outcome.end = Simulator::Now(); }));
        for (uint32_t rank = 0; m_traces && rank < ranks.GetN(); ++rank)
        {
            using Note = Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>;
            ranks.Get(rank)->TraceConnectWithoutContext(
                "MessageSent",
                Note([&outcome](uint32_t, uint32_t, uint64_t, uint64_t bytes) {
                    outcome.sent += bytes;
                }));
            ranks.Get(rank)->TraceConnectWithoutContext(
                "MessageReceived",
                Note([&outcome](uint32_t, uint32_t, uint64_t, uint64_t bytes) {
                    outcome.received += bytes;
                }));
        }
    }

    /**
     * @param job a job that has ended
     * @param begin when it began
     * @param [out] outcome gets what its ranks have done
     */
    static void Record(const TrainingJob& job, Time begin, SharingOutcome& outcome)
    {
        std::ostringstream text;
        for (uint32_t rank = 0; rank < job.GetRanks().size(); ++rank)
        {
            const auto& application = job.GetRanks()[rank];
            outcome.forwarded += job.GetForwarded(rank);
            text << "\n" << application->GetProgress();
            text << " " << application->GetTransport()->GetSentBytes();
            for (const IterationRecord& record : application->GetRecords())
            {
                text << " " << record.begin - begin << " " << record.end - begin;
            }
        }
        outcome.records = text.str();
    }

    Ptr<UniformRandomVariable> m_random; //!< A source of random numbers
    uint32_t m_firstSlice{0};            //!< Slice of the first job
    uint32_t m_nFailures{0};             //!< Failures of a run
    bool m_traces{false};                //!< Messages are counted
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_SHARING_FIXTURE_H */
