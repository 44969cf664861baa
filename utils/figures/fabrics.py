"""Draws each fabric: nodes, fibres, switches, and where a frame goes."""

import os

from canvas import (BLUE, ELECTRIC, FIBRE, GPU, GREEN, INK, PAPER, PURPLE, QUIET, RED, SWITCH,
                    SWITCH_INSIDE, YELLOW, Canvas, get_point)
from mixnet import draw_mixnet
from rails import draw_rails
from rotors import draw_rotors

GLASS = "#eceff2"
GROUP = ("#f7f9fb", "#9fb0c0")


def name_gpu(number, detail):
    """The text in the box of a GPU."""
    return f"GPU {number}" if detail else str(number)


def draw_sip_ring(c, detail=True):
    """A ring of fibres in both directions, with micro-rings at each GPU."""
    centre = (210, 165)
    outer, inner = 113, 90
    for radius in (outer, inner):
        c.circle(*centre, radius, stroke=GLASS, width=17 * c.scale)
        for edge in (-8.5, 8.5):
            c.circle(*centre, radius + edge, stroke=FIBRE, width=1)
    c.arc(centre, outer + 3, 0, 90, RED)
    c.arc(centre, outer + 3, 180, 270, RED)
    c.arc(centre, outer - 3, 45, 135, BLUE)
    c.arc(centre, inner, 225, 315, GREEN)
    tuned = {0: RED, 1: BLUE, 2: RED, 3: BLUE, 4: RED, 5: GREEN, 6: RED, 7: GREEN}
    for number in range(8):
        angle = 45 * number
        x, y = get_point(centre, 150, angle)
        edge = inner if number in (5, 7) else outer
        c.line([get_point(centre, edge, angle), (x, y)], colour=tuned[number], width=2)
        c.circle(*get_point(centre, 129, angle), 6, fill=PAPER, stroke=tuned[number], width=2)
        c.box(x, y, 58 if detail else 40, 26, GPU, name_gpu(number, detail), size=12)
    for angle in (80, 260):
        c.arrow(*get_point(centre, outer + 3, angle), angle, RED)
    c.arrow(*get_point(centre, outer - 3, 126), 126, BLUE)
    c.arrow(*get_point(centre, inner, 236), 56, GREEN)
    c.frame(*get_point(centre, outer + 3, 24), 24)
    if detail:
        c.mark(166, 12, 1)
        c.mark(*get_point(centre, 129, 12), 2)
        c.mark(*get_point(centre, 186, 51), 3)
        c.mark(*get_point(centre, 147, 77), 4)
        c.mark(*get_point(centre, 134, 160), 5)
        c.mark(*get_point(centre, 68, 275), 6)
        c.text(218, 165, "fibres in both\ndirections, many\nwavelengths in each", size=12, anchor="middle",
               middle=True, colour=QUIET)


def draw_sip_ocs(c, detail=True):
    """Parallel circuit switches between the senders and the receivers of the same GPUs."""
    permutations = ((1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))
    rows = (45, 125, 205, 285)
    switches = (55, 165, 275)
    width = 58 if detail else 44
    for s, (y, permutation) in enumerate(zip(switches, permutations)):
        c.box(210, y, 84, 84, SWITCH)
        ports = [y - 27 + 18 * i for i in range(4)]
        for source, destination in enumerate(permutation):
            used = s == 1 and source == 0
            colour, wide = (RED, 3.5) if used else (FIBRE, 1.5)
            c.curve((45 + width / 2, rows[source]), (168, ports[source]), 50, colour, wide)
            c.curve((252, ports[destination]), (375 - width / 2, rows[destination]), 50, colour, wide)
            c.line([(168, ports[source]), (252, ports[destination])],
                   colour=RED if used else SWITCH_INSIDE, width=wide)
    for number, y in enumerate(rows):
        c.box(45, y, width, 28, GPU, name_gpu(number, detail), size=12)
        c.box(375, y, width, 28, GPU, name_gpu(number, detail), size=12)
    c.arrow(340, rows[2], 0, RED)
    c.frame(117, 93, 42)
    c.text(45, 20, "sending", size=12, anchor="middle", colour=QUIET)
    c.text(375, 20, "receiving", size=12, anchor="middle", colour=QUIET)
    if detail:
        c.text(210, 334, "switches 0, 1, 2", size=12, anchor="middle", colour=QUIET)
        c.mark(84, 28, 1)
        c.mark(148, 118, 2)
        c.mark(224, 134, 3)
        c.mark(300, 176, 4)
        c.mark(84, 62, 5)


