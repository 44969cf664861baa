/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "forward-records.h"
#include "method-case.h"
#include "model/base/ring-strides.h"
#include "model/collective/multi-ring-schedule.h"
#include "observation-text.h"
#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/error-model.h"
#include "ns3/hybrid-helper.h"
#include "ns3/job-recorder.h"
#include "ns3/pointer.h"
#include "ns3/timeline-helper.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A disturbance of a drawn job at an instant.
struct Disturbance
{
    Time at;            //!< When
    uint32_t kind{0};   //!< 0: a packet; 1: a failure; 2: a repair; 3: a sink; 4: an error model
    uint32_t port{0};   //!< The port of the device
    uint32_t peer{0};   //!< Another port
    uint32_t bytes{0};  //!< Bytes of the packet
    std::string broken; //!< What fails
};

/// A job that is drawn at random.
struct ForwardJob
{
    std::string fabric;                    //!< Name of the fabric
    std::string trigger;                   //!< When its circuits are decided
    TrainingPlan plan;                     //!< Its plan
    Time latency;                          //!< Time to launch a collective operation
    uint64_t frameSize{0};                 //!< Size of a frame; 0 for bursts
    std::vector<double> speeds;            //!< Speeds of the ranks
    std::vector<Disturbance> disturbances; //!< What happens to it
};

/// The outcome of a job.
struct ForwardOutcome
{
    std::string report;    //!< Report and records of all ranks
    uint64_t nEvents{0};   //!< Events of the simulator
    uint64_t nMessages{0}; //!< Messages that sinks have seen
};

/**
 * @ingroup lightpath-tests
 * @brief The test cases of drawn jobs whose messages are computed without an event for each.
 */
class FastForwardTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Drawn jobs take the same time to the tick with FastForward on and off; so do their timelines,
     * records and the use of lightpaths over time, which do not bring messages back.
     *
     * @param fabric the name of the fabric
     * @param trigger when its circuits are decided
     * @param jobs the number of jobs
     * @param disturbances the most disturbances of a job
     * @param rings the most rings of an operation; 0 for operations of all kinds
     * @param isObserved whether jobs have timelines and records
     */
    void TestDrawn(std::string fabric,
                   std::string trigger,
                   uint32_t jobs,
                   uint32_t disturbances,
                   uint32_t rings,
                   bool isObserved)
    {
        m_rings = rings;
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream((isObserved ? 50 : 40) + disturbances);
        uint64_t with = 0;
        uint64_t without = 0;
        for (uint32_t i = 0; i < jobs; ++i)
        {
            const ForwardJob job = DrawJob(fabric, trigger, disturbances);
            const ForwardOutcome on =
                Run(job, true, isObserved ? CreateTempDirFilename("on.json") : "");
            const ForwardOutcome off =
                Run(job, false, isObserved ? CreateTempDirFilename("off.json") : "");
            NS_TEST_EXPECT_MSG_EQ(on.report, off.report, "Job " << i << " on " << fabric);
            NS_TEST_EXPECT_MSG_EQ(on.nMessages, off.nMessages, "Messages seen of job " << i);
            with += on.nEvents;
            without += off.nEvents;
        }
        const bool isForwarded = fabric != "oddl" && fabric.find('+') == std::string::npos;
        NS_TEST_EXPECT_MSG_EQ((with < without), isForwarded, "Fewer events");
    }

  private:
    /**
     * @param fabric the name of the fabric
     * @param trigger when its circuits are decided
     * @param disturbances the most disturbances
     * @return a job
     */
    ForwardJob DrawJob(const std::string& fabric, const std::string& trigger, uint32_t disturbances)
    {
        ForwardJob job;
        job.fabric = fabric;
        job.trigger = trigger;
        const uint32_t inner = m_random->GetInteger(2, 4);
        const uint32_t n = inner * m_random->GetInteger(1, 4);
        DrawPlan(job, n, inner);
        job.latency = NanoSeconds(700 * m_random->GetInteger(0, 2));
        job.frameSize = m_random->GetInteger(0, 3) == 0 ? 4000 : 0;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            job.speeds.push_back(m_random->GetInteger(0, 3) == 0 ? m_random->GetValue(0.2, 1) : 1);
        }
        const uint32_t count =
            disturbances > 0 ? m_random->GetInteger(1, disturbances) : disturbances;
        for (uint32_t i = 0; i < count; ++i)
        {
            DrawDisturbance(job, n);
        }
        return job;
    }

    /**
     * Draw programs in which operations of two kinds of groups overlap, follow each other, and meet
     * messages of pairs.
     *
     * @param [in,out] job the job
     * @param n the number of ranks
     * @param inner the number of ranks of an inner group
     */
    void DrawPlan(ForwardJob& job, uint32_t n, uint32_t inner)
    {
        constexpr CollectiveKind kinds[] = {CollectiveKind::ALL_REDUCE,
                                            CollectiveKind::REDUCE_SCATTER,
                                            CollectiveKind::ALL_GATHER};
        job.plan.groups.resize(3);
        std::vector<uint32_t> all;
        for (uint32_t first = 0; first < n; first += inner)
        {
            std::vector<uint32_t> group;
            for (uint32_t rank = first; rank < first + inner; ++rank)
            {
                group.push_back(rank);
                all.push_back(rank);
            }
            job.plan.groups[1].Add(group);
        }
        job.plan.groups[0].Add(all);
        for (uint32_t first = 0; first < inner; ++first)
        {
            std::vector<uint32_t> group;
            for (uint32_t rank = first; rank < n; rank += inner)
            {
                group.push_back(rank);
            }
            job.plan.groups[2].Add(group);
        }
        const uint32_t sizes[] = {n, inner, n / inner};
        std::vector<RankProgram> programs(n);
        std::vector<uint32_t> computed(n); // last compute task
        std::vector<std::vector<uint32_t>> pending(n);
        const uint32_t layers = m_random->GetInteger(2, 8);
        const bool isEven = m_random->GetInteger(0, 2) == 0;
        const bool chains = m_random->GetInteger(0, 1) == 0;
        const double scale = m_random->GetInteger(0, 1) == 0 ? 1e-6 : 2e-5;
        const uint64_t most = m_random->GetInteger(0, 1) == 0 ? 3000 : 90000;
        for (uint32_t layer = 0; layer < layers; ++layer)
        {
            const double common = scale * m_random->GetValue(0.1, 2);
            const CollectiveKind kind = kinds[m_random->GetInteger(0, 2)];
            const uint64_t size = m_random->GetInteger(n, static_cast<uint32_t>(most));
            Task collective = Collective(kind, size);
            collective.group = m_random->GetInteger(0, m_rings == 0 ? 2 : 1);
            collective.operation = layer;
            DrawRings(collective, sizes[collective.group]);
            const bool waits = m_random->GetInteger(0, 2) == 0;
            const bool hasMessage = n > 1 && m_random->GetInteger(0, m_rings == 0 ? 1 : 4) == 0;
            const uint64_t bytes = m_random->GetInteger(1, static_cast<uint32_t>(most));
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                RankProgram& program = programs[rank];
                std::vector<uint32_t> after;
                if (waits)
                {
                    after.swap(pending[rank]);
                }
                if (layer > 0)
                {
                    after.push_back(computed[rank]);
                }
                const double seconds = isEven ? common : common * m_random->GetValue(0.5, 1.5);
                computed[rank] = program.AddTask(Compute(seconds), after);
                std::vector<uint32_t> before{computed[rank]};
                if (chains && !pending[rank].empty())
                {
                    before.push_back(pending[rank].back());
                }
                if (hasMessage)
                {
                    Task send = Message(TaskKind::SEND, (rank + 1) % n, 100 + layer, bytes);
                    Task receive =
                        Message(TaskKind::RECEIVE, (rank + n - 1) % n, 100 + layer, bytes);
                    pending[rank].push_back(program.AddTask(send, {computed[rank]}));
                    pending[rank].push_back(program.AddTask(receive, {computed[rank]}));
                }
                pending[rank].push_back(program.AddTask(collective, before));
            }
        }
        for (const RankProgram& program : programs)
        {
            job.plan.programs.push_back(std::make_shared<RankProgram>(program));
        }
    }

    /**
     * @param [in,out] collective an operation, to be carried out along some rings or in other ways
     * @param members the number of ranks of its group
     */
    void DrawRings(Task& collective, uint32_t members)
    {
        CollectiveOptions& options = collective.options;
        if (m_rings == 0 && m_random->GetInteger(0, 1) == 0)
        {
            constexpr CollectiveKind kinds[] = {CollectiveKind::ALL_TO_ALL,
                                                CollectiveKind::ALL_REDUCE,
                                                CollectiveKind::SEND_RECV};
            collective.collective = kinds[m_random->GetInteger(0, 2)];
            options.algorithm = CollectiveAlgorithm::DIRECT;
            return;
        }
        options.algorithm = CollectiveAlgorithm::RING;
        const uint32_t most = std::min(m_rings, RingStrides::Count(members));
        if (most > 1 && m_random->GetInteger(0, 3) > 0)
        {
            options.algorithm = CollectiveAlgorithm::MULTI_RING;
            options.rings = m_random->GetInteger(2, most);
        }
    }

    /**
     * @param [in,out] job the job
     * @param n the number of ranks
     */
    void DrawDisturbance(ForwardJob& job, uint32_t n)
    {
        Disturbance next;
        next.at = NanoSeconds(m_random->GetInteger(1, 200000));
        // Errors hit the frames that arrive first, and on several rings some arrive at one instant
        next.kind = m_random->GetInteger(0, m_rings > 1 ? 3 : 4);
        next.port = m_random->GetInteger(0, n - 1);
        next.peer = (next.port + m_random->GetInteger(1, std::max(n, 2U) - 1)) % n;
        next.bytes = m_random->GetInteger(1, 8000);
        if (next.kind == 1)
        {
            next.broken = job.fabric == "sip-ring" ? "segment:" + std::to_string(next.port) + ":cw"
                                                   : "port:0:" + std::to_string(next.port);
            // Only circuits can be chosen anew, and each failure ends
            if (job.trigger == "Once" || job.fabric.rfind("sip-", 0) != 0)
            {
                return;
            }
            Disturbance repair = next;
            repair.kind = 2;
            repair.at += MicroSeconds(m_random->GetInteger(1, 50));
            job.disturbances.push_back(repair);
        }
        if (next.kind != 2)
        {
            job.disturbances.push_back(next);
        }
    }

    /**
     * @param job a job
     * @param isForward whether FastForward is on
     * @param file the name of a timeline; empty for a job that is not observed
     * @return its outcome
     */
    ForwardOutcome Run(const ForwardJob& job, bool isForward, const std::string& file)
    {
        const auto fabric = MakeFabric(job);
        NodeContainer nodes;
        nodes.Create(job.plan.programs.size());
        const auto devices = fabric->Install(nodes);
        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(2));
        training.SetJobAttribute("CollectiveLatency", TimeValue(job.latency));
        training.SetJobAttribute("FastForward", BooleanValue(isForward));
        training.SetTransportAttribute("FrameSize", UintegerValue(job.frameSize));
        const auto applications = training.Install(job.plan, *fabric, devices);
        for (uint32_t rank = 0; rank < job.speeds.size(); ++rank)
        {
            applications.Get(rank)->SetAttribute("SpeedFactor", DoubleValue(job.speeds[rank]));
        }
        ForwardOutcome outcome;
        for (const Disturbance& disturbance : job.disturbances)
        {
            Simulator::Schedule(disturbance.at, [&outcome, disturbance, devices, applications]() {
                Disturb(disturbance, devices, applications, outcome);
            });
        }
        const auto running = TrainingHelper::GetJob(applications);
        std::ostringstream failure;
        running->SetFailureCallback(Callback<void, std::string>([&failure](std::string sentence) {
            failure << sentence << Simulator::Now();
            Simulator::Stop();
        }));
        TrainingHelper::StopWhenFinished(applications);
        std::unique_ptr<JobRecorder> recorder;
        UtilisationMeter meter;
        if (!file.empty())
        {
            recorder = std::make_unique<JobRecorder>(running, 1);
            meter.InstallAll();
            TimelineHelper timeline(file);
            // Rates of links that are shared belong to frames
            timeline.SetDetails({"messages", "frames"});
            timeline.Install(applications);
        }
        Simulator::Run();
        std::ostringstream report;
        report << TrainingReport(running).GetJson().dump() << failure.str();
        report << GetRecords(*running);
        if (!file.empty())
        {
            report << WriteRecord(recorder->GetRecord()) << WriteUse(meter);
        }
        outcome.report = report.str();
        outcome.nEvents = Simulator::GetEventCount();
        Simulator::Destroy();
        if (!file.empty())
        {
            outcome.report += WriteTimeline(file);
        }
        return outcome;
    }

    /**
     * @param job a job
     * @return the helper that installs its fabric
     */
    static std::unique_ptr<InterconnectHelper> MakeFabric(const ForwardJob& job)
    {
        auto helper = InterconnectHelper::Create(job.fabric);
        InterconnectHelper* optical = helper.get();
        if (auto* const hybrid = dynamic_cast<HybridHelper*>(helper.get()))
        {
            optical = &hybrid->GetOptical();
        }
        if (auto* const circuits = dynamic_cast<CircuitFabricHelper*>(optical);
            circuits && !job.trigger.empty())
        {
            circuits->SetWavelengthRate(DataRate("7Gbps"));
            circuits->SetChannelAttribute("SwitchingDelay", StringValue("2us"));
            // Periodic decisions read the bytes to come, or only those that wait
            const bool isBacklog = job.trigger == "Backlog";
            circuits->SetControllerAttribute("Trigger",
                                             StringValue(isBacklog ? "Periodic" : job.trigger));
            circuits->SetControllerAttribute("DemandSource",
                                             StringValue(isBacklog                   ? "Backlog"
                                                         : job.trigger == "Periodic" ? "Underway"
                                                                                     : "Planned"));
            circuits->SetControllerAttribute("DecisionInterval", StringValue("15us"));
        }
        helper->SetBandwidth(DataRate("56Gbps"));
        return helper;
    }

    /**
     * @param disturbance what happens
     * @param devices the devices
     * @param applications the applications
     * @param [in,out] outcome counts messages
     */
    static void Disturb(const Disturbance& disturbance,
                        const NetDeviceContainer& devices,
                        const ApplicationContainer& applications,
                        ForwardOutcome& outcome)
    {
        const auto device = devices.Get(disturbance.port);
        switch (disturbance.kind)
        {
        case 0:
            device->Send(Create<Packet>(std::min<uint32_t>(disturbance.bytes, device->GetMtu())),
                         devices.Get(disturbance.peer)->GetAddress(),
                         0x0800);
            break;
        case 1:
        case 2:
            DynamicCast<FabricChannel>(device->GetChannel())
                ->SetFailed(disturbance.broken, disturbance.kind == 1);
            break;
        case 3:
            applications.Get(disturbance.port)
                ->TraceConnectWithoutContext(
                    "MessageReceived",
                    Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                        std::function<void(uint32_t, uint32_t, uint64_t, uint64_t)>(
                            [&outcome](uint32_t, uint32_t, uint64_t, uint64_t) {
                                ++outcome.nMessages;
                            })));
            break;
        default:
            const auto errors = CreateObject<ReceiveListErrorModel>();
            errors->SetList({3, 5, 8});
            device->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            break;
        }
    }

    Ptr<UniformRandomVariable> m_random; //!< A source of random numbers
    uint32_t m_rings{1};                 //!< The most rings of an operation
};

} // namespace

