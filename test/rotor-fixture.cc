/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-tests.h"

#include "ns3/double.h"
#include "ns3/node-container.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::lightpath;

RotorFixture::RotorFixture(RotorHelper fabric, uint32_t size, double speedUp)
{
    fabric.SetBandwidth(
        DataRate(static_cast<uint64_t>(fabric.GetSchedule(size)->GetNUplinks() * 8e9 / speedUp)));
    fabric.SetChannelAttribute("FibreLength", DoubleValue(0));
    fabric.DisableFlowControl();
    devices = fabric.Install(NodeContainer(size));
    channel = DynamicCast<RotorChannel>(FabricHelper::GetChannel(devices));
    for (uint32_t rank = 0; rank < size; ++rank)
    {
        const auto transport = CreateObject<RotorTransport>();
        transport->SetDevice(DynamicCast<OpticalNetDevice>(devices.Get(rank)));
        transport->SetPartCallback(Callback<void, uint32_t, uint64_t, uint64_t, uint64_t>(
            [this](uint32_t, uint64_t tag, uint64_t, uint64_t bytes) {
                received += bytes;
                ends[tag] = Simulator::Now();
            }));
        transports.push_back(transport);
    }
}

RotorFixture::~RotorFixture()
{
    for (const auto& transport : transports)
    {
        transport->Dispose();
    }
    Simulator::Destroy();
}

void
RotorFixture::Send(Time at, uint32_t source, uint32_t rank, uint64_t bytes)
{
    Simulator::Schedule(at, &Transport::Send, transports[source], rank, m_nMessages++, bytes);
}

uint64_t
RotorFixture::RunUntil(uint32_t cycles)
{
    Simulator::Stop(TimeStep(channel->GetClock().GetCycle()) * static_cast<int64_t>(cycles) -
                    Simulator::Now());
    Simulator::Run();
    return received;
}
