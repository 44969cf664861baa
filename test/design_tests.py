"""Tests of lightpath-design: fronts by their definition, bounds that exclude nothing, bills, and refusals."""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("LIGHTPATH_BUILD", "build")
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "tools")]

import design_search
import job_goodput
import lightpath

JOB = ["--model=gpt2-xl:layers=8", "--accelerator=H100", "--server=dgx-h100", "--gpus=16", "--batch=64", "--serverGpus=8"]
SPACE = ["--fabric={electrical,sip-ring,sip-ocs}", "--bandwidth={100Gbps,400Gbps}", "--switches={1,4}"]
GPU_DOLLARS, GPU_WATTS = 27500, 700


def make(*values):
    """Return a design with time, price and power."""
    design = design_search.Design({})
    design.seconds, design.dollars, design.watts = values
    return design


class FrontTests(unittest.TestCase):
    """Fronts without programs."""

    def test_front(self):
        """A front has those that no other one beats, of random designs on a grid of whole steps."""
        draw = random.Random(1)
        for _ in range(100):
            designs = [make(*(1.5 ** draw.randrange(6) for _ in range(3))) for _ in range(40)]
            values = {design.get_values() for design in designs}
            expected = {
                mine for mine in values
                if not any(other != mine and all(o <= m for o, m in zip(other, mine)) for other in values)
            }
            front = design_search.find_front(designs, 0.01)
            self.assertEqual({design.get_values() for design in front}, expected)
            self.assertEqual(len(front), len(expected))
            rows = [design for design, _ in design_search.choose_rows(front, 5)]
            self.assertTrue(min(5, len(front)) <= len(rows) <= max(5, len(front)))
            for number in range(3):
                least = min(design.get_values()[number] for design in designs)
                self.assertIn(least, [row.get_values()[number] for row in rows])

    def test_tolerance(self):
        """What differs by less than the tolerance is equal."""
        slow, dear = make(1.0001, 100.0, 10.0), make(1.0, 200.0, 10.0)
        self.assertEqual(design_search.find_front([slow, dear], 0.01), [slow])
        self.assertEqual(len(design_search.find_front([slow, dear], 1e-6)), 2)

    def test_goodput(self):
        """The efficiency is that of drawn failures; failures of Llama 3 are 419 in 54 days."""
        self.assertAlmostEqual(54 * 24 / job_goodput.get_stop_hours("llama-3", 16384), 419)
        draw = random.Random(1)
        for write, restart, between in ((60, 360, 11135), (120, 60, 4000), (10, 1000, 50000)):
            interval = job_goodput.get_interval(write, between)
            done = clock = 0.0
            for _ in range(20000):
                left = draw.expovariate(1 / between)
                while left < restart:
                    # A failure while it restarts begins the restart again
                    clock += left
                    left = draw.expovariate(1 / between)
                count = int((left - restart) // (interval + write))
                clock += left
                done += count * interval
            self.assertAlmostEqual(job_goodput.get_efficiency(write, restart, between) / (done / clock), 1, delta=0.01)
            # No other interval is much better
            best = max(
                tau / between / math.exp(restart / between) / math.expm1((tau + write) / between)
                for tau in range(10, 5 * int(interval), 10)
            )
            self.assertGreater(job_goodput.get_efficiency(write, restart, between), 0.9999 * best)
        # Five seconds for each of ten flaps an hour
        self.assertAlmostEqual(job_goodput.get_goodput("none", 100, 60, 360, 10, 5), 1 / (1 + 50 / 3600))

    def test_words(self):
        """Options with several values are searched, those with one are not."""
        axes, others = design_search.read_words(["--tp={2,4}", "--fabric=oddl", "--fabric=torus", "--batch=8", "--fold"])
        self.assertEqual((axes["tp"], axes["fabric"], axes["serverGpus"]), (["2", "4"], ["oddl", "torus"], ["1"]))
        self.assertEqual(others, ["--fold", "--batch=8", "--accelerator=H100"])
        self.assertEqual(design_search.read_words(["--server=dgx-h100", "--gpus=64"])[0]["serverGpus"], ["8", "16", "32"])
        self.assertEqual(design_search.read_words(["--server=dgx-h100", "--gpus=8"])[0]["serverGpus"], ["8"])


@unittest.skipUnless(os.path.exists(os.path.join(BUILD, "lightpath-train")), "the programs are not built")
class ProgramTests(unittest.TestCase):
    """The program."""

    def setUp(self):
        os.environ["LIGHTPATH_PROGRAMS"] = os.path.abspath(BUILD)
        self.addCleanup(os.environ.pop, "LIGHTPATH_PROGRAMS")

    def run_design(self, *words):
        """Run lightpath-design and return its status, output and errors."""
        program = [sys.executable, os.path.join(FOLDER, "tools/lightpath-design")]
        run = subprocess.run([*program, *words], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout, run.stderr

    def search(self, *words):
        """Return the result of a search."""
        code, output, errors = self.run_design(*JOB, *SPACE, "--json=-", *words)
        self.assertEqual((code, errors), (0, ""))
        return json.loads(output)

    def test_bounds(self):
        """Bounds exclude no design of the front, whose rows their commands reproduce."""
        words = ["--planner=search", "--searches=0"]
        result, whole = self.search(*words), self.search(*words, "--all")
        self.assertGreater(result["counts"]["excluded by a bound"], 0)
        self.assertEqual(whole["counts"]["excluded by a bound"], 0)
        names = ("network", "iterationSeconds", "dollars", "watts", "goals")
        self.assertEqual(*([{name: row[name] for name in names} for row in each["rows"]] for each in (result, whole)))
        for row in result["rows"]:
            again = lightpath.train(*row["command"][1:], cost=True, planOnly=True, rehearse=False)
            cost = again["runs"][0]["cost"]
            self.assertEqual(row["iterationSeconds"], again["plan"]["predictedIterationSeconds"])
            self.assertAlmostEqual(row["dollars"], cost["networkDollars"] + 16 * GPU_DOLLARS, 6)
            self.assertAlmostEqual(row["watts"], cost["networkWatts"] + 16 * GPU_WATTS, 6)

    def test_equal_servers(self):
        """Where one fabric brings servers with it, all designs have these, unless options say otherwise."""
        job = ["--model=bert-large:layers=2", "--gpus=16", "--batch=32", "--planner=fixed", "--bandwidth=400Gbps", "--switches=1"]
        job += ["--fabric={electrical,photonic-rails}", "--optics=pluggable", "--by=fabric"]
        seconds = []
        for options in [], ["--serverGpus=8", "--serverRate=2960Gbps"], ["--serverGpus=1"]:
            code, output, errors = self.run_design(*job, *options, "--json=-")
            self.assertEqual((code, errors), (0, ""))
            result = json.loads(output)
            self.assertEqual("servers" in result, not options)
            sizes = {row["network"]["serverGpus"] for row in result["rows"]}
            self.assertEqual(sizes, {"1" if "--serverGpus=1" in options else "8"})
            seconds.append({row["fabric"]: row["iterationSeconds"] for row in result["rows"]})
            for row in result["rows"]:
                again = lightpath.train(*row["command"][1:], cost=True, planOnly=True, rehearse=False)
                self.assertEqual(row["iterationSeconds"], again["plan"]["predictedIterationSeconds"])
        self.assertEqual(seconds[0], seconds[1])
        self.assertGreater(seconds[2]["electrical"], seconds[0]["electrical"])
        code, output, errors = self.run_design(*job)
        self.assertEqual((code, errors), (0, ""))
        said = "servers of 8 GPUs with 2960Gbps inside, the default of photonic-rails, for all fabrics"
        self.assertIn(said, " ".join(output.split()))

    def test_owned(self):
        """An option of some fabrics counts for these, also with one value."""
        job = ["--model=bert-large:layers=2", "--gpus=16", "--batch=32", "--planner=fixed", "--serverGpus=8", "--by=fabric"]
        code, output, errors = self.run_design(
            *job, "--fabric={electrical,photonic-rails}", "--reconfigurationDelay=1ms", "--json=-", "--bandwidth=400Gbps", "--switches=1"
        )
        self.assertEqual((code, errors), (0, ""))
        rows = json.loads(output)["rows"]
        self.assertEqual({row["network"]["fabric"] for row in rows}, {"electrical", "photonic-rails"})
        for row in rows:
            self.assertEqual("reconfigurationDelay" in row["network"], row["network"]["fabric"] == "photonic-rails")

    def test_budget(self):
        """No design costs or draws more than the budget, and those of less money are as many as without it."""
        free = self.search("--by=bandwidth")["rows"]
        limit = sorted(row["dollars"] for row in free)[0]
        rows = self.search(f"--dollars={limit}")["rows"]
        self.assertTrue(rows and all(row["dollars"] <= limit for row in rows))
        code, _, errors = self.run_design(*JOB, *SPACE, "--watts=10")
        self.assertEqual((code, errors.count("\n")), (1, 1))
        self.assertIn("No design can be built (", errors)

    def test_picture(self):
        """The picture is XML with a point for each design in each half, and the JSON has the simulated time."""
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "all.svg")
            result = self.search("--simulate", f"--svg={picture}")
            shapes = xml.dom.minidom.parse(picture).getElementsByTagName("circle")
        for row in result["rows"]:
            self.assertTrue(math.isclose(row["simulatedSeconds"], row["iterationSeconds"], rel_tol=0.05))
        self.assertGreater(len(shapes), 2 * len(result["rows"]))

    def test_copper(self):
        """Optics inside servers cost two transceivers of 239 $ and 4.5 W a link more."""
        words = ["--planner=fixed", "--searches=0", "--by=serverGpus", "--fabric=electrical", "--optics=pluggable"]
        copper, optics = (self.search(*words, f"--copperGpus={gpus}")["rows"][0] for gpus in (8, 4))
        links = 16 * 3600 / 200
        self.assertAlmostEqual(optics["dollars"] - copper["dollars"], 2 * 239 * links, 6)
        self.assertAlmostEqual(optics["watts"] - copper["watts"], 2 * 4.5 * links, 6)
        self.assertEqual(optics["iterationSeconds"], copper["iterationSeconds"])

    def test_refusals(self):
        """Wrong options are refused in one sentence."""
        for word, sentence in (
            ("--tolerance=0", "--tolerance must be above 0, and at most 1"),
            ("--dollars=-1", "--dollars and --watts must be at least 0"),
            ("--compare=oddl", "--compare is not for a search"),
            ("--by=model", "--by=model is not searched: those that are"),
            ("--modl=x", "There is no option --modl: the nearest is --model"),
            ("--accelerator=H200", "Price or power of H200 is not known: give gpu-H200 in a file to --components"),
            ("--bandwidth=fast", "--bandwidth=fast must be a rate, like 400Gbps"),
            ("--planner=none", "There is no planner 'none'"),
            ("--serverGpus=7", "No design can be built"),
        ):
            with self.subTest(word):
                job = [each for each in JOB if each.split("=")[0] != word.split("=")[0]]
                space = [] if word.startswith("--bandwidth") else SPACE
                code, output, errors = self.run_design(*job, *space, word)
                self.assertEqual((code, output, errors.count("\n")), (1, "", 1), errors)
                self.assertIn(sentence, errors)


if __name__ == "__main__":
    unittest.main()
