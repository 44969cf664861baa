"""Draws which lightpath holds which lanes of a fabric, from the JSON of lightpath-allocate."""

import json
import math

from canvas import Canvas

GRID = "#e2e2e2"
EDGE = "#666666"
HATCH = "url(#hatch)"
HATCHING = ('<rect width="6" height="6" fill="#f4f4f4"/>'
            '<path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" stroke="#a03030" stroke-width="1"/>')

# Fabrics of more ports are drawn without names
MOST_NAMED = 64

MARGIN = 16
DIRECTIONS = ("clockwise", "counterclockwise")


def draw(source, target):
    """Draws the lanes that a file of lightpath-allocate names, as SVG."""
    with open(source, encoding="utf-8") as file:
        plan = json.load(file)
    if "geometry" not in plan:
        raise ValueError(f"{source} has no 'geometry': write it by lightpath-allocate --json")
    with open(target, "w", encoding="utf-8") as file:
        file.write(get_svg(plan))


def get_svg(plan):
    """Returns the drawing of a plan, or of the first slot of a schedule."""
    slots = plan.get("slots")
    lightpaths = plan["lightpaths"] if slots is None else slots[0]["lightpaths"] if slots else []
    title = f"{plan['allocator']}, {plan['ports']} ports: objective {get_objective(plan)}"
    if slots is not None:
        title += f"; the first of {len(slots)} slots"
    chart = (Switches if "switches" in plan["geometry"] else Ring)(title, plan, lightpaths)
    return chart.get_svg()


def get_objective(plan):
    """Returns what an allocator has come to as a number, or a schedule as a time."""
    value = plan["objective"]
    if value is None:
        return "none"
    if "slots" not in plan:
        return f"{value:.5g}"
    unit, scale = next(((unit, scale) for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6))
                        if value >= scale), ("ns", 1e-9))
    return f"{value / scale:.5g} {unit}"


def get_colour(port):
    """Returns the colour of a port; steps of the golden section keep any number of hues apart."""
    turn = port * 0.618033988749895 % 1
    low, high = (130, 245) if port % 2 == 0 else (95, 215)
    # Full up to a sixth of the wheel of colours away, none from a third on
    shares = [max(0, min(1, 2 - 6 * abs(math.remainder(turn - i / 3, 1)))) for i in range(3)]
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for share in shares)


def get_width(text, size):
    """Returns about the width of a text."""
    return 0.6 * size * len(text)


class Chart(Canvas):
    """A drawing of panels that grows with what is in it."""

    def __init__(self, title, left):
        super().__init__(0, 0, title)
        self.add("pattern", HATCHING, id="hatch", width=6, height=6, patternUnits="userSpaceOnUse")
        self.words(left, 24, title, 15)

    def include(self, x, y):
        """Has a point lie within the drawing."""
        self.width = max(self.width, math.ceil(x) + MARGIN)
        self.height = max(self.height, math.ceil(y) + MARGIN)

    def words(self, x, y, text, size, anchor="start"):
        """Writes a text."""
        self.text(x, y, text, size=size, anchor=anchor)
        self.include(x + {"start": 1, "middle": 0.5, "end": 0}[anchor] * get_width(text, size), y)

    def upward(self, x, y, text):
        """Writes a text upwards."""
        self.add("text", text, transform=f"translate({x:.1f} {y:.1f}) rotate(-90)", font_size=10,
                 text_anchor="middle")

    def area(self, x, y, width, height, fill, stroke=None, tip=""):
        """Draws a rectangle; the tip is shown where a pointer rests."""
        self.add("rect", f"<title>{tip}</title>" if tip else "", x=float(x), y=float(y), width=float(width),
                 height=float(height), fill=fill, stroke=stroke, stroke_width=0.5 if stroke else None)
        self.include(x + width, y + height)

    def bar(self, x, y, width, height, pair, size, fits):
        """Draws a lane of a lightpath, with its name if it fits."""
        name = f"{pair[0]}\u2192{pair[1]}"
        self.area(x, y, width, height, get_colour(pair[0]), EDGE if fits else None, name)
        if self.is_named and size >= 5 and get_width(name, size) <= width:
            self.text(x + width / 2, y + height / 2 + 0.35 * size, name, size=size, anchor="middle")

    def grid(self, x1, y1, x2, y2):
        """Draws a line of the grid."""
        self.line([(float(x1), float(y1)), (float(x2), float(y2))], GRID, 0.5)


