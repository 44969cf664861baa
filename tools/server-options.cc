/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-options.h"

#include "model/base/count-noun.h"
#include "option-values.h"

#include "ns3/fabric-description.h"
#include "ns3/server-preset.h"

#include <set>
#include <stdexcept>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint64_t GIGA = 1000000000; //!< Bits in a gigabit

} // namespace

void
ServerOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Servers, below any fabric");
    options.AddValue("server",
                     "Servers that are on the market, with their cards and latencies: " +
                         JoinList(ServerPreset::GetNames()),
                     m_preset);
    options.AddValue("serverGpus",
                     "GPUs of a server, 1 for no servers; default: those of --server, or 1, or 8 "
                     "with cluster, mixnet, photonic-rails, rail-only",
                     "",
                     [this](const std::string& text) {
                         m_gpus =
                             static_cast<uint32_t>(ParseNumber("serverGpus", text, 1, 1000000));
                     });
    options.AddValue("serverRate",
                     "Rate of one GPU inside its server, like 2.4Tbps",
                     "",
                     [this](const std::string& text) { m_rate = ParseRate(text); });
    options.AddValue("serverDelay",
                     "Delay inside a server, like 1us; default: that of --server, or 0s",
                     "",
                     [this](const std::string& text) { m_delay = ParseTime(text); });
    options.BeginGroup("Servers, below any fabric", {OWNER});
    options.AddValue("serverKind",
                     "Network inside a server: " + JoinList(ServerHelper::GetKinds()) +
                         "; default: switch, or that of --server",
                     m_kind);
    options.AddValue("serverReduces",
                     "Let switches inside servers sum, as NVLS does; default: those of --server, "
                     "if they can",
                     m_reduces);
    options.AddValue("attach",
                     "How GPUs leave a server: gpu (each has a port of one fabric), rail (card k "
                     "is on fabric k), server (all share one port), cards (some share a port); "
                     "default: rail, gpu on networks of switches like leaf-spine, server on "
                     "mixnet, or cards with fewer cards than GPUs",
                     m_attach);
    options.AddValue("cards", "Cards of a server; 0: one a GPU", m_cards, 0, 1000000);
    options.AddValue("cardRate",
                     "Rate of a card, like 400Gbps; default: that of all GPUs that share it",
                     "",
                     [this](const std::string& text) { m_cardRate = ParseRate(text); });
    options.AddValue(
        "crossRails",
        "Messages to a GPU on another rail: relay (over the network inside the "
        "server, to the GPU on that rail), refuse",
        "relay",
        [this](const std::string& text) {
            m_crosses = !ParseWord("crossRails", text, {{"relay", "1"}, {"refuse", ""}}).empty();
        });
}

const ServerPreset*
ServerOptions::GetPreset() const
{
    if (m_preset.empty())
    {
        return nullptr;
    }
    Require(ServerPreset::CheckName(m_preset));
    return &ServerPreset::Get(m_preset);
}

uint32_t
ServerOptions::GetGpus() const
{
    const ServerPreset* const preset = GetPreset();
    return m_gpus > 0 ? m_gpus : preset ? preset->gpus : m_usualGpus;
}

DataRate
ServerOptions::GetBandwidth() const
{
    const ServerPreset* const preset = GetPreset();
    return DataRate(preset ? GIGA * preset->cardRate * preset->cards / preset->gpus : 0);
}

DataRate
ServerOptions::GetRate() const
{
    const ServerPreset* const preset = GetPreset();
    if (m_rate > DataRate(0))
    {
        return m_rate;
    }
    return preset                        ? DataRate(GIGA * preset->rate)
           : m_defaultRate > DataRate(0) ? m_defaultRate
                                         : m_usualRate;
}

Time
ServerOptions::GetLatency(double Accelerator::*figure) const
{
    const ServerPreset* const preset = GetPreset();
    return preset ? Seconds(Accelerator::Create(preset->accelerator).*figure) : Time(0);
}

Time
ServerOptions::GetMessageDelay() const
{
    return GetLatency(&Accelerator::networkLatency);
}

Time
ServerOptions::GetLaunch() const
{
    return GetLatency(&Accelerator::collectiveLatency);
}

void
ServerOptions::SetAccelerator(ProgramOptions& options) const
{
    if (const ServerPreset* const preset = GetPreset())
    {
        options.SetFallback("accelerator", preset->accelerator);
    }
}

void
ServerOptions::SetDefaultRate(double bitRate)
{
    m_defaultRate = DataRate(static_cast<uint64_t>(bitRate));
}

void
ServerOptions::SetUsual(uint32_t gpus, DataRate rate)
{
    m_usualGpus = gpus;
    m_usualRate = rate;
}

