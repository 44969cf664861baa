"""Draws the charts that pages of results open with: claims and their verdicts, and all fabrics on the same jobs."""

import math

from canvas import BLUE, GREEN, INK, PAPER, QUIET, RED, YELLOW, Canvas
from claims import SipMl
from manual import get_number, read_table
from paper_claims import Oddl, OptInc

OURS = BLUE
COMPLETE = "#d9822b"
GREY = "#b9c1c9"
PUBLISHED = "#dfe6ec"
VERDICTS = {"reproduced": GREEN, "partly": YELLOW, "not": RED, "-": QUIET}

STEP = 25
LETTER = 0.62


class Axis:
    """A logarithmic axis of ratios across a canvas."""

    def __init__(self, left, right, low, high):
        self.left = left
        self.right = right
        self.low = low
        self.high = high

    def place(self, value):
        """Returns the place of a ratio, at an end if it is beyond."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    def draw(self, c, top, bottom, marks):
        """Draws marks with their numbers at the top, and a line at 1."""
        for mark in marks:
            x = self.place(mark)
            c.line([(x, top), (x, bottom)], colour=INK if mark == 1 else PUBLISHED, width=1.5 if mark == 1 else 1)
            c.text(x, top - 7, f"1/{1 / mark:g}" if mark < 1 else f"{mark:g}", size=11, anchor="middle", colour=QUIET)

    def bar(self, c, y, low, high, colour, height=7):
        """Draws a bar between two ratios, at least a dot, and an arrow at an end that it exceeds."""
        left, right = self.place(low), self.place(high)
        if right - left < height:
            left, right = (left + right - height) / 2, (left + right + height) / 2
        c.add("rect", x=left, y=float(y - height / 2), width=right - left, height=height, rx=2, fill=colour)
        if high > self.high:
            c.arrow(self.right + 2, y, 0, colour=colour, size=8)
        if low < self.low:
            c.arrow(self.left - 2, y, 180, colour=colour, size=8)


def chip(c, x, y, text, colour, is_full=True):
    """Draws a word on a coloured ground, or within a line of that colour."""
    c.add("rect", x=x, y=float(y - 9), width=84, height=18, rx=9, fill=colour if is_full else PAPER, stroke=colour)
    c.text(x + 42, y + 4, text, size=11.5, anchor="middle", colour=PAPER if is_full else colour, weight="bold")


def key(c, x, y, entries):
    """Draws what colours mean, side by side."""
    for text, colour in entries:
        c.add("rect", x=x, y=float(y - 5), width=18, height=9, rx=2, fill=colour)
        c.text(x + 24, y + 4, text, size=11.5, colour=QUIET)
        x += 24 + LETTER * 11.5 * len(text) + 18


def draw_claim(c, axis, y, claim):
    """Draws the row of a claim."""
    numbers = claim.numbers
    grey = not claim.is_feasible()
    c.text(12, y + 4, numbers.label, size=12, colour=QUIET if grey else INK)
    chip(c, 300, y, claim.get_verdict(), VERDICTS[claim.get_verdict()], not grey)
    c.text(394, y + 4, numbers.published, size=12, colour=INK)
    values = [(found, colour) for found, colour in ((numbers.ours, OURS), (numbers.complete, COMPLETE)) if found]
    if values:
        base = numbers.get_base()
        low = axis.low if numbers.low is None else numbers.low / base
        high = axis.high if numbers.high is None else numbers.high / base
        left, right = axis.place(low), axis.place(high)
        c.add("rect", x=left - 2, y=float(y - STEP / 2 + 2), width=right - left + 4, height=STEP - 4, fill=PUBLISHED)
        for i, (found, colour) in enumerate(values):
            at = y if len(values) == 1 else y - 5 + 10 * i
            axis.bar(c, at, min(found) / base, max(found) / base, GREY if grey else colour)
    texts = [text.replace(" to ", "\u2013") for text in numbers.get_texts()]
    for text, x, colour in zip(texts, (758, 848), (OURS, "#a85a10")):
        c.text(x, y + 4, text, size=12, colour=QUIET if grey else colour)


def draw_claims(rows):
    """Returns the chart of the claims of three papers."""
    papers = [("SiP-ML", SipMl(rows).get()), ("ODDL", Oddl(rows).get()), ("OptINC", OptInc(rows).get())]
    count = sum(len(claims) for _, claims in papers)
    top = 74
    height = top + STEP * (count + len(papers)) + 12
    c = Canvas(950, height, "Claims of three papers: verdicts, what the papers say, and what the module finds")
    axis = Axis(520, 740, 1 / 8, 32)
    for x, text in ((12, "claim"), (300, "verdict"), (394, "the paper says"), (758, "ours")):
        c.text(x, 58, text, size=12, weight="bold")
    c.text(630, 44, "our number over the paper's", size=12, anchor="middle", weight="bold")
    key(c, 12, 18, [("what the paper says (a bound: to the end of the axis)", PUBLISHED), ("ours, its settings", OURS),
                    ("ours, all transfers", COMPLETE), ("light does not arrive", GREY)])
    axis.draw(c, top - 6, height - 8, (1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32))
    y = top + STEP / 2
    for name, claims in papers:
        verdicts = [claim.get_verdict() for claim in claims]
        c.text(12, y + 4, name, size=13, weight="bold")
        counts = ", ".join(f"{verdicts.count(word)} {word}" for word in VERDICTS if word in verdicts)
        c.text(300, y + 4, counts, size=12, colour=QUIET)
        y += STEP
        for claim in claims:
            draw_claim(c, axis, y, claim)
            y += STEP
    return c


def draw_fabric(c, axis, y, row, places):
    """Draws time and cost of a fabric over those of the ideal switch, how many jobs it has, and whether it can exist."""
    ink = INK if row["Feasible"] == "yes" else QUIET
    texts = []
    for i, (head, colour) in enumerate((("Time", OURS), ("Cost", COMPLETE))):
        text = row[head].strip("()").replace("\\-", "\u2013")
        texts.append(text)
        if text[0].isdigit():
            value = get_number(text)
            axis.bar(c, y - 5 + 10 * i, min(1.0, value), max(1.0, value), colour if ink == INK else GREY)
    jobs = [row[head] for head in row if head not in ("Fabric", "Time", "Cost", "W/GPU", "$/GPU", "Error", "Feasible")]
    known = sum(job != "\\-" for job in jobs)
    texts += [f"{known}/{len(jobs)}", row["Feasible"]]
    for x, text, anchor in zip(places, texts, ("end", "end", "end", "start")):
        c.text(x, y + 4, text, size=11.5, anchor=anchor, colour=ink)


def draw_comparison():
    """Returns the chart of all fabrics on the same jobs, from the two tables of times of the page."""
    tables = [read_table("comparison.rst", "Fabric", number) for number in (0, 2)]
    names = list(dict.fromkeys(row["Fabric"] for table in tables for row in table))
    top, left = 84, 204
    height = top + STEP * len(names) + 8
    feasible = [max([len("feasible"), *(len(row["Feasible"]) for row in table)]) for table in tables]
    widths = [310 + int(LETTER * 11.5 * length) for length in feasible]
    width = left + sum(widths)
    c = Canvas(width, height, "Time and cost of an iteration on all fabrics, over those on the ideal switch")
    key(c, 12, 18, [("time of an iteration", OURS), ("cost of an iteration", COMPLETE), ("cannot be built", GREY)])
    note = "bars: over the ideal switch, logarithmic; jobs: those that a row has, of four"
    c.text(530, 22, note, size=11.5, colour=QUIET)
    c.text(12, 68, "fabric", size=12, weight="bold")
    for i, name in enumerate(names):
        y = top + STEP * (i + 0.5)
        if i % 2:
            c.add("rect", x=6, y=float(y - STEP / 2), width=width - 12, height=STEP, fill="#f6f8fa")
        known = [row["Feasible"] for table in tables for row in table if row["Fabric"] == name]
        c.text(12, y + 4, name, size=12, colour=INK if "yes" in known else QUIET)
    titles = "Between servers, 400 Gb/s a GPU", "Between GPUs, 2.4 Tb/s a GPU"
    for title, table, part in zip(titles, tables, widths):
        axis = Axis(left, left + 140, 1 / 2, 8)
        places = [left + 192, left + 242, left + 282, left + 292]
        c.text(left, 46, title, size=13, weight="bold")
        for x, text, anchor in zip(places, ("time", "cost", "jobs", "feasible"), ("end", "end", "end", "start")):
            c.text(x, 68, text, size=12, anchor=anchor, weight="bold")
        axis.draw(c, top - 6, height - 6, (1 / 2, 1, 2, 4, 8))
        for row in table:
            draw_fabric(c, axis, top + STEP * (names.index(row["Fabric"]) + 0.5), row, places)
        left += part
    return c


def draw(rows, folder):
    """Writes the charts into a folder."""
    for name, canvas in (("claims", draw_claims(rows)), ("comparison", draw_comparison())):
        with open(f"{folder}/{name}.svg", "w", encoding="utf-8") as file:
            file.write(canvas.get_svg())
