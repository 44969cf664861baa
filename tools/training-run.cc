/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-run.h"

#include "ns3/hybrid-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

TrainingRun::TrainingRun(const InterconnectHelper& fabric, uint32_t gpus)
    : m_fabric(fabric)
{
    NodeContainer nodes;
    nodes.Create(gpus);
    m_devices = fabric.Install(nodes);
}

TrainingRun::~TrainingRun()
{
    Simulator::Destroy();
}

Ptr<FabricChannel>
TrainingRun::GetChannel() const
{
    return DynamicCast<FabricChannel>(m_devices.Get(0)->GetChannel());
}

void
TrainingRun::AssignAddresses()
{
    m_fabric.AssignAddresses(m_devices);
}

const ApplicationContainer&
TrainingRun::Install(const TrainingHelper& training, const TrainingPlan& plan)
{
    const auto controller =
        plan.programs.size() > 1 ? m_fabric.CreateController(m_devices) : nullptr;
    if (dynamic_cast<const HybridHelper*>(&m_fabric) != nullptr)
    {
        m_applications = training.InstallHybrid(plan,
                                                HybridHelper::GetOpticalDevices(m_devices),
                                                HybridHelper::GetElectricalDevices(m_devices),
                                                controller);
    }
    else
    {
        m_applications = training.Install(plan, m_devices, controller);
    }
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
    TrainingReport report(TrainingHelper::GetJob(m_applications), GetChannel());
    report.bandwidth = static_cast<double>(m_fabric.GetBandwidth().GetBitRate());
    report.events = Simulator::GetEventCount();
    return report;
}

void
TrainingRun::EndFailed(std::string* failure, std::string sentence)
{
    *failure = sentence;
    Simulator::Stop();
}
