"""Tests of the package in lightpath/ and of lightpath-seeds: published and counted values, and refusals."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("LIGHTPATH_BUILD", "build")
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "utils")]

import lightpath
import make_wheel

# Communication takes most of an iteration of this job, and each message waits for a link that is down
JOB = {
    "model": "gpt2-xl",
    "gpus": 16,
    "batch": 16,
    "fabric": "leaf-spine-flows",
    "bandwidth": "100Gbps",
    "planner": "megatron",
    "iterations": 4,
}
LINK = "link:gpu-0:leaf-0"


def get_times(*words, **options):
    """Return the times of the iterations of a run."""
    return lightpath.train(*words, **options)["runs"][0]["iterationSeconds"]


class PackageTests(unittest.TestCase):
    """The package without programs."""

    def test_words(self):
        """Options become words of a command line."""
        options = {"gpus": 16, "fold": True, "compare": ["electrical", "oddl"], "planner": None, "capacity": 1.5}
        expected = ["--gpus=16", "--fold=true", "--compare=electrical,oddl", "--capacity=1.5"]
        self.assertEqual(lightpath.get_words(options), expected)

    def test_quantiles(self):
        """A quantile is the least value that at least the share does not exceed."""
        for count in (1, 2, 3, 10, 99, 100, 101):
            values = list(range(count, 0, -1))
            for share in (0.01, 0.5, 0.9, 0.99, 1):
                quantile = lightpath.get_quantile(values, share)
                self.assertGreaterEqual(quantile + 1e-9, share * count)
                self.assertTrue(quantile == 1 or quantile - 1 < share * count, (count, share))

    def test_find_program(self):
        """The folder of the variable is the only one, if there is one."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lightpath-none")
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho '[1]'\n")
            os.chmod(path, 0o755)
            before = dict(os.environ)
            self.addCleanup(os.environ.update, before)
            os.environ["LIGHTPATH_PROGRAMS"] = folder
            self.assertEqual(lightpath.run("lightpath-none"), [1])
            self.assertIsNone(lightpath.find_program("lightpath-train"))
            with self.assertRaisesRegex(lightpath.Failed, "There is no lightpath-train: build it"):
                lightpath.train()
            os.environ["LIGHTPATH_PROGRAMS"] = ""
            os.environ["PATH"] = f"{folder}:{before['PATH']}"
            self.assertEqual(lightpath.find_program("lightpath-none"), path)

    def test_wheel(self):
        """A wheel has the package."""
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(os.path.join(folder, make_wheel.build_wheel(folder))) as wheel:
                with open(lightpath.__file__, "rb") as file:
                    self.assertEqual(wheel.read("lightpath/__init__.py"), file.read())
                self.assertEqual(wheel.read(f"{make_wheel.STEM}.dist-info/RECORD").count(b"\n"), 4)


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(os.path.join(BUILD, "lightpath-train")),
    f"{BUILD}/lightpath-train is missing: build it, or set LIGHTPATH_BUILD",
)
class ProgramTests(unittest.TestCase):
    """The package with programs."""

    def setUp(self):
        os.environ["LIGHTPATH_PROGRAMS"] = os.path.abspath(BUILD)
        self.addCleanup(os.environ.pop, "LIGHTPATH_PROGRAMS")

    def test_all(self):
        """Each program returns a result."""
        results = {
            "parameterBytes": lightpath.model(show="resnet50"),
            "runs": lightpath.train(gpus=2, batch=16, model="resnet50", iterations=1),
            "rows": lightpath.collective(gpus=4, maxBytes="1MB"),
            "timePerOutputTokenSeconds": lightpath.infer(output=2),
            "messagesPerFlow": lightpath.oddl(flows=10, gpus=4),
            "lightpaths": lightpath.allocate("--demand=-", fabric="sip-ring", stdin="src,dst,bytes\n0,2,1000\n"),
            "marginDb": lightpath.budget(hops=1),
        }
        for key, result in results.items():
            self.assertIn(key, result)
        self.assertEqual((results["rows"]["ranks"], results["messagesPerFlow"]["nodes"]), (4, 4))
        for result in (lightpath.cluster(jobs=2, days=0.1), lightpath.availability(nodes=40), lightpath.budget(ports=True)):
            self.assertGreater(len(result["rows"]), 0)

    def test_refusals(self):
        """The sentence of a program is the text of the exception."""
        with self.assertRaisesRegex(lightpath.Refused, "^There is no option --modl: the nearest is --model, and"):
            lightpath.train(modl="resnet50")
        with self.assertRaisesRegex(lightpath.Refused, "; the nearest is all-reduce$"):
            lightpath.collective(collective="allreduce")

    def test_run_all(self):
        """Results come in order, refusals among them; an error ends all."""
        ended = []
        cases = [{"gpus": gpus, "model": "resnet50", "batch": 8, "planOnly": True} for gpus in (2, 0, 4)]
        two, refused, four = lightpath.run_all(lightpath.train, cases, 2, lambda number, case: ended.append(number))
        self.assertEqual((two["gpus"], four["gpus"], ended), (2, 4, [1, 2, 3]))
        self.assertIsInstance(refused, lightpath.Refused)
        with self.assertRaises(ZeroDivisionError):
            lightpath.run_all(lambda number: 1 / number, [1, 0, 2])

    def test_repair(self):
        """A job waits for a repair that comes later than a job may stall, and takes up just as long."""
        usual = get_times(**JOB)
        times = get_times(**JOB, fail=[f"{LINK}@2s", f"+{LINK}@9s"])
        self.assertAlmostEqual(times[1] - usual[1], 7, 9)
        with self.assertRaisesRegex(lightpath.Refused, "has made no progress"):
            lightpath.train(**JOB, fail=f"{LINK}@2s")

    def test_failure_at_beginning(self):
        """A link that fails while members of a ring begin does not change what events would do."""
        job = {**JOB, "computeNoise": "ns3::UniformRandomVariable[Min=0.9|Max=1.1]", "RngRun": 9}
        fail = [f"{LINK}@1025286587ns", f"+{LINK}@6025286587ns"]
        events = {"ns3::lightpath::TrainingJob::FastForward": False}
        self.assertEqual(get_times(**job, fail=fail), get_times(**job, fail=fail, **events))

    def run_seeds(self, *words):
        """Run lightpath-seeds and return its status, output and errors."""
        program = [sys.executable, os.path.join(FOLDER, "tools/lightpath-seeds")]
        run = subprocess.run([*program, *words, *lightpath.get_words(JOB)], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout, run.stderr

    def test_seeds(self):
        """Draws without noise are alike, and a flap costs at most the outage."""
        _, output, _ = self.run_seeds("--seeds=3", f"--flap={LINK}", "--outage=2", "--flapHours=0.5", "--json=-")
        result = json.loads(output)
        usual = get_times(**JOB)
        self.assertEqual(result["iterationSeconds"]["most"], max(usual[1:]))
        self.assertEqual(result["validation"], lightpath.train(**JOB)["runs"][0]["validation"])
        lost = result["flapLostSeconds"]
        # Most of the iteration is communication: a flap at its beginning waits for no message at first
        compute = lightpath.train(**JOB)["runs"][0]["computeSeconds"]
        self.assertTrue(2 - compute - 1e-6 < lost["p50"] <= lost["most"] < 2 + 1e-6)
        # 336 flaps in the hours in which the job makes progress
        self.assertEqual(result["flapsAWeek"], 336)
        self.assertAlmostEqual(result["goodput"], 604800 / (604800 + 336 * lost["mean"]), 12)

    def test_slow(self):
        """If all GPUs are slow, computation takes as much longer."""
        _, output, _ = self.run_seeds("--seeds=2", "--slowShare=1", "--slowSpeed=0.25", "--json=-")
        slow = json.loads(output)["iterationSeconds"]["mean"]
        times = get_times(**JOB, slow=[f"{rank}:0.25" for rank in range(16)])
        self.assertAlmostEqual(slow, sum(times[1:]) / 3, 12)

    def test_seeds_refused(self):
        """Wrong options are refused in one sentence."""
        for word, sentence in (
            ("--slowShare=2", "--slowShare must be a probability from 0 to 1"),
            ("--outage=0", "--outage must be above 0, and --flapHours at least 0"),
            ("--iterations=1", "give --iterations=3 or more"),
            ("--flap=link:none", "There is no component 'link:none'"),
            ("--modl=x", "There is no option --modl: the nearest is --model"),
            ("--iterations=none", "--iterations=none must be a number, like 64"),
        ):
            words = [word, "--flap=link:gpu-1:leaf-0"] if word.startswith("--iterations") else [word]
            with self.subTest(word):
                options = {key: value for key, value in JOB.items() if f"--{key}" != word.partition("=")[0]}
                program = [sys.executable, os.path.join(FOLDER, "tools/lightpath-seeds"), "--seeds=1"]
                run = subprocess.run(
                    [*program, *words, *lightpath.get_words(options)], capture_output=True, text=True, check=False
                )
                self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (1, "", 1), run.stderr)
                self.assertIn(sentence, run.stderr)


if __name__ == "__main__":
    unittest.main()