def draw_oddl(c, detail=True):
    """A grid of GPUs with a passive switch for each row and each column."""
    columns = (55, 150, 245)
    rows = (60, 145, 230)
    for y in rows:
        c.line([(columns[0] - 10, y - 26), (350, y - 26), (350, y - 10)], colour=FIBRE, width=6 * c.scale)
        c.box(365, y, 76, 30, SWITCH, "row" if not detail else f"row {rows.index(y)}", size=12)
    for x in columns:
        c.line([(x + 41, rows[0]), (x + 41, 300), (x + 10, 300)], colour=FIBRE, width=6 * c.scale)
        c.box(x, 300, 70 if detail else 62, 28, SWITCH, "col." if not detail else f"column {columns.index(x)}",
              size=12)
    for r, y in enumerate(rows):
        for k, x in enumerate(columns):
            c.line([(x, y), (x, y - 26)], colour=FIBRE, width=2)
            c.line([(x, y), (x + 41, y)], colour=FIBRE, width=2)
    way = [(55, 60), (55, 32), (352, 32), (352, 45)]
    c.line(way, colour=RED, width=3)
    c.line([(346, 45), (346, 37), (245, 37), (245, 60)], colour=RED, width=3)
    c.line([(245, 60), (288.5, 60), (288.5, 303), (280, 303)], colour=RED, width=3)
    c.line([(280, 297), (283.5, 297), (283.5, 230), (245, 230)], colour=RED, width=3)
    for r, y in enumerate(rows):
        for k, x in enumerate(columns):
            c.box(x, y, 54 if detail else 44, 26, GPU, name_gpu(3 * r + k, detail), size=12)
    c.arrow(274, 230, 180, RED)
    c.frame(150, 32)
    c.frame(288.5, 180, 90)
    if detail:
        c.mark(38, 36, 1)
        c.mark(214, 18, 2)
        c.mark(388, 36, 3)
        c.mark(262, 84, 4)
        c.mark(306, 266, 5)


def draw_opt_inc(c, detail=True):
    """A network of interferometers that averages what all servers send at the same time."""
    rows = (45, 125, 205, 285)
    for number, y in enumerate(rows):
        c.curve((74, y), (150, 165 + 14 * (number - 1.5)), 42, FIBRE, 2)
        c.curve((292, 165 + 5 * (number - 1.5)), (346, y), 34, GREEN, 2.5)
        label = f"server {number}" if detail else str(number)
        c.box(42, y, 66 if detail else 44, 28, GPU, label, size=12)
        c.box(378, y, 66 if detail else 44, 28, GPU, label, size=12)
        c.frame(94, (55, 129, 201, 275)[number], (33, 18, -18, -33)[number],
                (RED, BLUE, PURPLE, YELLOW)[number])
        c.frame(324, 165 + 0.66 * (y - 165), (-62, -38, 38, 62)[number], GREEN, 1.0 if detail else 0.75)
        c.arrow(338, y, 0, GREEN, size=8)
    c.box(208, 165, 116, 190, SWITCH)
    for column in range(4):
        for row in range(5):
            x, y = 162 + 24 * column, 89 + 32 * row + 16 * (column % 2)
            if y + 16 > 250:
                continue
            c.line([(x, y), (x + 20, y + 20)], colour=SWITCH_INSIDE, width=1.5)
            c.line([(x, y + 20), (x + 20, y)], colour=SWITCH_INSIDE, width=1.5)
    c.line([(266, 165), (276, 165)], colour=GREEN, width=3)
    c.box(284, 165, 16, 34, SWITCH, radius=2)
    c.text(42, 20, "sending", size=12, anchor="middle", colour=QUIET)
    c.text(378, 20, "receiving", size=12, anchor="middle", colour=QUIET)
    if detail:
        c.text(208, 282, "meshes of\ninterferometers", size=12, anchor="middle", colour=QUIET)
        c.mark(92, 26, 1)
        c.mark(126, 165, 2)
        c.mark(208, 56, 3)
        c.mark(284, 132, 4)


