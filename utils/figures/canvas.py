"""Draws shapes and text as SVG, with the standard library alone."""

import math

FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"

INK = "#22303c"
QUIET = "#5d6b78"
FIBRE = "#aab4be"
PAPER = "#ffffff"
GPU = ("#e3edf7", "#2f5d8a")
SWITCH = ("#fdf1d8", "#a8751a")
SWITCH_INSIDE = "#c9a765"
ELECTRIC = ("#e9ecef", "#5d6b78")

# Colours of light: they differ in lightness, too
RED = "#c8323c"
BLUE = "#1f78b4"
GREEN = "#2f8f5b"
PURPLE = "#8e6bb5"
YELLOW = "#b8860b"


class Canvas:
    """A drawing of a size in pixels.

    Shapes have places and lengths in units of the part that `place` has begun. Text, frames and the
    widths of lines have their sizes in pixels whatever the part.
    """

    def __init__(self, width, height, title):
        self.width = width
        self.height = height
        self.title = title
        self.shapes = []
        self.place(0, 0)

    def place(self, x, y, scale=1.0):
        """Begins a part whose point (0, 0) is at (x, y) of the drawing, in units of some pixels."""
        self.x = x
        self.y = y
        self.scale = scale

    def at(self, x, y):
        """Returns a point of the part in pixels."""
        return self.x + x * self.scale, self.y + y * self.scale

    def add(self, name, content="", **attributes):
        """Adds an element of SVG."""
        text = " ".join(f'{key.rstrip("_").replace("_", "-")}="{get_number(value)}"'
                        for key, value in attributes.items() if value is not None)
        self.shapes.append(f"<{name} {text}>{content}</{name}>" if content else f"<{name} {text}/>")

    def line(self, points, colour=FIBRE, width=2, dash=None):
        """Draws a line through points."""
        places = (self.at(x, y) for x, y in points)
        self.add("polyline", points=" ".join(f"{get_number(x)},{get_number(y)}" for x, y in places),
                 fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dash,
                 stroke_linejoin="round", stroke_linecap="round")

    def curve(self, start, end, bend, colour=FIBRE, width=2, dash=None):
        """Draws a curve that leaves and arrives in the direction (bend, 0)."""
        (x, y), (u, v) = self.at(*start), self.at(*end)
        bend *= self.scale
        self.add("path", d=f"M{get_number(x)} {get_number(y)}C{get_number(x + bend)} {get_number(y)}"
                           f" {get_number(u - bend)} {get_number(v)} {get_number(u)} {get_number(v)}",
                 fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dash)

    def circle(self, x, y, radius, fill="none", stroke=FIBRE, width=2, dash=None):
        """Draws a circle."""
        x, y = self.at(x, y)
        self.add("circle", cx=x, cy=y, r=radius * self.scale, fill=fill, stroke=stroke, stroke_width=width,
                 stroke_dasharray=dash)

    def arc(self, centre, radius, begin, end, colour, width=4):
        """Draws an arc, clockwise from an angle to another in degrees, 0 at the top."""
        x, y = self.at(*get_point(centre, radius, begin))
        u, v = self.at(*get_point(centre, radius, end))
        radius = get_number(radius * self.scale)
        large = 1 if (end - begin) % 360 > 180 else 0
        self.add("path", d=f"M{get_number(x)} {get_number(y)}A{radius} {radius} 0 {large} 1"
                           f" {get_number(u)} {get_number(v)}",
                 fill="none", stroke=colour, stroke_width=width, stroke_linecap="round")

    def box(self, x, y, width, height, colours, text="", size=13, radius=5, dash=None, weight=None):
        """Draws a box about its centre, with a text in it."""
        fill, stroke = colours
        left, top = self.at(x - width / 2, y - height / 2)
        self.add("rect", x=left, y=top, width=width * self.scale, height=height * self.scale, rx=radius,
                 fill=fill, stroke=stroke, stroke_width=1.5, stroke_dasharray=dash)
        if text:
            self.text(x, y, text, size=size, anchor="middle", middle=True, weight=weight)

    def text(self, x, y, text, size=13, anchor="start", colour=INK, weight=None, middle=False,
             style=None):
        """Writes lines of text; the first one, or with `middle` their middle, is at the height y."""
        x, y = self.at(x, y)
        lines = text.split("\n")
        step = size * 1.3
        y += size * 0.36 - step * (len(lines) - 1) / 2 if middle else 0
        for i, line in enumerate(lines):
            content = line.replace("&", "&amp;").replace("<", "&lt;")
            self.add("text", content, x=x, y=y + i * step, font_size=size, text_anchor=anchor,
                     fill=colour, font_weight=weight, font_style=style)

    def arrow(self, x, y, angle, colour=INK, size=9):
        """Draws the head of an arrow that points in a direction, in degrees, 0 to the right."""
        x, y = self.at(x, y)
        points = []
        for turn, length in ((0, size), (140, size * 0.75), (220, size * 0.75)):
            a = math.radians(angle + turn)
            points.append(f"{get_number(x + length * math.cos(a))},"
                          f"{get_number(y + length * math.sin(a))}")
        self.add("polygon", points=" ".join(points), fill=colour)

    def frame(self, x, y, angle=0, colour=RED, size=1.0):
        """Draws a frame that travels in a direction, in degrees, 0 to the right."""
        x, y = self.at(x, y)
        w, h = 26 * size, 13 * size
        self.add("rect", x=-w / 2, y=-h / 2, width=w, height=h, rx=2, fill=PAPER, stroke=colour,
                 stroke_width=2, transform=f"translate({get_number(x)} {get_number(y)})"
                                           f" rotate({get_number(angle)})")
        self.add("rect", x=w / 2 - w / 4, y=-h / 2, width=w / 4, height=h, fill=colour,
                 transform=f"translate({get_number(x)} {get_number(y)}) rotate({get_number(angle)})")

    def mark(self, x, y, number, colour=INK):
        """Draws a number in a disc."""
        x, y = self.at(x, y)
        self.add("circle", cx=x, cy=y, r=9.0, fill=colour)
        self.add("text", str(number), x=x, y=y + 4.2, font_size=12, text_anchor="middle", fill=PAPER,
                 font_weight="bold")

    def steps(self, x, y, texts, size=13):
        """Writes what happens at the marks, one below the other."""
        for number, text in enumerate(texts, 1):
            self.mark(x, y, number)
            self.text(x + 17, y + size * 0.36, text, size=size)
            y += size * 1.3 * len(text.split("\n")) + 11

    def get_svg(self):
        """Returns the file."""
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}"'
                f' viewBox="0 0 {self.width} {self.height}" font-family="{FONT}" role="img">')
        return "\n".join([head, f"<title>{self.title}</title>",
                          f'<rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>',
                          *self.shapes, "</svg>", ""])


def get_point(centre, radius, angle):
    """Returns the point of a circle at an angle in degrees, clockwise from the top."""
    a = math.radians(angle)
    return centre[0] + radius * math.sin(a), centre[1] - radius * math.cos(a)


def get_number(value):
    """Returns a number without needless digits, and anything else as it is."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
