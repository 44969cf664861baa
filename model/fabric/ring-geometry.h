/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_GEOMETRY_H
#define RING_GEOMETRY_H

#include "circuit-plan.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

/// The two directions in which light travels round a ring of fibres.
enum class RingDirection : uint8_t
{
    CLOCKWISE,        //!< From node i to node i + 1
    COUNTERCLOCKWISE, //!< From node i to node i - 1
};

/**
 * @ingroup lightpath
 * @brief The fibres, wavelengths and segments of a ring, the arcs on them, and what has failed.
 *
 * Nodes 0 to N-1 stand on the ring in clockwise order. Segment s joins node s to node s+1 (mod N)
 * and holds, in each direction, the same number of fibres with the same number of wavelengths.
 * Fibres 0 to F-1 run clockwise and fibres F to 2F-1 counterclockwise. The arc from i to j covers
 * the segments i to j-1 clockwise and the segments j to i-1 counterclockwise (mod N).
 */
class RingGeometry
{
  public:
    /// What a lightpath has to itself on the segments of its arc.
    enum WavelengthMode
    {
        CONTINUITY, //!< Each of its wavelengths, which it keeps from end to end
        LOAD_ONLY,  //!< So many wavelengths, whichever: each node converts them and changes fibres
    };

    /**
     * @param nodes the number N of nodes, at least 2
     * @param fibres the number F of fibres in each direction, at least 1
     * @param wavelengths the number of wavelengths of each fibre, at least 1
     */
    RingGeometry(uint32_t nodes, uint32_t fibres, uint32_t wavelengths);

    /**
     * @return the number of nodes, which is the number of segments too
     */
    uint32_t GetNNodes() const;

    /**
     * @return the number of fibres in each direction
     */
    uint32_t GetNFibres() const;

    /**
     * @return the number of wavelengths of each fibre
     */
    uint32_t GetNWavelengths() const;

    /**
     * @return the number of lanes that one segment carries in one direction
     */
    uint32_t GetCapacity() const;

    /**
     * @param direction a direction
     * @return the number of lanes that one segment carries in this direction on the fibres that are
     *         in use
     */
    uint32_t GetCapacity(RingDirection direction) const;

    /**
     * @param fibre the index of a fibre, less than 2F
     * @return the direction of its light
     */
    RingDirection GetDirection(uint32_t fibre) const;

    /**
     * @param direction a direction
     * @return the index of the first of the F fibres in this direction
     */
    uint32_t GetFirstFibre(RingDirection direction) const;

    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction the direction of the arc
     * @return the number of segments of the arc
     */
    uint32_t GetHops(uint32_t source, uint32_t destination, RingDirection direction) const;

    /**
     * The lowest segment of an arc: the arc covers GetHops() segments from this one on, upwards
     * (mod N).
     *
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction the direction of the arc
     * @return the index of the segment
     */
    uint32_t GetFirstSegment(uint32_t source, uint32_t destination, RingDirection direction) const;

    /**
     * @param mode what a lightpath has to itself; continuity at first
     */
    void SetWavelengthMode(WavelengthMode mode);

    /**
     * @return what a lightpath has to itself
     */
    WavelengthMode GetWavelengthMode() const;

    /**
     * Take a component out of use, or bring it back. A name that no component has ends the program
     * with a sentence that lists the known ones.
     *
     * @param component "segment:S:cw" or "segment:S:ccw", the fibres of one direction between node
     *        S and node S + 1; "segment:S", the fibres of both directions; "fibre:F", one fibre all
     *        the way round; "micro-ring:N:F:W", by which node N adds and drops wavelength W of
     *        fibre F; "laser:N:W", from which node N takes wavelength W for all its fibres
     * @param failed true to take it out of use, false to mend it
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * As SetFailed(), for a name that may belong to no component.
     *
     * @param component the name of the component
     * @param failed true to take it out of use, false to mend it
     * @return empty if the ring has it; otherwise the sentence that lists the known ones
     */
    [[nodiscard]] std::string TrySetFailed(const std::string& component, bool failed);

    /**
     * @return true if anything is out of use
     */
    bool HasFailures() const;

    /**
     * @param segment the index of the segment
     * @param direction the direction of the light
     * @return true if the segment is out of use in this direction
     */
    bool IsFailed(uint32_t segment, RingDirection direction) const;

    /**
     * @param fibre the index of a fibre
     * @return true if the fibre is out of use all round
     */
    bool IsFibreFailed(uint32_t fibre) const;

    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction the direction of the arc
     * @return true if no segment of the arc is out of use
     */
    bool IsUsable(uint32_t source, uint32_t destination, RingDirection direction) const;

    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @param lane a lane of this ring
     * @return true if the lane's fibre works, the source can add the lane and the destination can
     *         drop it; the segments between them are the matter of IsUsable()
     */
    bool HasEnds(uint32_t source, uint32_t destination, Lane lane) const;

    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @return true if a lightpath from one to the other, which are different nodes of this ring,
     *         could be set up on a lane
     */
    bool HasPath(uint32_t source, uint32_t destination) const;

    /**
     * @param other the ring compared with
     * @return true if both are alike and the same components of them have failed
     */
    bool operator==(const RingGeometry& other) const;

  private:
    uint32_t m_nodes;                                       //!< Number of nodes
    uint32_t m_fibres;                                      //!< Fibres in each direction
    uint32_t m_wavelengths;                                 //!< Wavelengths of each fibre
    WavelengthMode m_mode{CONTINUITY};                      //!< What a lightpath has to itself
    std::set<std::pair<uint32_t, RingDirection>> m_failed;  //!< Segments out of use
    std::set<uint32_t> m_failedFibres;                      //!< Fibres out of use all round
    std::set<std::pair<uint32_t, Lane>> m_failedMicroRings; //!< By node and lane
    std::set<std::pair<uint32_t, uint32_t>> m_failedLasers; //!< By node and wavelength
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_GEOMETRY_H */
