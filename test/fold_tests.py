#!/usr/bin/env python3
#
# Copyright (c) 2026 The lightpath authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Tests of jobs of so many GPUs that a few of them stand for all."""

import json
import os
import subprocess
import unittest

BUILD = os.environ["LIGHTPATH_BUILD"]

REPLICAS = ["--model=resnet50", "--planner=fixed", "--gpus=640", "--batch=1280", "--iterations=2"]
EXPERTS = ["--model=mixtral-8x7b:layers=2", "--planner=fixed", "--pp=2", "--ep=8", "--microbatch=1", "--batch=1024"]


def train(*options):
    """The output of lightpath-train, and what it says as JSON."""
    command = [os.path.join(BUILD, "lightpath-train"), *options]
    done = subprocess.run(command + ["--json=/dev/stderr"], capture_output=True, text=True, check=True)
    return done.stdout, json.loads(done.stderr)


class FoldTest(unittest.TestCase):
    """lightpath-train --fold=auto."""

    def test_auto(self):
        """Many GPUs that do the same are folded, and take as long to the tick."""
        text, report = train("--fabric=electrical", *REPLICAS)
        self.assertIn("simulated 2 of 640 GPUs, which stand for all", text)
        self.assertEqual(report["plan"]["simulatedGpus"], 2)
        text, whole = train("--fabric=electrical", "--fold=off", *REPLICAS)
        self.assertNotIn("stand for all", text)
        self.assertEqual(whole["plan"]["simulatedGpus"], 640)
        # The buckets are not multiples of 640 bytes, which folding rounds them up to
        for one, other in zip(report["runs"][0]["iterationSeconds"], whole["runs"][0]["iterationSeconds"]):
            self.assertAlmostEqual(one / other, 1, delta=1e-6)

    def test_light(self):
        """Light passes the ports of all GPUs, also where few stand for them, and all are counted."""
        for fabric in ("optinc", "sip-ocs"):
            runs = [train(f"--fabric={fabric}", "--bandwidth=800Gbps", f"--fold={fold}", *REPLICAS)[1]["runs"][0] for fold in ("on", "off")]
            for run in runs:
                # The longest lightpath is that of other ports
                run["light"].pop("to", None)
            for key in ("feasible", "light", "lightpaths", "fibres", "switchPorts"):
                with self.subTest(fabric=fabric, key=key):
                    self.assertEqual(runs[0].get(key), runs[1].get(key))
            # Buckets are rounded up
            self.assertAlmostEqual(runs[0]["bytesSent"] / runs[1]["bytesSent"], 1, delta=1e-4)

    def test_whole(self):
        """Where GPUs differ all are simulated, and a sentence says why."""
        text, report = train("--fabric=leaf-spine-flows", "--routing=ecmp", *REPLICAS)
        self.assertIn("simulates all GPUs: --fold lets a few GPUs stand for all, but routes that follow a hash", text)
        self.assertEqual(report["plan"]["simulatedGpus"], 640)
        text, report = train("--fabric=electrical", "--slow=3:0.5", *REPLICAS)
        self.assertIn("simulates all GPUs: --fold lets a few GPUs stand for all", text)

    def test_links(self):
        """On a network of links the GPUs of two leaves stand for all, and all links are counted."""
        for options, few in ([], 16), (["--serverGpus=4", "--leafGpus=4"], 4):
            runs = []
            for fold in "auto", "off":
                _, report = train("--fabric=leaf-spine-flows", f"--fold={fold}", *options, *REPLICAS)
                runs.append(report["runs"][0])
                self.assertEqual(report["plan"]["simulatedGpus"], few if fold == "auto" else 640)
            for one, other in zip(*(run["iterationSeconds"] for run in runs)):
                self.assertAlmostEqual(one / other, 1, delta=1e-6)
            for key in ("fibres", "switchPorts"):
                self.assertEqual(runs[0][key], runs[1][key])
            # Buckets are rounded up
            self.assertAlmostEqual(runs[0]["bytesSent"] / runs[1]["bytesSent"], 1, delta=1e-4)

    def test_rails(self):
        """Where GPUs hand messages to others of their server, or a group leaves it at some, whole servers stand for all."""
        options = ["--model=gpt2-355m:layers=2", "--planner=fixed", "--gpus=128", "--batch=128", "--serverGpus=8"]
        options += ["--serverRate=2400Gbps", "--tp=2", "--allReduce=ring", "--placement=linear", "--iterations=2"]
        experts = ["--gpus=128", "--server=dgx-h100", "--memory=unlimited", *EXPERTS, "--tp=2", "--sequenceParallel"]
        experts += ["--placement=linear", "--iterations=2"]
        for job in [*options, "--cp=8"], [*experts, "--allReduce=ring", "--batch=128"]:
            for fabric in ["electrical"], ["sip-ocs"], ["leaf-spine-flows", "--attach=gpu"]:
                runs = []
                for fold in "on", "off":
                    _, report = train(f"--fabric={fabric[0]}", f"--fold={fold}", *fabric[1:], *job)
                    runs.append(report["runs"][0]["iterationSeconds"])
                    few = 128 if fold == "off" else 64 if job[0] == "--gpus=128" else 32
                    self.assertEqual(report["plan"]["simulatedGpus"], few)
                self.assertEqual(*runs)

    def test_approximate_rails(self):
        """Whole servers that would not take as long to the tick stand for all only if that is asked for."""
        options = ["--gpus=1024", "--server=dgx-h100", "--fabric=electrical", "--memory=unlimited", *EXPERTS, "--tp=2", "--sequenceParallel"]
        text, report = train("--fold=on", "--iterations=1", *options)
        self.assertIn("times are approximate", text)
        self.assertEqual(report["plan"]["simulatedGpus"], 64)

    def test_places(self):
        """Where each port has a place of its own, a few rails stand for all, and all are counted."""
        options = ["--model=gpt2-xl:layers=4,hidden=1024,heads=16,feedForward=4096,vocabulary=51200", "--gpus=64", "--batch=64"]
        options += ["--planner=fixed", "--server=dgx-h100", "--tp=8", "--microbatch=1", "--iterations=2"]
        options += ["--placement=linear"]
        for fabric in ("sip-ring", "oddl", "torus", "rotornet", "optinc", "sip-ocs"):
            runs = []
            for fold in "on", "off":
                stages = [] if fabric == "optinc" else ["--pp=2"]
                text, report = train(f"--fabric={fabric}", f"--fold={fold}", *options, *stages)
                runs.append(report["runs"][0])
                few = 64 if fold == "off" else {"optinc": 4}.get(fabric, 8)
                self.assertEqual(report["plan"]["simulatedGpus"], few, text)
            for one, other in zip(*(run["iterationSeconds"] for run in runs)):
                self.assertAlmostEqual(one / other, 1, delta=1e-7)
            for key in ("feasible", "lightpaths", "reconfigurations", "fibres", "switchPorts", "slots"):
                with self.subTest(fabric=fabric, key=key):
                    self.assertEqual(runs[0].get(key), runs[1].get(key))
            for key in ("bytesSent", "insideBytes", "darkSeconds"):
                self.assertAlmostEqual(runs[0].get(key, 0), runs[1].get(key, 0), delta=1e-6 * runs[1].get(key, 0))
        for options, part in (["--fabric=sirius"], "discipline valiant draws"), (["--fabric=topoopt"], "laid for the plan"):
            with self.assertRaises(subprocess.CalledProcessError) as refusal:
                train("--fold=on", "--model=resnet50", "--gpus=64", "--batch=128", "--planner=fixed", "--server=dgx-h100", *options)
            self.assertIn(part, refusal.exception.stderr)

    def test_overlap(self):
        """Sums of experts and of all replicas, under way at once, have the same peers as if all were simulated."""
        options = ["--model=mixtral-8x7b:layers=2", "--gpus=32", "--batch=64", "--memory=unlimited", "--planner=fixed"]
        options += ["--ep=8", "--zero=1", "--allReduce=halving-doubling", "--placement=linear"]
        for fabric in "leaf-spine-flows", "electrical":
            runs = [train(f"--fabric={fabric}", f"--fold={fold}", *options)[1]["runs"][0] for fold in ("on", "off")]
            self.assertEqual(*(run["iterationSeconds"] for run in runs))

    def test_mesh(self):
        """GPUs with a link each to all others of their server do not stand for each other."""
        for fabric in ("electrical", "sip-ocs"):
            with self.assertRaises(subprocess.CalledProcessError) as refusal:
                train("--fold", f"--fabric={fabric}", "--serverGpus=8", "--serverKind=mesh", *REPLICAS)
            self.assertIn("in a server without a switch", refusal.exception.stderr)

    def test_prices(self):
        """The price of many experts is that of those that stand for them, as the simulation is."""
        _, report = train("--gpus=512", "--fold", "--fabric=electrical", "--memory=unlimited", *EXPERTS)
        simulated = report["runs"][0]["iterationSeconds"][-1]
        self.assertAlmostEqual(report["plan"]["predictedIterationSeconds"] / simulated, 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
