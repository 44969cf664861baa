#!/usr/bin/env python3
"""Trains VGG-19 on 1024 GPUs, on ODDL and other fabrics, and prints a table.

usage: utils/oddl-table.py BUILD-DIRECTORY

The table is that of doc/oddl.rst.
"""

import sys

import study

JOB = (
    "--model=vgg19 --accelerator=A100 --gpus=1024 --batch=32768 --planner=fixed --iterations=1"
    " --bandwidth=100Gbps"
)
SERVERS = "--fabric=electrical --serverGpus=8 --attach=gpu --serverRate=100Gbps"
ODDL = "--fabric=oddl --initialSwitching=false"
HALVING = "--allReduce=halving-doubling"
TWO_LEVEL = "--allReduce=two-level --fold"
RING = "--fabric=sip-ring --wavelengthRate=2.5Gbps --initialSwitching=false"
HEADS = ["Fabric", "Iteration, ms", "Computation, ms", "Exposed, ms", "To ODDL", "Feasible"]
WIDTHS = [42, 13, 15, 11, 7, 27]
# What is run: the name of the row, and the options
ROWS = [
    ("ODDL, 32 x 32, halving-doubling", f"{ODDL} --bandwidth=200Gbps {HALVING}"),
    ("Ideal electrical switch, halving-doubling", f"--fabric=electrical {HALVING}"),
    ("Servers of 8, 2:1, two levels", f"{SERVERS} --bandwidth=50Gbps {TWO_LEVEL}"),
    ("Servers of 8, 4:1, two levels", f"{SERVERS} --bandwidth=25Gbps {TWO_LEVEL}"),
    ("Servers of 8, 2:1, halving-doubling", f"{SERVERS} --bandwidth=50Gbps {HALVING}"),
    ("Servers of 8, 4:1, halving-doubling", f"{SERVERS} --bandwidth=25Gbps {HALVING}"),
    ("SiP-Ring, ring in one direction", f"{RING} --allReduce=ring"),
    ("SiP-Ring, rings in both directions", f"{RING} --allReduce=multi-ring"),
]


def run(directory, options):
    """Get the time of an iteration, of its computation, of the communication exposed, in ms, and whether light arrives."""
    (report,) = study.run(f"{directory}/lightpath-train", [*JOB.split(), *options.split()])["runs"]
    (iteration,) = report["iterationSeconds"]
    compute = report["computeSeconds"]
    return [1e3 * seconds for seconds in (iteration, compute, iteration - compute)], study.format_feasibility(report)


def format_row(values):
    """Get a line of the table."""
    return ("   " + "  ".join(text.ljust(width) for text, width in zip(values, WIDTHS))).rstrip()


def main():
    """Print the table."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rule = format_row(["=" * width for width in WIDTHS])
    print(rule, format_row(HEADS), rule, sep="\n")
    first = None
    for name, options in ROWS:
        times, feasibility = run(sys.argv[1], options)
        first = first or times[0]
        texts = [f"{time:.1f}" for time in times]
        print(format_row([name, *texts, f"{times[0] / first:.2f}", feasibility]), flush=True)
    print(rule)


if __name__ == "__main__":
    main()
