/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-lane-chart.h"

#include "svg-document.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr double LEFT = 56;         //!< Left edge of the panels
constexpr double TOP = 40;          //!< Upper edge of the first panel's title
constexpr double TITLE_HEIGHT = 18; //!< Height of a panel's title
constexpr double AXIS_HEIGHT = 18;  //!< Height of the numbers under a panel
const char* const GRID = "#e2e2e2"; //!< Colour of the lines between segments and rows
const char* const EDGE = "#666666"; //!< Colour of the edges of panels and bars

/**
 * @param value a value
 * @param least the least that it may become
 * @param most the most that it may become
 * @return the value within these limits
 */
double
Clamp(double value, double least, double most)
{
    return std::min(std::max(value, least), most);
}

} // namespace

RingLaneChart::RingLaneChart(const RingGeometry& geometry, const CircuitPlan& plan)
    : m_geometry(geometry),
      m_plan(plan),
      m_segmentWidth(Clamp(960.0 / geometry.GetNNodes(), 2, 72)),
      m_rowHeight(Clamp(900.0 / (2 * geometry.GetCapacity()), 4, 20))
{
    AddPanels();
    uint32_t bar = 0;
    for (const auto& [pair, lanes] : m_plan.GetLightpaths())
    {
        for (const Lane& lane : lanes)
        {
            AddBar(pair, lane, bar++);
        }
    }
}

void
RingLaneChart::AddPanels()
{
    const uint32_t nFibres = m_geometry.GetNFibres();
    const uint32_t nWavelengths = m_geometry.GetNWavelengths();
    const bool isContinuous = m_geometry.GetWavelengthMode() == RingGeometry::CONTINUITY;
    for (uint32_t fibre = 0; fibre < 2 * nFibres; ++fibre)
    {
        const RingDirection direction = m_geometry.GetDirection(fibre);
        const bool isNew = isContinuous || fibre == m_geometry.GetFirstFibre(direction);
        if (isNew)
        {
            Panel panel;
            panel.direction = direction;
            panel.title =
                (isContinuous ? "fibre " + std::to_string(fibre) + ", " : "") +
                (direction == RingDirection::CLOCKWISE ? "clockwise" : "counterclockwise");
            const uint32_t nRows = isContinuous ? nWavelengths : m_geometry.GetCapacity();
            panel.rows.assign(nRows, Row(m_geometry.GetNNodes(), nullptr));
            panel.barIndex.assign(nRows, std::vector<uint32_t>(m_geometry.GetNNodes(), 0));
            m_panels.push_back(panel);
        }
        m_panels.back().nWorking += m_geometry.IsFibreFailed(fibre) ? 0 : nWavelengths;
    }
}

void
RingLaneChart::AddBar(const PortPair& pair, Lane lane, uint32_t bar)
{
    const RingDirection direction = m_geometry.GetDirection(lane.fibre);
    const bool isContinuous = m_geometry.GetWavelengthMode() == RingGeometry::CONTINUITY;
    const std::size_t index =
        isContinuous ? lane.fibre : (direction == m_panels.front().direction ? 0 : 1);
    Panel& panel = m_panels.at(index);
    const uint32_t first = m_geometry.GetFirstSegment(pair.first, pair.second, direction);
    const uint32_t hops = m_geometry.GetHops(pair.first, pair.second, direction);
    std::size_t row = isContinuous ? lane.wavelength : 0;
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        const uint32_t segment = (first + hop) % m_geometry.GetNNodes();
        if (!isContinuous && panel.rows.at(row)[segment])
        {
            row = 0;
            while (panel.rows.at(row)[segment])
            {
                ++row;
            }
        }
        panel.rows.at(row)[segment] = &pair;
        panel.barIndex.at(row)[segment] = bar;
    }
}

void
RingLaneChart::Print(std::ostream& os, const std::string& title) const
{
    SvgDocument drawing(title);
    drawing.AddText(LEFT, 24, 15, SvgDocument::START, title);
    double top = TOP + TITLE_HEIGHT;
    for (const Panel& panel : m_panels)
    {
        DrawPanel(drawing, panel, top);
        top += panel.rows.size() * m_rowHeight + AXIS_HEIGHT + TITLE_HEIGHT;
    }
    const uint32_t nNodes = m_geometry.GetNNodes();
    const double right = LEFT + nNodes * m_segmentWidth;
    drawing.AddText((LEFT + right) / 2,
                    top - 6,
                    11,
                    SvgDocument::MIDDLE,
                    "segment s, between node s and node s + 1");
    if (nNodes <= MAX_NAMED_NODES)
    {
        drawing.AddText(LEFT, top + 16, 11, SvgDocument::START, "colour of the source:");
        double x = LEFT + 130;
        for (uint32_t node = 0; node < nNodes; ++node, x += 36)
        {
            if (x + 36 > std::max(right, 500.0))
            {
                x = LEFT + 130;
                top += 16;
            }
            drawing.AddRectangle(x, top + 7, 10, 10, SvgDocument::GetColour(node), EDGE);
            drawing.AddText(x + 13, top + 16, 10, SvgDocument::START, std::to_string(node));
        }
    }
    drawing.Print(os);
}

