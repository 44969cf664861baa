/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-sharing.h"

#include "model/base/progressive-filling.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint64_t GATHERED = UINT64_MAX; //!< Open parts of a link that is about to be shared

} // namespace

uint32_t
LinkSharing::AddLink(uint64_t bitRate)
{
    m_links.emplace_back();
    m_links.back().rate = Parts(bitRate) * WHOLE;
    return static_cast<uint32_t>(m_links.size() - 1);
}

void
LinkSharing::RemoveLinks()
{
    m_links.clear();
    m_dirty.clear();
}

double
LinkSharing::GetLoad(uint32_t link) const
{
    return (static_cast<double>(m_links[link].parts) + WHOLE) /
           static_cast<double>(m_links[link].rate);
}

void
LinkSharing::SetLinks(Flow& flow, const std::vector<Use>& uses) const
{
    NS_ASSERT_MSG(!flow.m_isActive, "It is on none of its links");
    flow.m_uses = uses;
    flow.m_most = UINT64_MAX;
    for (const Use& use : uses)
    {
        flow.m_most = std::min(flow.m_most, GetShare(m_links[use.link].rate, use.part));
    }
}

bool
LinkSharing::Competes(const Flow& flow) const
{
    return std::any_of(flow.m_uses.begin(), flow.m_uses.end(), [&](const Use& use) {
        const Link& link = m_links[use.link];
        return link.demand + Parts(flow.m_most) * use.part > link.rate;
    });
}

std::vector<LinkSharing::Flow*>
LinkSharing::GetOthers(const Flow& flow) const
{
    std::vector<Flow*> others;
    for (const Use& use : flow.m_uses)
    {
        for (const Link::Entry& entry : m_links[use.link].flows)
        {
            if (entry.first != &flow)
            {
                others.push_back(entry.first);
            }
        }
    }
    return others;
}

void
LinkSharing::Begin(Flow& flow)
{
    NS_ASSERT_MSG(!flow.m_isActive, "It is on none of its links");
    flow.m_isActive = true;
    for (uint32_t i = 0; i < flow.m_uses.size(); ++i)
    {
        Use& use = flow.m_uses[i];
        Link& link = m_links[use.link];
        use.place = static_cast<uint32_t>(link.flows.size());
        link.flows.emplace_back(&flow, i);
        link.parts += use.part;
        link.demand += Parts(flow.m_most) * use.part;
    }
    const auto contended = std::find_if(flow.m_uses.begin(), flow.m_uses.end(), [this](auto& use) {
        return m_links[use.link].IsContended();
    });
    if (contended != flow.m_uses.end())
    {
        // The flow itself leads to its other links
        MarkDirty(contended->link);
        return;
    }
    flow.m_share = flow.m_most;
    flow.NotifyShare(flow.m_share);
}

void
LinkSharing::End(Flow& flow)
{
    flow.m_isActive = false;
    flow.m_share = 0;
    flow.NotifyShare(0);
    NS_ASSERT_MSG(!flow.m_isActive, "It must not begin again before it has left its links");
    for (const Use& use : flow.m_uses)
    {
        Link& link = m_links[use.link];
        if (link.IsContended() && link.flows.size() > 1)
        {
            MarkDirty(use.link);
        }
        // The order of flows does not matter: fill the gap with the last one
        const Link::Entry& last = link.flows.back();
        last.first->m_uses[last.second].place = use.place;
        link.flows[use.place] = last;
        link.flows.pop_back();
        link.parts -= use.part;
        link.demand -= Parts(flow.m_most) * use.part;
    }
}

void
LinkSharing::MarkDirty(uint32_t index)
{
    if (!m_links[index].isDirty)
    {
        m_links[index].isDirty = true;
        m_dirty.push_back(index);
    }
}

/**
 * @ingroup lightpath
 * @brief The links and flows that are shared together, as ProgressiveFilling sees them.
 */
class LinkSharing::Filling
{
  public:
    /**
     * @param sharing all links
     */
    explicit Filling(LinkSharing& sharing)
        : m_sharing(sharing)
    {
    }

    /**
     * @param index a link
     * @return true if one of its flows is not settled
     */
    bool IsOpen(uint32_t index) const
    {
        return m_sharing.m_links[index].open > 0;
    }

    /**
     * @param index a link with open flows
     * @param last a share that it can give to each of them, in bit/s
     * @return the share in bit/s that it can give to each of them now
     */
    uint64_t GetLevel(uint32_t index, uint64_t last) const
    {
        // The link is full if less than 1 bit/s is left for each of its flows. No flow gets this
        // remainder, so that shares do not depend on the order of links
        const Link& link = m_sharing.m_links[index];
        const bool isFull = link.left - Parts(last) * link.open < link.parts;
        return isFull ? last : LinkSharing::GetShare(link.left, link.open);
    }

