/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-options.h"

#include "option-values.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/hybrid-helper.h"
#include "ns3/oddl-helper.h"

using namespace ns3;
using namespace ns3::lightpath;

void
FabricOptions::AddTo(ProgramOptions& options)
{
    options.AddValue("bandwidth", "Rate of one GPU into the fabric, like 2Tbps", bandwidth);
    circuits.AddTo(options);
    grid.AddTo(options);
    averaging.AddTo(options);
    servers.AddTo(options);
    hybrid.AddTo(options);
    transport.AddTo(options);
    options.AddValue("frameSize",
                     "Bytes of a frame, or burst: each message is one frame",
                     frameSize);
    options.AddValue("collectiveLatency", "Time to launch a collective, like 10us", launch);
}

void
FabricOptions::Check(const std::vector<std::string>& names, int64_t gpus) const
{
    const auto fabrics = TransportOptions::GetFabrics(names);
    transport.Check(names);
    servers.Check();
    hybrid.Check();
    averaging.Check(fabrics);
    grid.Check();
    circuits.Check(fabrics, gpus);
    ParseRate(bandwidth);
    ParseFrameSize(frameSize);
    ParseTime(launch);
}

std::unique_ptr<InterconnectHelper>
FabricOptions::MakeFabric(const std::string& name, int64_t gpus, uint32_t serverGpus) const
{
    const std::string parts = name.substr(0, name.find(':'));
    Require(InterconnectHelper::CheckName(parts));
    auto fabric = InterconnectHelper::Create(parts);
    const TransportOptions carrier = transport.GetFor(name);
    const DataRate rate = ParseRate(bandwidth);
    const auto* const both = dynamic_cast<const HybridHelper*>(fabric.get());
    if (!both)
    {
        Configure(carrier, rate, gpus, serverGpus, *fabric);
        Require(fabric->Check(static_cast<uint32_t>(gpus)));
        return fabric;
    }
    Configure(carrier.GetFor("optical:circuit"), rate, gpus, serverGpus, both->GetOptical());
    Configure(carrier, hybrid.GetBandwidth(), gpus, serverGpus, both->GetElectrical());
    Require(fabric->Check(static_cast<uint32_t>(gpus)));
    return fabric;
}

void
FabricOptions::Configure(const TransportOptions& carrier,
                         const DataRate& rate,
                         int64_t gpus,
                         uint32_t serverGpus,
                         InterconnectHelper& fabric) const
{
    auto* const withCircuits = dynamic_cast<CircuitFabricHelper*>(&fabric);
    if (withCircuits)
    {
        circuits.ConfigureRate(*withCircuits);
    }
    fabric.SetBandwidth(rate);
    if (auto* const channel = dynamic_cast<FabricHelper*>(&fabric))
    {
        channel->DisableFlowControl();
    }
    carrier.Configure(fabric, ParseFrameSize(frameSize));
    servers.Configure(fabric, serverGpus);
    averaging.Configure(fabric);
    if (auto* oddl = dynamic_cast<OddlHelper*>(&fabric))
    {
        grid.Configure(*oddl, !circuits.HasInitialSwitching(), gpus);
        circuits.CheckFaults(*oddl, gpus);
    }
    if (withCircuits)
    {
        circuits.Configure(*withCircuits, gpus);
    }
}