def draw_electrical(c, detail=True):
    """An ideal switch, with two frames for one GPU."""
    xs = (26, 76, 126, 176, 244, 294, 344, 394)
    ends = [210 + (x - 210) * 0.72 for x in xs]
    c.box(210, 80, 330, 48, ELECTRIC, "ideal switch: max-min fair shares" if detail else "ideal switch", size=12)
    for x, end in zip(xs, ends):
        c.line([(x, 214), (end, 104)], colour=FIBRE, width=2)
    for source, colour in ((1, RED), (7, BLUE)):
        c.line([(xs[source], 214), (ends[source], 104)], colour=colour, width=3.5)
    c.line([(ends[5] - 2, 104), (xs[5] - 2, 214)], colour=RED, width=3.5)
    c.line([(ends[5] + 2, 104), (xs[5] + 2, 214)], colour=BLUE, width=3.5)
    for i, x in enumerate(xs):
        c.box(x, 230, 48 if detail else 38, 32, GPU, name_gpu(i, detail), size=12)
    c.frame(91, 170, -71)
    c.frame(371, 170, -109, BLUE)
    c.arrow(290, 196, 80, RED)
    if detail:
        c.mark(58, 196, 1)
        c.mark(112, 148, 2)
        c.mark(264, 170, 3)
        c.mark(210, 124, 4)


def draw_servers(c):
    """Servers on rails, and a frame that crosses rails inside its server."""
    xs = (26, 76, 126, 176), (244, 294, 344, 394)
    rails = (57, 159, 261, 363)
    for server in xs:
        c.box(sum(server) / 4, 234, 202, 176, GROUP, dash="5 4")
        for rail, x in zip(rails, server):
            c.line([(x, 166), (rail, 62)], colour=FIBRE, width=2)
            c.line([(x, 198), (sum(server) / 4 + (x - sum(server) / 4) * 0.7, 276)], colour=FIBRE, width=2)
    for rail, x in zip((0, 3), (26, 244)):
        c.line([(x, 166), (rails[0], 62)], colour=BLUE, width=3.5)
    c.line([(76, 198), (83.5, 276)], colour=RED, width=3.5)
    c.line([(153.5, 276), (176, 198)], colour=RED, width=3.5)
    c.line([(176, 166), (363, 62)], colour=RED, width=3.5)
    c.line([(363, 62), (394, 166)], colour=RED, width=3.5)
    for rail, x in enumerate(rails):
        c.box(x, 45, 90, 36, SWITCH, f"rail {rail}", size=12)
    for server in xs:
        c.box(sum(server) / 4, 290, 156, 30, ELECTRIC, "switch in the server", size=12)
    for i, x in enumerate(xs[0] + xs[1]):
        c.box(x, 182, 48, 32, GPU, name_gpu(i, True), size=12)
    c.arrow(391, 156, 74, RED)
    c.arrow(238, 163, 29, BLUE)
    c.mark(60, 232, 1)
    c.mark(240, 118, 2)
    c.mark(28, 112, 3)
    c.mark(363, 78, 4)


def draw_leaf_spine(c, detail=True):
    """Leaf switches, each with a link to each spine switch."""
    spines, leaves = (120, 300), (60, 160, 260, 360)
    hosts = [leaf + offset for leaf in leaves for offset in (-25, 25)]
    for leaf in leaves:
        for spine in spines:
            c.line([(leaf, 150), (spine, 52)], colour=FIBRE, width=2)
        for offset in (-25, 25):
            c.line([(leaf + offset, 262), (leaf, 160)], colour=FIBRE, width=2)
    c.line([(hosts[0], 262), (60, 160), (300, 52), (360, 150), (hosts[7], 262)], colour=RED, width=3.5)
    for spine in spines:
        c.box(spine, 44, 96, 32, ELECTRIC, "spine", size=12)
    for leaf in leaves:
        c.box(leaf, 156, 74, 32, ELECTRIC, "leaf", size=12)
    for i, x in enumerate(hosts):
        c.box(x, 276, 47 if detail else 38, 30, GPU, name_gpu(i, detail), size=12)
    c.frame(180, 106, -24)
    c.arrow(hosts[7] - 2, 252, 76, RED)


