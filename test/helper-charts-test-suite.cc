/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/circuit-switch-chart.h"
#include "helper/ring-lane-chart.h"
#include "helper/svg-document.h"

#include "ns3/test.h"

#include <cmath>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A rectangle of a drawing that has a tip: a bar or a square.
struct Bar
{
    double x{0};      //!< Left edge
    double y{0};      //!< Upper edge
    double width{0};  //!< Width
    double height{0}; //!< Height
    std::string fill; //!< Colour
    std::string tip;  //!< Name of the lightpath
};

/**
 * @param element the text of an element
 * @param name the name of an attribute that it has
 * @return the value of the attribute
 */
std::string
GetAttribute(const std::string& element, const std::string& name)
{
    const std::string key = " " + name + "=\"";
    const std::size_t begin = element.find(key) + key.size();
    return element.substr(begin, element.find('"', begin) - begin);
}

/**
 * @param svg a drawing
 * @return its rectangles with tips
 */
std::vector<Bar>
GetBars(const std::string& svg)
{
    std::vector<Bar> bars;
    std::istringstream lines(svg);
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t tip = line.find("<title>");
        if (line.compare(0, 5, "<rect") == 0 && tip != std::string::npos)
        {
            Bar bar;
            bar.x = std::stod(GetAttribute(line, "x"));
            bar.y = std::stod(GetAttribute(line, "y"));
            bar.width = std::stod(GetAttribute(line, "width"));
            bar.height = std::stod(GetAttribute(line, "height"));
            bar.fill = GetAttribute(line, "fill");
            bar.tip = line.substr(tip + 7, line.find("</title>") - tip - 7);
            bars.push_back(bar);
        }
    }
    return bars;
}

/**
 * @param text a text
 * @param part a part
 * @return how often it stands in the text
 */
std::size_t
Count(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        ++count;
    }
    return count;
}

/**
 * @tparam Chart a kind of chart
 * @param chart a chart
 * @return its drawing
 */
