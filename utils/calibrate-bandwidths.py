#!/usr/bin/env python3
"""Simulates published bus bandwidths of all-reduce on servers of 8 A100 and reports the errors.

The measurements are those of data/bandwidths.json.
"""

import json
import os

import study

MEASUREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/bandwidths.json")

# The largest error that passes --check
LIMIT = 0.10

HEADS = ["source", "all-reduce", "published", "simulated", "error", "fitted"]


def get_arguments(row, data):
    """Return the options of lightpath-collective for a measurement."""
    return [
        *data["server"].split(),
        *data.get(row.get("cards"), "").split(),
        f"--ranks={row['ranks']}",
        f"--minBytes={row['bytes']}",
        f"--maxBytes={row['bytes']}",
    ]


def simulate(program, row, data):
    """Return a measurement with its simulation."""
    result = study.run(program, get_arguments(row, data), f"{row['source']}, {row['job']}")
    simulated = result["rows"][0]["busBandwidth"] / 1e9
    return {
        **{key: row[key] for key in ("source", "job", "bytes", "published")},
        "simulated": simulated,
        "error": simulated / row["published"] - 1,
        "fitted": row.get("fitted", False),
    }


def print_table(rows, is_rst):
    """Print the table."""
    lines = [HEADS]
    for row in rows:
        lines.append([
            row["source"],
            row["job"],
            f"{row['published']:.0f}",
            f"{row['simulated']:.1f}",
            f"{100 * row['error']:+.1f} %",
            "yes" if row["fitted"] else "no",
        ])
    widths = [max(map(len, column)) for column in zip(*lines)]
    printed = [" ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines]
    if is_rst:
        rule = " ".join("=" * width for width in widths)
        printed = [rule, printed[0], rule, *printed[1:], rule]
    print("\n".join(printed))


def check(rows):
    """Refuse errors beyond the limit."""
    for row in rows:
        if abs(row["error"]) > LIMIT:
            raise ValueError(
                f"{row['source']}, {row['job']}: {row['simulated']:.1f} GB/s differ from the published"
                f" {row['published']} GB/s by more than {100 * LIMIT:.0f} %"
            )


def main():
    """Simulate and report."""
    parser = study.make_parser(
        "Simulate published bus bandwidths of all-reduce and report the errors.", "lightpath-collective"
    )
    parser.add_argument("--format", default="table", help="table, or rst for the manual")
    options = parser.parse_args()
    study.check_options(options, ["table", "rst"])
    with open(MEASUREMENTS, encoding="utf-8") as file:
        data = json.load(file)
    rows = study.run_all(
        lambda row: simulate(options.program, row, data),
        data["measurements"],
        options.jobs,
        lambda row: f"{row['source']}, {row['job']}",
    )
    study.report(options, {"rows": rows}, print_table, check)


if __name__ == "__main__":
    study.end(main, "calibrate-bandwidths.py")
