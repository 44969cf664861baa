"""Tests of the claims of the papers: rules by hand, shares and biases by all words, tables by hand."""

import csv
import os
import sys
import tempfile
import unittest
from itertools import product

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "doc/figures/results.csv")
sys.path.insert(0, os.path.join(ROOT, "utils/figures"))

from cards import find_card
from charts import Axis
from claims import SipMl
from compare import merge
from manual import get_number, read_table
from paper_claims import Oddl, count_elements, get_bias, get_wrong_share
from rows import Rows
from verdicts import (
    ALL,
    NONE,
    SOME,
    Claim,
    describe_light,
    judge_least,
    judge_most,
    judge_range,
    judge_reach,
)


def average(words, is_even=False):
    """Return the mean of words, rounded."""
    low, rest = divmod(sum(words), len(words))
    return low + (2 * rest > len(words) or (2 * rest == len(words) and not (is_even and low % 2 == 0)))


class ClaimsTests(unittest.TestCase):
    """Rules, closed forms and tables behind the page of claims."""

    def test_rules(self):
        """Numbers near the ends of what a claim allows."""
        for values, judgement in (((1.04, 0.9), ALL), ((1.04, 1.06), SOME), ((1.06,), NONE), ((), None)):
            self.assertEqual(judge_most(values, 1, 0.05), judgement)
        self.assertEqual(judge_least([1.45, 1.43], 1.6, 0.1), SOME)
        self.assertEqual(judge_range([1.18, 9.9], 1.3, 9.1), ALL)
        self.assertEqual(judge_range([1.16, 10.1], 1.3, 9.1), NONE)
        for speedups, judgement in (((1.1, 1.85), ALL), ((1.1, 2.15), ALL), ((1.1, 7.35), SOME), ((1.04,), NONE)):
            self.assertEqual(judge_reach(speedups, 2), judgement)

    def test_verdicts(self):
        """The word for each pair of judgements."""
        words = {
            (ALL, ALL): "reproduced",
            (ALL, None): "reproduced",
            (ALL, NONE): "partly",
            (SOME, None): "partly",
            (NONE, SOME): "partly",
            (NONE, NONE): "not",
            (None, NONE): "not",
            (None, None): "-",
        }
        for (first, second), word in words.items():
            self.assertEqual(Claim("", ("", first), ("", second), "", None).get_verdict(), word)

    def test_light(self):
        """What rows say of their light: nothing, all of them, some, and the longest lightpath of rings."""

        def row(fabric, feasible, hops="", amplifiers="", fault=""):
            light = {"light_hops": hops, "light_amplifiers": amplifiers, "light_fault": fault}
            return {"fabric": fabric, "feasible": feasible, **light}

        planned = row("sip-ring", "")
        short, long = row("sip-ring", "true", "2", "1"), row("sip-ring", "true", "16", "15")
        dark = row("oddl", "false", "1", "0", "wavelengths of a switch")
        self.assertEqual(describe_light([planned]), "-")
        self.assertEqual(describe_light([planned, short, long]), "yes; ring: 16 segments, 15 amplifiers")
        self.assertEqual(describe_light([row("sip-ring", "true", "1", "0")]), "yes; ring: 1 segment, no amplifiers")
        self.assertEqual(describe_light([dark]), "no: wavelengths of a switch")
        self.assertEqual(describe_light([dark, row("oddl", "true", "1", "0")]), "no: wavelengths of a switch (1 of 2 runs)")

    def test_cards(self):
        """A model that takes 4 times as long with 100 Gb/s and as long with 400 takes twice as long with 200."""
        ratios = {400: {("m", 2e12): 1.0}, 100: {("m", 2e12): 4.0}}
        self.assertAlmostEqual(find_card(ratios, "m", 2), 200)
        self.assertIsNone(find_card(ratios, "m", 5))

    def test_axis(self):
        """Places on a logarithmic axis, and at its end beyond."""
        axis = Axis(10, 110, 0.1, 1000)
        self.assertEqual([axis.place(value) for value in (0.1, 10, 1000, 5000)], [10, 60, 110, 110])

    def test_pages(self):
        """A page says nothing of GPUs that its rows do not have, and minutes that are others are not met."""
        with open(RESULTS, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        verdicts = {}
        for most in (4096, 256):
            with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0])
                writer.writeheader()
                writer.writerows(
                    row for row in rows if not row["sweep"].startswith("scale/") or int(row["gpus"]) <= most
                )
                file.flush()
                found = Rows(file.name)
                claims = {claim.paper: claim for claim in SipMl(found).get() + Oddl(found).get()}
            scale = claims["scales to thousands of GPUs"]
            self.assertIn(f"iteration on {most} GPUs", scale.ours)
            verdicts[most] = scale.get_verdict()
            self.assertEqual(next(c for p, c in claims.items() if p.startswith("97.8 min")).get_verdict(), "partly")
        self.assertEqual(verdicts, {4096: "reproduced", 256: "-"})

    def test_averages(self):
        """Biases and errors of two levels, by all words of all servers."""
        for servers in (2, 4):
            words = list(product(range(2 * servers), repeat=servers))
            for is_even in (False, True):
                bias = sum(average(each, is_even) - sum(each) / servers for each in words) / len(words)
                self.assertAlmostEqual(get_bias(servers, is_even), bias)
        self.assertEqual(get_bias(4, False), 0.125)
        words = list(product(range(8), repeat=4))
        wrong = sum(average([average(w[:2]), average(w[2:])]) != average(w) for w in words)
        self.assertAlmostEqual(get_wrong_share(2), wrong / len(words))

    def test_elements(self):
        """A matrix of 8 x 4: 28 + 6 + 4 interferometers, or 2 blocks of 6 and a diagonal of 4."""
        self.assertEqual(count_elements([4, 8]), (38, 20))
        self.assertEqual(count_elements([8, 4]), (38, 20))

    def test_tables(self):
        """A table of the manual has its rows, and heads that are alike a number."""
        rows = read_table("optinc-learning-table.rst", "network")
        self.assertEqual(len(rows), 14)
        self.assertEqual(rows[0]["gradients"], "float")
        self.assertEqual(list(rows[0])[3:6], ["to floats", "accuracy %", "to floats 2"])
        self.assertEqual([get_number(text) for text in ("1,294 of", "0.93 %", "-0.5 +- 1")], [1294, 0.93, -0.5])

    def test_merge(self):
        """Rows of one figure are new, those of another stay, and those of none go."""
        lines = [("a/x", "--gpus=8"), ("b/x", "--gpus=8 --fold"), ("b/x", "--gpus=16")]

        def write(path, rows):
            with open(path, "w", encoding="utf-8", newline="") as file:
                table = csv.writer(file)
                table.writerow(["sweep", "accelerator", "iterations", "gpus", "fold", "error", "iteration_s"])
                table.writerows(rows)

        with tempfile.TemporaryDirectory() as folder:
            part, whole = os.path.join(folder, "part.csv"), os.path.join(folder, "whole.csv")
            write(part, [("b/x", "V100", 1, 8, "true", "", 3), ("b/x", "V100", 1, 16, "", "", 4)])
            write(whole, [("b/x", "V100", 1, 8, "true", "", 1), ("c/x", "V100", 1, 8, "", "", 9), ("a/x", "V100", 1, 8, "", "", 2)])
            merge(part, whole, ["b"], lines)
            with open(whole, encoding="utf-8", newline="") as file:
                rows = [(row["sweep"], row["gpus"], row["iteration_s"]) for row in csv.DictReader(file)]
        self.assertEqual(rows, [("a/x", "8", "2"), ("b/x", "8", "3"), ("b/x", "16", "4")])


if __name__ == "__main__":
    unittest.main()
