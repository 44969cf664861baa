/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-helper.h"

#include "cluster-helper.h"
#include "electrical-switch-helper.h"
#include "hybrid-helper.h"
#include "link-graph-helper.h"
#include "model/device/component-name.h"
#include "opt-inc-helper.h"
#include "rdma-helper.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/link-graph-channel.h"
#include "ns3/node.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @ingroup lightpath
 * @brief Installs the scale-up network of a server that consists of links between GPUs.
 */
class ScaleUpHelper : public FabricHelper
{
  public:
    /**
     * @param isRing whether only neighbours have links
     * @param rate the rate of a link
     * @param delay the delay of a link
     */
    ScaleUpHelper(bool isRing, DataRate rate, Time delay)
        : FabricHelper("ns3::lightpath::LinkGraphChannel", rate),
          m_isRing(isRing),
          m_delay(delay)
    {
    }

  private:
    void ConfigureAttached(Ptr<FabricChannel> channel) const override
    {
        const auto create = m_isRing ? &LinkGraph::CreateRing : &LinkGraph::CreateMesh;
        DynamicCast<LinkGraphChannel>(channel)->SetGraph(
            create(channel->GetNDevices(), GetBandwidth(), m_delay));
    }

    bool m_isRing; //!< Whether only neighbours have links
    Time m_delay;  //!< Delay of a link
};

} // namespace

ServerHelper::ServerHelper(std::unique_ptr<InterconnectHelper> outside)
    : m_outside(std::move(outside)),
      m_rate("2400Gbps")
{
    const std::string refusal = CheckOutside(*m_outside);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    InterconnectHelper::SetBandwidth(m_outside->GetBandwidth());
    m_attach = m_outside->GetUsualAttach(m_gpus, m_gpus);
    UpdateCards();
}

ServerHelper::~ServerHelper()
{
}

std::string
ServerHelper::CheckOutside(const InterconnectHelper& outside)
{
    if (dynamic_cast<const ServerHelper*>(&outside) || dynamic_cast<const ClusterHelper*>(&outside))
    {
        return "Servers cannot be joined by an interconnect that has servers of its own: choose "
               "another one, like leaf-spine";
    }
    return "";
}

std::vector<std::string>
ServerHelper::GetKinds()
{
    return {MESH, RING, SWITCH};
}

InterconnectHelper&
ServerHelper::GetOutside() const
{
    return *m_outside;
}

void
ServerHelper::SetServers(uint32_t gpus, DataRate rate, Time delay)
{
    m_gpus = gpus;
    m_rate = rate;
    m_delay = delay;
    UpdateCards();
}

void
ServerHelper::SetMessageDelay(Time delay)
{
    m_outside->SetMessageDelay(delay);
}

void
ServerHelper::SetKind(const std::string& kind)
{
    m_kind = kind;
}

void
ServerHelper::SetReduces(bool reduces)
{
    m_reduces = reduces;
}

void
ServerHelper::SetAttach(Attach attach, uint32_t cards)
{
    m_attach = attach;
    m_cards = cards;
    UpdateCards();
}

void
ServerHelper::SetCrossRails(bool crosses)
{
    m_crossesRails = crosses;
}

void
ServerHelper::SetCardRate(DataRate rate)
{
    m_cardRate = rate;
    UpdateCards();
}

void
ServerHelper::SetBandwidth(DataRate bandwidth)
{
    InterconnectHelper::SetBandwidth(bandwidth);
    UpdateCards();
}

void
ServerHelper::UpdateCards()
{
    // Values that do not fit together are left to Check()
    const uint32_t cards = m_attach == Attach::SERVER ? 1 : m_cards > 0 ? m_cards : m_gpus;
    const uint64_t perCard = std::max(m_gpus / std::max(cards, 1U), 1U);
    m_outside->SetBandwidth(
        m_cardRate > DataRate(0) ? m_cardRate : DataRate(perCard * GetBandwidth().GetBitRate()));
    const bool isOnePort = m_attach == Attach::RAIL || m_attach == Attach::SERVER;
    m_outside->SetServerNodes(isOnePort ? 1 : std::max(cards, 1U));
}

ServerLayout
ServerHelper::GetLayout(uint32_t nNodes) const
{
    const std::string refusal = CheckServers(nNodes);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    ServerLayout layout = ServerLayout::Create(m_attach, m_gpus, m_cards);
    layout.crossesRails = m_crossesRails;
    return layout;
}

