#!/usr/bin/env python3
"""Runs lightpath-train with random options: each run simulates the job, or refuses it in one sentence.

usage: utils/check-command-lines.py PROGRAM NUMBER SEED
"""

import random
import resource
import shlex
import signal
import subprocess
import sys

# Seconds of a processor that a run may take, however busy the machine is: the jobs are small
LIMIT = 100

# Most packets of a job, about: a simulation takes up to 50 us for each of them
PACKETS = 1e6

# Parameters whose gradients are summed, in millions
MODELS = {
    "gpt2-xl:layers=2": 144,
    "resnet50": 26,
    "vgg16": 138,
    "dlrm": 2.4,
    "mixtral-8x7b:layers=2,sequence=128": 3165,
    "bert-large:layers=2": 59,
}

FABRICS = (
    "sip-ring sip-ocs oddl optinc mixnet electrical cluster fat-tree leaf-spine sip-ring:tcp sip-ring:relay sip-ocs:relay"
    " electrical:tcp oddl:udp fat-tree:dctcp leaf-spine:udp cluster:dctcp sip-ring+fat-tree sip-ocs+leaf-spine:udp"
    " leaf-spine-flows fat-tree-flows rail-optimised rail-only dragonfly link-graph topoopt torus"
    " leaf-spine-flows:tcp"
).split()

# Options that every line has
JOB = {
    "model": list(MODELS),
    "gpus": "1 2 4 6 8 12 16 17".split(),
    "batch": "16 24 48 96".split(),
    "planner": "fixed fixed sip-ml megatron search".split(),
    "iterations": "1 2".split(),
}

# Options that a line may have
OPTIONS = {
    "accelerator": "V100 H100".split(),
    "bandwidth": "1Gbps 10Gbps 100Gbps 400Gbps 1Tbps 12345Mbps 100Tbps".split(),
    "frameSize": "64 1500 9000 65536 burst".split(),
    "collectiveLatency": "10us".split(),
    "protocols": "LL:2:1us:1MiB,Simple:1:20us LL128:128/120:0s".split(),
    "memory": "1GiB unlimited".split(),
    "dp": "0 1 2 3 4".split(),
    "tp": "1 2 3 4 8".split(),
    "pp": "1 2 4".split(),
    "ep": "1 2 8".split(),
    "microbatch": "1 2 4".split(),
    "zero": "1 2 3".split(),
    "shardGpus": "2 4".split(),
    "wholeGradients": "true".split(),
    "recompute": "selective full".split(),
    "allReduce": "ring multi-ring halving-doubling double-tree two-level direct".split(),
    "splitMode": "parameter overlap".split(),
    "route": "direct line multi-ring".split(),
    "seed": "2 3".split(),
    "wavelengthRate": "1Gbps 50Gbps".split(),
    "wavelengthMode": "load-only".split(),
    "switches": "1 3 20 2000".split(),
    "allocator": "max-min max-demand greedy-halving duplex slowest-pair birkhoff solstice eclipse rotor static".split(),
    "reconfigurationDelay": "0s 1us 1ms".split(),
    "initialSwitching": "false".split(),
    "pauseMode": "partial".split(),
    "frameCut": "finish".split(),
    "trigger": "periodic phase".split(),
    "decisionInterval": "100us 10ms".split(),
    "demandSource": "underway backlog phase".split(),
    "decisionTime": "0s 10us".split(),
    "fail": "segment:0:cw@1ms switch:0@1ms row:0@1ms,+row:0@2ms card:0:0@1ms rail:0@1ms scale-up:0@1ms segment:1:ccw@0s,+segment:1:ccw@5ms".split(),
    "rows": "1 2 3 16".split(),
    "columns": "1 2 4".split(),
    "transceivers": "1 2 3".split(),
    "relayPolicy": "y-first least-loaded forbid".split(),
    "grantPolicy": "fcfs".split(),
    "lookAhead": "1us".split(),
    "averageBits": "4 8 16".split(),
    "averager": "constructive trained mesh".split(),
    "cascade": "naive fraction".split(),
    "cascadeGroup": "2 3 4".split(),
    "serverGpus": "2 4 8".split(),
    "serverRate": "100Gbps 1Tbps".split(),
    "serverDelay": "1us".split(),
    "server": "dgx-v100 mi300x tpu-v4".split(),
    "serverKind": "mesh ring".split(),
    "serverReduces": "true".split(),
    "attach": "gpu rail server cards".split(),
    "cards": "1 2 4".split(),
    "crossRails": "refuse".split(),
    "delay": "5us 1s".split(),
    "oversubscription": "2 4".split(),
    "leafGpus": "2 4".split(),
    "routing": "ecmp adaptive".split(),
    "paths": "2 16".split(),
    "hashSeed": "7".split(),
    "rails": "2 4".split(),
    "degree": "1 2 3 8".split(),
    "setupDelay": "10us 10ms".split(),
    "treePorts": "3 4 8".split(),
    "cutThrough": "0 64 9000".split(),
    "queue": "10000 100000".split(),
    "window": "10000".split(),
    "connections": "2 8".split(),
    "smallMessage": "1000 1000000".split(),
    "waitLimit": "10us".split(),
    "slow": "0:0.5".split(),
    "computeNoise": ["ns3::WeibullRandomVariable[Shape=20]"],
    "fold": "true".split(),
    "explain": "true".split(),
}


