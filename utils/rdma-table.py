#!/usr/bin/env python3
"""Times collectives over RDMA and by flows, and prints the table of doc/rdma.rst.

usage: utils/rdma-table.py BUILD-DIRECTORY [WORD...]    rows whose text has all words only

Flows take all shortest paths. Where hashes choose paths, a time is the mean over the seeds of these,
with the least and the most behind it.
"""

import statistics
import sys

import study

COMMON = "--ranks=64 --delay=1us --bandwidth=100Gbps --minBytes=16MB --maxBytes=16MB --quiet"
HEADS = ["Network", "Operation", "Flows", "pfc", "dcqcn", "hpcc", "nscc"]
NETWORKS = [("leaf-spine", ""), ("leaf-spine, 4:1", "--oversubscription=4")]
OPERATIONS = [
    ("ring", "--collective=all-reduce --algorithm=ring"),
    ("halving-doubling", "--collective=all-reduce --algorithm=halving-doubling"),
    ("all-to-all", "--collective=all-to-all"),
]
SEEDS = 10


def measure(directory, fabric, options):
    """Get the time of an operation, in ms."""
    arguments = [*COMMON.split(), f"--fabric={fabric}", *options.split()]
    (row,) = study.run(f"{directory}/lightpath-collective", arguments)["rows"]
    return 1e3 * row["seconds"]


def get_row(directory, name, operation, options):
    """Get a line of the table."""
    texts = [f"{measure(directory, 'leaf-spine-flows', options):.2f}"]
    for congestion in HEADS[3:6]:
        times = [
            measure(directory, f"leaf-spine:{congestion}", f"{options} --hashSeed={seed}") for seed in range(SEEDS)
        ]
        texts.append(f"{statistics.mean(times):.2f} {min(times):.1f}-{max(times):.1f}")
    return [name, operation, *texts, f"{measure(directory, 'leaf-spine:nscc', options):.2f}"]


def main():
    """Print the table."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    directory, *words = sys.argv[1:]
    rows = [
        get_row(directory, name, operation, f"{options} {network}")
        for name, network in NETWORKS
        for operation, options in OPERATIONS
        if all(word in f"{name} {operation}" for word in words)
    ]
    study.print_table(HEADS, rows)


if __name__ == "__main__":
    study.end(main, "rdma-table.py")
