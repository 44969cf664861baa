/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_PLAN_H
#define CIRCUIT_PLAN_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// A source port and a destination port, counted from 0 within one fabric.
using PortPair = std::pair<uint32_t, uint32_t>;

/**
 * @ingroup lightpath
 * @brief One wavelength on one fibre: the unit of capacity of an optical fabric.
 *
 * The fabric defines the meaning of a fibre: a fibre of a ring in one direction, or the pair of
 * ports of a device on one circuit switch.
 */
struct Lane
{
    uint32_t fibre{0};      //!< Index of the fibre within the fabric
    uint32_t wavelength{0}; //!< Index of the wavelength on the fibre

    /**
     * @param other the lane compared with
     * @return true if both are the same wavelength on the same fibre
     */
    bool operator==(const Lane& other) const
    {
        return fibre == other.fibre && wavelength == other.wavelength;
    }

    /**
     * @param other the lane compared with
     * @return true if this lane comes first, by fibre and then by wavelength
     */
    bool operator<(const Lane& other) const
    {
        return fibre != other.fibre ? fibre < other.fibre : wavelength < other.wavelength;
    }
};

/**
 * @ingroup lightpath
 * @brief The lightpaths that a fabric carries at one time.
 *
 * A lightpath leads from a source port to a destination port over one or more lanes. A plan is a
 * plain value: the channel checks whether its fabric can carry it (OpticalChannel::Check). Copies
 * share their lightpaths until one of them is changed.
 */
class CircuitPlan
{
  public:
    /// The lanes of each lightpath, in ascending order, by source and destination.
    using Lightpaths = std::vector<std::pair<PortPair, std::vector<Lane>>>;

    /**
     * Add one lane to the lightpath between two ports, which is created with its first lane.
     *
     * @param source the port that sends
     * @param destination the port that receives
     * @param lane the lane
     */
    void AddLane(uint32_t source, uint32_t destination, Lane lane);

    /**
     * Add lanes to the lightpath between two ports, which is created if necessary.
     *
     * @param source the port that sends
     * @param destination the port that receives
     * @param lanes the lanes, in ascending order
     */
    void AddLanes(uint32_t source, uint32_t destination, std::vector<Lane> lanes);

    /**
     * Remove one lane from a lightpath, which is removed with its last lane. A missing lane is
     * ignored.
     *
     * @param source the port that sends
     * @param destination the port that receives
     * @param lane the lane
     */
    void RemoveLane(uint32_t source, uint32_t destination, Lane lane);

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @return the lanes of the lightpath in ascending order; none if there is no such lightpath
     */
    const std::vector<Lane>& GetLanes(uint32_t source, uint32_t destination) const;

    /**
     * @return all lightpaths, in ascending order
     */
    const Lightpaths& GetLightpaths() const;

    /**
     * @return the number of lanes of all lightpaths
     */
    uint64_t GetNLanes() const;

    /**
     * @param other the plan compared with
     * @return true if both have the same lightpaths on the same lanes
     */
    bool operator==(const CircuitPlan& other) const;

    /**
     * @param nPorts the number of ports of a fabric
     * @return a message that names the first lightpath with a port that does not exist, with equal
     *         ends or with a duplicate lane; empty if there is none
     */
    std::string FindConflict(std::size_t nPorts) const;

  private:
    /// The content, which copies of a plan share.
    struct Content
    {
        /**
         * @param pair a pair
         * @return its position among the lightpaths, or that of the next pair
         */
        Lightpaths::iterator Find(PortPair pair);

        /// Sort the scattered lanes in.
        void Merge();

        Lightpaths lightpaths; //!< The lanes by pair
        /// Lanes of further lightpaths, not sorted in yet
        std::vector<std::pair<PortPair, Lane>> scattered;
    };

    /**
     * @return the content for modification, which no other plan shares
     */
    Content& GetOwn();

    std::shared_ptr<Content> m_content; //!< The lightpaths; null if there are none
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_PLAN_H */
