#!/usr/bin/env python3
"""Checks that a sweep by Slurm makes the same table as one by processes of this machine.

usage: utils/check-slurm.py LIGHTPATH-TRAIN

Starts a Slurm of its own on this machine, with all of its files in a temporary directory. The array
is cancelled in the middle and submitted again, and the process that waits for it is killed and
started again, after which no run may have been done twice but for those that were cancelled.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

RUNS = 40
GRID = [
    "--model=resnet50",
    "--batch=32",
    "--planner=fixed",
    "--gpus={4,8}",
    "--bandwidth={250Gbps..2500Gbps+250}",
    "--fabric={electrical,sip-ring}",
]

# Fewer than runs, so that the sweep takes several arrays
MOST_TASKS = 17

CONFIGURATION = """
ClusterName=check
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
MaxArraySize={most_tasks}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""

# Notes each run before it does it
PROGRAM = """#!/bin/sh
case "$*" in
    *--json*) echo "$*" >>{folder}/started ;;
esac
exec {program} "$@"
"""


def wait_for(condition, seconds, what):
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} within {seconds} s")
        time.sleep(0.05)


def ask(*command):
    """Return what a command prints, empty if it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def get_ports():
    """Return two free ports."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


class Cluster:
    """Slurm on this machine."""

    def __init__(self, folder):
        self._folder = folder
        self._daemons = []

    def _start(self, name, *options):
        path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        if not path:
            raise RuntimeError(f"{name} is not installed: run utils/setup.sh ci")
        with open(f"{self._folder}/{name}.log", "wb") as log:
            self._daemons.append(subprocess.Popen([path, *options], stdout=log, stderr=log))

    def start(self):
        """Start the daemons, and wait until the node takes jobs."""
        folder = self._folder
        os.chmod(folder, 0o755)
        for name in ("state", "spool"):
            os.mkdir(f"{folder}/{name}")
        with open(os.open(f"{folder}/key", os.O_CREAT | os.O_WRONLY, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        control_port, node_port = get_ports()
        with open(f"{folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(
                CONFIGURATION.format(
                    host=socket.gethostname().split(".")[0],
                    control_port=control_port,
                    node_port=node_port,
                    user=ask("id", "-un"),
                    folder=folder,
                    most_tasks=MOST_TASKS,
                    cpus=os.cpu_count(),
                )
            )
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
        files = [f"--{name}={folder}/munge.{name}" for name in ("socket", "pid-file", "log-file", "seed-file")]
        self._start("munged", "--foreground", f"--key-file={folder}/key", *files)
        wait_for(lambda: os.path.exists(f"{folder}/munge.socket"), 120, "munged makes no socket")
        self._start("slurmctld", "-D")
        self._start("slurmd", "-D", "-N", socket.gethostname().split(".")[0])
        wait_for(lambda: ask("sinfo", "--noheader", "--format=%T") == "idle", 120, "the node is not idle")

    def stop(self):
        """End all jobs and daemons."""
        ask("scancel", "--me")
        deadline = time.monotonic() + 10
        while ask("squeue", "--noheader") and time.monotonic() < deadline:
            time.sleep(0.1)
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


class Check:
    """The sweep, in a directory of its own."""

    def __init__(self, folder, program):
        self._folder = folder
        self._options = [f"--program={folder}/lightpath-train", *GRID]
        self._sweep = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sweep")
        with open(f"{folder}/lightpath-train", "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(folder=folder, program=os.path.abspath(program)))
        os.chmod(f"{folder}/lightpath-train", 0o755)

    def _start(self, name, *options):
        command = [self._sweep, f"--out={name}.csv", *options, *self._options]
        return subprocess.Popen(command, cwd=self._folder, stdout=subprocess.PIPE, text=True)

    def _count_files(self, name):
        folder = f"{self._folder}/{name}.runs"
        return sum(each.endswith(".json") for each in os.listdir(folder)) if os.path.isdir(folder) else 0

    def _read(self, name):
        with open(f"{self._folder}/{name}", encoding="utf-8") as file:
            return file.read()

    def run(self):
        """Do the same sweep by processes and by Slurm."""
        local = self._start("local")
        output = local.communicate()[0]
        expect(local.returncode == 0 and f"{RUNS} rows" in output, f"the sweep by processes: {output}")
        os.remove(f"{self._folder}/started")

        cancelled = self._start("slurm", "--slurm")
        wait_for(lambda: self._count_files("slurm") >= RUNS // 8, 120, "no runs have ended")
        subprocess.run(["scancel", "--me"], check=True)
        cancelled.communicate()
        finished = self._count_files("slurm")
        expect(cancelled.returncode == 1, "the cancelled sweep ends with exit code 1")
        expect(RUNS // 8 <= finished < RUNS, f"{finished} runs of the cancelled sweep are finished")
        expect(len(self._read("slurm.csv").splitlines()) == finished + 1, "the table has those rows")

        killed = self._start("slurm", "--slurm", "--runsPerTask=2")
        wait_for(lambda: self._count_files("slurm") >= finished + 4, 120, "no further runs have ended")
        killed.kill()
        killed.communicate()
        jobs = set(ask("squeue", "--noheader", "--format=%F").split())
        expect(jobs, "the array goes on without the process that has submitted it")
        again = self._start("slurm", "--slurm")
        time.sleep(1)
        later = set(ask("squeue", "--noheader", "--format=%F").split())
        expect(later <= jobs, f"jobs {later - jobs} were submitted while the array was queued")
        output = again.communicate()[0]
        expect(again.returncode == 0 and f"{RUNS} rows" in output, f"the sweep by Slurm: {output}")
        expect(self._read("slurm.csv") == self._read("local.csv"), "both tables are the same")

        started = self._read("started").splitlines()
        twice = len(started) - len(set(started))
        expect(len(set(started)) == RUNS, f"{len(set(started))} runs were done by Slurm")
        expect(twice <= os.cpu_count(), f"{twice} runs were done twice")
        print(f"{finished} runs before scancel, {twice} were cancelled, {RUNS} rows are the same")


def expect(holds, what):
    """Refuse that something does not hold."""
    if not holds:
        raise RuntimeError(f"not true: {what}")


def main():
    """Check with the program that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        try:
            cluster.start()
            Check(folder, sys.argv[1]).run()
        except RuntimeError as error:
            print(f"check-slurm.py: {error}", file=sys.stderr)
            for name in ("munged", "slurmctld", "slurmd"):
                if os.path.exists(f"{folder}/{name}.log"):
                    with open(f"{folder}/{name}.log", encoding="utf-8", errors="replace") as log:
                        lines = log.readlines()[-20:]
                    print("".join(f"{name}: {line}" for line in lines), file=sys.stderr)
            return 1
        finally:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
