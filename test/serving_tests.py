"""Tests of lightpath-serving and utils/convert-serving.py: closed forms, and the files of other simulators."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("LIGHTPATH_BUILD", "build")
# Of NCCL's protocol LL: ms to launch, and for a message inside; of dgx-h100: between servers, and for a byte there
LAUNCH, INSIDE, ACROSS = 6.6e-3, 0.6e-3, 4e-3
BYTE_INSIDE, BYTE_ACROSS = 8e3 / 3600e9, 8e3 / 400e9


def run(program, *words):
    """Run a program and return its status, output and errors."""
    done = subprocess.run([sys.executable, os.path.join(FOLDER, program), *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(os.path.exists(os.path.join(BUILD, "lightpath-collective")), "the programs are not built")
class ServingTests(unittest.TestCase):
    """The table."""

    def setUp(self):
        os.environ["LIGHTPATH_PROGRAMS"] = os.path.abspath(BUILD)
        self.addCleanup(os.environ.pop, "LIGHTPATH_PROGRAMS")

    def test_closed_forms(self):
        """Direct messages, keys and values take a launch, a latency for each step, and their bytes."""
        words = ["--groups=8", "--minBytes=1MiB", "--maxBytes=16MiB", "--stepFactor=16", "--json=-"]
        code, output, errors = run("tools/lightpath-serving", *words)
        self.assertEqual((code, errors), (0, ""))
        table = {(row["collective"], row["placement"], row["bytes"]): row["ms"] for row in json.loads(output)["rows"]}
        for size in (1 << 20, 1 << 24):
            expected = {
                ("all-reduce", "packed", size): LAUNCH + 2 * (INSIDE + 7 / 8 * size * BYTE_INSIDE),
                ("all-gather", "packed", size): LAUNCH + INSIDE + 7 / 8 * size * BYTE_INSIDE,
                ("kv", "spread", 8 * size): LAUNCH + ACROSS + size * BYTE_ACROSS,
            }
            for key, ms in expected.items():
                self.assertAlmostEqual(table[key], ms, delta=1e-4 * ms, msg=key)
        self.assertNotIn(("kv", "packed", 1 << 23), table)

    def test_files(self):
        """Files of Vidur and AIConfigurator have their columns, and compare as they are."""
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "network.csv")
            words = ["--groups=2,8", "--minBytes=1MiB", "--maxBytes=4MiB", f"--out={table}", "--quiet"]
            self.assertEqual(run("tools/lightpath-serving", *words), (0, "", ""))
            other = os.path.join(folder, "nccl_perf.txt")
            words = [table, "--fabric=electrical", f"--vidur={folder}", f"--aiconfigurator={other}"]
            self.assertEqual(run("utils/convert-serving.py", *words), (0, "", ""))
            with open(os.path.join(folder, "all_reduce.csv"), encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if row["num_workers"] == row["devices_per_node"] == "8"]
            self.assertEqual([int(row["size"]) for row in rows], [1 << 20, 1 << 21, 1 << 22])
            expected = LAUNCH + 2 * (INSIDE + 7 * (1 << 17) * BYTE_INSIDE)
            self.assertAlmostEqual(float(rows[0]["time_stats.all_reduce.median"]), expected, 4)
            with open(other, encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if (row["op_name"], row["num_gpus"]) == ("all_reduce", "8")]
            self.assertEqual((rows[0]["message_size"], rows[0]["nccl_dtype"]), (str(1 << 19), "half"))
            self.assertAlmostEqual(float(rows[0]["latency"]), expected, 4)
            words = [table, "--fabric=electrical", f"--compare={folder}/all_reduce.csv"]
            _, output, _ = run("utils/convert-serving.py", *words)
            self.assertTrue(output and all(line.endswith(" 1.000") for line in output.splitlines()), output)

    def test_error(self):
        """The table says how far its times err."""
        code, output, errors = run("tools/lightpath-serving", "--groups=2", "--collectives=kv", "--minBytes=1MiB", "--maxBytes=1MiB")
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("times are not validated", output)
        words = ["--groups=2,8", "--collectives=all-reduce", "--minBytes=1MiB", "--maxBytes=1MiB"]
        self.assertIn("times inside servers are +- 54 %", run("tools/lightpath-serving", *words)[1])
        self.assertIn("times are not validated", run("tools/lightpath-serving", *words, "--algorithm=ring")[1])

    def test_inference(self):
        """With the algorithm and the latencies of a plan, the table gives lightpath-infer the times that it simulates."""
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "network.csv")
            words = ["--groups=4", "--collectives=all-reduce", "--placements=packed", "--minBytes=16KiB", "--maxBytes=256MiB"]
            plan = ["--algorithm=ring", "--collectiveLatency=14us", "--serverDelay=1.9us", f"--out={table}", "--quiet"]
            self.assertEqual(run("tools/lightpath-serving", *words, *plan), (0, "", ""))
            job = ["--model=llama-3-70b", "--accelerator=H100", "--server=dgx-h100", "--prefillTp=4", "--decodeTp=4"]
            command = [f"{BUILD}/lightpath-infer", *job, "--batch=2", "--decodeBatch=16", "--json=-", f"--network={table}"]
            result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            for name in ("timeToFirstTokenSeconds", "timePerOutputTokenSeconds"):
                self.assertAlmostEqual(result["byTable"][name] / result[name], 1, delta=1e-3, msg=name)
            for text, sentence in (("a,b\n", "has no column 'collective'"), ("collective,group,placement,fabric,bytes,ms\nx\n", "in line 2")):
                with open(table, "w", encoding="utf-8") as file:
                    file.write(text)
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
                self.assertIn(sentence, done.stderr)

    def test_published(self):
        """Times inside a server are as far from published ones as the table says."""
        code, _, errors = run("utils/check-serving.py", f"--program={BUILD}/lightpath-serving", "--check")
        self.assertEqual((code, errors), (0, ""))

    def test_refusals(self):
        """Wrong options are refused in one sentence."""
        for word, sentence in (
            ("--groups=1", "--groups=1 must be numbers from 2 to 65536, like 2,4,8"),
            ("--collectives=allreduce", "There is no 'allreduce': the known ones are"),
            ("--groups=12", "No group of these fits servers of 8 GPUs"),
            ("--algoritm=ring", "There is no option --algoritm: the nearest is --algorithm"),
        ):
            with self.subTest(word):
                code, output, errors = run("tools/lightpath-serving", "--placements=packed", word)
                self.assertEqual((code, output, errors.count("\n")), (1, "", 1), errors)
                self.assertIn(sentence, errors)
        code, _, errors = run("utils/convert-serving.py", "none.csv", "--fabric=electrical")
        self.assertEqual((code, errors.count("\n")), (1, 1))


if __name__ == "__main__":
    unittest.main()