void
ServerOptions::CheckCluster() const
{
    const bool isAttached = !m_attach.empty() && m_attach != "gpu";
    const bool isOther = !m_kind.empty() && m_kind != "switch";
    if (isAttached || isOther || m_cards > 0 || m_cardRate > DataRate(0) ||
        m_reduces.value_or(false) || !m_crosses)
    {
        throw std::invalid_argument("The GPUs of cluster have a card each and a switch inside the "
                                    "server: for servers of another kind, give "
                                    "--fabric=leaf-spine");
    }
}

std::unique_ptr<ServerHelper>
ServerOptions::MakeServers(std::unique_ptr<InterconnectHelper> outside,
                           uint32_t perServer,
                           DataRate bandwidth) const
{
    Require(ServerHelper::CheckOutside(*outside));
    const DataRate rate = GetRate();
    if (rate == DataRate(0))
    {
        throw std::invalid_argument("--serverGpus=" + std::to_string(perServer) +
                                    " needs the rate inside a server: give --serverRate, like "
                                    "2.4Tbps");
    }
    const ServerPreset* const preset = GetPreset();
    const uint32_t ofPreset = preset && perServer == preset->gpus ? preset->cards : 0;
    // Where a few GPUs of a server stand for all, each has a card
    const bool isFolded = GetGpus() > 1 && perServer != GetGpus();
    uint32_t cards = m_cards > 0 && !isFolded ? m_cards : ofPreset;
    const Attach attach = m_attach.empty()
                              ? outside->GetUsualAttach(perServer, cards > 0 ? cards : perServer)
                              : AttachName::Find(m_attach);
    if (m_cards == 0 && (attach == Attach::GPU || attach == Attach::SERVER))
    {
        cards = 0;
    }
    auto servers = std::make_unique<ServerHelper>(std::move(outside));
    servers->SetServers(perServer,
                        rate,
                        m_delay ? *m_delay : GetLatency(&Accelerator::serverLatency));
    servers->SetKind(!m_kind.empty() ? m_kind : preset ? preset->kind : "switch");
    servers->SetReduces(m_reduces.value_or(preset && preset->reduces && m_kind.empty()));
    servers->SetAttach(attach, cards);
    servers->SetCrossRails(m_crosses);
    servers->SetBandwidth(bandwidth);
    servers->SetCardRate(m_cardRate);
    return servers;
}

nlohmann::ordered_json
ServerOptions::GetJson(const ServerHelper& servers, const TrainingPlan& plan)
{
    const auto gpus = static_cast<uint32_t>(plan.programs.size());
    const ServerLayout layout = servers.GetLayout(gpus);
    const bool isOne = layout.GetNServers(gpus) == 1;
    const uint32_t rails = isOne ? 0 : layout.GetNRails();
    const TrafficMatrix traffic =
        plan.placement.IsLinear() ? plan.GetTraffic() : plan.OnPorts().GetTraffic();
    // An average takes all ports
    const bool averages = FabricDescription::Create(servers)->GetLimits(gpus).averagedBits > 0;
    std::size_t used = averages ? rails * layout.GetNPorts(gpus) : 0;
    for (uint32_t rail = 0; !averages && rail < rails; ++rail)
    {
        const TrafficMatrix ofRail = layout.GetRailTraffic(traffic, rail);
        std::set<uint32_t> ports;
        for (uint32_t port = 0; port < ofRail.GetSize(); ++port)
        {
            for (const auto& entry : ofRail.GetRow(port))
            {
                ports.insert(port);
                ports.insert(entry.first);
            }
        }
        used += ports.size();
    }
    return {{"servers", layout.GetNServers(gpus)},
            {"gpus", layout.gpus},
            {"cards", layout.GetNCards()},
            {"fabrics", rails},
            {"ports", rails * layout.GetNPorts(gpus)},
            {"usedPorts", used}};
}

std::string
ServerOptions::GetText(const nlohmann::ordered_json& servers)
{
    const uint32_t fabrics = servers.at("fabrics");
    const uint32_t ports = servers.at("ports");
    std::string text = CountNoun(servers.at("servers"), "server") + " of " +
                       CountNoun(servers.at("gpus"), "GPU") + " and " +
                       CountNoun(servers.at("cards"), "card");
    if (fabrics > 0)
    {
        text += ", " + CountNoun(fabrics, "fabric") + " of " + CountNoun(ports / fabrics, "port") +
                " between them" + (fabrics > 1 ? ", one for each rail, " : ", ") +
                std::to_string(servers.at("usedPorts").get<uint32_t>()) + " of " +
                std::to_string(ports) + " ports used";
    }
    return text;
}
