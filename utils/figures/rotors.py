"""Draws a fabric with a periodic schedule."""

from canvas import FIBRE, GPU, PAPER, QUIET, RED, SWITCH, SWITCH_INSIDE


def draw_rotors(c, detail=True):
    """Four nodes with an uplink to each of two rotor switches, and the slots of one cycle."""
    rows = (52, 112, 172, 232)
    switches = (82, 202)
    matchings = ((0, 1, 2, 3), (1, 0, 3, 2)), ((2, 3, 0, 1), (3, 2, 1, 0))
    for s, y in enumerate(switches):
        c.box(190, y, 84, 92, SWITCH)
        ports = [y - 33 + 22 * i for i in range(4)]
        for source, destination in enumerate(matchings[s][1]):
            used = s == 0 and source == 0
            colour = RED if used else FIBRE
            c.curve((59, rows[source]), (148, ports[source]), 44, colour, 3.5 if used else 1.5)
            c.curve((232, ports[destination]), (321, rows[destination]), 44, colour, 3.5 if used else 1.5)
            c.line([(148, ports[source]), (232, ports[destination])],
                   colour=RED if used else SWITCH_INSIDE, width=3.5 if used else 1.5)
        if detail:
            c.text(190, y - 52, f"rotor {s}", size=12, anchor="middle", colour=QUIET)
    for number, y in enumerate(rows):
        for x in (38, 342):
            c.box(x, y, 44, 26, GPU, str(number), size=12)
    c.frame(100, 49)
    for s, y in enumerate((282, 310)):
        for slot in range(4):
            left = 60 + 78 * slot
            c.box(left + 8, y, 16, 20, (QUIET, QUIET), radius=0)
            pair = matchings[s][slot % 2][0]
            c.box(left + 47, y, 62, 20, (PAPER, RED if pair == 1 else FIBRE),
                  "idle" if pair == 0 else f"to {pair}", size=12, radius=0)
        c.text(52, y + 4, f"rotor {s}", size=12, anchor="end", colour=QUIET)
    if detail:
        c.mark(66, 34, 1)
        c.mark(214, 72, 2)
        c.mark(164, 300, 3)
        c.mark(342, 28, 4)
