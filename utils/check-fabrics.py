#!/usr/bin/env python3
"""Compares each fabric with each other one, and runs each at the edges of what there can be.

usage: utils/check-fabrics.py DIRECTORY pairs [FABRIC...]
       utils/check-fabrics.py DIRECTORY edges [FABRIC...]

DIRECTORY has the programs. A comparison of two fabrics, in either order, has a row for both, with times or
with the reason why not. The edges are one GPU, one server, servers of one GPU, and a last server or region
of one: each program does its work there, or refuses it in one sentence.
"""

import concurrent.futures
import importlib.util
import itertools
import json
import os
import shlex
import sys
from pathlib import Path

SPEC = importlib.util.spec_from_file_location("lines", Path(__file__).with_name("check-command-lines.py"))
lines = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(lines)

# A fabric of each kind, and those that are less unlike
KINDS = (
    "dragonfly electrical leaf-spine-flows mixnet oddl opera photonic-rails rail-optimised rotornet sip-ocs sip-ring"
    " sirius topoopt torus"
).split()
FABRICS = [*KINDS, *"cluster fat-tree leaf-spine optinc rail-only sip-ring+electrical".split()]

JOB = "model=bert-large:layers=2 planner=fixed iterations=1"
PAIR = f"{JOB} gpus=16 batch=32 quiet=true json=-"
EDGES = {
    "train": [
        f"{JOB} gpus=1 batch=4",
        f"{JOB} gpus=8 batch=8 server=dgx-h100",
        f"{JOB} gpus=8 batch=8 serverGpus=1",
        f"{JOB} gpus=9 batch=9 serverGpus=4 serverRate=1Tbps attach=gpu",
        f"{JOB} gpus=12 batch=12 serverGpus=4 serverRate=1Tbps",
        f"{JOB} gpus=8 batch=8 server=dgx-h100 planOnly=true explain=true",
    ],
    "collective": [
        "ranks=2 maxBytes=1MB",
        "ranks=8 maxBytes=1MB server=dgx-h100",
        "ranks=9 maxBytes=1MB serverGpus=4 serverRate=1Tbps attach=gpu",
    ],
    "infer": ["prefillGpus=1", "prefillGpus=4 decodeGpus=5"],
    "cluster": ["gpus=8 largestJob=8 jobs=2 samples=2", "gpus=2 largestJob=1 jobs=2 samples=2"],
}
# Those of one fabric: regions, and a row that is not full
OWN_EDGES = {
    "mixnet": [f"{JOB} gpus=16 batch=16 regionServers=1", f"{JOB} gpus=72 batch=72"],
    "oddl": [f"{JOB} gpus=8 batch=8 rows=3"],
}


def read_options(text):
    """Return the options that a text sets."""
    return dict(option.split("=", 1) for option in text.split())


def draw_pairs(directory, names):
    """Return programs and lines that compare fabrics."""
    program = lines.Program(directory, "train")
    pairs = itertools.permutations(names or KINDS, 2)
    return [(program, read_options(PAIR) | {"compare": ",".join(pair)}) for pair in pairs]


def draw_edges(directory, names):
    """Return programs and lines at the edges."""
    drawn = []
    for name, edges in EDGES.items():
        program = lines.Program(directory, name)
        drawn += [
            (program, read_options(edge) | {"fabric": fabric}) for fabric in names or FABRICS for edge in edges
        ]
        for fabric, own in OWN_EDGES.items() if name == "train" else ():
            drawn += [(program, read_options(edge) | {"fabric": fabric}) for edge in own]
    return drawn


def find_missing(line, run):
    """Return what the rows of a comparison lack."""
    if run.returncode != 0:
        return f"there is no row: {run.stderr.strip()}"
    rows = json.loads(run.stdout)["runs"]
    if [row["fabric"] for row in rows] != line["compare"].split(","):
        return "there is not a row for each"
    return "" if all("iterationSeconds" in row or "refused" in row for row in rows) else "there is an empty row"


def main():
    """Run all lines, one on each processor at a time."""
    directory, kind, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    drawn = {"pairs": draw_pairs, "edges": draw_edges}[kind](directory, names)
    refused = faults = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, line), (command, run, fault) in zip(drawn, pool.map(lambda each: lines.try_line(*each), drawn)):
            if run and not fault and kind == "pairs":
                fault = find_missing(line, run)
            if fault:
                faults += 1
                print(shlex.join(command), fault, sep="\n  ", flush=True)
            elif kind == "pairs":
                refused += run.stdout.count('"refused"')
            else:
                refused += run.returncode == 1
    print(f"{len(drawn)} {kind}, {refused} refused, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
