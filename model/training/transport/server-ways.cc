/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-ways.h"

#include "model/device/component-name.h"

#include "ns3/abort.h"
#include "ns3/optical-channel.h"

#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

void
ServerWays::SetUp(const ServerLayout& layout, uint32_t places, std::vector<Rail> rails)
{
    m_layout = layout;
    m_places = places;
    m_rails = std::move(rails);
}

void
ServerWays::SetFailed(const std::string& component, bool failed)
{
    SetMember(m_failed, component, failed);
    ComponentName name(component);
    const uint32_t nServers = m_layout.GetNServers(m_places);
    const auto nRails = static_cast<uint32_t>(m_rails.size());
    if (name.Is("rail", {nRails}))
    {
        SetMember(m_failedRails, name.Get(0), failed);
        return;
    }
    if (name.Is("card", {nServers, m_layout.GetNCards()}))
    {
        SetMember(m_failedCards, {name.Get(0), name.Get(1)}, failed);
        return;
    }
    if (name.Is("scale-up", {nServers}))
    {
        SetMember(m_failedServers, name.Get(0), failed);
        return;
    }
    // A component of a fabric, with the number of the rail in front of its name if there are
    // several
    uint32_t rail = 0;
    std::string part = component;
    const std::size_t end = component.find(':', 5);
    const bool isNumbered = component.compare(0, 5, "rail:") == 0 && end != std::string::npos;
    if (isNumbered)
    {
        ComponentName prefix(component.substr(0, end));
        rail = prefix.Is("rail", {nRails}) ? prefix.Get(0) : nRails;
        part = component.substr(end + 1);
    }
    NS_ABORT_MSG_IF((!isNumbered && nRails != 1) || rail >= nRails || !m_rails[rail].channel,
                    name.GetRefusal("There is no component '" + component +
                                    "' of servers and the fabrics between them: use rail:K for "
                                    "fabric K, card:S:C for card C of server S, scale-up:S for the "
                                    "network inside server S, or rail:K:NAME for component NAME of "
                                    "fabric K"));
    m_rails[rail].channel->SetFailed(part, failed);
}

bool
ServerWays::IsCardUp(uint32_t place) const
{
    return m_failedRails.count(m_layout.GetRail(place)) == 0 &&
           (m_failedCards.empty() || m_failedCards.count(GetCard(place)) == 0);
}

bool
ServerWays::IsUsable(uint32_t from, uint32_t to) const
{
    if (!IsCardUp(from) || !IsCardUp(to))
    {
        return false;
    }
    const Rail& rail = m_rails[m_layout.GetRail(from)];
    if (!rail.channel || rail.findsWays || !rail.channel->CanFail())
    {
        return true;
    }
    const FabricChannel* const fabric = PeekPointer(rail.channel);
    const uint32_t source = m_layout.GetPort(from);
    const uint32_t destination = m_layout.GetPort(to);
    const auto* const optical = dynamic_cast<const OpticalChannel*>(fabric);
    return optical ? optical->HasPath(source, destination)
                   : fabric->IsLinkUp(source) && fabric->IsLinkUp(destination);
}

bool
ServerWays::HasCircuit(uint32_t from, uint32_t to) const
{
    const auto* const optical =
        dynamic_cast<const OpticalChannel*>(PeekPointer(m_rails[m_layout.GetRail(from)].channel));
    return !optical ||
           !optical->GetPlan().GetLanes(m_layout.GetPort(from), m_layout.GetPort(to)).empty();
}

std::string
ServerWays::Choose(uint32_t at, uint32_t destination, Way& way) const
{
    uint32_t relay = at;
    if (m_layout.GetRail(at) != m_layout.GetRail(destination))
    {
        try
        {
            relay = m_layout.GetWay(at, destination).relay;
        }
        catch (const std::invalid_argument& error)
        {
            return error.what();
        }
    }
    way = {relay, destination};
    const bool isInsideUp = IsInsideUp(m_layout.GetServer(at));
    if ((relay == at || isInsideUp) && IsUsable(relay, destination))
    {
        return "";
    }
    if (FindDetour(at, destination, way))
    {
        return "";
    }
    std::string names;
    for (const auto& component : m_failed)
    {
        names += (names.empty() ? " (" : ", ") + component;
    }
    return "Messages of GPU " + std::to_string(at) + " cannot reach GPU " +
           std::to_string(destination) + ": the failures of " +
           (isInsideUp ? "cards and fabrics" : "its scale-up network and others") + names +
           (names.empty() ? "" : ")") +
           " have left no way between their servers; mend one, or use a plan that leaves them out";
}

std::vector<uint32_t>
ServerWays::GetCards(uint32_t place, uint32_t own) const
{
    const uint32_t first = m_layout.GetServer(place) * m_layout.gpus;
    std::vector<uint32_t> cards;
    for (uint32_t gpu = first; gpu < first + m_layout.gpus; gpu += m_layout.portGpus)
    {
        cards.push_back(GetCard(gpu) == GetCard(own) ? own : gpu);
    }
    return cards;
}

bool
ServerWays::FindDetour(uint32_t at, uint32_t destination, Way& way) const
{
    if (m_layout.hasRails && !m_layout.crossesRails)
    {
        return false;
    }
    const bool canRelay = IsInsideUp(m_layout.GetServer(at));
    const bool canExit = IsInsideUp(m_layout.GetServer(destination));
    const auto relays = GetCards(at, at);
    const auto exits = GetCards(destination, destination);
    const auto nCards = static_cast<uint32_t>(relays.size());
    uint32_t best = UINT32_MAX;
    // The cards behind that of the destination come first, so that the messages of several failed
    // cards do not all take the same one
    const uint32_t own = GetCard(destination).second;
    for (uint32_t i = 0; i < nCards; ++i)
    {
        for (uint32_t j = 0; j < nCards; ++j)
        {
            const uint32_t relay = relays[(own + i) % nCards];
            const uint32_t exit = exits[(own + j) % nCards];
            if ((relay != at && !canRelay) || (exit != destination && !canExit) ||
                m_layout.GetRail(relay) != m_layout.GetRail(exit) || !IsUsable(relay, exit))
            {
                continue;
            }
            // Waiting for a circuit may take for ever, another network only time
            const uint32_t cost = (relay != at ? 1 : 0) + (exit != destination ? 1 : 0) +
                                  (HasCircuit(relay, exit) ? 0 : 4);
            if (cost < best)
            {
                best = cost;
                way = {relay, exit};
            }
        }
    }
    return best != UINT32_MAX;
}

} // namespace lightpath
} // namespace ns3
