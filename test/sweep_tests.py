"""Tests of the parts of utils/sweep, with values that a shell or long multiplication gives."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "utils"))

from sweeping.grid import Grid, read_grids, split_words
from sweeping.patterns import expand
from sweeping.program import Outcome, describe, judge, parse_json
from sweeping.store import Store
from sweeping.table import make_table


class PatternTests(unittest.TestCase):
    """Lists and ranges of values."""

    def check(self, pattern, expected):
        """Compare what a pattern stands for to values with bars between."""
        self.assertEqual("|".join(expand(pattern)), expected, pattern)

    def test_ranges(self):
        """Ranges without units."""
        self.check("{9..12}", "9|10|11|12")
        self.check("{12..9}", "12|11|10|9")
        self.check("{9..20+4}", "9|13|17")
        self.check("{20..9-4}", "20|16|12")
        self.check("{-2..1}", "-2|-1|0|1")
        self.check("{-0..1}", "0|1")
        self.check("{0.1..0.5+0.1}", "0.1|0.2|0.3|0.4|0.5")
        self.check("{0.5..2.25}", "0.5|1.5")
        self.check("{.5..1+.25}", "0.5|0.75|1")
        self.check("{64..1024*2}", "64|128|256|512|1024")
        self.check("{64..1000*2}", "64|128|256|512")
        self.check("{1024..100*0.5}", "1024|512|256|128")
        self.check("{7..7}", "7")
        self.check("{7..7*3}", "7")
        self.check("{100..300+100}", "100|200|300")
        # 1.1^n by long multiplication
        self.check("{1..1.5*1.1}", "1|1.1|1.21|1.331|1.4641")
        # 1.00001^3 = 1.000030000300001 has more digits than are kept
        self.check("{1..1.00003001*1.00001}", "1|1.00001|1.0000200001|1.0000300003")

    def test_units(self):
        """Ranges with units."""
        self.check("{0.5Tbps..8Tbps*2}", "0.5Tbps|1Tbps|2Tbps|4Tbps|8Tbps")
        self.check("{1us..30ms*10}", "1us|10us|100us|1ms|10ms")
        self.check("{30ms..1us*0.1}", "30ms|3ms|300us|30us|3us")
        self.check("{250Gbps..1Tbps+250}", "250Gbps|500Gbps|750Gbps|1Tbps")
        self.check("{1ms..2ms+500us}", "1ms|1.5ms|2ms")
        self.check("{400Gb/s..1.6Tb/s*2}", "400Gb/s|800Gb/s|1.6Tb/s")
        self.check("{1kB..1MB*1000}", "1kB|1MB")
        self.check("{0us..1ms+500us}", "0us|500us|1ms")
        self.check("{1min..3min}", "1min|2min|3min")
        self.check("{9..11}us", "9us|10us|11us")
        self.check("{1500us..3500us+1000}", "1500us|2500us|3500us")
        # As many digits as there may be
        self.check(
            "{100000s..100000.000000002s+1ns}", "100000s|100000.000000001s|100000.000000002s"
        )

    def test_lists(self):
        """Lists, groups within groups and several groups."""
        self.check("", "")
        self.check("plain,text", "plain,text")
        self.check("{a,b}{1,2}c", "a1c|a2c|b1c|b2c")
        self.check("m:layers={2..6*2,24}", "m:layers=2|m:layers=4|m:layers=24")
        self.check("x{,:y=1}", "x|x:y=1")
        self.check("{a,b{1..2},c}", "a|b1|b2|c")
        self.check("{{a,b},c}", "a|b|c")
        self.check("{../a.json,b..c/d}", "../a.json|b..c/d")
        self.check("1..2", "1..2")
        self.check("{3:0.5,7:0.9}", "3:0.5|7:0.9")

    def test_refusals(self):
        """Patterns that stand for nothing."""
        for pattern, part in {
            "{}": "empty list",
            "a{": "does not close",
            "{a,b": "does not close",
            "a}": "not open",
            "{" * 21 + "a" + "}" * 21: "more than 20 groups",
            "{1..}": "not a range",
            "{a..e}": "not a range",
            "{1..9+}": "not a range",
            "{1..9+-1}": "not a range",
            "{1..9*2us}": "factor with a unit",
            "{1..9/2}": "not a range",
            "{1..9 }": "not a range",
            "{1..9*1}": "never ends",
            "{1..9+0}": "never ends",
            "{1..9-1}": "never ends",
            "{9..1+1}": "never ends",
            "{9..1*2}": "never ends",
            "{1..9*0.5}": "never ends",
            "{0..9*2}": "above 0",
            "{-4..-9*2}": "above 0",
            "{1us..9Gbps*2}": "not of one kind",
            "{1..9us}": "not of one kind",
            "{1..1000000}": "more than 100000 values",
            "{1..2*1.0000000000001}": "more than 100000 values",
            "{1..1234567890123456}": "more than 15 digits",
            "{1..1000}{1..1000}{1..2}": "more than 1000000 values",
        }.items():
            with self.subTest(pattern), self.assertRaisesRegex(ValueError, part):
                expand(pattern)


class GridTests(unittest.TestCase):
    """The runs of a line."""

    def check(self, words, common, expected):
        """Compare the runs of a line to command lines with bars between."""
        runs = Grid(words.split(), common.split()).get_runs()
        self.assertEqual("|".join(" ".join(run.get_words()) for run in runs), expected)

    def test_combinations(self):
        """All combinations, those of the first option changing slowest."""
        self.check(
            "--gpus={1,2} --fold --batch={8..10+2}",
            "",
            "--gpus=1 --fold --batch=8|--gpus=1 --fold --batch=10|"
            "--gpus=2 --fold --batch=8|--gpus=2 --fold --batch=10",
        )
        self.check("--gpus=1 --batch=8 --gpus=2", "", "--gpus=1 --batch=8|--gpus=2 --batch=8")
        self.check(
            "--attribute=A={1,2} --gpus=4 --attribute=B=3",
            "",
            "--attribute=A=1 --gpus=4 --attribute=B=3|--attribute=A=2 --gpus=4 --attribute=B=3",
        )
        self.check(
            "--gpus={1,2} --tp=3",
            "--batch=8 --gpus=64 --pp=1",
            "--batch=8 --gpus=1 --pp=1 --tp=3|--batch=8 --gpus=2 --pp=1 --tp=3",
        )
        self.check("", "--gpus=64", "--gpus=64")

    def test_refusals(self):
        """Words that are no options, and too many runs."""
        for word in ("gpus=3", "--", "--=3", "-g", "--gpus={1, 2}"):
            with self.subTest(word), self.assertRaisesRegex(ValueError, "is not an option"):
                Grid([word])
        with self.assertRaisesRegex(ValueError, "more than 1000000 runs"):
            Grid(["--a={1..1000}", "--b={1..1000}", "--c={1..2}"])

    def test_blanks(self):
        """Names of files may have blanks, and a line of a file quotes them."""
        words = split_words("--model='my dir/m.json' --gpus={1,2} --json=\"a b.json\"")
        runs = [run.get_words() for run in Grid(words).get_runs()]
        self.assertEqual(runs[1], ["--model=my dir/m.json", "--gpus=2", "--json=a b.json"])

    def test_runs(self):
        """The key of a run does not follow from the order of its options, and values are columns."""

        def get_run(words):
            return next(Grid(words.split()).get_runs())

        run = get_run("--b=2 --fold --attribute=Y=1 --attribute=X=2")
        same = get_run("--attribute=Y=1 --attribute=X=2 --fold --b=2")
        other = get_run("--attribute=X=2 --attribute=Y=1 --fold --b=2")
        self.assertEqual(run.get_key(), same.get_key())
        self.assertNotEqual(run.get_key(), other.get_key())
        # printf -- '--a=1\n' | sha256sum
        self.assertEqual(get_run("--a=1").get_key(), "ddf068d282a22e08")
        self.assertEqual(run.get_value("attribute"), "Y=1,X=2")
        self.assertEqual(run.get_value("fold"), "true")
        self.assertEqual(run.get_value("c"), "")

    def test_words(self):
        """Words are split as a POSIX shell does."""
        for line, words in {
            "  a  b\tc\r": "a|b|c",
            "a 'b c'd \"e \\\" f\" g\\ h ''": 'a|b cd|e " f|g h|',
            "a#b # c 'd": "a#b",
            "'#a' \"\\n\" '\\'": "#a|\\n|\\",
            "'a # b' # c": "a # b",
            "": "",
        }.items():
            self.assertEqual("|".join(split_words(line)), words, line)
        for line in ("a 'b", 'a "b # c'):
            with self.assertRaisesRegex(ValueError, "not closed"):
                split_words(line)

    def test_files(self):
        """Labels, comments and lines that go on."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sweeps")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# two\n\nx: --gpus={1,2} \\\n --batch=3\r\n--gpus=4 # --batch=7\\")
            grids = read_grids(path, ["--batch=5"])
            self.assertEqual([grid.label for grid in grids], ["x", ""])
            runs = [[run.get_words() for run in grid.get_runs()] for grid in grids]
            first = [["--batch=3", "--gpus=1"], ["--batch=3", "--gpus=2"]]
            self.assertEqual(runs, [first, [["--batch=5", "--gpus=4"]]])