def draw_fat_tree(c):
    """A fat tree of switches with four ports."""
    cores = (170, 290, 410, 530)
    pods = (70, 257, 443, 630)
    for p, pod in enumerate(pods):
        for a, aggregation in enumerate((pod - 42, pod + 42)):
            for core in cores[2 * a:2 * a + 2]:
                c.line([(aggregation, 105), (core, 40)], colour=FIBRE, width=1.5)
            for edge in (pod - 42, pod + 42):
                c.line([(edge, 175), (aggregation, 105)], colour=FIBRE, width=1.5)
        for edge in (pod - 42, pod + 42):
            for host in (edge - 20, edge + 20):
                c.line([(host, 240), (edge, 175)], colour=FIBRE, width=1.5)
    c.line([(8, 240), (28, 175), (112, 105), (410, 40), (672, 105), (588, 175), (568, 240)], colour=RED,
           width=3.5)
    for core in cores:
        c.box(core, 36, 66, 28, ELECTRIC, "core", size=12)
    for pod in pods:
        for x in (pod - 42, pod + 42):
            c.box(x, 105, 80, 28, ELECTRIC, "aggregation", size=12)
            c.box(x, 175, 80, 28, ELECTRIC, "edge", size=12)
            for host in (x - 20, x + 20):
                c.box(host, 244, 34, 24, GPU)
    c.frame(240, 77, -12)
    c.arrow(571, 228, 107, RED)


def draw_cluster(c):
    """Servers with a switch inside, and a network card for each GPU."""
    leaves, spines = (90, 250), (90, 250)
    for leaf in leaves:
        for spine in spines:
            c.line([(leaf, 88), (spine, 32)], colour=FIBRE, width=2)
    for s, leaf in enumerate(leaves):
        c.box(leaf, 200, 148, 128, GROUP, dash="5 4")
        for offset in (-51, -17, 17, 51):
            c.line([(leaf + offset, 160), (leaf + offset * 0.5, 100)], colour=FIBRE, width=2)
            c.line([(leaf + offset, 182), (leaf + offset * 0.6, 230)], colour=FIBRE, width=2)
    c.line([(39, 160), (64.5, 100), (90, 88), (250, 32), (250, 88), (267, 160 - 60)], colour=RED, width=3)
    c.line([(258.5, 100), (267, 160)], colour=RED, width=3)
    c.line([(199, 182), (219.4, 230)], colour=BLUE, width=3)
    c.line([(280.6, 230), (301, 182)], colour=BLUE, width=3)
    for leaf in leaves:
        c.box(leaf, 32, 80, 26, ELECTRIC, "spine", size=12)
        c.box(leaf, 92, 80, 26, ELECTRIC, "leaf", size=12)
        c.box(leaf, 240, 118, 26, ELECTRIC, "in the server", size=12)
        for offset in (-51, -17, 17, 51):
            c.box(leaf + offset, 171, 30, 24, GPU)
    c.arrow(265, 149, 83, RED)
    c.arrow(299, 190, -68, BLUE)


def draw_hybrid(c):
    """GPUs with lightpaths and a network card."""
    xs = (50, 137, 223, 310)
    c.box(180, 45, 330, 40, SWITCH, "optical fabric: one circuit a GPU at a time", size=12)
    c.box(180, 260, 330, 40, ELECTRIC, "network of switches", size=12)
    for x in xs:
        c.line([(x, 65), (x, 138)], colour=FIBRE, width=2)
        c.line([(x, 166), (x, 240)], colour=FIBRE, width=2)
    c.line([(50, 138), (50, 65)], colour=RED, width=3.5)
    c.line([(310, 65), (310, 138)], colour=RED, width=3.5)
    c.line([(50, 166), (50, 240)], colour=BLUE, width=3.5)
    c.line([(223, 240), (223, 166)], colour=BLUE, width=3.5)
    for number, x in enumerate(xs):
        c.box(x, 152, 62, 30, GPU, f"GPU {number}", size=12)
    c.frame(50, 104, -90, RED, 1.3)
    c.frame(50, 204, 90, BLUE, 0.7)
    c.arrow(310, 126, 90, RED)
    c.arrow(223, 180, -90, BLUE)
    c.mark(28, 104, 1)
    c.mark(28, 204, 2)


