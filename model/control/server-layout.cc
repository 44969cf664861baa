/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-layout.h"

#include "model/base/count-noun.h"
#include "model/base/named-enum.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

const std::vector<AttachName>&
AttachName::GetAll()
{
    static const std::vector<AttachName> names{{Attach::GPU, "gpu"},
                                               {Attach::RAIL, "rail"},
                                               {Attach::SERVER, "server"},
                                               {Attach::CARDS, "cards"}};
    return names;
}

Attach
AttachName::Find(const std::string& name)
{
    const auto& all = GetAll();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const AttachName& each) {
        return each.name == name;
    });
    if (found == all.end())
    {
        throw std::invalid_argument("GPUs cannot be attached by '" + name + "': give one of " +
                                    NamedEnum::ListNames(all));
    }
    return found->value;
}

ServerLayout
ServerLayout::Create(Attach attach, uint32_t gpus, uint32_t cards)
{
    if (gpus == 0)
    {
        throw std::invalid_argument("A server has at least 1 GPU, not 0");
    }
    const bool takesCards = attach == Attach::RAIL || attach == Attach::CARDS;
    const uint32_t natural = attach == Attach::SERVER ? 1 : gpus;
    const uint32_t number = cards > 0 ? cards : natural;
    if (!takesCards && number != natural)
    {
        throw std::invalid_argument(
            CountNoun(cards, "card") + " of a server cannot be attached by '" +
            AttachName::GetAll().at(static_cast<std::size_t>(attach)).name + "', which takes " +
            std::to_string(natural) + ": attach them as rail or cards");
    }
    if (number > gpus || gpus % number != 0)
    {
        throw std::invalid_argument(CountNoun(gpus, "GPU") + " of a server cannot share " +
                                    CountNoun(number, "card") +
                                    " evenly: the number of cards must divide that of GPUs");
    }
    ServerLayout layout;
    layout.gpus = gpus;
    layout.portGpus = gpus / number;
    layout.hasRails = attach == Attach::RAIL;
    return layout;
}

ServerLayout::Way
ServerLayout::GetWay(uint32_t source, uint32_t destination) const
{
    Way way;
    way.isInside = AreInside(source, destination);
    way.relay = source;
    if (way.isInside)
    {
        way.from = GetIndex(source);
        way.to = GetIndex(destination);
        return way;
    }
    way.rail = GetRail(destination);
    way.from = GetPort(source);
    way.to = GetPort(destination);
    if (way.rail == GetRail(source))
    {
        return way;
    }
    if (!crossesRails)
    {
        throw std::invalid_argument(
            "GPU " + std::to_string(source) + " on rail " + std::to_string(GetRail(source)) +
            " has messages for GPU " + std::to_string(destination) +
            " of another server, on rail " + std::to_string(way.rail) +
            ": let messages cross rails inside the server, or use a plan that keeps to rails");
    }
    // The port of the relay is that of the source, as rails count servers
    way.relay = GetServer(source) * gpus + GetIndex(destination);
    return way;
}

TrafficMatrix
ServerLayout::GetRailTraffic(const TrafficMatrix& ofPlaces, uint32_t rail) const
{
    TrafficMatrix traffic(GetNPorts(ofPlaces.GetSize()));
    for (uint32_t source = 0; source < ofPlaces.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : ofPlaces.GetRow(source))
        {
            if (AreInside(source, destination))
            {
                continue;
            }
            const Way way = GetWay(source, destination);
            if (way.rail == rail)
            {
                traffic.Add(way.from, way.to, bytes);
            }
        }
    }
    return traffic;
}

TrafficMatrix
ServerLayout::GetInsideTraffic(const TrafficMatrix& ofPlaces) const
{
    TrafficMatrix traffic(ofPlaces.GetSize());
    for (uint32_t source = 0; source < ofPlaces.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : ofPlaces.GetRow(source))
        {
            const Way way = GetWay(source, destination);
            if (way.isInside)
            {
                traffic.Add(source, destination, bytes);
            }
            else if (way.relay != source)
            {
                traffic.Add(source, way.relay, bytes);
            }
        }
    }
    return traffic;
}

} // namespace lightpath
} // namespace ns3
