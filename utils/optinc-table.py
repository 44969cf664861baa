#!/usr/bin/env python3
"""Compares averaging in the network with a ring on two training jobs, as a table for the manual.

usage: utils/optinc-table.py BUILD-DIRECTORY

Four GPUs with 800 Gb/s each train by data parallelism; gradients have 16 bits on both fabrics.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

GPUS = 4
TRAIN = (
    "lightpath-train --accelerator=H100 --gpus={gpus} --bandwidth=800Gbps --planner=fixed --explain"
    " --quiet --json=- --model={model} --batch={batch}"
)
RING = " --fabric=electrical"
AVERAGED = " --fabric=optinc --averageBits=16"
# Peak times efficiency of the accelerator that the second-hand summary of OptINC names, FLOP/s
SUMMARY_RATE = 60e12 * 0.6
LLAMA = "llama-7b:layers=8,hidden=384,heads=8,feedForward=1024,sequence=256,gradients=half"
# Name, model, samples of a GPU
JOBS = [
    ("ResNet-50, 32 x 32 pixels", "resnet50:image=32", (16, 64)),
    ("LLaMA-like", LLAMA, (1, 16)),
]


def run(directory, command):
    """Run a command of the build directory and get what it prints."""
    program, *arguments = command.split()
    return subprocess.run(
        [Path(directory) / program, *arguments], check=True, capture_output=True, text=True
    ).stdout


def get_flops(directory, model):
    """Get the floating-point operations of the forward and the backward pass of a sample."""
    text = run(directory, f"lightpath-model --show={model}")
    number, unit = re.search(r"forward and backward +([0-9.]+) (\w)FLOP", text).groups()
    return float(number) * {"M": 1e6, "G": 1e9, "T": 1e12}[unit]


def measure(directory, command):
    """Get the times of an iteration and of its communication, in seconds."""
    result = json.loads(run(directory, command))
    times = result["runs"][0]["iterationSeconds"]
    communication = sum(group["seconds"] for group in result["plan"]["cost"]["groups"])
    return times[-1], result["runs"][0]["computeSeconds"], communication


def make_row(directory, name, model, samples):
    """Make a row of the table."""
    command = TRAIN.format(gpus=GPUS, model=model, batch=GPUS * samples)
    ring, compute, ring_sum = measure(directory, command + RING)
    averaged, _, averaged_sum = measure(directory, command + AVERAGED)
    summary = get_flops(directory, model) * samples / SUMMARY_RATE
    savings = [
        1 - averaged / ring,
        1 - (compute + averaged_sum) / (compute + ring_sum),
        1 - (summary + averaged_sum) / (summary + ring_sum),
    ]
    times = [ring_sum, averaged_sum, compute, ring, averaged, summary]
    milliseconds = [f"{1e3 * seconds:.3f}" for seconds in times]
    return [name, str(samples), *milliseconds, *(f"{100 * saving:.1f} %" for saving in savings)]


def main():
    """Print the table as reStructuredText."""
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    rows = [
        ["job", "samples", "ring ms", "average ms", "compute ms", "ring it.", "average it."]
        + ["36 TFLOP/s", "saved", "one by one", "at 36 TFLOP/s"]
    ]
    for name, model, batches in JOBS:
        for samples in batches:
            rows.append(make_row(sys.argv[1], name, model, samples))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)) for row in rows]
    print("\n".join([rule, lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:]), rule]))


if __name__ == "__main__":
    main()
