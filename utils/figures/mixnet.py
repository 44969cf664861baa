"""Draws MixNet: its networks, and a layer of experts over time."""

from canvas import BLUE, FIBRE, INK, PAPER, QUIET, RED, SWITCH, Canvas


def draw_mixnet():
    """Returns the drawing of MixNet: regions of servers, and an iteration over time."""
    c = Canvas(800, 430, "MixNet: regional circuit switches, an electrical network, and a layer over time")
    c.box(400, 30, 500, 32, SWITCH, "electrical network")
    for region, left in enumerate((40, 420)):
        c.add("rect", x=left, y=86, width=340, height=150, rx=8, fill="none", stroke="#d5dbe1",
              stroke_width=1.5)
        c.text(left + 10, 106, f"region {region}", size=12, colour=QUIET)
        c.box(left + 170, 205, 280, 32, ("#eceff2", FIBRE), "circuit switch")
        for server in range(4):
            x = left + 50 + 80 * server
            c.line([(x, 46), (x, 125)], colour=INK)
            for card in (-15, -5, 5, 15):
                c.line([(x + card, 155), (x + card, 189)], colour=FIBRE)
            c.box(x, 140, 62, 30, (PAPER, INK), f"server {4 * region + server}", size=11)
    top, left = 290, 150
    for text, y in (("GPUs", top), ("circuits", top + 50)):
        c.text(left - 14, y + 5, text, anchor="end")
    for x, width, colours, text in ((150, 90, (PAPER, INK), "attention"),
                                    (240, 90, (RED, RED), "to experts"),
                                    (330, 170, (PAPER, INK), "experts"),
                                    (500, 90, (RED, RED), "back"),
                                    (590, 90, (PAPER, INK), "attention")):
        c.box(x + width / 2, top, width - 2, 28, colours, text, size=12, radius=0)
    c.box(240, top + 50, 178, 20, (BLUE, BLUE), radius=0)
    c.text(158, top + 54, "of the layer before", size=12, colour=PAPER)
    c.box(392, top + 50, 122, 20, ("#d8dbde", "#d8dbde"), "dark", size=12, radius=0)
    c.box(568, top + 50, 226, 20, (RED, RED), radius=0)
    c.text(462, top + 54, "of this layer", size=12, colour=PAPER)
    c.line([(150, top + 84), (690, top + 84)], colour=INK, width=1.5)
    c.arrow(690, top + 84, 0)
    c.text(690, top + 104, "time", size=12, anchor="end")
    c.text(240, top + 104, "the gate has chosen", size=12, anchor="middle")
    c.line([(240, top + 16), (240, top + 90)], colour=INK, width=1, dash="3 4")
    return c
