#!/usr/bin/env python3
"""Counts the instructions of short jobs with callgrind and compares them with utils/instructions.csv.

usage: utils/count-instructions.py BUILD-DIRECTORY [--write]

A count is the same on a busy machine as on a quiet one, so it finds what slows the module down that no
clock would. It depends on the compiler: the table is of Debian 12, by the options of utils/test.sh. The
exit code is 1 if a count is more than 3 % above that of the table. --write makes the table anew: a commit
that makes the module slower on purpose changes the table, and says why.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bench

TABLE = Path(__file__).with_name("instructions.csv")
ALLOWED = 1.03

JOBS = {
    "one iteration on 64 GPUs": bench.TRAIN.format(64),
    "one iteration on 64 GPUs, with an event for each message": bench.TRAIN.format(64) + bench.EVENTS,
    "one iteration on 64 GPUs, a report": bench.TRAIN.format(64) + " --report=page.html",
    "several rings of 64 GPUs": bench.SEVERAL_RINGS.format(64),
    "experts of 8 on 32 GPUs": bench.EXPERTS.format(32),
    "pipelines of 128 GPUs": bench.PIPELINES.format(128, 48),
    "decisions each 100 us on 64 GPUs": bench.DECIDE.replace("=1024", "=64").replace("--dp=128", "--dp=8"),
    "leaves and spines of 32 GPUs, at flow level": bench.FLOWS.replace("=512", "=32").replace(
        "llama-3-70b", "llama-3-8b"
    ),
    "plan of 175 G parameters on 1024 GPUs": bench.PLAN,
    "plan of BERT-large on 256 GPUs by sip-ml": bench.PIECES.format(256, 1024),
    "search of 20 plans for BERT-large on 64": bench.SEARCH.format("bert-large", 64, 256, "sip-ring", "10000s")
    + " --ns3::lightpath::SearchPlanner::MaxEvaluations=20",
    "all-reduce of 1024 ranks": bench.ALL_REDUCE.format(1024),
    "all-reduce of 32 ranks, in frames": bench.ALL_REDUCE.format(32) + " --frameSize=9000",
    "max-min on a ring of 1024, 8192 pairs": bench.RING.format(1024),
    "max-min on 20 switches for 512": bench.SWITCHES.format(512),
    "flows on a grid of 64": bench.EXCHANGE.format(64, 64 * 24),
}


def count(directory, command):
    """Return how many instructions a command of the build directory takes."""
    program, *arguments = command.split()
    tool = "valgrind --tool=callgrind --callgrind-out-file=/dev/null".split()
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run(
            [*tool, Path(directory).resolve() / program, *arguments],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{command}: exit code {run.returncode}: {run.stderr}")
    return int(found[1])


def main():
    """Count all jobs and print the table."""
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--write"]):
        sys.exit(__doc__.strip())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(JOBS, pool.map(lambda job: count(sys.argv[1], job), JOBS.values())))
    if sys.argv[2:]:
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["job", "instructions"])
            # Digits that the next run has, too
            rows.writerows((job, f"{number:.4g}") for job, number in counts.items())
    with TABLE.open(encoding="utf-8", newline="") as file:
        table = {row["job"]: float(row["instructions"]) for row in csv.DictReader(file)}
    if set(table) != set(counts):
        sys.exit(f"{TABLE.name} has other jobs: {sorted(set(table) ^ set(counts))}; --write makes it anew")
    beyond = 0
    for job, number in counts.items():
        ratio = number / table[job]
        beyond += ratio > ALLOWED
        print(f"{job:<60} {number / 1e6:>9.1f} M {ratio:>7.3f}{' too many' * (ratio > ALLOWED)}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
