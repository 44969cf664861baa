#!/usr/bin/env python3
"""Compares the table of lightpath-serving with published times of operations inside a server.

These are those of data/collectives.json. None of the constants of the table was fitted to them.
"""

import json
import os

import study

import lightpath

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/collectives.json")
BANDS = ((0, 1 << 17, "4-64 KiB"), (1 << 17, 1 << 21, "256 KiB-1 MiB"), (1 << 21, 1 << 25, "4-16 MiB"), (1 << 25, 1 << 40, "64-256 MiB"))
HEADS = ["Library", "Operation", "GPUs", *(band[2] for band in BANDS)]


def compare(row, data, table):
    """Return a row with the ratios of the table to the published times, by size."""
    key = (row["collective"], row["gpus"])
    pairs = [(size, 1e3 * table[(*key, size)] / us) for size, us in zip(data["bytes"], row["us"])]
    bands = [study.get_median([ratio for size, ratio in pairs if least <= size < most]) for least, most, _ in BANDS]
    return {**row, "ratios": [ratio for _, ratio in pairs], "bands": bands}


def print_table(rows, _):
    """Print the medians by band of sizes, and the errors of all."""
    lines = [[row["source"], row["collective"], str(row["gpus"]), *(f"{ratio:.2f}" for ratio in row["bands"])] for row in rows]
    study.print_table(HEADS, lines)


def check(rows, stated):
    """Refuse another error than the stated one."""
    error = lightpath.get_quantile([abs(ratio - 1) for row in rows for ratio in row["ratios"]], 0.9)
    if abs(error - stated) > 0.005:
        raise ValueError(f"90 % of the times are within {100 * error:.1f} %, and not {100 * stated:.0f} %")


def main():
    """Simulate and compare."""
    parser = study.make_parser("Compare the table of lightpath-serving with published times.", "lightpath-serving")
    parser.set_defaults(format="rst")
    options = parser.parse_args()
    study.check_options(options, ["rst"])
    with open(FILE, encoding="utf-8") as file:
        data = json.load(file)
    words = {"collectives": sorted({row["collective"] for row in data["rows"]}), "groups": [2, 4, 8], "placements": "packed"}
    sizes = {"minBytes": data["bytes"][0], "maxBytes": data["bytes"][-1], "stepFactor": data["bytes"][1] // data["bytes"][0]}
    result = lightpath.run(options.program, **words, **sizes, jobs=options.jobs)
    table = {(row["collective"], row["group"], row["bytes"]): row["ms"] for row in result["rows"]}
    study.report(options, {"rows": [compare(row, data, table) for row in data["rows"]]}, print_table, lambda rows: check(rows, data["error90"]))


if __name__ == "__main__":
    study.end(main, "check-serving.py")
