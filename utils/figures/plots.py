"""Draws figures with gnuplot, as PNG and SVG, in a way that survives grey print."""

import math
import os
import subprocess

# Colours of rising lightness; dashes and points tell them apart as well
STYLES = [
    ("#000000", 1, 7),
    ("#0b5394", 2, 5),
    ("#c1440e", 4, 9),
    ("#3d8b57", 5, 11),
    ("#8e6bb5", 3, 13),
    ("#b8860b", 6, 4),
    ("#7f7f7f", 7, 6),
    ("#d58fb0", 8, 8),
]

# Sizes in pixels: margins, a panel, what lies between two, an entry and a line of the legend
LEFT = 105
RIGHT = 25
TOP = 40
BOTTOM = 55
PANEL = 290
GAP = 75
KEY = 330
LINE = 22

# The most values of an axis that are marked each
MARKS = 8


class Panel:
    """Curves over one pair of axes."""

    def __init__(self, title, curves):
        self.title = title
        self.curves = [(name, points) for name, points in curves if points]


class Plot:
    """Panels side by side that share what their axes mean."""

    def __init__(self, name, xlabel, ylabel, panels, log="xy"):
        self.name = name
        self.xlabel = xlabel
        self.ylabel = ylabel
        self.panels = [panel for panel in panels if panel.curves]
        if not self.panels:
            raise ValueError(f"there is nothing to draw in the figure {name}")
        self.log = log

    def draw(self, folder):
        """Writes NAME.png and NAME.svg into a folder."""
        for terminal in ("png", "svg"):
            script = self._get_script(terminal, os.path.join(folder, f"{self.name}.{terminal}"))
            subprocess.run(["gnuplot"], input=script, text=True, check=True)

    def _get_script(self, terminal, path):
        names = list(dict.fromkeys(name for panel in self.panels for name, _ in panel.curves))
        panels = len(self.panels)
        width = LEFT + RIGHT + PANEL * panels + GAP * (panels - 1)
        columns = max(1, min(len(names), width // KEY))
        legend = LINE * -(-len(names) // columns)
        height = TOP + PANEL + BOTTOM + legend
        margins = (
            LEFT / width,
            1 - RIGHT / width,
            (BOTTOM + legend) / height,
            1 - TOP / height,
        )
        lines = [
            f"set terminal {'pngcairo' if terminal == 'png' else 'svg'} size {width},{height}"
            " font 'DejaVu Sans,11' background rgb 'white'",
            f"set output '{path}'",
            "set encoding utf8",
            "set grid lc rgb '#c0c0c0' lw 0.5",
            f"set multiplot layout 1,{panels} margins {','.join(f'{m:.4f}' for m in margins)}"
            f" spacing {GAP / width:.4f},0",
            f"set xlabel '{self.xlabel}'",
        ]
        if self.log:
            lines.append(f"set logscale {self.log}")
        for i, panel in enumerate(self.panels):
            lines.append(f"set title '{panel.title}'")
            lines.append(f"set ylabel '{self.ylabel if i == 0 else ''}'")
            lines.extend(self._get_ranges(panel))
            plots = []
            for name, points in panel.curves:
                block = f"$data{i}_{names.index(name)}"
                lines.append(f"{block} << EOD")
                lines.extend(f"{x:.9g} {y:.9g}" for x, y in points)
                lines.append("EOD")
                plots.append(f"{block} using 1:2 with {get_style(names.index(name))} notitle")
            lines.append("plot " + ", \\\n  ".join(plots))
        lines.extend(get_legend(names, columns, legend / height))
        lines.append("unset multiplot")
        return "\n".join(lines) + "\n"

    def _get_ranges(self, panel):
        """Yields the ranges of the axes, with room around the points, and their marks."""
        for axis, index in (("x", 0), ("y", 1)):
            values = [point[index] for _, points in panel.curves for point in points]
            low, high = min(values), max(values)
            if axis in self.log:
                room = max((high / low) ** 0.06, 1.1)
                yield f"set {axis}range [{low / room:.6g}:{high * room:.6g}]"
            else:
                room = max(0.06 * (high - low), 0.02 * high)
                yield f"set {axis}range [{max(low - room, 0):.6g}:{high + room:.6g}]"
            marks = sorted(set(values)) if axis == "x" else []
            if axis in self.log and axis == "y" and high < 60 * low:
                steps = (1, 2, 3, 5, 7) if high > 4 * low else (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
                marks = [m * 10**e for e in range(-6, 9) for m in steps]
                marks = [m for m in marks if low / room <= m <= high * room]
            marks = thin(marks, axis in self.log, high / low if axis in self.log else high - low)
            if 1 < len(marks) <= MARKS or (axis == "y" and marks):
                yield f"set {axis}tics ({', '.join(f'{m:g}' for m in marks)})"
            else:
                yield f"set {axis}tics autofreq"


def thin(marks, is_log, extent):
    """Returns the marks of an axis without those whose labels would run into the one before."""
    room = 0.03 * max((len(f"{m:g}") for m in marks), default=0)
    kept = []
    for mark in marks:
        if kept and is_log and math.log(mark / kept[-1]) < room * math.log(extent):
            continue
        if kept and not is_log and mark - kept[-1] < room * extent:
            continue
        kept.append(mark)
    return kept


def get_style(index):
    """Returns how the curve of this number is drawn."""
    colour, dash, point = STYLES[index % len(STYLES)]
    return f"linespoints lw 2 lc rgb '{colour}' dt {dash} pt {point} ps 1.1"


def get_legend(names, columns, share):
    """Returns the lines of an empty plot at the foot of the picture, with the legend of all panels."""
    keys = [f"NaN with {get_style(i)} title '{name}'" for i, name in enumerate(names)]
    return [
        "unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid",
        "unset logscale; set xrange [0:1]; set yrange [0:1]",
        "set lmargin at screen 0; set rmargin at screen 1",
        f"set bmargin at screen 0; set tmargin at screen {share:.4f}",
        f"set key center center horizontal maxcols {columns} Left reverse",
        "plot " + ", ".join(keys),
    ]
