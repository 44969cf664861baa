"""The claims of ODDL and OptINC."""

from itertools import product

from manual import get_number, read_table
from papers import LLAMA, OPTINC_JOBS
from ratios import percent, span
from rows import get_seconds
from verdicts import (
    ABOUT,
    ALL,
    EQUAL,
    NONE,
    NOTHING,
    REACH,
    Claim,
    Numbers,
    judge,
    judge_least,
    judge_most,
)

# The prototype of ODDL: epochs, and iterations of 1024 images in one
EPOCHS = 20
ITERATIONS = 1252

# Layers of the network of OptINC for 4 servers and 8 bits that the module has, with their blocks
LAYERS = [4, 64, 128, 256, 128, 64, 4]


class Oddl:
    """The claims of ODDL."""

    def __init__(self, rows):
        self._rows = rows

    def get(self):
        """Returns the claims."""
        return [
            self._get_prototype(),
            self._get_accuracy(),
            self._get_tuning(),
            self._get_application(),
            self._get_switches(),
            self._get_control(),
            self._get_speedup("1.6 times as fast as a fat tree for VGG-19 on 1024 nodes", 1.6, "servers-"),
            self._get_speedup("1.7 times as fast as SiP-Ring for VGG-19 on 1024 nodes", 1.7, "ring"),
        ]

    def _get_prototype(self):
        seconds = self._rows.seconds("oddl/prototype")
        ideal = self._rows.seconds("oddl/prototype-electrical")
        found = NOTHING
        minutes = ()
        if seconds and ideal:
            minutes = [EPOCHS * ITERATIONS * value / 60 for value in (seconds, ideal)]
            found = (
                f"{minutes[0]:.3f} and {minutes[1]:.3f} min on A100 GPUs ({percent(seconds / ideal, '+.3f')}), 100 Gb/s at"
                " each switch of a node",
                # The minutes themselves, and how much longer the optical network takes
                judge(
                    [
                        abs(minutes[0] / 97.8 - 1) <= REACH,
                        abs(minutes[1] / 97.3 - 1) <= REACH,
                        seconds / ideal <= 97.8 / 97.3 * (1 + EQUAL),
                    ],
                    bool,
                ),
            )
        return Claim(
            "97.8 min for 20 epochs of ResNet-50 on 4 nodes, 97.3 min on an electrical switch (0.51 % more)",
            found,
            NOTHING,
            "parity alone: the minutes are those of the processor, an Ascend 910 there; the cost of control on the host,"
            " which is not modelled, may be the difference that was measured",
            Numbers("minutes of ResNet-50 on 4 nodes", "97.8 min", 97.8, 97.8, minutes[:1]),
            self._rows.find("oddl/prototype"),
        )

    @staticmethod
    def _get_accuracy():
        return Claim(
            "80.2 % accuracy on both networks",
            ("0 trainings: the module computes times, and messages without contents", NONE),
            NOTHING,
            "both networks deliver all bytes, so that sums are the same",
            Numbers("accuracy on both networks", "80.2 %", text="nothing is trained"),
        )

    def _get_tuning(self):
        points = dict(self._rows.curve("oddl/tuning", "tuningTime"))
        ratios = {time: points[time] / points[0.0] for time in points if time > 0 and 0.0 in points}
        fast = [ratio for time, ratio in ratios.items() if time < 1e-7]
        texts = ", ".join(f"{1e9 * time:g} ns {percent(ratio, '+.4f')}" for time, ratio in sorted(ratios.items()))
        return Claim(
            "a laser switches wavelengths in 10.5 ns (measured), which does not slow training",
            (f"an iteration of the prototype over that without tuning: {texts}", judge_most(fast, 1, EQUAL)),
            NOTHING,
            "a flow has megabytes; receivers that need longer than that to lock are an attribute",
            Numbers("time with 10.5 ns of tuning over none", "about 1", None, 1, fast),
            self._rows.find("oddl/tuning"),
        )

    def _get_application(self):
        rows = self._rows.find("oddl/application")
        found = NOTHING
        times = ()
        if rows:
            first, later = float(rows[0]["first_s"]), float(rows[0]["iteration_s"])
            never = self._rows.seconds("oddl/prototype")
            training = EPOCHS * ITERATIONS * never
            times = [later / never, (first - later + EPOCHS * ITERATIONS * later) / training]
            found = (
                f"the switches are set once, in 100 ms before the first message, which delays the first iteration by"
                f" {1e3 * (first - later):.1f} ms; later ones take {percent(times[0], '+.3f')}, and {EPOCHS} epochs of the"
                f" prototype {percent(times[1], '+.5f')} of switches that are set",
                judge_most(times, 1, EQUAL),
            )
        return Claim(
            "switches are reconfigured slowly, once for each application, and lasers for each flow",
            found,
            NOTHING,
            "each pair of a row or a column has a wavelength, whatever the job sends: nothing is left to set again."
            " The first microbatch hides most of the 100 ms, which are ours (``WssGridChannel::SettingTime``)",
            Numbers("training with switches set once over set", "about 1", None, 1, times),
            rows,
        )

    def _get_switches(self):
        rows = {int(row["gpus"]): row for row in self._rows.find("oddl/nodes") if get_seconds(row)}
        wanted = {1024: 64, 4096: 128}
        found = {
            gpus: int(rows[gpus]["rows"]) + int(rows[gpus]["columns"]) for gpus in wanted if gpus in rows
        }
        return Claim(
            "1024 nodes need 64 switches of 32 ports, 4096 nodes 128 of 64",
            (
                "simulated with "
                + ", ".join(
                    f"{switches} switches of {rows[gpus]['rows']} ports for {gpus} nodes"
                    for gpus, switches in found.items()
                ),
                judge(wanted if found else (), lambda gpus: found.get(gpus) == wanted[gpus]),
            ),
            NOTHING,
            "a switch for each row and column of the grid",
            Numbers(
                "switches of 1024 and 4096 nodes over theirs", "64 and 128", 1, 1,
                [found[gpus] / wanted[gpus] for gpus in found],
            ),
            self._rows.find("oddl/nodes"),
        )

    def _get_control(self):
        ours = dict(self._rows.curve("oddl/nodes", "gpus"))
        ideal = dict(self._rows.curve("oddl/nodes-electrical", "gpus"))
        cost = {gpus: seconds - ideal[gpus] for gpus, seconds in ours.items() if gpus in ideal}
        first = min(cost, default=0)
        texts = ", ".join(f"{1e6 * value:.1f} us on {gpus:g}" for gpus, value in sorted(cost.items()))
        return Claim(
            "the overhead of control grows less than the number of nodes",
            (
                f"an iteration of ResNet-50 takes longer than on an ideal switch by {texts} nodes",
                judge(
                    [gpus for gpus in cost if gpus > first],
                    lambda gpus: cost[gpus] < cost[first] * gpus / first,
                ),
            ),
            NOTHING,
            "two messages for each flow, whatever the size: the steps of halving-doubling grow as the logarithm",
            Numbers(
                "growth of control over that of nodes", "below 1", None, 1,
                [cost[gpus] * first / (cost[first] * gpus) for gpus in cost if gpus > first],
            ),
            self._rows.find("oddl/nodes"),
        )

    def _get_speedup(self, paper, factor, name):
        oddl = self._rows.seconds("oddl/vgg")
        values = {"": [], "-best": []}
        for uplinks in ("2", "4") if name.endswith("-") else ("",):
            for kind, found in values.items():
                seconds = self._rows.seconds(f"oddl/vgg-{name}{uplinks}{kind}")
                if seconds and oddl:
                    found.append(seconds / oddl)
        what = "halving-doubling on both, uplinks of a half and a quarter" if name.endswith("-") else "a ring in one direction"
        best = "the algorithm that suits servers (two levels)" if name.endswith("-") else "rings in both directions"
        return Claim(
            paper,
            (f"{what}: {span(values[''])} times", judge_least(values[""], factor, REACH)),
            (f"{best}: {span(values['-best'])} times", judge_least(values["-best"], factor, REACH)),
            "the collective algorithm on the other network, which the abstract does not state",
            Numbers(
                f"VGG-19: faster than {'SiP-Ring' if name == 'ring' else 'a fat tree'}", f"{factor} times", factor,
                factor, *values.values(),
            ),
            self._rows.find("oddl/vgg") + (self._rows.find("oddl/vgg-ring") if name == "ring" else []),
        )


