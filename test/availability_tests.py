"""Tests of lightpath-availability: closed forms, all faults of a few nodes, published numbers, and refusals."""

import io
import itertools
import math
import os
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

TOOLS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools")
sys.path.insert(0, TOOLS)

from fault_history import FaultHistory
from job_fabrics import create_fabric, find_nodes
from program_options import format_table
from random_streams import RandomStream

# Faults of 1000 nodes a day, and the median and mean time of a repair in days
RATE, MEDIAN, MEAN = 4.18, 0.8506, 5.535


def search(name, is_faulty, job):
    """Return the most jobs that have room, by following links."""
    nodes = len(is_faulty)
    kind, _, text = name.partition(":")
    number = int(text or job)
    if kind == "cubes":
        cubes = sum(not any(is_faulty[end - number : end]) for end in range(number, nodes + 1, number))
        return cubes * (number // job) if job < number else cubes // math.ceil(job / number)

    def is_near(a, b):
        return kind == "switch" or (abs(a - b) <= number if kind == "line" else a // number == b // number)

    left = {node for node in range(nodes) if not is_faulty[node]}
    jobs = 0
    while left:
        joined, new = set(), {left.pop()}
        while new:
            joined |= new
            new = {node for node in left if any(is_near(node, other) for other in new)}
            left -= new
        jobs += len(joined) // job
    return jobs


class FabricTests(unittest.TestCase):
    """Jobs that have room."""

    def test_all_faults(self):
        """Numbers of jobs are the largest sets of jobs, for all faults of a few nodes, and probabilities their sums."""
        for name, nodes, job in (
            ("switch", 11, 3),
            ("blocks", 11, 3),
            ("group:5", 12, 2),
            ("group:5", 12, 4),
            ("group:50", 9, 2),
            ("cubes:2", 12, 4),
            ("cubes:4", 12, 2),
            ("cubes:4", 11, 5),
            ("line:1", 12, 3),
            ("line:2", 12, 4),
            ("line:3", 12, 2),
            ("line:16", 9, 1),
        ):
            fabric = create_fabric(name, 1)
            counts = {}
            for is_faulty in itertools.product((False, True), repeat=nodes):
                down = [node for node in range(nodes) if is_faulty[node]]
                jobs = fabric.count_jobs(down, nodes, job)
                self.assertEqual(jobs, search(name, is_faulty, job), (name, down))
                counts[jobs, len(down)] = counts.get((jobs, len(down)), 0) + 1
            for faulty in (0, 0.0231, 0.5, 1):
                with self.subTest(name=name, job=job, faulty=faulty):
                    shares = [0] * (nodes + 1)
                    for (jobs, down), count in counts.items():
                        shares[jobs] += count * Fraction(faulty) ** down * (1 - Fraction(faulty)) ** (nodes - down)
                    self.check_distribution(fabric.get_jobs(nodes, job, faulty), shares)

    def check_distribution(self, jobs, shares):
        """Compare a distribution with probabilities by number of jobs."""
        self.assertAlmostEqual(jobs.get_mean(), float(sum(i * share for i, share in enumerate(shares))), 9)
        at_least = 1.0
        for i, share in enumerate(shares):
            # Just below the probability of at least i jobs
            if share > 1e-6:
                self.assertEqual(jobs.get_guaranteed(at_least * (1 - 1e-7)), i)
            at_least -= share

    def test_waste(self):
        """The waste of groups around switches is the mean of the healthy nodes that are left over."""
        for name, group, job, faulty, percent in (
            ("nvl72", 9, 4, 0.02315, 9.57),
            ("blocks", 4, 4, 0.02315, 6.63),
            ("nvl72", 9, 4, 0.0, 100 / 9),
        ):
            with self.subTest(name=name, faulty=faulty):
                nodes = 20 * group
                waste = 1 - faulty - create_fabric(name, 8).get_jobs(nodes, job, faulty).get_mean() * job / nodes
                self.assertAlmostEqual(100 * waste, percent, delta=0.005)
                left = sum(
                    math.comb(group, k) * faulty**k * (1 - faulty) ** (group - k) * ((group - k) % job)
                    for k in range(group + 1)
                )
                self.assertAlmostEqual(waste, left / group, delta=1e-12)

    def test_goodput(self):
        """The share of 64 cubes of 16 hosts that slices can use, with circuit switches and as blocks of neighbours, is
        that of binomial sums."""
        for host, rows in (
            (0.99, ((1, 0.851, 0.851), (4, 0.828, 0.526), (8, 0.796, 0.276), (16, 0.747, 0.076), (32, 0.500, 0.006),
                    (48, 0.742, 0), (64, 0, 0))),
            (0.995, ((1, 0.923, 0.923), (4, 0.900, 0.726), (8, 0.869, 0.526), (16, 0.751, 0.277), (32, 0.503, 0.077),
                     (48, 0.75, 0.016), (64, 0.006, 0.006))),
            (0.999, ((1, 0.984, 0.984), (4, 0.960, 0.938), (8, 0.920, 0.880), (16, 0.840, 0.774), (32, 0.679, 0.599),
                     (48, 0.750, 0.348), (64, 0.359, 0.359))),
        ):  # fmt: skip
            for cubes, switched, fixed in rows:
                for name, share in (("cubes", switched), ("blocks", fixed)):
                    with self.subTest(host=host, cubes=cubes, name=name):
                        mean = create_fabric(name, 4).get_jobs(1024, 16 * cubes, 1 - host).get_mean()
                        self.assertAlmostEqual(mean * cubes / 64, share, delta=0.0005)

    def test_many_nodes(self):
        """The mean of blocks and of a switch is that of the closed form, also with the most nodes."""
        faulty, nodes, job = 0.0231, 1 << 14, 4
        blocks = create_fabric("blocks", 8).get_jobs(nodes, job, faulty)
        self.assertAlmostEqual(blocks.get_mean() / (nodes / job * (1 - faulty) ** job), 1, delta=1e-12)
        switch = create_fabric("switch", 8).get_jobs(nodes, 1, faulty)
        self.assertAlmostEqual(switch.get_mean() / (nodes * (1 - faulty)), 1, delta=1e-10)
        # Each healthy node of a line has room for a job of one node
        line = create_fabric("line:1", 8).get_jobs(nodes, 1, faulty)
        self.assertAlmostEqual(line.get_mean() / (nodes * (1 - faulty)), 1, delta=1e-12)

    def test_guarantee(self):
        """TPU v4 offers one slice of 2048 chips and one of 3072 with high probability, and not one of 4096."""
        cubes = create_fabric("cubes", 4)
        for host in (0.99, 0.995, 0.999):
            for job in (512, 768):
                self.assertEqual(cubes.get_jobs(1024, job, 1 - host).get_guaranteed(0.97), 1, (host, job))
        self.assertEqual(cubes.get_jobs(1024, 1024, 0.001).get_guaranteed(0.97), 0)

    def test_spares(self):
        """The least number of cubes that keeps some is that of the binomial distribution."""
        cubes = create_fabric("cubes", 4)
        healthy = Fraction(0.995) ** 16
        for wanted in (1, 8, 48):
            most = wanted
            while sum(
                math.comb(most, k) * healthy**k * (1 - healthy) ** (most - k) for k in range(wanted, most + 1)
            ) < Fraction(99, 100):
                most += 1
            self.assertEqual(find_nodes(cubes, wanted, 16, 0.005, 0.99), 16 * most)
        self.assertEqual(find_nodes(create_fabric("line:2", 8), 3, 4, 0.0, 1.0), 12)
        with self.assertRaisesRegex(ValueError, "16384 nodes are too few for 2 jobs"):
            find_nodes(cubes, 2, 16, 1.0, 0.5)

    def test_names(self):
        """Unknown fabrics are refused."""
        for name in (
            "", "ring", "line", "line:0", "line:-1", "line:17", "line:2x", "switch:8", "nvl72:2", "group", "cubes:",
            "group:5000000000", "line:\u0662",
        ):  # fmt: skip
            with self.assertRaises(ValueError) as caught:
                create_fabric(name, 1)
            self.assertIn(f"There is no fabric '{name}': the known ones are switch", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "'nvl72' has parts of 72 GPUs, which nodes of 16 GPUs do not make up"):
            create_fabric("nvl72", 16)


class HistoryTests(unittest.TestCase):
    """Faults over time."""

    def test_random_numbers(self):
        """The generator is MRG32k3a: numbers follow the recurrence of L'Ecuyer (Operations Research 47(1), 1999), and
        the first ones, and the beginning of the second stream, are those that his package RngStreams prints."""
        stream = RandomStream(12345, 0, 0)
        one, two = [12345] * 3, [12345] * 3
        for _ in range(100):
            one.append((1403580 * one[-2] - 810728 * one[-3]) % (2**32 - 209))
            two.append((527612 * two[-1] - 1370589 * two[-3]) % (2**32 - 22853))
            difference = (one[-1] - two[-1]) % (2**32 - 209)
            self.assertAlmostEqual(stream.draw(), difference / (2**32 - 208), delta=1e-15)
        stream = RandomStream(12345, 0, 0)
        self.assertEqual([f"{stream.draw():.8f}" for _ in range(3)], ["0.12701112", "0.31852757", "0.30918602"])
        second = RandomStream(12345, 1, 0)
        self.assertEqual(second._state, (3692455944, 1366884236, 2968912127, 335948734, 4161675175, 475798818))

    def test_trace(self):
        """A trace becomes the intervals that it describes, with faults that overlap."""
        history = read(
            """[
            {"node_id": "a", "event_time": 1, "event_type": "fault_start", "fault_type": {}},
            {"node_id": "b", "event_time": 2, "event_type": "fault_start"},
            {"node_id": "a", "event_time": 2, "event_type": "fault_start"},
            {"node_id": "a", "event_time": 3, "event_type": "fault_end"},
            {"node_id": "a", "event_time": 5.5, "event_type": "fault_end"},
            {"node_id": "b", "event_time": 8, "event_type": "fault_end"}]"""
        )
        found = [(list(down), days) for down, days in history.get_intervals([2, 0, 1])]
        self.assertEqual(found, [([], 1), ([2], 1), ([0, 2], 1), ([0, 2], 2.5), ([0], 2.5)])
        self.assertAlmostEqual(history.get_faulty_share(), 10.5 / 24, delta=1e-12)
        self.assertEqual((history.count_faults(), history.days), (3, 8))

    def test_refused_traces(self):
        """Texts that are no traces are refused by what is wrong, and where."""
        begin = '[{"node_id": "a", "event_time": 2, "event_type": '
        start = begin + '"fault_start"}'
        deep = '{"x": ' * 9 + "1" + "}" * 9
        for text, sentence in (
            ("", 't.json is empty: it must be a document [{"node_id": "a"'),
            ("{}", "t.json: a document must be a list, like [{"),
            ("3", "t.json: a document must be a list, like [{"),
            ("[]", "t.json covers no time"),
            ("[1]", "t.json: /0 is 1, but must be an object"),
            ("[[1]]", "t.json: /0 is a list, but must be an object"),
            ('[{"event_time": 2}]', 't.json: /0 has no "node_id"'),
            ('[{"node_id": ""}]', "t.json: /0/node_id is \"\", but must be a text of 1 to 256 bytes"),
            (begin + '"fault"}]', 't.json: /0/event_type is "fault", but must be one of fault_start, fault_end'),
            (begin + "true}]", "t.json: /0/event_type is true, but must be one of"),
            (begin + '"fault_end"}]', "t.json: /0/event_type: must not be fault_end"),
            (
                begin.replace("2", "true") + '"fault_end"}]',
                "t.json: /0/event_time is true, but must be a number from 0",
            ),
            (
                begin.replace("2", "1e7") + '"fault_end"}]',
                "/event_time is 10000000, but must be a number from 0 to 1e+06",
            ),
            (
                begin.replace("2", "1e999") + '"fault_end"}]',
                't.json: this is not valid JSON: the number "1e999" is too large',
            ),
            (begin.replace("2", "NaN") + '"fault_end"}]', "t.json: this is not valid JSON: NaN is no number"),
            (
                start + ', {"node_id": "a", "event_time": 1, "event_type": "fault_end"}]',
                "/1/event_time: must not be before",
            ),
            (start + ', {"node_id": "a", "event_time": -1, "event_type": "fault_end"}]', "t.json: /1/event_time is -1"),
            (
                start + "".join(', {"node_id": "%s", "event_time": 3, "event_type": "fault_start"}' % i for i in "bcd"),
                "t.json: /3/node_id: is the id of one node too many: the fabric has 3 nodes",
            ),
            (start + ",\n 1, x]", "t.json: /1 is 1, but must be an object"),
            (start + ",\n x]", "t.json, line 2, column 2: this is not valid JSON: expecting value"),
            (start, "t.json, line 1, column 64: this is not valid JSON: expecting ',' or ']'"),
            (start + "] 1", "this is not valid JSON: expecting the end of the document"),
            ('[{"a": 1, "a": 2}]', 't.json: /0 has the key "a" twice: keys must differ'),
            ("[%s]" % deep, "t.json: /0/x/x/x/x/x/x/x must have at most 8 objects and lists around it"),
            ("[" * 100000, "t.json: /0 must have at most 8 objects and lists around it"),
            ("[{%s}]" % ",".join(f'"{i}": 1' for i in range(65)), "t.json: /0 must have at most 64 members"),
            ('[{"x": ["\\ud800"]}]', "t.json: /0/x/0: this is not valid JSON: half a character"),
            (b'[\n"\xff"]', "t.json, line 2, column 2: this is not valid JSON: a byte that is no UTF-8"),
        ):
            with self.subTest(text[:100]):
                with self.assertRaises(ValueError) as caught:
                    read(text)
                self.assertIn(sentence, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))

    def test_draw(self):
        """Faults that are drawn have the statistics that were asked for."""
        nodes = 4000
        history = FaultHistory.draw(nodes, 1000, RATE, MEDIAN, MEAN, 1)
        cycle = 1000 / RATE + MEAN
        # Standard errors of 16,000 faults: 0.8 % of their number, and 5 % of times whose standard deviation is 6.4 of
        # their mean
        self.assertAlmostEqual(history.count_faults(), 4e6 / cycle, delta=3e2)
        self.assertAlmostEqual(history.get_faulty_share(), MEAN / cycle, delta=0.0035)
        early = FaultHistory.draw(nodes, 0.01, RATE, MEDIAN, MEAN, 1)
        self.assertAlmostEqual(early.get_faulty_share(), MEAN / cycle, delta=0.007)
        # Repairs that all take equally long
        even = FaultHistory.draw(nodes, 1000, RATE, MEAN, MEAN, 2)
        self.assertAlmostEqual(even.get_faulty_share(), MEAN / cycle, delta=0.0006)
        for arguments, sentence in (
            ((1, 1, RATE, MEAN, 1.0, 1), "must be at least its median, 5.535000 days"),
            ((1, 1, 0.0, MEDIAN, MEAN, 1), "must be above 0"),
            ((1, -1.0, RATE, MEDIAN, MEAN, 1), "up to 1e6 days, not -1.000000"),
        ):
            with self.assertRaisesRegex(ValueError, sentence):
                FaultHistory.draw(*arguments)

    def test_places(self):
        """Places are permutations, differ between draws, and are the same for the same seed."""
        history = FaultHistory.draw(50, 1, RATE, MEDIAN, MEAN, 1)
        places = history.draw_places(3, 0)
        self.assertEqual(places, history.draw_places(3, 0))
        self.assertNotEqual(places, history.draw_places(3, 1))
        self.assertNotEqual(places, history.draw_places(4, 0))
        self.assertEqual(sorted(places), list(range(50)))


class ProgramTests(unittest.TestCase):
    """The program as a whole."""

    def run_program(self, *options, **settings):
        """Return the exit status, and what the program printed and said."""
        done = subprocess.run(
            [os.path.join(TOOLS, "lightpath-availability"), *options],
            **{"stdout": subprocess.PIPE, **settings},
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def test_trace_of_one_fault(self):
        """One of two nodes is faulty for half of the time: 75 % of them work, and both for half of the time."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(
                '[{"node_id": "a", "event_time": 0, "event_type": "fault_start"},'
                ' {"node_id": "a", "event_time": 2, "event_type": "fault_end"},'
                ' {"node_id": "b", "event_time": 4, "event_type": "fault_start"}]'
            )
            file.flush()
            options = f"--trace={file.name}", "--nodes=2", "--jobGpus=8,16", "--fabrics=switch", "--guarantee=0.5"
            self.assertEqual(
                self.run_program(*options),
                (
                    0,
                    "2 faults of 2 nodes in 4 days\n\n"
                    "fabric  job GPUs  faulty %  usable %  wasted %  guaranteed %\n"
                    "switch         8     25.00     75.00      0.00        100.00\n"
                    "switch        16     25.00     50.00     25.00        100.00\n",
                    "",
                ),
            )

    def test_refusals(self):
        """Wrong options are refused in one sentence."""
        for options, sentence in (
            (["--node=4"], "There is no option --node: the nearest is --nodes, and --help lists all of them"),
            (["nodes=4"], "'nodes=4' is not an option: write --option=value, without spaces"),
            (["--nodes", "4"], "--nodes needs a value: write --nodes=4"),
            (["--nodes=4x"], "--nodes=4x must be a number, like 64"),
            (["--nodes=20000"], "--nodes=20000 must be a number from 1 to 16384"),
            (["--faulty=0x1"], "--faulty=0x1 must be a number, like 0.5"),
            (["--faulty=1.5"], "--faulty must be a share from 0 to 1"),
            (["--guarantee=0"], "--guarantee must be above 0 and up to 1"),
            (["--faulty=0.1", "--days=3"], "--faulty, --trace and --days are three kinds of faults: give one of them"),
            (["--days=0"], "--days must be above 0"),
            (["--faultRate=3"], "--faultRate belongs to --days"),
            (["--placements=3"], "--placements belongs to --trace and --days"),
            (["--keep=3", "--days=1"], "--keep is for independent faults"),
            (["--jobGpus=12"], "--jobGpus=12 must be a multiple of the 8 GPUs of a node (--gpusPerNode)"),
            (["--fabrics=ring"], "There is no fabric 'ring'"),
            (["--format=json"], "There is no format 'json': the known ones are table, rst, csv"),
            (["--seed=4294967295", "--days=1"], "--seed=4294967295 must be a number from 1 to 4294944442"),
            (["--trace=/none.json"], "/none.json does not exist"),
            (["--trace=/"], "/ is a directory: it must be a file"),
        ):
            with self.subTest(options):
                status, output, error = self.run_program(*options)
                self.assertEqual((status, output), (1, ""))
                self.assertIn(f"lightpath-availability: {sentence}", error)
                self.assertEqual(error.count("\n"), 1)

    def test_unprinted(self):
        """Output that cannot be written is refused."""
        for options in (), ("--help",):
            with open("/dev/full", "wb") as full:
                status, _, error = self.run_program(*options, stdout=full)
            self.assertEqual((status, error), (1, "lightpath-availability: The standard output cannot be written\n"))

    def test_table(self):
        """Tables have the three formats."""
        lines = [["a", "bc"], ["def", "g,h"]]
        self.assertEqual(format_table(lines, "table"), "a     bc\ndef  g,h\n")
        self.assertEqual(format_table(lines, "csv"), 'a,bc\ndef,"g,h"\n')
        self.assertEqual(format_table(lines, "rst"), "===  ===\na     bc\n===  ===\ndef  g,h\n===  ===\n")


def read(text):
    """Return the faults of a trace of three nodes."""
    data = text if isinstance(text, bytes) else text.encode()
    return FaultHistory.read(io.BytesIO(data), "t.json", 3)


if __name__ == "__main__":
    unittest.main()
