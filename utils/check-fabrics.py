#!/usr/bin/env python3
"""Compares each fabric with each other one and with itself alone, and runs each at the edges.

usage: utils/check-fabrics.py DIRECTORY pairs [FABRIC...]
       utils/check-fabrics.py DIRECTORY edges [FABRIC...]
       utils/check-fabrics.py DIRECTORY rows NUMBER [SEED]
       utils/check-fabrics.py DIRECTORY predictions NUMBER [SEED [FABRIC...]]

DIRECTORY has the programs. A comparison of two fabrics, in either order, has a row for both, with times or
with the reason why not. The edges are one GPU, one server, servers of one GPU, and a last server or region
of one: each program does its work there, or refuses it in one sentence. Rows are random comparisons of two to
five fabrics, each of which has the times and the prediction that it has alone, to the digit. Predictions are
those of random plans, of which none is drawn at random in the run, and each misses the simulation by at most MISS.
"""

import concurrent.futures
import importlib.util
import itertools
import json
import os
import random
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


# Experts of a quarter: slots of 100 ns that carry more take minutes
JOBS = {
    "model": "bert-large:layers=2 gpt2-355m:layers=4 resnet50 dlrm"
    " mixtral-8x7b:layers=1,hidden=1024,feedForward=3584".split(),
    "planner": "fixed fixed sip-ml megatron search".split(),
    "gpus": "8 9 16 24".split(),
    "bandwidth": "100Gbps 400Gbps 500Gbps 1Tbps".split(),
    "iterations": "1 2 3".split(),
}
# Those that are simulated in a second
QUICK = sorted([*KINDS, "optinc", "rail-only", "sip-ring+electrical"])
# Options that a line may have
SOME = {
    "serverGpus": "2 4".split(),
    "placement": ["linear"],
    "reconfigurationDelay": "10us 1ms".split(),
    "trigger": "phase operation".split(),
}
# Those of circuits, which other fabrics refuse
OWNED = ["reconfigurationDelay", "trigger"]


def draw_comparison(draw):
    """Return the options of a random comparison, without the names of its fabrics."""
    line = {name: draw.choice(values) for name, values in JOBS.items()}
    line["batch"] = str(int(line["gpus"]) * draw.choice([1, 2, 4]))
    line |= {name: draw.choice(values) for name, values in SOME.items() if draw.random() < 0.2}
    if line["planner"] == "fixed" and draw.random() < 0.5 and int(line["gpus"]) % 4 == 0:
        line |= {"tp": "2"} if draw.random() < 0.5 else {"pp": "2"}
    if line["planner"] == "search":
        line |= {"ns3::lightpath::SearchPlanner::MaxEvaluations": "40"}
    if draw.random() < 0.2:
        line["samePlan"] = "true"
    return line | {"quiet": "true", "json": "-"}


def get_row(run, fabric):
    """Return what a run says about a fabric."""
    if run.returncode != 0:
        return None
    result = json.loads(run.stdout)
    row = next(row for row in result["runs"] if row["fabric"] == fabric)
    if "refused" in row:
        return None
    plan = result["plan"] if "plan" in result else result["plans"][fabric]
    skipped = ("wallSeconds", "peakMemoryBytes", "remark", "cost")
    for key in ("planning", "planningLog"):
        plan.pop(key, None)
    return plan, {key: value for key, value in row.items() if key not in skipped}


def run_alone_on(program, line, fabric, has_row):
    """Run a job on one fabric, if it has a row without options that only others obey."""
    command, run, _ = lines.try_line(program, line | {"fabric": fabric})
    if has_row and run is not None and run.returncode != 0:
        line = {name: value for name, value in line.items() if name not in OWNED}
        command, run, _ = lines.try_line(program, line | {"fabric": fabric})
    return command, run


