"""Tests of the fit of an accelerator file to measured operators, and of the script that measures them."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SCRIPT = os.path.join(ROOT, "utils", "measure-operators.py")
BUILD = os.environ.get("LIGHTPATH_BUILD", os.path.join(ROOT, "build"))

sys.path.insert(0, os.path.join(ROOT, "utils"))

from measuring import fit

# Figures that the samples below follow: rates in 1/s, times in s
RATE, RAMP = 600e12, 25e-6
EIGHT_RATE, SINGLE_RATE, ATTENTION_RATE = 1100e12, 300e12, 400e12
MEMORY_RATE, MEMORY_RAMP, LAUNCH = 2.8e12, 2e-6, 4e-6


def has_torch():
    """Return whether Python has PyTorch."""
    return subprocess.run([sys.executable, "-c", "import torch"], capture_output=True, check=False).returncode == 0


def make_samples(seed, noise):
    """Return samples of operators whose times follow the figures above, and some that do not."""
    draw = random.Random(seed)
    samples = []

    def add(kind, precision, flops, moved, rate):
        seconds = max(flops / rate + RAMP if flops else 0, moved / MEMORY_RATE + MEMORY_RAMP) + LAUNCH
        seconds *= 1 + noise * draw.uniform(-1, 1)
        # Every tenth sample is disturbed
        seconds *= 2 if noise and len(samples) % 10 == 9 else 1
        precisions = {"precision": precision} if precision else {}
        samples.append({"kind": kind, **precisions, "flops": flops, "bytes": moved, "seconds": seconds})

    samples.extend({"kind": "launch", "flops": 0, "bytes": 0, "seconds": LAUNCH} for _ in range(3))
    for exponent in range(16, 31):
        add("copy", "", 0, 2 * 2**exponent, 1)
    for precision, rate in (("half", RATE), ("fp8", EIGHT_RATE), ("tf32", SINGLE_RATE)):
        for size in (512, 1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384):
            add("product", precision, 2 * size**3, 6 * size**2, rate)
        # They wait for the memory
        for rows in (1, 4, 16):
            add("product", precision, 2 * rows * 8192 * 28672, 2 * 8192 * 28672, rate)
    for tokens in (1024, 2048, 4096, 8192):
        add("attention", "half", 4 * 128 * 64 * tokens**2 // 2, 2**20, ATTENTION_RATE)
    return samples


class FitTests(unittest.TestCase):
    """The fit recovers the figures that times follow from."""

    def check(self, groups, share, share_of_times):
        """Compare figures with those of the samples."""
        values = {**groups["measured"], **groups["fitted"]}
        rates = {
            "halfMatmulEfficiency": ("halfFlopsPerSecond", RATE),
            "fp8MatmulEfficiency": ("fp8FlopsPerSecond", EIGHT_RATE),
            "singleMatmulEfficiency": ("tf32FlopsPerSecond", SINGLE_RATE),
            "halfAttentionEfficiency": ("halfFlopsPerSecond", ATTENTION_RATE),
            "memoryEfficiency": ("memoryBytesPerSecond", MEMORY_RATE),
        }
        for efficiency, (peak, rate) in rates.items():
            self.assertAlmostEqual(values[efficiency] * values[peak] / rate, 1, delta=share, msg=efficiency)
        self.assertAlmostEqual(values["productRampSeconds"] / RAMP, 1, delta=share_of_times)
        self.assertAlmostEqual(values["launchSeconds"] / LAUNCH, 1, delta=share_of_times)

    def test_exact(self):
        """Times without noise give the figures."""
        groups = fit.fit(make_samples(1, 0))
        self.check(groups, 1e-3, 1e-2)
        for kind, (_, largest, _) in fit.get_errors(
            {**groups["measured"], **groups["fitted"]}, make_samples(1, 0)
        ).items():
            self.assertLess(abs(largest), 0.02, kind)

    def test_experts(self):
        """Permutations and grouped products give their two figures; without them there are none."""
        samples = make_samples(1, 0)
        self.assertNotIn("gatherEfficiency", fit.fit(samples)["fitted"])
        peak = fit.fit(samples)["measured"]["memoryBytesPerSecond"]
        for moved in (2**28, 2**29, 2**30):
            seconds = moved / (0.5 * peak) + LAUNCH
            samples.append({"kind": "permute", "flops": 0, "bytes": moved, "seconds": seconds})
        for experts in (8, 32, 64):
            flops, moved = experts * 2 * 256 * 4096 * 2048, experts * 2 * 4096 * 2048
            seconds = flops / RATE + moved / MEMORY_RATE + experts * 3e-6 + LAUNCH
            shape = f"{experts} x 256 x 4096 x 2048"
            samples.append({"kind": "grouped", "shape": shape, "flops": flops, "bytes": moved, "seconds": seconds})
        fitted = fit.fit(samples)["fitted"]
        self.assertAlmostEqual(fitted["gatherEfficiency"], 0.5, delta=0.01)
        self.assertAlmostEqual(fitted["expertRampSeconds"], 3e-6, delta=1e-7)

    def test_noise(self):
        """Noise and outliers change little."""
        for seed in range(10):
            self.check(fit.fit(make_samples(seed, 0.03)), 0.03, 0.2)

    def test_few(self):
        """Too few samples are refused."""
        for kinds in ({"launch"}, {"launch", "copy"}):
            samples = [sample for sample in make_samples(1, 0) if sample["kind"] in kinds]
            with self.assertRaisesRegex(ValueError, "too few samples"):
                fit.fit(samples)


class FileTests(unittest.TestCase):
    """Programs read the file, and the script ends with a sentence where it cannot measure."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "gpu.json")

    def show(self):
        """Return what lightpath-model prints of the file."""
        program = os.path.join(BUILD, "lightpath-model")
        if "LIGHTPATH_BUILD" not in os.environ and not os.path.exists(program):
            self.skipTest(f"{program} is missing: build it, or set LIGHTPATH_BUILD")
        done = subprocess.run([program, f"--accelerator={self.path}"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_file(self):
        """The file has what a program needs, and says how it was made."""
        facts = {"device": "A GPU", "date": "2026-01-31", "torch": "2.9", "runtime": "CUDA 13.0", "driver": "580.1"}
        fit.write_file(self.path, "gpu", fit.fit(make_samples(1, 0)), 80, facts)
        text = self.show()
        self.assertIn("gpu: A GPU, measured\n", text)
        for key, value in facts.items():
            self.assertIn(f"  {key}: {value}\n", text)
        self.assertRegex(text, r"launchSeconds +4e-06 +fitted")
        self.assertRegex(text, r"serverGpus +1 +assumed")

    def test_script(self):
        """The script measures a processor; without PyTorch, or a GPU, it says what is missing."""
        command = [sys.executable, SCRIPT, "--seconds=20", "--name=cpu", f"--out={self.path}"]
        if not has_torch():
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "^measure-operators.py: PyTorch is missing: .*\n$")
            print("\nNOTE measure-operators.py has measured nothing: PyTorch is missing (utils/setup.sh learning)")
            return
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("There is no GPU", done.stderr)
        done = subprocess.run([*command, "--cpu"], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path, encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual(set(document["provenance"]), {"device", "date", "program", "torch", "runtime", "seconds"})
        self.show()


if __name__ == "__main__":
    unittest.main()
