"""Tests of what programs write: JSON alone where that is asked for, numbers that are finite, and a sentence
for input without an end."""

import json
import os
import re
import struct
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LIGHTPATH_BUILD", "build")


def run(program, *options, data=None):
    """Run a program, with at most 4 GiB of memory: return its exit status and what it printed."""
    done = subprocess.run(
        ["bash", "-c", 'ulimit -v 4194304; exec "$@"', "bash", os.path.join(BUILD, f"lightpath-{program}"), *options],
        capture_output=True,
        input=data,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode()


@unittest.skipUnless(
    "LIGHTPATH_BUILD" in os.environ or os.path.exists(os.path.join(BUILD, "lightpath-train")),
    f"{BUILD}/lightpath-train is missing: build it, or set LIGHTPATH_BUILD",
)
class OutputTests(unittest.TestCase):
    """Outputs of programs."""

    def test_json_alone(self):
        """With --json=- a pipe gets JSON and nothing else."""
        for program, options in (
            ("train", ["--model=bert-large:layers=2", "--gpus=4", "--planner=fixed", "--iterations=1"]),
            ("train", ["--model=bert-large:layers=2", "--gpus=4", "--planOnly"]),
            ("collective", ["--ranks=4"]),
            ("allocate", ["--pattern=training:8", "--ports=8"]),
            ("oddl", ["--nodes=4"]),
            ("infer", ["--model=llama-2-7b"]),
            ("model", ["--show=vgg16"]),
        ):
            with self.subTest(program=program, options=options):
                status, output, error = run(program, *options, "--json=-")
                self.assertEqual(status, 0, error)
                self.assertIsInstance(json.loads(output), dict)

    def test_default_planner(self):
        """The search plans, unless a planner is named or an option of another one is given."""
        job = ["--model=gpt2-xl:layers=4", "--gpus=4", "--batch=16", "--fabric=electrical", "--planOnly"]
        for options, planner in (
            ([], "search"),
            (["--planningTime=1s"], "search"),
            (["--tp=2"], "fixed"),
            (["--dp=2", "--pp=2", "--recompute=full"], "fixed"),
            (["--divisors=false", "--memory=unlimited"], "sip-ml"),
        ):
            with self.subTest(options):
                status, output, error = run("train", *job, *options)
                self.assertEqual((status, error), (0, ""))
                status, named, error = run("train", *job, *options, f"--planner={planner}")
                self.assertEqual((status, error), (0, ""))
                self.assertEqual(output, named)
        status, output, error = run("train", *job, "--tp=2", "--planningTime=1s")
        self.assertEqual((status, output), (1, b""))
        self.assertIn("--planningTime belongs to --planner=search, which is not asked for", error)

    def test_uplinks(self):
        """By default rotors have as many uplinks as divide the ports; a number that does not is refused with one that does."""
        job = ["--model=bert-large:layers=2", "--batch=64", "--planner=fixed", "--planOnly", "--rehearse=false"]
        cluster = ["--gpus=32", "--server=dgx-h100"]
        for fabric, given, possible in ("opera", 8, 4), ("sirius", 6, 4), ("rotornet", 3, 2):
            with self.subTest(fabric):
                words = [*job, *cluster, f"--fabric={fabric}"]
                status, usual, error = run("train", *words)
                self.assertEqual((status, error), (0, ""))
                status, output, error = run("train", *words, f"--uplinks={given}")
                self.assertEqual((status, output), (1, b""))
                self.assertIn(f"give --uplinks={possible}\n", error)
                status, output, error = run("train", *words, f"--uplinks={possible}")
                self.assertEqual((status, error), (0, ""))
                # Four servers have four ports a rail
                self.assertEqual(output == usual, possible == 4)

    def test_accelerator_of_server(self):
        """Servers on the market have their own GPUs, unless an option names others."""
        job = ["--model=bert-large:layers=2", "--gpus=16", "--batch=16", "--planner=fixed", "--planOnly", "--json=-"]
        for options, gpu in (
            ([], "A100"),
            (["--server=dgx-h100"], "H100"),
            (["--server=gb200-nvl72", "--attach=gpu"], "GB200"),
            (["--accelerator=H200", "--server=dgx-h100"], "H200"),
        ):
            with self.subTest(options):
                status, output, error = run("train", *job, *options)
                self.assertEqual(status, 0, error)
                self.assertEqual(json.loads(output)["accelerator"], gpu)

    def test_inference_remedies(self):
        """Remedies of inference can be followed."""
        job = ["--model=llama-3.1-405b", "--server=dgx-h100", "--prefillGpus=16", "--decodeGpus=16", "--batch=2"]
        job += ["--prefillTp=8", "--decodeTp=8"]
        status, output, error = run("infer", *job)
        self.assertEqual((status, output), (1, b""))
        self.assertIn("use more GPUs for each replica", error)
        # Two GPUs have copies of each of the eight heads of keys and values
        self.assertEqual(run("infer", *job, "--prefillTp=16", "--decodeTp=16")[::2], (0, ""))
        self.assertEqual(run("infer", *job, "--accelerator=H200")[::2], (0, ""))
        job = ["--model=deepseek-v3:layers=4", "--server=gb200-nvl72", "--prefillGpus=32", "--decodeGpus=32", "--batch=32"]
        status, output, error = run("infer", *job)
        self.assertEqual((status, output), (1, b""))
        self.assertIn("or give --serverGpus=32\n", error)
        self.assertEqual(run("infer", *job, "--serverGpus=32")[::2], (0, ""))

    def test_inference_without_degrees(self):
        """Each phase of inference has the GPUs of a server, and the fewest that have room for the model share it."""
        job = ["--model=llama-3-70b", "--server=dgx-h100", "--batch=4", "--json=-"]
        given = ["--prefillGpus=8", "--decodeGpus=8", "--prefillTp=2", "--decodeTp=2"]
        (status, output, error), (_, expected, _) = run("infer", *job), run("infer", *job, *given)
        self.assertEqual(status, 0, error)
        self.assertEqual(output, expected)

    def test_predictions(self):
        """A line says so where iterations take far more than estimated, and how much; estimates know slow GPUs."""
        job = ["--model=resnet50", "--planner=fixed", "--compare=electrical,sip-ring+electrical"]
        few, many = ["--gpus=4", "--batch=64"], ["--gpus=512", "--batch=8192"]
        small = ["--smallMessage=40000000", "--nicBandwidth=25Gbps"]
        # Estimates of many messages leave out that they are small
        cases = (few, 0), ([*few, "--slow=0:0.5"], 0), ([*few, *small], 0), ([*many, *small], 1)
        for options, count in (*cases, ([*many, *small, "--iterations=1"], 0)):
            with self.subTest(options), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "run.json")
                status, text, error = run("train", *job, *options, f"--json={path}")
                self.assertEqual(status, 0, error)
                with open(path, encoding="utf-8") as file:
                    result = json.load(file)
                lines = re.findall(r"^(.*): an iteration takes (.*) times as long as estimated", text.decode(), re.M)
                self.assertEqual(len(lines), count, text)
                seconds = {row["fabric"]: row["iterationSeconds"][1:] for row in result["runs"]}
                for fabric, ratio in lines:
                    estimated = result["plans"][fabric]["predictedIterationSeconds"]
                    self.assertEqual(ratio, f"{sum(seconds[fabric]) / len(seconds[fabric]) / estimated:.3g}")

    def test_failures(self):
        """Estimates leave out failures, and say so; simulations have them, also in place of an estimate."""
        job = ["--model=bert-large:layers=2", "--gpus=16", "--batch=32", "--planner=fixed", "--iterations=2", "--bandwidth=200Gbps"]
        for fabric, part in ("oddl", "row:0"), ("sip-ring", "segment:3:cw"):
            with self.subTest(fabric), tempfile.TemporaryDirectory() as folder:
                words = [*job, f"--fabric={fabric}"]
                fail = f"--fail={part}@0s"
                path = os.path.join(folder, "run.json")
                status, text, error = run("train", *words, fail, f"--json={path}")
                self.assertEqual((status, error), (0, ""))
                with open(path, encoding="utf-8") as file:
                    failed = json.load(file)
                (plan,) = re.findall(r"^plan:.*", text.decode(), re.M)
                self.assertIn("an iteration without the failures", plan)
                self.assertNotIn("+-", plan)
                ratio = failed["runs"][0]["iterationSeconds"][1] / failed["plan"]["predictedIterationSeconds"]
                self.assertIn(f"{ratio:.3g} times as long as estimated without the failures\n", text.decode())
                self.assertTrue(failed["plan"]["predictedWithoutFailures"])
                self.assertEqual(failed["plan"]["predictedBy"], "estimate")
                whole, planned = (json.loads(run("train", *words, *more, "--json=-")[1]) for more in ([], [fail, "--planOnly"]))
                self.assertNotIn("predictedWithoutFailures", whole["plan"])
                self.assertEqual(whole["plan"]["predictedIterationSeconds"], failed["plan"]["predictedIterationSeconds"])
                # A simulation has the failures in it
                self.assertNotIn("predictedWithoutFailures", planned["plan"])
                self.assertEqual(planned["plan"]["predictedIterationSeconds"], failed["runs"][0]["iterationSeconds"][1])

    def test_unreached_failures(self):
        """A failure after the end of a run is told, and one before it is not."""
        job = ["--model=bert-large:layers=2", "--gpus=16", "--batch=32", "--planner=fixed", "--iterations=1", "--fabric=oddl"]
        for time, told in ("10s", True), ("0s", False):
            status, text, error = run("train", *job, f"--fail=row:0@{time}")
            self.assertEqual((status, error), (0, ""))
            self.assertEqual("was not reached" in text.decode(), told)

    def test_sums_in_servers(self):
        """Switches of a server that sum do not if told so: the time is that of the same server in words."""
        job = ["--model=bert-large:layers=2", "--gpus=16", "--batch=32", "--planner=fixed", "--tp=8", "--fabric=electrical", "--json=-"]
        words = ["--accelerator=H100", "--serverGpus=8", "--serverRate=3600Gbps", "--bandwidth=400Gbps", "--serverDelay=1.9us"]
        words += ["--delay=4us", "--collectiveLatency=14us"]

        def get_seconds(*more):
            return json.loads(run("train", *job, *more)[1])["runs"][0]["iterationSeconds"]

        self.assertEqual(get_seconds("--server=dgx-h100", "--serverReduces=false"), get_seconds(*words))
        self.assertEqual(get_seconds("--server=dgx-h100"), get_seconds(*words, "--serverReduces"))
        self.assertNotEqual(get_seconds(*words), get_seconds(*words, "--serverReduces"))

    def test_lists(self):
        """A list in place of one fabric is refused with the option that compares several."""
        status, _, error = run("train", "--model=bert-large", "--gpus=13", "--batch=26", "--fabric=electrical,sip-ring")
        self.assertEqual(status, 1)
        self.assertIn("--compare=electrical,sip-ring compares them", error)

    def test_rings_of_many(self):
        """A ring of more than half a million replicas takes 2 (n - 1) steps, each with the latency."""
        count = 600000
        words = ["--model=resnet50", f"--gpus={count}", f"--batch={count}", "--fabric=electrical", "--planner=fixed"]
        words += ["--bandwidth=800Tbps", "--delay=1us", "--allReduce=ring", "--planOnly", "--json=-"]
        status, text, error = run("train", *words)
        self.assertEqual((status, error), (0, ""))
        seconds = json.loads(text)["plan"]["predictedIterationSeconds"]
        self.assertGreater(seconds, 2 * (count - 1) * 1e-6)

    def test_impossible_paths(self):
        """A lightpath of a ring covers fewer segments than there are nodes."""
        status, _, error = run("budget", "--nodes=2", "--hops=2")
        self.assertEqual(status, 1)
        self.assertIn("at most 1", error)
        self.assertEqual(run("budget", "--nodes=2", "--hops=1")[0], 0)

    def test_decisions(self):
        """Prices leave out what circuits are decided on at intervals, and say so; simulations do not."""
        job = ["--model=gpt2-355m:layers=4", "--gpus=16", "--batch=32", "--bandwidth=200Gbps", "--planner=fixed", "--tp=2",
               "--pp=2", "--microbatch=1", "--iterations=2", "--reconfigurationDelay=25us", "--json=-"]  # fmt: skip
        for fabric, more in [("sip-ocs", ["--decisionInterval=1ms"]), ("sip-ocs", ["--allocator=solstice"]),
                             ("sip-ring", ["--decisionInterval=1ms"])]:  # fmt: skip
            with self.subTest(fabric, more=more):
                words = [*job, f"--fabric={fabric}", *more]
                plan = json.loads(run("train", *words)[1])["plan"]
                self.assertEqual((plan["predictedBy"], plan["predictedWithoutDecisions"]), ("estimate", True))
                simulated = json.loads(run("train", *words, "--planOnly")[1])["plan"]
                self.assertEqual(simulated["predictedBy"], "simulation")
                self.assertNotIn("predictedWithoutDecisions", simulated)
        once = json.loads(run("train", *job, "--fabric=sip-ocs")[1])["plan"]
        self.assertEqual(once["predictedBy"], "price")
        self.assertNotIn("predictedWithoutDecisions", once)

    def test_relays(self):
        """GPUs that forward for others need lightpaths to them: a plan has them, or is refused before it runs."""
        job = ["--model=gpt2-xl:layers=2", "--gpus=64", "--tp=4", "--pp=2", "--zero=1", "--batch=16", "--microbatch=1"]
        job += ["--planner=fixed", "--accelerator=H100", "--memory=unlimited", "--iterations=1", "--bandwidth=800Gbps"]
        # Stages of 32 successive GPUs, on a ring whose lightpaths cover 16 segments
        status, output, error = run("train", *job, "--fabric=sip-ring:relay", "--placement=linear")
        self.assertEqual((status, output), (1, b""))
        self.assertIn("from GPU 0 to GPU 32", error)
        self.assertIn("no lightpaths of others lead there: leave out --placement", error)
        seconds = []
        for fabric, *options in ("sip-ring:relay",), ("sip-ring",), ("sip-ring:relay", "--placement=linear", "--attribute=MaxDistance=0"):
            status, output, error = run("train", *job, f"--fabric={fabric}", *options, "--json=-")
            self.assertEqual(status, 0, error)
            seconds.append(json.loads(output)["runs"][0]["iterationSeconds"][0])
        # All pairs have a lightpath of their own, so that headers alone tell these two apart
        self.assertAlmostEqual(seconds[0] / seconds[1], 1, 2)

    def test_rehearsal(self):
        """A plan that is not simulated is predicted as it is simulated, whatever planners cannot estimate."""
        job = ["--model=bert-large:layers=2", "--gpus=8", "--batch=16", "--planner=fixed", "--quiet", "--json=-"]
        for options in (
            ["--fabric=electrical"],
            ["--fabric=electrical", "--server=dgx-h100", "--slow=3:0.5"],
            ["--fabric=sip-ocs+electrical", "--smallMessage=40000000", "--nicBandwidth=25Gbps"],
            ["--fabric=torus", "--fail=link:gpu-0:gpu-1@0s", "--pp=2"],
            ["--fabric=rotornet", "--bandwidth=800Gbps"],
            ["--fabric=mixnet", "--tp=2", "--computeNoise=ns3::UniformRandomVariable[Min=0.9|Max=1.1]"],
            ["--fabric=sip-ring", "--decisionInterval=100us"],
        ):
            with self.subTest(options):
                seconds = json.loads(run("train", *job, *options)[1])["runs"][0]["iterationSeconds"][1:]
                plan = json.loads(run("train", *job, *options, "--planOnly")[1])["plan"]
                self.assertEqual(plan["predictedBy"], "simulation")
                self.assertAlmostEqual(plan["predictedIterationSeconds"] / (sum(seconds) / len(seconds)), 1, 12)
                plan = json.loads(run("train", *job, *options, "--planOnly", "--rehearse=false")[1])["plan"]
                is_estimate = any(option.startswith(("--decisionInterval", "--fail")) for option in options)
                self.assertEqual(plan["predictedBy"], "estimate" if is_estimate else "price")
        stalled = run("train", *job, "--fabric=leaf-spine-flows", "--fail=switch:leaf-0@1ms", "--planOnly")
        self.assertEqual(stalled[0], 1)
        self.assertIn("cannot go on", stalled[2])

    def test_price(self):
        """A price is the simulated time, also with a slow port and for more messages than planners follow."""
        replicas = ["--planner=fixed", "--memory=unlimited", "--iterations=2", "--quiet", "--json=-"]
        slow = ["--model=dlrm", "--gpus=32", "--batch=64", "--fabric=sip-ring", "--allReduce=halving-doubling"]
        # Rings through servers wait for the delay of one network while another one carries most of their bytes
        rings = ["--model=vit-l16", "--gpus=64", "--batch=256", "--zero=2"]
        # Circuits that come and go leave some of the messages to the network beside them
        turned = ["--model=gpt2-355m:layers=4", "--gpus=16", "--batch=64", "--tp=4", "--dp=4", "--trigger=operation",
                  "--fabric=sip-ocs+leaf-spine-flows"]
        for options in (
            [*slow, "--slow=0:0.5"],
            [*slow, "--slow=5:0.5"],
            [*rings, "--fabric=rail-only"],
            [*rings, "--fabric=sip-ocs", "--serverGpus=8"],
            turned,
            [*turned, "--waitLimit=100us"],
            [*turned, "--bulkMessage=3000000"],
        ):
            with self.subTest(options):
                result = json.loads(run("train", *options, *replicas)[1])
                seconds = result["runs"][0]["iterationSeconds"][-1]
                self.assertEqual(result["plan"]["predictedBy"], "price")
                self.assertAlmostEqual(result["plan"]["predictedIterationSeconds"] / seconds, 1, 6)

    def test_hybrid_price(self):
        """The price of a plan on a hybrid shares each network card among all that has no circuit."""
        job = ["--model=bert-large:layers=2", "--planner=fixed", "--allReduce=direct", "--bandwidth=400Gbps"]
        for gpus in 32, 64:
            with self.subTest(gpus=gpus):
                result = run("train", *job, f"--gpus={gpus}", f"--batch={gpus}", "--fabric=sip-ring+leaf-spine-flows",
                             "--quiet", "--json=-")
                result = json.loads(result[1])
                seconds = result["runs"][0]["iterationSeconds"][-1]
                self.assertLess(abs(result["plan"]["predictedIterationSeconds"] / seconds - 1), 0.12)

    def test_price_of_rings(self):
        """Rings go over hops of different delays, inside leaves and between them, and over slow hops."""
        job = "--model=gpt2-xl:layers=8 --planner=fixed --bandwidth=400Gbps --allReduce=ring --iterations=2"
        servers = "--gpus=32 --batch=64 --serverGpus=4 --serverRate=2.4Tbps"
        for options in (
            "--gpus=64 --batch=128 --fabric=leaf-spine-flows",
            "--gpus=64 --batch=128 --fabric=fat-tree-flows",
            f"{servers} --attach=rail --fabric=sip-ring",
            f"{servers} --attach=server --fabric=electrical",
        ):
            with self.subTest(options=options):
                result = json.loads(run("train", *job.split(), *options.split(), "--quiet", "--json=-")[1])
                seconds = result["runs"][0]["iterationSeconds"][-1]
                self.assertLess(abs(result["plan"]["predictedIterationSeconds"] / seconds - 1), 0.002)

    def test_price_on_shared_ports(self):
        """Groups that share a port queue there; where each GPU has a port of its own, they stay in step."""
        job = "--model=gpt2-xl:layers=4 --gpus={} --batch={} --planner=fixed --tp=4 --placement=dp,tp --iterations=3"
        servers = "--bandwidth=200Gbps --serverGpus={} --serverRate=2.4Tbps --attach={}"
        cases = [
            ("rotornet", 2, "server", 1e-4),
            ("oddl", 4, "server", 1e-4),
            ("electrical", 4, "server", 0.06),
            ("sip-ocs", 2, "server", 0.06),
            ("mixnet", 8, "server", 0.08),
            ("leaf-spine-flows --leafGpus=8 --oversubscription=4", 4, "gpu", 0.08),
        ]
        for fabric, gpus, attach, tolerance in cases:
            with self.subTest(fabric=fabric):
                options = f"{job.format(4 * gpus, 2 * gpus)} {servers.format(gpus, attach)} --fabric={fabric}"
                result = json.loads(run("train", *options.split(), "--quiet", "--json=-")[1])
                seconds = result["runs"][0]["iterationSeconds"][1]
                self.assertLess(abs(result["plan"]["predictedIterationSeconds"] / seconds - 1), tolerance)

    def test_price_in_servers(self):
        """Prices follow messages between servers whose switches sum."""
        job = ["--model=gpt3-13b:layers=4", "--planner=fixed", "--gpus=32", "--server=dgx-h100", "--batch=16"]
        job += ["--tp=8", "--pp=2", "--microbatch=2", "--memory=unlimited", "--iterations=2", "--quiet", "--json=-"]
        for fabric in "rotornet", "opera", "oddl":
            with self.subTest(fabric):
                result = json.loads(run("train", *job, f"--fabric={fabric}")[1])
                self.assertEqual(result["plan"]["predictedBy"], "price")
                seconds = result["runs"][0]["iterationSeconds"][-1]
                self.assertLess(abs(result["plan"]["predictedIterationSeconds"] / seconds - 1), 0.005)

    def test_search_on_rotors(self):
        """The search on rotors finds no worse plan than one made by hand."""
        job = "--model=gpt3-13b:layers=4 --gpus=16 --batch=16 --accelerator=H100 --fabric=opera --bandwidth=200Gbps"
        seconds = {}
        for plan in "--planner=search", "--planner=fixed --pp=4 --microbatch=2 --zero=1":
            options = [*job.split(), *plan.split(), "--planOnly", "--rehearse=false", "--quiet", "--json=-"]
            seconds[plan] = json.loads(run("train", *options)[1])["plan"]["predictedIterationSeconds"]
        searched, made = seconds.values()
        self.assertLessEqual(searched, 1.005 * made)

    def test_explained_grid(self):
        """Without its delays, a grid has a control network that takes no time."""
        job = "--model=bert-large:layers=4 --gpus=9 --batch=18 --fabric=oddl --planner=fixed --explain --planOnly"
        code, out, _ = run("train", *job.split(), "--rehearse=false")
        self.assertEqual(code, 0)
        self.assertIn("without delays", " ".join(out.decode().split()))

    def test_finite(self):
        """Light that is too weak for a number, and margins that no power gives, have words."""
        for options in (
            ["--distance=1e6"],
            ["--wavelengths=10000"],
            ["--path=mems", "--distance=1e9"],
            ["--ports", "--distance=1e6"],
            ["--ports", "--wavelengths=10000"],
        ):
            with self.subTest(options):
                status, output, error = run("budget", *options)
                self.assertEqual(status, 0, error)
                words = output.decode().replace("-", " ").split()
                self.assertFalse({"inf", "nan"} & set(words), output)
        self.assertIn(b"dark", run("budget", "--path=mems", "--distance=1e9")[1])
        self.assertIn(b"none", run("budget", "--ports", "--distance=1e6")[1])

    def test_endless(self):
        """Devices and impossible sizes are refused before they fill the memory."""
        with tempfile.TemporaryDirectory() as folder:
            loop = os.path.join(folder, "loop")
            os.symlink("loop", loop)
            zeros = os.path.join(folder, "zeros")
            os.symlink("/dev/zero", f"{zeros}.0.et")
            for program, options, data, sentence in (
                ("cluster", ["--trace=/dev/zero", "--gpus=8"], None, "line 1, has more than 16777216 bytes"),
                ("train", ["--placement=/dev/zero", "--gpus=4"], None, "a line of more than 16777216 bytes"),
                ("train", ["--workload=/dev/zero"], None, "There is no trace /dev/zero.0.et"),
                ("train", [f"--workload={loop}"], None, "There is no trace"),
                ("train", [f"--workload={zeros}"], None, "record 2: is another one without a number"),
                ("optinc-average", [], struct.pack("=If", 2**32 - 1, 1), "a block of 4294967295 numbers"),
                ("optinc-average", [], struct.pack("=If", 2**28, 1), "The input ends inside a block"),
            ):
                with self.subTest(program=program, options=options):
                    status, output, error = run(program, *options, data=data)
                    self.assertEqual((status, output), (1, b""))
                    self.assertIn(sentence, error)
                    self.assertEqual(error.count("\n"), 1, error)


if __name__ == "__main__":
    unittest.main()
