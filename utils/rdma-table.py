#!/usr/bin/env python3
"""Times collectives over RDMA and by flows, and prints the table of doc/rdma.rst.

usage: utils/rdma-table.py BUILD-DIRECTORY [WORD...]    rows whose text has all words only

Flows take all shortest paths. Where hashes choose paths, a time is the mean over the seeds of these,
with the least and the most behind it.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

COMMON = "--ranks=64 --delay=1us --bandwidth=100Gbps --minBytes=16MB --maxBytes=16MB --quiet --json=-"
HEADS = ["Network", "Operation", "Flows", "pfc", "dcqcn", "hpcc", "nscc"]
WIDTHS = [15, 16, 5, 13, 13, 13, 5]
NETWORKS = [("leaf-spine", ""), ("leaf-spine, 4:1", "--oversubscription=4")]
OPERATIONS = [
    ("ring", "--collective=all-reduce --algorithm=ring"),
    ("halving-doubling", "--collective=all-reduce --algorithm=halving-doubling"),
    ("all-to-all", "--collective=all-to-all"),
]
SEEDS = 10


def measure(directory, fabric, options):
    """Get the time of an operation, in ms."""
    command = [Path(directory) / "lightpath-collective", *COMMON.split(), f"--fabric={fabric}", *options.split()]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    (row,) = json.loads(result.stdout)["rows"]
    return 1e3 * row["seconds"]


def format_row(values):
    """Get a line of the table."""
    return ("   " + "  ".join(text.ljust(width) for text, width in zip(values, WIDTHS))).rstrip()


def main():
    """Print the table."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    directory, *words = sys.argv[1:]
    rule = format_row(["=" * width for width in WIDTHS])
    print(rule, format_row(HEADS), rule, sep="\n")
    for name, network in NETWORKS:
        for operation, options in OPERATIONS:
            if not all(word in f"{name} {operation}" for word in words):
                continue
            options = f"{options} {network}"
            texts = [f"{measure(directory, 'leaf-spine-flows', options):.2f}"]
            for congestion in HEADS[3:6]:
                times = [
                    measure(directory, f"leaf-spine:{congestion}", f"{options} --hashSeed={seed}")
                    for seed in range(SEEDS)
                ]
                texts.append(f"{statistics.mean(times):.2f} {min(times):.1f}-{max(times):.1f}")
            texts.append(f"{measure(directory, 'leaf-spine:nscc', options):.2f}")
            print(format_row([name, operation, *texts]), flush=True)
    print(rule)


if __name__ == "__main__":
    main()
