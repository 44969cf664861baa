"""Writes the page of the manual about the figures."""

from cases import TITLES
from drawings import MLPERF
from rows import GPT2_ITERATIONS, get_minutes

HEAD = """.. include:: replace.txt

Results of the SiP-ML paper
===========================

``utils/figures.sh`` runs all simulations of this page, draws the figures and writes the page itself; only the
statements about the paper are written by hand. It resumes where it was stopped; ``utils/figures.sh --quick`` simulates
a part of it on 64 GPUs. The table of all runs, with the options of each, is
:download:`results.csv <figures/results.csv>`; the figures are also there as SVG.

What can be compared
--------------------

The settings come from the first pages of the paper (Khani et al., SIGCOMM 2021) and from its released simulator,
Rostam. The values of its figures are not available, so that this page compares the claims of its abstract. All
simulations use two sets of settings:

published
   The rules of the released simulator: groups of 8 GPUs and as many replicas as that leaves; pieces of an
   operator read only the pieces that overlap theirs; a share of an operator takes the same share of its
   time. SiP-Ring ignores the continuity of wavelengths, decides every 100 us from the bytes that wait, is
   completely dark for 20 us, replaces all circuits of the last decision, and decides in no time. SiP-OCS
   has 20 switches that are set before the job.
ours
   All transfers that operators need for correct results (a product split by columns gathers its whole input), on
   an accelerator whose small operators are less efficient; lightpaths keep their wavelengths, only lanes that
   change go dark, and a decision takes 10 us. Circuits are decided on once unless stated otherwise.

Both use V100 GPUs, a frame for each message, no propagation delay beyond that of the fabrics, and the whole fabric
rather than one group. Our gradients are those of half-precision training (2 bytes a parameter), less than the
weights in the released simulator, which are configuration data there (250 MB for ResNet-50, which has 102 MB in
single precision).
"""


def percent(ratio):
    """Returns how much more a ratio is than 1, as text."""
    return f"{100 * (ratio - 1):+.1f} %"


def span(values, form="{:.2f}"):
    """Returns the range of numbers as text."""
    values = list(values)
    if not values:
        return "-"
    low, high = form.format(min(values)), form.format(max(values))
    return low if low == high else f"{low} to {high}"