std::string
ServerHelper::Check(uint32_t nNodes) const
{
    const std::string refusal = CheckServers(nNodes);
    // Nothing is installed outside a single server
    return !refusal.empty() || nNodes <= m_gpus
               ? refusal
               : m_outside->Check(GetLayout(nNodes).GetNPorts(nNodes));
}

std::string
ServerHelper::CheckServers(uint32_t nNodes) const
{
    if (m_gpus == 0 || m_rate.GetBitRate() == 0 || m_delay.IsStrictlyNegative())
    {
        return "There are no servers of " + std::to_string(m_gpus) + " GPUs with a rate of " +
               std::to_string(m_rate.GetBitRate()) + " bit/s and a delay of " +
               std::to_string(m_delay.GetSeconds()) +
               " s: a server has 1 GPU at least, a rate above 0 and a delay of 0 or more";
    }
    ServerLayout layout;
    const std::string refusal =
        GetRefusal([&] { layout = ServerLayout::Create(m_attach, m_gpus, m_cards); });
    for (const auto& each : {CheckKnown("scale-up network", m_kind, GetKinds()), refusal})
    {
        if (!each.empty())
        {
            return each;
        }
    }
    if (m_reduces && m_kind != SWITCH)
    {
        return "The links of a " + m_kind +
               " cannot sum what GPUs send: only the scale-up network switch can";
    }
    if (nNodes > m_gpus && layout.hasRails && nNodes % m_gpus != 0)
    {
        return std::to_string(nNodes) + " GPUs leave a server of " + std::to_string(m_gpus) +
               " incomplete, whose rails would end there: give a multiple of " +
               std::to_string(m_gpus) + ", or attach the GPUs by gpu";
    }
    const auto* const cards = dynamic_cast<const RdmaHelper*>(m_outside.get());
    const auto* const graph =
        cards ? &cards->GetGraph() : dynamic_cast<const LinkGraphHelper*>(m_outside.get());
    if (nNodes > m_gpus && graph && graph->HasRails() && layout.GetNRails() > 1)
    {
        return "A network of rails joins all of them, and servers that are attached by rail would "
               "have one such network for each of " +
               std::to_string(layout.GetNRails()) + " rails: attach the GPUs by gpu";
    }
    if (nNodes > m_gpus && dynamic_cast<const OptIncHelper*>(m_outside.get()) && !layout.hasRails &&
        layout.GetNCards() > 1)
    {
        return "An OptINC averages over all of its ports, and those of " +
               std::to_string(layout.GetNCards()) +
               " cards a server belong to as many groups: attach servers by rail or by server";
    }
    return "";
}

std::string
ServerHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    const ServerLayout layout = GetLayout(nNodes);
    const uint32_t servers = layout.GetNServers(nNodes);
    const uint32_t rails = nNodes > m_gpus ? layout.GetNRails() : 0;
    ComponentName name(component);
    if (rails == 0 && component.compare(0, 5, "rail:") == 0)
    {
        return "There is no '" + component + "': a single server has no fabric outside it";
    }
    if (name.Is("scale-up", {servers}) || name.Is("card", {servers, layout.GetNCards()}) ||
        name.Is("rail", {rails}))
    {
        return "";
    }
    // rail:K:NAME, or NAME of the only fabric between servers
    const std::string prefix = "rail:" + std::to_string(name.Get(0)) + ":";
    const bool isOfRail = component.compare(0, prefix.size(), prefix) == 0 && name.Get(0) < rails;
    const auto* const fabric = dynamic_cast<const FabricHelper*>(
        dynamic_cast<const HybridHelper*>(m_outside.get())
            ? &dynamic_cast<const HybridHelper*>(m_outside.get())->GetOptical()
            : m_outside.get());
    if (fabric && (isOfRail || rails == 1))
    {
        return fabric->CheckComponent(isOfRail ? component.substr(prefix.size()) : component,
                                      layout.GetNPorts(nNodes));
    }
    return name.GetRefusal("There is no component '" + component +
                           "': servers have scale-up:SERVER, card:SERVER:CARD, rail:RAIL and, of a "
                           "fabric with components, rail:RAIL:COMPONENT");
}

std::string
ServerHelper::CheckCut(uint32_t nNodes) const
{
    return nNodes > m_gpus ? m_outside->CheckCut(GetLayout(nNodes).GetNPorts(nNodes)) : "";
}

uint32_t
ServerHelper::GetCutUnit() const
{
    return m_gpus;
}

DataRate
ServerHelper::GetLinkRate() const
{
    const uint32_t links = m_gpus < 3 || m_kind == SWITCH ? 1 : m_kind == RING ? 2 : m_gpus - 1;
    return DataRate(m_rate.GetBitRate() / links);
}

