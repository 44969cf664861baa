/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_GEOMETRY_H
#define RING_GEOMETRY_H

#include "ns3/circuit-plan.h"

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
 * @brief The fibres, wavelengths and segments of a ring, the arcs on them, and the failures.
 *
 * Nodes 0 to N-1 stand on the ring in clockwise order. Segment s joins node s to node s+1 (mod N)
 * and holds, in each direction, the same number of fibres with the same number of wavelengths.
 * Fibres 0 to F-1 run clockwise and fibres F to 2F-1 counterclockwise. The arc from i to j covers
 * the segments i to j-1 clockwise and the segments j to i-1 counterclockwise (mod N).
 */
class RingGeometry
{
  public:
    /// The lanes that a lightpath occupies on the segments of its arc.
    enum WavelengthMode
    {
        CONTINUITY, //!< Each of its wavelengths, which it keeps from end to end
        LOAD_ONLY,  //!< A number of any wavelengths: each node converts them and changes fibres
        EXCLUSIVE,  //!< Each of its wavelengths around the whole ring, as in Mordia: no reuse
    };

    /**
     * @param nodes the number N of nodes, at least 2
     * @param fibres the number F of fibres in each direction, at least 1
     * @param wavelengths the number of wavelengths of each fibre, at least 1
     */
    RingGeometry(uint32_t nodes, uint32_t fibres, uint32_t wavelengths);

    /**
     * @return the number of nodes, which is also the number of segments
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
     * @return the number of lanes that one segment carries in this direction on working fibres
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
     * @param mode the lanes that a lightpath occupies; continuity by default
     */
    void SetWavelengthMode(WavelengthMode mode);

    /**
     * @param hops the most segments that a lightpath may cover; 0 for any number, as at first
     */
    void SetReach(uint32_t hops);

    /**
     * @return the most segments that a lightpath may cover; 0 for any number
     */
    uint32_t GetReach() const;

    /**
     * @return the lanes that a lightpath occupies
     */
    WavelengthMode GetWavelengthMode() const;

    /**
     * Mark a component as failed, or as repaired. An unknown name ends the program with a message
     * that lists the known names.
     *
     * @param component "segment:S:cw" or "segment:S:ccw", the fibres of one direction between node
     *        S and node S + 1; "segment:S", the fibres of both directions; "fibre:F", one fibre
     *        around the ring; "micro-ring:N:F:W", by which node N adds and drops wavelength W of
     *        fibre F; "laser:N:W", from which node N takes wavelength W for all its fibres
     * @param failed true for a failure, false for a repair
     */
    void SetFailed(const std::string& component, bool failed);

    /**
     * As SetFailed(), but return the message for an unknown name.
     *
     * @param component the name of the component
     * @param failed true for a failure, false for a repair
     * @return empty if the component exists; otherwise a message that lists the known ones
     */
    [[nodiscard]] std::string TrySetFailed(const std::string& component, bool failed);

    /**
     * @return true if any component has failed
     */
    bool HasFailures() const;

    /**
     * @param segment the index of the segment
     * @param direction the direction of the light
     * @return true if the segment has failed in this direction
     */
    bool IsFailed(uint32_t segment, RingDirection direction) const;

    /**
     * @param fibre the index of a fibre
     * @return true if the whole fibre has failed
     */
    bool IsFibreFailed(uint32_t fibre) const;

    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction the direction of the arc
     * @return true if all segments of the arc work, and a lightpath may cover that many
     */
    bool IsUsable(uint32_t source, uint32_t destination, RingDirection direction) const;

    /**
     * @param source the node that sends
     * @param destination the node that receives
     * @param lane a lane of this ring
     * @return true if the lane's fibre works, the source can add the lane and the destination can
     *         drop it; IsUsable() checks the segments between them
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
     * @return true if both have the same size, reach and failures
     */
    bool operator==(const RingGeometry& other) const;

  private:
    uint32_t m_nodes;                                       //!< Number of nodes
    uint32_t m_fibres;                                      //!< Fibres in each direction
    uint32_t m_wavelengths;                                 //!< Wavelengths of each fibre
    WavelengthMode m_mode{CONTINUITY};                      //!< The lanes that a lightpath occupies
    uint32_t m_reach{0};                                    //!< Most segments of a lightpath, or 0
    std::set<std::pair<uint32_t, RingDirection>> m_failed;  //!< Failed segments
    std::set<uint32_t> m_failedFibres;                      //!< Failed fibres
    std::set<std::pair<uint32_t, Lane>> m_failedMicroRings; //!< By node and lane
    std::set<std::pair<uint32_t, uint32_t>> m_failedLasers; //!< By node and wavelength
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_GEOMETRY_H */