def check_rows(directory, number, seed):
    """Compare random fabrics, together and each alone; return the number of faults, at least 1 without rows."""
    program = lines.Program(directory, "train")
    draw = random.Random(seed)
    drawn = []
    for _ in range(number):
        line = draw_comparison(draw)
        fabrics = draw.sample(QUICK, draw.randint(2, 5))
        drawn.append((line | {"compare": ",".join(fabrics)}, fabrics))
    compared = faults = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (line, fabrics), (command, run, fault) in zip(
            drawn, pool.map(lambda each: lines.try_line(program, each[0]), drawn)
        ):
            if fault:
                faults += 1
                print(shlex.join(command), fault, sep="\n  ", flush=True)
            if run is None or run.returncode != 0:
                continue
            # With one strategy for all, that of the first alone is its own, unless options give it
            alone = fabrics[:1] if "samePlan" in line and line["planner"] != "fixed" else fabrics
            single = {key: value for key, value in line.items() if key not in ("compare", "samePlan")}
            if servers := json.loads(run.stdout).get("servers"):
                # All have the servers that one of them brings with it
                single |= {"serverGpus": str(servers["gpus"]), "serverRate": f"{servers['rateBps']}bps"}
            ran = pool.map(lambda fabric: run_alone_on(program, single, fabric, get_row(run, fabric)), alone)
            for fabric, (command_alone, run_alone) in zip(alone, ran):
                compared += 1
                if run_alone is None or get_row(run, fabric) != get_row(run_alone, fabric):
                    faults += 1
                    print(shlex.join(command), shlex.join(command_alone), f"{fabric} differs", sep="\n  ", flush=True)
    print(f"{number} comparisons, {compared} rows, {faults} faults")
    return faults if compared > 0 else 1


# Largest error of a prediction, relative to a simulated iteration
MISS = 0.005

# Fabrics of predictions: those that packets of a transport with congestion control share are only simulated
PREDICTED = [*KINDS, *"cluster:circuit fat-tree-flows link-graph optinc rail-only sip-ring+electrical".split()]
PREDICTED += "sip-ocs+leaf-spine-flows sip-ocs+electrical".split()
PLANS = {
    "model": "bert-large:layers=4 gpt2-355m:layers=4 mixtral-8x7b:layers=2,hidden=1024,feedForward=3584".split(),
    "gpus": "8 8 16 16 32".split(),
    "bandwidth": "100Gbps 400Gbps 1Tbps".split(),
    "tp": "1 1 1 2 4".split(),
    "pp": "1 1 2 2 4".split(),
}
# How often in a hundred plans an option has one of some values
PLAN_OPTIONS = {
    "cp": (15, "2"),
    "zero": (30, "1 2 3"),
    "schedule": (15, "zb-h1 dualpipe"),
    "virtualStages": (15, "2"),
    "allReduce": (25, "ring multi-ring halving-doubling double-tree two-level direct grid server-rings"),
    "serverGpus": (40, "2 4 8"),
    "attach": (15, "gpu rail server"),
    "serverKind": (10, "ring mesh"),
    "delay": (15, "2us"),
    "placement": (40, "linear"),
    "sequenceParallel": (20, "true"),
    "recompute": (15, "selective full"),
    "slow": (10, "0:0.5 3:0.8"),
}
# The same of some fabrics
FABRIC_OPTIONS = {
    "sip-ocs": {
        "trigger": (30, "phase operation"),
        "reconfigurationDelay": (40, "10us 1ms"),
        "switches": (30, "2 4"),
        "allocator": (30, "max-demand greedy-halving duplex"),
    },
    "sip-ring": {"trigger": (30, "phase"), "reconfigurationDelay": (40, "10us 1ms"), "fail": (15, "segment:3:cw@0s")},
    "photonic-rails": {"reconfigurationDelay": (60, "1ms 25ms")},
    "sip-ocs+": {"smallMessage": (50, "100000 40000000")},
    "sip-ring+": {"smallMessage": (50, "100000 40000000")},
    "rotornet": {"discipline": (40, "direct balanced"), "slotTime": (30, "50us 200us")},
    "opera": {"shortMessage": (30, "1000000")},
    "leaf-spine": {"fail": (20, "switch:spine-0@0s link:leaf-0:spine-0@0s")},
    "oddl": {"transceivers": (30, "2"), "lockTime": (20, "1us")},
    "mixnet": {"regionServers": (30, "1 2")},
    "torus": {"fail": (20, "link:gpu-0:gpu-1@0s")},
}