class ResultTests(unittest.TestCase):
    """What runs come to, and the table of it."""

    def test_judgement(self):
        """Results, refusals and failures."""
        outcome = judge(0, '{"plan": {}}\n', "", False)
        self.assertEqual((outcome.result, outcome.refusal, outcome.failure), ('{"plan": {}}', "", ""))
        outcome = judge(1, "", "a warning\nlightpath-train: no such model\n", False)
        self.assertEqual((outcome.refusal, outcome.failure), ("no such model", ""))
        self.assertEqual(judge(1, "", "\nusage\n", False).refusal, "usage")
        for arguments, failure in {
            (1, "", "lightpath-train: std::bad_alloc\n", False): "exit code 1: std::bad_alloc",
            (1, "", "", False): "exit code 1",
            (-9, "", "", False): r"signal 9 \(Killed\)",
            (-9, "", "", True): "longer than --timeout",
            (2, "", "assertion", False): "exit code 2: assertion",
            (0, '{"plan": ', "", False): "no JSON",
            (0, "{}", "", False): "no JSON",
        }.items():
            self.assertRegex(judge(*arguments).failure, failure)
        self.assertEqual(describe(3, ""), "ended with exit code 3")

    def test_table(self):
        """Fields have the quotes of RFC 4180, and numbers their digits."""
        run, other = Grid(["--b={2,3}", "--explain"]).get_runs()
        # The mean of 2 and 4 is 3; numbers that are not calculated stay as they were written
        result = parse_json(
            '{"globalBatch": 12, "plan": {"tensorParallel": 2, "pipelineParallel": 3, "cuts": [4, 5],'
            ' "sequenceParallel": true, "predictedIterationSeconds": 0.15860974910200001,'
            ' "bound": {"seconds": 1e-05}}, "runs": [{"iterationSeconds": [9.5, 2, 4], "validation": {"error90": null},'
            ' "feasible": false, "light": {"hops": 2, "marginDb": null, "fault": "wavelengths of a switch"}}]}'
        )
        rows = [("x", run, result, ""), ("", other, None, 'say "a",\nb')]
        lines = make_table(["b", "explain"], rows, True, False).split("\n")
        names, fields = (line.split(",") for line in lines[:2])
        found = dict(zip(names, fields))
        self.assertEqual(names[:5], ["sweep", "b", "explain", "error", "plan_replicas"])
        self.assertEqual(fields[:5], ["x", "2", "true", "", ""])
        for name, value in {
            "plan_replica_gpus": "6",
            "plan_cuts": "4 5",
            "plan_sequence_parallel": "true",
            "predicted_s": "0.15860974910200001",
            "iteration_s": "3.0",
            "first_s": "9.5",
            "time_error": "not validated",
            "samples_per_s": "4.0",
            "to_target_h": "",
            "feasible": "false",
            "light_hops": "2",
            "light_margin_db": "",
            "light_fault": "wavelengths of a switch",
            "bound_s": "1e-05",
            "bound_gap": "",
        }.items():
            self.assertEqual(found[name], value, name)
        self.assertEqual(len(names), 4 + 49 + 2)
        self.assertEqual(lines[2:], [',3,true,"say ""a"",', 'b"' + 51 * ",", ""])
        costs = {"runs": [{"cost": {"networkWatts": 5.5}, "validation": {"error90": 0.1033}}]}
        heads, fields, _ = make_table(["cost"], [("", run, costs, "")], False, False).split("\n")
        found = dict(zip(heads.split(","), fields.split(",")))
        self.assertEqual((found["network_w"], found["time_error"]), ("5.5", "0.1033"))

    def test_store(self):
        """A file counts as long as nothing that it depends on has changed."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "all.csv")
            profile = os.path.join(folder, "profile")
            with open(profile, "w", encoding="utf-8") as file:
                file.write("1")
            run, other = Grid([f"--profile={profile}", "--gpus={1,2}"]).get_runs()
            store = Store(out, "1")
            self.assertEqual(store.folder, os.path.join(folder, "all.runs"))
            store.create()
            self.assertIsNone(store.find(run))
            store.write(run, Outcome(result='{"plan": {"x": 0.10}}'))
            store.write(other, Outcome(refusal="no"))
            result, refusal = store.find(run)
            self.assertEqual((str(result["plan"]["x"]), refusal), ("0.10", ""))
            self.assertEqual(store.find(other), (None, "no"))
            self.assertIsNone(Store(out, "2").find(run))
            store.lock()
            with self.assertRaisesRegex(ValueError, "Another sweep"):
                Store(out, "1").lock()


if __name__ == "__main__":
    unittest.main()
