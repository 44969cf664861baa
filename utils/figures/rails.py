"""Draws photonic rails: a circuit switch for each rail, and circuits in turn over time."""

from canvas import BLUE, FIBRE, INK, PAPER, QUIET, RED, Canvas

DARK = ("#d8dbde", "#d8dbde")


def draw_row(c, y, spans):
    """Draws spans of (begin, end, colours, text) at a height of the canvas c."""
    for begin, end, colours, text in spans:
        c.box((begin + end) / 2, y, end - begin - 2, 24, colours, radius=0)
        dark = colours in ((RED, RED), (BLUE, BLUE))
        c.text((begin + end) / 2, y + 4, text, size=11, anchor="middle", colour=PAPER if dark else INK)


def draw_rails():
    """Returns the drawing of photonic rails: four servers on two rails, and turns over time."""
    c = Canvas(800, 500, "Photonic rails: a circuit switch for each rail, and circuits that follow operations")
    for rail, y in enumerate((40, 90)):
        c.box(400, y, 620, 30, ("#eceff2", FIBRE), f"circuit switch of rail {rail}")
    for server in range(4):
        left = 100 + 160 * server
        c.add("rect", x=left, y=130, width=120, height=70, rx=8, fill="none", stroke="#d5dbe1", stroke_width=1.5)
        c.text(left + 60, 194, f"server {server}", size=12, anchor="middle", colour=QUIET)
        for gpu in range(2):
            x = left + 32 + 56 * gpu
            c.line([(x, 105 if gpu else 55), (x, 140)], colour=FIBRE)
            c.box(x, 156, 46, 28, (PAPER, INK), f"GPU {gpu}", size=11)
    left = 130
    for text, y in (("GPUs", 240), ("rail", 280)):
        c.text(left - 14, y + 5, text, anchor="end")
    compute = (PAPER, INK)
    draw_row(c, 240, ((130, 230, compute, "forward"), (230, 330, (RED, RED), "to next stage"),
                      (330, 430, compute, "backward"), (430, 530, compute, "backward"),
                      (590, 710, (BLUE, BLUE), "sum of gradients")))
    draw_row(c, 280, ((130, 330, (RED, RED), "pipeline"), (330, 450, DARK, "turns"),
                      (450, 530, (BLUE, BLUE), "ring"), (530, 710, (BLUE, BLUE), "of replicas")))
    c.text(560, 245, "waits", size=11, anchor="middle", colour=QUIET)
    for text, y in (("plane 0", 350), ("plane 1", 390)):
        c.text(left - 14, y + 5, text, anchor="end")
    draw_row(c, 350, ((130, 200, DARK, "turns"), (200, 300, (RED, RED), "step 0"), (300, 370, DARK, "turns"),
                      (400, 500, (RED, RED), "step 2"), (500, 570, DARK, "turns"), (600, 700, (RED, RED), "step 4")))
    draw_row(c, 390, ((130, 200, DARK, "turns"), (300, 400, (BLUE, BLUE), "step 1"), (400, 470, DARK, "turns"),
                      (500, 600, (BLUE, BLUE), "step 3"), (600, 670, DARK, "turns")))
    c.line([(130, 430), (720, 430)], colour=INK, width=1.5)
    c.arrow(720, 430, 0)
    c.text(720, 450, "time", size=12, anchor="end")
    c.text(130, 470, "above: circuits turn while GPUs compute; below: one plane turns while the other sends a step",
           size=12, colour=QUIET)
    return c