def count_packets(line):
    """Return about how many packets the gradients of all iterations take; 0 where messages go whole."""
    options = dict(option[2:].split("=", 1) for option in line)
    networks = "tcp", "udp", "cluster", "fat-tree", "leaf-spine"
    is_network = any(name in options.get("fabric", options.get("compare")) for name in networks)
    frame = options.get("frameSize", "burst")
    if frame == "burst":
        if not is_network:
            return 0
        frame = "9000"
    # Half precision: 2 bytes, sent twice, in packets with up to 60 bytes of headers
    data = 4e6 * MODELS[options["model"]] * int(options["gpus"]) * int(options["iterations"])
    return data / max(int(frame) - 60, 20)


def draw(source):
    """Return the options of a random line."""
    line = [f"--{name}={source.choice(values)}" for name, values in JOB.items()]
    if source.random() < 0.2:
        line.append("--compare=" + ",".join(source.sample(FABRICS, 2)))
    else:
        line.append(f"--fabric={source.choice(FABRICS)}")
    names = source.sample(sorted(OPTIONS), source.randint(0, 4))
    return line + [f"--{name}={source.choice(OPTIONS[name])}" for name in names]


def limit_time():
    """Let the process that calls this end after LIMIT seconds of a processor."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))


def find_fault(run):
    """Return what is wrong with a run; empty if it simulated the job, or refused it in one sentence."""
    if run.returncode == -signal.SIGXCPU:
        return f"it takes more than {LIMIT} s"
    if run.returncode not in (0, 1):
        return f"exit code {run.returncode}: {run.stderr.strip()}"
    is_sentence = run.stderr.startswith("lightpath-train: ") and run.stderr.count("\n") == 1
    if run.returncode == 1 and not is_sentence:
        return f"no sentence: {run.stderr.strip()}"
    if run.returncode == 0 and run.stderr:
        return f"a warning: {run.stderr.strip()}"
    words = run.stdout.replace("-", " ").split()
    return "a number that is none" if "nan" in words or "inf" in words else ""


def main():
    """Run all lines."""
    program, number, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    source = random.Random(seed)
    runs = faults = 0
    while runs < number:
        line = draw(source)
        if count_packets(line) > PACKETS:
            continue
        line.insert(0, program)
        try:
            run = subprocess.run(
                line,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                preexec_fn=limit_time,
                timeout=20 * LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            sys.exit(f"{shlex.join(line)}\n  it waits for ever")
        fault = find_fault(run)
        # An option of another fabric is refused before anything is tried
        runs += "not asked for" not in run.stderr
        if fault:
            faults += 1
            print(shlex.join(line), fault, sep="\n  ", flush=True)
    print(f"{runs} command lines, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
