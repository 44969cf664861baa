#!/usr/bin/env python3
"""Simulates four jobs on 64 GPUs over all fabrics of equal bandwidth, between the same servers and between GPUs, and
prints what an iteration takes, what each network draws and costs, and the plans that a search has found.

--check fails unless each fabric carries each of its jobs, none is faster than an ideal switch with the same plan, and
none needs less than the job computes.
"""

import math

import study

GPUS = 64
COMMON = [f"--gpus={GPUS}", "--accelerator=H100"]
# Name, options, and the options of the plan of each job: the plan between servers, and that between GPUs. A fabric
# that cannot carry a plan gets one that is searched, with the default number of evaluations
SEARCH = ["--planner=search", "--ns3::lightpath::SearchPlanner::MaxEvaluations=1000"]
FIXED = ["--planner=fixed", f"--dp={GPUS}"]
SPLIT = ["--planner=fixed", "--tp=8", "--sequenceParallel", "--recompute=selective"]
JOBS = [
    ("ResNet-50", ["--model=resnet50", "--batch=2048"], FIXED, FIXED),
    ("GPT-3 13B", ["--model=gpt3-13b", "--batch=128"], [*SPLIT, "--pp=2", "--microbatch=4"], SEARCH),
    ("DLRM", ["--model=dlrm:columns=shared", "--batch=131072"], [*FIXED, f"--ep={GPUS}"], [*FIXED, f"--ep={GPUS}"]),
    (
        "Mixtral",
        ["--model=mixtral-8x7b:attention=fused", "--batch=64", "--expertLoad=zipf:0.5"],
        [*SPLIT, "--dp=8", "--ep=8", "--microbatch=8"],
        SEARCH,
    ),
]
# What fabrics join, with their options there
PLACES = {"servers": ["--server=dgx-h100"], "GPUs": ["--bandwidth=2400Gbps"]}
# Name and options of each fabric, what it needs besides between servers and between GPUs (None: it is not there), and
# the jobs that it can carry if not all
GPU, RAIL, SERVER = (["--attach=" + way] for way in ("gpu", "rail", "server"))
OCS = ["--fabric=sip-ocs"]
PHASE = ["--trigger=phase", "--demandSource=phase"]
ALL = [job[0] for job in JOBS]
# By packets of 4 KiB: the others take minutes for each seed
RDMA = ["ResNet-50", "DLRM"]
FABRICS = [
    ("Ideal switch", ["--fabric=electrical"], GPU, [], ALL),
    ("Ideal switch, a port a server", ["--fabric=electrical"], SERVER, None, ALL),
    ("Fat tree", ["--fabric=fat-tree-flows"], GPU, [], ALL),
    ("Fat tree, packets", ["--fabric=fat-tree:dctcp"], GPU, None, ["ResNet-50", "DLRM"]),
    ("Fat tree, packets", ["--fabric=fat-tree:dctcp"], None, [], ["ResNet-50"]),
    ("Leaf-spine", ["--fabric=leaf-spine-flows"], GPU, [], ALL),
    ("Leaf-spine, packets", ["--fabric=leaf-spine:dctcp"], GPU, [], ["ResNet-50"]),
    ("Leaf-spine, DCQCN", ["--fabric=leaf-spine:dcqcn"], GPU, None, [*RDMA, "GPT-3 13B"]),
    ("Leaf-spine, HPCC", ["--fabric=leaf-spine:hpcc"], GPU, None, RDMA),
    ("Leaf-spine, sprayed", ["--fabric=leaf-spine:nscc"], GPU, None, [*RDMA, "GPT-3 13B"]),
    ("Dragonfly", ["--fabric=dragonfly"], GPU, [], ALL),
    ("Rails and spines", ["--fabric=rail-optimised"], GPU, None, ALL),
    ("Rails alone", ["--fabric=electrical"], RAIL, None, ALL),
    ("SiP-Ring", ["--fabric=sip-ring"], RAIL, [], ALL),
    ("SiP-OCS, set once", OCS, [*RAIL, "--switches=8"], ["--switches=24"], ALL),
    ("SiP-OCS, by phase", [*OCS, *PHASE], [*RAIL, "--switches=8"], ["--switches=24"], ALL),
    ("ODDL", ["--fabric=oddl"], [*RAIL, "--allReduce=grid"], [], ALL),
    ("OptINC", ["--fabric=optinc"], RAIL, [], ["ResNet-50"]),
    ("TopoOpt", ["--fabric=topoopt"], [*SERVER, "--degree=8"], [], ALL),
    ("Torus of cubes", ["--fabric=torus"], GPU, [], ALL),
    ("RotorNet", ["--fabric=rotornet"], RAIL, [], ALL),
    # Frames of 64 KiB, the default for short messages, would take minutes at 2.4 Tb/s
    ("Opera", ["--fabric=opera"], RAIL, ["--ns3::lightpath::RotorTransport::ShortFrameSize=1048576"], ALL),
    ("Sirius", ["--fabric=sirius"], RAIL, [], ALL),
    ("Photonic rails", ["--fabric=photonic-rails"], [], None, ALL),
    ("MixNet", ["--fabric=mixnet"], [], None, ALL),
    ("MixNet, regions of 4 servers", ["--fabric=mixnet", "--regionServers=4"], [], None, ALL),
]
IDEAL = "Ideal switch"
# Fabrics that nobody has a price for
UNPRICED = ["Sirius"]
# Where packets are events, the first iteration must do
PACKETS = ["Fat tree, packets", *(f"Leaf-spine, {kind}" for kind in ("packets", "DCQCN", "HPCC", "sprayed"))]
# Where hashes choose paths, a job takes the median of some seeds; packets in a steady state are left out of long ones
HASHED = ["Leaf-spine, DCQCN", "Leaf-spine, HPCC"]
SEEDS = 20
STEADY = "--ns3::lightpath::RdmaNetwork::Skip=steady"
LONG = ["GPT-3 13B", "Mixtral"]
HEADS = ["Fabric", *ALL, "Time", "Cost", "W/GPU", "$/GPU", "Error", "Feasible"]
# A tick of rounding, not a gain
SAME = 1 + 1e-6
# The beginning of the names of what the network inside servers consists of
INSIDE = "scale-up-"


