/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-run.h"

#include "model/parallel/process-group.h"

#include "ns3/fabric-channel.h"
#include "ns3/node-container.h"
#include "ns3/photonic-channel.h"
#include "ns3/rdma-network.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

TrainingRun::TrainingRun(const InterconnectHelper& fabric, uint32_t gpus)
    : m_fabric(fabric)
{
    NodeContainer nodes;
    nodes.Create(gpus);
    fabric.Cut(nodes);
    m_devices = fabric.Install(nodes);
}

TrainingRun::~TrainingRun()
{
    Simulator::Destroy();
}

void
TrainingRun::SetFailed(const std::string& component, bool failed) const
{
    const auto channel = DynamicCast<FabricChannel>(m_devices.Get(0)->GetChannel());
    if (dynamic_cast<const ServerHelper*>(&m_fabric) != nullptr)
    {
        TrainingHelper::SetFailed(m_applications, component, failed);
    }
    else if (channel && channel->CanFail())
    {
        channel->SetFailed(component, failed);
    }
    else if (const auto cards = DynamicCast<RdmaNetwork>(m_devices.Get(0)->GetChannel()))
    {
        cards->SetFailed(component, failed);
    }
}

void
TrainingRun::AssignAddresses()
{
    m_fabric.AssignAddresses(m_devices);
}

const ApplicationContainer&
TrainingRun::Install(const TrainingHelper& training, const TrainingPlan& plan)
{
    // Those that no rank draws from
    constexpr int64_t firstStream = int64_t{1} << 32;
    InterconnectHelper::AssignStreams(m_devices, firstStream);
    m_applications = training.Install(plan, m_fabric, m_devices);
    TrainingHelper::GetJob(m_applications)
        ->SetFailureCallback(MakeBoundCallback(&TrainingRun::EndFailed, &m_failure));
    return m_applications;
}

TrainingReport
TrainingRun::Run()
{
    Simulator::Run();
    if (!m_failure.empty())
    {
        throw std::runtime_error(m_failure);
    }
    const auto job = TrainingHelper::GetJob(m_applications);
    job->GatherResults();
    TrainingReport report(job);
    report.bandwidth = static_cast<double>(m_fabric.GetBandwidth().GetBitRate());
    report.events = ProcessGroup::Sum({Simulator::GetEventCount()}).front();
    return report;
}

LightVerdict
TrainingRun::FindLight(bool turns)
{
    const auto job = TrainingHelper::GetJob(m_applications);
    const auto fabrics = job->GetFabrics();
    const auto isDark = [](const Ptr<const FabricChannel>& fabric) {
        const auto photonic = DynamicCast<const PhotonicChannel>(fabric);
        return photonic && photonic->GetPhysicalLayer() != PhotonicChannel::NONE &&
               !photonic->GetLightReport();
    };
    const auto isWaiting = [&] {
        return !job->IsFinished() && m_failure.empty() && !fabrics.empty() &&
               std::all_of(fabrics.begin(), fabrics.end(), isDark);
    };
    // Circuits that are set from the start have light at once, others once they are used
    for (Time next = TimeStep(1); isWaiting() && next < Hours(1);
         next = Max(NanoSeconds(1), 2 * next))
    {
        Simulator::Stop(next);
        Simulator::Run();
    }
    LightVerdict light;
    for (const auto& fabric : fabrics)
    {
        light.Judge(fabric, turns);
    }
    return light;
}

void
TrainingRun::EndFailed(std::string* failure, std::string sentence)
{
    *failure = sentence;
    Simulator::Stop();
    if (ProcessGroup::GetSize() > 1)
    {
        // The others would go on
        throw std::runtime_error(sentence);
    }
}
