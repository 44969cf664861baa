#!/usr/bin/python3
"""Converts a public trace of a GPU cluster for lightpath-cluster.

usage: utils/convert-trace.py FORMAT FILE [JOBS] [options] > jobs.csv
FORMAT is one of
  philly  the JSON file cluster_job_log of Microsoft's traces
  helios  a file cluster_log.csv of SenseTime's traces
  acme    a file trace_seren.csv or trace_kalos.csv of the traces of the Shanghai AI Lab
  pai     the files pai_task_table.csv and pai_job_table.csv (JOBS) of Alibaba's traces of 2020

The result has the columns job_id, gpu_num, submit_time and duration (in seconds). Jobs that never
ran, or on no GPU, are left out. A damaged file is refused with the place of the damage.
"""

import argparse
import csv
import datetime
import json
import math
import sys

COLUMNS = ("job_id", "gpu_num", "submit_time", "duration")
# Alibaba gives the names of columns in files of their own
PAI_TASKS = (
    "job_name task_name inst_num status start_time end_time plan_cpu plan_mem plan_gpu gpu_type"
).split()
PAI_JOBS = "job_name inst_id user status start_time end_time".split()
# Alibaba's times are seconds from a beginning that is not told
PAI_BEGIN = datetime.datetime(1970, 1, 1)


class Damage(Exception):
    """A file that is not in its format, with the sentence that says where."""


class Job:
    """A job: its name, its GPUs, when it was submitted, and the seconds that it ran."""

    def __init__(self, name, gpus, submitted, duration):
        self.name, self.gpus, self.submitted, self.duration = name, gpus, submitted, duration


def read_time(text, where):
    """Returns a time, in UTC if it tells its zone."""
    try:
        time = datetime.datetime.fromisoformat(text.strip())
    except (AttributeError, ValueError):
        raise Damage(f"{where} has {text!r} in place of a time like 2020-06-09 18:41:01") from None
    if time.tzinfo:
        time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return time


def read_number(text, where, name):
    """Returns a number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < 1e15:
        raise Damage(f"{where} has {text!r} as {name} in place of a number of at least 0")
    return number


def get_seconds(begin, end, where):
    """Returns the seconds from one time to another, which must not come before it."""
    if end < begin:
        raise Damage(f"{where} ends at {end}, before it starts at {begin}")
    return (end - begin).total_seconds()


def read_philly(path):
    """Yields the jobs of a cluster_job_log: with the GPUs of the last attempt, and the time of all."""
    with open(path, encoding="utf-8") as file:
        try:
            entries = json.load(file)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise Damage(f"{path} is no JSON file: {error}") from None
    if not isinstance(entries, list):
        raise Damage(f"{path} is no list of jobs")
    for number, entry in enumerate(entries, 1):
        where = f"{path}, job {number},"
        try:
            submitted = entry["submitted_time"]
            submitted = None if submitted in (None, "None") else read_time(submitted, where)
            gpus, duration = 0, 0
            for attempt in entry["attempts"]:
                if attempt["start_time"] in (None, "None") or attempt["end_time"] in (None, "None"):
                    continue
                begin = read_time(attempt["start_time"], where)
                duration += get_seconds(begin, read_time(attempt["end_time"], where), where)
                gpus = sum(len(server["gpus"]) for server in attempt["detail"])
            yield Job(str(entry["jobid"]), gpus, submitted, duration)
        except KeyError as key:
            raise Damage(f"{where} has no key {key}") from None
        except TypeError:
            raise Damage(f"{where} is no object with attempts that have servers with GPUs") from None


def read_rows(path, columns, header):
    """Yields the place and the values by column of each line of a CSV file. Without a header the
    first line may still have the names of the columns."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        names = None if header else columns
        try:
            for values in reader:
                where = f"{path}, line {reader.line_num},"
                if not values or values[: len(columns)] == list(columns):
                    names = names or values
                    continue
                if names is None:
                    names = values
                    missing = [column for column in columns if column not in names]
                    if missing:
                        raise Damage(f"{path} has no column {missing[0]} in its first line")
                    continue
                if len(values) != len(names):
                    raise Damage(f"{where} has {len(values)} values for {len(names)} columns")
                yield where, dict(zip(names, values))
        except (UnicodeDecodeError, csv.Error) as error:
            raise Damage(f"{path} is no CSV file: {error}") from None


