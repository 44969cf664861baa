/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-times.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

MessageTimes::MessageTimes(const FabricLimits& fabric)
    : m_fabric(fabric)
{
}

bool
MessageTimes::AreKnown() const
{
    return m_fabric.isShared && m_fabric.links.getTime;
}

void
MessageTimes::Add(uint32_t source, uint32_t destination, double bytes)
{
    const ServerLayout& layout = m_fabric.servers.layout;
    if (!layout.AreInside(source, destination))
    {
        const ServerLayout::Way way = layout.GetWay(source, destination);
        m_sent[way.rail].push_back({way.from, way.to, static_cast<uint64_t>(std::llround(bytes))});
    }
}

std::pair<double, double>
MessageTimes::Take()
{
    std::pair<double, double> time;
    for (const auto& rail : m_sent)
    {
        time = std::max(time, m_fabric.links.getTime(rail.second));
    }
    m_sent.clear();
    return time;
}

} // namespace lightpath
} // namespace ns3
