/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrr-ring-channel.h"

#include "model/base/lightpath-compatibility.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fibre-delay.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("MrrRingChannel");

NS_OBJECT_ENSURE_REGISTERED(MrrRingChannel);

TypeId
MrrRingChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::MrrRingChannel")
            .SetParent<OpticalChannel>()
            .SetGroupName("Lightpath")
            .AddConstructor<MrrRingChannel>()
            .AddAttribute("NFibres",
                          "The number of fibres in each direction.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&MrrRingChannel::m_nFibres),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("NWavelengths",
                          "The number of wavelengths of each fibre.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MrrRingChannel::m_nWavelengths),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("NodeDistance",
                          "The fibre between two neighbours, in metres.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&MrrRingChannel::m_nodeDistance),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Amplifiers",
                          "Whether each node makes up for its loss of the light that passes it.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&MrrRingChannel::m_amplifiers),
                          MakeBooleanChecker())
            .AddAttribute(
                "WavelengthMode",
                "The lanes that a lightpath occupies on each segment: wavelengths that it keeps "
                "from end to end (Continuity), a number of any wavelengths (LoadOnly), or "
                "wavelengths "
                "that no other lightpath uses anywhere on the ring (Exclusive).",
                EnumValue(RingGeometry::CONTINUITY),
                MakeEnumAccessorFor<RingGeometry::WavelengthMode>(0, &MrrRingChannel::m_mode),
                MakeEnumChecker(RingGeometry::CONTINUITY,
                                "Continuity",
                                RingGeometry::LOAD_ONLY,
                                "LoadOnly",
                                RingGeometry::EXCLUSIVE,
                                "Exclusive"))
            .AddTraceSource("Geometry",
                            "A component has failed or has been repaired.",
                            MakeTraceSourceAccessor(&MrrRingChannel::m_geometryTrace),
                            "ns3::lightpath::MrrRingChannel::GeometryTracedCallback");
    return tid;
}

MrrRingChannel::MrrRingChannel()
    : m_geometry(2, 1, 1)
{
    NS_LOG_FUNCTION(this);
}

void
MrrRingChannel::DoAdd(uint32_t port)
{
    NS_ABORT_MSG_IF(GetNReconfigurations() > 0 || m_geometry.HasFailures(),
                    "Node " << port << " cannot be added to a ring that is in use: attach all "
                            << "devices before the first plan is configured and before anything "
                            << "fails");
    m_geometry = RingGeometry(std::max(port + 1, 2U), m_nFibres, m_nWavelengths);
    m_geometry.SetWavelengthMode(m_mode);
}

const RingGeometry&
MrrRingChannel::GetGeometry() const
{
    NS_ABORT_MSG_IF(GetNDevices() < 2,
                    "A ring needs 2 nodes at least, but " << GetNDevices() << " are attached");
    NS_ABORT_MSG_IF(m_geometry.GetNFibres() != m_nFibres ||
                        m_geometry.GetNWavelengths() != m_nWavelengths ||
                        m_geometry.GetWavelengthMode() != m_mode,
                    "NFibres, NWavelengths and WavelengthMode of a ring must be set before devices "
                    "are attached");
    return m_geometry;
}

std::string
MrrRingChannel::DoSetFailed(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    GetGeometry(); // checks the attributes
    const std::string refusal = m_geometry.TrySetFailed(component, failed);
    if (refusal.empty())
    {
        m_geometryTrace(m_geometry);
    }
    return refusal;
}

bool
MrrRingChannel::IsIntact(PortPair pair, Lane lane) const
{
    const auto direction = m_geometry.GetDirection(lane.fibre);
    return m_geometry.HasEnds(pair.first, pair.second, lane) &&
           m_geometry.IsUsable(pair.first, pair.second, direction);
}

FabricPlant
MrrRingChannel::GetPlant() const
{
    return {uint64_t{2} * m_nFibres * GetNDevices(), 0};
}

bool
MrrRingChannel::HasPath(uint32_t source, uint32_t destination) const
{
    return GetGeometry().HasPath(source, destination);
}

uint32_t
MrrRingChannel::GetHops(uint32_t source, uint32_t destination, Lane lane) const
{
    return m_geometry.GetHops(source, destination, m_geometry.GetDirection(lane.fibre));
}

