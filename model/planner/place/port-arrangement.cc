/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-arrangement.h"

#include "model/planner/planning-deadline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Ranks up to which all of them are disturbed; of more, a few are.
constexpr uint32_t FEW = 16;

/// Exchanges that disturb an arrangement of many ranks.
constexpr uint32_t SHAKES = 8;

/// Distance from a peer at which a rank looks for another place.
constexpr uint32_t NEAR = 4;

/// Work on the one link of an arc at a side, in changes of segments that follow each other.
constexpr uint64_t SIDE_EFFORT = 8;

/// The largest sum of squares of loads.
constexpr double MOST_SQUARES = 9e18;

} // namespace

PortArrangement::PortArrangement(const TrafficMatrix& traffic, const FabricLimits& fabric)
    : m_fabric(fabric),
      m_grid(fabric.grid),
      m_shares{1, 1},
      m_n(traffic.GetSize()),
      m_peers(traffic.GetSize())
{
    const bool isGrid = fabric.grid.rows > 0;
    const double rates[3] = {isGrid ? fabric.grid.rowBitRate : fabric.bitRate,
                             isGrid ? fabric.grid.columnBitRate : fabric.bitRate,
                             fabric.HasServers() ? fabric.servers.bitRate : fabric.bitRate};
    const double slowest = *std::min_element(std::begin(rates), std::end(rates));
    if (slowest > 0)
    {
        m_shares[0] = slowest / rates[0];
        m_shares[1] = slowest / rates[1];
        m_insideShare = slowest / rates[2];
    }
    // All squares must fit even if all bytes went over all links
    const double pairs = static_cast<double>(traffic.GetNPairs());
    const auto fits = [&](uint32_t shift) {
        const double all = 2 * (static_cast<double>(traffic.GetTotal() >> shift) + pairs);
        return all * all * 4 * m_n < MOST_SQUARES;
    };
    while (!fits(m_shift) && m_shift < 63)
    {
        ++m_shift;
    }
    std::vector<std::map<uint32_t, Peer>> peers(m_n);
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        for (const auto& [other, bytes] : traffic.GetRow(rank))
        {
            const uint64_t quanta =
                (bytes >> m_shift) + ((bytes >> m_shift << m_shift) < bytes ? 1 : 0);
            peers[rank][other].to += quanta;
            peers[other][rank].from += quanta;
        }
    }
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        for (auto& [other, peer] : peers[rank])
        {
            peer.rank = other;
            m_peers[rank].push_back(peer);
        }
    }
    Set({});
}

PortArrangement::Load
PortArrangement::Set(std::vector<uint32_t> ports)
{
    PlanningDeadline::Check(m_fabric.deadline);
    m_ports = std::move(ports);
    if (m_ports.empty())
    {
        m_ports.resize(m_n);
        std::iota(m_ports.begin(), m_ports.end(), 0);
    }
    m_ranks.resize(m_n);
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        m_ranks[m_ports[rank]] = rank;
    }
    // Only the ends of arcs are noted; their sums are the loads
    for (auto& loads : m_loads)
    {
        const ServerLayout& layout = m_fabric.servers.layout;
        loads.assign(m_fabric.HasServers()
                         ? m_n + layout.GetNRails() * CountLinks(layout.GetNPorts(m_n))
                         : CountLinks(m_n),
                     0);
    }
    m_paths.assign(m_n / 2 + 1, 0);
    m_beyond = 0;
    for (uint32_t rank = 0; rank < m_n; ++rank)
    {
        for (const auto& peer : m_peers[rank])
        {
            for (const auto& arc : FindArcs(m_ports[rank], m_ports[peer.rank], peer.to))
            {
                auto& loads = m_loads[arc.direction];
                const std::size_t end = arc.first + arc.hops;
                loads[arc.first] += arc.load;
                if (end < loads.size())
                {
                    loads[end] -= arc.load;
                }
            }
            CountPath(true);
        }
    }
    m_squares = 0;
    for (auto& loads : m_loads)
    {
        std::partial_sum(loads.begin(), loads.end(), loads.begin());
        for (const auto load : loads)
        {
            m_squares += load * load;
        }
    }
    return Measure();
}

