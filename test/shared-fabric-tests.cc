/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "test-lengths.h"
#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/link-graph-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sip-ring-helper.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A job that shares a fabric.
struct SharingJob
{
    TrainingPlan plan;           //!< Its plan
    std::vector<uint32_t> ports; //!< The ports of its ranks
    Time begin;                  //!< When it is installed
    uint32_t nIterations{1};     //!< Its iterations
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
 * @brief The test cases of several jobs on one fabric.
 */
class SharedFabricTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Two jobs that share no link take, to the tick, what each takes alone.
     *
     * @param fabric the name of the fabric
     */
    void TestApart(std::string fabric)
    {
        Seed(1);
        for (uint32_t pair = 0; pair < 50; ++pair)
        {
            const bool isForward = m_random->GetInteger(0, 3) > 0;
            const auto jobs = DrawPair(fabric);
            const auto both = Run(fabric, jobs, isForward);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto alone = Run(fabric, {jobs[i]}, isForward);
                NS_TEST_EXPECT_MSG_EQ(both[i].records,
                                      alone[0].records,
                                      "Job " << i << " of pair " << pair);
                NS_TEST_EXPECT_MSG_EQ(both[i].end, alone[0].end, "Its end");
                NS_TEST_EXPECT_MSG_GT(both[i].end, jobs[i].begin, "It has ended");
            }
        }
    }

    /**
     * Jobs that share links, circuits and ports one after the other take the same time, message by
     * message and computed.
     *
     * @param fabric the name of the fabric
     */
    void TestForward(std::string fabric)
    {
        Seed(2);
        uint64_t forwarded = 0;
        for (uint32_t draw = 0; draw < 40; ++draw)
        {
            const auto jobs = DrawJobs(fabric == "two-leaves" ? 8 : 12, 2);
            const auto on = Run(fabric, jobs, true);
            const auto off = Run(fabric, jobs, false);
            for (uint32_t i = 0; i < jobs.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(on[i].records, off[i].records, "Job " << i << " of " << draw);
                NS_TEST_EXPECT_MSG_EQ(on[i].end, off[i].end, "Its end");
                forwarded += on[i].forwarded;
            }
        }
        NS_TEST_EXPECT_MSG_GT(forwarded, 0, "Messages that were computed");
    }

    /// Two messages on one link share it fairly: the closed form of processor sharing.
    void TestFairLink()
    {
        Seed(3);
        for (uint32_t pair = 0; pair < 50; ++pair)
        {
            // Ports 0 to 3 are on one leaf, 4 to 7 on the other, with one link up of 8 Gb/s each
            std::vector<SharingJob> jobs(2);
            std::vector<double> bytes;
            for (uint32_t i = 0; i < 2; ++i)
            {
                bytes.push_back(m_random->GetInteger(100000, 10000000));
                RankProgram sender;
                sender.AddTask(Message(TaskKind::SEND, 1, 0, static_cast<uint64_t>(bytes.back())));
                RankProgram receiver;
                receiver.AddTask(
                    Message(TaskKind::RECEIVE, 0, 0, static_cast<uint64_t>(bytes.back())));
                jobs[i].plan = MakePlan({sender, receiver});
                jobs[i].ports = {2 * i + m_random->GetInteger(0, 1),
                                 4 + 2 * i + m_random->GetInteger(0, 1)};
            }
            const auto outcomes = Run("two-leaves", jobs, true);
            const double least = std::min(bytes[0], bytes[1]) + HEADERS;
            for (uint32_t i = 0; i < 2; ++i)
            {
                const double size = bytes[i] + HEADERS;
                // One byte takes 1 ns; the path is three hops of 500 ns long at most
                const double expected = size > least ? size + least : 2 * least;
                NS_TEST_EXPECT_MSG_EQ_TOL((outcomes[i].end.GetSeconds() * 1e9),
                                          expected,
                                          3000,
                                          "Job " << i << " of pair " << pair);
            }
        }
    }

    /**
     * A job whose circuits are its own does not feel another one, whose circuits lie beside them on
     * the same fibres.
     */
    void TestOwnCircuits()
    {
        Seed(4);
        for (uint32_t pair = 0; pair < 200; ++pair)
        {
            const auto jobs = DrawPair("sip-ring-own");
            const auto both = Run("sip-ring-own", jobs, true);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto alone = Run("sip-ring-own", {jobs[i]}, true);
                NS_TEST_EXPECT_MSG_EQ(both[i].records, alone[0].records, "Records of " << pair);
                NS_TEST_EXPECT_MSG_EQ(both[i].end, alone[0].end, "End of " << pair);
            }
        }
    }

    /**
     * What the ranks of a job send, they receive, whichever jobs begin, end and wait for repairs
     * meanwhile.
     *
     * @param fabric the name of the fabric
     * @param scripts the number of scripts
     */
    void TestBytes(std::string fabric, uint32_t scripts)
    {
        Seed(5);
        for (uint32_t script = 0; script < scripts; ++script)
        {
            const auto jobs = DrawJobs(12, m_random->GetInteger(2, 6));
            m_traces = true;
            m_nFailures = m_random->GetInteger(0, 4);
            const auto outcomes = Run(fabric, jobs, true);
            m_nFailures = 0;
            m_traces = false;
            for (uint32_t i = 0; i < jobs.size(); ++i)
            {
                const uint64_t planned = jobs[i].plan.GetTraffic().GetTotal() * jobs[i].nIterations;
                NS_TEST_EXPECT_MSG_EQ(outcomes[i].sent, planned, "Sent by job " << i);
                NS_TEST_EXPECT_MSG_EQ(outcomes[i].received, planned, "Received by job " << i);
            }
        }
    }

    /// A port serves one job at a time, and other fabrics refuse to be shared.
    void TestRefusals()
    {
        Seed(6);
        NodeContainer nodes(4);
        const auto helper = InterconnectHelper::Create("electrical");
        helper->SetBandwidth(DataRate("8Gbps"));
        const auto devices = helper->Install(nodes);
        NetDeviceContainer some(devices.Get(2), devices.Get(1));
        TrainingHelper training;
        training.Install(DrawPlan(2), some, nullptr);
        const std::string twice = GetAbort([&] { training.Install(DrawPlan(2), some, nullptr); });
        EXPECT_PART(twice, "it carries one at a time");
        Simulator::Destroy();
        for (const std::string fabric : {"oddl", "optinc"})
        {
            NodeContainer others(4);
            const auto other = InterconnectHelper::Create(fabric);
            other->SetBandwidth(DataRate("512Gbps"));
            const auto all = other->Install(others);
            const std::string refusal = GetAbort([&] {
                training.Install(DrawPlan(2), {all.Get(2), all.Get(1)}, nullptr);
            });
            EXPECT_PART(refusal, "A job on some of the ports of a fabric");
            Simulator::Destroy();
        }
    }

  private:
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
        const bool isApart = fabric != "electrical" && fabric != "sip-ring-own";
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
     *        and own in a name gives each half of the ports wavelengths of its own
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
            helper = InterconnectHelper::Create(name.substr(0, name.find("-own")));
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
        const bool isLeaves = fabric == "two-leaves";
        NodeContainer nodes(isOwn || isLeaves ? 8 : 12);
        const auto helper = MakeFabric(fabric);
        const auto devices = helper->Install(nodes);
        const auto channel = DynamicCast<FabricChannel>(devices.Get(0)->GetChannel());
        const auto controller = isOwn ? nullptr : helper->CreateController(devices);
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
                NetDeviceContainer own;
                for (const uint32_t port : jobs[i].ports)
                {
                    own.Add(devices.Get(port));
                }
                training.SetJobAttribute("Iterations", UintegerValue(jobs[i].nIterations));
                const auto ranks = training.Install(jobs[i].plan, own, controller);
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
    uint32_t m_nFailures{0};             //!< Failures of a run
    bool m_traces{false};                //!< Messages are counted
};

} // namespace

/// Registers the test cases
static const SuiteCases g_sharedFabricCases(
    "lightpath-shared-fabric",
    {{MakeCase("Two jobs share a link fairly", &SharedFabricTests::TestFairLink),
      MakeCase("A job does not feel others beside its own circuits",
               &SharedFabricTests::TestOwnCircuits),
      MakeCase("What cannot be shared is refused", &SharedFabricTests::TestRefusals)},
     MakeCases("Two jobs apart take what they take alone",
               &SharedFabricTests::TestApart,
               {{"electrical"}, {"two-leaves"}}),
     MakeCases("Jobs that share a fabric take the same time, message by message and computed",
               &SharedFabricTests::TestForward,
               {{"electrical"}, {"two-leaves"}, {"sip-ring"}, {"sip-ocs"}}),
     MakeCases("What jobs send, they receive",
               &SharedFabricTests::TestBytes,
               {{"sip-ring", 96}, {"sip-ocs", 96}, {"leaf-spine-flows", 64}})});
