/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-options.h"

#include "option-values.h"

#include "ns3/cluster-helper.h"
#include "ns3/electrical-switch-helper.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
ServerOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: servers and the electrical switch", {"electrical", "cluster"});
    options.AddValue("serverGpus", "GPUs of a server", m_gpus);
    options.BeginGroup("Fabric: servers and the electrical switch");
    options.AddValue("serverRate", "Rate of one GPU inside its server, like 2400Gbps", m_rate);
    options.AddValue("serverDelay", "Delay inside a server, like 1us", m_serverDelay);
    options.BeginGroup("Fabric: servers and the electrical switch", {"electrical"});
    options.AddValue("delay", "Delay of the electrical switch, like 5us", m_delay);
}

void
ServerOptions::Check() const
{
    CheckRange("serverGpus", m_gpus, 1, 1000000);
    ElectricalSwitchHelper electrical;
    Configure(electrical, GetGpus());
}

void
ServerOptions::SetDefaultRate(double bitRate)
{
    if (m_rate.empty() && bitRate > 0)
    {
        m_rate = std::to_string(static_cast<uint64_t>(bitRate)) + "bps";
    }
}

uint32_t
ServerOptions::GetGpus() const
{
    return static_cast<uint32_t>(m_gpus);
}

void
ServerOptions::Configure(InterconnectHelper& fabric, uint32_t serverGpus) const
{
    if (auto* const cluster = dynamic_cast<ClusterHelper*>(&fabric))
    {
        constexpr uint32_t gpus = 8;
        cluster->SetServers(m_gpus > 1 ? serverGpus : gpus,
                            ParseRate(m_rate.empty() ? "2400Gbps" : m_rate));
        return;
    }
    auto* electrical = dynamic_cast<ElectricalSwitchHelper*>(&fabric);
    if (electrical == nullptr)
    {
        return;
    }
    electrical->SetDelay(ParseTime(m_delay));
    const Time serverDelay = ParseTime(m_serverDelay);
    if (m_gpus > 1)
    {
        if (m_rate.empty())
        {
            throw std::invalid_argument("--serverGpus=" + std::to_string(m_gpus) +
                                        " needs the rate inside a server: give --serverRate, like "
                                        "2400Gbps");
        }
        electrical->SetServers(serverGpus, ParseRate(m_rate), serverDelay);
    }
}