uint32_t
MrrRingChannel::GetMostHops(PortPair ports, const std::vector<Lane>& lanes) const
{
    if (lanes.empty())
    {
        return 0;
    }
    // The fibres of one direction come before those of the other
    return std::max(GetHops(ports.first, ports.second, lanes.front()),
                    GetHops(ports.first, ports.second, lanes.back()));
}

OpticalPath
MrrRingChannel::MakePath(uint32_t hops, uint32_t nPorts) const
{
    return OpticalLink::MakeRingPath(hops, m_nWavelengths, m_nodeDistance, m_amplifiers);
}

Time
MrrRingChannel::GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const
{
    return GetHopsDelay(GetHops(source, destination, lane));
}

Time
MrrRingChannel::GetHopsDelay(uint32_t hops) const
{
    // Computed again only if NodeDistance has changed
    if (m_delays.size() != m_geometry.GetNNodes() + 1 || m_delayDistance != m_nodeDistance)
    {
        m_delayDistance = m_nodeDistance;
        m_delays.clear();
        for (uint32_t n = 0; n <= m_geometry.GetNNodes(); ++n)
        {
            m_delays.push_back(GetFibreDelay(m_nodeDistance * n));
        }
    }
    return m_delays[hops];
}

CircuitPlan
MrrRingChannel::Extend(const CircuitPlan& plan, const CircuitPlan& more) const
{
    const uint32_t nodes = GetNDevices();
    const std::size_t lanes = 2UL * m_nFibres * m_nWavelengths;
    std::vector<uint32_t> loads(lanes * nodes, 0);
    // Whether each node adds each lane
    std::vector<bool> added(lanes * nodes, false);
    CircuitPlan whole = plan;
    for (const CircuitPlan* each : {&plan, &more})
    {
        for (const auto& [pair, candidates] : each->GetLightpaths())
        {
            std::vector<Lane> fitting;
            for (const Lane& lane : candidates)
            {
                const std::size_t place =
                    (std::size_t{lane.fibre} * m_nWavelengths + lane.wavelength) * nodes +
                    pair.first;
                if (!added[place] && AddLoad(pair, lane, loads) == nodes)
                {
                    added[place] = true;
                    fitting.push_back(lane);
                }
            }
            if (each == &more)
            {
                whole.AddLanes(pair.first, pair.second, std::move(fitting));
            }
        }
    }
    return whole;
}

std::string
MrrRingChannel::CheckLane(PortPair pair, Lane lane) const
{
    const bool exists = lane.fibre < 2 * m_nFibres && lane.wavelength < m_nWavelengths;
    if (exists && IsIntact(pair, lane))
    {
        return "";
    }
    std::ostringstream sentence;
    sentence << "The lightpath from node " << pair.first << " to node " << pair.second;
    if (!exists)
    {
        sentence << " uses wavelength " << lane.wavelength << " of fibre " << lane.fibre
                 << ", but the ring has " << 2 * m_nFibres << " fibres with " << m_nWavelengths
                 << " wavelengths, numbered from 0";
        return sentence.str();
    }
    if (!m_geometry.HasEnds(pair.first, pair.second, lane))
    {
        sentence << " uses wavelength " << lane.wavelength << " of fibre " << lane.fibre
                 << ", whose fibre, laser or micro-rings at its ends have failed";
        return sentence.str();
    }
    // Only a failed segment is left as the cause
    const auto direction = m_geometry.GetDirection(lane.fibre);
    const uint32_t first = m_geometry.GetFirstSegment(pair.first, pair.second, direction);
    const uint32_t hops = m_geometry.GetHops(pair.first, pair.second, direction);
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        const uint32_t segment = (first + hop) % m_geometry.GetNNodes();
        if (m_geometry.IsFailed(segment, direction))
        {
            sentence << " crosses segment " << segment << " on fibre " << lane.fibre
                     << ", where the fibres of this direction have failed";
            return sentence.str();
        }
    }
    return "";
}

