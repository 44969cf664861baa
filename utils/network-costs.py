#!/usr/bin/env python3
"""Simulates one job on 1024 GPUs over all fabrics, and prints what their networks draw and cost, and a table of the
components with the origin of their power and price.

--check fails unless co-packaged optics draw less than pluggable ones, and a fat tree more than two levels of switches.
"""

import study

GPUS = 1024
JOB = [
    "--model=bert-large",
    "--batch=2048",
    f"--gpus={GPUS}",
    "--accelerator=H100",
    "--bandwidth=800Gbps",
    "--planner=fixed",
    f"--dp={GPUS}",
    # One collective operation, for which 1024 GPUs send 2 million messages
    "--ns3::lightpath::FixedPlanner::BucketBytes=100000000000",
    "--iterations=2",
    "--cost",
]
PACKAGED = "--optics=co-packaged"
ELECTRICAL = ["--fabric=electrical", "--fold"]
TREE = ["--fabric=fat-tree-flows"]
# Name and options of each network
NETWORKS = [
    ("Two levels of switches, pluggable optics", ELECTRICAL),
    ("Two levels of switches, co-packaged optics", [*ELECTRICAL, PACKAGED]),
    ("Fat tree of 16 ports, pluggable optics", TREE),
    ("Fat tree of 16 ports, co-packaged optics", [*TREE, PACKAGED]),
    ("SiP-Ring", ["--fabric=sip-ring"]),
    ("SiP-OCS", ["--fabric=sip-ocs", "--fold"]),
    ("ODDL", ["--fabric=oddl"]),
    ("OptINC", ["--fabric=optinc"]),
]
HEADS = ["Network", "kW", "W/GPU", "M$", "$/GPU", "Iteration ms", "Network J", "J/sample", "$/1000", "Feasible"]
COMPONENT_HEADS = {"watts": ["Component", "W", "Year", "Confidence", "Source"]}
COMPONENT_HEADS["dollars"] = ["Component", "$", *COMPONENT_HEADS["watts"][2:]]


def measure(program, network):
    """Return the row of a network."""
    name, arguments = network
    run = study.run(program, [*JOB, *arguments], name)["runs"][0]
    return {
        "network": name,
        "options": arguments,
        "iterationSeconds": run["iterationSeconds"][-1],
        "feasibility": study.format_feasibility(run),
        **run["cost"],
    }


def format_row(row):
    """Return the words of a row."""
    watts, dollars = row["networkWatts"], row["networkDollars"]
    return [
        row["network"],
        f"{watts / 1e3:.1f}",
        f"{watts / GPUS:.0f}",
        f"{dollars / 1e6:.2f}",
        f"{dollars / GPUS:.0f}",
        f"{1e3 * row['iterationSeconds']:.2f}",
        f"{row['networkJoulesPerIteration']:.0f}",
        f"{row['joulesPerSample']:.3f}",
        f"{1e3 * row['dollarsPerIteration']:.2f}",
        row["feasibility"],
    ]


def format_components(rows, figure):
    """Return the words of all components in use, with the origin of one of their figures."""
    components = {each["name"]: each for row in rows for each in row["components"]}
    return [
        [name, f"{each[figure]:.4g}", *(str(each[figure + key]) for key in ("Year", "Confidence", "Source"))]
        for name, each in sorted(components.items())
    ]


def check(rows):
    """Refuse powers that cannot be."""
    watts = [row["networkWatts"] for row in rows[:4]]
    if not (watts[1] < watts[0] < watts[2] and watts[3] < watts[2]):
        raise ValueError("electrical networks draw powers in a wrong order")


def print_rows(rows):
    """Print the table of networks, and those of components."""
    study.print_table(HEADS, map(format_row, rows))
    for figure, heads in COMPONENT_HEADS.items():
        print()
        study.print_table(heads, format_components(rows, figure))


def main():
    """Simulate and report."""
    study.run_table(__doc__, NETWORKS, measure, lambda network: network[0], print_rows, check)


if __name__ == "__main__":
    study.end(main, "network-costs.py")
