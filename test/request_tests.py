"""Tests of lightpath-requests: closed forms of queues, and what must be the same before and after."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("LIGHTPATH_BUILD", "build")
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "tools")]

from request_queue import Curve, Request, Surface, draw_requests, serve


class QueueTests(unittest.TestCase):
    """The queues, without programs."""

    def test_constant_prefill(self):
        """Prompts of one size wait as in M/D/1: rho s / (2 (1 - rho)) on average."""
        for load in (0.3, 0.6, 0.8):
            requests = draw_requests(100000, load, 100, 1, 7)
            served, busy, _ = serve(requests, lambda tokens: 1.0, lambda tokens: 0.0, None, 1)
            waits = [each.first - each.request.arrival - 1 for each in served]
            expected = load / (2 * (1 - load))
            self.assertAlmostEqual(sum(waits) / len(waits) / expected, 1, delta=0.05)
            self.assertAlmostEqual(busy, 100000)

    def test_mixed_prefill(self):
        """Prompts of two sizes wait as in M/G/1, by the formula of Pollaczek and Khinchine."""
        draw = random.Random(3)
        rate = 0.5
        requests = [each._replace(prompt=draw.choice((1, 3))) for each in draw_requests(200000, rate, 1, 1, 11)]
        seconds = lambda tokens: 0.6 * tokens
        served, _, _ = serve(requests, seconds, lambda tokens: 0.0, None, 1)
        waits = [each.first - each.request.arrival - seconds(each.request.prompt) for each in served]
        square, load = (0.6**2 + 1.8**2) / 2, rate * 1.2
        self.assertAlmostEqual(sum(waits) / len(waits) / (rate * square / 2 / (1 - load)), 1, delta=0.05)

    def test_decode_alone(self):
        """A request that has the GPUs to itself takes a step for each token after the first one."""
        request = Request(2.0, 100, 11)
        (served,), _, busy = serve([request], lambda tokens: 0.5, lambda tokens: 0.25, lambda n, context: 1e-3 * context, 8)
        self.assertAlmostEqual(served.first, 2.5)
        # The context grows from 101 to 110 tokens
        self.assertAlmostEqual(busy, 1e-3 * sum(range(101, 111)))
        self.assertAlmostEqual(served.last, 2.75 + busy)

    def test_batches(self):
        """Batches that are full take as many steps as there are tokens in all over the batch."""
        requests = [Request(0.0, 10, 21)] * 64
        served, _, busy = serve(requests, lambda tokens: 0.0, lambda tokens: 0.0, lambda n, context: 1.0, 16)
        self.assertEqual(busy, 64 * 20 / 16)
        self.assertEqual(sorted({each.last for each in served}), [20, 40, 60, 80])

    def test_context(self):
        """The context is that of the sequences in the batch, each a token longer at each step."""
        requests = [Request(0.0, 10, 3), Request(0.0, 100, 5)]
        _, _, busy = serve(requests, lambda tokens: 0.0, lambda tokens: 0.0, lambda n, context: n * context, 8)
        self.assertAlmostEqual(busy, (11 + 101) + (12 + 102) + 103 + 104)

    def test_conservation(self):
        """Each request is served once, in order of causes, and the mean number of requests is that of Little's law."""
        draw = random.Random(5)
        requests = [
            each._replace(prompt=draw.randrange(1, 500), output=draw.randrange(1, 60))
            for each in draw_requests(3000, 4.0, 1, 1, 2)
        ]
        served, _, _ = serve(requests, lambda t: 4e-4 * t, lambda t: 1e-3, lambda n, c: 5e-3 + 1e-4 * n + 1e-6 * n * c, 32)
        self.assertEqual(sorted(each.request for each in served), requests)
        for each in served:
            self.assertLessEqual(each.request.arrival, each.first)
            self.assertEqual(each.first == each.last, each.request.output == 1)
        events = sorted([(each.request.arrival, 1) for each in served] + [(each.last, -1) for each in served])
        area = count = last = 0.0
        for clock, change in events:
            area += count * (clock - last)
            count, last = count + change, clock
        self.assertAlmostEqual(area / sum(each.last - each.request.arrival for each in served), 1)

    def test_curves(self):
        """Curves and surfaces are straight between points."""
        curve = Curve([(0, 1.0), (2, 3.0), (4, 3.0)])
        self.assertEqual([curve(x) for x in (0, 1, 2, 3, 4)], [1, 2, 3, 3, 3])
        surface = Surface({1: Curve([(0, 0.0), (10, 10.0)]), 3: Curve([(0, 2.0), (10, 12.0)])})
        self.assertEqual(surface(2, 5), 6.0)


@unittest.skipUnless(os.path.exists(os.path.join(BUILD, "lightpath-infer")), "the programs are not built")
class ProgramTests(unittest.TestCase):
    """The program."""

    def run_program(self, *words):
        """Run it and return its status, output and errors."""
        environment = {**os.environ, "LIGHTPATH_PROGRAMS": os.path.abspath(BUILD)}
        command = [sys.executable, os.path.join(FOLDER, "tools/lightpath-requests"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        return done.returncode, done.stdout, done.stderr

    def test_light_load(self):
        """Requests far apart take the times of lightpath-infer."""
        job = ["--model=llama-3-8b", "--accelerator=H100", "--fabric=electrical"]
        code, output, errors = self.run_program(
            *job, "--requests=20", "--rate=0.001", "--prompt=1024", "--output=101", "--decodeBatch=4", "--json=-"
        )
        self.assertEqual((code, errors), (0, ""))
        seconds = json.loads(output)["seconds"]
        words = [*job, "--prompt=1024", "--output=101", "--json=-"]
        done = subprocess.run([f"{BUILD}/lightpath-infer", *words], capture_output=True, text=True, check=True)
        alone = json.loads(done.stdout)
        self.assertAlmostEqual(seconds["first token"]["p99"] / alone["timeToFirstTokenSeconds"], 1, delta=1e-3)
        self.assertAlmostEqual(seconds["a token"]["p50"] / alone["timePerOutputTokenSeconds"], 1, delta=0.01)

    def test_refusals(self):
        """Wrong options and traces are refused in one sentence."""
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace.csv")
            for text, sentence in (
                ("arrival,prompt\n0,5\n", "has no column output in line 1"),
                ("arrival,prompt,output\n0,0,5\n", "has a request in line 2"),
                ("arrival,prompt,output\n", "has no requests"),
            ):
                with open(trace, "w", encoding="utf-8") as file:
                    file.write(text)
                code, output, errors = self.run_program(f"--trace={trace}")
                self.assertEqual((code, output, errors.count("\n")), (1, "", 1), errors)
                self.assertIn(sentence, errors)
        for word, sentence in (("--rate=0", "--rate must be above 0"), ("--batch=8", "--batch has no meaning"), ("--model=lama-3-8b", "lama-3-8b")):
            code, output, errors = self.run_program(word)
            self.assertEqual((code, output, errors.count("\n")), (1, "", 1), errors)
            self.assertIn(sentence, errors)


if __name__ == "__main__":
    unittest.main()