std::string
MrrRingChannel::DoCheck(const CircuitPlan& plan) const
{
    if (plan.GetLightpaths().empty())
    {
        return "";
    }
    // Without failures all lanes are intact that the ring has
    const bool hasFailures = GetGeometry().HasFailures();
    const auto isIntact = [this, hasFailures](const Lane& lane) {
        return !hasFailures && lane.fibre < 2 * m_nFibres && lane.wavelength < m_nWavelengths;
    };
    for (const auto& lightpath : plan.GetLightpaths())
    {
        for (const auto& lane : lightpath.second)
        {
            if (isIntact(lane))
            {
                continue;
            }
            const std::string sentence = CheckLane(lightpath.first, lane);
            if (!sentence.empty())
            {
                return sentence;
            }
        }
    }
    return m_mode == RingGeometry::LOAD_ONLY ? CheckLoad(plan) : CheckContinuity(plan);
}

uint32_t
MrrRingChannel::GetLaneHops(PortPair pair, RingDirection direction) const
{
    return m_mode == RingGeometry::EXCLUSIVE
               ? GetNDevices()
               : m_geometry.GetHops(pair.first, pair.second, direction);
}

std::string
MrrRingChannel::CheckContinuity(const CircuitPlan& plan) const
{
    constexpr uint32_t BITS = 64;
    const uint32_t nodes = GetNDevices();
    const auto getBit = [this](Lane lane) {
        return std::size_t{lane.fibre} * m_nWavelengths + lane.wavelength;
    };
    const std::size_t words = getBit({2 * m_nFibres, 0}) / BITS + 1;
    // A bit for each lane that is taken, by segment
    std::vector<uint64_t> taken(words * nodes, 0);
    std::vector<uint64_t> own(words);
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        for (auto lane = lanes.begin(); lane != lanes.end();)
        {
            // Lanes are sorted by fibre, so that those of one direction, hence arc, are neighbours
            const auto direction = m_geometry.GetDirection(lane->fibre);
            const std::size_t low = getBit(*lane) / BITS;
            std::size_t high = low;
            for (; lane != lanes.end() && m_geometry.GetDirection(lane->fibre) == direction; ++lane)
            {
                high = getBit(*lane) / BITS;
                own[high] |= uint64_t{1} << (getBit(*lane) % BITS);
            }
            const uint32_t first = m_geometry.GetFirstSegment(pair.first, pair.second, direction);
            const uint32_t hops = GetLaneHops(pair, direction);
            uint64_t shared = 0;
            for (uint32_t hop = 0, segment = first; hop < hops; ++hop)
            {
                for (std::size_t word = low; word <= high; ++word)
                {
                    shared |= taken[segment * words + word] & own[word];
                    taken[segment * words + word] |= own[word];
                }
                segment = segment + 1 == nodes ? 0 : segment + 1;
            }
            if (shared != 0)
            {
                return GetConflict(plan, pair);
            }
            std::fill(own.begin() + low, own.begin() + high + 1, 0);
        }
    }
    return "";
}

std::string
MrrRingChannel::GetConflict(const CircuitPlan& plan, PortPair pair) const
{
    const uint32_t nodes = GetNDevices();
    const auto& lightpaths = plan.GetLightpaths();
    for (const Lane& lane : plan.GetLanes(pair.first, pair.second))
    {
        const auto direction = m_geometry.GetDirection(lane.fibre);
        const uint32_t start = m_geometry.GetFirstSegment(pair.first, pair.second, direction);
        const uint32_t hops = GetLaneHops(pair, direction);
        for (uint32_t hop = 0; hop < hops; ++hop)
        {
            const uint32_t segment = (start + hop) % nodes;
            // The first lightpath with this lane whose arc covers the segment
            const auto owner = std::find_if(lightpaths.begin(), lightpaths.end(), [&](auto& other) {
                const auto [source, destination] = other.first;
                const uint32_t first = m_geometry.GetFirstSegment(source, destination, direction);
                return std::binary_search(other.second.begin(), other.second.end(), lane) &&
                       (segment + nodes - first) % nodes < GetLaneHops(other.first, direction);
            });
            if (owner == lightpaths.end() || owner->first == pair)
            {
                continue;
            }
            std::ostringstream sentence;
            sentence << "The lightpaths from node " << owner->first.first << " to node "
                     << owner->first.second << " and from node " << pair.first << " to node "
                     << pair.second << " both use wavelength " << lane.wavelength << " of fibre "
                     << lane.fibre;
            if (m_mode == RingGeometry::EXCLUSIVE)
            {
                return sentence.str() + "; without reuse a lane carries one lightpath";
            }
            sentence << " in segment " << segment << "; a lane of a segment carries one lightpath";
            return sentence.str();
        }
    }
    return "";
}

