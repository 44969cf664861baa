"""Tests of Chakra traces: those of an independent writer, simulated on the crossbar, take the times of
closed forms; those that the module writes keep the rules of ASTRA-sim's reader."""

import json
import os
import subprocess
import tempfile
import unittest

try:
    from chakra_schema import (
        ALL_GATHER,
        ALL_REDUCE,
        ALL_TO_ALL,
        BARRIER,
        BROADCAST,
        COLL,
        COMP,
        GATHER,
        INTEGERS,
        MEM_LOAD,
        METADATA,
        RECV,
        REDUCE,
        REDUCE_SCATTER,
        SCATTER,
        SEND,
        Trace,
        read,
    )
except ImportError as error:
    if "LIGHTPATH_BUILD" in os.environ:
        raise
    raise unittest.SkipTest(f"python3-protobuf is missing ({error})") from error

# The program under test
PROGRAM = os.path.join(os.environ.get("LIGHTPATH_BUILD", "build"), "lightpath-train")

# The crossbar of the tests: rate of a GPU, bytes/s, and time of a message besides its bytes, s
RATE = 50e9
LATENCY = 1e-6
CROSSBAR = ["--fabric=electrical", "--bandwidth=400Gbps", "--delay=1us"]

# Bytes that a message of the module has besides its own
HEADERS = 34


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(PROGRAM), f"{PROGRAM} is missing: build it, or set LIGHTPATH_BUILD"
)
class ChakraTests(unittest.TestCase):
    """Traces in and out."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.prefix = os.path.join(self.folder.name, "trace")

    def run_train(self, *options):
        """Run the program, and return its JSON, or the sentence of its refusal."""
        path = os.path.join(self.folder.name, "out.json")
        done = subprocess.run(
            [PROGRAM, "--quiet", f"--json={path}", "--iterations=2", *options],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            return done.stderr.strip()
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def write(self, traces):
        """Write the trace of each rank."""
        for rank, trace in enumerate(traces):
            trace.write(f"{self.prefix}.{rank}.et")

    def get_seconds(self, *options):
        """Return the time of an iteration of the traces on the crossbar."""
        report = self.run_train(f"--workload={self.prefix}", *CROSSBAR, *options)
        self.assertIsInstance(report, dict, report)
        return report["runs"][0]["iterationSeconds"][0]

    def check(self, expected, astra_sim):
        """Compare the time of the traces with a closed form, and that with ASTRA-sim's."""
        self.assertAlmostEqual(self.get_seconds() / expected, 1, delta=1e-6)
        self.assertAlmostEqual(expected / astra_sim, 1, delta=0.01)

    def make(self, ranks, fill, **settings):
        """Write traces, of which a function adds the nodes of each."""
        traces = []
        for rank in range(ranks):
            traces.append(Trace(**settings))
            fill(traces[-1], rank)
        self.write(traces)

    def test_all_reduce(self):
        """A ring of 2(n-1) messages of an n-th of the buffer, for any type of number."""
        size = 1 << 22
        for ranks, integer in zip((8, 16, 64), ("int64", "uint32", "sint64")):
            self.make(
                ranks,
                lambda trace, rank: trace.add(COLL, comm_type=ALL_REDUCE, comm_size=size, is_cpu_op=False),
                integer=integer,
            )
            steps = 2 * (ranks - 1)
            self.check(
                steps * (LATENCY + (size / ranks + HEADERS) / RATE), steps * (LATENCY + size / ranks / RATE)
            )

    def test_gather_and_scatter(self):
        """An all-gather states what each rank has, a reduce-scatter the whole buffer."""
        ranks, size = 16, 1 << 22

        def fill(trace, _):
            first = trace.add(COLL, comm_type=REDUCE_SCATTER, comm_size=size)
            trace.add(COLL, comm_type=ALL_GATHER, comm_size=size // ranks, after=[first])

        self.make(ranks, fill)
        steps = 2 * (ranks - 1)
        self.check(steps * (LATENCY + (size / ranks + HEADERS) / RATE), steps * (LATENCY + size / ranks / RATE))

    def test_all_to_all(self):
        """All messages at once share the rate of a GPU."""
        size = 1 << 24
        for ranks in (8, 32):
            self.make(ranks, lambda trace, rank: trace.add(COLL, comm_type=ALL_TO_ALL, comm_size=size))
            self.check(
                LATENCY + (ranks - 1) * (size / ranks + HEADERS) / RATE,
                LATENCY + (ranks - 1) * size / ranks / RATE,
            )

    def test_send_and_receive(self):
        """A chain through all ranks, with a computation on each, in both packings."""
        ranks, size, micros = 8, 1 << 21, 100
        for packed in (True, False):

            def fill(trace, rank):
                after = []
                if rank > 0:
                    after = [trace.add(RECV, comm_src=rank - 1, comm_size=size, comm_tag=7)]
                after = [trace.add(COMP, duration=micros, after=after)]
                if rank + 1 < ranks:
                    trace.add(SEND, comm_src=rank, comm_dst=rank + 1, comm_size=size, comm_tag=7, after=after)

            self.make(ranks, fill, packed=packed)
            compute = ranks * micros * 1e-6
            self.check(
                compute + (ranks - 1) * (LATENCY + (size + HEADERS) / RATE),
                compute + (ranks - 1) * (LATENCY + size / RATE),
            )

    def test_groups(self):
        """Groups come from metadata, from a file and from dimensions; others are unknown."""
        ranks, size = 16, 1 << 20
        steps = 2 * 3
        expected = steps * (LATENCY + (size / 4 + HEADERS) / RATE)

        def fill(trace, rank):
            first = rank // 4 * 4
            inputs = "['" + json.dumps([{"pg_name": "3", "ranks": list(range(first, first + 4))}]) + "']"
            trace.add(METADATA, inputs=inputs)
            trace.add(COLL, comm_type=ALL_REDUCE, comm_size=size, pg_name="3")

        self.make(ranks, fill)
        self.assertAlmostEqual(self.get_seconds() / expected, 1, delta=1e-6)
        self.make(
            ranks,
            lambda trace, rank: trace.add(COLL, comm_type=ALL_REDUCE, comm_size=size, pg_name=rank % 4 + 1),
        )
        groups = os.path.join(self.folder.name, "groups.json")
        with open(groups, "w", encoding="utf-8") as file:
            json.dump({str(name + 1): list(range(name, ranks, 4)) for name in range(4)}, file)
        self.assertAlmostEqual(self.get_seconds(f"--workloadGroups={groups}") / expected, 1, delta=1e-6)
        self.assertIn("names the group '1', which neither", self.run_train(f"--workload={self.prefix}"))
        self.make(
            ranks,
            lambda trace, rank: trace.add(
                COLL, comm_type=ALL_REDUCE, comm_size=size, involved_dim=[True, False]
            ),
        )
        self.assertAlmostEqual(self.get_seconds("--workloadDimensions=4,4") / expected, 1, delta=1e-6)
        self.assertIn("sizes are not known", self.run_train(f"--workload={self.prefix}"))
        self.assertIn("dimensions have 8", self.run_train(f"--workload={self.prefix}", "--workloadDimensions=8"))

    def test_order(self):
        """Dependencies may point forward, and nodes have any numbers; the host takes no time."""

        def fill(trace, _):
            trace.add(COMP, duration=30, after=[70], identity=90)
            trace.add(COMP, duration=500, is_cpu_op=True, control=[70], identity=5)
            trace.add(COMP, duration=20, identity=70)
            trace.add(COMP, duration=10, after=[90, 70, 70], control=[5], identity=1)

        self.make(2, fill)
        self.assertAlmostEqual(self.get_seconds(), 60e-6, delta=1e-12)
        report = self.run_train(f"--workload={self.prefix}", *CROSSBAR)
        self.assertIn("without 2 nodes of the host (up to 0.5 ms a rank)", report["plan"]["workload"])

    def test_rooted(self):
        """A broadcast and a reduction pass parts on, the root gathers and scatters directly, a barrier
        sums a word."""
        ranks, part = 4, 1 << 18
        ring = (ranks - 1) * (LATENCY + (part + HEADERS) / RATE)
        star = LATENCY + (ranks - 1) * (part + HEADERS) / RATE
        barrier = 2 * (ranks - 1) * (LATENCY + (1 + HEADERS) / RATE)
        for kind, size, expected in (
            (BROADCAST, (ranks - 1) * part, ring),
            (REDUCE, (ranks - 1) * part, ring),
            (GATHER, part, star),
            (SCATTER, ranks * part, star),
            (BARRIER, None, barrier),
        ):
            with self.subTest(kind):
                attributes = {} if size is None else {"comm_size": size}
                self.make(ranks, lambda trace, _, kind=kind, more=attributes: trace.add(COLL, comm_type=kind, **more))
                self.assertAlmostEqual(self.get_seconds() / expected, 1, delta=1e-6)

    def test_recorded(self):
        """Where nodes of the host were recorded, callers are no order, and nodes may be missing."""
        size = 3 << 18

        def fill(trace, rank):
            # A thread that was not written down calls all; operators call those of the GPU
            trace.add(METADATA, inputs="['[{\"pg_name\": \"0\", \"ranks\": []}]']", identity=4)
            trace.add(COMP, duration=70, is_cpu_op=True, control=[3], identity=5)
            trace.add(COLL, duration=85, is_cpu_op=True, control=[3], after=[5], identity=6)
            trace.add(
                COLL, comm_type=BROADCAST, comm_size=size, pg_name="0", is_cpu_op=False, control=[6], after=[5, 2], identity=7
            )
            trace.add(COMP, duration=30, is_cpu_op=False, control=[9], after=[7], identity=8)
            trace.add(COMP, duration=90, is_cpu_op=True, control=[3], after=[8], identity=9)
            trace.add(COLL, comm_type=ALL_REDUCE, comm_size=0, is_cpu_op=False, control=[9], after=[8], identity=10)
            trace.add(COMP, duration=10, is_cpu_op=False, control=[9], after=[10], identity=11)

        self.make(4, fill)
        expected = 40e-6 + 3 * (LATENCY + (size / 3 + HEADERS) / RATE)
        self.assertAlmostEqual(self.get_seconds() / expected, 1, delta=1e-6)
        report = self.run_train(f"--workload={self.prefix}", *CROSSBAR)
        self.assertIn("without 12 nodes of the host (up to 0.245 ms a rank)", report["plan"]["workload"])
        self.assertIn("and 8 nodes that others name, but no trace has", report["plan"]["workload"])

        def wait(trace, _):
            trace.add(COMP, duration=10, is_cpu_op=True, after=[1])
            trace.add(COMP, duration=10, is_cpu_op=False, after=[0])

        self.make(1, wait)
        self.assertIn("waits for itself", self.run_train(f"--workload={self.prefix}"))
        # Without data dependencies there is no other order than callers
        self.make(
            1,
            lambda trace, _: (
                trace.add(COMP, duration=10, is_cpu_op=True),
                trace.add(COMP, duration=10, is_cpu_op=False, control=[2]),
                trace.add(COMP, duration=10, is_cpu_op=False, control=[1]),
            ),
        )
        self.assertIn("waits for itself", self.run_train(f"--workload={self.prefix}"))

    def test_group_forms(self):
        """A group may be a list of ranks; the other one of two ranks needs no number."""
        size = 1 << 20

        def fill(trace, rank):
            first = rank // 2 * 2
            group = str([first, first + 1])
            after = [trace.add(COLL, comm_type=ALL_REDUCE, comm_size=size, pg_name=group)]
            trace.add(SEND if rank == first else RECV, comm_size=size, pg_name=group, after=after)

        self.make(4, fill)
        expected = 2 * (LATENCY + (size / 2 + HEADERS) / RATE) + LATENCY + (size + HEADERS) / RATE
        self.assertAlmostEqual(self.get_seconds() / expected, 1, delta=1e-6)
        self.make(4, lambda trace, rank: trace.add(SEND, comm_size=size, pg_name="0") if rank == 0 else None)
        self.assertIn("names a group of 4 ranks without the other rank", self.run_train(f"--workload={self.prefix}"))

    def test_roofline(self):
        """Times follow from sizes where none was recorded: 312e12 FLOP/s, 2.039e12 byte/s on A100."""
        self.make(1, lambda trace, rank: trace.add(COMP, num_ops=10**13, tensor_size=10**6, duration=5))
        self.assertAlmostEqual(self.get_seconds(), 5e-6, delta=1e-12)
        least = 10**13 / 312e12
        self.assertGreater(self.get_seconds("--workloadRoofline"), least)
        self.assertLess(self.get_seconds("--workloadRoofline"), 2 * least)
        self.make(1, lambda trace, rank: trace.add(MEM_LOAD, tensor_size=10**10))
        least = 10**10 / 2.039e12
        self.assertGreater(self.get_seconds(), least)
        self.assertLess(self.get_seconds(), 2 * least)

    def test_refusals(self):
        """Whatever cannot be simulated is one sentence with file and node."""
        cases = (
            (dict(kind=COMP, after=[9]), "trace.0.et: node 0 waits for node 9, which does not exist"),
            (dict(kind=COMP, after=[0]), "node 0 waits for itself"),
            (dict(kind=9), "trace.0.et: node 0 has the unknown type 9"),
            (dict(kind=COLL, comm_size=8), "node 0 is a collective operation without comm_type"),
            (dict(kind=COLL, comm_type=ALL_REDUCE), "node 0 is a collective operation without comm_size"),
            (dict(kind=COLL, comm_type=10, comm_size=8), "of comm_type 10"),
            (dict(kind=COLL, comm_type=ALL_REDUCE, comm_size=-8), "attribute comm_size, whose value is not a whole"),
            (dict(kind=COLL, comm_type=ALL_REDUCE, comm_size="x"), "comm_size, whose value is not a number"),
            (dict(kind=COLL, pg_name="a\nb"), "attribute pg_name, whose value is not a text without control characters"),
            (dict(kind=SEND, comm_dst=1), "node 0 sends a message without comm_size"),
            (dict(kind=SEND, comm_dst=1, comm_size=0), "node 0 sends a message without comm_size, or of 0 bytes"),
            (dict(kind=SEND, comm_size=1), "node 0 sends without the other rank"),
            (dict(kind=SEND, comm_dst=7, comm_size=1), "names rank 7, but the 2 ranks are counted from 0"),
            (dict(kind=SEND, comm_src=1, comm_dst=1, comm_size=1), "node 0 sends for rank 1, but its file"),
            (dict(kind=SEND, comm_dst=1, comm_size=1), "node 0 sends 1 bytes with tag 0 to rank 1, which does not"),
            (dict(kind=RECV, comm_src=1, comm_size=1), "node 0 receives 1 bytes with tag 0 from rank 1, which does"),
            (dict(kind=COLL, comm_type=ALL_REDUCE, comm_size=1), "trace.1.et has none in that group"),
        )
        for node, sentence in cases:
            with self.subTest(sentence):
                self.make(2, lambda trace, rank, node=node: trace.add(**node) if rank == 0 else None)
                self.assertIn(sentence, self.run_train(f"--workload={self.prefix}", *CROSSBAR))

    def test_mismatches(self):
        """Ranks that do not fit together are refused, and never hang."""

        def message(size, tag):
            def fill(trace, rank):
                if rank == 0:
                    trace.add(SEND, comm_dst=1, comm_size=8, comm_tag=2)
                else:
                    trace.add(RECV, comm_src=0, comm_size=size, comm_tag=tag)

            return fill

        def collective(kind, size):
            return lambda trace, rank: trace.add(
                COLL, comm_type=kind if rank else ALL_REDUCE, comm_size=size if rank else 8
            )

        cases = (
            (message(9, 2), "node 0 sends 8 bytes with tag 2 to rank 1, but node 0 of"),
            (message(8, 1), "node 0 receives 8 bytes with tag 1 from rank 0, which does not send it"),
            (message(8, 3), "node 0 sends 8 bytes with tag 2 to rank 1, which does not receive it"),
            (collective(ALL_TO_ALL, 8), "trace.1.et: node 0 begins another collective operation"),
            (collective(ALL_REDUCE, 9), "trace.1.et: node 0 begins another collective operation"),
        )
        for fill, sentence in cases:
            with self.subTest(sentence):
                self.make(2, fill)
                self.assertIn(sentence, self.run_train(f"--workload={self.prefix}", *CROSSBAR))

    def test_files(self):
        """Missing files, files that are no traces, and options without a meaning are refused."""
        workload = f"--workload={self.prefix}"
        self.assertIn("There is no trace", self.run_train(workload))
        self.make(3, lambda trace, rank: trace.add(COMP, duration=1))
        self.assertIn("--gpus=64 differs from the 3 ranks", self.run_train(workload, "--gpus=64"))
        self.assertIn("--model has no meaning with --workload", self.run_train(workload, "--model=gpt2"))
        self.assertIn("--tp has no meaning with --workload", self.run_train(workload, "--tp=2"))
        self.assertIn("belongs to --workload", self.run_train("--workloadDimensions=8"))
        pattern = self.prefix.replace("trace", "*")
        self.assertIn("There is no trace", self.run_train(f"--workload={pattern}"))
        self.assertIsInstance(self.run_train(f"--workload={self.prefix}.*.et", *CROSSBAR), dict)
        self.assertIsInstance(self.run_train(f"--workload={self.prefix}.%d.et", *CROSSBAR), dict)
        os.remove(f"{self.prefix}.1.et")
        self.assertIn("trace.1.et is missing, but there is", self.run_train(workload))
        for text, sentence in (
            (b"", "the file is empty"),
            (b"\xff\xff\xff\xff\x0f", "is said to take 4294967295 bytes"),
            (b"\x02\x08\x01", "begins with another record than the metadata"),
            (b'{\n  "version": "0.0.4"\n}{\n  "id": "1"\n}', "this is the JSON form of Chakra"),
            (b"\x00\x02\x08\x01", "There is no trace"),
        ):
            with open(f"{self.prefix}.0.et", "wb") as file:
                file.write(text)
            if sentence == "There is no trace":
                continue
            os.path.exists(f"{self.prefix}.2.et") and os.remove(f"{self.prefix}.2.et")
            self.assertIn(sentence, self.run_train(workload))

    def test_round_trip(self):
        """A plan that is written and read again takes the same time to a tick on each fabric."""
        plans = (
            ("sip-ring", ["--model=bert-large:layers=4", "--gpus=16", "--batch=64"]),
            ("electrical", ["--model=gpt2-355m:layers=4", "--gpus=16", "--planner=fixed", "--tp=2", "--pp=2", "--microbatch=2", "--batch=64"]),
            ("sip-ocs", ["--model=gpt2-355m:layers=4", "--gpus=8", "--planner=fixed", "--tp=2", "--batch=64"]),
            ("electrical", ["--model=mixtral-8x7b:layers=2", "--gpus=8", "--planner=fixed", "--ep=4", "--batch=16", "--memory=unlimited"]),
            ("electrical", ["--model=gpt2-355m:layers=2", "--gpus=8", "--planner=fixed", "--cp=4", "--batch=16"]),
            ("oddl", ["--model=resnet50", "--gpus=16", "--batch=256"]),
        )  # fmt: skip
        for number, (fabric, options) in enumerate(plans):
            with self.subTest(options):
                prefix = f"{self.prefix}{number}"
                planned = self.run_train(*options, f"--fabric={fabric}", f"--chakra={prefix}")
                self.assertIsInstance(planned, dict, planned)
                again = self.run_train(f"--workload={prefix}", f"--fabric={fabric}")
                self.assertIsInstance(again, dict, again)
                self.assertEqual(
                    planned["runs"][0]["iterationSeconds"], again["runs"][0]["iterationSeconds"]
                )
                self.assertEqual(
                    planned["plan"]["predictedIterationSeconds"], again["plan"]["predictedIterationSeconds"]
                )
                self.check_rules(prefix, planned["gpus"])

    def check_rules(self, prefix, ranks):
        """Check traces by the rules of ASTRA-sim's reader: what it asserts, and what would hang it."""
        messages = {}
        operations = {}
        with open(f"{prefix}.groups.json", encoding="utf-8") as file:
            groups = {int(name): members for name, members in json.load(file).items()}
        self.assertNotIn(0, groups)
        for rank in range(ranks):
            metadata, nodes = read(f"{prefix}.{rank}.et")
            self.assertEqual(metadata.version, "0.0.4")
            # Its statistics know no metadata nodes: groups come from a file
            self.assertEqual([node.id for node in nodes], list(range(len(nodes))))
            last = []
            for node in nodes:
                self.assertTrue(all(other < node.id for other in node.data_deps))
                # A rank has one communication at a time: all ranks need the same order of them
                self.assertEqual(list(node.ctrl_deps), last if node.type in (SEND, COLL) else [])
                last = [node.id] if node.type in (SEND, COLL) else last
                values = {each.name: getattr(each, each.WhichOneof("value")) for each in node.attr}
                self.assertFalse(values.get("is_cpu_op"))
                if node.type == SEND:
                    self.assertEqual(values["comm_src"], rank)
                    key = rank, values["comm_dst"], values["comm_tag"], values["comm_size"]
                    messages[key] = messages.get(key, 0) + 1
                elif node.type == RECV:
                    self.assertEqual(values["comm_dst"], rank)
                    key = values["comm_src"], rank, values["comm_tag"], values["comm_size"]
                    messages[key] = messages.get(key, 0) - 1
                elif node.type == COLL:
                    self.assertIn(values["comm_type"], (ALL_REDUCE, ALL_GATHER, ALL_TO_ALL, REDUCE_SCATTER))
                    members = groups[int(values["pg_name"])]
                    self.assertIn(rank, members)
                    own = operations.setdefault((values["pg_name"], rank), [])
                    own.append((values["comm_type"], values["comm_size"], tuple(members)))
                else:
                    self.assertEqual(node.type, COMP)
        self.assertEqual([key for key, count in messages.items() if count], [])
        for (group, _), own in operations.items():
            for member in own[0][2]:
                self.assertEqual(own, operations[group, member])

    def test_text(self):
        """A text workload: the sum of weight gradients shares the network with that of inputs."""
        path = os.path.join(self.folder.name, "work.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                "HYBRID_DATA_MODEL\n2\n"
                "a -1 1000000 ALLREDUCE 800000 2000000 ALLREDUCE 400000 3000000 ALLREDUCE 8000000 100000\n"
                "b -1 500000 NONE 0 1500000 NONE 0 2500000 NONE 0 0\n"
            )
        options = [f"--workload={path}", "--fabric=electrical", "--bandwidth=8Gbps"]
        report = self.run_train("--workloadDimensions=4,2", *options)
        # Until the last computation before the sum, the two sums in the same network, and the update
        expected = (1000 + 1200 + 500 + 4000 + 3000 + 8000 + 600 + 100) * 1e-6
        self.assertAlmostEqual(report["runs"][0]["iterationSeconds"][0] / expected, 1, delta=1e-4)
        self.assertEqual(report["gpus"], 8)
        self.assertIn("need two dimensions", self.run_train("--gpus=8", *options))
        self.assertIn("are for Chakra", self.run_train("--workloadRoofline", *options))
        os.rename(path, f"{self.prefix}.0.et")
        self.assertIn("is the trace of one rank", self.run_train(f"--workload={self.prefix}.0.et"))

    def test_microbatches(self):
        """Microbatches that a file lists are not cut; a sum of sizes counts each latency once."""
        path = os.path.join(self.folder.name, "work.txt")
        line = "l -1 1000000 ALLREDUCE 4194304 1000000 ALLREDUCE 4194304 1000000 NONE 0 0\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 2 vpp: 1 ga: 4 "
                "all_gpus: 4 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 1.0\n4\n" + 4 * line
            )
        options = [f"--workload={path}", "--fabric=electrical", "--bandwidth=400Gbps"]
        for delay in (0.5e-6, 20e-6, 100e-6):
            report = self.run_train(*options, f"--delay={delay * 1e9:.0f}ns")
            reduction = 2 * (delay + (4194304 / 2 + HEADERS) / RATE)
            hop = delay + (1 + HEADERS) / RATE
            expected = 5 * (3e-3 + 2 * reduction) + 2 * hop
            self.assertAlmostEqual(report["runs"][0]["iterationSeconds"][0] / expected, 1, delta=1e-4)
            self.assertIn("4 microbatches of 1 layer as listed", report["plan"]["workload"])
        # A few ranks stand for all of their stage
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("all_gpus: 4", "all_gpus: 32").replace("NONE 0", "ALLREDUCE 8388608")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        whole, folded = (self.run_train(*options, *more)["runs"][0] for more in ([], ["--fold"]))
        self.assertGreater(whole["iterationSeconds"][0], 15.5e-3)
        self.assertAlmostEqual(folded["iterationSeconds"][0] / whole["iterationSeconds"][0], 1, delta=1e-6)

    def test_gather_sizes(self):
        """ALLGATHER in a text states what each rank ends with in SimAI's dialect, or as is asked."""
        path = os.path.join(self.folder.name, "work.txt")
        line = "\n1\ngrad_norm -1 0 NONE 0 0 NONE 0 0 ALLGATHER 16000000 0\n"
        header = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1"
        total = 15 * (LATENCY + (1e6 + HEADERS) / RATE)
        part = 15 * (LATENCY + (16e6 + HEADERS) / RATE)
        for dialect, options, expected, words in (
            ("", [], part, "has before"),
            ("", ["--workloadGather=total"], total, "ends with"),
            (" ep: 1", [], total, "ends with"),
            (" ep: 1", ["--workloadGather=part"], part, "has before"),
        ):
            with open(path, "w", encoding="utf-8") as file:
                file.write(header + dialect + line)
            report = self.run_train(f"--workload={path}", "--gpus=16", *CROSSBAR, *options)
            self.assertAlmostEqual(report["runs"][0]["iterationSeconds"][0] / expected, 1, delta=1e-4)
            self.assertIn(f"sizes of ALLGATHER are what each rank {words}", report["plan"]["workload"])
        self.assertIn("--workloadGather=all is unknown", self.run_train(f"--workload={path}", "--workloadGather=all"))

    def test_integers(self):
        """Any type of number will do for any attribute."""
        for integer in INTEGERS + ("double", "float"):
            with self.subTest(integer):
                self.make(
                    2,
                    lambda trace, rank: trace.add(COLL, comm_type=0, comm_size=1 << 20, is_cpu_op=False),
                    integer=integer,
                )
                steps = 2 * (LATENCY + ((1 << 19) + HEADERS) / RATE)
                self.assertAlmostEqual(self.get_seconds() / steps, 1, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