const std::vector<PortArrangement::Arc>&
PortArrangement::FindArcs(uint32_t source, uint32_t destination, uint64_t quanta)
{
    m_arcs.clear();
    m_distance = 0;
    if (quanta == 0)
    {
        return m_arcs;
    }
    if (!m_fabric.HasServers())
    {
        AddArcs(0, m_n, source, destination, quanta);
        return m_arcs;
    }
    const ServerLayout& layout = m_fabric.servers.layout;
    const auto stay = [this, quanta](uint32_t from, uint32_t to) {
        const auto load = static_cast<uint64_t>(2 * m_insideShare * static_cast<double>(quanta));
        m_arcs.push_back({0, from, 1, load});
        m_arcs.push_back({1, to, 1, load});
    };
    if (layout.AreInside(source, destination))
    {
        stay(source, destination);
        return m_arcs;
    }
    const uint32_t relay =
        layout.hasRails ? layout.GetServer(source) * layout.gpus + layout.GetIndex(destination)
                        : source;
    if (layout.GetRail(relay) != layout.GetRail(source))
    {
        stay(source, relay);
    }
    const uint32_t ports = layout.GetNPorts(m_n);
    AddArcs(m_n + layout.GetRail(relay) * CountLinks(ports),
            ports,
            layout.GetPort(relay),
            layout.GetPort(destination),
            quanta);
    return m_arcs;
}

uint32_t
PortArrangement::CountLinks(uint32_t ports) const
{
    return m_fabric.grid.rows > 0 ? 2 * ports : ports;
}

void
PortArrangement::AddArcs(uint32_t first,
                         uint32_t ports,
                         uint32_t source,
                         uint32_t destination,
                         uint64_t quanta)
{
    if (m_fabric.isRing)
    {
        const uint32_t hops = (destination + ports - source) % ports;
        m_distance = std::min(hops, ports - hops);
        // Twice the quanta, so that half of them is a whole number
        const uint64_t load = 2 * hops == ports ? quanta : 2 * quanta;
        const auto go = [&](uint32_t direction, uint32_t from, uint32_t length) {
            // An arc that passes the last segment goes on with the first one
            const uint32_t straight = std::min(length, ports - from);
            m_arcs.push_back({direction, first + from, straight, load});
            if (length > straight)
            {
                m_arcs.push_back({direction, first, length - straight, load});
            }
        };
        if (2 * hops <= ports)
        {
            go(0, source, hops);
        }
        if (2 * hops >= ports)
        {
            go(1, destination, ports - hops);
        }
        return;
    }
    const auto pass = [&](uint32_t from, uint32_t to, uint32_t side) {
        const uint32_t sides = m_fabric.grid.rows > 0 ? 2 : 1;
        const auto load = static_cast<uint64_t>(2 * m_shares[side] * static_cast<double>(quanta));
        m_arcs.push_back({0, first + sides * from + side, 1, load});
        m_arcs.push_back({1, first + sides * to + side, 1, load});
    };
    if (m_fabric.grid.rows == 0)
    {
        pass(source, destination, 0);
        return;
    }
    const GridWays::Way way = m_grid.GetWay(source, destination);
    if (way.corner == UINT32_MAX)
    {
        pass(source, destination, way.first);
        return;
    }
    pass(source, way.corner, way.first);
    pass(way.corner, destination, 1 - way.first);
}

void
PortArrangement::CountPath(bool adds)
{
    const uint32_t reach = m_fabric.reach > 0 ? m_fabric.reach : m_n;
    const uint64_t beyond = m_distance > reach ? m_distance - reach : 0;
    m_paths[m_distance] += adds ? 1 : -1;
    m_beyond += adds ? beyond : -beyond;
}

void
PortArrangement::Change(uint32_t source, uint32_t destination, uint64_t quanta, bool adds)
{
    for (const auto& arc : FindArcs(source, destination, quanta))
    {
        m_effort += m_fabric.isRing ? arc.hops : SIDE_EFFORT;
        auto& loads = m_loads[arc.direction];
        for (std::size_t link = arc.first; link < arc.first + arc.hops; ++link)
        {
            // (l + d)^2 - l^2 = d (2 l + d)
            uint64_t& now = loads[link];
            now -= adds ? 0 : arc.load;
            const uint64_t change = arc.load * (2 * now + arc.load);
            m_squares += adds ? change : 0 - change;
            now += adds ? arc.load : 0;
        }
    }
    CountPath(adds);
}

void
PortArrangement::ChangeRanks(uint32_t a, uint32_t b, bool adds)
{
    for (const uint32_t rank : {a, b})
    {
        for (const auto& peer : m_peers[rank])
        {
            // Count the bytes between the two ranks once
            if (rank == a || peer.rank != a)
            {
                Change(m_ports[rank], m_ports[peer.rank], peer.to, adds);
                Change(m_ports[peer.rank], m_ports[rank], peer.from, adds);
            }
        }
    }
}

void
PortArrangement::Exchange(uint32_t a, uint32_t b)
{
    ChangeRanks(a, b, false);
    std::swap(m_ports[a], m_ports[b]);
    std::swap(m_ranks[m_ports[a]], m_ranks[m_ports[b]]);
    ChangeRanks(a, b, true);
}

