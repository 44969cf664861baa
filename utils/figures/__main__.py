"""Prints the sweeps of the figures, draws the figures and writes the page about them, draws the
fabrics and the charts that pages of results open with, draws the lanes that a decision of
lightpath-allocate gives to lightpaths, and the map that lightpath-turns prints.

usage: python3 utils/figures sweeps [--quick | K/N | --only=FIGURE,...]
       python3 utils/figures merge PART.csv RESULTS.csv FIGURE,...
       python3 utils/figures compare PART.csv RESULTS.csv K/N
       python3 utils/figures draw RESULTS.csv FOLDER
       python3 utils/figures page RESULTS.csv
       python3 utils/figures charts RESULTS.csv FOLDER
       python3 utils/figures fabrics FOLDER
       python3 utils/figures lanes PLAN.json PLAN.svg
       python3 utils/figures turns MAP.csv MAP.svg
"""

import os
import sys

from cases import COMMON, get_lines, get_sweeps
from charts import draw as draw_charts
from compare import compare, get_share, merge
from drawings import DRAWINGS
from fabrics import draw as draw_fabrics
from lanes import draw as draw_lanes
from page import get_page
from rows import Rows
from turns import draw as draw_turns


def main():
    """Does what the arguments ask for."""
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "sweeps":
        only = [word[len("--only=") :] for word in sys.argv if word.startswith("--only=")]
        try:
            sweeps = get_sweeps("--quick" in sys.argv, only[0].split(",") if only else ())
        except ValueError as error:
            sys.exit(f"figures: {error}")
        if len(sys.argv) > 2 and "/" in sys.argv[2]:
            sweeps = "".join(get_share(sweeps.splitlines(keepends=True), sys.argv[2]))
        print(sweeps, end="")
    elif command == "compare":
        sys.exit(compare(*sys.argv[2:5]) > 0)
    elif command == "merge":
        try:
            merge(sys.argv[2], sys.argv[3], sys.argv[4].split(","), get_lines(False))
        except ValueError as error:
            sys.exit(f"figures: {error}")
    elif command == "common":
        print(COMMON)
    elif command == "draw":
        os.makedirs(sys.argv[3], exist_ok=True)
        for draw in DRAWINGS:
            draw(Rows(sys.argv[2])).draw(sys.argv[3])
    elif command == "page":
        print(get_page(Rows(sys.argv[2])), end="")
    elif command == "charts":
        draw_charts(Rows(sys.argv[2]), sys.argv[3])
    elif command == "fabrics":
        draw_fabrics(sys.argv[2])
    elif command in ("lanes", "turns") and len(sys.argv) == 4:
        try:
            (draw_lanes if command == "lanes" else draw_turns)(sys.argv[2], sys.argv[3])
        except (OSError, ValueError) as error:
            sys.exit(f"figures: {error}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