def draw_relay(c):
    """A frame that takes two lightpaths, by way of another GPU."""
    xs = (40, 150, 260)
    c.text(150, 60, "no lightpath from GPU 0 to GPU 2", size=12, anchor="middle", colour=QUIET)
    c.line([(40, 138), (40, 90), (260, 90), (260, 138)], colour=FIBRE, width=2, dash="3 6")
    for x in xs[:2]:
        c.line([(x + 31, 152), (x + 79, 152)], colour=RED, width=4)
        c.arrow(x + 71, 152, 0, RED)
    for number, x in enumerate(xs):
        c.box(x, 152, 62, 30, GPU, f"GPU {number}", size=12)
    c.frame(91, 152)
    c.frame(199, 152)
    c.mark(95, 180, 3)
    c.mark(150, 188, 4)
    c.mark(205, 180, 5)


def draw_waveguide_router(c, _detail=True):
    """A waveguide grating router, whose outputs follow from inputs and wavelengths."""
    rows = (45, 125, 205, 285)
    colours = {1: RED, 2: BLUE, 3: GREEN}
    c.text(45, 20, "sending", size=12, anchor="middle", colour=QUIET)
    c.text(375, 20, "receiving", size=12, anchor="middle", colour=QUIET)
    c.box(210, 165, 110, 276, SWITCH)
    for i, y in enumerate(rows):
        for wavelength, colour in colours.items():
            shift = 7 * (wavelength - 2)
            to = rows[(i + wavelength) % 4]
            c.line([(74, y + shift), (155, y + shift)], colour=colour, width=2)
            c.curve((155, y + shift), (265, to + shift), 45, colour, 1.5)
            c.line([(265, to + shift), (346, to + shift)], colour=colour, width=2)
    c.line([(74, 38), (155, 38)], colour=RED, width=4)
    c.curve((155, 38), (265, 118), 45, RED, 4)
    c.line([(265, 118), (346, 118)], colour=RED, width=4)
    for number, y in enumerate(rows):
        c.box(45, y, 58, 34, GPU, f"GPU {number}", size=12)
        c.box(375, y, 58, 34, GPU, f"GPU {number}", size=12)
    c.frame(112, 38)
    c.text(210, 322, "waveguide grating router", size=12, anchor="middle", colour=QUIET)
    c.mark(88, 20, 1)
    c.mark(222, 62, 2)
    c.mark(330, 98, 3)


def draw_topoopt(c, detail=True):
    """Rings of two strides between GPUs, a link between a pair, and a frame that a GPU forwards."""
    centre = (210, 165)
    places = [get_point(centre, 128, 30 * number) for number in range(12)]
    for stride, colour in ((1, FIBRE), (5, BLUE)):
        for number in range(12):
            c.line([places[number], places[(number + stride) % 12]], colour=colour, width=1.5)
    c.line([places[9], places[3]], colour=GREEN, width=4)
    for source, destination in ((0, 5), (5, 6)):
        c.line([places[source], places[destination]], colour=RED, width=3.5)
    for number, (x, y) in enumerate(places):
        c.box(x, y, 58 if detail else 40, 26, GPU, name_gpu(number, detail), size=12)
    middle = [(places[0][axis] + places[5][axis]) / 2 for axis in range(2)]
    c.frame(*middle, 75)
    if detail:
        c.mark(252, 22, 1)
        c.mark(middle[0] + 22, middle[1] - 22, 2)
        c.mark(places[5][0] + 40, places[5][1] + 14, 3)
        c.mark(120, 156, 4)


