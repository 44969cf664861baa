#!/usr/bin/env python3
"""Simulates one job on the same servers, joined in eight ways, and prints what an iteration and a fabric take.

--check fails unless no way with the bandwidth of the first one, which blocks nothing, is faster than that, and no
way needs less than the job computes.
"""

import study

GPUS = 128
JOB = [
    "--model=gpt3-13b",
    "--batch=128",
    f"--gpus={GPUS}",
    "--accelerator=H100",
    "--server=dgx-h100",
    "--planner=fixed",
    "--tp=8",
    "--pp=2",
    "--microbatch=4",
    "--recompute=full",
    "--iterations=2",
]
CIRCUITS = ["--fabric=sip-ocs", "--switches=4"]
RING = ["--fabric=sip-ring", "--ns3::lightpath::MrrRingChannel::NFibres=1"]
VISION = ["--attach=gpu", "--bandwidth=2Tbps"]
# Number, name and options of each way, and whether a GPU has as much bandwidth as in the first one
WAYS = [
    ("1", "Leaf-spine with rails", ["--fabric=rail-optimised", "--leafGpus=16", "--attach=gpu"], True),
    ("2", "Rails alone", ["--fabric=rail-only", "--attach=gpu"], True),
    ("3", "OCS a rail, set once", [*CIRCUITS, "--attach=rail"], True),
    ("4", "OCS a rail, by phase", [*CIRCUITS, "--attach=rail", "--trigger=phase"], True),
    (
        "4'",
        "the same, dark for 25 us",
        [*CIRCUITS, "--attach=rail", "--trigger=phase", "--reconfigurationDelay=25us"],
        True,
    ),
    ("5", "SiP-Ring a rail", [*RING, "--attach=rail"], True),
    ("6", "ODDL a rail", ["--fabric=oddl", "--attach=rail", "--allReduce=grid"], True),
    ("7", "OCS, one port a server", [*CIRCUITS, "--attach=server", "--cardRate=400Gbps"], False),
    ("8", "OCS, 2 Tb/s a GPU", ["--fabric=sip-ocs", *VISION], False),
    ("8'", "SiP-Ring, 2 Tb/s a GPU", [*RING, *VISION], False),
]
HEADS = ["No.", "Way", "Iteration", "Data", "Pipeline", "Waiting", "Dark", "Circuits", "Ports", "Switch ports", "Fibres", "Feasible"]
KINDS = ["data", "pipeline", "circuits"]
# A tick of rounding, not a gain
SAME = 1 + 1e-6


def measure(program, way):
    """Return the row of a way."""
    number, name, arguments, is_equal = way
    result = study.run(program, [*JOB, *arguments], name)
    run = result["runs"][0]
    return {
        "number": number,
        "way": name,
        "options": arguments,
        "hasEqualBandwidth": is_equal,
        "iterationSeconds": run["iterationSeconds"][-1],
        "computeSeconds": run["computeSeconds"],
        "exposedSeconds": {kind: run["exposedSeconds"][kind] for kind in KINDS},
        "darkSeconds": run["darkSeconds"],
        "lightpaths": run["lightpaths"],
        "usedPorts": result["plan"]["servers"]["usedPorts"],
        "switchPorts": run["switchPorts"],
        "fibres": run["fibres"],
        "feasibility": study.format_feasibility(run),
    }


def format_each(count):
    """Return a count, and how many that are for each GPU."""
    return f"{count} ({count / GPUS:g})"


def format_row(row):
    """Return the words of a row."""
    times = [row["iterationSeconds"], *(row["exposedSeconds"][kind] for kind in KINDS), row["darkSeconds"]]
    return [
        row["number"],
        row["way"],
        *(f"{1e3 * seconds:.1f}" for seconds in times),
        str(row["lightpaths"]),
        *(format_each(row[name]) for name in ("usedPorts", "switchPorts", "fibres")),
        row["feasibility"],
    ]


def check(rows):
    """Refuse times that no fabric can reach."""
    for row in rows:
        if row["iterationSeconds"] < row["computeSeconds"]:
            raise ValueError(f"{row['way']}: an iteration takes less than its computation")
        if row["hasEqualBandwidth"] and SAME * row["iterationSeconds"] < rows[0]["iterationSeconds"]:
            raise ValueError(f"{row['way']} is faster than {rows[0]['way']}, which blocks nothing")


def print_rows(rows):
    """Print the table."""
    study.print_table(HEADS, map(format_row, rows))


def main():
    """Simulate and report."""
    study.run_table(__doc__, WAYS, measure, lambda way: way[1], print_rows, check)


if __name__ == "__main__":
    study.end(main, "server-fabrics.py")
