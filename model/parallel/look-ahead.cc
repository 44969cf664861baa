/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "look-ahead.h"

#include "process-group.h"

#include "ns3/node.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

Time g_least = Time::Max(); //!< The least delay between processes

} // namespace

void
LookAhead::Note(const Time& delay)
{
    g_least = std::min(g_least, delay);
}

Time
LookAhead::Get()
{
    return g_least;
}

void
LookAhead::Bound(const Time& delay)
{
    const uint32_t processes = ProcessGroup::GetSize();
    if (processes == 1)
    {
        return;
    }
    Note(delay);
    std::vector<Ptr<Node>> nodes;
    for (uint32_t process = 0; process < processes; ++process)
    {
        nodes.push_back(CreateObject<Node>(process));
    }
    for (uint32_t process = 0; process < processes; ++process)
    {
        const auto link = CreateObject<PointToPointChannel>();
        link->SetAttribute("Delay", TimeValue(delay));
        for (const auto& end : {nodes[process], nodes[(process + 1) % processes]})
        {
            const auto device = CreateObject<PointToPointNetDevice>();
            end->AddDevice(device);
            device->Attach(link);
        }
    }
}

} // namespace lightpath
} // namespace ns3