def draw_torus(c, detail=True):
    """Two cubes of nodes, and a circuit switch that joins opposite faces to a ring."""
    size = 26
    lefts = (30, 240)
    for cube, left in enumerate(lefts):
        for depth in (1, 0):
            for row in range(4):
                for column in range(4):
                    x, y = left + column * 36 + depth * 12, 60 + row * 36 - depth * 12
                    if column < 3:
                        c.line([(x + 13, y + 13), (x + 49, y + 13)], colour=FIBRE, width=2)
                    if row < 3:
                        c.line([(x + 13, y + 13), (x + 13, y + 49)], colour=FIBRE, width=2)
        for row in range(4):
            for column in range(4):
                c.box(left + column * 36 + 13, 73 + row * 36, size, size, GPU)
        c.text(left + 67, 30, f"cube {cube}", size=12, anchor="middle", colour=QUIET)
    c.box(210, 278, 150, 46, SWITCH, "circuit switch", size=12)
    for cube, left in enumerate(lefts):
        c.line([(left, 73), (left - 18, 73), (left - 18, 250), (160 + 60 * cube, 250), (160 + 60 * cube, 256)],
               colour=BLUE, width=2.5)
        c.line([(left + 134, 73), (left + 160, 73), (left + 160, 240 - 8 * cube),
                (190 + 60 * cube, 240 - 8 * cube), (190 + 60 * cube, 256)], colour=RED, width=2.5)
    if detail:
        c.mark(100, 214, 1)
        c.mark(30, 238, 2)
        c.mark(302, 278, 3)
        c.mark(205, 90, 4)


STEPS = {
    "waveguide-router": (draw_waveguide_router, "Waveguide grating router", 344, (
        "GPU 0 switches on the laser of wavelength 1 (red).",
        "The router is passive: wavelength w of input i\nleads to output (i + w) mod 4.",
        "GPU 1 receives it. No two lightpaths meet, so\nthat any set of lasers may be on.",
        )),
    "sip-ring": (draw_sip_ring, "SiP-Ring", 358, (
        "GPU 0 has a queue for each other GPU. The frame\nfor GPU 2 waits until there is a lightpath.",
        "A micro-ring adds the frame to the fibre, on the\nwavelengths of this lightpath (red).",
        "It passes GPU 1: its micro-rings are tuned to\nother wavelengths (blue).",
        "A micro-ring of GPU 2 drops it. Nothing is\nswitched, queued or routed on the way.",
        "The same wavelength serves GPU 4 to GPU 6:\nthe two arcs have no segment in common.",
        "Other fibres lead the other way round (green).")),
    "sip-ocs": (draw_sip_ocs, "SiP-OCS", 352, (
        "GPU 0 has a queue for each other GPU, and one\nfibre to each switch.",
        "The fibre to switch 1 carries a share of the\nGPU's wavelengths, all of them to one GPU.",
        "A switch joins inputs to outputs, one to one.\nIt is dark for 10 ms while mirrors move.",
        "GPU 2 receives on its fibre from switch 1. Any\npair may have circuits of several switches.",
        "A switch gives a GPU one peer at a time. With Q\nswitches it has Q at most; other frames wait.")),
    "oddl": (draw_oddl, "ODDL", 344, (
        "A frame for GPU 8, in another row, goes by the\ncorner, GPU 2. GPU 0 asks it for its receiver.",
        "Once granted, GPU 0 tunes its laser (10.5 ns) to\nthe wavelength of GPU 2, and sends.",
        "The switch of the row is passive and set once a\njob: the wavelength alone chooses the output.",
        "GPU 2 takes in the whole frame, asks GPU 8 for\nits receiver, and forwards it.",
        "The switch of the column does as that of a row.\nPairs in one row or column need one switch.")),
    "optinc": (draw_opt_inc, "OptINC", 344, (
        "Each server sends its gradients once, as words\nof 8 bits. A slot manager grants a common slot.",
        "Fibres differ in length: servers launch so that\nall bursts arrive at the same time.",
        "The network computes the average while the light\npasses. Nothing is stored.",
        "The average is split: all servers receive the\nsame frame, and can send nothing else.")),
    "electrical": (draw_electrical, "Electrical switch", 290, (
        "Each GPU has one link to the switch, which leads\nboth ways.",
        "A frame from GPU 1 to GPU 5 is sent at its share\nof both ports. No packet waits in the switch.",
        "GPU 7 sends to GPU 5, too (blue): each of the two\nhas half of its port.",
        "Shares are max-min fair. They change as soon as\na pair begins or ceases to have frames.")),
    "topoopt": (draw_topoopt, "TopoOpt", 330, (
        "Each GPU has up to 5 links. Four are for rings of\nthe strides 1 (grey) and 5 (blue), both ways.",
        "An all-reduce uses all rings at once. A frame from\nGPU 0 to GPU 6 has no link of its own: 5 + 1 = 6.",
        "GPU 5 forwards it: the fewest strides that add up\nto the distance are its way.",
        "GPUs 3 and 9 send each other much besides sums:\na matching gives them a link (green).")),
    "torus": (draw_torus, "Torus of cubes", 344, (
        "A cube has 4 x 4 x 4 GPUs (one layer is drawn),\nwith electrical links between neighbours.",
        "Links at the same position of opposite faces\n(blue, red) lead to one circuit switch: 48 in all.",
        "It joins each upper face with one lower face.\nCubes in turn make a ring, in any order.",
        "A GPU forwards frames for others along the\nshortest routes, both ways round.")),
    "rotors": (draw_rotors, "Rotors", 344, (
        "Each GPU has an uplink to each rotor. The frame\nof GPU 0 for GPU 1 waits for its slot.",
        "A rotor joins all GPUs by one of its matchings at a\ntime. All rotors together join each pair once.",
        "A slot begins with darkness, while rotors turn. A\ncycle, here of two slots, repeats for ever.",
        "GPU 1 may forward: frames for GPU 3 that find room\nnow wait at GPU 1 for the slot of that pair.")),
    "servers": (draw_servers, "Servers on rails", 344, (
        "A frame from GPU 1 to GPU 7, which is on rail 3:\nfirst it goes to GPU 3 inside the server.",
        "GPU 3 hands it to its rail. Long messages go in\nparts, so that both networks carry them.",
        "GPUs of the same index share a rail and need no\nstep inside a server.",
        "A rail is a fabric of its own: a ring, circuit\nswitches, a network. Rails never meet.")),
}


