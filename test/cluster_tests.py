"""Tests of the timeline of lightpath-cluster, which must tell the same as its table."""

import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.path.join(os.environ.get("LIGHTPATH_BUILD", "build"), "lightpath-cluster")
GPUS = 32
OPTIONS = (
    f"--gpus={GPUS} --days=3 --jobs=40 --largestJob=16 --gpuMtbf=0.008 --serverMtbf=0.008 --repairMean=0.1"
    " --repairMedian=0 --checkpointTime=30 --restartTime=300 --detectionTime=30 --format=csv"
).split()


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(PROGRAM), f"{PROGRAM} is missing: build it, or set LIGHTPATH_BUILD"
)
class TimelineTests(unittest.TestCase):
    """A cluster whose GPUs and servers fail."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        name = os.path.join(folder.name, "cluster.json")
        output = subprocess.run(
            [PROGRAM, *OPTIONS, f"--timeline={name}"], capture_output=True, text=True, check=True
        ).stdout
        self.row = next(csv.DictReader(io.StringIO(output)))
        with open(name, encoding="utf-8") as file:
            self.events = json.load(file)["traceEvents"]

    def get_slices(self):
        """Returns the name, the beginning and the end in seconds of the slices of each track."""
        slices, is_open = [], {}
        for event in self.events:
            track = event.get("tid")
            if event["ph"] == "B":
                self.assertNotIn(track, is_open, "a GPU has one job, or is out of use")
                is_open[track] = event
            elif event["ph"] == "E":
                begin = is_open.pop(track)
                slices.append((begin["name"], begin["ts"] / 1e6, event["ts"] / 1e6))
        for event in is_open.values():
            self.assertEqual(event["name"], "out of use", "all jobs end")
        return slices

    def test_sums(self):
        """The GPU time of all jobs, from their slices and from the counter, is that of the table."""
        slices = self.get_slices()
        held = sum(end - begin for name, begin, end in slices if name.startswith("job "))
        jobs = {name for name, _, _ in slices if name.startswith("job ")}
        self.assertEqual(len(jobs), 40)
        whole = 3600 * float(self.row["hours"]) * GPUS
        self.assertAlmostEqual(100 * held / whole, float(self.row["used %"]), delta=0.06)
        counted, last, value = 0, 0, 0
        for event in self.events:
            if event["ph"] == "C" and event["name"] == "GPUs with jobs":
                counted += value * (event["ts"] - last) / 1e6
                last, value = event["ts"], event["args"]["value"]
        self.assertAlmostEqual(counted, held, delta=1)

    def test_failures(self):
        """Components fail before they work again, and jobs are stopped as often as the table says."""
        stops = {}
        for name, begin, end in self.get_slices():
            stops.setdefault(name, set()).add((begin, end))
        restarts = sum(len(times) - 1 for name, times in stops.items() if name.startswith("job "))
        self.assertEqual(restarts, int(self.row["failures"]))
        self.assertGreater(restarts, 3)
        failed = set()
        for event in self.events:
            if event["ph"] == "i":
                component, what = event["name"].split(" ", 1)
                self.assertEqual(component in failed, what == "works again")
                failed ^= {component}


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(PROGRAM), f"{PROGRAM} is missing: build it, or set LIGHTPATH_BUILD"
)
class RefusalTest(unittest.TestCase):
    """Fabrics that the jobs of a cluster cannot share are refused in a sentence."""

    def test_transports(self):
        """Jobs on some of the ports send frames over circuits and links, and nothing else."""
        for fabric in "sip-ocs:relay", "electrical:relay", "electrical:tcp", "oddl:tcp", "rotornet":
            with self.subTest(fabric):
                options = ["--gpus=8", "--jobs=2", "--largestJob=4", f"--fabric={fabric}", "--uplinks=1"]
                if fabric != "rotornet":
                    options.pop()
                run = subprocess.run([PROGRAM, *options], capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertRegex(run.stderr, r"^lightpath-cluster: .*\n$")

    def test_no_jobs(self):
        """A trace whose jobs have all been left out is refused."""
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as trace:
            for row in "", "1,8,2020-04-01 00:10:11,\n", "1,0,2020-04-01 00:10:11,60\n":
                with self.subTest(row):
                    trace.seek(0)
                    trace.truncate()
                    trace.write("job_id,gpu_num,submit_time,duration\n" + row)
                    trace.flush()
                    run = subprocess.run([PROGRAM, f"--trace={trace.name}"], capture_output=True, text=True, check=False)
                    self.assertEqual(run.returncode, 1, run.stdout)
                    self.assertIn("has no job with GPUs and a duration", run.stderr)

    def test_large_models(self):
        """A model that no GPU holds whole is split, as far as the GPUs of a job allow."""
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as trace:
            options = [PROGRAM, f"--trace={trace.name}", "--models=llama-2-7b", "--accelerator=H100", "--samples=1"]
            for gpus in 8, 1:
                with self.subTest(gpus):
                    trace.seek(0)
                    trace.truncate()
                    trace.write(f"job_id,gpu_num,submit_time,duration\n1,{gpus},2020-04-01 00:10:11,600\n")
                    trace.flush()
                    run = subprocess.run(options, capture_output=True, text=True, check=False)
                    self.assertEqual(run.returncode, 0 if gpus == 8 else 1, run.stderr)
                    self.assertIn("" if gpus == 8 else "A job of 1 GPU cannot train llama-2-7b: Memory: ", run.stderr)

    def test_unknown_transport(self):
        """A transport that does not exist is refused also where the fabric names another one."""
        run = subprocess.run(
            [PROGRAM, "--jobs=1", "--fabric=oddl:tcp", "--transport=none"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("--transport=none is unknown", run.stderr)


if __name__ == "__main__":
    unittest.main()
