/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-oracle.h"

#include "ns3/boolean.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/optical-net-device.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/virtual-output-queue.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

Ptr<CircuitSwitchAllocator>
MakeAllocator(const std::string& type, const std::string& attribute, const std::string& value)
{
    ObjectFactory factory("ns3::lightpath::" + type);
    if (!attribute.empty())
    {
        factory.Set(attribute, StringValue(value));
    }
    return factory.Create<CircuitSwitchAllocator>();
}

Ptr<CircuitSwitchChannel>
MakeSwitches(uint32_t devices, uint32_t switches, bool duplex)
{
    const auto channel = CreateObject<CircuitSwitchChannel>();
    channel->SetAttribute("NSwitches", UintegerValue(switches));
    channel->SetAttribute("Duplex", BooleanValue(duplex));
    for (uint32_t port = 0; port < devices; ++port)
    {
        const auto device = CreateObject<OpticalNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetQueue(CreateObject<VirtualOutputQueue>());
        CreateObject<Node>()->AddDevice(device);
        device->Attach(channel);
    }
    return channel;
}

void
Damage(std::mt19937& random, Ptr<CircuitSwitchChannel> channel)
{
    const uint32_t devices = channel->GetNDevices();
    const uint32_t switches = channel->GetNSwitches();
    for (uint32_t index = 0; index < switches; ++index)
    {
        if (random() % 4 == 0)
        {
            channel->SetNPorts(index, 2 + random() % (devices - 1));
        }
    }
    const std::vector<std::string> kinds{"port:", "input:", "output:", "input:", "output:"};
    for (uint32_t count = 1 + random() % 4; count > 0; --count)
    {
        const uint32_t index = random() % switches;
        const uint32_t device = random() % channel->GetGeometry().GetNPorts(index);
        channel->SetFailed(kinds[random() % kinds.size()] + std::to_string(index) + ":" +
                               std::to_string(device),
                           true);
    }
    if (random() % 8 == 0)
    {
        channel->SetFailed("switch:" + std::to_string(random() % switches), true);
    }
}

std::string
FindRoom(const CircuitSwitchGeometry& geometry,
         const TrafficMatrix& demand,
         const CircuitPlan& plan)
{
    std::set<std::pair<uint32_t, uint32_t>> inputs;
    std::set<std::pair<uint32_t, uint32_t>> outputs;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        for (const Lane& lane : lanes)
        {
            inputs.insert({lane.fibre, pair.first});
            outputs.insert({lane.fibre, pair.second});
        }
    }
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& entry : demand.GetRow(source))
        {
            for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
            {
                if (geometry.CanJoin(source, entry.first, index) &&
                    inputs.count({index, source}) + outputs.count({index, entry.first}) == 0)
                {
                    return std::to_string(source) + " to " + std::to_string(entry.first) + " on " +
                           std::to_string(index);
                }
            }
        }
    }
    return "";
}

SwitchSearch::SwitchSearch(const CircuitSwitchGeometry& geometry, const TrafficMatrix& demand)
{
    std::map<PortPair, double> bytes;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, amount] : demand.GetRow(source))
        {
            PortPair pair(source, destination);
            if (geometry.IsDuplex() && destination < source)
            {
                std::swap(pair.first, pair.second);
            }
            bytes[pair] += static_cast<double>(amount);
        }
    }
    for (const auto& [pair, amount] : bytes)
    {
        m_pairs.push_back(pair);
        m_bytes.push_back(amount);
    }
    m_circuits.assign(1, 0);
    for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
    {
        std::vector<std::size_t> possible;
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
        {
            if (geometry.CanJoin(m_pairs[i].first, m_pairs[i].second, index))
            {
                possible.push_back(i);
            }
        }
        std::vector<uint64_t> sums;
        for (const uint64_t matching : FindMatchings(geometry.IsDuplex(), possible))
        {
            for (const uint64_t circuits : m_circuits)
            {
                sums.push_back(circuits + matching);
            }
        }
        std::sort(sums.begin(), sums.end());
        sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
        m_circuits = std::move(sums);
    }
}

bool
SwitchSearch::AreApart(bool duplex, std::size_t a, std::size_t b) const
{
    const auto [source, destination] = m_pairs[a];
    const auto [otherSource, otherDestination] = m_pairs[b];
    const bool isCrossed = source == otherDestination || destination == otherSource;
    return source != otherSource && destination != otherDestination && !(duplex && isCrossed);
}

std::vector<uint64_t>
SwitchSearch::FindMatchings(bool duplex, const std::vector<std::size_t>& possible) const
{
    std::vector<uint64_t> matchings;
    std::vector<std::size_t> chosen;
    const auto fits = [&](std::size_t pair) {
        return std::all_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
            return AreApart(duplex, pair, other);
        });
    };
    const std::function<void(std::size_t)> choose = [&](std::size_t next) {
        if (next < possible.size())
        {
            if (fits(possible[next]))
            {
                chosen.push_back(possible[next]);
                choose(next + 1);
                chosen.pop_back();
            }
            choose(next + 1);
        }
        else if (std::none_of(possible.begin(), possible.end(), fits))
        {
            uint64_t circuits = 0;
            for (const std::size_t pair : chosen)
            {
                circuits += uint64_t{1} << (4 * pair);
            }
            matchings.push_back(circuits);
        }
    };
    choose(0);
    return matchings;
}

double
SwitchSearch::Maximise(const Worth& worth) const
{
    double best = 0;
    std::vector<uint32_t> circuits(m_pairs.size());
    for (const uint64_t numbers : m_circuits)
    {
        for (std::size_t i = 0; i < circuits.size(); ++i)
        {
            circuits[i] = numbers >> (4 * i) & 15;
        }
        best = std::max(best, worth(circuits));
    }
    return best;
}

const std::vector<double>&
SwitchSearch::GetBytes() const
{
    return m_bytes;
}

SwitchSearch::Worth
SwitchSearch::MakeSum(const std::function<double(double bytes, uint32_t circuit)>& gain) const
{
    // The worth of 0 to 15 circuits to each pair
    std::vector<std::vector<double>> values;
    double most = 0;
    for (const double bytes : m_bytes)
    {
        std::vector<double> sums(1, 0);
        for (uint32_t circuit = 0; circuit < 15; ++circuit)
        {
            sums.push_back(sums.back() + gain(bytes, circuit));
        }
        values.push_back(std::move(sums));
        most = std::max(most, bytes);
    }
    return [values, most](const std::vector<uint32_t>& circuits) {
        double sum = 0;
        for (std::size_t i = 0; i < circuits.size(); ++i)
        {
            sum += values[i][circuits[i]];
        }
        return sum / most;
    };
}