def draw_page(name):
    """Returns the drawing of a fabric with what happens to a frame beside it."""
    draw, title, height, texts = STEPS[name]
    c = Canvas(800, height, f"{title}: nodes, fibres, and where a frame goes")
    c.place(5, 5)
    draw(c)
    c.place(0, 0)
    c.steps(448, 34, texts)
    return c


def draw_switches():
    """Returns the drawing of the networks of switches."""
    c = Canvas(800, 590, "A fat tree, a leaf-spine network and a cluster of servers")
    c.place(50, 18)
    draw_fat_tree(c)
    c.text(0, 8, "fat-tree", weight="bold")
    c.place(8, 295, 0.98)
    draw_leaf_spine(c)
    c.text(0, 4, "leaf-spine", weight="bold")
    c.place(446, 295, 1.0)
    draw_cluster(c)
    c.text(0, 4, "cluster", weight="bold")
    return c


def draw_hybrids():
    """Returns the drawing of hybrids and relays."""
    c = Canvas(800, 420, "A hybrid of circuits and a packet network, and a relay")
    c.place(20, 5)
    draw_hybrid(c)
    c.text(0, 10, "hybrid", weight="bold")
    c.place(455, 5)
    draw_relay(c)
    c.text(0, 10, "relay", weight="bold")
    c.place(0, 0)
    c.steps(34, 315, ("A large message waits for a lightpath, which the\ncontroller gives to the pairs that wait.",
                      "A small message, or one that has waited for too\nlong, goes by the network card."))
    y = 315
    for number, text in ((3, "A frame takes the shortest way over lightpaths."),
                         (4, "GPU 1 forwards it, at the cost of its own frames."),
                         (5, "The lightpath to GPU 2 is one like any other.")):
        c.mark(464, y, number)
        c.text(481, y + 4.7, text)
        y += 28
    return c