PortArrangement::Load
PortArrangement::Improve(uint64_t effort)
{
    Load best = Measure();
    std::vector<uint32_t> ports = m_ports;
    const uint64_t bound = GetBound();
    const uint64_t last = m_effort + effort;
    const auto isBest = [&] { return best.beyond == 0 && best.most <= bound; };
    if (m_n < 3 || isBest())
    {
        return best;
    }
    Load load = best;
    while (true)
    {
        PlanningDeadline::Check(m_fabric.deadline);
        Descend(load, last);
        if (load < best)
        {
            best = load;
            ports = m_ports;
        }
        if (isBest() || m_effort >= last)
        {
            break;
        }
        Set(ports);
        for (uint32_t i = 0; i < (m_n <= FEW ? m_n : SHAKES); ++i)
        {
            const uint32_t a = Draw(m_n);
            Exchange(a, (a + 1 + Draw(m_n - 1)) % m_n);
        }
        load = Measure();
    }
    return Set(ports);
}

void
PortArrangement::Descend(Load& load, uint64_t effort)
{
    const uint64_t patience = m_n <= FEW ? uint64_t{m_n} * m_n : uint64_t{16} * m_n;
    for (uint64_t idle = 0; idle < patience && m_effort < effort; ++idle)
    {
        const uint32_t a = Draw(m_n);
        const uint32_t b = DrawPartner(a);
        if (a == b)
        {
            continue;
        }
        Exchange(a, b);
        // Looking for the fullest of many segments takes longer than an exchange
        const bool isHopeless =
            m_n > FEW &&
            (m_beyond > load.beyond || (m_beyond == load.beyond && m_squares >= load.squares));
        m_effort += isHopeless ? 0 : m_loads[0].size();
        const Load other = isHopeless ? load : Measure();
        if (!isHopeless && other < load)
        {
            load = other;
            idle = 0;
        }
        else
        {
            Exchange(a, b);
        }
    }
}

uint32_t
PortArrangement::DrawPartner(uint32_t a)
{
    const auto& peers = m_peers[a];
    if (m_n <= FEW || peers.empty() || Draw(2) == 0)
    {
        return (a + 1 + Draw(m_n - 1)) % m_n;
    }
    const uint32_t peer = peers[Draw(static_cast<uint32_t>(peers.size()))].rank;
    return m_ranks[(m_ports[peer] + m_n - NEAR + Draw(2 * NEAR + 1)) % m_n];
}

PortArrangement::Load
PortArrangement::Measure() const
{
    Load load;
    load.beyond = m_beyond;
    for (uint32_t segments = 1; segments < m_paths.size(); ++segments)
    {
        load.longest = m_paths[segments] > 0 ? segments : load.longest;
        load.lengths += uint64_t{segments} * segments * m_paths[segments];
    }
    for (const auto& loads : m_loads)
    {
        load.most = std::max(load.most, *std::max_element(loads.begin(), loads.end()));
    }
    load.squares = m_squares;
    return load;
}

double
PortArrangement::ToBytes(uint64_t most) const
{
    return std::ldexp(static_cast<double>(most), static_cast<int>(m_shift) - 1);
}

const std::vector<uint32_t>&
PortArrangement::GetPorts() const
{
    return m_ports;
}

uint64_t
PortArrangement::GetBound() const
{
    uint64_t most = 0;
    uint64_t hops = 0;
    for (const auto& peers : m_peers)
    {
        uint64_t to = 0;
        uint64_t from = 0;
        std::vector<uint64_t> larger;
        std::vector<uint64_t> sent;
        for (const auto& peer : peers)
        {
            to += peer.to;
            from += peer.from;
            larger.push_back(std::max(peer.to, peer.from));
            sent.push_back(peer.to);
        }
        // In halves of quanta, to leave over two segments takes half of twice the quanta
        most = std::max({most, to, from});
        std::sort(larger.rbegin(), larger.rend());
        const std::size_t whole = m_n % 2 == 0 ? 1 : 0;
        most = std::max(most, larger.size() > whole ? 2 * larger[whole] : 0);
        // The largest bytes go to the nearest ports
        std::sort(sent.rbegin(), sent.rend());
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            hops += 2 * sent[i] * (i / 2 + 1);
        }
    }
    return m_n < 2 || !m_fabric.isRing || m_fabric.HasServers()
               ? 0
               : std::max(most, (hops + 2 * m_n - 1) / (2 * m_n));
}

uint32_t
PortArrangement::Draw(uint32_t below)
{
    return static_cast<uint32_t>(m_random() % below);
}

} // namespace lightpath
} // namespace ns3
