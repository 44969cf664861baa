/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RING_PROGRAM_H
#define LIGHTPATH_RING_PROGRAM_H

#include "linear-program.h"

#include "ns3/ring-geometry.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <map>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief The max-min of lanes on a ring, as a program for GLPK.
 *
 * Several rings may stand in one program: its objective is the sum of their shares.
 */
class RingProgram
{
  public:
    /// The constraint on lanes.
    enum Form
    {
        RELAXED, //!< Fractions of lanes, counted on each segment
        COUNTED, //!< Whole lanes, counted on each segment, which a node adds once
        KEPT,    //!< Whole lanes, each kept from end to end
    };

    /**
     * @param program the program that the variables and rows are added to
     * @param form the constraint on lanes
     */
    RingProgram(LinearProgram& program, Form form);

    /**
     * @param geometry the ring
     * @param demand the bytes to be carried
     * @param maxDistance the most segments of a lightpath, 0 for no limit
     * @param shorterOnly whether a pair may use none but the shorter of its sides
     * @return the variable that is the smallest share of the ring
     */
    uint32_t Add(const ns3::lightpath::RingGeometry& geometry,
                 const ns3::lightpath::TrafficMatrix& demand,
                 uint32_t maxDistance = 0,
                 bool shorterOnly = false);

  private:
    /// The sums of lanes by direction, segment (or, from the number of nodes on, source) and lane.
    using Loads = std::map<std::vector<uint32_t>, LinearProgram::Terms>;

    /**
     * Add the lanes of a pair in one direction.
     *
     * @param geometry the ring
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction the direction
     * @param segments the segments of its arc
     * @param lanes the list that the lanes of the pair are added to
     * @param loads the sums that the lanes of the segments are added to
     */
    void AddArc(const ns3::lightpath::RingGeometry& geometry,
                uint32_t source,
                uint32_t destination,
                uint32_t direction,
                const std::vector<uint32_t>& segments,
                LinearProgram::Terms& lanes,
                Loads& loads);

    LinearProgram& m_program; //!< The program
    Form m_form;              //!< What lanes may be
};

#endif /* LIGHTPATH_RING_PROGRAM_H */