def count_elements(layers):
    """Returns the interferometers of meshes of whole layers, and of square blocks with a diagonal."""
    whole = blocks = 0
    for n, m in zip(layers, layers[1:]):
        whole += m * (m - 1) // 2 + n * (n - 1) // 2 + min(m, n)
        side = min(m, n)
        blocks += max(m, n) // side * (side * (side - 1) // 2 + side)
    return whole, blocks


def get_bias(servers, is_even):
    """Returns the mean of what rounding adds to the average of words whose sums are equally likely."""
    total = 0.0
    for number in range(2 * servers):
        low, rest = divmod(number, servers)
        up = 2 * rest > servers or (2 * rest == servers and not (is_even and low % 2 == 0))
        total += low + up - number / servers
    return total / (2 * servers)


def is_equal(difference):
    """Returns whether a mean difference, written with its standard error, is within two of these."""
    mean, error = map(float, difference.split(" +- "))
    return abs(mean) <= 2 * error


def get_wrong_share(size):
    """Returns the share of words that two levels of groups get wrong if both round halves up."""
    wrong = 0
    remainders = list(product(range(size), repeat=size))
    for rests in remainders:
        for rest in range(size):
            exact = (2 * (rest * size + sum(rests)) + size**2) // (2 * size**2)
            groups = rest + sum((2 * each + size) // (2 * size) for each in rests)
            wrong += exact != (2 * groups + size) // (2 * size)
    return wrong / (len(remainders) * size)


class OptInc:
    """The claims of OptINC, known from its abstract and second-hand summaries."""

    def __init__(self, rows):
        self._rows = rows
        self._jobs = read_table("optinc-fabric.rst", "job")
        self._learning = read_table("optinc-learning-table.rst", "network")
        self._noise = read_table("optinc-noise.rst", "word errors")

    def get(self):
        """Returns the claims."""
        return [
            self._get_traffic(),
            self._get_exposed(),
            self._get_saving("ResNet-50 on CIFAR-100", "ResNet-50", 25),
            self._get_saving("a LLaMA-like model", "LLaMA", 17),
            self._get_learning(),
            self._get_noise(),
            self._get_exact(),
            self._get_elements(),
            self._get_cascade(),
        ]

    def _get_pairs(self):
        """Yields rows of a ring and of averaging with the same job."""
        for ring in self._rows.find("optinc/ring"):
            for average in self._rows.find("optinc/average", model=ring["model"], gpus=ring["gpus"]):
                if get_seconds(ring) and get_seconds(average):
                    yield ring, average

    def _get_traffic(self):
        ratios = {}
        for ring, average in self._get_pairs():
            gpus = int(ring["gpus"])
            ratio = float(ring["sent_bytes"]) / float(average["sent_bytes"])
            ratios.setdefault(gpus, []).append(ratio)
        texts = ", ".join(f"{span(v, '{:.3f}')} for {n}" for n, v in sorted(ratios.items()))
        return Claim(
            "a ring sends 1.5, 1.75 and 1.875 times as much as averaging in the network, for 4, 8 and 16 servers",
            (
                f"{texts} servers, 16 bits a gradient on both",
                judge(
                    [(n, v) for n, values in ratios.items() for v in values],
                    lambda item: abs(item[1] / (2 * (item[0] - 1) / item[0]) - 1) <= EQUAL,
                ),
            ),
            NOTHING,
            "each gradient is sent once; scales add 0.2 %",
            Numbers(
                "traffic of a ring over averages, to theirs", "1.5 to 1.875", 1, 1,
                [v * n / (2 * (n - 1)) for n, found in ratios.items() for v in found],
            ),
            self._rows.find("optinc/average"),
        )

    def _get_exposed(self):
        shares = {}
        for _, average in self._get_pairs():
            name = "LLaMA-like" if average["model"] == LLAMA else "ResNet-50"
            shares.setdefault(name, []).append(100 * float(average["exposed_s"]) / get_seconds(average))
        texts = ", ".join(f"{name} {span(v, '{:.1f}')} %" for name, v in shares.items())
        return Claim(
            "averaging in the network eliminates the overhead of communication",
            NOTHING,
            (
                f"share of an iteration that is communication which computation does not hide: {texts}",
                judge_most([v for values in shares.values() for v in values], 100 * ABOUT, 0),
            ),
            f"every gradient still travels once, at 800 Gb/s; {len(OPTINC_JOBS)} jobs on 4, 8 and 16 H100",
            Numbers(
                "time of communication that shows", "none",
                text=", ".join(f"{span(v, '{:.1f}')} %" for v in shares.values()),
            ),
            self._rows.find("optinc/average"),
        )

    def _get_saving(self, paper, name, saving):
        rows = [row for row in self._jobs if row["job"].startswith(name)]
        ideal = [get_number(row["at 36 TFLOP/s"]) for row in rows]
        ours = [get_number(row["saved"]) for row in rows]
        samples = " and ".join(row["samples"] for row in rows)
        return Claim(
            f"{saving} % less time than a ring for {paper} on 4 servers",
            (
                f"{span(ideal, '{:.1f}')} % with {samples} samples a GPU, at 36 TFLOP/s and without overlap",
                judge_least(ideal, saving, REACH),
            ),
            (
                f"{span(ours, '{:.1f}')} %: communication overlaps, and small kernels take their time",
                judge_least(ours, saving, REACH),
            ),
            "the compute time: batches were not published (doc/optinc-fabric.rst, by ``utils/optinc-table.py``)",
            Numbers(f"time saved, {name}", f"{saving} %", saving, saving, ideal, ours),
            [row for row in self._rows.find("optinc/average") if row["gpus"] == "4"],
        )

    def _find_learning(self, gradients):
        return [row for row in self._learning if row["gradients"] == gradients]

    def _get_learning(self):
        rows = self._find_learning("8 bits, meshes")
        texts = "; ".join(
            f"{row['network']}: loss {row['to floats']}, accuracy {row['to floats 2']} points" for row in rows
        )
        return Claim(
            "words of 8 bits learn as well as floats: 0.03 points of accuracy less (ResNet-50), a loss 0.018 to 0.038"
            " higher (LLaMA-like)",
            (
                f"meshes against floats, five seeds: {texts}",
                judge([row[key] for row in rows for key in ("to floats", "to floats 2")], is_equal),
            ),
            NOTHING,
            "small networks of the same kinds, not ResNet-50 and a LLaMA; same seeds and batches, so that a mean"
            " difference beyond two of its standard errors is one (doc/optinc-learning.rst, by ``utils/optinc-learning.py``)",
            Numbers(
                "8 bits learn as well as floats", "0.03 points less",
                text="; ".join(row["to floats 2"].replace("+-", "\u00b1") for row in rows),
            ),
        )

    def _get_noise(self):
        values = {}
        wrong = {}
        for noise in ("0.01", "0.02"):
            for row in self._find_learning(f"meshes, {noise} rad"):
                floats = next(
                    r for r in self._find_learning("float") if r["network"] == row["network"]
                )
                lost = get_number(floats["accuracy %"]) - get_number(row["accuracy %"])
                values.setdefault(noise, []).append(lost)
                wrong.setdefault(noise, []).append(get_number(row["wrong words"]))
        return Claim(
            "0.55 points of accuracy less with errors injected",
            (
                "points lost with noise of phases: "
                + ", ".join(f"{span(v)} with {noise} rad" for noise, v in values.items()),
                judge_most([v for found in values.values() for v in found], 0.55, REACH),
            ),
            NOTHING,
            "which errors were injected is not known; of the words, "
            + " and ".join(f"{span(v, '{:g}')} % with {noise} rad" for noise, v in wrong.items())
            + " are wrong",
            Numbers(
                "points lost with errors", "0.55 points", 0.55, 0.55, [v for found in values.values() for v in found]
            ),
        )

    def _get_exact(self):
        wrong = [get_number(row["wrong words"]) for row in self._find_learning("8 bits, meshes")]
        return Claim(
            "for 4 servers and 8 bits, (3N + 1)^M sums of digits take the place of all words, and a network learns"
            " them without an error",
            (
                f"{(3 * 4 + 1) ** 4} sums; {span(wrong, '{:g}')} % of the words of two trainings wrong by the meshes of"
                " the shipped network",
                judge(wrong, lambda value: value == 0),
            ),
            NOTHING,
            "training on all sums (``utils/optinc-train``, 94 s)",
            Numbers("wrong words of 4 servers and 8 bits", "none", text=f"{span(wrong, '{:g}')} %"),
        )

    def _get_elements(self):
        whole, blocks = count_elements(LAYERS)
        listed = next(row for row in self._noise if row["word errors"] == "interferometers")
        if [whole, blocks] != [int(listed["svd"]), int(listed["blocks"])]:
            raise ValueError("doc/optinc-noise.rst has other numbers of interferometers")
        return Claim(
            "diagonals times unitary blocks take 39.3 % of the interferometers",
            (
                f"{blocks:,} of {whole:,}, {100 * blocks / whole:.1f} %",
                NONE,
            ),
            NOTHING,
            "the layers were not published: ours were chosen to give this number, which hence proves nothing",
            Numbers("interferometers, blocks over whole", "39.3 %", 39.3, 39.3, [100 * blocks / whole]),
        )

    @staticmethod
    def _get_cascade():
        _, blocks = count_elements(LAYERS)
        more = 2 * (64 * 63 // 2 + 64)
        wrong = get_wrong_share(4)
        return Claim(
            "5 networks in two levels average 16 servers without an error, with 10.5 % more interferometers",
            (
                f"two more layers of 64 x 64 are {more:,}, {100 * more / blocks:.1f} %; sums of integers that pass on"
                " the remainder are exact: 0 % of the words wrong",
                ALL if abs(100 * more / blocks / 10.5 - 1) <= REACH else NONE,
            ),
            (
                f"by trained networks, which pass on no remainder: {100 * wrong:.1f} % of the words wrong by one unit",
                judge_most([wrong], 0, 0),
            ),
            "no network of the module computes remainders",
            Numbers("more interferometers for 16 servers", "10.5 %", 10.5, 10.5, [100 * more / blocks]),
        )


def get_bias_table():
    """Returns the rows of a table of what rounding adds to averages, in units of the last bit."""
    return [
        [str(servers), f"{get_bias(servers, False):+.4f}", f"{get_bias(servers, True):+.4f}"]
        for servers in (2, 3, 4, 8, 16)
    ]

