"""Tests of comparisons: fabrics have equal servers, and a single run says what it has by default."""

import json
import os
import subprocess
import unittest

BUILD = os.environ.get("LIGHTPATH_BUILD", "build")
JOB = ["--model=bert-large:layers=2", "--gpus=16", "--batch=32", "--planner=fixed", "--iterations=2", "--bandwidth=400Gbps"]
OWN = {"mixnet": 7200, "photonic-rails": 3600, "rail-only": 7200}


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(os.path.join(BUILD, "lightpath-train")),
    f"{BUILD}/lightpath-train is missing: build it, or set LIGHTPATH_BUILD",
)
class ComparisonTests(unittest.TestCase):
    """Programs that have fabrics."""

    def run_program(self, program, *options):
        """Run a program: return its exit status and what it printed."""
        words = [os.path.join(BUILD, f"lightpath-{program}"), *options]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr

    def get_json(self, program, *options):
        """Run a program, and return its JSON."""
        status, output, error = self.run_program(program, *options, "--json=-")
        self.assertEqual(status, 0, error)
        return json.loads(output)

    def get_times(self, *options):
        """Return the times of iterations of a job by fabric."""
        return {run["fabric"]: run["iterationSeconds"] for run in self.get_json("train", *JOB, *options)["runs"]}

    def test_equal_servers(self):
        """All fabrics of a comparison have the servers of one, as if these were given to each of them alone."""
        for fabric in "photonic-rails", "mixnet", "rail-only":
            with self.subTest(fabric):
                result = self.get_json("train", *JOB, f"--compare=electrical,{fabric}")
                servers = result["servers"]
                # The default accelerator has a rate of its own inside servers
                self.assertEqual(servers, {"gpus": 8, "rateBps": 1846400000000, "defaultOf": fabric})
                given = [f"--serverGpus={servers['gpus']}", f"--serverRate={servers['rateBps']}bps"]
                for run in result["runs"]:
                    alone = self.get_times(f"--fabric={run['fabric']}", *given)
                    self.assertEqual(alone, {run["fabric"]: run["iterationSeconds"]})
        plans = self.get_json("train", *JOB, "--compare=electrical,cluster", "--planOnly", "--rehearse=false")
        self.assertEqual(plans["servers"]["defaultOf"], "cluster")
        self.assertEqual(plans["plans"]["electrical"]["servers"]["gpus"], 8)

    def test_given_servers(self):
        """What options say of servers holds for all fabrics."""
        for options in ["--serverGpus=4", "--serverRate=1Tbps"], ["--server=dgx-h100"]:
            result = self.get_json("train", *JOB, *options, "--compare=electrical,photonic-rails", "--planOnly", "--rehearse=false")
            self.assertNotIn("servers", result)
            gpus = {plan["servers"]["gpus"] for plan in result["plans"].values()}
            self.assertEqual(gpus, {4 if len(options) > 1 else 8})

    def test_rate_of_fabric(self):
        """Without an accelerator that says otherwise the rate inside is that of the fabric."""
        job = ["--ranks=8", "--minBytes=100MB", "--maxBytes=100MB", "--algorithm=ring"]
        for fabric, gigabits in OWN.items():
            with self.subTest(fabric):
                row = self.get_json("collective", *job, f"--fabric={fabric}")["rows"][0]
                # Inside one server alone
                self.assertLess(row["busBandwidth"], gigabits / 8 * 1e9)
                self.assertGreater(row["busBandwidth"], 0.95 * gigabits / 8 * 1e9)

    def test_no_servers(self):
        """A fabric has no servers if they are refused, and says so if it needs them."""
        job = ["--ranks=16", "--minBytes=100MB", "--maxBytes=100MB", "--bandwidth=400Gbps", "--serverGpus=1"]
        row = self.get_json("collective", *job, "--fabric=photonic-rails")["rows"][0]
        # A ring of lightpaths of the rate of a GPU, which no server speeds up
        self.assertLess(row["busBandwidth"], 50e9)
        self.assertGreater(row["busBandwidth"], 0.99 * 50e9)
        times = self.get_times("--compare=electrical,photonic-rails", "--serverGpus=1")
        self.assertEqual(times["electrical"], self.get_times("--fabric=electrical")["electrical"])
        for fabric in "mixnet", "rail-only":
            status, output, error = self.run_program("train", *JOB, f"--fabric={fabric}", "--serverGpus=1")
            self.assertEqual((status, output), (1, ""))
            self.assertIn("by way of their servers: leave out --serverGpus=1", error)

    def test_said(self):
        """Each program says what servers it has by default."""
        said = "servers of 8 GPUs with {}Gbps inside, the default of photonic-rails"
        infer = ["--model=llama-3-8b:layers=2", "--accelerator=H100", "--fabric=photonic-rails"]
        for rate, program, *options in (
            (1846, "train", *JOB, "--fabric=photonic-rails"),
            (3600, "collective", "--ranks=16", "--maxBytes=1MB", "--fabric=photonic-rails"),
            (2960, "infer", *infer),
        ):
            with self.subTest(program):
                status, output, error = self.run_program(program, *options)
                self.assertEqual((status, error), (0, ""))
                self.assertIn(f"{said.format(rate)}: --serverGpus=1 for none\n", output)
        status, output, error = self.run_program("train", *JOB, "--compare=electrical,photonic-rails", "--planOnly")
        self.assertEqual((status, error), (0, ""))
        self.assertIn(f"{said.format(1846)}, for all fabrics: --serverGpus=1 for none\n", output)
        status, output, error = self.run_program("train", *JOB, "--fabric=electrical", "--planOnly")
        self.assertEqual((status, error), (0, ""))
        self.assertNotIn("servers", output)


if __name__ == "__main__":
    unittest.main()