std::string
MrrRingChannel::CheckLoad(const CircuitPlan& plan) const
{
    std::vector<uint32_t> loads(2UL * GetNDevices(), 0);
    // The lightpath that uses each lane of the present source
    std::map<Lane, PortPair> added;
    uint32_t source = 0;
    for (const auto& lightpath : plan.GetLightpaths())
    {
        const PortPair& pair = lightpath.first;
        if (pair.first != source)
        {
            // Lightpaths are sorted by source: the next source may add the same lanes
            added.clear();
            source = pair.first;
        }
        for (const auto& lane : lightpath.second)
        {
            const auto other = added.emplace(lane, pair).first->second;
            if (other != pair)
            {
                std::ostringstream sentence;
                sentence << "The lightpaths from node " << source << " to node " << other.second
                         << " and to node " << pair.second << " both use wavelength "
                         << lane.wavelength << " of fibre " << lane.fibre
                         << "; a node adds each lane to one lightpath";
                return sentence.str();
            }
            const uint32_t full = AddLoad(pair, lane, loads);
            if (full < GetNDevices())
            {
                const auto direction = m_geometry.GetDirection(lane.fibre);
                const bool isClockwise = direction == RingDirection::CLOCKWISE;
                std::ostringstream sentence;
                sentence << "The lightpath from node " << source << " to node " << pair.second
                         << " exceeds the " << m_geometry.GetCapacity(direction) << " lanes "
                         << (isClockwise ? "clockwise" : "counterclockwise") << " in segment "
                         << full << " with the lightpaths before it";
                return sentence.str();
            }
        }
    }
    return "";
}

uint32_t
MrrRingChannel::AddLoad(PortPair pair, Lane lane, std::vector<uint32_t>& loads) const
{
    const uint32_t nodes = GetNDevices();
    const auto direction = m_geometry.GetDirection(lane.fibre);
    const bool isKept = m_mode == RingGeometry::CONTINUITY;
    const uint32_t capacity = isKept ? 1 : m_geometry.GetCapacity(direction);
    const uint32_t own = lane.fibre * m_nWavelengths + lane.wavelength;
    const uint32_t shared = direction == RingDirection::CLOCKWISE ? 0 : 1;
    const uint32_t row = (isKept ? own : shared) * nodes;
    const uint32_t first = m_geometry.GetFirstSegment(pair.first, pair.second, direction);
    const uint32_t hops = m_geometry.GetHops(pair.first, pair.second, direction);
    // Change no load unless the lane fits on the whole arc
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        if (loads[row + (first + hop) % nodes] == capacity)
        {
            return (first + hop) % nodes;
        }
    }
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        ++loads[row + (first + hop) % nodes];
    }
    return nodes;
}

std::vector<OpticalChannel::LightpathLane>
MrrRingChannel::GetBroken(const CircuitPlan& plan) const
{
    if (!m_geometry.HasFailures())
    {
        return {};
    }
    // With all fibres, failures break only the lanes that need the failed components
    const bool isWhole =
        m_geometry.GetCapacity(RingDirection::CLOCKWISE) == m_geometry.GetCapacity() &&
        m_geometry.GetCapacity(RingDirection::COUNTERCLOCKWISE) == m_geometry.GetCapacity();
    if (m_mode != RingGeometry::LOAD_ONLY || isWhole)
    {
        return OpticalChannel::GetBroken(plan);
    }
    // A failed fibre lowers the capacity of each segment: further lanes are broken there
    std::vector<LightpathLane> broken;
    std::vector<uint32_t> loads(2UL * GetNDevices(), 0);
    for (const auto& lightpath : plan.GetLightpaths())
    {
        for (const auto& lane : lightpath.second)
        {
            if (!IsIntact(lightpath.first, lane) ||
                AddLoad(lightpath.first, lane, loads) < GetNDevices())
            {
                broken.emplace_back(lightpath.first, lane);
            }
        }
    }
    return broken;
}

} // namespace lightpath
} // namespace ns3
