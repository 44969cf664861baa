#!/usr/bin/env python3
"""Measures how fast the module is and prints each figure as a ratio to its limit.

usage: utils/bench.py BUILD-DIRECTORY [RUNS]

The exit code is 1 if a figure is beyond its limit or cannot be measured.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TRAIN = (
    "lightpath-train --model=bert-large --accelerator=A100 --gpus={} --batch=1024"
    " --planner=sip-ml --fabric=sip-ring --iterations=1 --quiet"
)
# Rings and all-to-alls that compete for the ports of a switch
EXPERTS = (
    "lightpath-train --model=mixtral-8x7b --accelerator=H100 --gpus={0} --batch={0}"
    " --planner=fixed --ep=8 --zero=1 --recompute=full --fabric=electrical --iterations=1 --quiet"
)
PIPELINES = (
    "lightpath-train --model=gpt3-175b --accelerator=A100 --gpus={} --batch={}"
    " --fabric=electrical --planner=fixed --tp=8 --pp=8 --microbatch=1 --recompute=selective"
    " --iterations=1 --quiet"
)
SEVERAL_RINGS = (
    "lightpath-train --model=bert-large --gpus={} --planner=fixed --fabric=sip-ring --iterations=1"
    " --quiet"
)
DECIDE = (
    "lightpath-train --model=bert-large --accelerator=A100 --gpus=1024 --batch=1024"
    " --planner=sip-ml --dp=128 --fabric=sip-ring --bandwidth=2Tbps --decisionInterval=100us"
    " --demandSource=backlog --iterations=1 --quiet"
)
# By the rules of the released simulator of SiP-ML
DECIDE_PUBLISHED = (
    DECIDE + " --splitMode=overlap --splitting=linear --wavelengthMode=load-only"
    " --reconfigurationDelay=20us --attribute=FillLeftover=false --attribute=MaxDistance=0"
)
PLAN = (
    "lightpath-train --model=gpt3-175b --accelerator=A100 --gpus=1024 --batch=1536"
    " --fabric=electrical --planner=fixed --tp=8 --pp=8 --microbatch=1 --recompute=selective"
    " --planOnly --rehearse=false --quiet"
)
# Tries of all numbers of replicas, most of which have more messages than the best plan has time for
PIECES = (
    "lightpath-train --model=bert-large --accelerator=A100 --gpus={} --batch={} --fabric=electrical"
    " --planner=sip-ml --planOnly --rehearse=false --quiet"
)
SEARCH = (
    "lightpath-train --model={} --accelerator=A100 --gpus={} --batch={} --fabric={}"
    " --planner=search --planningTime={} --planOnly --rehearse=false --quiet"
)
FLOWS = (
    "lightpath-train --model=llama-3-70b"
    " --accelerator=H100 --gpus=512 --batch=512 --planner=megatron --bandwidth=400Gbps"
    " --fabric=leaf-spine-flows --leafGpus=32 --oversubscription=4 --iterations=1 --quiet"
)
RAILS = (
    "lightpath-train --model=gpt3-13b"
    " --accelerator=H100 --gpus=1024 --batch=1024 --planner=megatron --server=dgx-h100"
    " --attach=rail --fabric=sip-ocs --iterations=1 --quiet"
)
# Few GPUs stand for all
LLAMA = (
    "lightpath-train --model=llama-3.1-405b --accelerator=H100 --server=dgx-h100 --gpus={} --batch={}"
    " --planner=fixed --tp=8 --pp=16 --virtualStages=8 --microbatch=1 --sequenceParallel --zero=1"
    " --recompute=full --fabric={} --iterations=2 --quiet"
)
DEEPSEEK = (
    "lightpath-train --model=deepseek-v3 --accelerator=H800 --server=dgx-h100 --attach=gpu --gpus=2048"
    " --batch=15360 --memory=unlimited --planner=fixed --pp=16 --ep=64 --microbatch=1 --fabric=electrical"
    " --iterations=2 --quiet"
)
# All GPUs are simulated, on links that they share
WHOLE_TREE = (
    "lightpath-train --model=gpt3-13b --accelerator=H100 --server=dgx-h100 --attach=gpu --gpus=1024"
    " --batch=1024 --planner=megatron --fabric=fat-tree-flows --fold=off --iterations=1 --quiet"
)
ALL_REDUCE = (
    "lightpath-collective --collective=all-reduce --ranks={} --minBytes=1MB --maxBytes=1MB"
    " --fabric=sip-ring --algorithm=ring"
)
# Flows between nodes whose numbers differ in one bit, as halving-doubling has them
EXCHANGE = "lightpath-oddl --quiet --nodes={0} --flows={1}"
ALLOCATE = "lightpath-allocate --quiet --pattern={} --ports={} --fabric={} --allocator={}"
# Groups of 8 ports and a neighbour: 8 pairs a port
RING = ALLOCATE.format("training:8", "{}", "sip-ring", "max-min --fibres=5 --wavelengths=8")
# Half the pairs
RING_HALF = RING.replace("training:8", "training:4")
SWITCHES = ALLOCATE.format("training:8", "{}", "sip-ocs", "max-min --switches=20")
MATCHING = ALLOCATE.format("random:1", "{}", "sip-ocs", "max-demand --switches=1")
SECONDS = "s", 1
MILLISECONDS = "ms", 1e3
MICROSECONDS = "us", 1e6
MEGABYTES = "MB", 1e-6
MESSAGES = "messages", 1
TIMES = "x", 1

# What is run, and of its JSON: the path of a figure, its unit and its limit in that unit
BENCHMARKS = [
    (
        "one iteration on 64 GPUs",
        TRAIN.format(64),
        [("runs.0.wallSeconds", SECONDS, 2), ("runs.0.peakMemoryBytes", MEGABYTES, 300)],
    ),
    (
        "one iteration on 256 GPUs",
        TRAIN.format(256),
        [("runs.0.wallSeconds", SECONDS, 10), ("runs.0.peakMemoryBytes", MEGABYTES, 1000)],
    ),
    (
        "one iteration on 1024, decisions each 100 us",
        DECIDE,
        [("runs.0.wallSeconds", SECONDS, 5), ("runs.0.peakMemoryBytes", MEGABYTES, 150)],
    ),
    (
        "the same by the published rules",
        DECIDE_PUBLISHED,
        [("runs.0.wallSeconds", SECONDS, 5), ("runs.0.peakMemoryBytes", MEGABYTES, 4000)],
    ),
    (
        "70 G parameters on 512, leaf-spine at flow level",
        FLOWS,
        [("runs.0.wallSeconds", SECONDS, 60), ("runs.0.peakMemoryBytes", MEGABYTES, 1000)],
    ),
    (
        "13 G parameters on 1024, rails of switches",
        RAILS,
        [
            ("runs.0.wallSeconds", SECONDS, 30),
            ("runs.0.peakMemoryBytes", MEGABYTES, 500),
            ("plan.planning.wallSeconds", SECONDS, 5),
        ],
    ),
    (
        "plan of 175 G parameters on 1024 GPUs",
        PLAN,
        [
            ("plan.planning.wallSeconds", SECONDS, 5),
            ("plan.planning.peakMemoryBytes", MEGABYTES, 1000),
        ],
    ),
    (
        "plan of BERT-large on 1024 GPUs by sip-ml",
        PIECES.format(1024, 4096),
        [("plan.planning.peakMemoryBytes", MEGABYTES, 147)],
    ),
    (
        "plan of BERT-large on 4096 GPUs by sip-ml",
        PIECES.format(4096, 16384),
        [
            ("plan.planning.wallSeconds", SECONDS, 1),
            ("plan.planning.peakMemoryBytes", MEGABYTES, 600),
        ],
    ),
    (
        "search for a plan of BERT-large on 1024 GPUs",
        SEARCH.format("bert-large", 1024, 4096, "sip-ring", "8s"),
        [
            ("plan.planning.wallSeconds", SECONDS, 10),
            ("plan.planning.peakMemoryBytes", MEGABYTES, 1000),
        ],
    ),
    (
        "search for a plan of 175 G parameters on 4096",
        SEARCH.format("gpt3-175b", 4096, 4096, "electrical", "50s"),
        [
            ("plan.planning.wallSeconds", SECONDS, 60),
            ("plan.planning.peakMemoryBytes", MEGABYTES, 4000),
        ],
    ),
    (
        "one iteration on 1024 GPUs, several rings",
        SEVERAL_RINGS.format(1024),
        [("runs.0.wallSeconds", SECONDS, 4), ("runs.0.peakMemoryBytes", MEGABYTES, 100)],
    ),
    (
        "one iteration on 1024 GPUs and a switch",
        TRAIN.replace("sip-ring", "electrical").format(1024),
        [("runs.0.wallSeconds", SECONDS, 2), ("runs.0.peakMemoryBytes", MEGABYTES, 100)],
    ),
    (
        "experts of 8 on 1024 GPUs",
        EXPERTS.format(1024),
        [("runs.0.wallSeconds", SECONDS, 8), ("runs.0.peakMemoryBytes", MEGABYTES, 100)],
    ),
    (
        "pipelines of 4096 GPUs",
        PIPELINES.format(4096, 1536),
        [("runs.0.wallSeconds", SECONDS, 20), ("runs.0.peakMemoryBytes", MEGABYTES, 250)],
    ),
    *(
        (
            f"405 billion parameters on {gpus}, {fabric}",
            LLAMA.format(gpus, gpus // 4, fabric),
            [
                ("plan.planning.wallSeconds", SECONDS, 3),
                ("runs.0.wallSeconds", SECONDS, 3),
                ("runs.0.peakMemoryBytes", MEGABYTES, 400),
            ],
        )
        for gpus, fabric in (
            (4096, "electrical"),
            (4096, "leaf-spine-flows"),
            (4096, "sip-ocs"),
            (4096, "photonic-rails"),
            (4096, "sip-ring --bandwidth=1600Gbps"),
            (16384, "leaf-spine-flows"),
        )
    ),
    (
        "405 billion parameters on 512, oddl, one rail for eight",
        LLAMA.replace(" --virtualStages=8", "").format(512, 128, "oddl --fold"),
        [("plan.planning.wallSeconds", SECONDS, 8), ("runs.0.wallSeconds", SECONDS, 15)],
    ),
    (
        "671 billion parameters on 2048, electrical",
        DEEPSEEK,
        [("plan.planning.wallSeconds", SECONDS, 5), ("runs.0.wallSeconds", SECONDS, 20)],
    ),
    (
        "13 billion parameters on 1024, fat tree, all GPUs",
        WHOLE_TREE,
        [("runs.0.wallSeconds", SECONDS, 5), ("runs.0.peakMemoryBytes", MEGABYTES, 150)],
    ),
    (
        "all-reduce of 256 ranks",
        ALL_REDUCE.format(256),
        [("rows.0.wallSeconds", SECONDS, 0.4)],
    ),
    (
        "all-reduce of 1024 ranks",
        ALL_REDUCE.format(1024),
        [("rows.0.wallSeconds", SECONDS, 0.09), ("peakMemoryBytes", MEGABYTES, 100)],
    ),
    (
        "max-min on a ring of 1024, 8192 pairs",
        RING.format(1024),
        [("decisionSeconds", MILLISECONDS, 50)],
    ),
    (
        "max-min on 20 switches for 1024",
        SWITCHES.format(1024),
        [("decisionSeconds", MILLISECONDS, 100)],
    ),
    (
        "matching of 256, all pairs",
        MATCHING.format(256),
        [("decisionSeconds", MILLISECONDS, 50)],
    ),
    (
        "flows on a grid of 1024, of rows and columns",
        "lightpath-oddl --quiet --nodes=1024 --flows=1000000 --pattern=random",
        [
            ("userSeconds", SECONDS, 60),
            ("peakMemoryBytes", MEGABYTES, 4000),
            ("messagesPerFlow", MESSAGES, 2.01),
        ],
    ),
    (
        "control of a flow on a grid of 16",
        EXCHANGE.format(16, 16 * 24),
        [("messagesPerFlow", MESSAGES, 2), ("controlSecondsPerFlow", MICROSECONDS, 1.23)],
    ),
    (
        "control of a flow on a grid of 4096",
        EXCHANGE.format(4096, 4096 * 24),
        [("messagesPerFlow", MESSAGES, 2), ("controlSecondsPerFlow", MICROSECONDS, 1.23)],
    ),
    (
        "frame on a lightpath, to point-to-point",
        "lightpath-bench-frame --rounds=1",
        [("ratio", TIMES, 1.25)],
    ),
    (
        "frame on a lightpath with errors, to one without",
        "lightpath-bench-frame --rounds=5",
        [("errorRatio", TIMES, 1.1)],
    ),
    (
        "64 MB of real words of 16 servers, averaged",
        "lightpath-bench-average",
        [("seconds", SECONDS, 5), ("peakMemoryBytes", MEGABYTES, 500)],
    ),
]

# What is run for half the pairs and for all of them, and the limit of the ratio of the times: pairs
# are doubled with the ports, or by larger groups of the same ports
GROWTHS = [
    ("ring of 512 to 1024, 4096 to 8192 pairs", RING.format(512), RING.format(1024), 2.6),
    ("ring of 1024, 4096 to 8192 pairs", RING_HALF.format(1024), RING.format(1024), 2.6),
    ("switches for 512 to 1024", SWITCHES.format(512), SWITCHES.format(1024), 3),
]
# What is run without a timeline and with one, and the limit of the ratio of the times
THREE_ITERATIONS = TRAIN.replace("--iterations=1", "--iterations=3")
TIMELINES = [
    ("64 GPUs, as JSON", THREE_ITERATIONS.format(64), "run.json", 1.5),
    ("64 GPUs, for Perfetto", THREE_ITERATIONS.format(64), "run.pftrace", 1.5),
    (
        "64 GPUs, messages of 8",
        THREE_ITERATIONS.format(64),
        "run.pftrace --timelineRanks=0-7 --timelineDetails=counters,messages,frames",
        1.5,
    ),
    ("1024 GPUs, for Perfetto", TRAIN.format(1024), "run.pftrace", 1.5),
]
# What is run with an event for each message and without, the figure, and the limit of the ratio
FORWARDS = [
    ("all-reduce of 1024 ranks", ALL_REDUCE.format(1024), "rows.0.wallSeconds", 0.1),
    ("one iteration on 1024 GPUs", TRAIN.format(1024), "runs.0.wallSeconds", 0.15),
    ("several rings of 256 GPUs", SEVERAL_RINGS.format(256), "runs.0.wallSeconds", 0.15),
    ("experts of 8 on 256 GPUs", EXPERTS.format(256), "runs.0.wallSeconds", 0.25),
    ("pipelines of 512 GPUs", PIPELINES.format(512, 192), "runs.0.wallSeconds", 0.35),
]
# Ranks of the all-reduces whose times per message are compared, and the limit of the ratio
MESSAGE_GROWTH = 64, 1024, 1.1
EVENTS = " --ns3::lightpath::TrainingJob::FastForward=false"
ROW = "{:<50} {:<18} {:>12} {:>12} {:>7}"


def run(directory, command, scratch):
    """Run a command of the build directory and get what it writes as JSON."""
    path = Path(scratch) / "result.json"
    path.unlink(missing_ok=True)
    program, *arguments = command.split()
    subprocess.run(
        [Path(directory).resolve() / program, *arguments, f"--json={path}"],
        cwd=scratch,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=600,
    )
    return json.loads(path.read_text("utf-8"))


def get(result, path):
    """Get the number at a path such as rows.0.seconds."""
    for key in path.split("."):
        result = result[int(key) if key.isdigit() else key]
    return float(result)


def run_often(directory, command, n_runs, paths):
    """Run a command some times and get the median of each figure."""
    with tempfile.TemporaryDirectory() as scratch:
        results = [run(directory, command, scratch) for _ in range(n_runs)]
    return [statistics.median(get(result, path) for result in results) for path in paths]


def run_growth(directory, commands, n_runs, path):
    """Get the ratio of a figure of the second command to that of the first."""
    half, whole = (run_often(directory, c, n_runs, [path])[0] for c in commands)
    return [whole / half]


def run_message_growth(directory, n_runs):
    """Get the ratio of the times per message of all-reduces of more and of fewer ranks."""
    few, many, _ = MESSAGE_GROWTH
    times = [
        run_often(directory, ALL_REDUCE.format(ranks), n_runs, ["rows.0.wallSeconds"])[0]
        / (2 * ranks * (ranks - 1))
        for ranks in (few, many)
    ]
    return [times[1] / times[0]]


def list_benchmarks(directory, n_runs):
    """Yield for each benchmark its name, a function that measures its figures, and what they are."""
    for name, command, figures in BENCHMARKS:
        paths = [path for path, _, _ in figures]
        yield name, lambda c=command, p=paths: run_often(directory, c, n_runs, p), figures
    for name, half, whole, limit in GROWTHS:
        yield (
            "growth: " + name,
            lambda c=(half, whole): run_growth(directory, c, n_runs, "decisionSeconds"),
            [("decisionSeconds", TIMES, limit)],
        )
    yield (
        "growth: message of {} to {} ranks".format(*MESSAGE_GROWTH),
        lambda: run_message_growth(directory, n_runs),
        [("wallSeconds", TIMES, MESSAGE_GROWTH[2])],
    )
    for name, command, timeline, limit in TIMELINES:
        both = command, f"{command} --timeline={timeline}"
        yield (
            "timeline: " + name,
            lambda c=both: run_growth(directory, c, n_runs, "runs.0.wallSeconds"),
            [("wallSeconds", TIMES, limit)],
        )
    for name, command, figure, limit in FORWARDS:
        yield (
            "without events: " + name,
            lambda c=(command + EVENTS, command), f=figure: run_growth(directory, c, n_runs, f),
            [("wallSeconds", TIMES, limit)],
        )


def main():
    """Run all benchmarks and print the table."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip())
    directory = sys.argv[1]
    n_runs = int(sys.argv[2]) if len(sys.argv) == 3 else 3
    beyond = 0
    print(ROW.format("benchmark", "figure", "median", "limit", "ratio"))
    for name, measure, figures in list_benchmarks(directory, n_runs):
        try:
            medians = measure()
        except (OSError, subprocess.SubprocessError, ArithmeticError, LookupError, ValueError) as error:
            print(f"{name}: {type(error).__name__}: {error}")
            beyond += len(figures)
            continue
        for (path, (unit, scale), limit), median in zip(figures, medians):
            ratio = median * scale / limit
            beyond += ratio > 1
            texts = [f"{value:.3g} {unit}" for value in (median * scale, limit)]
            print(ROW.format(name, path.split(".")[-1], *texts, f"{ratio:.2f}"), flush=True)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
