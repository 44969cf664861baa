#!/usr/bin/env python3
"""Runs programs with random options: each run does its work, or refuses it in one sentence.

usage: utils/check-command-lines.py DIRECTORY NUMBER SEED [PROGRAM...]

DIRECTORY has the programs; NUMBER lines are drawn over all of them, or over those that are named, like
train. The options are those that --help of a program lists, so a new one is drawn as soon as it is there.
The exit code is 1 if a run crashes, takes too long, prints a number that is none, or leaves a file behind
that it did not finish.
"""

import concurrent.futures
import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Seconds of a processor and bytes that a run may take, however busy the machine is: the jobs are small
LIMIT = 60
MEMORY = 6 << 30

# Most packets of a job, about: a simulation takes up to 50 us for each of them
PACKETS = 2e5

# Parameters whose gradients are summed, in millions
MODELS = {
    "gpt2-xl:layers=2": 144,
    "resnet50": 26,
    "vgg16": 138,
    "dlrm": 2.4,
    "mixtral-8x7b:layers=2,sequence=128": 3165,
    "bert-large:layers=2": 59,
    "transformer:layers=2,hidden=256,heads=4,vocabulary=1000,sequence=64": 2,
    "transformer-big": 210,
    "llama-3-8b:layers=2": 1490,
}

FABRICS = (
    "sip-ring sip-ocs oddl optinc mixnet electrical cluster fat-tree leaf-spine sip-ring:tcp sip-ring:relay sip-ocs:relay"
    " electrical:tcp oddl:tcp fat-tree:dctcp leaf-spine:tcp cluster:dctcp sip-ring+fat-tree sip-ocs+leaf-spine:tcp"
    " leaf-spine-flows fat-tree-flows rail-optimised rail-only dragonfly link-graph topoopt torus photonic-rails"
    " rotornet opera sirius leaf-spine-flows:tcp"
).split()
LIGHT = "sip-ring sip-ocs oddl optinc electrical".split()

# How many of a hundred lines a program gets
SHARES = {
    "train": 60,
    "collective": 10,
    "cluster": 8,
    "infer": 6,
    "allocate": 4,
    "availability": 3,
    "budget": 3,
    "oddl": 2,
    "model": 2,
    "optinc-average": 1,
    "optinc-noise": 1,
}

# Options that every line of a program has
ALWAYS = {
    "train": {
        "model": list(MODELS),
        "gpus": "1 2 3 4 6 8 12 16 17".split(),
        "batch": "16 24 48 96".split(),
        "planner": "fixed fixed fixed sip-ml megatron search".split(),
        "iterations": "1 2".split(),
        "fabric": FABRICS,
    },
    "collective": {
        "collective": "all-reduce all-reduce reduce-scatter all-gather send-recv all-to-all broadcast".split(),
        "ranks": "1 2 3 4 7 8 12 16 17".split(),
        "minBytes": "1B 7B 1kB 100kB".split(),
        "maxBytes": "1kB 100kB 1MB".split(),
        "fabric": FABRICS,
    },
    "cluster": {
        "gpus": "4 8 16 24".split(),
        "jobs": "1 2 5".split(),
        "models": ["resnet50", "bert-large:layers=2", "resnet50,vgg16"],
        "largestJob": "1 2 4 8 16".split(),
        "fabric": LIGHT + FABRICS,
    },
    "infer": {
        "model": ["llama-3-8b:layers=2", "gpt2-xl:layers=2", "mixtral-8x7b:layers=2", "llama-3-8b"],
        "fabric": FABRICS,
    },
    "allocate": {"ports": "1 2 3 4 8 12 16".split()},
    "availability": {"nodes": "1 2 10 100".split()},
    "budget": {},
    "oddl": {"nodes": "1 2 3 4 9 16".split(), "flows": "1 10 100".split()},
    "model": {},
    "optinc-average": {},
    "optinc-noise": {"draws": "1 2".split(), "networks": "constructive blocks svd".split()},
}

