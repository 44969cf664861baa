#!/usr/bin/env python3
"""Times collectives on networks of switches by packets of DCTCP and by flows, and prints a table.

usage: utils/flow-table.py BUILD-DIRECTORY [WORD...]    rows whose text has all words only

The table is that of doc/link-graphs.rst. The delay of links at flow level includes the time that
switches take to store a packet. For routes by hash, packets have one seed, and flows several: their
mean, the least and the most.
"""

import statistics
import sys

import study

COMMON = "--bandwidth=100Gbps --minBytes=16MB --maxBytes=16MB"
HEADS = ["Network", "GPUs", "Operation", "DCTCP", "Spray", "to DCTCP", "ECMP", "to DCTCP", "Seeds"]
WIDTHS = [15, 4, 16, 5, 5, 8, 5, 8, 13]
# Names of the network by packets and by flows, options that both take, and the delay of a link with a
# packet of 9000 bytes stored in each switch
NETWORKS = [
    ("one switch", "leaf-spine", "leaf-spine-flows", "--leafGpus={gpus}", "0.86us"),
    ("leaf-spine", "leaf-spine", "leaf-spine-flows", "", "1.04us"),
    ("leaf-spine, 4:1", "leaf-spine", "leaf-spine-flows", "--oversubscription=4", "1.04us"),
    ("fat tree", "fat-tree", "fat-tree-flows", "", "1.1us"),
    ("fat tree, 4:1", "fat-tree", "fat-tree-flows", "--oversubscription=4", "1.1us"),
]
OPERATIONS = [
    ("ring", "--collective=all-reduce --algorithm=ring"),
    ("halving-doubling", "--collective=all-reduce --algorithm=halving-doubling"),
    ("all-to-all", "--collective=all-to-all"),
]
SEEDS = 5


def measure(directory, fabric, gpus, options):
    """Get the time of an operation, in ms."""
    arguments = [*COMMON.split(), f"--ranks={gpus}", f"--fabric={fabric}", *options.split()]
    (row,) = study.run(f"{directory}/lightpath-collective", arguments)["rows"]
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
    for name, packets, flows, network, delay in NETWORKS:
        for gpus in (16, 64):
            for operation, options in OPERATIONS:
                if not all(word in f"{name} {gpus} {operation}" for word in words):
                    continue
                options = f"{options} {network.format(gpus=gpus)}"
                dctcp = measure(directory, f"{packets}:dctcp", gpus, options)
                options += f" --linkDelay={delay}"
                spray = measure(directory, flows, gpus, options)
                seeds = [
                    measure(directory, flows, gpus, f"{options} --routing=ecmp --hashSeed={seed}")
                    for seed in range(SEEDS)
                ]
                texts = [f"{dctcp:.2f}"]
                for time in (spray, statistics.mean(seeds)):
                    texts += [f"{time:.2f}", f"{100 * (time / dctcp - 1):+.0f} %"]
                texts.append(f"{min(seeds):.2f} to {max(seeds):.2f}")
                print(format_row([name, str(gpus), operation, *texts]), flush=True)
    print(rule)


if __name__ == "__main__":
    main()
