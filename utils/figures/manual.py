"""Reads tables that other programs have written into the manual."""

import os

DOC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "doc")


def read_table(name, head, number=0):
    """Returns the rows of the first table of a page whose first column has this head, or of a later one, by head."""
    with open(os.path.join(DOC, name), encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    place = [i for i, line in enumerate(lines) if line.startswith(head + "  ")][number]
    # The rule above the heads tells where columns begin
    rule = lines[place - 1]
    starts = [i for i in range(len(rule)) if rule[i] == "=" and (i == 0 or rule[i - 1] == " ")]
    ends = starts[1:] + [None]

    def split(line):
        return [line[start:end].strip() for start, end in zip(starts, ends)]

    # Of heads that are alike, the later ones get a number
    heads = []
    for name in split(lines[place]):
        heads.append(f"{name} {heads.count(name) + 1}" if name in heads else name)
    rows = []
    for line in lines[place + 2 :]:
        if not line or line.startswith("=="):
            break
        rows.append(dict(zip(heads, split(line))))
    return rows


def get_number(text):
    """Returns the number that a text begins with."""
    return float(text.split()[0].rstrip("%").replace(",", ""))