std::unique_ptr<FabricHelper>
ServerHelper::MakeInside() const
{
    std::unique_ptr<FabricHelper> inside;
    if (m_kind == SWITCH)
    {
        auto fabric = std::make_unique<ElectricalSwitchHelper>();
        fabric->SetBandwidth(m_rate);
        fabric->SetDelay(m_delay);
        fabric->SetChannelAttribute("Reduces", BooleanValue(m_reduces));
        inside = std::move(fabric);
    }
    else
    {
        inside = std::make_unique<ScaleUpHelper>(m_kind == RING, GetLinkRate(), m_delay);
    }
    inside->DisableFlowControl();
    return inside;
}

NetDeviceContainer
ServerHelper::Install(const NodeContainer& nodes) const
{
    const uint32_t n = nodes.GetN();
    const ServerLayout layout = GetLayout(n);
    const auto inside = MakeInside();
    NetDeviceContainer devices;
    for (uint32_t first = 0; first < n; first += m_gpus)
    {
        NodeContainer server;
        for (uint32_t place = first; place < std::min(first + m_gpus, n); ++place)
        {
            server.Add(nodes.Get(place));
        }
        devices.Add(inside->Install(server));
    }
    for (uint32_t rail = 0; n > m_gpus && rail < layout.GetNRails(); ++rail)
    {
        NodeContainer cards;
        for (uint32_t port = 0; port < layout.GetNPorts(n); ++port)
        {
            cards.Add(nodes.Get(layout.GetFirstPlace(rail, port)));
        }
        devices.Add(m_outside->Install(cards));
    }
    return devices;
}

ServerDevices
ServerHelper::Split(const NetDeviceContainer& devices) const
{
    NS_ABORT_MSG_IF(devices.GetN() == 0, "A container without devices has no servers");
    // The devices between servers begin where the first node comes again
    uint32_t n = 1;
    while (n < devices.GetN() && devices.Get(n)->GetNode() != devices.Get(0)->GetNode())
    {
        ++n;
    }
    ServerDevices all;
    all.layout = GetLayout(n);
    const uint32_t rails = n < devices.GetN() ? all.layout.GetNRails() : 0;
    const uint32_t ofRail = rails > 0 ? (devices.GetN() - n) / rails : 0;
    const bool isOurs = (rails > 0) == (n > m_gpus) && n + rails * ofRail == devices.GetN() &&
                        (rails == 0 || ofRail % all.layout.GetNPorts(n) == 0);
    NS_ABORT_MSG_UNLESS(isOurs,
                        "The " << devices.GetN() << " devices are not those of servers of "
                               << m_gpus << " GPUs as they are set up now: give the container that "
                               << "Install() returned");
    for (uint32_t i = 0; i < n; ++i)
    {
        all.inside.Add(devices.Get(i));
    }
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        all.rails.emplace_back();
        for (uint32_t i = 0; i < ofRail; ++i)
        {
            all.rails.back().Add(devices.Get(n + rail * ofRail + i));
        }
    }
    return all;
}

Ipv4InterfaceContainer
ServerHelper::AssignAddresses(const NetDeviceContainer& devices) const
{
    const auto* const hybrid = dynamic_cast<const HybridHelper*>(m_outside.get());
    // All rails at once, so that no address is given twice
    NetDeviceContainer all;
    for (const auto& rail : Split(devices).rails)
    {
        all.Add(hybrid ? HybridHelper::GetElectricalDevices(rail) : rail);
    }
    const InterconnectHelper& network = hybrid ? hybrid->GetElectrical() : *m_outside;
    return all.GetN() > 0 ? network.AssignAddresses(all) : Ipv4InterfaceContainer();
}

std::vector<Ptr<CircuitController>>
ServerHelper::CreateControllers(const ServerDevices& devices) const
{
    std::vector<Ptr<CircuitController>> controllers;
    for (const auto& rail : devices.rails)
    {
        controllers.push_back(m_outside->CreateController(rail));
    }
    return controllers;
}

Ptr<CircuitController>
ServerHelper::CreateController(const NetDeviceContainer& devices) const
{
    const auto controllers = CreateControllers(Split(devices));
    NS_ABORT_MSG_IF(controllers.size() > 1,
                    "Servers on " << controllers.size() << " rails have a controller for each: "
                                  << "call CreateControllers()");
    return controllers.empty() ? nullptr : controllers.front();
}

} // namespace lightpath
} // namespace ns3
