/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRR_RING_CHANNEL_H
#define MRR_RING_CHANNEL_H

#include "optical-channel.h"
#include "ring-geometry.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A ring of fibres on which micro-ring resonators add and drop wavelengths at each node.
 *
 * Ports stand on the ring in the order in which they were attached. A lane of a lightpath is a
 * wavelength on a fibre, whose direction determines the arc (see RingGeometry). Lightpaths whose
 * arcs share no segment of the fibre may use the same wavelength; each keeps its wavelength from
 * end to end. With the WavelengthMode LoadOnly nodes convert wavelengths and change fibres instead:
 * only the number of lanes of a segment in a direction is limited. The lane of a lightpath is then
 * the lane that its source adds, for no other lightpath, and its destination drops. With the mode
 * Exclusive, as in Mordia, no two lightpaths use the same lane, wherever their arcs are.
 *
 * RingGeometry::SetFailed() lists the components that can fail. In LoadOnly mode a failed fibre
 * breaks the lanes added to it. In each segment it also breaks the lanes in excess of the capacity
 * of the remaining fibres; lightpaths keep their lanes in order of source, then destination.
 *
 * Set the attributes before devices are attached.
 */
class MrrRingChannel : public OpticalChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MrrRingChannel();

    /**
     * @return the ring with its failures; at least two devices must be attached
     */
    const RingGeometry& GetGeometry() const;

    /**
     * TracedCallback signature for a failure or a repair.
     *
     * @param geometry the ring as it is now
     */
    typedef void (*GeometryTracedCallback)(const RingGeometry& geometry);

    std::string GetFabricName() const override
    {
        return "sip-ring";
    }

    /**
     * @return the fibres, each of which counts once between two neighbours; there are no switches
     */
    FabricPlant GetPlant() const override;
    bool HasPath(uint32_t source, uint32_t destination) const override;
    CircuitPlan Extend(const CircuitPlan& plan, const CircuitPlan& more) const override;
    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override;

  protected:
    void DoAdd(uint32_t port) override;

  private:
    uint32_t GetHops(uint32_t source, uint32_t destination, Lane lane) const override;
    uint32_t GetMostHops(PortPair ports, const std::vector<Lane>& lanes) const override;

    Time GetLightpathDelay(PortPair ports, const std::vector<Lane>& lanes) const override
    {
        return GetHopsDelay(GetMostHops(ports, lanes));
    }

    OpticalPath MakePath(uint32_t hops, uint32_t nPorts) const override;

    uint32_t GetFibreWavelengths() const override
    {
        return m_nWavelengths;
    }

    DataRate GetWavelengthRate() const override
    {
        return GetLaneRate();
    }

    std::string DoCheck(const CircuitPlan& plan) const override;
    std::string DoSetFailed(const std::string& component, bool failed) override;
    bool IsIntact(PortPair pair, Lane lane) const override;
    std::vector<LightpathLane> GetBroken(const CircuitPlan& plan) const override;

    /**
     * @param hops a number of segments
     * @return the propagation delay of light that covers them
     */
    Time GetHopsDelay(uint32_t hops) const;

    /**
     * @param pair the ports of a lightpath
     * @param lane a lane of it
     * @return a message that names the failed component; empty if the lane is intact
     */
    std::string CheckLane(PortPair pair, Lane lane) const;

    /**
     * @param plan a plan whose lanes are intact
     * @return a message that names a lane of a segment with two lightpaths; empty if there is none
     */
    std::string CheckContinuity(const CircuitPlan& plan) const;

    /**
     * @param pair the ends of a lightpath
     * @param direction a direction
     * @return the number of segments on which the lightpath alone uses its lanes in the direction
     */
    uint32_t GetLaneHops(PortPair pair, RingDirection direction) const;

    /**
     * @param plan lightpaths whose lanes exist
     * @param pair the ends of one of them, which shares a lane of a segment with an earlier one
     * @return a message about the first such lane
     */
    std::string GetConflict(const CircuitPlan& plan, PortPair pair) const;

    /**
     * @param plan a plan whose lanes are intact
     * @return a message that names an overloaded segment or a lane that a node adds twice; empty if
     *         there is none
     */
    std::string CheckLoad(const CircuitPlan& plan) const;

    /**
     * Add a lane to the loads of the segments of its arc, if all of them have room.
     *
     * @param pair the ports of a lightpath
     * @param lane a lane of it
     * @param [in,out] loads the lanes in use of each segment: clockwise and then counterclockwise,
     *        or with the WavelengthMode Continuity by wavelength, those of a fibre in a row
     * @return the first segment without room; the number of nodes if there is none
     */
    uint32_t AddLoad(PortPair pair, Lane lane, std::vector<uint32_t>& loads) const;

    uint32_t m_nFibres;                  //!< Fibres in each direction
    uint32_t m_nWavelengths;             //!< Wavelengths of each fibre
    RingGeometry::WavelengthMode m_mode; //!< The lanes that a lightpath occupies
    double m_nodeDistance;               //!< Fibre between two neighbours, in metres
    bool m_amplifiers;                   //!< Whether nodes amplify the light that passes them
    RingGeometry m_geometry;             //!< The ring
    mutable std::vector<Time> m_delays;  //!< The delay of a number of segments, cached
    mutable double m_delayDistance{0};   //!< The distance of neighbours of the cache

    TracedCallback<const RingGeometry&> m_geometryTrace; //!< The working components have changed
};

} // namespace lightpath
} // namespace ns3

#endif /* MRR_RING_CHANNEL_H */