# Values of options, most of them possible; {} is a folder for files of the run
VALUES = {
    "accelerator": "A100 V100 H100 GB200 none".split(),
    "algorithm": "automatic ring multi-ring halving-doubling double-tree two-level direct pairwise bruck".split(),
    "allReduce": "ring multi-ring halving-doubling double-tree two-level direct grid server-rings".split(),
    "allocator": "max-min max-demand greedy-halving duplex slowest-pair birkhoff solstice eclipse rotor static".split(),
    "attach": "gpu rail server cards".split(),
    "attribute": ["FillLeftover=false", "None=1"],
    "averageBits": "4 8 16".split(),
    "averager": "constructive trained mesh exact".split(),
    "bandwidth": "1Gbps 10Gbps 100Gbps 400Gbps 1Tbps 12345Mbps 100Tbps".split(),
    "batch": "1 2 64".split(),
    "bits": "2 4 8 16".split(),
    "bulkMessage": "1000 1000000".split(),
    "bytes": "1kB 1MB".split(),
    "capacity": "1 1.25".split(),
    "cardRate": "100Gbps 1Tbps".split(),
    "cards": "1 2 4".split(),
    "cascade": "naive fraction".split(),
    "cascadeGroup": "2 3 4".split(),
    "chakra": ["{}/trace"],
    "checkpointInterval": "10 1000".split(),
    "checkpointTime": "0 30".split(),
    "collectiveLatency": "10us".split(),
    "columns": "1 2 4".split(),
    "compare": ["sip-ring,electrical", "mixnet,torus", "photonic-rails,sip-ring", "opera,optinc", "oddl,topoopt"],
    "components": ["none.json"],
    "computeNoise": ["ns3::WeibullRandomVariable[Shape=20]"],
    "connections": "2 8".split(),
    "cp": "1 2 4".split(),
    "crossRails": "refuse relay".split(),
    "cutThrough": "0 64 9000".split(),
    "darkTime": "1us 10us 1ms".split(),
    "days": "1 2".split(),
    "decisionInterval": "100us 10ms".split(),
    "decisionTime": "0s 10us measured".split(),
    "degree": "1 2 3 8".split(),
    "delay": "500ns 5us 1s".split(),
    "demandSource": "underway backlog phase planned".split(),
    "detectionTime": "0 60".split(),
    "discipline": "direct balanced expander valiant".split(),
    "distance": "0 1 100 1e6 -1".split(),
    "dp": "0 1 2 3 4 8".split(),
    "draws": "1".split(),
    "ep": "1 2 8".split(),
    "expertLoad": "even zipf:1 log-normal:0.5".split(),
    "fabrics": ["switch,nvl72", "cubes:8", "line:2", "blocks"],
    "fail": (
        "segment:0:cw@1ms switch:0@1ms row:0@1ms,+row:0@2ms card:0:0@1ms rail:0@1ms scale-up:0@1ms"
        " segment:1:ccw@0s,+segment:1:ccw@5ms switch:spine-0@1ms link:gpu-0:leaf-0@1ms,+link:gpu-0:leaf-0@2ms none@1s"
    ).split(),
    "failures": "llama-3 rsc-1 none".split(),
    "flowBytes": "64 1000 100kB".split(),
    "format": "table rst csv gnuplot".split(),
    "frameCut": "finish resume".split(),
    "frameSize": "64 1500 9000 65536 burst".split(),
    "gpuMtbf": "0 0.001 0.1 10 1e-7".split(),
    "gpus": "1 2 4 8".split(),
    "graph": ["none.json"],
    "grantPolicy": "fcfs smallest-first oldest-step-first".split(),
    "hashSeed": "7".split(),
    "iterations": "0 1 2 3".split(),
    "input": "1 128 1000".split(),
    "inside": "ring direct automatic".split(),
    "across": "ring halving-doubling automatic".split(),
    "json": ["{}/out.json", "-"],
    "linkMtbf": "0 1".split(),
    "local": "0 2 3 4".split(),
    "lookAhead": "1us".split(),
    "medianHours": "0.01 1 100".split(),
    "memory": "1GiB 80GiB unlimited 80".split(),
    "microbatch": "1 2 4".split(),
    "output": "1 16 100".split(),
    "paths": "2 16".split(),
    "pauseMode": "partial global lane".split(),
    "physicalLayer": "none report budget errors".split(),
    "placement": "automatic linear folded dp,pp,tp tp,dp none.json".split(),
    "planningTime": "1s 100ms".split(),
    "pp": "1 2 4".split(),
    "progress": "10s".split(),
    "profile": ["none.json"],
    "protocols": "LL:2:1us:1MiB,Simple:1:20us LL128:128/120:0s".split(),
    "queue": "10000 100000".split(),
    "rails": "2 4 8".split(),
    "recompute": "selective full".split(),
    "reconfigurationDelay": "0s 1us 1ms".split(),
    "regionServers": "1 2 8".split(),
    "relayPolicy": "y-first least-loaded forbid".split(),
    "report": ["{}/page.html"],
    "route": "direct line multi-ring".split(),
    "routing": "ecmp adaptive spray".split(),
    "rows": "1 2 3 16".split(),
    "samples": "1 8 32".split(),
    "schedule": "1f1b zb-h1 dualpipe".split(),
    "seed": "2 3".split(),
    "server": "dgx-v100 dgx-h100 mi300x tpu-v4 gb200-nvl72".split(),
    "serverDelay": "1us".split(),
    "serverGpus": "1 2 4 8 16".split(),
    "serverKind": "mesh ring switch".split(),
    "serverRate": "100Gbps 1Tbps".split(),
    "serverReduces": "true".split(),
    "servers": "2 3 4 8".split(),
    "shape": "2x2x2 4x4x1 1x1x1 2x2x4".split(),
    "shardGpus": "2 4".split(),
    "shortMessage": "1000 1000000".split(),
    "show": list(MODELS) + ["none"],
    "slices": "1 2 4".split(),
    "slotTime": "10us 100us 1ms".split(),
    "slow": "0:0.5".split(),
    "smallMessage": "1000 1000000".split(),
    "splitMode": "parameter overlap".split(),
    "stepFactor": "10 1000".split(),
    "switchKind": "mems piezo rotor wss".split(),
    "switches": "1 3 20 2000".split(),
    "timeline": ["{}/line.json", "{}/line.pftrace"],
    "timeout": "1s 50s".split(),
    "trace": ["none.csv"],
    "transceivers": "1 2 3".split(),
    "treePorts": "3 4 8".split(),
    "trigger": "periodic phase operation once".split(),
    "tp": "1 2 3 4 8".split(),
    "tuningTime": "0s 10us".split(),
    "uplinks": "1 2 4".split(),
    "virtualStages": "1 2 4".split(),
    "waitLimit": "10us".split(),
    "wavelengthMode": "load-only continuity exclusive".split(),
    "wavelengthRate": "1Gbps 50Gbps".split(),
    "wavelengths": "1 8 64 10000".split(),
    "window": "10000".split(),
    "workload": ["none.txt"],
    "writeTrace": ["{}/jobs.csv"],
    "zero": "1 2 3".split(),
}