void
RingLaneChart::DrawPanel(SvgDocument& drawing, const Panel& panel, double top) const
{
    const uint32_t nNodes = m_geometry.GetNNodes();
    const double width = nNodes * m_segmentWidth;
    const double height = panel.rows.size() * m_rowHeight;
    drawing.AddText(LEFT, top - 5, 11, SvgDocument::START, panel.title);
    drawing.AddRectangle(LEFT, top, width, height, "#ffffff", EDGE);
    const double working = panel.nWorking * m_rowHeight;
    if (working < height)
    {
        drawing.AddRectangle(LEFT, top + working, width, height - working, SvgDocument::HATCH);
    }
    for (uint32_t segment = 0; segment < nNodes; ++segment)
    {
        const double x = LEFT + segment * m_segmentWidth;
        if (m_geometry.IsFailed(segment, panel.direction))
        {
            drawing.AddRectangle(x, top, m_segmentWidth, height, SvgDocument::HATCH);
        }
        if (segment > 0 && m_segmentWidth >= 4)
        {
            drawing.AddLine(x, top, x, top + height, GRID);
        }
    }
    for (std::size_t row = 0; row < panel.rows.size(); ++row)
    {
        const double y = top + row * m_rowHeight;
        if (row > 0)
        {
            drawing.AddLine(LEFT, y, LEFT + width, y, GRID);
        }
        DrawRow(drawing, panel, row, y);
    }
    DrawAxes(drawing, panel, top);
}

void
RingLaneChart::DrawAxes(SvgDocument& drawing, const Panel& panel, double top) const
{
    const double height = panel.rows.size() * m_rowHeight;
    constexpr double size = 9;
    // So many numbers that they do not touch
    const uint32_t nNodes = m_geometry.GetNNodes();
    const double numberWidth = SvgDocument::GetTextWidth(std::to_string(nNodes), size) + 5;
    const auto step = static_cast<uint32_t>(std::ceil(numberWidth / m_segmentWidth));
    for (uint32_t segment = 0; segment < nNodes; segment += step)
    {
        drawing.AddText(LEFT + (segment + 0.5) * m_segmentWidth,
                        top + height + 10,
                        size,
                        SvgDocument::MIDDLE,
                        std::to_string(segment));
    }
    const auto rowStep = static_cast<std::size_t>(std::ceil(9 / m_rowHeight));
    for (std::size_t row = 0; row < panel.rows.size(); row += rowStep)
    {
        drawing.AddText(LEFT - 4,
                        top + (row + 0.5) * m_rowHeight + 3,
                        std::min(size, m_rowHeight * rowStep),
                        SvgDocument::END,
                        std::to_string(row));
    }
    const bool isContinuous = m_geometry.GetWavelengthMode() == RingGeometry::CONTINUITY;
    drawing.AddUpwardText(26, top + height / 2, 10, isContinuous ? "wavelength" : "lane");
}

void
RingLaneChart::DrawRow(SvgDocument& drawing, const Panel& panel, std::size_t row, double y) const
{
    const Row& holders = panel.rows[row];
    const auto& bars = panel.barIndex[row];
    const double size = std::min(10.0, m_rowHeight - 1.5);
    for (std::size_t begin = 0; begin < holders.size();)
    {
        std::size_t end = begin + 1;
        const PortPair* pair = holders[begin];
        while (pair && end < holders.size() && holders[end] && bars[end] == bars[begin])
        {
            ++end;
        }
        if (pair)
        {
            const std::string name =
                std::to_string(pair->first) + "\u2192" + std::to_string(pair->second);
            const double x = LEFT + begin * m_segmentWidth;
            const double width = (end - begin) * m_segmentWidth;
            const double gap = m_segmentWidth >= 4 ? 0.5 : 0;
            drawing.AddRectangle(x + gap,
                                 y + 0.5,
                                 width - 2 * gap,
                                 m_rowHeight - 1,
                                 SvgDocument::GetColour(pair->first),
                                 m_segmentWidth >= 4 ? EDGE : "",
                                 name);
            if (m_geometry.GetNNodes() <= MAX_NAMED_NODES && size >= 5 &&
                SvgDocument::GetTextWidth(name, size) <= width - 1)
            {
                drawing.AddText(x + width / 2,
                                y + m_rowHeight / 2 + 0.35 * size,
                                size,
                                SvgDocument::MIDDLE,
                                name);
            }
        }
        begin = end;
    }
}

} // namespace lightpath
} // namespace ns3
