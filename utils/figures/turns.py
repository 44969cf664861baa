"""Draws the map of reconfiguration inside collective operations that lightpath-turns prints."""

import csv

from canvas import INK, QUIET, Canvas

# Fill by method, in the order of the legend
FILLS = {"static": "#e9ecef", "every-step": "#bcd7ee", "shared": "#c7e5d2", "planes": "#f6d9b0"}
WORDS = {
    "static": "never turn",
    "every-step": "turn at every step",
    "shared": "steps share topologies",
    "planes": "planes in turn",
}
CELL = (37, 25)
LEFT, TOP, GAP_X, GAP_Y = 78, 74, 26, 58
MOST_ROWS = 3


def draw(source, target):
    """Draws a map in CSV as SVG."""
    with open(source, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or "winner" not in rows[0]:
        raise ValueError(f"{source}: there is no map in it, as lightpath-turns prints it")
    kinds = list(dict.fromkeys(row["collective"] for row in rows))
    ports = sorted({int(row["ports"]) for row in rows})
    # The fewest, the most, and what is between them
    ports = sorted({ports[0], ports[len(ports) // 2], ports[-1]})[:MOST_ROWS]
    delays = sorted({float(row["delay"]) for row in rows})
    sizes = sorted({int(row["bytes"]) for row in rows})
    width, height = CELL[0] * len(delays), CELL[1] * len(sizes)
    canvas = Canvas(
        LEFT + len(kinds) * (width + GAP_X),
        TOP + len(ports) * (height + GAP_Y),
        "Which way to turn circuits takes the least time, by operation, ports, delay and size",
    )
    x = LEFT
    for name, fill in FILLS.items():
        canvas.box(x + 8, 14, 16, 12, (fill, QUIET), radius=2)
        canvas.text(x + 22, 14, WORDS[name], size=12, middle=True)
        x += 175
    canvas.text(LEFT, 36, "in a cell: how many times faster than never turning, and below it the time in "
                "relation to an ideal switch", size=11, colour=QUIET)
    for column, kind in enumerate(kinds):
        for line, n in enumerate(ports):
            canvas.place(LEFT + column * (width + GAP_X), TOP + line * (height + GAP_Y))
            cells = {
                (float(row["delay"]), int(row["bytes"])): row
                for row in rows
                if row["collective"] == kind and int(row["ports"]) == n
            }
            draw_panel(canvas, f"{kind}, {n} ports", cells, delays, sizes, column == 0)
    with open(target, "w", encoding="utf-8") as file:
        file.write(canvas.get_svg())


def draw_panel(canvas, title, cells, delays, sizes, is_first):
    """Draws the cells of an operation and a number of ports."""
    w, h = CELL
    canvas.text(0, -6, title, size=12, weight="bold")
    for i, delay in enumerate(delays):
        canvas.text((i + 0.5) * w, len(sizes) * h + 13, get_time(delay), size=10, anchor="middle", colour=QUIET)
        for j, size in enumerate(sizes):
            row = cells[delay, size]
            x, y = (i + 0.5) * w, (len(sizes) - j - 0.5) * h
            best = float(row[row["winner"]])
            canvas.box(x, y, w - 1, h - 1, (FILLS[row["winner"]], "none"), radius=0)
            if row["winner"] != "static":
                canvas.text(x, y - 1, get_ratio(float(row["static"]) / best), size=10, anchor="middle", colour=INK)
            canvas.text(x, y + 9, get_ratio(best / float(row["ideal"])), size=8, anchor="middle", colour=QUIET)
    if is_first:
        for j, size in enumerate(sizes):
            canvas.text(-6, (len(sizes) - j - 0.5) * h, get_size(size), size=10, anchor="end", colour=QUIET,
                        middle=True)
    canvas.text(len(delays) * w / 2, len(sizes) * h + 28, "time to turn", size=10, anchor="middle", colour=QUIET)


def get_ratio(value):
    """Returns a ratio in as few digits as fit."""
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def get_time(seconds):
    """Returns a time of a decade in words."""
    for unit, word in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= unit * 0.999:
            return f"{seconds / unit:.0f} {word}"
    return f"{seconds / 1e-9:.0f} ns"


def get_size(size):
    """Returns a power of two of bytes in words."""
    for unit, word in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {word}"
    return f"{size} B"