# Options with no values above, by their default: switches, numbers, and others
FLAGS = ("true", "true", "false")
NUMBERS = ("0", "1", "2", "3", "-1", "0.5", "1e9")
OTHERS = ("none", "1us", "")

# Parts of the sentences of jobs that fail while they are simulated, whose timeline shows why
FAILED = ("has made no progress", "the fabric has no path between", "have left no way between")

# They print a lot, or wait for nothing
LEFT_OUT = {"help", "PrintAttributes", "list", "curve"}


class Program:
    """A program and its options."""

    def __init__(self, directory, name):
        self.name = "lightpath-" + name
        self.path = str(Path(directory).resolve() / self.name)
        self.always = ALWAYS[name]
        run = subprocess.run([self.path, "--help"], capture_output=True, text=True, check=True)
        # A long line goes on below
        lines = re.sub(r"\n {5,}", " ", run.stdout)
        found = re.findall(r"^    --(\w+): .*?(?:\[([^\[\]]*)\])?$", lines, re.M)
        self.options = {option: default for option, default in found if option not in LEFT_OUT}
        if not self.options:
            sys.exit(f"{self.name} --help lists no options")

    def draw(self, source):
        """Return the options of a random line."""
        line = {name: source.choice(values) for name, values in self.always.items()}
        if "compare" in self.options and source.random() < 0.2:
            line["compare"] = ",".join(source.sample(FABRICS, 2))
            del line["fabric"]
        names = [name for name in sorted(self.options) if name not in line]
        if "fabric" in line or "compare" in line:
            names = [name for name in names if name not in ("compare", "fabric")]
        for name in source.sample(names, min(len(names), source.randint(0, 3))):
            line[name] = source.choice(self.get_values(name))
        return line

    def get_values(self, name):
        """Return the values that an option may have."""
        default = self.options[name]
        if name in VALUES:
            return VALUES[name]
        if default in ("true", "false"):
            return FLAGS
        return NUMBERS if re.fullmatch(r"-?[\d.]+", default) else OTHERS