class Ring(Chart):
    """A panel for each fibre of a ring, with segments across and wavelengths down.

    A bar is a lane of a lightpath over its arc; one that passes node 0 goes on at the other edge.
    Where lightpaths need not keep a wavelength there is a panel for each direction, whose rows are
    the lanes of a segment; a lightpath keeps a row as far as it can.
    """

    LEFT = 56
    TOP = 58
    BETWEEN = 36

    def __init__(self, title, plan, lightpaths):
        super().__init__(title, self.LEFT)
        self.nodes = plan["ports"]
        self.is_named = self.nodes <= MOST_NAMED
        geometry = plan["geometry"]
        self.fibres = geometry["fibres"]
        self.wavelengths = geometry["wavelengths"]
        self.is_continuous = geometry["wavelengthMode"] != "load-only"
        self.step = min(max(960 / self.nodes, 2), 72)
        self.row = min(max(900 / (len(self.fibres) * self.wavelengths), 4), 20)
        self.panels = self.make_panels()
        bars = [(path, lane) for path in lightpaths for lane in path["lanes"]]
        for number, (path, (fibre, wavelength)) in enumerate(bars):
            self.enter((path["source"], path["destination"]), fibre, wavelength, number)
        y = self.TOP
        for panel in self.panels:
            self.draw_panel(y, *panel)
            y += len(panel[-1]) * self.row + self.BETWEEN
        self.draw_legend(y)

    def make_panels(self):
        """Returns the panels: a title, failed segments, working rows, and what holds each lane."""
        groups = [[fibre] for fibre in self.fibres]
        if not self.is_continuous:
            groups = [[fibre for fibre in self.fibres if fibre["direction"] == each] for each in DIRECTIONS]
        panels = []
        for number, fibres in enumerate(groups):
            title = f"fibre {number}, " if self.is_continuous else ""
            working = self.wavelengths * sum(not fibre["failed"] for fibre in fibres)
            rows = [[None] * self.nodes for _ in range(self.wavelengths * len(fibres))]
            panels.append((title + fibres[0]["direction"], fibres[0]["failedSegments"], working, rows))
        return panels

    def enter(self, pair, fibre, wavelength, number):
        """Enters a lane of a lightpath into its panel."""
        is_clockwise = self.fibres[fibre]["direction"] == DIRECTIONS[0]
        first, last = pair if is_clockwise else pair[::-1]
        rows = self.panels[fibre if self.is_continuous else 1 - is_clockwise][-1]
        row = wavelength if self.is_continuous else 0
        for hop in range((last - first) % self.nodes):
            segment = (first + hop) % self.nodes
            if not self.is_continuous and rows[row][segment]:
                row = next(i for i, each in enumerate(rows) if not each[segment])
            rows[row][segment] = (pair, number)

    def draw_panel(self, y, title, failed, working, rows):
        """Draws a panel."""
        width, height = self.nodes * self.step, len(rows) * self.row
        self.words(self.LEFT, y - 5, title, 11)
        self.area(self.LEFT, y, width, height, "#ffffff", EDGE)
        if working < len(rows):
            self.area(self.LEFT, y + working * self.row, width, height - working * self.row, HATCH)
        for segment in failed:
            self.area(self.LEFT + segment * self.step, y, self.step, height, HATCH)
        if self.step >= 4:
            for segment in range(1, self.nodes):
                self.grid(self.LEFT + segment * self.step, y, self.LEFT + segment * self.step, y + height)
        for i, row in enumerate(rows):
            if i > 0:
                self.grid(self.LEFT, y + i * self.row, self.LEFT + width, y + i * self.row)
            self.draw_row(row, y + i * self.row)
        self.draw_axes(y, height, len(rows))

    def draw_row(self, row, y):
        """Draws the bars of a row."""
        gap = 0.5 if self.step >= 4 else 0
        begin = 0
        while begin < self.nodes:
            end = begin + 1
            while end < self.nodes and row[end] == row[begin]:
                end += 1
            if row[begin]:
                self.bar(self.LEFT + begin * self.step + gap, y + 0.5, (end - begin) * self.step - 2 * gap,
                         self.row - 1, row[begin][0], min(10, self.row - 1.5), gap > 0)
            begin = end

    def draw_axes(self, y, height, rows):
        """Writes as many numbers of segments and rows as have room."""
        every = math.ceil((get_width(str(self.nodes), 9) + 5) / self.step)
        for segment in range(0, self.nodes, every):
            self.words(self.LEFT + (segment + 0.5) * self.step, y + height + 10, str(segment), 9, "middle")
        every = math.ceil(9 / self.row)
        for row in range(0, rows, every):
            self.words(self.LEFT - 4, y + (row + 0.5) * self.row + 3, str(row),
                       min(9, self.row * every), "end")
        self.upward(26, y + height / 2, "wavelength" if self.is_continuous else "lane")

    def draw_legend(self, y):
        """Says what segments are, and which colour each source has."""
        right = self.LEFT + self.nodes * self.step
        self.words((self.LEFT + right) / 2, y - 6, "segment s, between node s and node s + 1", 11, "middle")
        if not self.is_named:
            return
        self.words(self.LEFT, y + 16, "colour of the source:", 11)
        a_line = int((max(right, 500) - self.LEFT - 130) // 36)
        for node in range(self.nodes):
            x = self.LEFT + 130 + node % a_line * 36
            top = y + node // a_line * 16
            self.area(x, top + 7, 10, 10, get_colour(node), EDGE)
            self.words(x + 13, top + 16, str(node), 10)


class Switches(Chart):
    """A panel for each circuit switch, with inputs down and outputs across; a square is a circuit."""

    LEFT = 44
    TOP = 58
    BETWEEN = 50
    WIDTH = 1240

    def __init__(self, title, plan, lightpaths):
        super().__init__(title, self.LEFT)
        self.ports = plan["ports"]
        self.is_named = self.ports <= MOST_NAMED
        self.cell = min(max(260 / self.ports, 2), 28)
        self.side = self.ports * self.cell
        for number, switch in enumerate(plan["geometry"]["switches"]):
            self.draw_panel(number, switch)
        for path in lightpaths:
            pair = path["source"], path["destination"]
            for number, _ in path["lanes"]:
                x, y = self.get_corner(number)
                self.bar(x + pair[1] * self.cell, y + pair[0] * self.cell, self.cell, self.cell, pair,
                         min(9, self.cell / 2.5), self.cell >= 4)

    def get_corner(self, number):
        """Returns the left upper corner of the panel of a switch."""
        columns = max(int(self.WIDTH // (self.LEFT + self.side)), 1)
        return (self.LEFT + number % columns * (self.LEFT + self.side),
                self.TOP + number // columns * (self.BETWEEN + self.side))

    def draw_panel(self, number, switch):
        """Draws a switch without circuits."""
        x, y = self.get_corner(number)
        self.words(x, y - 6, f"switch {number}", 11)
        self.area(x, y, self.side, self.side, "#ffffff", EDGE)
        for port in switch["missingInputs"]:
            self.area(x, y + port * self.cell, self.side, self.cell, HATCH)
        for port in switch["missingOutputs"]:
            self.area(x + port * self.cell, y, self.cell, self.side, HATCH)
        if self.cell >= 4:
            for port in range(1, self.ports):
                shift = port * self.cell
                self.grid(x, y + shift, x + self.side, y + shift)
                self.grid(x + shift, y, x + shift, y + self.side)
        every = math.ceil((get_width(str(self.ports), 9) + 4) / self.cell)
        for port in range(0, self.ports, every):
            middle = (port + 0.5) * self.cell
            self.words(x + middle, y + self.side + 10, str(port), 9, "middle")
            self.words(x - 4, y + middle + 3, str(port), 9, "end")
        self.words(x + self.side / 2, y + self.side + 21, "output", 10, "middle")
        self.upward(x - 24, y + self.side / 2, "input")
