#!/usr/bin/env python3
"""Checks that two processes of a simulation report what one reports, and that both end if one dies.

usage: utils/check-processes.py PROGRAM [PROCESSES]
PROGRAM is lightpath-train of an ns-3 with MPI; PROCESSES is 2 unless given.
The exit code is 1 if a report differs, in more than the events, the time and the memory it took.
"""

import json
import os
import signal
import subprocess
import sys
import time

# What mpirun asks of a root, and of a machine with fewer cores than processes
ENVIRONMENT = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none",
    OMPI_MCA_mpi_yield_when_idle="1",
)
MODEL = "--model=transformer:layers=2,hidden=256,heads=4,vocabulary=1000,sequence=64 --batch=16 "
SMALL = MODEL + "--iterations=2 --planner=fixed "
JOBS = {
    "fat tree, DCTCP": SMALL + "--gpus=8 --dp=4 --pp=2 --microbatch=2 --bandwidth=100Gbps"
    " --fabric=fat-tree:dctcp",
    "fat tree, TCP": SMALL + "--gpus=9 --batch=18 --dp=9 --bandwidth=200Gbps --fabric=fat-tree:tcp",
    "servers on leaf and spine, DCTCP": SMALL + "--gpus=8 --dp=4 --tp=2 --bandwidth=100Gbps"
    " --serverGpus=2 --fabric=leaf-spine:dctcp",
    "servers on rails of rings": SMALL + "--gpus=8 --dp=4 --pp=2 --microbatch=2 --serverGpus=2"
    " --bandwidth=200Gbps --fabric=sip-ring",
    "servers on rails of circuit switches": SMALL + "--gpus=8 --dp=8 --serverGpus=2"
    " --bandwidth=200Gbps --switches=8 --fabric=sip-ocs",
    "ring": SMALL + "--gpus=8 --dp=4 --pp=2 --microbatch=4 --slow=3:0.5 --fabric=sip-ring",
}
OWN = ("events", "wallSeconds", "peakMemoryBytes")


def start(program, processes, options):
    """Starts a simulation in some processes."""
    command = ["mpirun", "-np", str(processes), program, *options.split()]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def report(program, processes, options):
    """Returns the report of a simulation in some processes, without what belongs to the processes."""
    run = start(program, processes, options + " --quiet --json=-")
    output, errors = run.communicate()
    if run.returncode != 0:
        sys.exit(f"{processes} processes fail for {options}:\n{errors}")
    results = json.loads(output)["runs"][0]
    return {key: value for key, value in results.items() if key not in OWN}


def children(parent):
    """Returns the CPU time in seconds of the children of a process, by process ID."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found[int(pid)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def check_death(program):
    """Kills one of two processes; the other one ends with a sentence."""
    run = start(program, 2, JOBS["fat tree, DCTCP"] + " --iterations=100000 --quiet")
    # By then they simulate
    while sum(seconds > 1 for seconds in children(run.pid).values()) < 2 and run.poll() is None:
        time.sleep(0.1)
    os.kill(max(children(run.pid)), signal.SIGKILL)
    errors = run.communicate(timeout=60)[1]
    if run.returncode == 0 or errors.count("of the simulation ends by SIGTERM") != 1:
        sys.exit(f"The death of a process is told by {run.returncode}:\n{errors}")


def main():
    """Compares the reports."""
    program = os.path.abspath(sys.argv[1])
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    differ = False
    for name, options in JOBS.items():
        one = report(program, 1, options)
        more = report(program, processes, options)
        changed = [key for key in {**one, **more} if one.get(key) != more.get(key)]
        print(f"{name}: {'equal' if not changed else 'different'}")
        for key in changed:
            print(f"  {key}: {one.get(key)} and {more.get(key)}")
        differ = differ or bool(changed)
    check_death(program)
    sys.exit(differ)


if __name__ == "__main__":
    main()
