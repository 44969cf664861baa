"""Tests of the drawing of lanes, with places worked out by hand."""

import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "utils/figures"))

from lanes import get_colour, get_svg

BAR = re.compile(
    r'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)" fill="([^"]+)"[^>]*><title>(.+)</title>'
)


def make_ring(nodes, fibres, wavelengths, mode, lightpaths):
    """Return a plan for a ring of some fibres in each direction."""
    directions = ["clockwise"] * fibres + ["counterclockwise"] * fibres
    return {
        "allocator": "by-hand",
        "ports": nodes,
        "objective": 0.25,
        "geometry": {
            "wavelengths": wavelengths,
            "wavelengthMode": mode,
            "fibres": [{"direction": each, "failed": False, "failedSegments": []} for each in directions],
        },
        "lightpaths": lightpaths,
    }


def make_lightpath(source, destination, *lanes):
    """Return a lightpath on some lanes, each a fibre or switch and a wavelength."""
    return {"source": source, "destination": destination, "lanes": [list(lane) for lane in lanes]}


def get_bars(svg):
    """Return the rectangles with tips: left, top, width and height, colour and tip."""
    return [(*map(float, bar[:4]), *bar[4:]) for bar in BAR.findall(svg)]


class LanesTests(unittest.TestCase):
    """Bars and squares stand where their lanes are."""

    def test_ring(self):
        """A ring of 4 nodes whose segments are 72 wide and whose rows are 20 high."""
        # Clockwise over segments 3 and 0, and counterclockwise over segment 3
        paths = [make_lightpath(3, 1, (1, 2)), make_lightpath(0, 3, (2, 0))]
        plan = make_ring(4, 2, 3, "continuity", paths)
        for fibre in plan["geometry"]["fibres"][2:]:
            fibre["failedSegments"] = [1]
        svg = get_svg(plan)
        bars = get_bars(svg)
        self.assertEqual([bar[5] for bar in bars], ["3\u21921", "3\u21921", "0\u21923"])
        self.assertEqual([bar[0] for bar in bars], [56.5, 56.5 + 3 * 72, 56.5 + 3 * 72])
        # Panels are 3 rows of 20 high and 36 apart: row 2 of fibre 1 and row 0 of fibre 2
        self.assertEqual([bar[1] for bar in bars], [58 + 96 + 40.5, 58 + 96 + 40.5, 58 + 2 * 96 + 0.5])
        self.assertEqual({bar[2:4] for bar in bars}, {(71, 19)})
        self.assertEqual(bars[0][4], get_colour(3))
        self.assertEqual(svg.count('fill="url(#hatch)"'), 2, "segment 1 of two fibres")
        self.assertEqual(svg.count("clockwise"), 4, "a panel for each fibre")
        self.assertIn("by-hand, 4 ports: objective 0.25", svg)
        plan["geometry"]["fibres"][3]["failed"] = True
        self.assertEqual(get_svg(plan).count('fill="url(#hatch)"'), 3, "and a fibre")

    def test_load(self):
        """Of arcs that fit by load only no two overlap."""
        # Three arcs of two segments each, on 2 lanes of 3 segments: no two share a wavelength
        paths = [make_lightpath(0, 2, (0, 0)), make_lightpath(1, 0, (0, 0)), make_lightpath(2, 1, (0, 1))]
        svg = get_svg(make_ring(3, 1, 2, "load-only", paths))
        cells = []
        for left, top, width, _, _, _ in get_bars(svg):
            first = round((left - 56.5) / 72)
            cells += [(first + i, top) for i in range(round((width + 1) / 72))]
        self.assertEqual(len(cells), 6)
        self.assertEqual(len(set(cells)), 6)
        self.assertEqual(svg.count("clockwise"), 2, "a panel for each direction")

    def test_switches(self):
        """Two switches for 3 devices, whose squares are 28 wide."""
        plan = {
            "allocator": "by-hand",
            "ports": 3,
            "objective": 2.5e-6,
            "geometry": {
                "switches": [
                    {"missingInputs": [1], "missingOutputs": []},
                    {"missingInputs": [2], "missingOutputs": [2]},
                ]
            },
            "slots": [
                {"lightpaths": [make_lightpath(0, 2, (0, 0)), make_lightpath(1, 0, (1, 0))]},
                {"lightpaths": [make_lightpath(2, 0, (0, 0))]},
            ],
        }
        svg = get_svg(plan)
        # A panel is 3 squares wide and 44 from the edge and from the next one
        places = [(44 + 2 * 28, 58, 28, 28), (2 * 44 + 3 * 28, 58 + 28, 28, 28)]
        self.assertEqual([bar[:4] for bar in get_bars(svg)], places)
        self.assertEqual(svg.count('fill="url(#hatch)"'), 3)
        self.assertIn("objective 2.5 us; the first of 2 slots", svg)

    def test_large(self):
        """Nothing has a name in a large ring, nor a size below zero."""
        svg = get_svg(make_ring(1024, 1, 1, "continuity", [make_lightpath(0, 600, (0, 0))]))
        self.assertEqual(svg.count("0\u2192600"), 1, "the tip only")
        self.assertNotRegex(svg, '(width|height|x|y|size)="-')

    def test_colours(self):
        """Ports have different colours."""
        colours = {get_colour(port) for port in range(64)}
        self.assertEqual(len(colours), 64)
        # The first is on the wheel at red
        self.assertEqual(get_colour(0), "#f58282")


if __name__ == "__main__":
    unittest.main()