def read_slurm(path):
    """Yields the jobs of Helios and Acme."""
    for where, row in read_rows(path, COLUMNS, True):
        duration = read_number(row["duration"], where, "duration") if row["duration"] else 0
        submitted = read_time(row["submit_time"], where) if row["submit_time"] not in ("", "None") else None
        yield Job(row["job_id"], math.ceil(read_number(row["gpu_num"], where, "gpu_num")), submitted, duration)


def read_pai(path, jobs):
    """Yields the jobs of Alibaba: submitted as the table of jobs says, with the GPUs of all tasks,
    from the start of the first one to the end of the last one."""
    submitted = {}
    for where, row in read_rows(jobs, PAI_JOBS, False):
        start = read_number(row["start_time"], where, "start_time") if row["start_time"] else None
        submitted[row["job_name"]] = start
    tasks = {}
    for where, row in read_rows(path, PAI_TASKS, False):
        if not (row["start_time"] and row["end_time"]):
            continue
        begin = read_number(row["start_time"], where, "start_time")
        end = read_number(row["end_time"], where, "end_time")
        if end < begin:
            raise Damage(f"{where} ends at {end:.0f} s, before it starts at {begin:.0f} s")
        gpus = read_number(row["plan_gpu"] or "0", where, "plan_gpu") / 100
        gpus *= read_number(row["inst_num"] or "0", where, "inst_num")
        if row["job_name"] not in submitted:
            raise Damage(f"{where} belongs to job {row['job_name']}, which {jobs} does not have")
        known = tasks.setdefault(row["job_name"], [0, begin, end])
        known[:] = known[0] + gpus, min(known[1], begin), max(known[2], end)
    for name, (gpus, begin, end) in tasks.items():
        start = submitted[name]
        time = None if start is None else PAI_BEGIN + datetime.timedelta(seconds=start)
        yield Job(name, math.ceil(gpus), time, end - begin)


def parse_arguments(words):
    """Returns the arguments."""
    parser = argparse.ArgumentParser(
        description="Convert a public trace of a GPU cluster for lightpath-cluster."
    )
    parser.add_argument("format", choices=("philly", "helios", "acme", "pai"))
    parser.add_argument("file", help="file of the trace")
    parser.add_argument("jobs", nargs="?", help="of pai: the table of jobs")
    parser.add_argument("--least", type=int, default=1, help="leave out jobs with fewer GPUs")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="leave out jobs with more GPUs")
    parser.add_argument("--begin", type=float, default=0, help="first day, from 0 at the first job")
    parser.add_argument("--days", type=float, default=math.inf, help="number of days")
    parser.add_argument("--output", help="file to write; default: standard output")
    arguments = parser.parse_args(words)
    if (arguments.format == "pai") != bool(arguments.jobs):
        parser.error("pai needs the table of tasks and the table of jobs; other formats have one file")
    return arguments


def convert(arguments):
    """Returns the jobs that are wanted, in the order of their submission, and how many are not."""
    if arguments.format == "philly":
        jobs = list(read_philly(arguments.file))
    elif arguments.format == "pai":
        jobs = list(read_pai(arguments.file, arguments.jobs))
    else:
        jobs = list(read_slurm(arguments.file))
    if not jobs:
        raise Damage(f"{arguments.file} has no jobs")
    # A job that was never submitted, as far as the trace knows, cannot be
    known = [job for job in jobs if job.submitted is not None]
    first = min((job.submitted for job in known), default=None)
    kept = []
    for job in sorted(known, key=lambda job: job.submitted):
        day = (job.submitted - first).total_seconds() / 86400 - arguments.begin
        fits = max(1, arguments.least) <= job.gpus <= arguments.most and 0 <= day < arguments.days
        if fits and job.duration > 0:
            kept.append(job)
    return kept, len(jobs) - len(kept)


def main():
    """Converts a trace."""
    arguments = parse_arguments(sys.argv[1:])
    try:
        jobs, left = convert(arguments)
    except (Damage, OSError) as error:
        sys.exit(f"convert-trace.py: {error}")
    with open(arguments.output, "w", encoding="utf-8", newline="") if arguments.output else sys.stdout as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for job in jobs:
            time = job.submitted.replace(microsecond=0)
            table.writerow((job.name, job.gpus, time, math.ceil(job.duration)))
    print(f"{len(jobs)} jobs; {left} left out", file=sys.stderr)


if __name__ == "__main__":
    main()
