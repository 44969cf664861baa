"""Runs of a sweep as job arrays of Slurm.

What has become of a run is read from its file, and whether a task is queued or runs from squeue.
An array has the name sweep-FOLDER-NUMBER and a file of its commands in the folder of the runs, so
that any later process on the same folder knows which runs are under way.
"""

import os
import re
import shlex
import subprocess
import time

from sweeping.grid import get_hash
from sweeping.store import write_file

SCRIPT = """#!/bin/bash
# Runs the commands of one task of an array
first=$((SLURM_ARRAY_TASK_ID * {per_task} + 1))
sed -n "$first,$((first + {per_task} - 1))p" {commands} | bash
"""

# Seconds between two looks at the queue, at first and at last
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 15

# Looks at the queue that may fail in a row, as when the controller is started again
MOST_FAILURES = 20


def ask(command):
    """Return what a command of Slurm prints."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ValueError(
            f"{command[0]} cannot be run ({error.strerror}): --slurm needs a machine that submits"
            " jobs to Slurm"
        ) from error
    if done.returncode != 0:
        said = done.stderr.strip().split("\n")[-1]
        raise ValueError(f"{command[0]} ended with exit code {done.returncode}: {said}")
    return done.stdout


def get_most_tasks():
    """Return the most tasks of an array."""
    found = re.search(r"^MaxArraySize\s*=\s*(\d+)", ask(["scontrol", "show", "config"]), re.MULTILINE)
    return int(found.group(1)) if found else 1001


class Arrays:
    """The arrays of the sweep in a folder."""

    def __init__(self, folder, per_task):
        self._folder = os.path.join(os.path.abspath(folder), "slurm")
        self._per_task = per_task
        self._name = f"sweep-{get_hash(os.path.realpath(folder).encode())}-"
        os.makedirs(self._folder, exist_ok=True)

    def _get_path(self, number, end):
        return os.path.join(self._folder, f"{number}.{end}")

    def _get_keys(self, number):
        """Return the keys of the runs of each task of an array."""
        try:
            with open(self._get_path(number, "commands"), encoding="utf-8") as file:
                keys = [line.rstrip("\n").rpartition(" # ")[2] for line in file]
            with open(self._get_path(number, "script"), encoding="utf-8") as file:
                per_task = int(re.search(r"TASK_ID \* (\d+)", file.read()).group(1))
        except OSError:
            return []
        return [keys[i : i + per_task] for i in range(0, len(keys), per_task)]

    def _find_tasks(self):
        """Return the numbers of the tasks that are queued or run, by the number of their array."""
        tasks = {}
        for line in ask(["squeue", "--me", "--array", "--noheader", "--format=%j %K"]).splitlines():
            name, _, task = line.strip().rpartition(" ")
            if name.startswith(self._name) and task.isdigit():
                tasks.setdefault(name[len(self._name) :], []).append(int(task))
        return tasks

    def find_queued(self):
        """Return the keys of the runs whose tasks are queued or run."""
        queued = set()
        for number, tasks in self._find_tasks().items():
            keys = self._get_keys(number)
            queued.update(*(keys[task] for task in tasks if task < len(keys)))
        return queued

    def submit(self, commands, options, at_a_time):
        """Submit the runs of a dictionary, a key and a command each, in as many arrays as it takes."""
        lines = [f"{command} # {key}\n" for key, command in commands.items()]
        most = get_most_tasks() * self._per_task
        for part in [lines[i : i + most] for i in range(0, len(lines), most)]:
            known = [int(name.split(".")[0]) for name in os.listdir(self._folder) if name[0].isdigit()]
            number = max(known, default=0) + 1
            path = self._get_path(number, "commands")
            script = self._get_path(number, "script")
            write_file(path, "".join(part))
            write_file(script, SCRIPT.format(per_task=self._per_task, commands=shlex.quote(path)))
            tasks = -(-len(part) // self._per_task)
            limit = f"%{at_a_time}" if at_a_time else ""
            logs = os.path.join(self._folder.replace("%", "%%"), f"{number}-%a.log")
            ask(
                ["sbatch", f"--array=0-{tasks - 1}{limit}", f"--job-name={self._name}{number}"]
                + [f"--output={logs}", *shlex.split(options), script]
            )

    def wait(self, keys, find_missing, progress):
        """Wait until none of the runs with some keys is missing and under way.

        The function find_missing looks for files and returns the keys that have none, and progress
        is called with the number of runs that have ended and of all.
        """
        pause = SHORTEST_PAUSE
        failures = 0
        while True:
            # Runs that end between the two looks have their files at the second
            try:
                queued = self.find_queued()
                failures = 0
            except ValueError:
                failures += 1
                if failures > MOST_FAILURES:
                    raise
                queued = keys
            queued = queued & keys
            missing = find_missing()
            progress(len(keys) - len(missing & keys), len(keys))
            if not queued & missing:
                return
            time.sleep(pause)
            pause = min(pause * 1.2, LONGEST_PAUSE)

    def read_logs(self):
        """Return the lines that tasks have printed, each once."""
        lines = {}
        for name in sorted(os.listdir(self._folder)):
            if name.endswith(".log"):
                with open(os.path.join(self._folder, name), encoding="utf-8", errors="replace") as file:
                    lines.update(dict.fromkeys(file.read().splitlines()))
        return list(lines)

    def clean(self):
        """Remove the files of the arrays that are not in the queue any more."""
        tasks = self._find_tasks()
        for name in os.listdir(self._folder):
            if re.split("[.-]", name)[0] not in tasks:
                os.remove(os.path.join(self._folder, name))