class Page:
    """The page, made of sections."""

    def __init__(self, rows):
        self._rows = rows
        self._lines = [HEAD]
        self._models = [m for m in TITLES if rows.find("bandwidth/data-parallel", model=m)]
        first = rows.find("bandwidth/data-parallel")[0]
        self._gpus = first["gpus"]

    def get(self):
        """Returns the text of the page."""
        self._add_check()
        self._add_headlines()
        self._add_scaling()
        self._add_bandwidth()
        self._add_hybrid()
        self._add_delay()
        self._add_degree()
        self._add_wavelengths()
        self._add_scale()
        self._add_planners()
        self._add_reasons()
        return "\n".join(self._lines) + "\n"

    def _section(self, title, figure, paper, ours, reason, more=None):
        self._lines += [title, "-" * len(title), ""]
        for name in [figure] + ([more] if more else []):
            self._lines += [f".. image:: figures/{name}.png", f"   :alt: {title}", ""]
        for name, text in (("Paper", paper), ("Ours", ours), ("Why they differ", reason)):
            self._lines += [f"**{name}.** {text}", ""]

    def _table(self, title, head, rows):
        self._lines += [f".. csv-table:: {title}", "   :header-rows: 1", "", "   " + ",".join(head)]
        self._lines += ["   " + ",".join(f'"{cell}"' for cell in row) for row in rows] + [""]

    def _curve(self, series, option="bandwidth", value=None, **options):
        return dict(self._rows.curve(series, option, value, **options))

    def _ratios(self, series, other, shift=1.0, **options):
        """Returns for each model and rate the time of a series over that of another one at a rate
        that is multiplied by shift."""
        ratios = {}
        for model in self._models:
            ours = self._curve(f"bandwidth/{series}", model=model, **options)
            option = "serverRate" if other.startswith("servers") else "bandwidth"
            theirs = self._curve(f"bandwidth/{other}", option, model=model)
            for rate, seconds in ours.items():
                if rate * shift in theirs:
                    ratios[model, rate] = seconds / theirs[rate * shift]
        return ratios

    def _by_model(self, ratios, form="{:.2f}"):
        """Returns the range of ratios of each model as text."""
        return "; ".join(
            f"{TITLES[m]} {span((v for (n, _), v in ratios.items() if n == m), form)}"
            for m in self._models
        )

    def _add_check(self):
        self._lines += ["Data parallelism", "----------------", ""]
        self._lines += [
            "With the weights and compute times of the released simulator in place of ours, an iteration of"
            " data parallelism on 1024 GPUs is to take the compute time and then twice the weights over"
            " the rate. Simulated:",
            "",
        ]
        compute = {"resnet50": 39.321e-3, "transformer": 11.264e-3, "gpt2-355m": 228.4e-3}
        weights = {"resnet50": 250e6, "transformer": 700e6, "gpt2-355m": 68e8}
        cells = []
        for model in compute:
            path = f"examples/models/{model}-data-parallel.json"
            for rate, seconds in sorted(self._curve("check/data-parallel", model=path).items()):
                wanted = compute[model] + 2 * weights[model] * 8 / rate
                cells.append(
                    (
                        model,
                        f"{rate / 1e9:g} Gb/s",
                        f"{1e3 * wanted:.2f} ms",
                        f"{1e3 * seconds:.2f} ms",
                        percent(seconds / wanted),
                    )
                )
        self._table("", ("model", "rate of a GPU", "formula", "simulated", "difference"), cells)
        self._lines += [
            "The difference is the factor of (n - 1) / n of a ring, which the formula leaves out.",
            "",
        ]

    def _add_headlines(self):
        rings = self._ratios("ring-once", "switches-published")
        again = self._ratios("ring-published", "switches-published")
        clusters = {}
        for servers in ("servers-400", "servers-200"):
            for fabric in ("ring-once", "switches-published"):
                ratios = self._ratios(fabric, f"{servers}-published").values()
                clusters.setdefault(fabric, []).extend(1 / ratio for ratio in ratios)
        half = self._ratios("switches-published", "electrical-published", 0.5)
        ring_half = self._ratios("ring-once", "electrical-published", 0.5)
        hybrid = {k: 1 / v for k, v in self._ratios("switches-published", "data-parallel").items()}
        search = {k: 1 / v for k, v in self._ratios("switches-search", "data-parallel").items()}
        fast = self._rows.seconds("delay/max-min-ours", model="resnet50", reconfigurationDelay="1us")
        ideal = self._rows.seconds("delay/electrical-ours", model="resnet50")
        self._lines += ["The claims of the paper", "-----------------------", ""]
        self._table(
            "",
            ("paper", "ours"),
            [
                (
                    "1.3 to 9.1 times as fast as today's electrical clusters",
                    f"SiP-OCS {span(clusters['switches-published'])} times, SiP-Ring {span(clusters['ring-once'])}"
                    " times, published settings, over all rates and models (servers of 8 GPUs behind one card of"
                    " 400 or 200 Gb/s); with the weights of the released simulator at 2 Tb/s, see the experiments,"
                    f" {span(self._get_weight_ratios())} times",
                ),
                (
                    "SiP-Ring about as fast as SiP-OCS",
                    f"time of the ring over that of the switches: {self._by_model(rings)} if both are"
                    f" set once; {self._by_model(again)} with decisions of the ring each 100 us",
                ),
                (
                    "optical at a rate B at least as fast as ideal electrical at B/2",
                    f"time over that of the electrical switch: SiP-OCS {self._by_model(half, '{:.3f}')};"
                    f" SiP-Ring {self._by_model(ring_half)}",
                ),
                (
                    "hybrid up to 2 times as fast as data parallel alone at Tb/s",
                    f"SiP-OCS: {self._by_model(hybrid)} times, published settings;"
                    f" {self._by_model(search)} times with all that operators need, planned by the search",
                ),
                (
                    "microseconds of reconfiguration are near the optimum",
                    f"ResNet-50 on 64 GPUs, ours: {1e3 * fast:.2f} ms with circuits decided on anew after each"
                    f" 5 us and 1 us of darkness, {1e3 * ideal:.2f} ms on an ideal electrical switch"
                    f" ({percent(fast / ideal)})",
                ),
            ],
        )

        fast = {key: ratio for key, ratio in rings.items() if key[1] == 8e12}
        self._lines += [
            "By the published settings SiP-OCS keeps what the paper says, to half a per cent. SiP-Ring does at the"
            f" highest rate only, where it takes {span(fast.values())} times as long as SiP-OCS: replicas are"
            " 8 places apart, and 8 of their lightpaths share each segment (see the experiments). With all that"
            " operators need, the fabrics carry far more, the strategy of 8 GPUs is no longer a good one for"
            " ResNet-50 and GPT-2, and what the search finds differs little from fabric to fabric.",
            "",
        ]

    def _get_weight_ratios(self):
        """Returns the times on servers over those on optical fabrics, with the published weights."""
        ratios = []
        for row in self._rows.find("evidence/weights-switches"):
            for servers in ("servers-400", "servers-200"):
                theirs = self._rows.seconds(f"evidence/weights-{servers}", model=row["model"])
                for fabric in ("ring", "switches"):
                    ours = self._rows.seconds(f"evidence/weights-{fabric}", model=row["model"])
                    ratios.append(theirs / ours)
        return ratios

    def _add_scaling(self):
        texts = []
        for model in MLPERF:
            points = dict(
                self._rows.curve("scaling/data-parallel", "gpus", get_minutes, model=model)
            )
            shared = [(gpus, minutes) for gpus, minutes in MLPERF[model] if gpus in points]
            if shared:
                texts.append(
                    TITLES[model]
                    + " "
                    + ", ".join(f"{points[g]:.1f} ({m} in MLPerf) on {g} GPUs" for g, m in shared)
                )
        self._section(
            "Weak scaling",
            "scaling",
            "Figure 1 of the paper shows that throughput grows with the GPUs, while time to accuracy falls"
            " ever slower, as larger batches need more samples.",
            "Data parallelism on servers of 8 V100 GPUs with 100 Gb/s a GPU. Minutes: "
            + "; ".join(texts)
            + ".",
            "MLPerf's submissions tune the batch to the system (26 to 208 images a GPU), run evaluation and"
            " start-up within their time, and have their own accuracy of each round; ours keeps the same"
            " samples on each GPU (64 images, 128 sentence pairs) and takes what MLPerf's reference runs"
            " converge in. Published and our settings do not differ here: nothing is split.",
        )

    def _add_bandwidth(self):
        rings = self._ratios("ring-ours", "electrical-ours")
        switches = self._ratios("switches-ours", "electrical-ours")

        def milliseconds(series):
            return f"{1e3 * self._rows.seconds(series, model='resnet50', bandwidth='2Tbps'):.1f} ms"

        again = milliseconds("bandwidth/ring-published")
        once = milliseconds("bandwidth/ring-once")
        planned = milliseconds("evidence/ring-planned")
        self._section(
            "Rate of a GPU",
            "bandwidth",
            "Time to accuracy falls with the rate of a GPU, and SiP-ML stays near the ideal electrical switch.",
            f"{self._gpus} GPUs, published settings (first figure). With all transfers that operators need (second"
            f" figure) the strategy of 8 GPUs takes, over the ideal electrical switch,"
            f" {self._by_model(switches)} times on SiP-OCS and {self._by_model(rings)} times on SiP-Ring; the"
            f" search finds plans that send less. GPT-2, for which there is no measured convergence, is given"
            f" the {GPT2_ITERATIONS} iterations of the released simulator. Times of the search are those of"
            " its cost model, which the simulation of 64 GPUs below agrees with.",
            "By the published rules pieces read only what overlaps theirs, so that groups send hardly anything"
            " among themselves, and the fabric carries little but gradients. What is left"
            " between the ring and the switches is explained below. Decisions of the ring each 100 us from the bytes that"
            f" wait make it slower and erratic: ResNet-50 takes {again} at 2 Tb/s, and {once} if it is set once. A pair"
            " that has nothing to send at the moment of a decision has no lightpath until the next one, and the"
            " steps of a ring collective wait for the slowest pair; the same decisions from the planned demand give"
            f" {planned}. The released simulator hands over all bytes of a pair at once. Rates at which the ring has fewer lightpaths"
            " than a plan has pairs are refused and missing.",
            "bandwidth-ours",
        )

    def _add_hybrid(self):
        ratios = {}
        for series in ("ring-search", "switches-search"):
            ratios[series] = {
                k: 1 / v for k, v in self._ratios(series, "data-parallel").items()
            }
        self._section(
            "Hybrid and data parallelism",
            "hybrid",
            "Up to 2 times as fast as data parallelism alone at Tb/s.",
            f"By the published settings as in the table above; planned by the search, with our settings,"
            f" {self._by_model(ratios['ring-search'])} times on SiP-Ring and"
            f" {self._by_model(ratios['switches-search'])} on SiP-OCS.",
            "By the published settings an operator on the samples of a whole group is split over its 8 GPUs in"
            " proportion, and larger operators are more efficient: with few samples a GPU (8 images, 1 sentence"
            " pair, 1 sequence) this is all of the gain, as the ideal electrical switch has it, too. On an accelerator"
            " whose small operators are less efficient, in turn, splitting gains little at these batches: see the"
            " table of transfers and shares below.",
        )

    def _add_delay(self):
        once = self._rows.seconds("delay/once-ours", model="resnet50")
        times = self._rows.curve(
            "delay/max-min-ours", "reconfigurationDelay", model="resnet50"
        )
        demand = self._rows.curve(
            "delay/max-demand-ours", "reconfigurationDelay", model="resnet50"
        )
        phase = self._rows.curve("delay/phase-ours", "reconfigurationDelay", model="resnet50")

        def write(points):
            return ", ".join(f"{1e3 * y:.1f} ms at {1e6 * x:g} us" for x, y in points)

        self._section(
            "Reconfiguration delay",
            "delay",
            "Microseconds of delay are near the optimum; from milliseconds on, one configuration for the job is"
            " better.",
            f"64 GPUs in groups of 8, 20 switches, 2 Tb/s a GPU, all transfers. ResNet-50: {1e3 * once:.1f} ms"
            f" with circuits that are set once; decided on after each 5 delays from the bytes that wait, by max-min"
            f" {write(times)}, and by max-demand, as in the released simulator, {write(demand)}; once for each"
            f" phase {write(phase)}. By the published rules circuits stay as they are, as"
            " what is sent is too little to be decided on again.",
            "Max-demand gives all switches to one set of pairs until these are served; GPUs that must hear from 7"
            " others wait for some decisions. Where 5 delays are longer than an iteration, there is no"
            " second decision.",
        )

    def _add_degree(self):
        published = self._rows.curve("degree/published", "switches", model="resnet50")
        ours = self._rows.curve("degree/ours", "switches", model="resnet50")
        low = min(ours, key=lambda point: point[1])
        high = max(ours, key=lambda point: point[1])
        self._section(
            "Circuits of a GPU",
            "degree",
            "9 to 20 switches were simulated; their results are not at hand.",
            f"2 Tb/s a GPU in equal circuits. ResNet-50: {span((1e3 * y for _, y in published))} ms by the"
            f" published rules; with all transfers on 64 GPUs from {1e3 * low[1]:.1f} ms ({low[0]:g} circuits) to"
            f" {1e3 * high[1]:.1f} ms ({high[0]:g}).",
            "More circuits are not always better: a GPU has 8 peers, 7 in its group and 1 among the replicas, and"
            " the circuits of a GPU are whole. What counts is how evenly they are shared by 8.",
        )

    def _add_wavelengths(self):
        ours = self._rows.curve(
            "wavelengths/ours", "wavelengthRate", model="resnet50"
        )
        cells = ", ".join(f"{1e3 * y:.1f} ms with {2e12 / x:g}" for x, y in reversed(ours))
        published = self._rows.curve(
            "wavelengths/published", "wavelengthRate", model="resnet50"
        )
        others = ", ".join(f"{1e3 * y:.1f} ms with {2e12 / x:g}" for x, y in reversed(published))
        self._section(
            "Wavelengths of a GPU",
            "wavelengths",
            "20 to 320 wavelengths of 25 Gb/s were simulated, which is 0.5 to 8 Tb/s: the figure of rates above.",
            f"Here 2 Tb/s are split into 20 to 320. ResNet-50 on 64 GPUs with all transfers: {cells}; fewer"
            f" have no lightpath for each pair and are refused. By the published rules on {self._gpus} GPUs:"
            f" {others}.",
            "By the published rules circuits are decided on each 100 us from the bytes that wait, which are few of few"
            " pairs at any time, as explained for the rates: the finer the wavelengths, the closer a decision follows"
            " them, and the less is left for what is sent just after.",
        )

    def _add_scale(self):
        texts = []
        for name, series in (
            ("SiP-Ring set once", "ring-once"),
            ("SiP-Ring with decisions each 100 us", "ring-published"),
            ("SiP-OCS", "switches-published"),
        ):
            points = self._rows.curve(f"scale/{series}", "gpus", model="resnet50")
            texts.append(name + " " + ", ".join(f"{1e3 * y:.2f} ms on {x:g}" for x, y in points))
        self._section(
            "Number of GPUs",
            "scale",
            "Scales to thousands of GPUs.",
            "Groups of 8 GPUs at 2 Tb/s, the same samples on each GPU. ResNet-50, published: "
            + "; ".join(texts)
            + " GPUs. The figure has our settings up to 1024 GPUs, too.",
            "The whole ring is simulated; the released simulator has one group on a ring of its own. Decisions from the"
            " bytes that wait stall more often the more GPUs a ring collective has.",
        )

    def _add_planners(self):
        ratios = {}
        for fabric in ("ring", "switches", "electrical", "servers"):
            for model in self._models:
                option = "serverRate" if fabric == "servers" else "bandwidth"
                found = self._curve(f"planners/{fabric}-search", option, model=model)
                for rate, seconds in self._curve(
                    f"planners/{fabric}-sip-ml", option, model=model
                ).items():
                    if rate in found:
                        ratios.setdefault(fabric, []).append(seconds / found[rate])
        names = {
            "ring": "SiP-Ring",
            "switches": "SiP-OCS",
            "electrical": "the ideal electrical switch",
            "servers": "servers of 8 GPUs",
        }
        text = ", ".join(f"{span(ratios[f])} times on {names[f]}" for f in names if f in ratios)
        self._section(
            "Planners",
            "planners",
            "There is one planner in the paper.",
            f"64 GPUs, our settings; SiP-ML's planner chooses its replicas by its own estimate. Its plans take {text} as"
            " long as those of the search.",
            "The search prices plans as the simulation runs them, and may use pipelines, shared state, other"
            " collectives and any divisors.",
        )

    def _add_reasons(self):
        def milliseconds(series, **options):
            seconds = self._rows.seconds(f"evidence/{series}", **options)
            return "-" if seconds is None else f"{1e3 * seconds:.2f} ms"

        self._lines += ["Experiments", "-----------", ""]
        self._lines += [
            "What the differences come from, each by one change. ResNet-50 on 64 GPUs in groups of 8, 2 Tb/s, circuits"
            " set once:",
            "",
        ]
        cells = []
        for mode, what in (("attribute", "all that operators need"), ("overlap", "overlapping pieces")):
            for splitting, shares in (("roofline", "as the accelerator"), ("linear", "in proportion")):
                cells.append(
                    (
                        what,
                        shares,
                        milliseconds(f"ring-{mode}-{splitting}"),
                        milliseconds(f"electrical-{mode}-{splitting}"),
                    )
                )
        self._table(
            "Transfers and shares", ("pieces read", "shares take", "SiP-Ring", "ideal electrical"), cells
        )
        self._table(
            "Decisions of the ring, all transfers",
            ("setting", "iteration"),
            [
                ("continuity of wavelengths, set once", milliseconds("ring-attribute-roofline")),
                ("the same without continuity", milliseconds("ring-load-only")),
                ("each 100 us, no continuity, all dark", milliseconds("ring-decisions-published")),
                ("the same with continuity", milliseconds("ring-decisions-continuity")),
                ("and dark where circuits change only", milliseconds("ring-decisions-partial")),
                ("and 10 us for a decision", milliseconds("ring-decisions-charged")),
            ],
        )
        cells = []
        for row in self._rows.find("evidence/weights-switches"):
            times = [
                self._rows.seconds(f"evidence/weights-{name}", model=row["model"])
                for name in ("ring", "switches", "servers-400", "servers-200")
            ]
            name = row["model"].split("/")[-1].replace("-data-parallel.json", "")
            cells.append([name] + [f"{1e3 * seconds:.2f} ms" for seconds in times])
        self._table(
            f"Weights of the released simulator, a GPU with an eighth of its compute time, {self._gpus} GPUs, 2 Tb/s",
            ("model", "SiP-Ring", "SiP-OCS", "8-GPU servers 400 Gb/s", "8-GPU servers 200 Gb/s"),
            cells,
        )
        sizes = self._rows.curve("evidence/ring-size", "gpus", model="resnet50")
        self._lines += [
            "A ring longer than a group of 8 GPUs is a line to the group: what crosses its middle has one way."
            " ResNet-50 on SiP-Ring, all transfers: "
            + ", ".join(f"{1e3 * y:.1f} ms on {x:g} GPUs" for x, y in sizes)
            + ". The released simulator has its group alone on the ring.",
            "",
            "Replicas are 8 places apart on the ring, so that 8 lightpaths of them share each segment. By the published"
            " rules, on 16 and 64 GPUs (2 and 8 replicas, which also differ by what a ring all-reduce sends, 1"
            " and 1.75 times the gradients): "
            + "; ".join(
                f"{TITLES[m]} "
                + " and ".join(
                    f"{1e3 * y:.2f} ms"
                    for _, y in self._rows.curve("evidence/ring-peers", "gpus", model=m)
                )
                for m in self._models
            )
            + ".",
            "",
        ]


def get_page(rows):
    """Returns the page as reStructuredText."""
    return Page(rows).get()
