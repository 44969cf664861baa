/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-network.h"

#include "flow-sharing.h"
#include "model/base/progressive-filling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Times that differ by less are one instant, seconds.
constexpr double INSTANT = 1e-12;

} // namespace

uint32_t
FlowNetwork::AddLink(double rate)
{
    m_links.emplace_back();
    m_links.back().rate = rate;
    return static_cast<uint32_t>(m_links.size() - 1);
}

uint32_t
FlowNetwork::AddPath(std::vector<Use> links)
{
    m_paths.emplace_back();
    m_paths.back().links = std::move(links);
    return static_cast<uint32_t>(m_paths.size() - 1);
}

uint32_t
FlowNetwork::AddPathBehind(uint32_t path, uint32_t& link)
{
    std::vector<Use> links = m_paths[path].links;
    double seconds = 0; // for each byte of a message
    for (const auto& use : links)
    {
        seconds = std::max(seconds, use.bytes / m_links[use.index].rate);
    }
    link = AddLink(1);
    links.push_back({link, seconds});
    return AddPath(std::move(links));
}

void
FlowNetwork::SetRate(uint32_t link, double rate)
{
    if (m_links[link].rate != rate)
    {
        m_links[link].rate = rate;
        ++m_era;
        MarkDirty(link);
    }
}

double
FlowNetwork::GetRate(uint32_t link) const
{
    return m_links[link].rate;
}

const std::vector<FlowNetwork::Use>&
FlowNetwork::GetLinks(const Flow& flow) const
{
    return flow.shape != nullptr ? flow.shape->links : m_paths[flow.path].links;
}

uint32_t
FlowNetwork::NewFlow()
{
    if (m_free.empty())
    {
        m_flows.emplace_back();
        return static_cast<uint32_t>(m_flows.size() - 1);
    }
    const uint32_t index = m_free.back();
    m_free.pop_back();
    m_flows[index] = Flow();
    return index;
}

void
FlowNetwork::Send(uint32_t path, double bytes, uint64_t tag)
{
    const uint32_t index = NewFlow();
    Flow& flow = m_flows[index];
    flow.path = path;
    flow.left = bytes;
    flow.tag = tag;
    m_paths[path].messages.push_back(index);
    if (m_paths[path].messages.size() == 1)
    {
        Block(m_paths[path], true);
        Activate(index);
    }
}

void
FlowNetwork::Cancel(uint32_t path, uint64_t tag)
{
    auto& messages = m_paths[path].messages;
    for (std::size_t i = 0; i < messages.size();)
    {
        const uint32_t index = messages[i];
        if (m_flows[index].tag != tag)
        {
            ++i;
            continue;
        }
        m_free.push_back(index);
        messages.erase(messages.begin() + i);
        if (i > 0)
        {
            continue;
        }
        Deactivate(index);
        if (messages.empty())
        {
            Block(m_paths[path], false);
        }
        else
        {
            Activate(messages.front());
        }
    }
}

void
FlowNetwork::Begin(const Shape& shape, uint64_t tag)
{
    const uint32_t index = NewFlow();
    Flow& flow = m_flows[index];
    flow.shape = &shape;
    flow.left = shape.steps;
    flow.tag = tag;
    for (const auto& use : shape.paths)
    {
        Path& path = m_paths[use.index];
        path.collectives.push_back({index, use.bytes});
        flow.nBlocked += path.messages.empty() ? 0 : 1;
    }
    if (flow.nBlocked == 0)
    {
        Activate(index);
    }
}

void
FlowNetwork::Activate(uint32_t index)
{
    m_flows[index].order = m_nUnderWay++;
    for (const auto& use : GetLinks(m_flows[index]))
    {
        m_links[use.index].flows.push_back(index);
        MarkDirty(use.index);
    }
}

void
FlowNetwork::Deactivate(uint32_t index)
{
    Leave(m_flows[index]);
    for (const auto& use : GetLinks(m_flows[index]))
    {
        auto& flows = m_links[use.index].flows;
        flows.erase(std::find(flows.begin(), flows.end(), index));
        MarkDirty(use.index);
    }
}

void
FlowNetwork::Block(const Path& path, bool isBlocked)
{
    for (const auto& [index, bytes] : path.collectives)
    {
        Flow& flow = m_flows[index];
        if (isBlocked && flow.nBlocked++ == 0)
        {
            Deactivate(index);
            flow.mark = 0;
            m_sharing.push_back(index);
        }
        else if (!isBlocked && --flow.nBlocked == 0)
        {
            Activate(index);
        }
    }
}

void
FlowNetwork::MarkDirty(uint32_t link)
{
    if (!m_links[link].isDirty)
    {
        m_links[link].isDirty = true;
        m_dirty.push_back(link);
    }
}

void
FlowNetwork::Share(double now)
{
    // Flows that have come to a stop
    for (const auto index : std::exchange(m_sharing, {}))
    {
        if (m_flows[index].nBlocked > 0)
        {
            Settle(index, 0, now);
        }
    }
    ++m_mark;
    for (const auto start : m_dirty)
    {
        m_links[start].isDirty = false;
        if (m_links[start].mark != m_mark)
        {
            Gather(start);
            ShareGathered(now);
            NoteEnds();
            m_nShares += m_sharing.size();
        }
    }
    m_dirty.clear();
    m_sharing.clear();
}

