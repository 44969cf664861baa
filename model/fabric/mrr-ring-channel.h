/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRR_RING_CHANNEL_H
#define MRR_RING_CHANNEL_H

#include "optical-channel.h"
#include "ring-geometry.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A ring of fibres on which micro-ring resonators add and drop wavelengths at each node.
 *
 * Ports stand on the ring in the order in which they were attached. A lane of a lightpath is a
 * wavelength on a fibre, whose direction gives the arc (see RingGeometry). A wavelength serves
 * lightpaths whose arcs share no segment of the fibre; each keeps its wavelength from end to end.
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
    ~MrrRingChannel() override;

    /**
     * @return the ring, with its failed segments; there must be two devices at least
     */
    const RingGeometry& GetGeometry() const;

    /**
     * Cut the fibres of one direction in a segment, or mend them. Lanes that a cut breaks go dark
     * at once and leave the plan; a segment that has been mended serves plans configured from then
     * on.
     *
     * @param segment the segment, between node s and node s + 1
     * @param direction the direction of the fibres
     * @param failed true to cut, false to mend
     */
    void SetSegmentFailed(uint32_t segment, RingDirection direction, bool failed);

    /**
     * TracedCallback signature for a failure or a repair.
     *
     * @param geometry the ring as it is now
     */
    typedef void (*GeometryTracedCallback)(const RingGeometry& geometry);

    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override;

  protected:
    void DoAdd(uint32_t port) override;

  private:
    std::string DoCheck(const CircuitPlan& plan) const override;

    uint32_t m_nFibres;      //!< Fibres in each direction
    uint32_t m_nWavelengths; //!< Wavelengths of each fibre
    double m_nodeDistance;   //!< Fibre between two neighbours, in metres
    RingGeometry m_geometry; //!< The ring

    TracedCallback<const RingGeometry&> m_geometryTrace; //!< A segment has failed or is mended
};

} // namespace lightpath
} // namespace ns3

#endif /* MRR_RING_CHANNEL_H */