def get_runs(fabrics):
    """Return place, fabric, job and options of each run on some fabrics, and on the ideal switches."""
    ideal = [fabric for fabric in FABRICS if fabric[0].startswith(IDEAL)]
    fabrics = [*ideal, *(fabric for fabric in fabrics if fabric not in ideal)]
    runs = []
    for number, (place, of_place) in enumerate(PLACES.items()):
        for name, options, *ways, jobs in fabrics:
            for job, *plans in JOBS:
                if ways[number] is not None and job in jobs:
                    iterations = 1 if name in PACKETS else 3
                    work = [*plans[0], *plans[1 + number], f"--iterations={iterations}"]
                    work += [] if name in UNPRICED else ["--cost"]
                    work += [STEADY] if name in HASHED and job in LONG else []
                    runs.append((place, name, job, [*of_place, *options, *ways[number], *work]))
    return runs


def measure(program, run):
    """Return the row of a run."""
    row = dict(zip(("place", "fabric", "job", "options"), run))
    if row["fabric"] in HASHED:
        seeds = [[*COMMON, *row["options"], f"--hashSeed={seed}"] for seed in range(SEEDS)]
        results = [study.train(program, options)[0] for options in seeds]
        results.sort(key=lambda each: study.get_steady_seconds(each["runs"][0]))
        row["seedSeconds"] = [study.get_steady_seconds(each["runs"][0]) for each in results]
        result, refusal = results[SEEDS // 2], None
    else:
        result, refusal = study.train(program, [*COMMON, *row["options"]])
    if refusal and row["place"] == "GPUs":
        plan = [*FIXED, f"--ep={GPUS}"]
        row["options"] = [*(option for option in row["options"] if option not in plan), SEARCH[0]]
        result, refusal = study.train(program, [*COMMON, *row["options"]])
    if refusal:
        return {**row, "refusal": refusal}
    simulated = result["runs"][0]
    plan = simulated.get("plan", result.get("plan"))
    row |= {
        "plan": format_plan(plan),
        "iterationSeconds": study.get_steady_seconds(simulated),
        "predictedSeconds": plan["predictedIterationSeconds"],
        "computeSeconds": simulated["computeSeconds"],
        "exposedSeconds": simulated["exposedSeconds"],
        "feasibility": study.format_feasibility(simulated),
    }
    if "cost" in simulated:
        parts = [part for part in simulated["cost"]["components"] if not part["name"].startswith(INSIDE)]
        row["iterationDollars"] = simulated["cost"]["dollarsPerIteration"]
        row |= {figure: sum(part["count"] * part[figure] for part in parts) for figure in ("watts", "dollars")}
    return row


def format_plan(plan):
    """Return the degrees of a plan that are not 1."""
    degrees = [(name, plan[kind + "Parallel"]) for name, kind in (("dp", "data"), ("tp", "tensor"), ("pp", "pipeline"))]
    words = [f"{name} {degree}" for name, degree in [*degrees, ("ep", plan["expertParallel"])] if degree > 1]
    return ", ".join([*words, *([f"ZeRO-{plan['zeroStage']}"] if plan["zeroStage"] > 0 else [])])


def find(rows, place, fabric, job):
    """Return the row of a run, None if there is none or the fabric cannot carry the job."""
    found = [row for row in rows if (row["place"], row["fabric"], row["job"]) == (place, fabric, job)]
    return found[0] if found and "refusal" not in found[0] else None


def get_error(row):
    """Return the relative error of the prediction of a run."""
    return row["predictedSeconds"] / row["iterationSeconds"] - 1


def format_time(row):
    """Return the time of an iteration in ms, to four digits."""
    return f"{float(format(1e3 * row['iterationSeconds'], '.4g')):g}"


def format_mean(rows, known, figure):
    """Return the geometric mean of a figure of jobs, in relation to the ideal switch; a dash if it is not known."""
    if figure not in known[0]:
        return "\\-"
    ideal = [find(rows, row["place"], IDEAL, row["job"]) for row in known]
    return f"{math.prod(row[figure] / of[figure] for row, of in zip(known, ideal)) ** (1 / len(known)):.3f}"


def format_fabric(rows, found):
    """Return the words of what all jobs take on a fabric, in a place; means of one that cannot be built in parentheses."""
    known = [row for row in found if row]
    # "no: " comes before "yes"
    feasibility = min(row["feasibility"] for row in known)
    mark = "{}" if feasibility == "yes" else "({})"
    return [
        known[0]["fabric"],
        *(format_time(row) if row else "\\-" for row in found),
        *(mark.format(format_mean(rows, known, figure)) for figure in ("iterationSeconds", "iterationDollars")),
        *(f"{known[0][figure] / GPUS:.0f}" if figure in known[0] else "\\-" for figure in ("watts", "dollars")),
        f"{100 * get_error(max(known, key=lambda row: abs(get_error(row)))):+.1f} %",
        feasibility,
    ]


def print_spread(rows):
    """Print what hashes decide: the spread of the time of a job over their seeds."""
    lines = []
    for row in rows:
        if "seedSeconds" in row:
            # Of twenty, the second and the last but one are 5 % and 95 %
            places = (0, SEEDS // 20, SEEDS // 2, SEEDS - 1 - SEEDS // 20, SEEDS - 1)
            times = [{"iterationSeconds": row["seedSeconds"][place]} for place in places]
            ideal = find(rows, row["place"], IDEAL, row["job"])
            lines.append([row["fabric"], row["job"], *map(format_time, [*times, ideal])])
    if lines:
        study.print_table(["Network", "Job", "Least", "5 %", "Median", "95 %", "Most", IDEAL], lines)
        print()


def print_rows(rows):
    """Print a table of each place, one of the spread of hashes, and one of the plans that were searched."""
    lines = []
    for place in PLACES:
        names = dict.fromkeys(row["fabric"] for row in rows if row["place"] == place)
        lines = [[find(rows, place, name, job) for job in ALL] for name in names]
        study.print_table(HEADS, [format_fabric(rows, found) for found in lines])
        print()
    print_spread(rows)
    plans = [[found[0]["fabric"], *(row["plan"] if row else "\\-" for row in found[1:])] for found in lines]
    study.print_table(["Fabric", *ALL[1:]], plans)


def check(rows):
    """Refuse jobs that a fabric cannot carry, and times that none can reach."""
    for row in rows:
        what = f"{row['fabric']} between {row['place']}, {row['job']}"
        if "refusal" in row:
            raise ValueError(f"{what}: {row['refusal']}")
        if row["iterationSeconds"] < row["computeSeconds"]:
            raise ValueError(f"{what}: an iteration takes less than its computation")
        # An average takes half of the bytes of a sum
        ideal = [
            other["iterationSeconds"]
            for other in rows
            if other["fabric"].startswith(IDEAL)
            and row["fabric"] != "OptINC"
            and all(other[key] == row[key] for key in ("place", "job", "plan"))
        ]
        if ideal and SAME * row["iterationSeconds"] < min(ideal):
            raise ValueError(f"{what}: it is faster than an ideal switch")


def main():
    """Simulate and report."""
    study.run_table(__doc__, FABRICS, measure, lambda run: f"{run[1]}, {run[2]}", print_rows, check, get_runs)


if __name__ == "__main__":
    study.end(main, "field-table.py")
