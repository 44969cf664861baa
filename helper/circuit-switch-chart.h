/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SWITCH_CHART_H
#define CIRCUIT_SWITCH_CHART_H

#include "ns3/circuit-plan.h"
#include "ns3/circuit-switch-geometry.h"

#include <ostream>
#include <string>

namespace ns3
{
namespace lightpath
{

class SvgDocument;

/**
 * @ingroup lightpath
 * @brief Draws which inputs and outputs the circuits of parallel switches join.
 *
 * There is a panel for each switch, with a row for each input and a column for each output. A
 * square is a circuit; it has the colour of its source and, where it fits, its name and that of
 * the destination. Inputs and outputs that are out of use or do not exist are hatched.
 */
class CircuitSwitchChart
{
  public:
    /// Switches for more devices are drawn without names.
    static constexpr uint32_t MAX_NAMED_DEVICES = 64;

    /**
     * @param geometry the switches and what has failed
     * @param plan circuits that the switches can carry
     */
    CircuitSwitchChart(const CircuitSwitchGeometry& geometry, const CircuitPlan& plan);

    /**
     * @param os where to write the drawing, in SVG
     * @param title its title
     */
    void Print(std::ostream& os, const std::string& title) const;

  private:
    /**
     * @param [out] drawing where to draw
     * @param circuitSwitch the index of a switch
     */
    void DrawPanel(SvgDocument& drawing, uint32_t circuitSwitch) const;

    /**
     * @param [out] drawing where to draw
     * @param x the left edge of a panel
     * @param y its upper edge
     */
    void DrawAxes(SvgDocument& drawing, double x, double y) const;

    /**
     * @param circuitSwitch the index of a switch
     * @return the left edge of its panel
     */
    double GetLeft(uint32_t circuitSwitch) const;

    /**
     * @param circuitSwitch the index of a switch
     * @return the upper edge of its panel
     */
    double GetTop(uint32_t circuitSwitch) const;

    CircuitSwitchGeometry m_geometry; //!< The switches
    CircuitPlan m_plan;               //!< The circuits
    double m_cell;                    //!< Width and height of a square
    uint32_t m_nColumns;              //!< Panels beside each other
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SWITCH_CHART_H */