/// Registers the test cases
static const SuiteCases g_fastForwardCases(
    "lightpath-fast-forward",
    {MakeCases("Drawn jobs take the same time, message by message and computed",
               &FastForwardTests::TestDrawn,
               {{"sip-ring", "Once", 30, 0, 1, false},
                {"sip-ocs", "Once", 30, 0, 1, false},
                {"electrical", "", 30, 0, 1, false},
                {"leaf-spine-flows", "", 20, 0, 1, false},
                {"sip-ring", "Periodic", 30, 0, 1, false},
                {"sip-ocs", "Periodic", 30, 0, 1, false},
                {"oddl", "", 10, 0, 1, false},
                {"sip-ring", "Once", 30, 4, 1, false},
                {"sip-ocs", "Once", 30, 4, 1, false},
                {"electrical", "", 40, 4, 1, false},
                {"sip-ring", "Periodic", 30, 4, 1, false},
                {"sip-ocs", "Periodic", 30, 4, 1, false},
                {"sip-ring", "Backlog", 30, 4, 1, false},
                {"sip-ocs", "Backlog", 30, 4, 4, false},
                {"sip-ocs+electrical", "Once", 10, 4, 1, false},
                {"sip-ring", "Once", 30, 0, 4, false},
                {"sip-ocs", "Once", 30, 0, 4, false},
                {"sip-ring", "Periodic", 20, 0, 2, false},
                {"sip-ocs", "Periodic", 30, 4, 4, false},
                {"sip-ring", "Once", 60, 4, 4, false},
                {"electrical", "", 20, 4, 2, false},
                {"electrical", "", 1300, 0, 0, false},
                {"electrical", "", 50, 4, 0, false},
                {"leaf-spine-flows", "", 30, 4, 0, false}}),
     MakeCases("Timelines and records show what is computed",
               &FastForwardTests::TestDrawn,
               {{"sip-ring", "Once", 12, 0, 1, true},
                {"electrical", "", 12, 0, 1, true},
                {"sip-ocs", "Periodic", 12, 0, 1, true},
                {"sip-ring", "Periodic", 12, 4, 1, true},
                {"electrical", "", 12, 4, 1, true},
                {"sip-ring", "Once", 12, 4, 4, true},
                {"sip-ocs", "Once", 12, 0, 4, true},
                {"electrical", "", 12, 2, 0, true}})});
