/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_LANE_CHART_H
#define RING_LANE_CHART_H

#include "ns3/circuit-plan.h"
#include "ns3/ring-geometry.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class SvgDocument;

/**
 * @ingroup lightpath
 * @brief Draws which lightpath holds which wavelength of which segment of a ring.
 *
 * There is a panel for each fibre, with the segments of the ring across and the wavelengths down.
 * A bar is a lane of a lightpath over its arc; one that passes node 0 goes on at the other edge.
 * Bars have the colour of their source and, where it fits, its name and that of the destination.
 * What is out of use is hatched: segments and fibres; micro-rings and lasers are not drawn.
 *
 * Where lightpaths need not keep a wavelength there is a panel for each direction. Its rows are the
 * lanes of a segment, of which a lightpath keeps one as far as it can.
 */
class RingLaneChart
{
  public:
    /// Rings of more nodes are drawn without names.
    static constexpr uint32_t MAX_NAMED_NODES = 64;

    /**
     * @param geometry the ring and what has failed
     * @param plan lightpaths that the ring can carry
     */
    RingLaneChart(const RingGeometry& geometry, const CircuitPlan& plan);

    RingLaneChart(const RingLaneChart&) = delete;
    RingLaneChart& operator=(const RingLaneChart&) = delete;

    /**
     * @param os where to write the drawing, in SVG
     * @param title its title
     */
    void Print(std::ostream& os, const std::string& title) const;

  private:
    /// A row of lanes without light, or the lightpath that holds each of its segments.
    using Row = std::vector<const PortPair*>;

    /// A fibre, or a direction.
    struct Panel
    {
        std::string title;                           //!< What it shows
        RingDirection direction;                     //!< The direction of its light
        uint32_t nWorking{0};                        //!< Rows that are not out of use, the first
        std::vector<Row> rows;                       //!< What holds each lane of each segment
        std::vector<std::vector<uint32_t>> barIndex; //!< The bar of each lane of each segment
    };

    /**
     * Make the panels, without lightpaths.
     */
    void AddPanels();

    /**
     * Enter one lane of a lightpath.
     *
     * @param pair its ports
     * @param lane its lane
     * @param bar the index of the bar
     */
    void AddBar(const PortPair& pair, Lane lane, uint32_t bar);

    /**
     * @param [out] drawing where to draw
     * @param panel the panel
     * @param top its upper edge
     */
    void DrawPanel(SvgDocument& drawing, const Panel& panel, double top) const;

    /**
     * @param [out] drawing where to draw
     * @param panel the panel
     * @param top its upper edge
     */
    void DrawAxes(SvgDocument& drawing, const Panel& panel, double top) const;

    /**
     * @param [out] drawing where to draw
     * @param panel the panel
     * @param row one of its rows
     * @param y the upper edge of the row
     */
    void DrawRow(SvgDocument& drawing, const Panel& panel, std::size_t row, double y) const;

    RingGeometry m_geometry;     //!< The ring
    CircuitPlan m_plan;          //!< The lightpaths
    std::vector<Panel> m_panels; //!< The panels, downwards
    double m_segmentWidth;       //!< Width of a segment
    double m_rowHeight;          //!< Height of a row
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_LANE_CHART_H */
