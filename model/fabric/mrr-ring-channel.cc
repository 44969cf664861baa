/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrr-ring-channel.h"

#include "fibre-delay.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <sstream>
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
            .AddTraceSource("Geometry",
                            "A segment has failed or has been mended.",
                            MakeTraceSourceAccessor(&MrrRingChannel::m_geometryTrace),
                            "ns3::lightpath::MrrRingChannel::GeometryTracedCallback");
    return tid;
}

MrrRingChannel::MrrRingChannel()
    : m_geometry(2, 1, 1)
{
    NS_LOG_FUNCTION(this);
}

MrrRingChannel::~MrrRingChannel()
{
    NS_LOG_FUNCTION(this);
}

void
MrrRingChannel::DoAdd(uint32_t port)
{
    NS_ABORT_MSG_IF(!GetPlan().GetLightpaths().empty(),
                    "Node " << port << " cannot be added to a ring that carries lightpaths: "
                            << "attach all devices before the first plan is configured");
    m_geometry = RingGeometry(std::max(port + 1, 2U), m_nFibres, m_nWavelengths);
}

const RingGeometry&
MrrRingChannel::GetGeometry() const
{
    NS_ABORT_MSG_IF(GetNDevices() < 2,
                    "A ring needs 2 nodes at least, but " << GetNDevices() << " are attached");
    return m_geometry;
}

void
MrrRingChannel::SetSegmentFailed(uint32_t segment, RingDirection direction, bool failed)
{
    NS_LOG_FUNCTION(this << segment << failed);
    NS_ABORT_MSG_IF(segment >= GetNDevices(),
                    "Segment " << segment << " does not exist on a ring of " << GetNDevices()
                               << " nodes, whose segments are numbered from 0");
    m_geometry.SetFailed(segment, direction, failed);
    m_geometryTrace(m_geometry);
    if (failed)
    {
        RemoveLanes([this](PortPair pair, Lane lane) {
            return !m_geometry.IsUsable(pair.first,
                                        pair.second,
                                        m_geometry.GetDirection(lane.fibre));
        });
    }
}

Time
MrrRingChannel::GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const
{
    const auto direction = m_geometry.GetDirection(lane.fibre);
    return GetFibreDelay(m_nodeDistance * m_geometry.GetHops(source, destination, direction));
}

std::string
MrrRingChannel::DoCheck(const CircuitPlan& plan) const
{
    const uint32_t nodes = GetNDevices();
    std::ostringstream sentence;
    // The lightpath on each wavelength of each fibre in each segment
    std::vector<const PortPair*> owners(2UL * m_nFibres * m_nWavelengths * nodes, nullptr);
    for (const auto& lightpath : plan.GetLightpaths())
    {
        const uint32_t source = lightpath.first.first;
        const uint32_t destination = lightpath.first.second;
        for (const auto& lane : lightpath.second)
        {
            if (lane.fibre >= 2 * m_nFibres || lane.wavelength >= m_nWavelengths)
            {
                sentence << "The lightpath from node " << source << " to node " << destination
                         << " uses wavelength " << lane.wavelength << " of fibre " << lane.fibre
                         << ", but the ring has " << 2 * m_nFibres << " fibres with "
                         << m_nWavelengths << " wavelengths, numbered from 0";
                return sentence.str();
            }
            const auto direction = m_geometry.GetDirection(lane.fibre);
            const uint32_t first = m_geometry.GetFirstSegment(source, destination, direction);
            const uint32_t hops = m_geometry.GetHops(source, destination, direction);
            const std::size_t row =
                (static_cast<std::size_t>(lane.fibre) * m_nWavelengths + lane.wavelength) * nodes;
            for (uint32_t hop = 0; hop < hops; ++hop)
            {
                const uint32_t segment = (first + hop) % nodes;
                if (m_geometry.IsFailed(segment, direction))
                {
                    sentence << "The lightpath from node " << source << " to node " << destination
                             << " crosses segment " << segment << " on fibre " << lane.fibre
                             << ", where the fibres of this direction have failed";
                    return sentence.str();
                }
                const PortPair*& owner = owners[row + segment];
                if (owner)
                {
                    sentence << "The lightpaths from node " << owner->first << " to node "
                             << owner->second << " and from node " << source << " to node "
                             << destination << " both use wavelength " << lane.wavelength
                             << " of fibre " << lane.fibre << " in segment " << segment
                             << "; a lane of a segment carries one lightpath";
                    return sentence.str();
                }
                owner = &lightpath.first;
            }
        }
    }
    return "";
}

} // namespace lightpath
} // namespace ns3
