/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-chart.h"

#include "svg-document.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr double LEFT = 44;         //!< From the left edge of a panel's place to the panel
constexpr double TOP = 58;          //!< From the upper edge of the drawing to the first panel
constexpr double BETWEEN = 50;      //!< From one panel to the one below it
constexpr double WIDTH = 1240;      //!< Width that panels beside each other may take
constexpr double FONT_SIZE = 9;     //!< Size of the font of numbers
const char* const GRID = "#e2e2e2"; //!< Colour of the lines between inputs and outputs
const char* const EDGE = "#666666"; //!< Colour of the edges of panels and squares

} // namespace

CircuitSwitchChart::CircuitSwitchChart(const CircuitSwitchGeometry& geometry,
                                       const CircuitPlan& plan)
    : m_geometry(geometry),
      m_plan(plan),
      m_cell(std::min(std::max(260.0 / geometry.GetNDevices(), 2.0), 28.0))
{
    const double panel = LEFT + m_geometry.GetNDevices() * m_cell;
    m_nColumns = std::max(static_cast<uint32_t>(WIDTH / panel), 1U);
}

double
CircuitSwitchChart::GetLeft(uint32_t circuitSwitch) const
{
    const double panel = LEFT + m_geometry.GetNDevices() * m_cell;
    return LEFT + circuitSwitch % m_nColumns * panel;
}

double
CircuitSwitchChart::GetTop(uint32_t circuitSwitch) const
{
    const double panel = BETWEEN + m_geometry.GetNDevices() * m_cell;
    return TOP + circuitSwitch / m_nColumns * panel;
}

void
CircuitSwitchChart::Print(std::ostream& os, const std::string& title) const
{
    SvgDocument drawing(title);
    drawing.AddText(LEFT, 24, 15, SvgDocument::START, title);
    for (uint32_t circuitSwitch = 0; circuitSwitch < m_geometry.GetNSwitches(); ++circuitSwitch)
    {
        DrawPanel(drawing, circuitSwitch);
    }
    const uint32_t nDevices = m_geometry.GetNDevices();
    for (const auto& [pair, lanes] : m_plan.GetLightpaths())
    {
        const std::string name =
            std::to_string(pair.first) + "\u2192" + std::to_string(pair.second);
        const double size = std::min(FONT_SIZE, m_cell / 2.5);
        const bool hasName = nDevices <= MAX_NAMED_DEVICES && size >= 5 &&
                             SvgDocument::GetTextWidth(name, size) <= m_cell;
        for (const Lane& lane : lanes)
        {
            const double x = GetLeft(lane.fibre) + pair.second * m_cell;
            const double y = GetTop(lane.fibre) + pair.first * m_cell;
            drawing.AddRectangle(x,
                                 y,
                                 m_cell,
                                 m_cell,
                                 SvgDocument::GetColour(pair.first),
                                 m_cell >= 4 ? EDGE : "",
                                 name);
            if (hasName)
            {
                drawing.AddText(x + m_cell / 2,
                                y + m_cell / 2 + 0.35 * size,
                                size,
                                SvgDocument::MIDDLE,
                                name);
            }
        }
    }
    drawing.Print(os);
}

void
CircuitSwitchChart::DrawPanel(SvgDocument& drawing, uint32_t circuitSwitch) const
{
    const double x = GetLeft(circuitSwitch);
    const double y = GetTop(circuitSwitch);
    const uint32_t nDevices = m_geometry.GetNDevices();
    const double side = nDevices * m_cell;
    drawing.AddText(x, y - 6, 11, SvgDocument::START, "switch " + std::to_string(circuitSwitch));
    drawing.AddRectangle(x, y, side, side, "#ffffff", EDGE);
    for (uint32_t device = 0; device < nDevices; ++device)
    {
        const double shift = device * m_cell;
        if (!m_geometry.HasInput(circuitSwitch, device))
        {
            drawing.AddRectangle(x, y + shift, side, m_cell, SvgDocument::HATCH);
        }
        if (!m_geometry.HasOutput(circuitSwitch, device))
        {
            drawing.AddRectangle(x + shift, y, m_cell, side, SvgDocument::HATCH);
        }
        if (device > 0 && m_cell >= 4)
        {
            drawing.AddLine(x, y + shift, x + side, y + shift, GRID);
            drawing.AddLine(x + shift, y, x + shift, y + side, GRID);
        }
    }
    DrawAxes(drawing, x, y);
}

void
CircuitSwitchChart::DrawAxes(SvgDocument& drawing, double x, double y) const
{
    const uint32_t nDevices = m_geometry.GetNDevices();
    const double side = nDevices * m_cell;
    // So many numbers that they do not touch
    const double numberWidth = SvgDocument::GetTextWidth(std::to_string(nDevices), FONT_SIZE) + 4;
    const auto step = static_cast<uint32_t>(std::ceil(numberWidth / m_cell));
    for (uint32_t device = 0; device < nDevices; device += step)
    {
        const double middle = (device + 0.5) * m_cell;
        const std::string number = std::to_string(device);
        drawing.AddText(x + middle, y + side + 10, FONT_SIZE, SvgDocument::MIDDLE, number);
        drawing.AddText(x - 4, y + middle + 3, FONT_SIZE, SvgDocument::END, number);
    }
    drawing.AddText(x + side / 2, y + side + 21, 10, SvgDocument::MIDDLE, "output");
    drawing.AddUpwardText(x - 24, y + side / 2, 10, "input");
}

} // namespace lightpath
} // namespace ns3