    /**
     * @param index a link, whose open flows are settled
     * @param share their share in bit/s
     */
    void SettleLink(uint32_t index, uint64_t share)
    {
        for (const auto& entry : m_sharing.m_links[index].flows)
        {
            if (!entry.first->m_isSettled)
            {
                m_sharing.Settle(*entry.first, share);
            }
        }
    }

    /**
     * @param flow the number of a bound flow
     * @return true if its share is settled
     */
    bool IsSettled(uint32_t flow) const
    {
        return m_sharing.m_bound[flow]->m_isSettled;
    }

    /**
     * @param flow the number of a bound flow
     * @param share its share in bit/s
     */
    void SettleFlow(uint32_t flow, uint64_t share)
    {
        m_sharing.Settle(*m_sharing.m_bound[flow], share);
    }

  private:
    LinkSharing& m_sharing; //!< All links
};

void
LinkSharing::Share()
{
    ++m_mark;
    // Each set of links whose flows compete is shared once, whichever of them has changed
    for (const uint32_t start : m_dirty)
    {
        m_links[start].isDirty = false;
        if (m_links[start].mark != m_mark)
        {
            Gather(start);
            Fill();
        }
    }
    m_dirty.clear();
    // Only now, as a sink of a device's traces may change the flows
    std::vector<std::pair<Flow*, uint64_t>> settled;
    settled.swap(m_settled);
    for (const auto& [flow, share] : settled)
    {
        if (flow->m_isActive && flow->m_share != share)
        {
            flow->m_share = share;
            flow->NotifyShare(share);
        }
    }
    settled.clear();
    m_settled.swap(settled);
}

void
LinkSharing::Gather(uint32_t start)
{
    m_gathered.clear();
    m_bound.clear();
    m_links[start].mark = m_mark;
    for (const auto& entry : m_links[start].flows)
    {
        Gather(*entry.first);
    }
    if (m_links[start].IsContended())
    {
        m_links[start].open = GATHERED;
        m_gathered.push_back(start);
    }
    // Breadth-first search: the list of links found is also the queue
    for (std::size_t next = 0; next < m_gathered.size(); ++next)
    {
        for (const auto& entry : m_links[m_gathered[next]].flows)
        {
            Gather(*entry.first);
        }
    }
}

void
LinkSharing::Gather(Flow& flow)
{
    if (flow.m_mark == m_mark)
    {
        return;
    }
    flow.m_mark = m_mark;
    flow.m_isSettled = false;
    bool isHeldBack = false;
    bool isBound = true;
    for (const Use& use : flow.m_uses)
    {
        Link& link = m_links[use.link];
        if (!link.IsContended())
        {
            continue;
        }
        isHeldBack = true;
        // A link that would be full of this flow alone holds it back in any case
        isBound = isBound && (use.part != WHOLE || link.rate > Parts(flow.m_most) * WHOLE);
        if (link.mark != m_mark)
        {
            link.mark = m_mark;
            link.open = GATHERED;
            m_gathered.push_back(use.link);
        }
    }
    if (!isHeldBack)
    {
        Settle(flow, flow.m_most);
    }
    else if (isBound)
    {
        m_bound.push_back(&flow);
    }
}

void
LinkSharing::Fill()
{
    // The order of links decides who gets what rounding leaves
    constexpr std::size_t MANY = 16;
    if (m_gathered.size() * MANY < m_links.size())
    {
        std::sort(m_gathered.begin(), m_gathered.end());
    }
    else
    {
        m_gathered.clear();
        for (uint32_t index = 0; index < m_links.size(); ++index)
        {
            if (m_links[index].open == GATHERED && m_links[index].IsContended())
            {
                m_gathered.push_back(index);
            }
        }
    }
    ProgressiveFilling<uint64_t> filling;
    for (const uint32_t index : m_gathered)
    {
        Link& link = m_links[index];
        // The whole rate is shared anew
        link.left = link.rate;
        link.open = link.parts;
        filling.AddLink(index, GetShare(link.left, link.open));
    }
    for (uint32_t i = 0; i < m_bound.size(); ++i)
    {
        filling.Bind(i, m_bound[i]->m_most);
    }
    Filling network(*this);
    filling.Run(network);
}

void
LinkSharing::Settle(Flow& flow, uint64_t bitRate)
{
    flow.m_isSettled = true;
    m_settled.emplace_back(&flow, bitRate);
    // Links that nobody competes for count along, without effect
    for (const Use& use : flow.m_uses)
    {
        Link& link = m_links[use.link];
        link.left -= Parts(bitRate) * use.part;
        link.open -= use.part;
    }
}

} // namespace lightpath
} // namespace ns3