template <typename Chart>
std::string
Draw(const Chart& chart)
{
    std::ostringstream svg;
    chart.Print(svg, "a title");
    return svg.str();
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Bars and squares stand where their lanes are.
 */
class ChartTestCase : public TestCase
{
  public:
    ChartTestCase()
        : TestCase("Charts of lanes")
    {
    }

  private:
    void DoRun() override
    {
        CheckRing();
        CheckLoad();
        CheckSwitches();
        CheckDocument();
        // Nothing has a name in large fabrics, nor a size below zero
        CircuitPlan plan;
        plan.AddLane(0, 600, {0, 0});
        const std::string large = Draw(RingLaneChart(RingGeometry(1024, 1, 1), plan));
        NS_TEST_EXPECT_MSG_EQ(Count(large, ">0\u2192600<"), 1, "the tip only");
        NS_TEST_EXPECT_MSG_EQ(Contains(large, "\"-"), false, "a negative number");
    }

    /// A ring of 4 nodes whose segments are 72 wide and whose rows are 20 high.
    void CheckRing()
    {
        RingGeometry ring(4, 2, 3);
        ring.SetFailed("segment:1:ccw", true);
        CircuitPlan plan;
        plan.AddLane(3, 1, {1, 2}); // clockwise over segments 3 and 0
        plan.AddLane(0, 3, {2, 0}); // counterclockwise over segment 3
        const std::string svg = Draw(RingLaneChart(ring, plan));
        const auto bars = GetBars(svg);
        NS_TEST_ASSERT_MSG_EQ(bars.size(), 3, "bars");
        NS_TEST_EXPECT_MSG_EQ(bars[0].tip, "3\u21921", "the part after node 0 comes first");
        NS_TEST_EXPECT_MSG_EQ(bars[1].tip, "3\u21921", "the same lightpath");
        NS_TEST_EXPECT_MSG_EQ(bars[0].fill, SvgDocument::GetColour(3), "colour of the source");
        NS_TEST_EXPECT_MSG_EQ_TOL(bars[1].x - bars[0].x, 3 * 72, 1, "segment 3 and segment 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(bars[0].width, 72, 2, "one segment");
        NS_TEST_EXPECT_MSG_EQ(bars[2].tip, "0\u21923", "counterclockwise");
        NS_TEST_EXPECT_MSG_EQ_TOL(bars[2].x, bars[1].x, 0.01, "segment 3, too");
        NS_TEST_EXPECT_MSG_GT(bars[2].y, bars[1].y + 20, "the next fibre is below");
        NS_TEST_EXPECT_MSG_EQ(Count(svg, "fill=\"url(#hatch)\""), 2, "segment 1 of two fibres");
        NS_TEST_EXPECT_MSG_EQ(Count(svg, "clockwise"), 4, "a panel for each fibre");
        ring.SetFailed("fibre:3", true);
        NS_TEST_EXPECT_MSG_EQ(Count(Draw(RingLaneChart(ring, plan)), "fill=\"url(#hatch)\""),
                              3,
                              "and a fibre");
    }

    /// Arcs that fit by load only: no two may overlap.
    void CheckLoad()
    {
        RingGeometry ring(3, 1, 2);
        ring.SetWavelengthMode(RingGeometry::LOAD_ONLY);
        // Three arcs of two segments each, on 2 lanes of 3 segments: no two share a wavelength
        CircuitPlan plan;
        plan.AddLane(0, 2, {0, 0});
        plan.AddLane(1, 0, {0, 0});
        plan.AddLane(2, 1, {0, 1});
        const auto bars = GetBars(Draw(RingLaneChart(ring, plan)));
        double length = 0;
        for (std::size_t i = 0; i < bars.size(); ++i)
        {
            length += bars[i].width;
            for (std::size_t j = 0; j < i; ++j)
            {
                const bool apart = bars[i].x >= bars[j].x + bars[j].width ||
                                   bars[j].x >= bars[i].x + bars[i].width ||
                                   std::abs(bars[i].y - bars[j].y) >= bars[i].height;
                NS_TEST_EXPECT_MSG_EQ(apart, true, bars[i].tip << " and " << bars[j].tip);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(length, 6 * 72, 8, "six segments in all");
    }

    /// Two switches for 3 devices, whose squares are 28 wide.
    void CheckSwitches()
    {
        CircuitSwitchGeometry switches(3, 2);
        switches.SetFailed("input:0:1", true);
        switches.SetNPorts(1, 2);
        CircuitPlan plan;
        plan.AddLane(0, 2, {0, 0});
        plan.AddLane(1, 0, {1, 0});
        plan.AddLane(2, 0, {0, 0});
        const std::string svg = Draw(CircuitSwitchChart(switches, plan));
        const auto bars = GetBars(svg);
        NS_TEST_ASSERT_MSG_EQ(bars.size(), 3, "squares");
        NS_TEST_EXPECT_MSG_EQ(bars[0].tip, "0\u21922", "the first");
        NS_TEST_EXPECT_MSG_EQ_TOL(bars[0].x - bars[2].x, 2 * 28, 0.01, "output 2 and output 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(bars[2].y - bars[0].y, 2 * 28, 0.01, "input 2 and input 0");
        NS_TEST_EXPECT_MSG_GT(bars[1].x, bars[0].x + 28, "the other switch is beside");
        NS_TEST_EXPECT_MSG_EQ(Count(svg, "fill=\"url(#hatch)\""),
                              3,
                              "the failed input; input and output of device 2 on switch 1");
    }

    /// Texts of a drawing are XML.
    void CheckDocument()
    {
        SvgDocument drawing("5 < 6 & \"so\" on");
        drawing.AddText(1, 2, 3, SvgDocument::END, "<b>\x01'");
        drawing.AddRectangle(10, 20, 100, 50, "#ffffff");
        std::ostringstream svg;
        drawing.Print(svg);
        const std::string text = svg.str();
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "<title>5 &lt; 6 &amp; &quot;so&quot; on</title>"),
                              true,
                              text);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, ">&lt;b&gt;&#39;</text>"), true, text);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "width=\"126\" height=\"86\""), true, "a margin");
        std::set<std::string> colours;
        for (uint32_t index = 0; index < 64; ++index)
        {
            const std::string colour = SvgDocument::GetColour(index);
            NS_TEST_EXPECT_MSG_EQ(colour.size(), 7, colour);
            colours.insert(colour);
        }
        NS_TEST_EXPECT_MSG_EQ(colours.size(), 64, "colours differ");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Tests of drawings of lightpaths.
 */
class HelperChartsTestSuite : public TestSuite
{
  public:
    HelperChartsTestSuite()
        : TestSuite("lightpath-helper-charts", Type::UNIT)
    {
        AddTestCase(new ChartTestCase());
    }
};

static HelperChartsTestSuite g_helperChartsTestSuite; //!< Registers the suite