void
FlowNetwork::Gather(uint32_t start)
{
    m_gathered.assign(1, start);
    m_sharing.clear();
    m_links[start].mark = m_mark;
    for (std::size_t next = 0; next < m_gathered.size(); ++next)
    {
        for (const auto index : m_links[m_gathered[next]].flows)
        {
            Flow& flow = m_flows[index];
            if (flow.mark == m_mark)
            {
                continue;
            }
            flow.mark = m_mark;
            Leave(flow);
            m_sharing.push_back(index);
            for (const auto& use : GetLinks(flow))
            {
                if (m_links[use.index].mark != m_mark)
                {
                    m_links[use.index].mark = m_mark;
                    m_gathered.push_back(use.index);
                }
            }
        }
    }
}

void
FlowNetwork::Weigh(Flow& flow) const
{
    flow.weight = 1;
    flow.bound = std::numeric_limits<double>::infinity();
    if (flow.shape == nullptr)
    {
        return;
    }
    const Shape& shape = *flow.shape;
    if (shape.era != m_era)
    {
        double seconds = 0;
        for (const auto& use : shape.links)
        {
            seconds = std::max(seconds, use.bytes / m_links[use.index].rate);
        }
        shape.bound = 1 / (seconds + shape.latency);
        shape.era = m_era;
    }
    flow.bound = shape.bound;
    double most = 0;
    for (const auto& use : shape.paths)
    {
        double bytes = use.bytes;
        for (const auto& theirs : m_paths[use.index].collectives)
        {
            const Flow& other = m_flows[theirs.index];
            bytes += &other == &flow || other.nBlocked > 0 ? 0 : theirs.bytes;
        }
        most = std::max(most, bytes);
    }
    flow.weight = most > 0 ? 1 / most : 1;
}

void
FlowNetwork::ShareGathered(double now)
{
    ProgressiveFilling<double> filling;
    for (const auto link : m_gathered)
    {
        m_links[link].left = m_links[link].rate;
        m_links[link].open = 0;
    }
    for (const auto index : m_sharing)
    {
        Flow& flow = m_flows[index];
        Weigh(flow);
        flow.isSettled = false;
        for (const auto& use : GetLinks(flow))
        {
            m_links[use.index].open += flow.weight * use.bytes;
        }
        if (std::isfinite(flow.bound))
        {
            filling.Bind(index, flow.bound / flow.weight);
        }
    }
    for (const auto link : m_gathered)
    {
        if (!m_links[link].flows.empty())
        {
            filling.AddLink(link, m_links[link].left / m_links[link].open);
        }
    }
    Sharing sharing(*this, now);
    filling.Run(sharing);
}

void
FlowNetwork::NoteEnds()
{
    double first = std::numeric_limits<double>::infinity();
    for (const auto index : m_sharing)
    {
        first = std::min(first, m_flows[index].end);
    }
    if (first == std::numeric_limits<double>::infinity())
    {
        return;
    }
    if (m_freeFills.empty())
    {
        m_freeFills.push_back(static_cast<uint32_t>(m_fills.size()));
        m_fills.emplace_back();
    }
    const uint32_t number = m_freeFills.back();
    m_freeFills.pop_back();
    Fill& fill = m_fills[number];
    fill.first.clear();
    for (const auto index : m_sharing)
    {
        Flow& flow = m_flows[index];
        flow.fill = number;
        flow.version = fill.version;
        if (flow.end <= first + INSTANT)
        {
            fill.first.push_back(index);
        }
    }
    m_events.push({first, number, fill.version});
}

void
FlowNetwork::Leave(Flow& flow)
{
    // The first one that leaves changes them for all, which get shares at the same time
    if (flow.fill != NONE && m_fills[flow.fill].version == flow.version)
    {
        ++m_fills[flow.fill].version;
        m_freeFills.push_back(flow.fill);
    }
    flow.fill = NONE;
}

void
FlowNetwork::Settle(uint32_t index, double speed, double now)
{
    Flow& flow = m_flows[index];
    flow.left = std::max(flow.left - flow.speed * (now - flow.since), 0.0);
    flow.since = now;
    if (speed == flow.speed)
    {
        return;
    }
    flow.speed = speed;
    flow.end = speed > 0 ? now + flow.left / speed : std::numeric_limits<double>::infinity();
}

double
FlowNetwork::GetNext()
{
    while (!m_events.empty() && m_fills[m_events.top().fill].version != m_events.top().version)
    {
        m_events.pop();
    }
    return m_events.empty() ? std::numeric_limits<double>::infinity() : m_events.top().seconds;
}

void
FlowNetwork::End(double now, std::vector<uint64_t>& tags)
{
    tags.clear();
    // Of the flows that end now, the first that got under way is the first, as in a simulation
    m_over.clear();
    while (GetNext() <= now + INSTANT)
    {
        for (const auto index : m_fills[m_events.top().fill].first)
        {
            if (m_flows[index].end <= now + INSTANT)
            {
                m_over.emplace_back(m_flows[index].order, index);
            }
        }
        m_events.pop();
    }
    std::sort(m_over.begin(), m_over.end());
    for (const auto& [order, index] : m_over)
    {
        Flow& flow = m_flows[index];
        tags.push_back(flow.tag);
        Deactivate(index);
        if (flow.shape != nullptr)
        {
            for (const auto& use : flow.shape->paths)
            {
                auto& uses = m_paths[use.index].collectives;
                uses.erase(
                    std::find_if(uses.begin(), uses.end(), [number = index](const Use& theirs) {
                        return theirs.index == number;
                    }));
            }
        }
        else
        {
            Path& path = m_paths[flow.path];
            path.messages.pop_front();
            if (path.messages.empty())
            {
                Block(path, false);
            }
            else
            {
                Activate(path.messages.front());
            }
        }
        m_free.push_back(index);
    }
}

uint64_t
FlowNetwork::GetNShares() const
{
    return m_nShares;
}

} // namespace lightpath
} // namespace ns3