def draw_darkness():
    """Returns the drawing of a reconfiguration, over time."""
    c = Canvas(800, 300, "A reconfiguration: decision, darkness, light, and a frame that is cut and resumed")
    left, begin, end, right = 190, 380, 530, 780
    rows = {"controller": 50, "GPU 0 to GPU 1": 105, "GPU 0 to GPU 2": 160, "frames for GPU 1": 215}
    for text, y in rows.items():
        c.text(left - 16, y + 5, text, anchor="end")
        c.line([(left, y + 18), (right, y + 18)], colour=GLASS, width=1.5)
    c.add("rect", x=begin, y=28, width=end - begin, height=212, fill="#3b4650", fill_opacity=0.13)
    c.text((begin + end) / 2, 20, "dark", anchor="middle", weight="bold")
    c.box(330, 50, 92, 26, SWITCH, "decides", size=12)
    c.arrow(376, 50, 0)
    c.text(250, 37, "demand", size=12, anchor="middle", colour=QUIET)
    c.line([(228, 50), (276, 50)], colour=QUIET, width=2)
    c.arrow(276, 50, 0, QUIET)
    c.box((left + begin) / 2, 105, begin - left, 18, (RED, RED), radius=0)
    c.box((end + right) / 2, 105, right - end, 9, (RED, RED), radius=0)
    c.box((end + right) / 2, 160, right - end, 18, (BLUE, BLUE), radius=0)
    c.text(left + 8, 109, "4 lanes", size=12, colour=PAPER)
    c.text(end + 8, 97, "2 lanes", size=12)
    c.text(end + 8, 164, "2 lanes", size=12, colour=PAPER)
    for x, w, text in ((190, 74, "frame 1"), (264, 74, "frame 2"), (338, 42, "fra"), (530, 64, "me 3"),
                       (594, 148, "frame 4")):
        c.box(x + w / 2, 215, w - 3, 26, (PAPER, RED), text, size=12)
    c.line([(380, 215), (530, 215)], colour=RED, width=1.5, dash="3 5")
    c.text(455, 208, "cut, then resumed", size=12, anchor="middle")
    c.line([(left, 262), (right, 262)], colour=INK, width=1.5)
    c.arrow(right, 262, 0)
    c.text(right, 284, "time", size=12, anchor="end")
    c.line([(begin, 240), (begin, 268)], colour=INK, width=1.5)
    c.line([(end, 240), (end, 268)], colour=INK, width=1.5)
    c.text((begin + end) / 2, 284, "SwitchingDelay", size=12, anchor="middle")
    return c


def draw_overview():
    """Returns one drawing of all fabrics."""
    panels = (
        ("SiP-Ring", "wavelengths on disjoint arcs of a ring", draw_sip_ring),
        ("SiP-OCS", "parallel circuit switches", draw_sip_ocs),
        ("ODDL", "a laser tunes for each flow", draw_oddl),
        ("OptINC", "averages gradients in light", draw_opt_inc),
        ("Electrical switch", "ideal: max-min fair shares", draw_electrical),
        ("Networks of switches", "leaf-spine, fat tree, cluster; TCP, DCTCP", draw_leaf_spine),
    )
    c = Canvas(840, 584, "The fabrics of lightpath, and where a frame goes in each")
    for i, (title, text, draw) in enumerate(panels):
        x, y = 8 + 280 * (i % 3), 8 + 278 * (i // 3)
        c.place(0, 0)
        c.add("rect", x=x, y=y, width=264, height=266, rx=8, fill="none", stroke="#d5dbe1", stroke_width=1.5)
        c.text(x + 12, y + 22, title, size=15, weight="bold")
        c.text(x + 12, y + 40, text, size=12, colour=QUIET)
        c.place(x + 9, y + 52, 0.585)
        draw(c, False)
    c.place(0, 0)
    c.text(12, 571, "Boxes with numbers: GPUs. Red: the way of one frame. Blue and green: others at the same time."
           " Yellow: optics.", size=12, colour=QUIET)
    return c


def draw(folder):
    """Writes all drawings into a folder."""
    drawings = {name: draw_page(name) for name in STEPS}
    drawings |= {"fabrics": draw_overview(), "switches": draw_switches(), "hybrids": draw_hybrids(),
                 "darkness": draw_darkness(), "mixnet": draw_mixnet(), "photonic-rails": draw_rails()}
    for name, canvas in drawings.items():
        with open(os.path.join(folder, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(canvas.get_svg())
