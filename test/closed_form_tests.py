"""Tests of the programs against times that are computed here by hand."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    from chakra_schema import ALL_REDUCE, COLL, RECV, REDUCE_SCATTER, SEND, Trace
except ImportError as error:
    if "LIGHTPATH_BUILD" in os.environ:
        raise
    raise unittest.SkipTest(f"python3-protobuf is missing ({error})") from error

BUILD = os.environ.get("LIGHTPATH_BUILD", "build")

# Two servers of 8 GPUs: rates of a GPU inside its server and of its port, bytes/s
INSIDE, PORT = 450e9, 50e9
SERVERS = ["--serverGpus=8", "--serverRate=3.6Tbps", "--attach=gpu", "--bandwidth=400Gbps"]
RANKS, GPUS = 16, 8


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(os.path.join(BUILD, "lightpath-train")),
    f"{BUILD}/lightpath-train is missing: build it, or set LIGHTPATH_BUILD",
)
class ClosedFormTests(unittest.TestCase):
    """Times of operations, and of messages on networks with failures."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.prefix = os.path.join(self.folder.name, "trace")

    def run_program(self, program, *options):
        """Run a program, and return its JSON."""
        path = os.path.join(self.folder.name, "out.json")
        done = subprocess.run(
            [os.path.join(BUILD, program), "--quiet", f"--json={path}", *options],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def get_seconds(self, *options):
        """Return the time of the only iteration of a job."""
        report = self.run_program("lightpath-train", "--iterations=1", *options)
        return report["runs"][0]["iterationSeconds"][0]

    def write(self, ranks, fill):
        """Write traces, of which a function adds the nodes of each rank."""
        for rank in range(ranks):
            trace = Trace()
            fill(trace, rank)
            trace.write(f"{self.prefix}.{rank}.et")

    def write_text(self, operation, size):
        """Write a text workload of one operation."""
        path = os.path.join(self.folder.name, "text.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                f"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {RANKS} ep: 1 pp: 1 vpp: 1 ga: 1 "
                f"all_gpus: {RANKS} checkpoints: 0 checkpoint_initiates: 0\n1\n"
                f"e -1 0 {operation} {size} 0 NONE 0 0 NONE 0 0\n"
            )
        return path

    def test_given_algorithms(self):
        """--workloadAlgorithm is obeyed below servers, for texts and traces, on any fabric."""
        size = 8 << 30
        sums = {
            "ring": 2 * 15 / 16 * size / PORT,
            "direct": 2 * 8 / 16 * size / PORT,
            "halving-doubling": 2 * (size / 2 / PORT + (1 / 4 + 1 / 8 + 1 / 16) * size / INSIDE),
            "two-level": 2 * 7 / 8 * size / INSIDE + 2 * 1 / 2 * size / 8 / PORT,
            "server-rings": 2 * 15 / 16 * size / 8 / PORT,
        }
        for kind, name, part in ((ALL_REDUCE, "ALLREDUCE", 1), (REDUCE_SCATTER, "REDUCESCATTER", 2)):
            self.write(RANKS, lambda trace, _, kind=kind: trace.add(COLL, comm_type=kind, comm_size=size))
            text = self.write_text(name, size)
            for algorithm, seconds in sums.items():
                for fabric in ("electrical", "leaf-spine-flows", "rail-optimised", "sip-ocs"):
                    if fabric == "sip-ocs" and algorithm in ("direct", "halving-doubling"):
                        continue  # its circuits go to several peers
                    for source in (self.prefix, text):
                        options = [f"--workload={source}", f"--workloadAlgorithm={algorithm}"]
                        with self.subTest([fabric, name, *options]):
                            light = ["--initialSwitching=false"] if fabric == "sip-ocs" else []
                            got = self.get_seconds(*options, f"--fabric={fabric}", *SERVERS, *light)
                            self.assertAlmostEqual(got / (seconds / part), 1, delta=0.005)

    def test_fastest(self):
        """Automatic is as fast as the fastest of all, by rings through servers for large buffers."""
        job = ["--server=dgx-h100", "--fabric=electrical", "--ranks=16"]
        for size in (8 << 30, 80 << 20, 1 << 20, 4 << 10):
            # The closed forms know no headers, which count where messages take no time but theirs
            for delay in ("0us", "2us") if size > 1 << 20 else ("500ns", "2us"):
                options = [*job, f"--minBytes={size}", f"--maxBytes={size}", f"--delay={delay}", f"--serverDelay={delay}"]
                times = {}
                for algorithm in ("automatic", "two-level", "server-rings", "ring", "halving-doubling", "direct"):
                    rows = self.run_program("lightpath-collective", *options, f"--algorithm={algorithm}")["rows"]
                    times[algorithm] = rows[0]["seconds"]
                with self.subTest(options):
                    self.assertLessEqual(times["automatic"], 1.001 * min(times.values()), times)
                    if size == 8 << 30 and delay == "0us":
                        # 30 steps of a 128th of the buffer at the rate of a port
                        self.assertAlmostEqual(times["automatic"] / (30 * size / 128 / PORT), 1, delta=1e-3)

    def test_fastest_on_fabrics(self):
        """On circuits, grids and links an all-reduce comes near 30 steps of a 16th of the buffer at the rate of a GPU."""
        size = 64 << 20
        for fabric in ("sip-ring", "sip-ocs", "oddl", "topoopt", "leaf-spine-flows", "rail-optimised"):
            job = [f"--fabric={fabric}", "--bandwidth=400Gbps", "--ranks=16"]
            with self.subTest(fabric):
                bound = 30 * size / 16 / PORT
                self.assertAlmostEqual(self.get_collective_seconds(size, *job) / bound, 1, delta=0.015)

    def test_fastest_inside(self):
        """A group takes no longer than by any algorithm, and a part of a server no longer than several servers."""
        for server in ("dgx-h100", "mi300x"):
            for size in (4 << 10, 1 << 20, 80 << 20):
                job = [f"--server={server}", "--fabric=electrical"]
                times = {
                    algorithm: self.get_collective_seconds(size, *job, "--ranks=8", f"--algorithm={algorithm}")
                    for algorithm in ("automatic", "ring", "halving-doubling", "direct")
                }
                with self.subTest([*job, size]):
                    self.assertLessEqual(times["automatic"], 1.001 * min(times.values()), times)
                    self.assertLess(times["automatic"], self.get_collective_seconds(size, *job, "--ranks=16"))

    def test_fastest_in_training(self):
        """A sum of gradients over servers takes the fastest way, too."""
        job = ["--model=vgg16", "--gpus=16", "--batch=16", "--planner=fixed", "--accelerator=H100",
               "--server=dgx-h100", "--fabric=electrical", "--bandwidth=400Gbps"]  # fmt: skip
        times = {
            algorithm: self.get_seconds(*job, f"--allReduce={algorithm}")
            for algorithm in ("automatic", "two-level", "server-rings")
        }
        self.assertLessEqual(times["automatic"], 1.001 * min(times.values()), times)
        self.assertLess(times["server-rings"], times["two-level"])

    def test_shared_card(self):
        """The closed form of one ring through servers that have a single card."""
        size = 8 << 30
        row = self.run_program(
            "lightpath-collective", "--algorithm=ring", "--ranks=16", "--fabric=electrical", "--serverGpus=8",
            "--serverRate=3.6Tbps", "--cards=1", "--cardRate=100Gbps", f"--minBytes={size}", f"--maxBytes={size}",
        )["rows"][0]  # fmt: skip
        expected = 30 * size / 16 / 12.5e9
        self.assertAlmostEqual(row["closedFormSeconds"] / expected, 1, delta=1e-3)
        self.assertAlmostEqual(row["seconds"] / expected, 1, delta=1e-3)

    def get_collective_seconds(self, size, *options):
        """Return the time of a collective of one size."""
        rows = self.run_program("lightpath-collective", f"--minBytes={size}", f"--maxBytes={size}", *options)["rows"]
        return rows[0]["seconds"]

    def test_mixnet(self):
        """The all-to-all of two servers takes all six circuits: 64 parts of a megabyte at 2.4 Tb/s."""
        got = self.get_collective_seconds(
            16_000_000, "--fabric=mixnet", "--serverGpus=8", "--serverRate=7.2Tbps", "--ranks=16",
            "--bandwidth=400Gbps", "--collective=all-to-all",
        )  # fmt: skip
        self.assertAlmostEqual(got / (64 * 8e6 / 2.4e12), 1, delta=1e-3)

    def test_hybrid(self):
        """By light, half of the bytes go to the other rank, and come back, at the rate of the ring; the card is idle."""
        for size in (8_000_000, 16_000_000):
            got = self.get_collective_seconds(
                size, "--fabric=sip-ring+electrical", "--ranks=2", "--bandwidth=50Gbps", "--collective=all-reduce",
            )  # fmt: skip
            self.assertAlmostEqual(got / (size * 8 / 50e9), 1, delta=1e-3)
        for fabric in ("sip-ring+fat-tree", "sip-ocs+leaf-spine"):
            self.get_collective_seconds(1_000_000, f"--fabric={fabric}", "--ranks=4", "--server=dgx-v100")

    def test_steps_in_sequence(self):
        """Circuits that are set once take the least sum of bytes over circuits, by all shares of them."""

        def share(steps, circuits):
            if len(steps) == 1:
                return steps[0] / circuits
            return min(
                steps[0] / own + share(steps[1:], circuits - own) for own in range(1, circuits - len(steps) + 2)
            )

        # Halving and doubling of 8 MB over 32 ranks
        steps = [2 * 8e6 / 2**step for step in range(1, 6)]
        for circuits in (5, 10, 12, 20):
            best = share(steps, circuits) * circuits * 8 / 100e9
            got = self.get_collective_seconds(
                8_000_000, "--fabric=sip-ocs", f"--switches={circuits}", "--ranks=32", "--bandwidth=100Gbps",
                "--algorithm=halving-doubling",
            )  # fmt: skip
            with self.subTest(circuits):
                self.assertAlmostEqual(got / best, 1, delta=1e-3)

    def test_latencies_of_presets(self):
        """Servers of a preset have latencies, those by hand none, and options come first."""
        size = 1_000_000
        job = ["--collective=send-recv", "--ranks=16", "--attach=gpu", "--bandwidth=400Gbps"]
        preset = [*job, "--server=dgx-h100"]
        none = ["--delay=0s", "--serverDelay=0s", "--collectiveLatency=0s"]
        for fabric in ("electrical", "leaf-spine-flows", "oddl", "sip-ocs", "sip-ring", "torus"):
            options = [f"--fabric={fabric}"]
            base = self.get_collective_seconds(size, *options, *preset, *none)
            by_hand = self.get_collective_seconds(size, *options, *job, "--serverGpus=8", "--serverRate=3.6Tbps")
            default = self.get_collective_seconds(size, *options, *preset)
            given = self.get_collective_seconds(size, *options, *preset, "--delay=5us", "--collectiveLatency=20us")
            with self.subTest(fabric):
                self.assertAlmostEqual(base, by_hand, delta=1e-12)
                self.assertAlmostEqual(default - base, 18e-6, delta=1e-11)
                self.assertAlmostEqual(given - base, 25e-6, delta=1e-11)
        row = self.run_program("lightpath-collective", "--fabric=sip-ocs", *preset, "--maxBytes=1MB", "--minBytes=1MB")
        self.assertAlmostEqual(row["rows"][0]["ratio"], 1, delta=1e-5)

    def test_delay_of_cards(self):
        """A message has the delay of cards once on each fabric, in prediction and simulation."""
        size, delay = 1_000_000, 3e-6
        job = ["--collective=send-recv", "--ranks=8", "--bandwidth=400Gbps"]
        # Ports forward on a line of a torus, and packets go through switches
        fabrics = (
            "electrical fat-tree leaf-spine leaf-spine-flows rail-optimised dragonfly fat-tree-flows torus topoopt oddl"
            " sip-ocs sip-ring rotornet sirius sip-ring+leaf-spine"
        )
        for fabric in fabrics.split():
            self.check_delay(fabric, size, delay, job)
        self.check_delay("optinc", size, delay, ["--collective=all-reduce", *job[1:]])

    def check_delay(self, fabric, size, delay, job):
        """Compare an operation with a delay of cards with the same one without."""

        def get_row(given):
            options = [*job, f"--fabric={fabric}", f"--delay={given}", f"--minBytes={size}", f"--maxBytes={size}"]
            return self.run_program("lightpath-collective", *options)["rows"][0]

        with self.subTest(fabric):
            without, row = get_row("0s"), get_row(f"{delay * 1e6:g}us")
            self.assertAlmostEqual(row["seconds"] - without["seconds"], delay, delta=2e-12)
            if "closedFormSeconds" in without:
                self.assertAlmostEqual(row["closedFormSeconds"] - without["closedFormSeconds"], delay, delta=2e-12)

    def test_failed_spine(self):
        """What crosses leaves has half of the rate once one of two spines has failed, until it is repaired."""
        size, rate = 25_000_000, 12.5e9

        def fill(trace, rank):
            if rank < 2:
                trace.add(SEND, comm_src=rank, comm_dst=rank + 2, comm_size=size, comm_tag=rank)
            else:
                trace.add(RECV, comm_src=rank - 2, comm_dst=rank, comm_size=size, comm_tag=rank - 2)

        self.write(4, fill)
        job = [f"--workload={self.prefix}", "--fabric=leaf-spine-flows", "--leafGpus=2", "--bandwidth=100Gbps"]
        for faults, expected in (
            ("", size / rate),
            ("--fail=switch:spine-0@1ms", 1e-3 + (size - 1e-3 * rate) / (rate / 2)),
            ("--fail=link:leaf-0:spine-1@1ms", 1e-3 + (size - 1e-3 * rate) / (rate / 2)),
            ("--fail=switch:spine-0@0.5ms,+switch:spine-0@1.5ms", 2.5e-3),
            # Nothing can cross in between
            ("--fail=switch:spine-0@0.5ms,switch:spine-1@0.5ms,+switch:spine-1@1ms", 0.5e-3 + 0.5e-3 + 3e-3),
            ("--fail=link:gpu-0:leaf-0@0.5ms,+link:gpu-0:leaf-0@1.5ms", 3e-3),
        ):
            with self.subTest(faults):
                got = self.get_seconds(*job, *([faults] if faults else []))
                self.assertAlmostEqual(got / expected, 1, delta=2e-3)


if __name__ == "__main__":
    unittest.main()
