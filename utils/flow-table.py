#!/usr/bin/env python3
"""Times collectives on networks of switches by flows and by packets, and prints a table.

usage: utils/flow-table.py BUILD-DIRECTORY [WORD...]    rows whose text has all words only

The table is that of doc/link-graphs.rst. Packets go by DCTCP; several connections between two GPUs
spread over the routes, as packet spraying does at flow level.
"""

import json
import subprocess
import sys
from pathlib import Path

COMMON = "--bandwidth=100Gbps --minBytes=64MB --maxBytes=64MB --quiet --json=-"
HEADS = ["Network", "GPUs", "Operation", "Packets, ms", "Flows, ms", "Diff.", "One hash, ms", "Diff."]
WIDTHS = [20, 4, 18, 11, 9, 7, 12, 7]
# Names of the network by packets and by flows, and options that both take
NETWORKS = [
    ("leaf-spine", "leaf-spine", "leaf-spine-flows", ""),
    ("leaf-spine, 4:1", "leaf-spine", "leaf-spine-flows", "--oversubscription=4"),
    ("fat tree", "fat-tree", "fat-tree-flows", ""),
    ("fat tree, 4:1", "fat-tree", "fat-tree-flows", "--oversubscription=4"),
]
OPERATIONS = [
    ("ring", "--collective=all-reduce --algorithm=ring"),
    ("halving-doubling", "--collective=all-reduce --algorithm=halving-doubling"),
    ("all-to-all", "--collective=all-to-all"),
]
# Connections between two GPUs that packets are spread over
CONNECTIONS = 16


def measure(directory, fabric, gpus, options):
    """Get the time of an operation, in ms."""
    command = [Path(directory) / "lightpath-collective", *COMMON.split(), f"--ranks={gpus}"]
    command += [f"--fabric={fabric}", *options.split()]
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
    for name, packets, flows, network in NETWORKS:
        for gpus in (16, 64):
            for operation, options in OPERATIONS:
                if not all(word in f"{name} {gpus} {operation}" for word in words):
                    continue
                options = f"{options} {network}"
                texts = [name, str(gpus), operation]
                spread = f"{options} --connections={CONNECTIONS}"
                many = measure(directory, f"{packets}:dctcp", gpus, spread)
                spray = measure(directory, flows, gpus, options)
                one = measure(directory, f"{packets}:dctcp", gpus, options)
                ecmp = measure(directory, flows, gpus, f"{options} --routing=ecmp")
                texts += [f"{many:.2f}", f"{spray:.2f}", f"{100 * (spray / many - 1):+.1f} %"]
                texts += [f"{one:.2f}", f"{100 * (ecmp / one - 1):+.1f} %"]
                print(format_row(texts), flush=True)
    print(rule)


if __name__ == "__main__":
    main()