def count_packets(line):
    """Return about how many packets the messages of a line take; 0 where messages go whole."""
    networks = "tcp", "cluster", "fat-tree", "leaf-spine"
    fabrics = line.get("fabric", line.get("compare", "")).split(",")
    switched = [each for each in fabrics if ":" in each or ("flows" not in each and any(n in each for n in networks))]
    frame = line.get("frameSize", "burst")
    if frame == "burst":
        if not switched:
            return 0
        frame = "9000"
    # Half precision: 2 bytes, sent twice, in packets with up to 60 bytes of headers
    parameters = 1 if "ranks" in line else MODELS.get(line.get("model"), 60)
    if line.get("planner", "search") != "fixed":
        # Tensor parallelism sends activations at each layer
        parameters *= 10
    jobs = float(line.get("iterations", "1")) * float(line.get("jobs", "1")) * max(len(switched), 1)
    data = 4e6 * parameters * float(line.get("gpus", line.get("ranks", "8"))) * jobs
    return data / max(int(frame) - 60, 20)


def limit():
    """Let the process that calls this end after LIMIT seconds of a processor, and give it MEMORY bytes."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def is_json(text):
    """Return whether a text is JSON without numbers that are none."""
    try:
        json.loads(text, parse_constant=lambda name: sys.exit(name))
    except (ValueError, SystemExit):
        return False
    return True


def find_fault(program, line, run, folder):
    """Return what is wrong with a run; empty if it did its work, or refused it in one sentence."""
    if run.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"it takes more than {LIMIT} s"
    if run.returncode not in (0, 1):
        return f"exit code {run.returncode}: {run.stderr.strip()[-500:]}"
    is_sentence = run.stderr.startswith(program.name + ": ") and run.stderr.count("\n") == 1
    if run.returncode == 1 and not is_sentence:
        return f"no sentence: {run.stderr.strip()[-500:]}"
    if "bad_alloc" in run.stderr:
        return run.stderr.strip()
    if run.returncode == 0 and run.stderr and "progress" not in line:
        return f"a warning: {run.stderr.strip()[-500:]}"
    left = sorted(file.name for file in Path(folder).iterdir())
    # Who ends a simulation early, or asks for a timeline that is too large, has the other files
    is_partial = "timeline" in run.stderr or "--timeout" in run.stderr
    if any(part in run.stderr for part in FAILED):
        is_partial |= all(name.startswith("line.") for name in left)
    if run.returncode == 1 and left and not is_partial:
        return f"it refuses and leaves {', '.join(left)}: {run.stderr.strip()}"
    if any(name.endswith(".part") for name in left):
        return f"it leaves {', '.join(left)}"
    for file in Path(folder).glob("*.json"):
        if not is_json(file.read_text("utf-8")):
            return f"{file.name} is not JSON"
    words = run.stdout.replace("-", " ").split()
    return "a number that is none" if {"nan", "inf"} & set(words) else ""


def try_line(program, line):
    """Run a line; return the command, its output and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program.path]
        command += [f"--{name}={value.replace('{}', folder)}" for name, value in line.items()]
        try:
            run = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                input="",
                cwd=folder,
                preexec_fn=limit,
                timeout=30 * LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return command, None, "it waits for ever"
        return command, run, find_fault(program, line, run, folder)


def draw_lines(programs, seed):
    """Yield programs and lines without end."""
    source = random.Random(seed)
    shares = [SHARES[program.name[len("lightpath-") :]] for program in programs]
    while True:
        program = source.choices(programs, shares)[0]
        line = program.draw(source)
        if count_packets(line) <= PACKETS:
            yield program, line


def main():
    """Run all lines, one on each processor at a time."""
    directory, number, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    programs = [Program(directory, name) for name in sys.argv[4:] or SHARES]
    lines = draw_lines(programs, seed)
    done = faults = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = (next(lines) for _ in range(number))
        for command, run, fault in pool.map(lambda each: try_line(*each), drawn):
            done += run is not None and run.returncode == 0
            if fault:
                faults += 1
                print(shlex.join(command), fault, sep="\n  ", flush=True)
    print(f"{number} command lines, of which {done} did their work; {faults} faults")
    return 1 if faults or done < number / 20 else 0


if __name__ == "__main__":
    sys.exit(main())
