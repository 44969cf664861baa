/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-slice.h"

#include "helper/optical/refusal.h"
#include "model/training/run/job-ports.h"

#include "ns3/abort.h"
#include "ns3/circuit-transport.h"
#include "ns3/optical-net-device.h"
#include "ns3/wss-grid-channel.h"

#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

std::shared_ptr<const JobPorts>
JobSlice::FindPorts(const NetDeviceContainer& devices)
{
    std::vector<uint32_t> ports;
    Ptr<FabricChannel> channel;
    for (uint32_t rank = 0; rank < devices.GetN(); ++rank)
    {
        const auto device = DynamicCast<OpticalNetDevice>(devices.Get(rank));
        if (!device)
        {
            return nullptr;
        }
        const auto fabric = DynamicCast<FabricChannel>(device->GetChannel());
        NS_ABORT_MSG_IF(rank > 0 && fabric != channel,
                        "Devices 0 and " << rank << " of a training job belong to two fabrics: "
                                         << "give devices of one fabric");
        channel = fabric;
        ports.push_back(device->GetPort());
    }
    std::shared_ptr<const JobPorts> found;
    const std::string refusal = GetRefusal(
        [&] { found = std::make_shared<JobPorts>(std::move(ports), channel->GetNDevices()); });
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    const auto grid = DynamicCast<WssGridChannel>(channel);
    const bool isPart = devices.GetN() < channel->GetNDevices();
    NS_ABORT_MSG_IF(grid && isPart && !found->IsRectangle(grid->GetNColumns()),
                    "A job on some of the ports of ODDL must have all those in some rows and some "
                    "columns of the grid, as its frames may pass any corner between them");
    return found->IsWholeFabric() ? nullptr : found;
}

void
JobSlice::SharePorts(Transport& transport, std::shared_ptr<const JobPorts> ports)
{
    if (!ports)
    {
        return;
    }
    const bool isCircuit = transport.GetInstanceTypeId() == CircuitTransport::GetTypeId();
    NS_ABORT_MSG_UNLESS(isCircuit,
                        "A job on some of the ports of a fabric, or on ports in another order than "
                        "its ranks, needs circuits, a crossbar or a network of links with the "
                        "CircuitTransport: "
                            << transport.GetInstanceTypeId().GetName()
                            << " serves rank r on port r of all ports");
    dynamic_cast<CircuitTransport&>(transport).SetPorts(std::move(ports));
}

void
JobSlice::ReleaseWhenFinished(TrainingJob& job, const std::vector<Ptr<Transport>>& transports)
{
    std::vector<CircuitTransport*> circuits;
    for (const auto& transport : transports)
    {
        if (transport->GetInstanceTypeId() == CircuitTransport::GetTypeId())
        {
            circuits.push_back(dynamic_cast<CircuitTransport*>(PeekPointer(transport)));
        }
    }
    job.TraceConnectWithoutContext("Finished", Callback<void>([circuits] {
                                       for (CircuitTransport* const each : circuits)
                                       {
                                           each->Release();
                                       }
                                   }));
}

} // namespace lightpath
} // namespace ns3