def draw_some(draw, options):
    """Return some of the options, by how often in a hundred plans they have one of their values."""
    return {
        name: draw.choice(values.split()) for name, (share, values) in options.items() if 100 * draw.random() < share
    }


def draw_plan(draw, fabrics):
    """Return the options of a random plan on one of some fabrics."""
    line = {name: draw.choice(values) for name, values in PLANS.items()} | draw_some(draw, PLAN_OPTIONS)
    line["fabric"] = fabric = draw.choice(fabrics)
    for name, options in FABRIC_OPTIONS.items():
        if fabric.startswith(name):
            line |= draw_some(draw, options)
    parts = int(line["tp"]) * int(line["pp"]) * int(line.get("cp", "1"))
    replicas = max(int(line["gpus"]) // parts, 1)
    if "mixtral" in line["model"] and replicas % 2 == 0:
        line["ep"] = draw.choice("1 2 4".split() if replicas % 4 == 0 else "1 2".split())
    line["batch"] = str(replicas * draw.choice([1, 2, 4]))
    if line["pp"] != "1":
        line["microbatch"] = "1"
        line["batch"] = str(replicas * draw.choice([4, 8]))
    if "serverGpus" in line:
        line["serverRate"] = draw.choice(["1Tbps", "2.4Tbps"])
    else:
        line = {name: value for name, value in line.items() if name not in ("attach", "serverKind")}
    if "virtualStages" in line and line["pp"] == "1":
        del line["virtualStages"]
    return line | {"planner": "fixed", "iterations": "3", "timeout": "1000s", "quiet": "true", "json": "-"}


def get_miss(planned, run):
    """Return by how much a prediction exceeds the nearest simulated iteration but the first, relative to it; or None."""
    predicted = json.loads(planned.stdout)["plan"].get("predictedIterationSeconds")
    if predicted is None:
        return None
    seconds = json.loads(run.stdout)["runs"][0]["iterationSeconds"][1:]
    return min((predicted / each - 1 for each in seconds), key=abs)


def check_predictions(directory, number, seed, fabrics):
    """Compare predictions of random plans with simulations, print those that miss, and return their number."""
    program = lines.Program(directory, "train")
    draw = random.Random(seed)
    missed = {}
    compared = 0
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = [draw_plan(draw, fabrics or PREDICTED) for _ in range(number)]
        plan_only = [line | {"planOnly": "true"} for line in drawn]
        plans = pool.map(lambda each: lines.try_line(program, each)[1:], plan_only)
        runs = pool.map(lambda each: lines.try_line(program, each), drawn)
        for line, (planned, wrong), (command, run, fault) in zip(drawn, plans, runs):
            for each in filter(None, (wrong, fault)):
                faults += 1
                print(shlex.join(command), each, sep="\n  ", flush=True)
            if run is None or run.returncode != 0:
                continue
            if planned is None or planned.returncode != 0:
                faults += 1
                print(shlex.join(command), "runs without a plan", sep="\n  ", flush=True)
                continue
            miss = get_miss(planned, run)
            if miss is None:
                continue
            compared += 1
            if abs(miss) > MISS:
                missed.setdefault(line["fabric"], []).append((miss, command))
    for fabric, misses in sorted(missed.items()):
        print(f"{fabric}: {len(misses)} predictions")
        for miss, command in sorted(misses):
            print(f"  {100 * miss:+.1f} %: {shlex.join(command)}")
    wrong = sum(map(len, missed.values()))
    print(f"{number} plans, {compared} predictions, {wrong} off by more than {100 * MISS} %, {faults} faults")
    return wrong + faults if compared > 0 else 1


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
    if kind == "rows":
        return 1 if check_rows(directory, int(names[0]), names[1] if len(names) > 1 else "") else 0
    if kind == "predictions":
        seed, *fabrics = names[1:] or [""]
        return 1 if check_predictions(directory, int(names[0]), seed, fabrics) else 0
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
