#!/usr/bin/env python3
#
# Copyright (c) 2026 The lightpath authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tests of how long programs work: within the time that they are given, and little for large clusters.

They count seconds of a processor, of which a busy machine gives few: a limit by the wall clock leaves no more."""

import csv
import io
import os
import resource
import subprocess
import tempfile
import unittest

BUILD = os.environ["LIGHTPATH_BUILD"]

# Seconds of a processor: more than reading a model and the beginning of its plan take, also without optimisation
LIMIT = 20

DEEPSEEK = (
    "--model=deepseek-v3 --gpus=2048 --accelerator=H800 --server=dgx-h100 --memory=unlimited --batch=15360"
    " --planner=fixed --pp=16 --ep=64 --microbatch=1 --fabric=electrical --planOnly --placement=automatic"
).split()
LLAMA = (
    "--model=llama-3.1-405b --gpus=4096 --accelerator=H100 --server=dgx-h100 --batch=1024 --planner=search"
    " --fabric=electrical --planOnly"
).split()


def run(program, *options):
    """Run a program that may take LIMIT seconds of a processor; return its exit status and its texts."""
    done = subprocess.run(
        [os.path.join(BUILD, program), *options],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1)),
    )
    return done.returncode, done.stdout, done.stderr


class LimitTests(unittest.TestCase):
    """Limits of time, and clusters whose GPUs are many."""

    def test_timeout(self):
        """A plan that takes long ends with its timeout."""
        status, _, error = run("lightpath-train", *DEEPSEEK, "--timeout=500ms")
        self.assertEqual(status, 1, error)
        self.assertIn("Planning for electrical was not finished within --timeout", error)

    def test_planning_time(self):
        """A search ends with its time, of which one that is short may leave no plan."""
        status, text, error = run("lightpath-train", *LLAMA, "--rehearse=false", "--planningTime=2s")
        self.assertIn(status, (0, 1), error)
        self.assertIn(*("plan: ", text) if status == 0 else ("its budget of 2 s was used up", error))

    def test_price(self):
        """The time of a search ends within one price of a plan whose circuits turn with each step."""
        options = ["--gpus=4096", "--model=deepseek-v3", "--memory=unlimited", "--batch=16384", "--fabric=photonic-rails"]
        options += ["--accelerator=H100", "--server=dgx-h100", "--planner=search", "--planOnly", "--rehearse=false"]
        status, text, error = run("lightpath-train", *options, "--planningTime=5s")
        # A program that uses up LIMIT has another status
        self.assertIn(status, (0, 1), error)
        self.assertIn(*("an iteration", text) if status == 0 else ("its budget of 5 s was used up", error))

    def test_cluster(self):
        """A job on all GPUs of a large cluster takes as long as its trace says."""
        for gpus, seconds in (16384, 4665600), (4096, 466560):
            with self.subTest(gpus), tempfile.NamedTemporaryFile("w", suffix=".csv") as trace:
                trace.write(f"job_id,gpu_num,submit_time,duration\n1,{gpus},2024-01-01 00:00:00,{seconds}\n")
                trace.flush()
                options = [f"--gpus={gpus}", "--models=bert-large", "--samples=8", f"--trace={trace.name}"]
                status, text, error = run("lightpath-cluster", *options, "--format=csv")
                self.assertEqual(status, 0, error)
                row = next(csv.DictReader(io.StringIO(text)))
                self.assertAlmostEqual(float(row["hours"]) / (seconds / 3600), 1, delta=1e-3)
                self.assertEqual(float(row["used %"]), 100)


if __name__ == "__main__":
    unittest.main()
